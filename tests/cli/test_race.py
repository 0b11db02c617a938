"""`pegwise race`, as typed: tables, files, bad input, interrupts, forecasts."""

import csv
import errno
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pegwise.arena import race
from pegwise.arena.results import from_document
from pegwise.cli.machine import _seconds
from pegwise.cli.options import WholeNumber
from pegwise.cli.race import spark
from pegwise.errors import ContradictionError, InputError
from pegwise.game import mastermind
from pegwise.i18n import speaking
from pegwise.strategies import load
from pegwise.strategies.simple import Random
from tests.cli.running import Run, refused, terminal

PROTOCOL = ["race", "--protocol", "marechal-rastoix"]


def rows(out: str, strategy: str) -> list[list[str]]:
    """The lines that begin with a strategy, split."""
    return [line.split() for line in out.splitlines() if line.split()[:1] == [strategy]]


def test_the_table(run: Run) -> None:
    status, out, err = run("race", "-s", "knuth", "-s", "entropy", "-s", "first")
    assert (status, err) == (0, "")
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
    status, out, err = run("race", "3x4")
    assert (status, err) == (0, "")
    for name in ("first", "random", "knuth", "irving", "entropy", "parts", "marechal-rastoix-3"):
        assert rows(out, name)
    missing = " ".join(out[out.index("Not raced") :].split())
    assert "greenwell greenwell plays 4x6 only, not 3x4" in missing
    assert "constraint slow; name it to let it race: -s constraint" in missing
    assert "(all pairs: --report, --json)" in out


def test_drawn_games(run: Run) -> None:
    arguments = ["race", "4x6", "-s", "knuth", "-s", "random", "--games", "400", "--seed", "3"]
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "400 drawn games, seed 3" in out
    figures = rows(out, "knuth")[0]
    assert figures[2].startswith("±0.0")
    assert figures[4:6] == ["4.476", "5"]
    # --seed is also for strategies that draw, and have no seed of their own
    assert rows(out, "random:seed=3")
    expected = race(mastermind("4x6"), [load("knuth")], games=400, seed=3).standings[0]
    assert figures[1] == f"{expected.mean:.3f}"
    assert rows(run("race", "2x3", "-s", "random:seed=8", "--seed", "3").out, "random:seed=8")
    assert "3 drawn games" in run("race", "9x9", "--games", "3", "-s", "marechal-rastoix-3").out


