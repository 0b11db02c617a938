"""How commands are run in the tests, and what they end with."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Ended", "Run", "refused"]


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]


def refused(ended: Ended, status: int = 2) -> str:
    """The one sentence that a command was refused with."""
    assert ended.status == status
    assert ended.out == ""
    lines = ended.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("pegwise: ")
    return lines[0]
