"""What a set of candidates costs at least, by the parts that guesses make of it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.kernels.exact_board import Board, Work
from pegwise.kernels.exact_bounds import INFINITE, Bounds, weighted_after
from pegwise.kernels.exact_parts import count_parts
from pegwise.kernels.exact_table import Int, mix
from pegwise.kernels.jit import bare, inlined

__all__ = ["CANDIDATE", "UNLIMITED", "evaluate", "largest_solvable", "salt"]

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
