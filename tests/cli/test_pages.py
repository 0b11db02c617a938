"""README.md and other pages say what the program says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from benchmarks.readme import BEGIN, END, README, table

from tests.cli.running import Run

TEXT = README.read_text("utf-8")
EXAMPLES = re.findall(
    r"^    \$ pegwise (.*)\n((?:    (?!\$ ).*\n|\n(?=    ))*)", TEXT, re.MULTILINE
)
LINKS = re.findall(r"\]\(([^)#]+)[^)]*\)|<img src=\"([^\"]+)\"", TEXT)
PAGE = README.parent / "docs" / "terminal.md"


def timeless(text: str) -> list[list[str]]:
    """Words by line; times differ from run to run, and with them the widths of columns."""
    text = re.sub(r"^Compiling kernels.*\n|, and [0-9.]+ s to compile", "", text, flags=re.M)
    text = re.sub(r"[0-9.]+ (ms|s)\b|[0-9]+(?= positions)", "SOME", text)
    return [line.split() for line in text.strip().splitlines()]


def test_examples_print_what_they_show(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    commands = [command.split()[0] for command, _ in EXAMPLES]
    assert commands == ["race", "solve", "candidates", "optimal", "tree", "verify"]
    for command, printed in EXAMPLES:
        assert printed.strip()
        ended = run(*shlex.split(command))
        assert timeless(ended.out + ended.err) == timeless(printed), command
        assert ended.status == (1 if "No code" in printed else 0)


# how many lines of Python at least
PYTHON = {
    "README.md": 8,
    "docs/decoding.md": 8,
    "docs/forget.md": 8,
    "docs/marechal-rastoix.md": 10,
    "docs/static.md": 5,
    "docs/tp.md": 40,
    "docs/viaud.md": 10,
}


@pytest.mark.whole(of="documents")
@pytest.mark.parametrize("page", PYTHON)
def test_python(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = str(README.parent / page)
    result = doctest.testfile(path, module_relative=False, encoding="utf-8")
    assert result.attempted >= PYTHON[page]
    assert result.failed == 0


@pytest.mark.whole(of="documents")
def test_the_table_of_strategies_is_what_a_race_says() -> None:
    shown = TEXT.partition(BEGIN)[2].partition(END)[0]
    assert shown == table(), "write it anew: python -m benchmarks.readme"


def test_links_lead_somewhere() -> None:
    links = [page or picture for page, picture in LINKS]
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_make_knows_what_it_is_told() -> None:
    targets = re.findall(r"^(\w+):", (README.parent / "Makefile").read_text("utf-8"), re.MULTILINE)
    told = set(re.findall(r"\bmake (\w+)", TEXT))
    assert {"race", "test", "serve"} <= told
    assert told <= set(targets)


def test_sessions_are_what_the_program_says(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = PAGE.read_text("utf-8")
    sessions = re.findall(r"^    \$ (pegwise .*(?:\n(?:    .*)?)*)", text, re.MULTILINE)
    assert [session.split()[1] for session in sessions] == ["solve", "solve", "play", "candidates"]
    for session in sessions:
        session = re.sub(r"^    ", "", session, flags=re.MULTILINE).strip()
        command, _, printed = session.partition("\n")
        typed = "\n".join(re.findall(r"^> (.*)", printed, re.MULTILINE))
        ended = run(*shlex.split(command)[1:], typed=typed)
        said = re.sub(r"\S+[/\\]games[/\\]\S+\.txt", "GAME", ended.out)
        assert said.strip() == printed.strip(), command
        assert (ended.status, ended.err) == (0, "")
