"""The transposition table of an exact search, which grows, and how much memory a search takes."""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.arrays import U64
from pegwise.compute.machine import available_memory, spare_memory
from pegwise.errors import TooLargeError
from pegwise.game import Game
from pegwise.game.game import MAX_TABLE
from pegwise.kernels.exact.table import WAYS, learn, new_table

_GROWN: Final = 2  # bits more at a time
_MOST_BITS: Final = 24  # half a gigabyte
_SPARE: Final = 3  # times the larger table: a checkpoint copies it, and other work goes on


class TranspositionTable:
    """Facts that searches have proven about sets of candidates, by the key of each.

    Kernels read and write `rows`, uint64 (2**bits + WAYS - 1, 4). Threads may share a table: what
    one of them stores while another lets the table grow may be lost, and is searched again.
    """

    def __init__(self, bits: int) -> None:
        self.rows: U64 = new_table(bits)
        self._entered = 0

    @property
    def bits(self) -> int:
        """The table has room for 2**bits entries of 32 bytes."""
        return (len(self.rows) - WAYS + 1).bit_length() - 1

    def entered(self, positions: int) -> None:
        """Count sets that a search has entered; grow if half of the table is full.

        It grows up to 2**24 entries while there is memory to spare. Full, it forgets the smallest
        sets.
        """
        self._entered += positions
        if self._entered < len(self.rows) // 4 or self.bits >= _MOST_BITS:
            return
        self._entered = 0
        if 2 * np.count_nonzero(self.rows[:, 3]) < len(self.rows):
            return
        bits = min(self.bits + _GROWN, _MOST_BITS)
        if spare_memory() < _SPARE * self.rows.nbytes << (bits - self.bits):
            return
        larger = new_table(bits)
        learn(larger, self.rows[self.rows[:, 3] != 0])
        self.rows = larger


# How much memory a search takes.

BASE_MEMORY: Final = 192 << 20  # bytes of a process that searches, before any table
_TABLE_SHARE: Final = 0.6  # how much of the free memory tables of marks may take
_ENTRY: Final = 32  # bytes of an entry of a transposition table
_LARGE_BITS: Final = 22  # the table of a large search begins with 2**22 entries


def search_memory(game: Game, *, beam: bool = False) -> int:
    """The bytes that an exact search takes, or a beam search, estimated.

    Kernels are compiled. The transposition table is copied while a checkpoint is written; it takes
    more, as it fills up, only where there is memory to spare.
    """
    bits = _LARGE_BITS if beam else table_bits_for(game.n_secrets)
    return BASE_MEMORY + 2 * (_ENTRY << bits) + _bytes_of_marks(game)


def table_bits_for(n_secrets: int) -> int:
    """Bits of the table of a game: an exact search begins with 2**bits entries."""
    return 16 if n_secrets < 1500 else 20 if n_secrets < 5000 else _LARGE_BITS


def free_for_marks() -> int:
    """Bytes that a table of marks may take on this machine."""
    free = available_memory()
    return MAX_TABLE if free is None else int(free * _TABLE_SHARE)


def check_memory(game: Game) -> None:
    """Refuse, by TooLargeError, a game whose tables take more memory than they may."""
    needed, most = _bytes_of_marks(game), free_for_marks()
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


def _bytes_of_marks(game: Game) -> int:
    return lists_of_marks(game) * game.n_guesses * game.n_secrets


def lists_of_marks(game: Game) -> int:
    """Whether marks are needed in the order of guesses and of secrets: 1 where these agree."""
    return 1 if game.board is not None and game.n_guesses == game.n_secrets else 2