def test_json(run: Run) -> None:
    status, out, err = run("race", "4x6", "-s", "knuth", "-s", "first", "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    document = json.loads(out)
    assert (document["rules"], document["secrets"], document["seed"]) == ("4x6", 1296, 0)
    knuth = document["results"][0]
    assert knuth["strategy"] == "knuth"
    assert knuth["histogram"] == {"1": 1, "2": 6, "3": 62, "4": 533, "5": 694}
    assert (knuth["total"], knuth["mean"], knuth["worst"]) == (5801, 5801 / 1296, 5)
    assert document["command"] == "pegwise race 4x6 -s knuth -s first"
    assert from_document(document).standings[1].total == 7471


def test_results_do_not_depend_on_jobs(run: Run) -> None:
    documents = [
        json.loads(run("race", "4x6", "-s", "parts", "--jobs", jobs, "--json").out) for jobs in "12"
    ]
    for document in documents:
        del document["results"][0]["seconds"]
    assert documents[0] == documents[1]


def test_files(run: Run) -> None:
    outputs = ["--csv", "r.csv", "--turns", "t.csv", "--report", "r.html", "--chart", "r.svg"]
    status, out, err = run("race", "3x4", "-s", "knuth", "-s", "first", *outputs)
    assert (status, err) == (0, "")
    tail = out.splitlines()[-4:]
    assert tail == ["Standings: r.csv", "Turns: t.csv", "Report: r.html", "Chart: r.svg"]
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
    assert json.loads(ended.out)["rules"] == "2x3"
    assert ended.err == "Chart: chart.PNG\n"
    assert Path("chart.PNG").read_bytes().startswith(b"\x89PNG")


def test_the_protocol(run: Run) -> None:
    status, out, err = run(*PROTOCOL, "--games", "60", "--report", "r.html")
    assert (status, err) == (0, "")
    for rules in ("4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4"):
        assert f"\n{rules} (" in out
    # one table a board, then means, maxima and times across them
    assert [len(row) for row in rows(out, "marechal-rastoix-3")][:5] == [9] * 5
    across = rows(out, "marechal-rastoix-3")[5:]
    assert [len(row) for row in across] == [6, 6, 11]
    assert max(map(len, out.splitlines())) <= 80
    page = Path("r.html").read_text("utf-8")
    assert "Guesses at most" in page
    assert page.count("pegwise race ") == 5


def test_the_protocol_in_json_and_csv(run: Run) -> None:
    arguments = ["-s", "marechal-rastoix-3", "-s", "greenwell", "--games", "50", "--csv", "r.csv"]
    status, out, _ = run(*PROTOCOL, *arguments, "--json")
    assert status == 0
    document = json.loads(out)
    assert document["protocol"] == "marechal-rastoix"
    assert [len(race["results"]) for race in document["races"]] == [2, 1, 1, 1, 1]
    with Path("r.csv").open(encoding="utf-8") as file:
        assert [row["rules"] for row in csv.DictReader(file)] == [
            *("4x6", "4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4")
        ]


RACERS = ["first", "optimal", "knuth", "marechal-rastoix-3", "forget-minimax"]
SHOWN = {
    "all": ["3x4", *(word for name in RACERS for word in ("-s", name))],
    "drawn": ["3x4", "--games", "50"],
    "large": ["4x6", "-s", "marechal-rastoix-1", "-s", "knuth", "--games", "2000"],
    "long": ["3x4", "-s", "knuth:guesses=candidates,then=entropy", "-s", "random:seed=123456789"],
}


@pytest.mark.parametrize("columns", [40, 80, 200])
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
            assert [len(table.splitlines()) for table in tables] == [7, 7, 6]
    # no figure is cut: the games of each strategy add up
    games: dict[str, int] = {}
    counts = out[out.index("Games won with") :].split("\n\n")[0].splitlines()[1:]
    for name, *cells in (line.split() for line in counts if columns > 40):
        if name != "strategy":
            won = [int(cell.replace(",", "")) for cell in cells if cell != "·"]
            games[name] = games.get(name, 0) + sum(won)
    assert set(games.values()) <= {int(arguments[-1]) if "--games" in arguments else 64}


def test_bars() -> None:
    assert spark([1, 6, 62, 533, 694], 7, 24) == "▁▁▁▇█··"
    assert spark([0, 5], 2, 24) == "·█"
    assert spark([1, 1, 1, 1, 4, 4], 6, 3) == "▂▂█"
    assert spark([1, 8], 3, 24, bars="_#") == "_#·"
    # something always shows where a game was won
    assert spark([1, 10**6], 2, 24) == "▁█"


def test_output_that_lacks_signs(run: Run) -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert run("race", "3x4", "-s", "knuth", "--games", "50", stdout=stdout).status == 0
    stdout.seek(0)
    figures = rows(stdout.read(), "knuth")[0]
    assert set(figures[-1]) <= set("_.-:=+*#?")
    assert "#" in figures[-1]


# every error that a user can make: one clear sentence that quotes the input


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("4x0", "rules '4x0': colors must be 1 to 26, not 0"),
        ("0x6", "rules '0x6': pegs must be 1 to 16, not 0"),
        ("99x99", "rules '99x99': pegs must be 1 to 16, not 99"),
        ("4x27", "rules '4x27': colors must be 1 to 26, not 27"),
        (
            "4x3,distinct",
            "rules '4x3,distinct': 4 pegs without a repeated color need at least 4 colors, not 3",
        ),
        ("4x6,distinkt", "'distinkt' (did you mean 'distinct'?); known: distinct, "),
        ("clasic", "unknown rules 'clasic' (did you mean 'classic'?); known: classic, super, "),
        ("4*6", "cannot read rules '4*6': write PEGSxCOLORS"),
        ("", "cannot read rules '': write PEGSxCOLORS"),
        ("-4x6", "-4"),
        ("9x9", "9x9 has 387,420,489 secrets, too many to play each (at most 20,000,000)"),
    ],
)
def test_bad_rules(run: Run, rules: str, reason: str) -> None:
    assert reason in refused(run("race", rules))


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        ("knut", "unknown strategy 'knut' (did you mean 'knuth'?); known: first, random, "),
        ("", "unknown strategy ''; known: first, "),
        ("knuth:guess=all", "unknown option of strategy 'knuth': 'guess' (did you mean 'guesses'?"),
        ("knuth:guesses=few", "guesses='few': write guesses=all or guesses=candidates"),
        ("knuth:guesses", "'guesses' in strategy 'knuth:guesses': write option=value"),
        ("knuth:then=luck", "unknown second criterion 'luck'; known: none, minimax, "),
        ("random:seed=x", "'seed=x' in strategy 'random:seed=x': write a whole number"),
        ("random:seed=-1", "seed -1: a seed is a whole number from 0"),
        ("first:seed=1", "unknown option of strategy 'first': 'seed'; known: (none)"),
        ("greenwell", "greenwell plays 4x6 only, not 3x4"),
    ],
)
def test_bad_strategies(run: Run, strategy: str, reason: str) -> None:
    assert reason in refused(run("race", "3x4", "-s", strategy))


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--games", "-1", "--games '-1': give a whole number from 1 to 20000000"),
        ("--games", "1e3", "--games '1e3': give a whole number"),
        ("--games", "20000001", "--games '20000001': give a whole number"),
        ("--jobs", "0", "--jobs '0': give a whole number from 1 to 1024"),
        ("--seed", "x", "--seed 'x': give a whole number from 0 to 1"),
        ("--chart", "chart.gif", "'chart.gif': end it in one of .html, .png, .svg"),
        ("--chart", "chart", "'chart': end it in one of .html, .png, .svg"),
        ("--report", "race.pdf", "a report is an HTML page: end 'race.pdf' in .html"),
        ("--csv", "no/where.csv", "cannot write 'no/where.csv': there is no folder 'no'"),
        ("--report", ".", "cannot write '.': it is a folder"),
        ("--turns", "folder", "cannot write 'folder': it is a folder"),
        ("--csv", "file/x.csv", "cannot write 'file/x.csv': there is no folder 'file'"),
        ("--csv", "x" * 300, "File name too long"),
        ("--csv", os.devnull, "it is not a regular file"),
        ("--game", "5", "No such option"),
    ],
)
def test_bad_options(run: Run, option: str, value: str, reason: str) -> None:
    Path("folder").mkdir()
    Path("file").touch()
    assert reason in refused(run("race", "3x4", "-s", "first", option, value))
    assert {path.name for path in Path().iterdir()} == {"folder", "file"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("optimal", "2x3", "--jobs", "999999"), "--threads/--jobs '999999': give a whole number"),
        (
            ("static", "2x3", "--threads", "0"),
            "--threads/--jobs '0': give a whole number",
        ),
        (("optimal", "2x3", "--max-guesses", "0"), "--max-guesses '0': give a whole number from 1"),
        (("static", "2x3", "--guesses", "-1"), "--guesses '-1': give a whole number from 0"),
        (("candidates", "2x3", "--limit", "1e3"), "--limit '1e3': give a whole number from 0"),
        (("show", "--depth", "0", "file"), "--depth '0': give a whole number from 1"),
    ],
)
def test_bad_numbers(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    assert f"pegwise: {reason}" in refused(run(*arguments))


@pytest.mark.parametrize("text", ["0", "21", "-1", "1.5", "abc", "", "9" * 5000])
def test_what_is_no_whole_number(text: str) -> None:
    assert WholeNumber(1, 20).convert(" 7 ", None, None) == 7
    with pytest.raises(InputError, match="give a whole number from 1 to 20"):
        WholeNumber(1, 20).convert(text, None, None)


def test_a_folder_that_takes_no_file(run: Run) -> None:
    folder = Path("folder")
    folder.mkdir(mode=0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    why = refused(run("race", "3x4", "-s", "first", "--report", "folder/r.html"))
    assert why == "pegwise: cannot write 'folder/r.html': Permission denied"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["race", "3x4", "-s", "knuth", "-s", "knuth:guesses=all"], "'knuth' is given twice"),
        (
            ["race", "3x4", "--csv", "a.csv", "--turns", "./a.csv"],
            "is given for two outputs: give each its own file",
        ),
        (
            ["race", "--protocol", "marechal"],
            "unknown protocol 'marechal' (did you mean 'marechal-rastoix'?)",
        ),
        (["race", "5x8", *PROTOCOL[1:]], "leave out '5x8'"),
        ([*PROTOCOL, "--chart", "c.svg"], "use --report"),
        ([*PROTOCOL, "-s", "nobody"], "unknown strategy 'nobody'"),
        (["race", "16x26", "--games", "5", "-s", "knuth"], "knuth: 16x26 has"),
        (["race", "3x4", "-s", "greenwell", "--games", "10"], "greenwell plays 4x6 only"),
    ],
)
def test_what_does_not_go_together(run: Run, arguments: list[str], reason: str) -> None:
    assert reason in refused(run(*arguments))


def test_a_full_disk_leaves_no_file_half_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    Path("old.html").write_text("before")
    monkeypatch.setattr(Path, "write_bytes", fill)
    status, out, err = run("race", "2x3", "-s", "first", "--report", "old.html")
    assert status == 2
    assert err == "pegwise: cannot write 'old.html': No space left on device\n"
    assert "Fewest on average: first" in out  # the race itself is not lost
    assert Path("old.html").read_text() == "before"
    assert [path.name for path in Path().glob("*.*")] == ["old.html"]


# interrupts and failures


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    arguments = ("race", "5x6", "-s", "marechal-rastoix-3", "-s", "constraint")
    with terminal(tmp_path, *arguments) as screen:
        screen.sees("games", "best: marechal")  # of the bar
        screen.child.sendintr()
        assert screen.leaves() == 130
    assert "pegwise: interrupted" in screen.text
    assert "Fewest on average: marechal-rastoix-3" in screen.text
    assert "not finished" in screen.text


def interrupt(*_: object) -> int:
    # as Numba has it, when Ctrl-C comes while a kernel hands over its result
    raise SystemError("returned a result with an exception set") from KeyboardInterrupt()


def fail(*_: object) -> int:
    raise ContradictionError("it is lost")


FILES = ["--csv", "r.csv", "--report", "r.html"]


