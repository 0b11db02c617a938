"""Sets of guesses that separate all secrets: exhaustion of the last guesses, and local search.

A set of guesses tells all secrets apart if it separates every pair of them (see `kernels.pairs`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.kernels.jit import Int, inlined, kernel, popcount, subkernel
from pegwise.kernels.pairs import HardPairs, add_pair, first_bit

_WORD = 64  # pairs chosen whose bits are in one word of a sign
_CHOSEN = 2 * _WORD  # pairs of the pool that are chosen for two last guesses
_SAMPLE = 32  # couples of guesses that are looked at before pairs are chosen
_BLOCK = 64  # couples that are looked at together
_BUCKETS = 256  # of guesses, by the first eight pairs chosen

REFUTED, FOUND, STOPPED = 0, 1, 2

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)


@inlined
def _holds(bits: U64, number: Int) -> Int:
    """Whether a set holds a number."""
    return bits[number >> 6] >> np.uint64(number & 63) & _ONE


@inlined
def _lowest(bits: U64) -> Int:
    """The smallest element of a set, -1 if it has none."""
    lowest = -1
    for word in range(len(bits)):
        if bits[word] != 0:
            lowest = 64 * word + first_bit(bits[word])
            break
    return lowest


class _Room(NamedTuple):
    """Where the last two guesses of a set are worked out."""

    signs: U64  # (2, 64 * words), the chosen pairs that a guess does not separate
    refuting: U64  # (_SAMPLE, pairs // 64), the pairs that refute a couple of guesses
    counts: I32  # (pairs), how many of these couples a pair refutes
    guesses: I32  # (3, 64 * words + _BLOCK), first ones; second ones; those near a bucket
    starts: I64  # (2, _BUCKETS + 1), where the buckets of the first and second ones start
    near: U64  # (2, 64 * words + _BLOCK), the signs of those near a bucket
    labels: I32  # (2, secrets), classes of secrets that are not separated
    keys: I64  # (secrets)


@subkernel
def _fewest(pool: HardPairs, active: U64, opened: U64) -> Int:
    """The active pair with the fewest separators that are allowed; -1 if none is active."""
    best, fewest = -1, 1 << 62
    for place in range(len(active)):
        rest = active[place]
        while rest != 0:
            number = 64 * place + first_bit(rest)
            rest &= rest - _ONE
            size = 0
            for word in range(len(opened)):
                size += popcount(pool.separators[number, word] & opened[word])
            if size < fewest:
                best, fewest = number, size
    return best


@subkernel
def _members(bits: U64, out: I32) -> Int:
    """Write the elements of a set; returns how many."""
    count = 0
    for word in range(len(bits)):
        rest = bits[word]
        while rest != 0:
            out[count] = 64 * word + first_bit(rest)
            rest &= rest - _ONE
            count += 1
    return count


@subkernel
def _refuting(pool: HardPairs, active: U64, first: Int, second: Int, out: U64) -> bool:
    """Write the active pairs that two guesses do not separate; whether there are any."""
    some = np.uint64(0)
    for place in range(len(active)):
        out[place] = active[place] & pool.together[first, place] & pool.together[second, place]
        some |= out[place]
    return bool(some != 0)


@subkernel
def _count_pairs(refuting: U64, couple: Int, by: Int, counts: I32) -> None:
    """Add a number to the counts of the pairs that refute a couple."""
    for place in range(refuting.shape[1]):
        rest = refuting[couple, place]
        while rest != 0:
            counts[64 * place + first_bit(rest)] += by
            rest &= rest - _ONE


@subkernel
def _sign(pool: HardPairs, number: Int, bit: Int, signs: U64) -> None:
    """Write to bit number `bit` of the signs of all guesses whether they leave a pair together."""
    row, shift = bit // _WORD, np.uint64(bit % _WORD)
    for word in range(pool.separators.shape[1]):
        same = ~pool.separators[number, word]
        for k in range(64):
            signs[row, 64 * word + k] |= (same >> np.uint64(k) & _ONE) << shift


@subkernel
def _choose_pairs(pool: HardPairs, room: _Room, couples: Int, chosen: Int) -> Int:
    """Choose pairs until they refute all couples in the room; returns how many are chosen.

    Of the pairs that refute the first couple, the one that refutes the most is taken.
    """
    refuting, counts = room.refuting, room.counts
    counts[:] = 0
    for couple in range(couples):
        _count_pairs(refuting, couple, 1, counts)
    while couples > 0 and chosen < _CHOSEN:
        best = -1
        for place in range(refuting.shape[1]):
            rest = refuting[0, place]
            while rest != 0:
                number = 64 * place + first_bit(rest)
                rest &= rest - _ONE
                if best < 0 or counts[number] > counts[best]:
                    best = number
        _sign(pool, best, chosen, room.signs)
        chosen += 1
        more = 0
        for couple in range(couples):
            if refuting[couple, best >> 6] >> np.uint64(best & 63) & _ONE != 0:
                _count_pairs(refuting, couple, -1, counts)
            else:
                for place in range(refuting.shape[1]):
                    refuting[more, place] = refuting[couple, place]
                more += 1
        couples = more
    return chosen


@subkernel
def _sort_by_bucket(room: _Room, bits: U64, row: Int) -> None:
    """Write the elements of a set of guesses to a row, by bucket."""
    starts, out = room.starts, room.guesses
    for bucket in range(_BUCKETS + 1):
        starts[row, bucket] = 0
    count = _members(bits, room.guesses[2])
    for k in range(count):
        starts[row, room.signs[0, out[2, k]] & np.uint64(_BUCKETS - 1)] += 1
    for bucket in range(_BUCKETS):
        starts[row, bucket + 1] += starts[row, bucket]
    for k in range(count):
        # each start, now the end of its bucket, becomes the beginning
        place = room.signs[0, out[2, k]] & np.uint64(_BUCKETS - 1)
        starts[row, place] -= 1
        out[row, starts[row, place]] = out[2, k]


@subkernel
def _find_near(room: _Room, bucket: Int) -> Int:
    """Write the second guesses whose bucket does not rule them out; returns how many."""
    count = 0
    for second in range(_BUCKETS):
        if bucket & second == 0:
            for k in range(room.starts[1, second], room.starts[1, second + 1]):
                room.guesses[2, count] = room.guesses[1, k]
                count += 1
    return count


@subkernel
def _copy_signs(room: _Room, count: Int) -> None:
    """Write the signs of the near guesses, and full ones up to the end of a block."""
    for k in range(count):
        room.near[0, k] = room.signs[0, room.guesses[2, k]]
        room.near[1, k] = room.signs[1, room.guesses[2, k]]
    for k in range(count, -(-count // _BLOCK) * _BLOCK):
        room.near[0, k] = room.near[1, k] = _ALL


@inlined
def _some_disjoint(low: U64, high: U64, first: Any, second: Any) -> bool:
    """Whether the signs in a block have no bit in common with those of a guess, for some guess."""
    some = np.uint64(0)
    for k in range(_BLOCK):
        common = first & low[k] | second & high[k]
        some |= (common - _ONE) & ~common  # the highest bit is set only where nothing is common
    return bool(some >> np.uint64(63) != 0)


@subkernel
def _split(marks: Any, guess: Int, shift: Int, pool: HardPairs, room: _Room, row: Int) -> None:
    """Split the classes in the first row of labels by a guess; written to a row."""
    labels, places, keys = room.labels, pool.places, room.keys
    count = 0
    for secret in range(marks.shape[1]):
        key = np.int64(labels[0, secret]) << shift | np.int64(marks[guess, secret])
        if places[key] < 0:
            places[key] = count
            keys[count] = key
            count += 1
        labels[row, secret] = places[key]
    for k in range(count):
        places[keys[k]] = -1


@subkernel
def _label(
    marks: Any, before: I32, chosen: I32, n: Int, shift: Int, pool: HardPairs, room: _Room
) -> None:
    """Write the classes of secrets that `before` and the first n guesses chosen leave together."""
    for secret in range(marks.shape[1]):
        room.labels[0, secret] = 0
    for k in range(len(before)):
        _split(marks, before[k], shift, pool, room, 0)
    for k in range(n):
        _split(marks, chosen[k], shift, pool, room, 0)


@subkernel
def _alike(
    marks: Any, guess: Int, shift: Int, pool: HardPairs, room: _Room, row: Int
) -> tuple[int, int]:
    """Two secrets of one class, of a row of labels, with the same mark; -1 and -1 for none.

    With the guess -1 two secrets of one class.
    """
    labels, places = room.labels, pool.places
    first, second, end = -1, -1, marks.shape[1]
    for secret in range(marks.shape[1]):
        key = np.int64(labels[row, secret]) << shift
        if guess >= 0:
            key |= np.int64(marks[guess, secret])
        if places[key] >= 0:
            first, second, end = places[key], secret, secret
            break
        places[key] = secret
    for secret in range(end):
        key = np.int64(labels[row, secret]) << shift
        if guess >= 0:
            key |= np.int64(marks[guess, secret])
        places[key] = -1
    return first, second


@kernel
def _last_two(
    marks: Any,
    planes: U64,
    before: I32,
    pool: HardPairs,
    room: _Room,
    firsts: U64,
    opened: U64,
    active: U64,
    chosen: I32,
    tried: I64,
) -> bool:
    """Whether a guess of `firsts` and one of `opened` separate all pairs; they are chosen then.

    A couple of guesses is refuted by a pair that both leave together. A few pairs refute almost
    all: they are chosen from the pool by couples that those chosen before do not refute. The signs
    of two guesses that remain, bits of the chosen pairs, have no bit in common. Such couples are
    held against the pool, then against all secrets; a pair that refutes one joins the pool.
    """
    d: Int = len(chosen) - 2
    shift = planes.shape[1]
    signs, near, refuting = room.signs, room.near, room.refuting
    signs[:] = 0
    n_first, n_second = _members(firsts, room.guesses[0]), _members(opened, room.guesses[1])
    couples = 0
    for k in range(_SAMPLE if n_first > 0 else 0):
        first = room.guesses[0, k * n_first // _SAMPLE]
        second = room.guesses[1, (7919 * k + 31 * k * k) % n_second]
        couples += _refuting(pool, active[d], first, second, refuting[couples])
    pairs = _choose_pairs(pool, room, couples, 0)
    couples = 0
    _sort_by_bucket(room, firsts, 0)
    _sort_by_bucket(room, opened, 1)
    labelled = False
    for bucket in range(_BUCKETS):
        start, end = room.starts[0, bucket], room.starts[0, bucket + 1]
        count: Int = 0
        if start < end:
            count = _find_near(room, bucket)
            _copy_signs(room, count)
        for first in room.guesses[0, start:end]:
            tried[0] += 1
            opened[first >> 6] ^= _ONE << np.uint64(first & 63)
            split = False
            for block in range(0, count, _BLOCK):
                stop = block + _BLOCK
                low, high = near[0, block:stop], near[1, block:stop]
                if not _some_disjoint(low, high, signs[0, first], signs[1, first]):
                    continue
                for k in range(block, min(stop, count)):
                    if signs[0, first] & near[0, k] | signs[1, first] & near[1, k]:
                        continue
                    second = room.guesses[2, k]
                    if not _holds(opened, second):
                        continue
                    if not _refuting(pool, active[d], first, second, refuting[couples]):
                        if not labelled:
                            _label(marks, before, chosen, d, shift, pool, room)
                            labelled = True
                        if not split:
                            _split(marks, first, shift, pool, room, 1)
                            split = True
                        secret, twin = _alike(marks, second, shift, pool, room, 1)
                        if secret < 0:
                            chosen[d], chosen[d + 1] = first, second
                            return True
                        _activate(active, d, add_pair(planes, secret, twin, pool))
                        _refuting(pool, active[d], first, second, refuting[couples])
                    if pairs == _CHOSEN:
                        continue
                    couples += 1
                    if couples == _SAMPLE:
                        pairs = _choose_pairs(pool, room, couples, pairs)
                        couples = 0
                        _copy_signs(room, count)
    return False


@inlined
def _activate(active: U64, d: Int, number: Int) -> None:
    """Note that the first d guesses, and so fewer, do not separate a pair of the pool."""
    for level in range(d + 1):
        active[level, number >> 6] |= _ONE << np.uint64(number & 63)


@kernel
def exhaust(
    marks: Any,
    planes: U64,
    before: I32,
    allowed: U64,
    pool: HardPairs,
    chosen: I32,
    tried: I64,
    stop: I64,
) -> Int:
    """Whether some guesses separate all pairs: `FOUND`, `REFUTED`, or `STOPPED` when told so.

    A pair of the pool is chosen, the one with the fewest separators, and each of them is tried. A
    separator that has been refuted is allowed no more beside those tried after it, so that no set
    is tried twice. The last two guesses are chosen together.

    Args:
        marks: (guesses, secrets), marks by number.
        planes: as `bit_planes` makes them.
        before: int32 (n), guesses that every set holds.
        allowed: uint64 (words), guesses that may be added.
        pool: pairs, perhaps of earlier calls; the answer does not depend on them, the set may.
        chosen: int32 (m), m from 2; receives the guesses, -1 where fewer are enough.
        tried: int64 (1), to which the number of sets tried is added, without their last guess.
        stop: int64 (1), with something else than 0 as soon as the search is to stop.
    """
    words = len(allowed)
    levels = len(chosen) - 1
    shift = planes.shape[1]
    opened = np.empty((levels, words), np.uint64)
    untried = np.empty((levels, words), np.uint64)
    active = np.empty((levels, pool.together.shape[1]), np.uint64)
    guesses = 64 * words + _BLOCK
    room = _Room(
        np.empty((2, 64 * words), np.uint64),
        np.empty((_SAMPLE, pool.together.shape[1]), np.uint64),
        np.empty(len(pool.separators), np.int32),
        np.empty((3, guesses), np.int32),
        np.empty((2, _BUCKETS + 1), np.int64),
        np.empty((2, guesses), np.uint64),
        np.empty((2, marks.shape[1]), np.int32),
        np.empty(marks.shape[1], np.int64),
    )
    for place in range(active.shape[1]):
        count = min(64, max(0, pool.written[0] - 64 * place))
        active[0, place] = _ALL >> np.uint64(64 - count) if count > 0 else np.uint64(0)
        for guess in before:
            active[0, place] &= pool.together[guess, place]
    opened[0] = allowed
    d = 0
    entering = True
    while d >= 0:
        if entering:
            if stop[0] != 0:
                return STOPPED
            entering = False
            number = _fewest(pool, active[d], opened[d])
            if number < 0:
                _label(marks, before, chosen, d, shift, pool, room)
                first, second = _alike(marks, -1, shift, pool, room, 0)
                if first < 0:
                    chosen[d:] = -1
                    return FOUND
                number = add_pair(planes, first, second, pool)
                _activate(active, d, number)
            untried[d] = pool.separators[number] & opened[d]
            if d == levels - 1:
                if _last_two(
                    marks,
                    planes,
                    before,
                    pool,
                    room,
                    untried[d],
                    opened[d],
                    active,
                    chosen,
                    tried,
                ):
                    return FOUND
                untried[d] = 0
        guess = _lowest(untried[d])
        if guess < 0:
            d -= 1
            continue
        bit = _ONE << np.uint64(guess & 63)
        untried[d, guess >> 6] ^= bit
        opened[d, guess >> 6] ^= bit
        tried[0] += 1
        chosen[d] = guess
        opened[d + 1] = opened[d]
        for place in range(active.shape[1]):
            active[d + 1, place] = active[d, place] & pool.together[guess, place]
        d += 1
        entering = True
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
