"""How much memory is free on this machine, how much is taken, and how large tables may be."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from pegwise.errors import TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.game.game import MAX_TABLE

__all__ = [
    "available_memory",
    "check_memory",
    "peak_memory",
    "search_memory",
    "table_room",
    "taken_memory",
]

_SHARE: Final = 0.6
"""How much of the free memory tables of marks may take."""

_BASE: Final = 192 << 20
"""Bytes of a process that searches, before any table."""

_FOUND: Final = 32 << 22
"""Bytes that a search notes at most of what it has found."""


def taken_memory() -> int | None:
    """Bytes that this process and its children hold, None where the system does not tell."""
    try:
        taken = _held("self")
        for task in Path("/proc/self/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                with suppress(OSError):  # it has ended
                    taken += _held(child)
    except (OSError, ValueError, IndexError):
        return None
    return taken


def _held(process: str) -> int:
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def peak_memory() -> int:
    """Most bytes that this process has held so far, 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def search_memory(game: Game) -> int:
    """Bytes that a search for the best tree of a game takes, estimated."""
    return _BASE + _FOUND + _marks(game)


def _marks(game: Game) -> int:
    """Bytes of the marks of every guess for every secret, in the order of either."""
    lists = 1 if isinstance(game, Mastermind) and game.n_guesses == game.n_secrets else 2
    return lists * game.n_guesses * game.n_secrets


def available_memory() -> int | None:
    """Bytes of memory that are free on this machine, None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def table_room() -> int:
    """Bytes that a table of marks may take."""
    free = available_memory()
    return MAX_TABLE if free is None else int(free * _SHARE)


def check_memory(game: Game) -> None:
    """Refuse a game whose tables would not fit."""
    needed = _marks(game)
    most = table_room()
    if needed > most:
        raise TooLargeError(
            "{game}: the marks of {n_guesses} guesses for {n_secrets} secrets need {needed:.1f} "
            "GB of memory, and at most {most:.1f} GB may be taken on this machine",
            game=game.name,
            n_guesses=game.n_guesses,
            n_secrets=game.n_secrets,
            needed=needed / 1e9,
            most=most / 1e9,
        )
