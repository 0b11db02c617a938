"""The sessions of docs/terminal.md are what the program says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.running import Run

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"


def sessions() -> list[str]:
    """Each command with what follows it, set back to the margin."""
    text = PAGE.read_text("utf-8")
    found = re.findall(r"^    \$ (pegwise .*(?:\n(?:    .*)?)*)", text, re.MULTILINE)
    return [re.sub(r"^    ", "", session, flags=re.MULTILINE).strip() for session in found]


@pytest.mark.parametrize("session", sessions(), ids=lambda text: text.partition("\n")[0])
def test_a_session_is_what_the_program_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: str
) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    command, _, printed = session.partition("\n")
    typed = "\n".join(re.findall(r"^> (.*)", printed, re.MULTILINE))
    ended = run(*shlex.split(command)[1:], typed=typed)
    said = re.sub(r"\S+[/\\]games[/\\]\S+\.txt", "GAME", ended.out)
    assert said.strip() == printed.strip()
    assert (ended.status, ended.err) == (0, "")


def test_the_page_has_sessions() -> None:
    commands = [session.split()[1] for session in sessions()]
    assert commands == ["solve", "solve", "play", "candidates"]
