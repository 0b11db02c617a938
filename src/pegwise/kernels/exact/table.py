"""Hash keys of positions, and the transposition table that several threads share.

A position of the exact search is a set of candidates in canonical form with the guesses left. Its
key has 128 bits: two sums, modulo 2**64, of numbers drawn for each code. Two given positions that
differ have the same key with probability 2**-128 over the draw.

An entry is four words: the key, mixed with the data, and the data. Threads write without locks;
an entry that two of them wrote at once does not give back its key, and counts as absent (Hyatt
and Mann, A lockless transposition table implementation for parallel search, ICGA Journal 2002).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import bare

U64 = npt.NDArray[np.uint64]

Int: TypeAlias = Any
"""An integer of a kernel, Python's or NumPy's: type checkers know nothing common to both."""

WAYS: Final = 4
"""Neighboring slots where an entry may stand."""

NOT_FOUND: Final = -1

# SplitMix64 (Steele, Lea and Flood 2014), and two odd numbers to tie data to keys
_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_TIE_1: Final = np.uint64(0xD6E8FEB86659FD93)
_TIE_2: Final = np.uint64(0xA0761D6478BD642F)
_27: Final = np.uint64(27)
_29: Final = np.uint64(29)
_31: Final = np.uint64(31)
_32: Final = np.uint64(32)
_1: Final = np.uint64(1)


@bare
def mix(word: np.uint64) -> np.uint64:
    """A word whose every bit depends on every bit of the given one."""
    word = (word + _GAMMA) * _FIRST
    word ^= word >> _29
    word *= _SECOND
    word ^= word >> _31
    return word


def new_table(bits: Int) -> U64:
    """An empty table of 2**bits slots, 32 bytes each: uint64 (2**bits + WAYS - 1, 4)."""
    return np.zeros(((1 << bits) + WAYS - 1, 4), np.uint64)


@bare
def probe(table: U64, key1: np.uint64, key2: np.uint64) -> tuple[Int, bool, Int]:
    """What is known of a position.

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


@bare
def store(
    table: U64, key1: np.uint64, key2: np.uint64, cost: Int, exact: bool, guess: Int, size: Int
) -> None:
    """Keep the cost of a position, or a lower bound of it, over an entry that says less.

    Args:
        table: see `new_table`.
        key1: half of the key of the position.
        key2: the other half.
        cost: its cost or a lower bound of it.
        exact: whether it is the cost.
        guess: the best guess when exact, else -1.
        size: number of candidates, at least 1; of several entries the smallest position goes.
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
        here = np.int64(data2 & np.uint64(0xFFFFFFFF))
        if here < smallest:
            smallest = here
            victim = slot
    data1 = np.uint64(cost) << _1 | np.uint64(exact)
    data2 = np.uint64(guess + 1) << _32 | np.uint64(size)
    table[victim, 0] = key1 ^ data1 ^ data2 * _TIE_1
    table[victim, 1] = key2 ^ data2 ^ data1 * _TIE_2
    table[victim, 2] = data1
    table[victim, 3] = data2


@bare
def learn(table: U64, entries: U64) -> None:
    """Store entries of another table, of any size.

    Args:
        table: see `new_table`.
        entries: uint64 (n, 4), whole entries.
    """
    for row in range(len(entries)):
        data1 = entries[row, 2]
        data2 = entries[row, 3]
        key1 = entries[row, 0] ^ data1 ^ data2 * _TIE_1
        key2 = entries[row, 1] ^ data2 ^ data1 * _TIE_2
        cost, guess = np.int64(data1 >> _1), np.int64(data2 >> _32) - 1
        size = np.int64(data2 & np.uint64(0xFFFFFFFF))
        store(table, key1, key2, cost, data1 & _1 != np.uint64(0), guess, size)
