"""README.md says what the program says, and the table of strategies what a race says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from benchmarks.strategies import BEGIN, END, PAGE, table

from tests.cli.running import Run

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text("utf-8")
LINKS = re.findall(r"\]\(([^)#]+)[^)]*\)|<img src=\"([^\"]+)\"", TEXT)
SESSION = re.compile(r"^    \$ pegwise (.*)\n((?:    (?!\$ ).*\n|\n(?=    ))*)", re.MULTILINE)
"""A command, and what is printed."""


def timeless(text: str) -> list[list[str]]:
    """Words by line; times differ from run to run, and with them the widths of columns."""
    text = re.sub(r", and [0-9.]+ s to compile", "", text)
    text = re.sub(r"[0-9.]+ (ms|s)\b|[0-9]+(?= positions)", "SOME", text)
    return [line.split() for line in text.strip().splitlines()]


def test_readme_shows_what_is_printed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    sessions = SESSION.findall(TEXT)
    assert len(sessions) == 2
    for command, printed in sessions:
        ended = run(*shlex.split(command))
        assert timeless(ended.out + ended.err) == timeless(printed), command


@pytest.mark.slow
def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.slow
def test_the_table_of_strategies_is_what_a_race_says() -> None:
    shown = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    assert shown == table(), "write it anew: python -m benchmarks.strategies"


def test_links_lead_somewhere() -> None:
    links = [page or picture for page, picture in LINKS]
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_make_knows_what_it_is_told() -> None:
    targets = re.findall(r"^(\w+):", (README.parent / "Makefile").read_text("utf-8"), re.MULTILINE)
    told = set(re.findall(r"\bmake (\w+)", TEXT))
    assert {"race", "test", "serve"} <= told
    assert told <= set(targets)