def test_an_interrupt_keeps_documents_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Random, "choose", interrupt)
    status, out, err = run("race", "2x3", "-s", "first", "-s", "random", "--json", *FILES)
    assert status == 130
    document = json.loads(out)
    assert [row["strategy"] for row in document["results"]] == ["first"]
    assert document["skipped"] == [{"strategy": "random", "why": "not finished"}]
    assert err == "Standings: r.csv\nReport: r.html\n\npegwise: interrupted\n"
    assert Path("r.csv").read_text("utf-8").count("\n") == 2
    Path("r.csv").unlink()
    # before anyone has finished
    status, out, err = run("race", "2x3", "-s", "random", *FILES)
    assert (status, err) == (130, "\npegwise: interrupted\n")
    assert out.split()[-3:] == ["random", "not", "finished"]
    assert not Path("r.csv").exists()
    # within a protocol
    arguments = ["-s", "marechal-rastoix-3", "-s", "random", "--games", "50"]
    status, out, _ = run(*PROTOCOL, *arguments, *FILES)
    assert status == 130
    assert len(rows(out, "marechal-rastoix-3")) == 1
    assert Path("r.csv").exists()


def test_a_failure_keeps_what_is_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Random, "choose", fail)
    status, out, err = run("race", "2x3", "-s", "first", "-s", "random", "--csv", "r.csv")
    assert (status, err) == (2, "pegwise: random fails on 2x3: it is lost\n")
    assert rows(out, "first")
    assert Path("r.csv").exists()


# --dry-run

