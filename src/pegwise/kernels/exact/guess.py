"""Which guess to search next for a set of candidates.

Guesses come by (lower bound, sum of squared sizes of parts, candidates first, number). The bound
in that order depends on the set alone, so the guess that is found best does not depend on what
other threads or earlier searches have left in the tables: those only leave guesses out that
cannot be better.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.kernels.exact.board import (
    Board,
    Work,
    absent_in_order,
    is_first_of_class,
    keep_history,
)
from pegwise.kernels.exact.bounds import Bounds, spread, weighted_after
from pegwise.kernels.exact.table import Int, mix
from pegwise.kernels.exact.weigh import (
    CANDIDATE,
    drop_first,
    largest_solvable,
    weigh,
    weigh_weighted,
)
from pegwise.kernels.jit import bare, inlined

_NEVER: Final = 1 << 55


@bare
def begin_set(board: Board, bounds: Bounds, work: Work, d: Int, most: Int, inside: Int) -> None:
    """Make frame d ready for `next_guess`; `counts[d]` is fresh from `evaluate`."""
    frame = work.frames[d]
    offset, size = frame.offset, frame.size
    frame.best = frame.bound
    frame.guess = -1
    frame.floor = _NEVER
    frame.most = max(most, inside)
    frame.row = bounds.row[bounds.level[inside], bounds.level[most]]
    frame.next_inside = inside
    frame.next_any = 0 if board.candidates_only else most
    frame.pending = 0
    frame.tried = 0
    frame.lightest = 1
    frame.capacity = largest_solvable(inside, most, frame.left - 1, board.candidates_only)
    counts = work.counts[d]
    terms = work.terms[d]
    for i in range(size):
        code = work.codes[d, offset + i]
        counts[board.guess_of[code]] |= CANDIDATE
        if board.weighted:
            weight = mix(np.uint64(work.weights[d, offset + i]))
            terms[i, 0] = mix(board.draws[code, 0] ^ weight)
            terms[i, 1] = mix(board.draws[code, 1] ^ weight)
            if i == 0 or work.weights[d, offset + i] < frame.lightest:
                frame.lightest = work.weights[d, offset + i]
        else:
            terms[i, 0] = board.draws[code, 0]
            terms[i, 1] = board.draws[code, 1]
    keep_history(board, work, d)
    if d == 0 and board.first >= 0:
        frame.next_inside = 0
        frame.next_any = 0
        work.group[0] = board.first
        _weigh_group(board, bounds, work, d, 1, 0)


@inlined
def _weigh_group(board: Board, bounds: Bounds, work: Work, d: Int, count: Int, least: Int) -> None:
    """Weigh the first `count` guesses of `work.group`."""
    frame = work.frames[d]
    codes = work.codes[d, frame.offset : frame.offset + frame.size]
    work.counters[1] += count
    if board.weighted:
        weigh_weighted(
            frame,
            work.group[:count],
            least,
            board.by_guess,
            board.winning,
            codes,
            work.weights[d, frame.offset : frame.offset + frame.size],
            work.sums[d, frame.size],
            work.terms[d],
            work.histogram,
            work.hashes,
            work.hint_keys,
            work.hints,
            work.heap[d],
        )
    else:
        weigh(
            frame,
            work.group[:count],
            least,
            board.by_guess,
            board.winning,
            codes,
            bounds.least[frame.row],
            work.terms[d],
            work.sizes,
            work.hashes,
            work.hint_keys,
            work.hints,
            work.heap[d],
        )


@bare
def _after_unseen(board: Board, bounds: Bounds, work: Work, d: Int) -> tuple[Int, Int]:
    """Lower bounds on guesses not yet looked at: candidates, and others."""
    frame = work.frames[d]
    size = frame.size
    after_own = np.int64(_NEVER)
    after_any = np.int64(_NEVER)
    if board.weighted:
        sums = work.sums[d]
        if frame.next_inside >= 2:
            after_own = weighted_after(sums, size, True, frame.next_inside, frame.most)
        if frame.next_any >= 2:
            after_any = weighted_after(sums, size, False, frame.next_any, frame.most)
    else:
        minorant = bounds.minorant[frame.row]
        if frame.next_inside >= 2:
            after_own = size + spread(minorant, size - 1, frame.next_inside - 1)
        if frame.next_any >= 2:
            after_any = size + spread(minorant, size, frame.next_any)
    return after_own, after_any


@bare
def lower_bound(board: Board, bounds: Bounds, work: Work) -> Int:
    """A lower bound on the cost of the set at the bottom, while it is being searched."""
    frame = work.frames[0]
    after_own, after_any = _after_unseen(board, bounds, work, 0)
    least = min(frame.best, frame.floor, after_own, after_any)
    if frame.pending:
        least = min(least, work.heap[0, 0, 0])
    # the guess being searched
    if work.depth[0] > 0:
        least = min(least, frame.total)
    return least


@bare
def next_guess(board: Board, bounds: Bounds, work: Work, d: Int) -> Int:
    """The next guess of a set that may cost less than the best so far, -1 when there is none.

    Guesses are looked at by decreasing number of parts, only as far as they can still win.
    """
    frame = work.frames[d]
    while True:
        after_own, after_any = _after_unseen(board, bounds, work, d)
        unseen = min(after_own, after_any)
        top = work.heap[d, 0, 0] if frame.pending else np.int64(_NEVER)
        if min(unseen, top) >= frame.best:
            frame.floor = min(frame.floor, unseen, top)
            return -1
        if unseen <= top:
            own = after_own <= after_any
            count = _gather(board, work, d, own)
            _weigh_group(board, bounds, work, d, count, unseen)
            continue
        if board.width and frame.tried >= board.width and frame.size > board.narrow_from:
            return -1
        guess = work.heap[d, 0, 2]
        better = work.heap[d, 0, 3]
        frame.pending -= 1
        drop_first(work.heap[d], frame.pending)
        if better >= frame.best:
            frame.floor = min(frame.floor, better)
            continue
        frame.tried += 1
        return guess


@bare
def _gather(board: Board, work: Work, d: Int, own: bool) -> Int:
    """Write the next group of guesses to `work.group`; their number is returned.

    The group is all candidates, or all other guesses, that make some number of parts.
    """
    frame = work.frames[d]
    counts = work.counts[d]
    group = work.group
    count = 0
    if own:
        wanted = np.uint16(frame.next_inside) | CANDIDATE
        frame.next_inside -= 1
        for i in range(frame.offset, frame.offset + frame.size):
            guess = board.guess_of[work.codes[d, i]]
            if counts[guess] == wanted and (
                frame.symmetries == 0 or is_first_of_class(board, work, d, guess)
            ):
                group[count] = guess
                count += 1
        return count
    wanted = np.uint16(frame.next_any)
    frame.next_any -= 1
    order_absent = board.symmetric and board.symmetry.distinct
    for guess in range(board.usable[frame.present]):
        if (
            counts[guess] == wanted
            and (not order_absent or absent_in_order(board, guess, frame.present))
            and (frame.symmetries == 0 or is_first_of_class(board, work, d, guess))
        ):
            group[count] = guess
            count += 1
    return count
