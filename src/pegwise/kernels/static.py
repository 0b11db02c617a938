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
"""Pairs with the fewest separators that a search looks at first."""

_MORE = 1024  # pairs that may be added to them, each of which has refuted a set
_LOOK = 32  # pairs of which the one with the fewest allowed separators is branched on

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


@part
def _together(marks: Any, pairs: I32, by: Int, chosen: I32, n: Int) -> Int:
    """The first pair that neither `by` nor the first n guesses chosen separate; -1 for none."""
    for k in range(len(pairs)):
        first, second = pairs[k, 0], pairs[k, 1]
        if by >= 0 and marks[by, first] != marks[by, second]:
            continue
        together = True
        for place in range(n):
            together &= marks[chosen[place], first] == marks[chosen[place], second]
        if together:
            return k
    return -1


@inlined
def _holds_none(bits: U64, numbers: I32, n: Int) -> bool:
    """Whether a set holds none of the first n numbers."""
    none = True
    for place in range(n):
        none &= _holds(bits, numbers[place]) == 0
    return none


@part
def _hardest(masks: U64, ranked: I32, chosen: I32, n: Int, opened: U64) -> Int:
    """The mask with the fewest allowed guesses, of the first with no guess chosen; -1 for none.

    The first n guesses of `chosen` are chosen; `opened` are bits of those that are allowed.
    """
    best, fewest, looked = -1, 1 << 62, 0
    for k in ranked:
        if not _holds_none(masks[k], chosen, n):
            continue
        size = 0
        for word in range(len(opened)):
            size += popcount(masks[k, word] & opened[word])
        if size < fewest:
            best, fewest = k, size
        looked += 1
        if looked == _LOOK:
            break
    return best


@inlined
def _intersect(bits: U64, mask: U64) -> bool:
    """Keep the elements of a set that a mask has too; whether there are any."""
    some = np.uint64(0)
    for word in range(len(bits)):
        bits[word] &= mask[word]
        some |= bits[word]
    return bool(some != 0)


@kernel
def exhaust(
    marks: Any, planes: U64, pairs: I32, by: Int, allowed: U64, chosen: I32, tried: I64, stop: I64
) -> Int:
    """Whether some guesses separate all pairs: `FOUND`, `REFUTED`, or `STOPPED` when told so.

    One of the hardest pairs is chosen, and each of its separators is tried. A separator that has
    been refuted is allowed no more beside those tried after it, so that no set is tried twice. For
    the last guess the separators of the pairs that are not separated yet are intersected, first of
    those that have soon refuted other sets. A guess that the hardest pairs leave is checked with
    all pairs; the first one that it does not separate is added to the hardest.

    Args:
        marks: (guesses, secrets), marks by number.
        planes: as `bit_planes` makes them.
        pairs: int32 (n, 2), not separated by the guesses before, but some perhaps by `by`.
        by: one more guess; -1 for none.
        allowed: uint64 (words), guesses that may be taken.
        chosen: int32 (m), m from 2; receives the guesses, -1 where fewer are enough.
        tried: int64 (1), to which the number of sets tried is added.
        stop: int64 (1), with something else than 0 as soon as the search is to stop.
    """
    words = len(allowed)
    levels = len(chosen) - 1
    most = HARDEST + _MORE
    # the last row holds a mask that is used once, when there is no room for more
    masks = np.empty((most + 1, words), np.uint64)
    n = hardest_pairs(marks, planes, pairs, by, allowed, masks[:HARDEST])
    sizes = np.empty(n, np.int64)
    for k in range(n):
        sizes[k] = _count(masks[k])
    ranked = np.empty(most, np.int32)  # masks, those with the fewest guesses first
    ranked[:n] = np.argsort(sizes, kind="mergesort")
    order = ranked.copy()  # masks, those first that have soon refuted sets
    chain = np.empty(most, np.int32)  # masks of `order` that hold no guess chosen
    places = np.empty(most, np.int32)  # where they stand in `order`
    length = 0
    opened = np.empty((levels, words), np.uint64)
    untried = np.empty((levels, words), np.uint64)
    last = np.empty(words, np.uint64)
    opened[0] = allowed
    d = 0
    entering = True
    while d >= 0:
        final = d == levels - 1
        if entering:
            if stop[0] != 0:
                return STOPPED
            entering = False
            best = _hardest(masks, ranked[:n], chosen, d, opened[d])
            if best < 0:
                pair = _together(marks, pairs, by, chosen, d)
                if pair < 0:
                    chosen[d:] = -1
                    return FOUND
                best = n
                _separators(planes, pairs[pair, 0], pairs[pair, 1], allowed, masks[n])
                if n < most:
                    ranked[n] = order[n] = n
                    n += 1
            untried[d] = masks[best] & opened[d]
            length = 0
            for place in range(n if final else 0):
                if _holds_none(masks[order[place]], chosen, d):
                    chain[length] = order[place]
                    places[length] = place
                    length += 1
        guess = _lowest(untried[d])
        if guess < 0:
            for k in range(length):
                order[places[k]] = chain[k]
            length = 0
            d -= 1
            continue
        bit = _ONE << np.uint64(guess & 63)
        untried[d, guess >> 6] ^= bit
        opened[d, guess >> 6] ^= bit
        tried[0] += 1
        chosen[d] = guess
        if not final:
            opened[d + 1] = opened[d]
            d += 1
            entering = True
            continue
        last[:] = opened[d]
        possible = True
        for k in range(length):
            number = chain[k]
            if _holds(masks[number], guess) == 0:
                possible = _intersect(last, masks[number])
                if not possible:
                    chain[k], chain[k // 2] = chain[k // 2], number
                    break
        while possible:
            chosen[d + 1] = _lowest(last)
            pair = _together(marks, pairs, by, chosen, d + 2 if chosen[d + 1] >= 0 else d + 1)
            if pair < 0:
                return FOUND
            _separators(planes, pairs[pair, 0], pairs[pair, 1], allowed, masks[n])
            possible = _intersect(last, masks[n])
            if n < most:
                ranked[n] = order[n] = chain[length] = places[length] = n
                chain[length], chain[length // 2] = chain[length // 2], n
                length += 1
                n += 1
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
