"""The transposition table of an exact search, which grows as it fills up."""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.arrays import U64
from pegwise.compute.pool import spare_memory
from pegwise.kernels.exact import WAYS, learn, new_table

_GROWN: Final = 2  # bits more at a time
_MOST_BITS: Final = 24  # half a gigabyte
_SPARE: Final = 3  # times the larger table: a checkpoint copies it, and other work goes on


class TranspositionTable:
    """What searches know of sets of candidates, by the key of each.

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
