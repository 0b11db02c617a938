"""`pegwise race`, as typed."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from pegwise.arena import race
from pegwise.arena.results import from_document
from pegwise.cli.options import WholeNumber
from pegwise.cli.results import spark
from pegwise.errors import ContradictionError, InputError
from pegwise.game import mastermind
from pegwise.strategies import load
from pegwise.strategies.simple import Random
from tests.cli.running import Run, refused

PROGRAM = [sys.executable, "-m", "pegwise", "race"]


def rows(out: str, strategy: str) -> list[list[str]]:
    """The lines that begin with a strategy, split."""
    return [line.split() for line in out.splitlines() if line.split()[:1] == [strategy]]


def test_the_table(run: Run) -> None:
    status, out, err = run("race", "4x6", "-s", "knuth", "-s", "entropy", "-s", "first")
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


def test_rules_are_4x6_when_not_given(run: Run) -> None:
    assert run("race", "-s", "parts").out.startswith("4x6 ")


def test_everyone_races_when_nobody_is_named(run: Run) -> None:
    status, out, err = run("race", "3x4")
    assert (status, err) == (0, "")
    for name in ("first", "random", "knuth", "irving", "entropy", "parts", "marechal-rastoix-3"):
        assert rows(out, name)
    missing = " ".join(out[out.index("Not raced") :].split())
    assert "greenwell greenwell plays 4x6 only, not 3x4" in missing
    assert "constraint slow; name it to let it race: -s constraint" in missing
    assert "(all pairs: --report, --json)" in out
    assert max(map(len, out.splitlines())) <= 80


def test_drawn_games(run: Run) -> None:
    arguments = ["race", "4x6", "-s", "knuth", "-s", "random", "--games", "400", "--seed", "3"]
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "400 drawn games, seed 3" in out
    figures = rows(out, "knuth")[0]
    assert re.fullmatch(r"±0\.0\d\d", figures[2])
    assert figures[4:6] == ["4.476", "5"]
    # --seed is also for strategies that draw
    assert rows(out, "random:seed=3")
    expected = race(mastermind("4x6"), [load("knuth")], games=400, seed=3).standings[0]
    assert figures[1] == f"{expected.mean:.3f}"


def test_a_seed_of_its_own_stays(run: Run) -> None:
    assert rows(run("race", "2x3", "-s", "random:seed=8", "--seed", "3").out, "random:seed=8")


def test_boards_too_large_to_list(run: Run) -> None:
    status, out, _ = run("race", "9x9", "--games", "3", "-s", "marechal-rastoix-3")
    assert status == 0
    assert "3 drawn games" in out


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
    assert sorted(path.name for path in Path().iterdir()) == ["r.csv", "r.html", "r.svg", "t.csv"]


def test_the_files_are_told_apart_from_json(run: Run) -> None:
    status, out, err = run("race", "2x3", "-s", "first", "--json", "--csv", "r.csv")
    assert status == 0
    assert json.loads(out)["rules"] == "2x3"
    assert err == "Standings: r.csv\n"


@pytest.mark.parametrize("suffix", ["png", "html", "PNG"])
def test_forms_of_the_chart(run: Run, suffix: str) -> None:
    assert run("race", "2x3", "-s", "first", "--chart", f"chart.{suffix}").status == 0
    start = Path(f"chart.{suffix}").read_bytes()[:15]
    assert start == b"<!doctype html>" if suffix == "html" else start.startswith(b"\x89PNG")


def test_the_protocol(run: Run) -> None:
    arguments = ["race", "--protocol", "marechal-rastoix", "--games", "500", "--report", "r.html"]
    status, out, err = run(*arguments)
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
    status, out, _ = run("race", "--protocol", "marechal-rastoix", *arguments, "--json")
    assert status == 0
    document = json.loads(out)
    assert document["protocol"] == "marechal-rastoix"
    assert [len(race["results"]) for race in document["races"]] == [2, 1, 1, 1, 1]
    with Path("r.csv").open(encoding="utf-8") as file:
        assert [row["rules"] for row in csv.DictReader(file)] == [
            *("4x6", "4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4")
        ]


def test_results_do_not_depend_on_jobs(run: Run) -> None:
    one, two = (
        json.loads(run("race", "4x6", "-s", "parts", "--jobs", jobs, "--json").out) for jobs in "12"
    )
    for document in (one, two):
        del document["results"][0]["seconds"]
    assert one == two


@pytest.mark.parametrize("width", [50, 80, 120])
@pytest.mark.parametrize(
    "arguments",
    [
        ["3x4", "--games", "50"],
        ["4x6", "-s", "marechal-rastoix-1", "-s", "knuth", "--games", "20000"],
        ["3x4", "-s", "knuth:guesses=candidates,then=entropy", "-s", "random:seed=123456789"],
    ],
)
def test_lines_fit(
    run: Run, monkeypatch: pytest.MonkeyPatch, width: int, arguments: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    drawn = "--games" in arguments
    out = run("race", *arguments).out
    assert max(map(len, out.splitlines())) <= width
    # no figure is cut: the games of each strategy add up
    counts = out[out.index("Games won with") :].split("\n\n")[0].splitlines()[1:]
    games: dict[str, int] = {}
    for name, *cells in (line.split() for line in counts):
        if name != "strategy":
            won = [int(cell.replace(",", "")) for cell in cells if cell != "·"]
            games[name] = games.get(name, 0) + sum(won)
    assert len(games) > 1
    assert set(games.values()) == {int(arguments[-1]) if drawn else 64}


def test_bars() -> None:
    assert spark([1, 6, 62, 533, 694], 7, 24) == "▁▁▁▇█··"
    assert spark([0, 5], 2, 24) == "·█"
    assert spark([1, 1, 1, 1, 4, 4], 6, 3) == "▂▂█"
    assert spark([1, 8], 3, 24, bars="_#") == "_#·"
    # something always shows where a game was won
    assert spark([1, 10**6], 2, 24) == "▁█"


def test_signs_that_the_output_does_not_have() -> None:
    done = subprocess.run(
        [*PROGRAM, "3x4", "-s", "knuth", "--games", "500"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    figures = rows(done.stdout, "knuth")[0]
    assert set(figures[-1]) <= set("_.-:=+*#?")
    assert "#" in figures[-1]


def terminal(*arguments: str, **environment: str) -> Any:
    """The program in a terminal of 80 columns."""
    inherited = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS"}}
    return pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], *arguments],
        env={**inherited, "TERM": "xterm-256color"} | environment,
        dimensions=(40, 80),
        encoding="utf-8",
        timeout=120,
        # a shell that runs the tests in the background lets them inherit "ignore Ctrl-C"
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_colors_in_a_terminal() -> None:
    seen = terminal("3x4", "-s", "knuth", "-s", "first").read()
    assert "\x1b[1;32mknuth" in seen
    assert "games" in seen  # of the bar


def test_no_colors_where_none_are_wanted() -> None:
    seen = terminal("3x4", "-s", "knuth", NO_COLOR="1").read()
    table = seen[seen.index("3x4 (3 pegs") :]
    assert "\x1b" not in table


def test_ctrl_c_keeps_what_is_finished() -> None:
    watched = terminal("5x6", "-s", "marechal-rastoix-3", "-s", "constraint")
    watched.expect_exact("best: marechal")
    for _ in range(5):  # as a user would: once more if Python lost one inside a callback
        watched.sendintr()
        ended = watched.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=3) == 0
        if ended:
            break
    seen = watched.before or ""
    watched.close()
    assert watched.exitstatus == 130
    assert "Traceback" not in seen
    assert "pegwise: interrupted" in seen
    assert "Fewest on average: marechal-rastoix-3" in seen
    assert "not finished" in seen


def interrupt(*_: object) -> int:
    # as Numba has it, when Ctrl-C comes while a kernel hands over its result
    raise SystemError("returned a result with an exception set") from KeyboardInterrupt()


def test_an_interrupt_keeps_documents_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Random, "choose", interrupt)
    arguments = ["-s", "first", "-s", "random", "--json", "--csv", "r.csv", "--report", "r.html"]
    status, out, err = run("race", "2x3", *arguments)
    assert status == 130
    document = json.loads(out)
    assert [found["strategy"] for found in document["results"]] == ["first"]
    assert document["skipped"] == [{"strategy": "random", "why": "not finished"}]
    assert err.split("\n") == [
        *("Standings: r.csv", "Report: r.html", "", "pegwise: interrupted", "")
    ]
    assert Path("r.csv").read_text("utf-8").count("\n") == 2


def test_an_interrupt_before_anyone_has_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Random, "choose", interrupt)
    status, out, err = run("race", "2x3", "-s", "random", "--csv", "r.csv")
    assert (status, err) == (130, "\npegwise: interrupted\n")
    assert out.split()[-3:] == ["random", "not", "finished"]
    assert not Path("r.csv").exists()


def test_an_interrupt_keeps_the_races_of_a_protocol(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Random, "choose", interrupt)
    arguments = ["-s", "marechal-rastoix-3", "-s", "random", "--games", "50", "--report", "r.html"]
    status, out, _ = run("race", "--protocol", "marechal-rastoix", *arguments)
    assert status == 130
    assert len(rows(out, "marechal-rastoix-3")) == 1
    assert Path("r.html").exists()


def test_a_failure_keeps_what_is_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise ContradictionError("it is lost")

    monkeypatch.setattr(Random, "choose", fail)
    status, out, err = run("race", "2x3", "-s", "first", "-s", "random", "--csv", "r.csv")
    assert (status, err) == (2, "pegwise: random fails on 2x3: it is lost\n")
    assert rows(out, "first")
    assert Path("r.csv").exists()


@pytest.mark.parametrize("text", ["1", "20", " 7 "])
def test_whole_numbers(text: str) -> None:
    assert WholeNumber(1, 20).convert(text, None, None) == int(text)


@pytest.mark.parametrize("text", ["0", "21", "-1", "1.5", "abc", "", "9" * 5000])
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(InputError, match="give a whole number from 1 to 20"):
        WholeNumber(1, 20).convert(text, None, None)


def test_a_protocol_that_nobody_can_run(run: Run) -> None:
    # greenwell plays the first of the boards
    why = refused(run("race", "--protocol", "marechal-rastoix", "-s", "nobody"))
    assert "unknown strategy 'nobody'" in why
