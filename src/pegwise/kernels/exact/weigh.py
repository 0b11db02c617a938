"""What a set of candidates costs at least, by the parts that guesses make of it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pegwise.kernels.exact.board import Board, Work
from pegwise.kernels.exact.bounds import INFINITE, Bounds, weighted_after, weighted_least
from pegwise.kernels.exact.sets import count_parts
from pegwise.kernels.exact.table import Int, mix
from pegwise.kernels.jit import bare, inlined

I64 = npt.NDArray[np.int64]
U16 = npt.NDArray[np.uint16]

UNLIMITED: Final = 1 << 40
"""Guesses left when there is no limit; the depth of a search never changes that much."""

CANDIDATE: Final = np.uint16(1 << 15)
"""Set in the number of parts of a guess that is a candidate."""


@inlined
def salt(left: Int) -> np.uint64:
    """What is added to the key of a set for the guesses left."""
    return np.uint64(0) if left > UNLIMITED // 2 else mix(np.uint64(left))


@bare
def _sort_weights(work: Work, d: Int, offset: Int, size: Int) -> None:
    """Sums of the heaviest 0, 1, ... weights of a set, to `work.sums[d]`."""
    heap = work.sums[d, 1 : size + 1]
    for i in range(size):
        heap[i] = work.weights[d, offset + i]
    for root in range(size // 2 - 1, -1, -1):
        _sink(heap, root, size)
    for last in range(size - 1, 0, -1):
        heap[0], heap[last] = heap[last], heap[0]
        _sink(heap, 0, last)
    work.sums[d, 0] = 0
    for i in range(size):
        work.sums[d, i + 1] += work.sums[d, i]


@bare
def _sink(heap: I64, root: Int, count: Int) -> None:
    """Restore a heap, the smallest first, whose root may be too large (heap sort, descending)."""
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and heap[child + 1] < heap[child]:
            child += 1
        if heap[root] <= heap[child]:
            return
        heap[root], heap[child] = heap[child], heap[root]
        root = child


@bare
def largest_solvable(inside: Int, most: Int, left: Int, candidates_only: bool) -> Int:
    """Size of the largest set that might be solved in the guesses left."""
    if left > UNLIMITED // 2:
        return INFINITE
    capacity = np.int64(1)
    for _ in range(left - 1):
        after_own = 1 + (inside - 1) * capacity
        capacity = after_own if candidates_only else max(after_own, most * capacity)
        if capacity > INFINITE >> 20:
            return INFINITE
    return capacity if left > 0 else 0


@bare
def evaluate(
    board: Board,
    bounds: Bounds,
    work: Work,
    d: Int,
    offset: Int,
    size: Int,
    present: Int,
    left: Int,
) -> tuple[Int, bool, Int, Int, Int]:
    """Count the parts of all guesses, and bound the cost of a set from below.

    Args:
        board: the game.
        bounds: lower bounds.
        work: the set stands in `codes[d]`; `counts[d]` receives the numbers of parts.
        d: frame of the set.
        offset: where the set begins.
        size: number of its codes.
        present: number of its colors.
        left: guesses left.

    Returns:
        Lower bound, whether it is the cost, the best guess then, the most parts that a guess
        makes that is no candidate (of some subset at least), and one that is.
    """
    codes = work.codes[d, offset : offset + size]
    counts = work.counts[d]
    most = np.int64(0)
    if board.candidates_only:
        work.last_seen[:] = -1
        for i in range(size):
            row = board.by_guess[board.guess_of[codes[i]]]
            count = np.uint16(0)
            for code in codes:
                if work.last_seen[row[code]] != i:
                    work.last_seen[row[code]] = i
                    count += np.uint16(1)
            counts[board.guess_of[codes[i]]] = count
    else:
        most = count_parts(
            board.by_secret,
            board.by_guess,
            codes,
            board.usable[present],
            work.masks32,
            work.masks64,
            work.last_seen,
            counts,
        )
    inside = np.int64(0)
    own = np.int64(-1)
    own_weight = np.int64(0)
    for i in range(size):
        guess = board.guess_of[codes[i]]
        parts = np.int64(counts[guess])
        weight = work.weights[d, offset + i] if board.weighted else np.int64(0)
        if (
            parts > inside
            or (parts == inside and weight > own_weight)
            or (parts == inside and weight == own_weight and guess < own)
        ):
            inside, own, own_weight = parts, guess, weight
    if most <= inside and not board.symmetric and not board.candidates_only:
        most = _most_parts_outside(board, counts, codes)
    # another code of this set is no code of some subsets, and does not win there
    most = max(most, inside - 1)
    foreign = np.int64(-1)
    if most > inside and most >= size - 1:
        foreign = np.int64(0)
        while np.int64(counts[foreign]) != most:
            foreign += 1
    if board.weighted:
        _sort_weights(work, d, offset, size)
        sums = work.sums[d]
        if inside == size and left >= min(size, 2) and (own_weight == sums[1] or left == 2):
            return 2 * sums[size] - own_weight, True, own, most, inside
        if most == size and left == 2:
            return 2 * sums[size], True, foreign, most, inside
    else:
        if inside == size and left >= min(size, 2):
            return 2 * size - 1, True, own, most, inside
        if most == size and left >= 2:
            return 2 * size, True, foreign, most, inside
        if inside == size - 1 and left >= 3:
            return 2 * size, True, own, most, inside
        if most == size - 1 and left >= 3:
            return 2 * size + 1, True, foreign, most, inside
    if left <= 2 or size > largest_solvable(inside, most, left, board.candidates_only):
        return INFINITE, True, np.int64(-1), most, inside
    if board.weighted:
        any_parts = max(most, inside)
        least = weighted_after(work.sums[d], size, True, inside, any_parts)
        if not board.candidates_only:
            least = min(least, weighted_after(work.sums[d], size, False, most, any_parts))
    else:
        least = bounds.least[bounds.row[bounds.level[inside], bounds.level[most]], size]
    return least, False, np.int64(-1), most, inside


@bare
def _most_parts_outside(board: Board, counts: U16, codes: I64) -> Int:
    """Most parts of a guess that is none of the codes; `counts` is as it was afterwards."""
    most = np.int64(0)
    for code in codes:
        counts[board.guess_of[code]] |= CANDIDATE
    for guess in range(len(counts)):
        if counts[guess] < CANDIDATE:
            most = max(most, np.int64(counts[guess]))
    for code in codes:
        counts[board.guess_of[code]] &= CANDIDATE - np.uint16(1)
    return most


# Guesses weighed by the lower bounds of their parts, and kept in a heap, the best first.

U64 = npt.NDArray[np.uint64]


@inlined
def hint_of(hint_keys: U64, hints: I64, raw1: np.uint64, raw2: np.uint64) -> Int:
    """A lower bound kept for a part, 0 for none."""
    slot = np.int64(raw1 & np.uint64(len(hints) - 1))
    found = hint_keys[slot, 0] == raw1 and hint_keys[slot, 1] == raw2
    return hints[slot] if found else np.int64(0)


@inlined
def keep_hint(hint_keys: U64, hints: I64, raw1: np.uint64, raw2: np.uint64, cost: Int) -> None:
    """Keep a lower bound for a part, over whatever stood there."""
    slot = np.int64(raw1 & np.uint64(len(hints) - 1))
    hint_keys[slot, 0] = raw1
    hint_keys[slot, 1] = raw2
    hints[slot] = cost


@bare
def weigh(
    frame: Any,
    group: I64,
    least: Int,
    by_guess: Any,
    winning: Int,
    codes: I64,
    table: I64,
    terms: U64,
    sizes: I64,
    hashes: U64,
    hint_keys: U64,
    hints: I64,
    heap: I64,
) -> None:
    """Put the guesses of a group on the heap, but for those whose parts cost too much.

    Args:
        frame: FRAME.
        group: int64, the guesses.
        least: a lower bound on their costs.
        by_guess: (guesses, secrets), marks.
        winning: the winning mark.
        codes: int64 (n), the candidates.
        table: int64, lower bounds of parts by size.
        terms: uint64 (n, 2), terms of keys.
        sizes: int64 (marks), working space.
        hashes: uint64 (marks, 2), likewise.
        hint_keys: see `Work`.
        hints: likewise.
        heap: int64 (guesses, 4).
    """
    n = len(codes)
    extra = salt(frame.left - 1)
    best, capacity, floor, pending = frame.best, frame.capacity, frame.floor, frame.pending
    for guess in group:
        row = by_guess[guess]
        sizes[:] = 0
        for code in codes:
            sizes[row[code]] += 1
        is_candidate = sizes[winning]
        sizes[winning] = 0
        bound = np.int64(n)
        squares = np.int64(0)
        largest = np.int64(0)
        for size in sizes:
            bound += table[size]
            squares += size * size
            largest = max(largest, size)
        if largest > capacity or largest == n:
            continue
        bound = max(bound, least)
        if bound >= best:
            floor = min(floor, bound)
            continue
        for mark in range(len(sizes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = 0
        for i in range(n):
            mark = row[codes[i]]
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        better = bound
        for mark in range(len(sizes)):
            if sizes[mark] > 2:
                hint = hint_of(hint_keys, hints, hashes[mark, 0], hashes[mark, 1])
                better += max(hint - table[sizes[mark]], np.int64(0))
        if better >= best:
            floor = min(floor, better)
            continue
        _push(heap, pending, bound, squares * 2 - is_candidate, guess, better)
        pending += 1
    frame.floor = floor
    frame.pending = pending


@bare
def weigh_weighted(
    frame: Any,
    group: I64,
    least: Int,
    by_guess: Any,
    winning: Int,
    codes: I64,
    weights: I64,
    total: Int,
    terms: U64,
    histogram: I64,
    hashes: U64,
    hint_keys: U64,
    hints: I64,
    heap: I64,
) -> None:
    """The same with weights.

    Args:
        frame: FRAME.
        group: int64, the guesses.
        least: a lower bound on their costs.
        by_guess: (guesses, secrets), marks.
        winning: the winning mark.
        codes: int64 (n), the candidates.
        weights: int64 (n), their weights.
        total: sum of the weights.
        terms: uint64 (n, 2), terms of keys.
        histogram: int64 (marks, 3), working space: size, weight, heaviest weight.
        hashes: uint64 (marks, 2), working space.
        hint_keys: see `Work`.
        hints: likewise.
        heap: int64 (guesses, 4).
    """
    n = len(codes)
    extra = salt(frame.left - 1)
    lightest, most = frame.lightest, frame.most
    for guess in group:
        row = by_guess[guess]
        histogram[:] = 0
        for mark in range(len(hashes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = 0
        for i in range(n):
            mark = row[codes[i]]
            part = histogram[mark]
            part[0] += 1
            part[1] += weights[i]
            part[2] = max(part[2], weights[i])
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        is_candidate = histogram[winning, 0]
        histogram[winning, 0] = 0
        bound = total
        better = total
        squares = np.int64(0)
        largest = np.int64(0)
        for mark in range(len(hashes)):
            size = histogram[mark, 0]
            if size:
                cost = weighted_least(histogram[mark, 1], size, histogram[mark, 2], lightest, most)
                hint = hint_of(hint_keys, hints, hashes[mark, 0], hashes[mark, 1])
                bound += cost
                better += max(cost, hint)
                squares += size * size
                largest = max(largest, size)
        if largest > frame.capacity or largest == n:
            continue
        bound = max(bound, least)
        better = max(better, bound)
        if better >= frame.best:
            frame.floor = min(frame.floor, better)
            continue
        _push(heap, frame.pending, bound, squares * 2 - is_candidate, guess, better)
        frame.pending += 1


@bare
def _before(heap: I64, a: Int, b: Int) -> bool:
    for key in range(3):
        if heap[a, key] != heap[b, key]:
            return bool(heap[a, key] < heap[b, key])
    return False


@bare
def _swap(heap: I64, a: Int, b: Int) -> None:
    for key in range(4):
        heap[a, key], heap[b, key] = heap[b, key], heap[a, key]


@bare
def _push(heap: I64, count: Int, bound: Int, order: Int, guess: Int, better: Int) -> None:
    heap[count, 0] = bound
    heap[count, 1] = order
    heap[count, 2] = guess
    heap[count, 3] = better
    child = count
    while child > 0 and _before(heap, child, (child - 1) >> 1):
        _swap(heap, child, (child - 1) >> 1)
        child = (child - 1) >> 1


@bare
def drop_first(heap: I64, last: Int) -> None:
    """Take the first entry away; `last` is where the last one stands."""
    _swap(heap, 0, last)
    parent = 0
    while 2 * parent + 1 < last:
        child = 2 * parent + 1
        if child + 1 < last and _before(heap, child + 1, child):
            child += 1
        if not _before(heap, child, parent):
            break
        _swap(heap, child, parent)
        parent = child
