"""How much memory is free on this machine, and how large tables may be."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from pegwise.errors import TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.game.game import MAX_TABLE

__all__ = ["available_memory", "check_memory", "table_room"]

_SHARE: Final = 0.6
"""How much of the free memory tables of marks may take."""


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
    lists = 1 if isinstance(game, Mastermind) and game.n_guesses == game.n_secrets else 2
    needed = lists * game.n_guesses * game.n_secrets
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
