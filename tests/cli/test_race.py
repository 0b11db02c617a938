"""`pegwise race`, as typed: tables, files, bad input, interrupts, plans."""

import csv
import errno
import io
import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from pegwise.arena import race
from pegwise.errors import ContradictionError
from pegwise.game import FiniteGame, board_game, words
from pegwise.game.names import word_game
from pegwise.game.rules import Rules
from pegwise.game.words import WordList, add_words
from pegwise.strategies import cards, load
from pegwise.strategies.simple import Random
from pegwise.trees import build
from tests.cli.running import Run, refused, terminal

PROTOCOL = ["race", "--protocol", "marechal-rastoix"]


def rows(out: str, strategy: str) -> list[list[str]]:
    """The lines that begin with a strategy, split."""
    return [line.split() for line in out.splitlines() if line.split()[:1] == [strategy]]


WITH_CHANCE = [card.id for card in cards() if "random" in card.traits]


@pytest.mark.parametrize(
    ("strategies", "options"),
    [
        *(([name], {"seed": 5}) for name in WITH_CHANCE),
        *(([name], {"seed": 3, "games": 40}) for name in WITH_CHANCE),
        *(([f"{name}:seed=0"], {"seed": 5}) for name in WITH_CHANCE),
        *(([load(name)], {"seed": 5}) for name in WITH_CHANCE),
        *(([load(name, seed=7)], {"seed": 5, "games": 40}) for name in WITH_CHANCE),
        (["random", "knuth:ties=random,seed=2"], {"seed": 5, "played": 3}),
        (["random", "entropy"], {"seed": 5, "games": 9}),
        (["random:seed=2"], {}),
    ],
)
def test_a_race_in_python_is_run_again_by_its_command(
    run: Run, strategies: list[Any], options: dict[str, Any]
) -> None:
    assert len(WITH_CHANCE) > 1
    raced = race("3x4", strategies, **options)
    again = run(*shlex.split(raced.command)[1:], "--json").document()
    figures = [
        (each["total"], each["worst"], [*each["histogram"].values()]) for each in again["results"]
    ]
    assert figures == [(s.total, s.worst, list(s.histogram)) for s in raced.standings]
    assert again["command"] == raced.command


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        "placed --words {words} -s first",
        "--words {words} --also {more} -s knuth -s first",
        "wordle --words {words} --length 3 -s first",
        "wordle,hard --also {more} -s first --games 9 --seed 2",
        "--also {more} -s first --games 9",
        "2x3 --weights {weights} -s first",
        "2x3 --secrets 2 -s knuth --max-guesses 4",
        "{game}:plain -s first",
    ],
)
def test_a_race_at_the_terminal_is_run_again_by_its_command(
    run: Run, tmp_path: Path, arguments: str
) -> None:
    lines = {
        "words": "abc\nabd\nbcd\ncab\ndda\n",
        "more": "aaa\nbbb\n" if "words" in arguments else "aaaaa\nbbbbb\n",
        "weights": "AA 2\nAB 3\n* 1\n",
        "game": "import pegwise\n\n\ndef plain():\n"
        "    return pegwise.FiniteGame('abc', lambda one, two: one == two)\n",
    }
    files = {name: tmp_path / f"{name}.{'py' if name == 'game' else 'txt'}" for name in lines}
    for name, path in files.items():
        path.write_text(lines[name])
    first = run("race", *shlex.split(arguments.format(**files)), "--json").document()
    words.in_use.clear()  # as in another process
    again = run(*shlex.split(first["command"])[1:], "--json").document()
    for each in (first, again):
        for row in each["results"]:
            del row["seconds"]
    assert first == again


@pytest.mark.slow
def test_a_race_that_no_text_names_has_no_command(home: Path) -> None:
    words = WordList.of("mine", ["abc", "abd", "bcd"])
    rules = word_game(words)
    assert race(rules, "first").command is None
    add_words(words)
    assert race(rules, "first").command == f"pegwise race {rules} -s first"
    assert race("wordle", "first", games=2).command == "pegwise race sgb,placed -s first --games 2"
    assert race("2x2", "first", weights=[1, 2, 1, 1]).command is None
    assert race(FiniteGame("ab", str.__eq__), "first").command is None


