"""Sets of guesses that separate all secrets: exhaustion of the last guesses, and local search.

Two secrets are *separated* by a guess that gets different marks from them. A set of guesses tells
all secrets apart if it separates every pair. Sets of guesses are bits in 64-bit words, bit g of
word g // 64; the separators of a pair come out of bit planes of the marks, a few words at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.kernels.jit import Int, inlined, kernel, part, popcount

HARDEST = 1024
"""Pairs that are looked at to choose the one to separate next. On 4x6 64 of them take eight times
longer, 2048 twice."""

REFUTED, FOUND, STOPPED = 0, 1, 2

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
def _holds(bits: U64, number: Int) -> Int:
    """Whether a set holds a number."""
    return bits[number >> 6] >> np.uint64(number & 63) & _ONE


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
def hardest_pairs(marks: Any, planes: U64, pairs: I32, by: Int, allowed: U64, masks: U64) -> Int:
    """Write the allowed separators of the first pairs that are left to `masks`, (most, words).

    The pairs are those that the guess `by`, or none (-1), does not separate; how many are written
    is returned.
    """
    count = 0
    for k in range(len(pairs)):
        first, second = pairs[k, 0], pairs[k, 1]
        if by >= 0 and marks[by, first] != marks[by, second]:
            continue
        _separators(planes, first, second, allowed, masks[count])
        count += 1
        if count == len(masks):
            break
    return count


@part
def _fewest(masks: U64, count: Int) -> Int:
    """The mask with the fewest elements; -1 if one has none."""
    best, fewest = 0, 1 << 62
    for k in range(count):
        size = _count(masks[k])
        if size < fewest:
            best, fewest = k, size
    return best if fewest > 0 else -1


@part
def _last_guess(
    marks: Any, planes: U64, pairs: I32, by: Int, guess: Int, masks: U64, last: U64
) -> Int:
    """A guess of `last` that separates every pair that two others do not; -1 if there is none.

    The masks are separators of the first pairs that `by` does not separate: fewer than `HARDEST`
    are all there are. `last` is overwritten.
    """
    some = _ONE
    for k in range(len(masks)):
        if _holds(masks[k], guess) == 0:
            some = np.uint64(0)
            for word in range(len(last)):
                last[word] &= masks[k, word]
                some |= last[word]
            if some == 0:
                return -1
    if len(masks) == HARDEST:
        for k in range(len(pairs)):
            first, second = pairs[k, 0], pairs[k, 1]
            if marks[guess, first] != marks[guess, second]:
                continue
            if by >= 0 and marks[by, first] != marks[by, second]:
                continue
            _separators(planes, first, second, last, last)
            some = np.uint64(0)
            for word in range(len(last)):
                some |= last[word]
            if some == 0:
                return -1
    return _lowest(last)


@inlined
def _lowest(bits: U64) -> Int:
    """The smallest element of a set, -1 if it has none."""
    lowest = -1
    for word in range(len(bits)):
        if bits[word] != 0:
            low = bits[word] & (~bits[word] + _ONE)
            lowest = 64 * word + popcount(low - _ONE)
            break
    return lowest


@kernel
def exhaust(
    marks: Any, planes: U64, pairs: I32, by: Int, allowed: U64, chosen: I32, tried: I64, stop: I64
) -> Int:
    """Whether some guesses separate all pairs: `FOUND`, `REFUTED`, or `STOPPED` when told so.

    One of the hardest pairs is chosen, and each of its separators is tried. A separator that has
    been refuted is allowed no more beside those tried after it, so that no set is tried twice.

    Args:
        marks: (guesses, secrets), marks by number.
        planes: as `bit_planes` makes them.
        pairs: int32 (n, 2), not separated by the guesses before, but some perhaps by `by`.
        by: one more guess; -1 for none, as always with more than two guesses to find.
        allowed: uint64 (words), guesses that may be taken.
        chosen: int32 (m), m from 2; receives the guesses, -1 where fewer are enough.
        tried: int64 (1), to which the number of sets tried is added.
        stop: int64 (1), with something else than 0 as soon as the search is to stop.
    """
    words = len(allowed)
    levels = len(chosen) - 1
    masks = np.empty((levels, HARDEST, words), np.uint64)
    counts = np.zeros(levels, np.int64)
    opened = np.empty((levels, words), np.uint64)
    untried = np.empty((levels, words), np.uint64)
    lengths = np.zeros(levels, np.int64)
    # the pairs of the last level are not copied: a guess leaves them out where they stand
    copied = np.empty((max(levels - 1, 1), len(pairs) if levels > 2 else 0, 2), np.int32)
    last = np.empty(words, np.uint64)
    opened[0] = allowed
    lengths[0] = len(pairs)
    d = 0
    entering = True
    while d >= 0:
        final = d == levels - 1
        listed = d - 1 if final and d > 0 else d
        without = by if levels == 1 else chosen[d - 1] if final else -1
        own = copied[listed, : lengths[listed]] if listed > 0 else pairs
        if entering:
            if stop[0] != 0:
                return STOPPED
            entering = False
            counts[d] = hardest_pairs(marks, planes, own, without, opened[d], masks[d])
            if counts[d] == 0:
                chosen[d:] = -1
                return FOUND
            best = _fewest(masks[d], counts[d])
            if best < 0:
                d -= 1
                continue
            untried[d] = masks[d, best]
        guess = _lowest(untried[d])
        if guess < 0:
            d -= 1
            continue
        bit = _ONE << np.uint64(guess & 63)
        untried[d, guess >> 6] ^= bit
        opened[d, guess >> 6] ^= bit
        tried[0] += 1
        chosen[d] = guess
        if not final:
            opened[d + 1] = opened[d]
            if d + 1 < levels - 1:
                lengths[d + 1] = drop_separated(marks, guess, own, copied[d + 1])
            d += 1
            entering = True
            continue
        last[:] = opened[d]
        some = masks[d, : counts[d]]
        chosen[d + 1] = _last_guess(marks, planes, own, without, guess, some, last)
        if chosen[d + 1] >= 0:
            return FOUND
    chosen[:] = -1
    return REFUTED


@kernel
def pairs_left(marks: Any, which: I32, members: I32, starts: I64, n_marks: int, out: I64) -> None:
    """Write how many pairs of each class the guesses `which` would leave together, summed up.

    `members` are secrets, int32 (n), class by class; `starts` is where each class begins, and n.
    """
    sizes = np.zeros(n_marks, np.int64)
    for k in range(len(which)):
        row = marks[which[k]]
        total = 0
        for label in range(len(starts) - 1):
            # a secret makes a new pair with each of its mark before it
            for place in range(starts[label], starts[label + 1]):
                number = row[members[place]]
                total += sizes[number]
                sizes[number] += 1
            for place in range(starts[label], starts[label + 1]):
                sizes[row[members[place]]] = 0
        out[k] = total
