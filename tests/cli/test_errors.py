"""Every error that a user can make in a race: one clear sentence that quotes the input."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, refused


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
def test_rules(run: Run, rules: str, reason: str) -> None:
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
def test_strategies(run: Run, strategy: str, reason: str) -> None:
    assert reason in refused(run("race", "3x4", "-s", strategy))


def test_a_strategy_twice(run: Run) -> None:
    ended = run("race", "3x4", "-s", "knuth", "-s", "first", "-s", "knuth:guesses=all")
    assert "strategy 'knuth' is given twice" in refused(ended)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--games", "-1", "--games '-1': give a whole number from 1 to 20000000"),
        ("--games", "0", "--games '0': give a whole number from 1 to 20000000"),
        ("--games", "abc", "--games 'abc': give a whole number from 1 to 20000000"),
        ("--games", "1e3", "--games '1e3': give a whole number"),
        ("--games", "20000001", "--games '20000001': give a whole number"),
        ("--jobs", "0", "--jobs '0': give a whole number from 1 to 1024"),
        ("--seed", "-1", "--seed '-1': give a whole number from 0 to 1"),
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
def test_options(run: Run, option: str, value: str, reason: str) -> None:
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
            "--threads/--jobs '0': give a whole number from 1 to 1024",
        ),
        (("optimal", "2x3", "--max-guesses", "0"), "--max-guesses '0': give a whole number from 1"),
        (("static", "2x3", "--guesses", "-1"), "--guesses '-1': give a whole number from 0"),
        (("candidates", "2x3", "--limit", "1e3"), "--limit '1e3': give a whole number from 0"),
        (("show", "--depth", "0", "file"), "--depth '0': give a whole number from 1"),
    ],
)
def test_numbers(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    assert f"pegwise: {reason}" in refused(run(*arguments))


def test_a_folder_that_takes_no_file(run: Run) -> None:
    folder = Path("folder")
    folder.mkdir(mode=0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    why = refused(run("race", "3x4", "-s", "first", "--report", "folder/r.html"))
    assert why == "pegwise: cannot write 'folder/r.html': Permission denied"


def test_one_file_for_two_outputs(run: Run) -> None:
    why = refused(run("race", "3x4", "--csv", "a.csv", "--turns", "./a.csv"))
    assert "is given for two outputs: give each its own file" in why


def test_protocols(run: Run) -> None:
    protocol = ["--protocol", "marechal-rastoix"]
    why = refused(run("race", "--protocol", "marechal"))
    assert "unknown protocol 'marechal' (did you mean 'marechal-rastoix'?)" in why
    assert "leave out '5x8'" in refused(run("race", "5x8", *protocol))
    assert "use --report" in refused(run("race", *protocol, "--chart", "c.svg"))


def test_no_board_is_too_large_to_say_no(run: Run) -> None:
    why = refused(run("race", "16x26", "--games", "5", "-s", "knuth"))
    assert "knuth: 16x26 has" in why
    assert "too many to list" in why


def test_a_protocol_needs_someone_who_can_play(run: Run) -> None:
    why = refused(run("race", "3x4", "-s", "greenwell", "--games", "10"))
    assert "greenwell plays 4x6 only" in why


@pytest.mark.parametrize("output", ["--csv", "--turns", "--report", "--chart"])
def test_a_full_disk_leaves_no_file_half_written(
    run: Run, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    def fill(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    name = "old.html" if output in {"--report", "--chart"} else "old.csv"
    Path(name).write_text("before")
    monkeypatch.setattr(Path, "write_bytes", fill)
    status, out, err = run("race", "2x3", "-s", "first", output, name)
    assert status == 2
    assert err == f"pegwise: cannot write '{name}': No space left on device\n"
    assert "Fewest on average: first" in out  # the race itself is not lost
    assert Path(name).read_text() == "before"
    assert [path.name for path in Path().iterdir()] == [name]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["99x99"], "pegs must be 1 to 16, not 99"),
        (["-s", "knut"], "did you mean 'knuth'?"),
        (["--games", "-1"], "--games '-1': give a whole number from 1 to"),
        (["--report", "/"], "cannot write '/': it is a folder"),
    ],
)
def test_as_a_process(arguments: list[str], reason: str) -> None:
    program = [sys.executable, "-m", "pegwise", "race", *arguments]
    done = subprocess.run(program, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pegwise: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr
