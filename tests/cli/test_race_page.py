"""docs/race.md shows what the program prints."""

import doctest
import re
import shlex
import sys
from pathlib import Path

import pytest

from pegwise.cli.main import main

PAGE = Path(__file__).parent.parent.parent / "docs/race.md"
COMMANDS = re.findall(r"```console\n\$ (pegwise .*)\n((?:.*\n)*?)```", PAGE.read_text("utf-8"))


def timeless(text: str) -> list[list[str]]:
    """Words by line; times differ from run to run, and with them the widths of columns."""
    text = re.sub(r"[0-9.]+ (ms|s)\b", "TIME", text)
    return [line.split() for line in text.strip().splitlines()]


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) == 2


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_commands(
    command: str,
    shown: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert timeless(capsys.readouterr().out) == timeless(shown)


def test_python() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 4
    assert result.failed == 0
