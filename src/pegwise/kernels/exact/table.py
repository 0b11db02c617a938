"""The transposition table of the exact search."""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.arrays import U64
from pegwise.kernels.jit import Int, kernel_without_counts

WAYS: Final = 4
"""Neighboring slots where an entry may stand."""

NOT_FOUND: Final = -1

_TIE_1: Final = np.uint64(0xD6E8FEB86659FD93)
_TIE_2: Final = np.uint64(0xA0761D6478BD642F)
_32: Final = np.uint64(32)
_1: Final = np.uint64(1)


def new_table(bits: Int) -> U64:
    """An empty table of 2**bits slots, 32 bytes each: uint64 (2**bits + WAYS - 1, 4)."""
    return np.zeros(((1 << bits) + WAYS - 1, 4), np.uint64)


@kernel_without_counts
def probe(table: U64, key1: np.uint64, key2: np.uint64) -> tuple[Int, bool, Int]:
    """The value of a position, or bounds of it, as far as it is searched.

    Returns:
        Its cost or a lower bound of it (`NOT_FOUND` when absent), whether that is the cost, and
        the best guess then.
    """
    start = np.int64(key1 & np.uint64(len(table) - WAYS))
    for slot in range(start, start + WAYS):
        data1 = table[slot, 2]
        data2 = table[slot, 3]
        if (
            table[slot, 0] ^ data1 ^ data2 * _TIE_1 == key1
            and table[slot, 1] ^ data2 ^ data1 * _TIE_2 == key2
            and data2 != np.uint64(0)
        ):
            return np.int64(data1 >> _1), data1 & _1 != np.uint64(0), np.int64(data2 >> _32) - 1
    return NOT_FOUND, False, -1


@kernel_without_counts
def store(
    table: U64, key1: np.uint64, key2: np.uint64, cost: Int, exact: bool, guess: Int, size: Int
) -> None:
    """Keep the cost of a position, or a lower bound of it, over an entry that says less.

    The guess is the best one of an exact cost, else -1. The size, at least 1, is the number of
    candidates: of several entries the smallest position goes.
    """
    start = np.int64(key1 & np.uint64(len(table) - WAYS))
    victim: Int = start
    smallest = np.int64(1) << 62
    for slot in range(start, start + WAYS):
        data1 = table[slot, 2]
        data2 = table[slot, 3]
        same1 = table[slot, 0] ^ data1 ^ data2 * _TIE_1 == key1
        same2 = table[slot, 1] ^ data2 ^ data1 * _TIE_2 == key2
        if same1 and same2 and data2 != np.uint64(0):
            if data1 & _1 != np.uint64(0) or (not exact and np.int64(data1 >> _1) >= cost):
                return
            victim = slot
            break
        entry_size = np.int64(data2 & np.uint64(0xFFFFFFFF))
        if entry_size < smallest:
            smallest = entry_size
            victim = slot
    data1 = np.uint64(cost) << _1 | np.uint64(exact)
    data2 = np.uint64(guess + 1) << _32 | np.uint64(size)
    table[victim, 0] = key1 ^ data1 ^ data2 * _TIE_1
    table[victim, 1] = key2 ^ data2 ^ data1 * _TIE_2
    table[victim, 2] = data1
    table[victim, 3] = data2


@kernel_without_counts
def learn(table: U64, entries: U64) -> None:
    """Store whole entries of another table, uint64 (n, 4), of any size."""
    for row in range(len(entries)):
        data1 = entries[row, 2]
        data2 = entries[row, 3]
        key1 = entries[row, 0] ^ data1 ^ data2 * _TIE_1
        key2 = entries[row, 1] ^ data2 ^ data1 * _TIE_2
        cost, guess = np.int64(data1 >> _1), np.int64(data2 >> _32) - 1
        size = np.int64(data2 & np.uint64(0xFFFFFFFF))
        store(table, key1, key2, cost, data1 & _1 != np.uint64(0), guess, size)
