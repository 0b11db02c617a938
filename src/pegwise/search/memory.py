"""How much memory searches take, and how large their tables may be."""

from __future__ import annotations

from typing import Final

from pegwise.compute.memory import available_memory
from pegwise.errors import TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.game.game import MAX_TABLE

_SHARE: Final = 0.6
"""How much of the free memory tables of marks may take."""

BASE: Final = 192 << 20
"""Bytes of a process that searches, before any table."""

_ENTRY: Final = 32
"""Bytes of an entry in a table of what a search has found."""

_MOST_ENTRIES: Final = 22
"""Bits of the number of entries in the largest of these tables."""


def search_memory(game: Game, *, effort: bool = False) -> int:
    """Bytes that a search for the best tree of a game takes, with kernels compiled, estimated.

    What it has found is held twice while a checkpoint is written.

    Args:
        game: what is played.
        effort: whether a good tree is wanted, without proof.
    """
    bits = _MOST_ENTRIES if effort else table_bits_for(game.n_secrets)
    return BASE + 2 * (_ENTRY << bits) + _marks(game)


def table_bits_for(n_secrets: int) -> int:
    """Bits of the number of entries in the table of an exact search of so many secrets."""
    return 16 if n_secrets < 1500 else 20 if n_secrets < 5000 else _MOST_ENTRIES


def _marks(game: Game) -> int:
    """Bytes of the marks of every guess for every secret, in the order of either."""
    lists = 1 if isinstance(game, Mastermind) and game.n_guesses == game.n_secrets else 2
    return lists * game.n_guesses * game.n_secrets


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
