"""Pairs of secrets that guesses must separate: bit planes, the hardest pairs, a pool of them.

Two secrets are *separated* by a guess that gets different marks from them. Sets of guesses are bits
in 64-bit words, bit g of word g // 64; the separators of a pair come out of bit planes of the
marks, a few words at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.kernels.jit import Int, inlined, kernel, popcount, subkernel

HARDEST = 1024
"""Pairs with the fewest separators that a search looks at first."""

PAIRS = 4096
"""Pairs in a pool, a multiple of 64."""

_ONE = np.uint64(1)


def bit_planes(marks: Any, words: int) -> U64:
    """Marks, (guesses, secrets), as bits: uint64 (secrets, bits of a mark, words).

    Bit g of plane k of a secret is bit k of the mark of guess g.
    """
    bits = max(1, int(marks.max()).bit_length())
    planes = np.zeros((marks.shape[1], bits, 8 * words), np.uint8)
    for plane in range(bits):
        packed = np.packbits(marks.T >> plane & 1, axis=1, bitorder="little")
        planes[:, plane, : packed.shape[1]] = packed
    return planes.view(np.uint64)


@inlined
def _separators(planes: U64, first: Int, second: Int, among: U64, out: U64) -> None:
    """Write to `out` which of the guesses `among` separate two secrets."""
    for word in range(len(among)):
        different = planes[first, 0, word] ^ planes[second, 0, word]
        for plane in range(1, planes.shape[1]):
            different |= planes[first, plane, word] ^ planes[second, plane, word]
        out[word] = different & among[word]


@inlined
def _count(bits: U64) -> Int:
    """Number of elements of a set."""
    total = 0
    for word in range(len(bits)):
        total += popcount(bits[word])
    return total


@kernel
def sort_pairs(planes: U64, allowed: U64, pairs: I32) -> None:
    """Write all pairs of secrets, int32 (n, 2), those with the fewest allowed separators first."""
    n = len(planes)
    counts = np.empty(len(pairs), np.int32)
    separators = np.empty_like(allowed)
    starts = np.zeros(64 * len(allowed) + 2, np.int64)
    pair = 0
    for first in range(n):
        for second in range(first + 1, n):
            _separators(planes, first, second, allowed, separators)
            counts[pair] = _count(separators)
            starts[counts[pair] + 1] += 1
            pair += 1
    for k in range(1, len(starts)):
        starts[k] += starts[k - 1]
    pair = 0
    for first in range(n):
        for second in range(first + 1, n):
            place = starts[counts[pair]]
            starts[counts[pair]] += 1
            pairs[place, 0] = first
            pairs[place, 1] = second
            pair += 1


@kernel
def drop_separated(marks: Any, guess: Int, pairs: I32, out: I32) -> Int:
    """Copy the pairs that a guess does not separate, in their order; returns how many."""
    row = marks[guess]
    count = 0
    for k in range(len(pairs)):
        first, second = pairs[k, 0], pairs[k, 1]
        out[count, 0] = first
        out[count, 1] = second
        count += row[first] == row[second]
    return count


@kernel
def hardest_pairs(planes: U64, pairs: I32, allowed: U64, masks: U64) -> Int:
    """Write the allowed separators of the first pairs to `masks`, (most, words).

    Returns how many are written.
    """
    count = min(len(pairs), len(masks))
    for k in range(count):
        _separators(planes, pairs[k, 0], pairs[k, 1], allowed, masks[k])
    return count


class HardPairs(NamedTuple):
    """Pairs of secrets that sets must separate; a search adds those that have refuted a set."""

    separators: U64  # (pairs, words), the guesses that separate a pair
    together: U64  # (64 * words, pairs // 64), the pairs that a guess does not separate
    written: I64  # (1), how many pairs were written; when there is no room the oldest goes
    places: I32  # (secrets * marks, a power of two), -1 between two uses


@inlined
def first_bit(word: Any) -> Int:
    """The lowest bit that is set in a word other than 0."""
    return popcount((word & (~word + _ONE)) - _ONE)


def new_pool(planes: U64, pairs: I32) -> HardPairs:
    """A pool that holds some pairs, int32 (n, 2)."""
    secrets, bits, words = planes.shape
    pool = HardPairs(
        np.zeros((PAIRS, words), np.uint64),
        np.zeros((64 * words, PAIRS // 64), np.uint64),
        np.zeros(1, np.int64),
        np.full(secrets << bits, -1, np.int32),
    )
    fill_pool(planes, pairs, pool)
    return pool


@kernel
def fill_pool(planes: U64, pairs: I32, pool: HardPairs) -> None:
    """Add pairs, int32 (n, 2), to a pool."""
    for k in range(len(pairs)):
        add_pair(planes, pairs[k, 0], pairs[k, 1], pool)


@subkernel
def add_pair(planes: U64, first: Int, second: Int, pool: HardPairs) -> Int:
    """Write a pair to a pool; returns its number."""
    number = pool.written[0] % len(pool.separators)
    pool.written[0] += 1
    place, bit = number >> 6, np.uint64(number & 63)
    for word in range(planes.shape[2]):
        different = planes[first, 0, word] ^ planes[second, 0, word]
        for plane in range(1, planes.shape[1]):
            different |= planes[first, plane, word] ^ planes[second, plane, word]
        pool.separators[number, word] = different
        for k in range(64):
            same = ~(different >> np.uint64(k)) & _ONE
            before = pool.together[64 * word + k, place] & ~(_ONE << bit)
            pool.together[64 * word + k, place] = before | same << bit
    return number