@pytest.mark.slow
def test_one_seed_gives_one_race_everywhere() -> None:
    """In Python, at the terminal and on the site, where names are read with the seed of a race."""
    totals = {
        race("4x6", [name], seed=5).standings[0].total for name in ("random", "random:seed=5")
    }
    assert totals == {race("4x6", [load("random", seed=5)]).standings[0].total} == {6033}
    drawn = race("4x6", ["random"], games=500, seed=3).standings[0]
    assert (
        drawn.total == race("4x6", [load("random", seed=3)], games=500, seed=3).standings[0].total
    )


def test_the_table(run: Run) -> None:
    out = run("race", "-s", "knuth", "-s", "entropy", "-s", "first").text()
    assert out.startswith("4x6 (4 pegs, 6 colors, colors may repeat): every secret, 1,296 in all\n")
    figures, counts, *_ = rows(out, "knuth")
    assert figures[1:4] == ["4.476", "5,801", "5"]
    assert figures[-1] == "▁▁▁▇█····"
    assert counts[1:] == ["1", "6", "62", "533", "694", "·", "·", "·", "·"]
    # the smallest mean stands first
    names = [line.split()[0] for line in out.splitlines()[3:6]]
    assert names == ["entropy", "knuth", "first"]
    assert "Fewest on average: entropy, 4.415. Fewest at worst: knuth, 5.\n" in out
    assert ["entropy", "378", "3", "610", "308", "3", "knuth"] in rows(out, "entropy")
    assert "\x1b" not in out
    assert all(line == line.rstrip() and len(line) <= 80 for line in out.splitlines())


def test_everyone_races_when_nobody_is_named(run: Run) -> None:
    out = run("race", "3x4").text()
    for name in ("first", "random", "knuth", "irving", "entropy", "parts", "marechal-rastoix-3"):
        assert rows(out, name)
    missing = " ".join(out[out.index("Not raced") :].split())
    assert "greenwell: greenwell plays 4x6 only, not 3x4" in missing
    assert "constraint: slow; name it to let it race: -s constraint" in missing
    assert "(all pairs: --report, --json)" in out


def test_every_kind_of_first_guess(run: Run) -> None:
    document = run("race", "4x4", "-s", "knuth:then=parts", "--openings", "--json").document()
    options = [each["options"] for each in document["results"]]
    openings = ["AAAA", "AAAB", "AABB", "AABC", "ABCD"]
    assert [each.pop("opening") for each in options] == openings
    assert options == [{"then": "parts"}] * 5
    # holes are guesses only, and 'candidates' compares codes that may be hidden
    for names, count in (("parts", 5), ("parts:guesses=candidates", 1)):
        command = ["race", "4x6,distinct,blank", "-s", names, "--openings", "--json"]
        assert len(run(*command).document()["results"]) == count
    for wrong in (["-s", "greenwell"], [], ["-s", "knuth:opening=AABC"]):
        refused(run("race", "4x6", *wrong, "--openings"))
    refused(run("race", "4x4,placed", "-s", "knuth", "--openings"))


@pytest.mark.slow
def test_drawn_games(run: Run) -> None:
    arguments = ["race", "4x6", "-s", "knuth", "-s", "random", "--games", "400", "--seed", "3"]
    # the processor time of games that are really played
    document = run(*arguments, "--played", "3", "--json").document()
    assert document["command"].endswith("--games 400 --seed 3 --played 3")
    for standing in document["results"]:
        assert (standing["played"]["games"], standing["played"]["seconds"] > 0) == (3, True)
    out = run(*arguments).text()
    assert "400 drawn games, seed 3" in out
    figures = rows(out, "knuth")[0]
    assert figures[2].startswith("±0.0")
    assert figures[4:6] == ["4.476", "5"]
    # --seed is also for strategies that draw, and have no seed of their own
    assert rows(out, "random:seed=3")
    expected = race(board_game(Rules.parse("4x6")), [load("knuth")], games=400, seed=3).standings[0]
    assert figures[1] == f"{expected.mean:.3f}"
    assert rows(run("race", "2x3", "-s", "random:seed=8", "--seed", "3").out, "random:seed=8")
    assert "3 drawn games" in run("race", "9x9", "--games", "3", "-s", "marechal-rastoix-3").out