NAMES = ["knuth", "irving", "entropy", "parts"]


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose speed is known."""
    monkeypatch.setattr("pegwise.arena.forecast.slowness", lambda: 1.25)


def test_a_table_of_times(run: Run) -> None:
    status, out, err = run("race", "7x10", "--dry-run")
    assert (status, err) == (0, "")
    first, heads, *lines = out.splitlines()
    assert first == "7x10: 10,000,000 secrets; nothing is played"
    assert heads.split()[:4] == ["strategy", "one", "core", "all"]
    assert heads.endswith("16 workers  64 workers  1024 workers")
    assert [line.split()[0] for line in lines[:4]] == NAMES
    assert "memory: 3.9 GiB, and at most as much for each worker" in lines
    said = " ".join(out.split())
    assert "this machine takes 1.25 times as long" in said
    assert "6x9: measured 14 s, estimated from smaller boards" in said
    assert (
        "the estimates of measured boards from smaller ones were right within a factor of 1."
        in said
    )
    assert "no board of so many pegs" not in out


def test_the_speed_of_this_machine_is_measured(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    document = json.loads(run("race", "4x6", "-s", "knuth", "--dry-run", "--json").out)
    assert 0.05 < document["factor"] < 50


def test_a_forecast_as_json(run: Run) -> None:
    status, out, err = run("race", "7x10", "-s", "irving", "--dry-run", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert (document["rules"], document["secrets"]) == ("7x10", 10**7)
    assert document["listed"] is True
    (row,) = document["strategies"]
    assert row["strategy"] == "irving"
    assert row["here"] == pytest.approx(row["seconds"] / document["cores"])
    times = [row["seconds"], *(row["workers"][n] for n in ("16", "64", "1024"))]
    assert times == sorted(times, reverse=True)
    assert document["enough"] == (
        document["free"] is None or document["memory"] <= document["free"]
    )
    checks = {check["rules"]: check for check in document["checks"]}
    assert set(checks) == {"5x12", "6x9", "7x7"}
    for check in checks.values():
        ratio = check["foretold"] / check["seconds"]
        assert 1 / document["within"] <= ratio <= document["within"]


def test_other_memory_and_fewer_jobs(run: Run) -> None:
    out = run("race", "5x8", "-s", "knuth", "--dry-run", "--jobs", "1").out
    assert out.splitlines()[1].split()[3:6] == ["here,", "--jobs", "1"]
    told = json.loads(run("race", "5x8", "--dry-run", "--jobs", "1", "--json").out)
    assert all(row["here"] == row["seconds"] for row in told["strategies"])
    sentence = refused(run("race", "7x10", "--dry-run", "--memory", "2GiB"))
    assert "7x10 takes some 3.9 GiB of memory, and --memory allows 2.0 GiB" in sentence
    assert run("race", "7x10", "-s", "knuth", "--dry-run", "--memory", "4GiB").status == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["13x13"], "a tree of 13x13 would have more nodes than can be numbered (2,147,483,647)"),
        (["5x8", "-s", "first"], "the time of first cannot be told beforehand"),
        (["--games", "9"], "--dry-run plans whole trees"),
        (PROTOCOL[1:], "--dry-run plans whole trees"),
        (
            ["--cluster", "tcp://nobody:1", "--csv", "a.csv", "--chart", "a.svg"],
            "--dry-run plays nothing: leave out --cluster, --csv, --chart",
        ),
    ],
)
def test_what_has_no_forecast(run: Run, arguments: list[str], reason: str) -> None:
    assert reason in refused(run("race", "--dry-run", *arguments))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("columns", [40, 80])
def test_forecasts_fit(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, language: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("race", "8x9", "--dry-run", "--lang", language).out.splitlines()
    assert [line for line in lines if len(line) > columns] == []
    for name in NAMES:
        assert any(line.split()[0] == name for line in lines)
    said = " ".join(" ".join(lines).split())
    sentences = {
        "en": [
            "8x9: 43,0",
            "boards of more than 20,000,000 codes are not listed: draw games instead",
            "no board of so many pegs was measured: it may be many times more or less",
        ],
        "fr": [
            "8x9 : 43 0",
            "rien n’est joué",
            "estimé d’après des plateaux plus petits",
            "d’après de plus petits donne son temps à un facteur 1,",
            "aucun plateau d’autant de pions n’a été mesuré",
        ],
    }
    for sentence in sentences[language]:
        assert sentence in said


@pytest.mark.parametrize(
    ("seconds", "english", "french"),
    [
        (5.4e-05, "under 1 ms", "moins de 1 ms"),
        (0.0139, "14 ms", "14 ms"),
        (1.44, "1.4 s", "1,4 s"),
        (99.6, "100 s", "100 s"),
        (9000.0, "2.5 h", "2,5 h"),
        (2e5, "2.3 d", "2,3 j"),
        (1e9, "11,574 d", "11\u202f574 j"),
    ],
)
def test_predicted_times(seconds: float, english: str, french: str) -> None:
    assert _seconds(seconds) == english
    with speaking("fr"):
        assert _seconds(seconds) == french


def test_strategies(run: Run) -> None:
    document: list[dict[str, Any]] = json.loads(run("strategies", "knuth", "--json").out)
    assert [card["id"] for card in document] == ["knuth"]
    assert "did you mean 'knuth'" in refused(run("strategies", "knut"))
    names = {line.split()[0] for line in run("strategies").out.splitlines() if line[:1] > " "}
    assert {"knuth", "first", "optimal"} <= names
