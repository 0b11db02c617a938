"""Which guess to search next for a set of candidates.

Guesses come by (lower bound, sum of squared sizes of parts, candidates first, number). The bound
in that order depends on the set alone, so the guess that is found best does not depend on what
other threads or earlier searches have left in the tables: those only leave guesses out that
cannot be better.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pegwise.arrays import I64
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import (
    CANDIDATE,
    Bounds,
    labeled_after,
    largest_solvable,
    salt,
    spread,
    turn_of,
    weighted_after,
)
from pegwise.kernels.exact.hard import key_of_required, require
from pegwise.kernels.exact.symmetries import find_symmetries, is_first_of_class
from pegwise.kernels.exact.work import Work
from pegwise.kernels.jit import Int, inlined, kernel_without_counts, mix, subkernel

_NEVER: Final = 1 << 55

_SOLVED: Final = 12
"""The largest sets that are solved exactly whatever the width."""

_FIRST_GUESSES: Final = 12
"""The most first guesses that are searched where only the most promising ones are."""

_SCORED: Final = 8
"""Guesses scored for each that is searched where only the most promising ones are."""


@subkernel
def begin_set(board: Board, bounds: Bounds, work: Work, d: Int, most: Int, inside: Int) -> None:
    """Make frame d ready for `next_guess`; `counts[d]` is fresh from `evaluate`."""
    frame = work.frames[d]
    offset, size = frame.offset, frame.size
    frame.turn = turn_of(board, frame.budget)
    frame.after = turn_of(board, frame.budget - 1)
    frame.own = size * board.steps[0, frame.turn]
    if board.labeled:
        frame.own = 0
        for label in range(len(board.steps)):
            frame.own += work.tally[d, label] * board.steps[label, frame.turn]
    elif board.weighted:
        frame.own = 0
        for i in range(size):
            frame.own += work.weights[d, offset + i] * board.steps[0, frame.turn]
    frame.best = frame.bound
    frame.guess = -1
    frame.floor = _NEVER
    frame.most = max(most, inside)
    frame.row = bounds.row[bounds.level[inside], bounds.level[most]]
    frame.next_inside = inside
    frame.next_any = 0 if board.candidates_only else most
    frame.pending = 0
    frame.tried = 0
    frame.width = board.width if size > _SOLVED else 0
    if board.limited and board.whole and d == 0:
        frame.width = min(frame.width, _FIRST_GUESSES)
    frame.capacity = largest_solvable(inside, most, frame.budget - 1, board.candidates_only)
    counts = work.counts[d]
    terms = work.terms[d]
    for i in range(size):
        counts[board.guess_of[work.codes[d, offset + i]]] |= CANDIDATE
        terms[i, 0], terms[i, 1] = key_terms(board, work, d, offset + i)
    codes, history = work.codes[d, offset : offset + size], board.use_history
    digits, number_of = board.symmetry.secrets, board.symmetry.secret_at
    find_symmetries(board, work, d, codes, digits, number_of, history)
    if d == 0 and board.first >= 0:
        frame.next_inside = 0
        frame.next_any = 0
        work.group[0] = board.first
        _weigh_group(board, bounds, work, d, 1, 0)


@inlined
def key_terms(board: Board, work: Work, d: Int, i: Int) -> tuple[np.uint64, np.uint64]:
    """Return what the candidate at a place adds to both halves of the key of its set."""
    code = work.codes[d, i]
    term1, term2 = board.draws[code, 0], board.draws[code, 1]
    if board.weighted:
        weight = mix(np.uint64(work.weights[d, i]))
        term1, term2 = mix(term1 ^ weight), mix(term2 ^ weight)
    return term1, term2


@inlined
def key_after(board: Board, work: Work, d: Int, guess: Int, mark: Int) -> np.uint64:
    """Return what the key of a part gets for what turns require, the guess included."""
    required = work.required_after
    require(board, work.required[d], guess, mark, required)
    return key_of_required(required)


@inlined
def _weigh_group(board: Board, bounds: Bounds, work: Work, d: Int, count: Int, least: Int) -> None:
    """Put the first guesses of `work.group` on the heap, unless their parts cost too much."""
    if board.weighted:
        _weigh_weighted(board, bounds, work, d, count, least)
    else:
        _weigh(board, bounds, work, d, count, least)


@subkernel
def _after_unseen(board: Board, bounds: Bounds, work: Work, d: Int) -> tuple[Int, Int]:
    """Lower bounds on guesses not yet looked at: candidates, and others."""
    frame = work.frames[d]
    size = frame.size
    after_own = np.int64(_NEVER)
    after_any = np.int64(_NEVER)
    minorant, outside = bounds.minorant[frame.after, frame.row], bounds.outside
    if board.labeled:
        tally, steps, order = work.tally[d], board.steps, board.order
        turn, most = frame.turn, frame.most
        if frame.next_inside >= 2:
            after_own = labeled_after(tally, steps, order, turn, True, frame.next_inside, most)
        if frame.next_any >= 2:
            after_any = labeled_after(tally, steps, order, turn, False, frame.next_any, most)
    elif board.weighted:
        weights = work.weights[d, frame.offset : frame.offset + size]
        step = board.steps[0, frame.turn]
        if frame.next_inside >= 2:
            after_own = weighted_after(weights, step, minorant, outside, True, frame.next_inside)
        if frame.next_any >= 2:
            after_any = weighted_after(weights, step, minorant, outside, False, frame.next_any)
    else:
        if frame.next_inside >= 2:
            after_own = frame.own + spread(minorant, outside, size - 1, frame.next_inside - 1)
        if frame.next_any >= 2:
            after_any = frame.own + spread(minorant, outside, size, frame.next_any)
    return after_own, after_any


@kernel_without_counts
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


@kernel_without_counts
def next_guess(board: Board, bounds: Bounds, work: Work, d: Int) -> Int:
    """The next guess of a set that may cost less than the best so far, -1 when there is none.

    Guesses are looked at by decreasing number of parts, only as far as they can still win.
    """
    frame = work.frames[d]
    if board.limited and frame.width:
        return _next_promising(board, bounds, work, d)
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
        guess = work.heap[d, 0, 2]
        better = work.heap[d, 0, 3]
        frame.pending -= 1
        _drop_first(work.heap[d], frame.pending)
        if better >= frame.best:
            frame.floor = min(frame.floor, better)
            continue
        frame.tried += 1
        return guess


@subkernel
def _next_promising(board: Board, bounds: Bounds, work: Work, d: Int) -> Int:
    """The next guess in the order of scores, -1 when there is none that may cost less.

    Scored are the guesses that make most parts.
    """
    frame = work.frames[d]
    if frame.tried == 0:
        seen: Int = 0
        while seen < _SCORED * frame.width and max(frame.next_inside, frame.next_any) >= 2:
            count = _gather(board, work, d, frame.next_inside >= frame.next_any)
            _weigh_group(board, bounds, work, d, count, 0)
            seen += count
    while frame.pending:
        guess = work.heap[d, 0, 2]
        better = work.heap[d, 0, 3]
        frame.pending -= 1
        _drop_first(work.heap[d], frame.pending)
        if better < frame.best:
            frame.tried += 1
            return guess
        frame.floor = min(frame.floor, better)
    return np.int64(-1)


@subkernel
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
    if board.limited:
        for guess in work.allowed[d + 1, : work.n_allowed[d + 1]]:
            if counts[guess] == wanted:
                group[count] = guess
                count += 1
        return count
    for guess in range(board.usable[frame.present]):
        if counts[guess] == wanted and (
            frame.symmetries == 0 or is_first_of_class(board, work, d, guess)
        ):
            group[count] = guess
            count += 1
    return count


# Guesses weighed by the lower bounds of their parts, and kept in a heap, the best first.


@inlined
def hint_of(work: Work, raw1: np.uint64, raw2: np.uint64) -> Int:
    """A lower bound kept for a part, 0 for none."""
    slot = np.int64(raw1 & np.uint64(len(work.hints) - 1))
    same = work.hint_keys[slot, 0] == raw1 and work.hint_keys[slot, 1] == raw2
    return work.hints[slot] if same else np.int64(0)


@inlined
def keep_hint(work: Work, part: Any) -> None:
    """Keep the cost of a part, a lower bound, over whatever stood at its place."""
    slot = np.int64(part.raw1 & np.uint64(len(work.hints) - 1))
    work.hint_keys[slot, 0] = part.raw1
    work.hint_keys[slot, 1] = part.raw2
    work.hints[slot] = part.cost


@inlined
def _weigh(board: Board, bounds: Bounds, work: Work, d: Int, count: Int, least: Int) -> None:
    """Weigh a group of guesses without weights of secrets."""
    frame = work.frames[d]
    by_guess, winning = board.by_guess, board.winning
    table = bounds.least[frame.after, frame.row]
    codes = work.codes[d, frame.offset : frame.offset + frame.size]
    terms, sizes, hashes, heap = work.terms[d], work.sizes, work.hashes, work.heap[d]
    n, own = len(codes), frame.own
    extra = salt(board, frame.budget - 1)
    best, capacity, floor, pending = frame.best, frame.capacity, frame.floor, frame.pending
    prescribed = d == 0 and board.first >= 0  # played even if it tells nothing
    scored = board.limited and frame.width > 0
    for guess in work.group[:count]:
        row = by_guess[guess]
        sizes[:] = 0
        for code in codes:
            sizes[row[code]] += 1
        is_candidate = sizes[winning]
        sizes[winning] = 0
        bound = np.int64(own)
        squares = np.int64(0)
        largest = np.int64(0)
        for size in sizes:
            bound += table[size]
            squares += size * size
            largest = max(largest, size)
        if largest > capacity or (largest == n and not prescribed):
            continue
        bound = max(bound, least)
        if bound >= best:
            floor = min(floor, bound)
            continue
        if scored:
            parts = np.int64(0)
            for size in sizes:
                parts += size > 0
            score = 2 * (squares + is_candidate) - n * (parts + 2 * is_candidate)
            _push(heap, pending, score, -is_candidate, guess, bound)
            pending += 1
            continue
        for mark in range(len(sizes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = 0
            if board.limited and sizes[mark] > 2:
                hashes[mark, 1] += key_after(board, work, d, guess, mark)
        for i in range(n):
            mark = row[codes[i]]
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        better = bound
        for mark in range(len(sizes)):
            if sizes[mark] > 2:
                hint = hint_of(work, hashes[mark, 0], hashes[mark, 1])
                better += max(hint - table[sizes[mark]], np.int64(0))
        if better >= best:
            floor = min(floor, better)
            continue
        _push(heap, pending, bound, squares * 2 - is_candidate, guess, better)
        pending += 1
    frame.floor = floor
    frame.pending = pending


@inlined
def _weigh_weighted(
    board: Board, bounds: Bounds, work: Work, d: Int, count: Int, least: Int
) -> None:
    """Weigh a group of guesses with weights or labels of secrets."""
    frame = work.frames[d]
    by_guess, winning = board.by_guess, board.winning
    codes = work.codes[d, frame.offset : frame.offset + frame.size]
    weights = work.weights[d, frame.offset : frame.offset + frame.size]
    terms, sizes, hashes, heap = work.terms[d], work.sizes, work.hashes, work.heap[d]
    costs, table = work.costs, bounds.least[frame.after, frame.row]
    steps, order, after, most = board.steps, board.order, frame.after, frame.most
    n = len(codes)
    extra = salt(board, frame.budget - 1)
    tallies = work.tallies
    prescribed = d == 0 and board.first >= 0  # played even if it tells nothing
    for guess in work.group[:count]:
        row = by_guess[guess]
        sizes[:] = 0
        costs[:] = 0
        if board.labeled:
            tallies[:] = 0
        for mark in range(len(hashes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = key_after(board, work, d, guess, mark) if board.limited else 0
        for i in range(n):
            mark = row[codes[i]]
            sizes[mark] += 1
            if board.labeled:
                tallies[mark, weights[i]] += 1
            else:
                costs[mark] += weights[i] * (table[sizes[mark]] - table[sizes[mark] - 1])
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        is_candidate = sizes[winning]
        sizes[winning] = 0
        bound = frame.own
        better = frame.own
        squares = np.int64(0)
        largest = np.int64(0)
        for mark in range(len(hashes)):
            size = sizes[mark]
            if size:
                cost = costs[mark]
                if board.labeled:
                    cost = labeled_after(tallies[mark], steps, order, after, True, most, most)
                hint = hint_of(work, hashes[mark, 0], hashes[mark, 1])
                bound += cost
                better += max(cost, hint)
                squares += size * size
                largest = max(largest, size)
        if largest > frame.capacity or (largest == n and not prescribed):
            continue
        bound = max(bound, least)
        better = max(better, bound)
        if better >= frame.best:
            frame.floor = min(frame.floor, better)
            continue
        _push(heap, frame.pending, bound, squares * 2 - is_candidate, guess, better)
        frame.pending += 1


@subkernel
def _before(heap: I64, a: Int, b: Int) -> bool:
    for key in range(3):
        if heap[a, key] != heap[b, key]:
            return bool(heap[a, key] < heap[b, key])
    return False


@subkernel
def _swap(heap: I64, a: Int, b: Int) -> None:
    for key in range(4):
        heap[a, key], heap[b, key] = heap[b, key], heap[a, key]


@subkernel
def _push(heap: I64, count: Int, bound: Int, order: Int, guess: Int, better: Int) -> None:
    heap[count, 0] = bound
    heap[count, 1] = order
    heap[count, 2] = guess
    heap[count, 3] = better
    child = count
    while child > 0 and _before(heap, child, (child - 1) >> 1):
        _swap(heap, child, (child - 1) >> 1)
        child = (child - 1) >> 1


@subkernel
def _drop_first(heap: I64, last: Int) -> None:
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
