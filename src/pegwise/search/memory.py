"""How much memory is free on this machine, how much is taken, and how large tables may be."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.errors import TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.game.game import MAX_TABLE

__all__ = [
    "available_memory",
    "check_memory",
    "peak_memory",
    "search_memory",
    "static_memory",
    "table_bits_for",
    "table_room",
    "taken_memory",
    "value_memory",
]

_SHARE: Final = 0.6
"""How much of the free memory tables of marks may take."""

_BASE: Final = 192 << 20
"""Bytes of a process that searches, before any table."""

_ENTRY: Final = 32
"""Bytes of an entry in a table of what a search has found."""

_MOST_ENTRIES: Final = 22
"""Bits of the number of entries in the largest of these tables."""

_PAIR: Final = 8
"""Bytes of a pair of secrets."""

_COUNT: Final = 4
"""Bytes more while pairs are sorted by how many guesses separate them."""


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


def search_memory(game: Game, *, effort: bool = False) -> int:
    """Bytes that a search for the best tree of a game takes, with kernels compiled, estimated.

    What it has found is held twice while a checkpoint is written.

    Args:
        game: what is played.
        effort: whether a good tree is wanted, without proof.
    """
    bits = _MOST_ENTRIES if effort else table_bits_for(game.n_secrets)
    return _BASE + 2 * (_ENTRY << bits) + _marks(game)


def table_bits_for(n_secrets: int) -> int:
    """Bits of the number of entries in the table of an exact search of so many secrets."""
    return 16 if n_secrets < 1500 else 20 if n_secrets < 5000 else _MOST_ENTRIES


def value_memory(game: Game) -> int:
    """Bytes that a search for the value of a game takes, with kernels compiled, estimated.

    Raises:
        TooLargeError: the game is too large to search.
    """
    from pegwise.search.value_response import check_size

    check_size(game)
    return search_memory(game)


def static_memory(game: Game) -> int:
    """Bytes that a search for a smallest fixed set takes, with kernels compiled, estimated.

    Pairs of secrets weigh most: all, and three times those that one guess leaves.

    Raises:
        TooLargeError: the game is too large to search.
    """
    from pegwise.search.static_search import MAX_EXHAUSTED, check_size

    check_size(game)
    n, table = game.n_secrets, game.n_guesses * game.n_secrets
    if n > MAX_EXHAUSTED:
        return _BASE + table
    planes = table * max(1, (game.n_marks - 1).bit_length()) // 8
    pairs = n * (n - 1) // 2
    alike = np.bincount(game.marks(0)).astype(np.int64)
    left = int((alike * (alike - 1) // 2).sum())
    return _BASE + table + planes + _PAIR * pairs + max(_COUNT * pairs, 3 * _PAIR * left)


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
