"""How commands are run in the tests: in this process, or at a terminal of their own."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pexpect

from tests.programs import PATIENCE

__all__ = ["Ended", "Run", "Terminal", "games", "plain", "refused", "terminal"]

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    def text(self, status: int = 0, *, silent: bool = True) -> str:
        """What it printed, as it ended with this status; and with nothing on standard error."""
        assert self.status == status and not (silent and self.err)
        return self.out

    def document(self, status: int = 0) -> Any:
        """The JSON document that it printed, as it ended with this status."""
        assert self.status == status
        return json.loads(self.out)


Run = Callable[..., Ended]


def refused(ended: Ended, status: int = 2) -> str:
    """The one sentence that a command was refused with."""
    assert ended.status == status
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    assert line.startswith("pegwise: ")
    return line


def plain(text: str) -> str:
    """What a person reads: without escape sequences, lines ended as in a file."""
    return _ESCAPES.sub("", text).replace("\r\n", "\n")


def games(folder: Path) -> list[Path]:
    """The games among the player's own data, oldest first."""
    return sorted((folder / "home" / "games").glob("*"))


class Terminal:
    """The real program at a pseudo-terminal."""

    def __init__(self, child: pexpect.spawn[str]) -> None:
        self.child = child
        self.read = ""

    def sees(self, *texts: str) -> str:
        """Wait for these texts, one after the other; what stood before the last of them."""
        for text in texts:
            self.child.expect_exact(text)
            self.read += str(self.child.before) + text
        return plain(str(self.child.before))

    def types(self, line: str) -> None:
        """Wait for the prompt, then type a line."""
        self.sees("\n> ")
        self.child.sendline(line)

    def leaves(self) -> int:
        """Wait until the program ends; its exit status, as a shell tells it."""
        self.child.expect(pexpect.EOF)
        self.read += str(self.child.before)
        self.child.close()
        assert "Traceback" not in self.read
        signal = self.child.signalstatus
        return int(self.child.exitstatus) if signal is None else 128 + int(signal)

    @property
    def text(self) -> str:
        """All that was shown, as a person reads it."""
        return plain(self.read)


@contextmanager
def terminal(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[Terminal]:
    """The program at a terminal of 100 columns, in this folder, its data in `home` there."""
    unset = {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    own = {"PEGWISE_HOME": str(folder / "home"), "TERM": "xterm-256color", "COLORTERM": ""}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "pegwise", *arguments],
        cwd=str(folder),
        env={**inherited, **own, **(environment or {})},
        dimensions=(40, 100),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    try:
        yield Terminal(child)
    finally:
        child.close(force=True)
