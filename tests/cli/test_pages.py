"""README.md and other pages say what the program says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from benchmarks.strategies import BEGIN, END, PAGE, table

from pegwise.search.exact.position import load_kernels
from tests.cli.running import Run

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text("utf-8")
LINKS = re.findall(r"\]\(([^)#]+)[^)]*\)|<img src=\"([^\"]+)\"", TEXT)
SESSION = re.compile(r"^    \$ pegwise (.*)\n((?:    (?!\$ ).*\n|\n(?=    ))*)", re.MULTILINE)
"""A command, and what is printed and typed, on a page."""


def timeless(text: str) -> list[list[str]]:
    """Words by line; times differ from run to run, and with them the widths of columns."""
    text = re.sub(r", and [0-9.]+ s to compile", "", text)
    text = re.sub(r"[0-9.]+ (ms|s)\b|[0-9]+(?= positions)", "SOME", text)
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.parametrize(
    ("page", "columns", "number"),
    [
        ("README.md", "100", 2),
        ("docs/terminal.md", "80", 6),
        pytest.param("docs/fr/terminal.md", "80", 6, marks=pytest.mark.slow),
    ],
)
def test_pages_show_what_is_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch, page: str, columns: str, number: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    load_kernels()  # without them a game is not rated
    if page.startswith("docs/fr/"):
        monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    sessions = SESSION.findall((README.parent / page).read_text("utf-8"))
    assert len(sessions) == number
    for command, printed in sessions:
        printed = re.sub(r"^    ", "", printed, flags=re.MULTILINE).strip()
        typed = "\n".join(re.findall(r"^> (.*)", printed, re.MULTILINE))
        ended = run(*shlex.split(command), typed=typed)
        said = re.sub(r"\S+[/\\]games[/\\]\S+\.txt", "GAME", ended.out + ended.err)
        said = re.sub(
            r"^(Compiling kernels|Compilation de).*\n", "", said, flags=re.MULTILINE
        ).strip()
        assert timeless(said) == timeless(printed), command
        assert page == "README.md" or said == printed, command
        refused, no = printed.startswith("pegwise: "), re.search('No code of|"count": 0', printed)
        assert ended.status == (2 if refused else 1 if no else 0), command


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