def test_weights(run: Run) -> None:
    """A codemaker who dislikes doubles."""
    Path("w.txt").write_text("\n".join(f"{a}{a} 1" for a in "ABCDE") + "\n* 20\n")
    arguments = ["-s", "entropy", "-s", "first", "--weights", "w.txt"]
    out = run("race", "2x5", *arguments).out
    assert re.search("mean +total +worst +mean", out)
    document = run("race", "2x5", *arguments, "--json").document()
    assert document["weighted"]
    assert document["command"] == "pegwise race 2x5 -s entropy -s first --weights w.txt"
    entropy = document["results"][0]
    assert list(entropy)[:4] == ["strategy", "label", "options", "games"]
    run("tree", "2x5", "-s", "entropy", "--weights", "w.txt", "-o", "a.tree")
    facts = run("show", "a.tree", "--json").document()
    assert entropy["mean"] == facts["mean"] == entropy["total"] / 405
    assert facts["mean"] < run("race", "2x5", "-s", "entropy", "--json").document()[
        "results"][0]["mean"]  # fmt: skip
    for others in (["--protocol", "marechal-rastoix"], ["2x5", "--dry-run"]):
        assert "leave out --weights" in refused(run("race", *others, "--weights", "w.txt"))


def test_files(run: Run) -> None:
    outputs = ["--csv", "r.csv", "--turns", "t.csv", "--report", "r.html", "--chart", "r.svg"]
    out = run("race", "3x4", "-s", "knuth", "-s", "first", *outputs).text()
    assert out.splitlines()[-4:] == [
        "Standings: r.csv",
        "Turns: t.csv",
        "Report: r.html",
        "Chart: r.svg",
    ]
    with Path("r.csv").open(encoding="utf-8") as file:
        assert [row["strategy"] for row in csv.DictReader(file)] == ["knuth", "first"]
    with Path("t.csv").open(encoding="utf-8") as file:
        turns = list(csv.DictReader(file))
    assert len(turns) == 64
    assert sum(int(row["first"]) for row in turns) == 250
    page = Path("r.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "pegwise race 3x4 -s knuth -s first" in page
    assert Path("r.svg").read_text("utf-8").startswith("<svg")
    assert {path.name for path in Path().glob("*.*")} == {"r.csv", "r.html", "r.svg", "t.csv"}
    ended = run("race", "2x3", "-s", "first", "--json", "--chart", "chart.PNG")
    assert ended.document()["rules"] == "2x3"
    assert ended.err == "Chart: chart.PNG\n"
    assert Path("chart.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_protocol(run: Run) -> None:
    racers = ["-s", "marechal-rastoix-1", "-s", "marechal-rastoix-3"]
    drawn = ["--games", "20", "--played", "2"]
    out = run(*PROTOCOL, *racers, *drawn, *FILES, "--chart", "c.svg").text()
    for rules in ("4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4"):
        assert f"\n{rules} (" in out
    # one table a board, then means, maxima and times across them
    # a tree may take a second, a game never does
    assert all("ms" in row for row in rows(out, "marechal-rastoix-3")[:5])
    across = rows(out, "marechal-rastoix-3")[5:]
    # means, maxima, times of trees, times of games that are played
    assert [len(row) for row in across] == [6, 6, 11, 11]
    assert max(map(len, out.splitlines())) <= 80
    assert Path("r.html").read_text("utf-8").count("pegwise race ") == 5
    assert ">distinct<" in Path("c.svg").read_text("utf-8")
    with Path("r.csv").open(encoding="utf-8") as file:
        boards = [row["rules"] for row in csv.DictReader(file)]
    assert boards[::2] == ["4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4"]


RACERS = ["first", "optimal", "knuth", "marechal-rastoix-3", "forget-minimax"]
SHOWN = {
    "all": ["3x4", *(word for name in RACERS for word in ("-s", name))],
    "drawn": ["3x4", "--games", "50"],
    "large": ["3x5", "-s", "marechal-rastoix-1", "-s", "knuth", "--games", "2000"],
    "long": ["3x4", "-s", "knuth:guesses=candidates,then=entropy", "-s", "random:seed=123456789"],
}


@pytest.mark.parametrize("columns", [40, 200])
@pytest.mark.parametrize("arguments", SHOWN.values(), ids=SHOWN)
def test_lines_fit(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, arguments: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run("race", *arguments).out
    assert max(map(len, out.splitlines())) <= columns
    if arguments is SHOWN["all"]:
        tables = out.split("\n\n")[1:]
        if columns == 40:
            assert all(name in table for name in RACERS for table in tables)
        if columns == 200:
            assert [len(table.splitlines()) for table in tables] == [7, 7, 7]
    # no figure is cut: the games of each strategy add up
    games: dict[str, int] = {}
    counts = out[out.index("Games won with") :].split("\n\n")[0].splitlines()[1:]
    for name, *cells in (line.split() for line in counts if columns > 40):
        if name != "strategy":
            won = [int(cell.replace(",", "")) for cell in cells if cell != "·"]
            games[name] = games.get(name, 0) + sum(won)
    assert set(games.values()) <= {int(arguments[-1]) if "--games" in arguments else 64}


def test_output_that_lacks_signs(run: Run) -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert run("race", "3x4", "-s", "knuth", "--games", "50", stdout=stdout).status == 0
    stdout.seek(0)
    figures = rows(stdout.read(), "knuth")[0]
    assert set(figures[-1]) <= set("_.-:=+*#·")
    assert "#" in figures[-1]


def test_a_full_disk_leaves_no_file_half_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    Path("old.html").write_text("before")
    monkeypatch.setattr(Path, "write_bytes", fill)
    status, out, err = run("race", "2x3", "-s", "first", "--report", "old.html", "--force")
    assert status == 2
    assert err == "pegwise: cannot write 'old.html': No space left on device\n"
    assert "Fewest on average: first" in out  # the race itself is not lost
    assert Path("old.html").read_text() == "before"
    assert [path.name for path in Path().glob("*.*")] == ["old.html"]


# interrupts and failures


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    arguments = ("race", "5x6", "-s", "marechal-rastoix-3", "-s", "constraint")
    with terminal(tmp_path, *arguments) as screen:
        screen.sees("games", "best: mare")  # of the bar
        screen.child.sendintr()
        assert screen.leaves() == 130
    assert "the same command continues" in screen.text
    assert "Fewest on average: marechal-rastoix-3" in screen.text
    assert "not finished" in screen.text


def press_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ctrl-C be pressed when `random` next chooses, once: a second one ends at once."""
    choose = Random.choose
    signals = iter([signal.SIGINT])

    def interrupted(*arguments: Any) -> int:
        for number in signals:
            try:
                signal.raise_signal(number)
            except KeyboardInterrupt as error:
                # as Numba has it, when it comes while a kernel hands over its result
                raise SystemError("returned a result with an exception set") from error
        return choose(*arguments)

    monkeypatch.setattr(Random, "choose", interrupted)


def fail(*_: object) -> int:
    raise ContradictionError("it is lost")


FILES = ["--csv", "r.csv", "--report", "r.html"]


@pytest.mark.slow
def test_an_interrupt_keeps_documents_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    press_once(monkeypatch)
    status, out, err = run("race", "2x3", "-s", "first", "-s", "random", "--json", *FILES)
    assert status == 130
    document = json.loads(out)
    assert [row["strategy"] for row in document["results"]] == ["first"]
    assert document["skipped"] == [{"strategy": "random", "why": "not finished"}]
    goes_on = "Interrupted; the same command continues with the race.\n"
    assert err == f"Standings: r.csv\nReport: r.html\n{goes_on}"
    assert Path("r.csv").read_text("utf-8").count("\n") == 2
    Path("r.csv").unlink()
    # before anyone has finished
    press_once(monkeypatch)
    status, out, err = run("race", "2x3", "-s", "random", "--csv", "r.csv", "--force")
    assert (status, err) == (130, goes_on)
    assert out.split()[-3:] == ["random:", "not", "finished"]
    assert not Path("r.csv").exists()
    # within a protocol
    press_once(monkeypatch)
    arguments = ["-s", "marechal-rastoix-3", "-s", "random", "--games", "10"]
    ended = run(*PROTOCOL, *arguments, "--csv", "r.csv", "--force")
    figures = [row for row in rows(ended.out, "marechal-rastoix-3") if "±" in row[2]]
    assert (ended.status, len(figures)) == (130, 1)
    assert Path("r.csv").exists()


def test_an_interrupt_while_files_are_written_names_them(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("pegwise.cli.race.turns_csv", stop)
    command = ("race", "2x3", "-s", "first", "--csv", "s.csv", "--turns", "t.csv")
    status, _, err = run(*command)
    assert (status, Path("s.csv").exists(), Path("t.csv").exists()) == (130, True, False)
    assert "s.csv" in err and "t.csv" not in err
    status, _, err = run("race", "2x3", "-s", "first", "--turns", "t.csv")
    assert status == 130 and "no result" in err


def test_a_failure_keeps_what_is_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Random, "choose", fail)
    status, out, err = run("race", "2x3", "-s", "first", "-s", "random", "--csv", "r.csv")
    assert status == 2
    assert err == "pegwise: random fails on 2x3 at its first guess, secret AA: it is lost\n"
    assert rows(out, "first")
    assert Path("r.csv").exists()


# --dry-run


def test_a_plan_tells_memory_and_pieces(run: Run) -> None:
    lines = run("race", "7x10", "-s", "first", "--dry-run").text().splitlines()
    assert lines[0] == "7x10: 10,000,000 secrets; nothing is played"
    assert "memory: 3.9 GiB, and at most as much for each worker" in lines
    assert lines[-1].split() == ["1,024", "16,394", "610"]


def test_a_plan_as_json(run: Run) -> None:
    document = run("race", "7x10", "-s", "irving", "--dry-run", "--jobs", "3", "--json").document()
    assert (document["rules"], document["secrets"]) == ("7x10", 10**7)
    assert document["listed"] is True
    assert document["strategies"] == [{"strategy": "irving"}]
    assert [row["workers"] for row in document["pieces"]] == [3, 16, 64, 1024]
    for row in document["pieces"]:
        assert (row["least"] - 1) * row["largest"] < 10**7 <= row["least"] * row["largest"]
    assert document["enough"] == (document["memory"] <= document["free"])


def test_a_plan_keeps_to_the_memory_that_is_allowed(run: Run) -> None:
    assert run("race", "7x10", "-s", "knuth", "--dry-run", "--memory", "4GiB").status == 0
    assert run("race", "7x10", "-s", "knuth", "--dry-run", "--memory", "3GiB").status == 2


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("columns", [40, 80])
def test_plans_fit(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, language: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("race", "8x9", "--dry-run", "--lang", language).out.splitlines()
    assert [line for line in lines if len(line) > columns] == []


def test_strategies(run: Run) -> None:
    document: list[dict[str, Any]] = run("strategies", "knuth", "--json").document()
    assert [card["id"] for card in document] == ["knuth"]
    names = {line.split()[0] for line in run("strategies").out.splitlines() if line[:1] > " "}
    assert {"knuth", "first", "optimal"} <= names


def test_losses_stand_with_the_results(run: Run) -> None:
    best = build("3x4", "optimal").total
    document = run("race", "3x4", "-s", "knuth", "-s", "first", "--losses", "--json").document()
    for row in document["results"]:
        assert row["losses"]["total"] == sum(row["losses"]["by_turn"])
        assert row["total"] - row["losses"]["total"] == best
    assert "Guesses lost" in run("race", "3x4", "-s", "first", "--losses").text(silent=False)
    written = run("race", "3x4", "-s", "knuth", "--losses", "--notation", "digits")
    assert "114 after 123=OO" in written.text(silent=False)
    drawn = ("race", "3x4", "-s", "first", "--games", "5", "--losses-seconds", "9")
    (row,) = run(*drawn, "--json").document()["results"]
    assert row["losses"]["games"] == 5
    assert "±" in run(*drawn).text(silent=False).partition("Guesses lost in a game")[2]
    status, _, err = run("race", "--losses", "--protocol", "marechal-rastoix")
    assert status == 2
    assert "--losses" in err
