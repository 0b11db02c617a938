"""Exact search: the least cost of a candidate set, by depth-first branch and bound.

The search keeps its own stack (`Work.frames`), so that it can stop after any number of positions
and go on later. Several threads may search the same set with one transposition table: a thread
leaves aside, as long as there is something else to do, the large sets that another one has
claimed (Weill, The ABDADA distributed minimax search algorithm, ICCA Journal 1996).

Every part of a guess gets its lower bound and a look into the table before any of them is
searched; parts are searched by increasing size. Where any tree that keeps a limit is enough, the
largest part comes first: it is the one that most often has no such tree.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import (
    INFINITE,
    Bounds,
    count_guesses,
    evaluate,
    labeled_after,
    salt,
)
from pegwise.kernels.exact.guess import (
    begin_set,
    hint_of,
    keep_hint,
    key_after,
    key_terms,
    next_guess,
)
from pegwise.kernels.exact.hard import key_of_required, require
from pegwise.kernels.exact.sets import canonize, most_parts_inside, rename_code
from pegwise.kernels.exact.table import probe, store
from pegwise.kernels.exact.work import HISTORY, Work
from pegwise.kernels.jit import Int, inlined, kernel_without_counts, subkernel

RUNNING: Final = 0
DONE: Final = 1
TOO_DEEP: Final = 2

CLAIMS: Final = 6
"""Frames whose sets are claimed."""

_CLAIMED_SIZE: Final = 24
_ROOT_SALT: Final = np.uint64(0xC2B2AE3D27D4EB4F)

# what a frame does next
ENTER: Final = 0
_CHOOSE: Final = 1
_DESCEND: Final = 2
_RETURN: Final = 3

# what became of a guess when its parts were looked at
_PRUNED: Final = 0
_SOLVED: Final = 1
_OPEN: Final = 2


@kernel_without_counts
def begin(
    board: Board,
    work: Work,
    codes: I64,
    weights: I64,
    required: U64,
    bound: Int,
    budget: Int,
) -> None:
    """Put candidates, int64 (n), with their weights if the board has any, at the bottom.

    `required`, uint64 (words), is what turns require of guesses; no words where they require
    nothing. Only a cost below the bound is of interest. So many guesses are allowed, or
    `UNLIMITED`.
    """
    size = len(codes)
    frame = work.frames[0]
    for i in range(size):
        work.codes[0, i] = codes[i]
        if board.weighted:
            work.weights[0, i] = weights[i]
    frame.phase = ENTER
    frame.offset = 0
    frame.size = size
    frame.budget = budget
    frame.bound = bound
    frame.best = bound
    frame.guess = -1
    frame.floor = 0
    frame.pending = 0
    frame.parts = 0
    if board.whole:
        frame.present = board.symmetry.colors
    else:
        frame.present = _rename(board, work, 0, 0, size)
    if board.limited:
        for word in range(len(required)):
            work.required[0, word] = required[word]
    _set_key(board, work, 0, 0, size, budget, frame)
    if board.first >= 0:
        frame.key1 ^= _ROOT_SALT * np.uint64(board.first + 1)
    work.depth[0] = 0
    work.claims[work.me] = 0


@inlined
def _rename(board: Board, work: Work, d: Int, offset: Int, size: Int) -> Int:
    """Put a set in canonical form; the number of its colors is returned."""
    if not board.symmetric:
        return 0
    weights = work.weights[d]
    return canonize(
        work.codes[d, offset : offset + size],
        weights[offset : offset + size] if board.weighted else weights,
        board.weighted,
        board.symmetry.secrets,
        board.symmetry.secret_at,
        work.renaming,
    )


@inlined
def _set_key(
    board: Board, work: Work, d: Int, offset: Int, size: Int, budget: Int, to: Any
) -> None:
    """The key of a set, to `key1` and `key2` of its frame or part."""
    key1 = salt(board, budget)
    key2 = np.uint64(0)
    for i in range(offset, offset + size):
        term1, term2 = key_terms(board, work, d, i)
        key1 += term1
        key2 += term2
    if board.limited:
        key2 += key_of_required(work.required[d])
    to.key1 = key1
    to.key2 = key2


@kernel_without_counts
def advance(
    board: Board, bounds: Bounds, table: U64, work: Work, positions: Int, marks: Int
) -> Int:
    """Search on until the set at the bottom is solved, or for so many positions or marks.

    Positions are sets entered; marks are counted in parts of guesses that are looked at.

    Returns:
        `RUNNING`, `DONE` (then `best` of frame 0 is the cost and `guess` the best guess, or
        `guess` is -1 and the cost is at least `best`), or `TOO_DEEP` when the stack is full.
    """
    last = work.counters[0] + positions
    last_mark = work.counters[1] + marks
    d = work.depth[0]
    while True:
        frame = work.frames[d]
        if frame.phase == ENTER:
            if work.counters[0] >= last:
                work.depth[0] = d
                return RUNNING
            if d + 1 >= len(work.frames):
                return TOO_DEEP
            work.counters[0] += 1
            frame.phase = _RETURN if _enter(board, bounds, table, work, d) else _CHOOSE
        elif frame.phase == _CHOOSE:
            if work.counters[1] >= last_mark:
                work.depth[0] = d
                return RUNNING
            frame.phase = _choose(board, bounds, table, work, d)
        elif frame.phase == _DESCEND:
            frame.phase = _descend(board, work, d)
            if frame.phase == _DESCEND:
                d += 1
        else:
            if d == 0:
                work.depth[0] = 0
                return DONE
            if d < CLAIMS:
                work.claims[work.me, d] = 0
            cost = frame.best
            d -= 1
            _take(work, d, cost)


@subkernel
def _enter(board: Board, bounds: Bounds, table: U64, work: Work, d: Int) -> bool:
    """Begin a set; True if it is solved or not worth more."""
    frame = work.frames[d]
    free = d > 0 or board.first < 0
    least = np.int64(0)
    if free:
        cost, exact, guess = probe(table, frame.key1, frame.key2)
        if exact or cost >= frame.bound:
            frame.best = cost
            frame.guess = guess if exact else -1
            return True
        least = max(cost, least)
    size, present = frame.size, frame.present
    most = count_guesses(board, work, d, frame.offset, size, present)
    cost, exact, guess, most, inside = evaluate(
        board, bounds, work, d, frame.offset, size, present, frame.budget, most
    )
    if exact and free:
        store(table, frame.key1, frame.key2, cost, True, guess, frame.size)
        frame.best = cost
        frame.guess = guess
        return True
    least = max(cost, least)
    if least >= frame.bound:
        frame.best = least
        frame.guess = -1
        return True
    begin_set(board, bounds, work, d, most, inside)
    return False


@subkernel
def _choose(board: Board, bounds: Bounds, table: U64, work: Work, d: Int) -> Int:
    """Take the next guess and look at its parts; what the frame does next is returned."""
    frame = work.frames[d]
    if len(work.claims) > 1 and d < CLAIMS and frame.size >= _CLAIMED_SIZE:
        # another thread may have been faster
        cost, exact, guess = probe(table, frame.key1, frame.key2)
        if exact or cost >= frame.bound:
            frame.best = cost
            frame.guess = guess if exact else -1
            return _RETURN
    narrow = frame.width and frame.tried >= frame.width
    if narrow or (board.any_tree and frame.guess >= 0):
        guess = np.int64(-1)
    else:
        guess = next_guess(board, bounds, work, d)
    if guess < 0:
        exact = frame.guess >= 0
        if not exact:
            frame.best = max(frame.bound, min(frame.floor, INFINITE))
        if frame.best > INFINITE // 2:
            frame.best = INFINITE
            exact = True
        store(table, frame.key1, frame.key2, frame.best, exact, frame.guess, frame.size)
        return _RETURN
    frame.trying = guess
    outcome = _look_at_parts(board, bounds, table, work, d)
    if outcome == _OPEN:
        return _DESCEND
    if outcome == _SOLVED:
        frame.best = frame.total
        frame.guess = guess
    else:
        frame.floor = min(frame.floor, frame.total)
    return _CHOOSE


@inlined
def _split(board: Board, bounds: Bounds, work: Work, d: Int) -> bool:
    """Split the candidates by the guess, and order the parts; False if it cannot win any more."""
    frame = work.frames[d]
    parts = work.parts[d]
    row = board.by_guess[frame.trying]
    extra = salt(board, frame.budget - 1)
    for mark in range(board.n_marks):
        part = parts[mark]
        part.size = 0
        part.raw1 = extra
        part.raw2 = 0
        part.cost = 0
    least = bounds.least[frame.after, frame.row]
    for i in range(frame.size):
        part = parts[row[work.codes[d, frame.offset + i]]]
        part.size += 1
        part.raw1 += work.terms[d, i, 0]
        part.raw2 += work.terms[d, i, 1]
        if board.weighted and not board.labeled:
            weight = work.weights[d, frame.offset + i]
            part.cost += weight * (least[part.size] - least[part.size - 1])
    if board.labeled:
        work.tallies[:] = 0
        for i in range(frame.offset, frame.offset + frame.size):
            work.tallies[row[work.codes[d, i]], work.weights[d, i]] += 1
    order = work.order[d]
    sign = -1 if board.any_tree else 1
    count = 0
    for mark in range(board.n_marks):
        if parts[mark].size > 0 and mark != board.winning:
            rank = count
            while rank > 0 and sign * (parts[order[rank - 1]].size - parts[mark].size) > 0:
                order[rank] = order[rank - 1]
                rank -= 1
            order[rank] = mark
            count += 1
    frame.parts = count
    total = frame.own
    start = np.int64(0)
    for rank in range(count):
        part = parts[order[rank]]
        part.start = start
        part.filled = start
        part.open = 0
        start += part.size
        if board.limited and part.size > 2:
            part.raw2 += key_after(board, work, d, frame.trying, order[rank])
        if board.labeled:
            tally, most = work.tallies[order[rank]], frame.most
            part.cost = labeled_after(
                tally, board.steps, board.order, frame.after, True, most, most
            )
        elif not board.weighted:
            part.cost = least[part.size]
        if part.size > 2:
            part.cost = max(part.cost, hint_of(work, part.raw1, part.raw2))
        total += part.cost
    frame.total = total
    if total >= frame.best:
        return False
    for i in range(frame.offset, frame.offset + frame.size):
        mark = row[work.codes[d, i]]
        if mark != board.winning:
            part = parts[mark]
            work.codes[d + 1, part.filled] = work.codes[d, i]
            if board.weighted:
                work.weights[d + 1, part.filled] = work.weights[d, i]
            part.filled += 1
    return True


@subkernel
def _look_at_parts(board: Board, bounds: Bounds, table: U64, work: Work, d: Int) -> Int:
    """Bound every part of the guess: by its size, by the table, by the parts guesses make of it."""
    if not _split(board, bounds, work, d):
        return _PRUNED
    frame = work.frames[d]
    n_open = 0
    for rank in range(frame.parts):
        mark = work.order[d, rank]
        part = work.parts[d, mark]
        before = part.cost
        part.cost = _bound_part(board, bounds, table, work, d, mark)
        n_open += part.open
        if part.cost > before and part.size > 2:
            keep_hint(work, part)
        frame.total += part.cost - before
        if frame.total >= frame.best:
            return _PRUNED
    return _OPEN if n_open else _SOLVED


@inlined
def _bound_part(board: Board, bounds: Bounds, table: U64, work: Work, d: Int, mark: Int) -> Int:
    """The cost of a part or a lower bound; the part is marked open if it is not the cost."""
    frame = work.frames[d]
    part = work.parts[d, mark]
    budget = frame.budget - 1
    size, start = part.size, part.start
    if size > frame.capacity:
        return INFINITE
    if size == 1 or (size == 2 and not (board.weighted and _asks(board, work, d + 1, start))):
        return part.cost  # bounds of one code or two are exact
    least = part.cost
    if not board.weighted and size <= board.n_marks:
        # cheaper than the canonical form, and often enough
        codes = work.codes[d + 1, start : start + size]
        inside = most_parts_inside(board.by_guess, board.guess_of, codes, work.last_seen)
        step, later = board.steps[0, frame.after + 1], board.steps[0, frame.after + 2]
        cost = size * board.steps[0, frame.after] + (size - 1) * step
        if inside == size:
            return cost
        if inside == size - 1 and budget >= 3 and later <= step:
            return cost + later
        least = max(least, cost + min(step, later))
        if frame.total + least - part.cost >= frame.best:
            return least
    part.present = _rename(board, work, d + 1, start, size)
    if board.limited:
        require(board, work.required[d], frame.trying, mark, work.required[d + 1])
    _set_key(board, work, d + 1, start, size, budget, part)
    if board.use_history and d + 1 <= HISTORY:
        guesses, guess_at = board.symmetry.guesses, board.symmetry.guess_at
        for turn in range(d + 1):
            played = work.history[d, turn] if turn < d else frame.trying
            work.renamed[d, mark, turn] = rename_code(played, guesses, guess_at, work.renaming)
    cost, exact, guess = probe(table, part.key1, part.key2)
    if cost < 0:
        work.counters[1] += size * board.usable[part.present]
        most = count_guesses(board, work, d + 1, start, size, part.present)
        cost, exact, guess, _, _ = evaluate(
            board, bounds, work, d + 1, start, size, part.present, budget, most
        )
        store(table, part.key1, part.key2, cost, exact, guess, size)
    part.open = 0 if exact else 1
    return cost if exact else max(cost, least)


@inlined
def _asks(board: Board, work: Work, d: Int, start: Int) -> bool:
    """Whether two codes need a question first, as they are named only at the end."""
    codes = work.codes[d]
    return bool(board.guess_of[codes[start]] == board.guess_of[codes[start + 1]])


@subkernel
def _descend(board: Board, work: Work, d: Int) -> Int:
    """Set the next open part up in the frame above; what this frame does next is returned."""
    frame = work.frames[d]
    chosen = np.int64(-1)
    for rank in range(frame.parts):
        mark = work.order[d, rank]
        if work.parts[d, mark].open:
            if chosen < 0:
                chosen = mark
            if not _is_claimed(work, work.parts[d, mark]):
                chosen = mark
                break
    if chosen < 0:
        frame.best = frame.total
        frame.guess = frame.trying
        return _CHOOSE
    part = work.parts[d, chosen]
    frame.part = chosen
    child = work.frames[d + 1]
    child.phase = ENTER
    child.offset = part.start
    child.size = part.size
    child.present = part.present
    child.budget = frame.budget - 1
    child.bound = frame.best - (frame.total - part.cost)
    child.key1 = part.key1
    child.key2 = part.key2
    if board.limited:
        require(board, work.required[d], frame.trying, chosen, work.required[d + 1])
    if board.use_history and d + 1 <= HISTORY:
        for turn in range(d + 1):
            work.history[d + 1, turn] = work.renamed[d, chosen, turn]
    if d + 1 < CLAIMS and part.size >= _CLAIMED_SIZE:
        work.claims[work.me, d + 1] = part.key1
    return _DESCEND


@inlined
def _is_claimed(work: Work, part: Any) -> bool:
    """Whether another thread is searching a part."""
    if part.size < _CLAIMED_SIZE:
        return False
    for thread in range(len(work.claims)):
        if thread != work.me:
            for d in range(CLAIMS):
                if work.claims[thread, d] == part.key1:
                    return True
    return False


@inlined
def _take(work: Work, d: Int, cost: Int) -> None:
    """Take the cost of the part that was searched, or a lower bound that is enough."""
    frame = work.frames[d]
    part = work.parts[d, frame.part]
    before = part.cost
    part.cost = max(cost, before)
    part.open = 0
    keep_hint(work, part)
    frame.total += part.cost - before
    if frame.total >= frame.best:
        frame.floor = min(frame.floor, frame.total)
        frame.phase = _CHOOSE
