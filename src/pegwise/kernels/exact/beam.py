"""Steps of the search for good trees: rank guesses by a learned worth, split, solve small parts.

Sets of candidates stand in arrays of the caller; `work` is only used between two calls of one
thread, so that a thread may follow any order of sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I64, U64, Bools
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED, Bounds
from pegwise.kernels.exact.search import DONE, advance, begin
from pegwise.kernels.exact.sets import count_parts, rename_code
from pegwise.kernels.exact.symmetries import find_symmetries, is_first_of_class
from pegwise.kernels.exact.work import Work
from pegwise.kernels.jit import Int, kernel, subkernel


class PartArrays(NamedTuple):
    """The parts that a guess makes of n candidates, but for the winning one, small ones first."""

    codes: I64  # (n), the candidates, part by part, each part in canonical form
    weights: I64  # (n), their weights; one element when there are none
    mark: I64  # (marks), mark of each part
    start: I64  # (marks), where it begins in `codes`
    size: I64  # (marks), number of its codes
    present: I64  # (marks), number of its colors
    keys: U64  # (marks, 2), its key, guesses left included
    value: I64  # (marks), its cost once that is found, else 0


def new_parts(n: int, n_marks: int, *, weighted: bool) -> PartArrays:
    """Room for the parts of n candidates."""
    return PartArrays(
        np.empty(n, np.int64),
        np.ones(n if weighted else 1, np.int64),
        np.zeros(n_marks, np.int64),
        np.zeros(n_marks, np.int64),
        np.zeros(n_marks, np.int64),
        np.zeros(n_marks, np.int64),
        np.zeros((n_marks, 2), np.uint64),
        np.zeros(n_marks, np.int64),
    )


@kernel
def split_set(
    board: Board, work: Work, codes: I64, weights: I64, guess: Int, budget: Int, parts: PartArrays
) -> Int:
    """Split candidates, int64 (n), with their weights if the board has any, by a guess.

    So many guesses are allowed after it. The number of parts but for the winning one is returned.
    """
    row = board.by_guess[guess]
    sizes = work.sizes
    sizes[:] = 0
    for code in codes:
        sizes[row[code]] += 1
    count = 0
    for mark in range(board.n_marks):
        if sizes[mark] > 0 and mark != board.winning:
            rank = count
            while rank > 0 and parts.size[rank - 1] > sizes[mark]:
                parts.size[rank] = parts.size[rank - 1]
                parts.mark[rank] = parts.mark[rank - 1]
                rank -= 1
            parts.size[rank] = sizes[mark]
            parts.mark[rank] = mark
            count += 1
    start = np.int64(0)
    for rank in range(count):
        parts.start[rank] = start
        sizes[parts.mark[rank]] = start
        start += parts.size[rank]
    for i in range(len(codes)):
        mark = row[codes[i]]
        if mark != board.winning:
            parts.codes[sizes[mark]] = codes[i]
            if board.weighted:
                parts.weights[sizes[mark]] = weights[i]
            sizes[mark] += 1
    for rank in range(count):
        start = parts.start[rank]
        size = parts.size[rank]
        stop = start + size
        parts.value[rank] = 0
        own = parts.weights[start:stop] if board.weighted else parts.weights
        if size == 1:
            cost = own[0] if board.weighted else np.int64(1)
            parts.value[rank] = cost if budget >= 1 else INFINITE
            continue
        begin(board, work, parts.codes[start:stop], own, work.required[0], INFINITE, budget)
        frame = work.frames[0]
        parts.keys[rank, 0] = frame.key1
        parts.keys[rank, 1] = frame.key2
        parts.present[rank] = frame.present
        _copy_sorted(board, work, parts, start, size)
    return count


@kernel
def _copy_sorted(board: Board, work: Work, parts: PartArrays, start: Int, size: Int) -> None:
    """Take the canonical form of a part over, its codes in ascending order."""
    codes = work.codes[0]
    if not board.weighted:
        ordered = codes[:size]
        ordered.sort()
        for i in range(size):
            parts.codes[start + i] = ordered[i]
        return
    for i in range(size):
        at = start + i
        while at > start and parts.codes[at - 1] > codes[i]:
            parts.codes[at] = parts.codes[at - 1]
            parts.weights[at] = parts.weights[at - 1]
            at -= 1
        parts.codes[at] = codes[i]
        parts.weights[at] = work.weights[0, i]


@kernel
def solve_parts(
    board: Board,
    bounds: Bounds,
    table: U64,
    work: Work,
    parts: PartArrays,
    rank: Int,
    last: Int,
    going: bool,
    budget: Int,
    positions: Int,
) -> tuple[Int, Int]:
    """Find the costs of the parts from `rank` to before `last` by exact search.

    The first part is `going` if the call before has begun it. So many guesses are allowed for each,
    and so many positions may be entered before the call returns: the part that has been begun
    (`last` when all are solved), and the status of `advance`.
    """
    before = work.counters[0]
    while rank < last:
        if parts.value[rank] == 0:
            start = parts.start[rank]
            stop = start + parts.size[rank]
            if not going:
                own = parts.weights[start:stop] if board.weighted else parts.weights
                begin(board, work, parts.codes[start:stop], own, work.required[0], INFINITE, budget)
            more = positions - (work.counters[0] - before)
            status = advance(board, bounds, table, work, more, UNLIMITED)
            if status != DONE:
                return rank, status
            parts.value[rank] = work.frames[0].best
        going = False
        rank += 1
    return rank, DONE


@kernel
def first_of_class(board: Board, work: Work, guess: Int, allowed: Bools) -> None:
    """Mark in `allowed`, bool (guesses), one of each class that symmetries do not tell apart.

    The symmetries keep the guess played before, if there was one (-1: none).
    """
    d = 0 if guess < 0 else 1
    work.frames[d].size = board.by_guess.shape[1]
    if d == 1:
        work.history[1, 0] = guess
    # colors that the guess does not have are alike
    work.group[0] = guess
    digits, number_of = board.symmetry.guesses, board.symmetry.guess_at
    find_symmetries(board, work, d, work.group[:d], digits, number_of, board.use_history)
    everything = work.frames[d].symmetries == 0
    for number in range(len(allowed)):
        allowed[number] = everything or is_first_of_class(board, work, d, number)


@kernel
def rank(
    board: Board,
    work: Work,
    codes: I64,
    weights: I64,
    present: Int,
    allowed: Bools,
    rate: I64,
    enough: Int,
    guesses: I64,
    scores: I64,
) -> Int:
    """Find the guesses whose parts are worth least; how many are found is returned.

    Guesses that make most parts are looked at first, until they are `enough`, and all others that
    make as many; of those that an exchange of colors does not tell apart the first one. Candidates
    with so many colors present are in canonical form, unless the guesses `allowed` are told (bool
    by number, empty for all). `rate`, int64 (n + 1 or more), is the worth
    of a candidate by the size of its part. The best guesses and their scores are written in order.
    """
    counts = work.counts[0]
    n_guesses: Int = len(codes)
    if board.candidates_only:
        for i in range(n_guesses):
            work.group[i] = board.guess_of[codes[i]]
    else:
        n_guesses = len(counts) if len(allowed) else board.usable[present]
        for number in range(n_guesses):
            work.group[number] = number
    work.frames[0].symmetries = 0
    if len(allowed) == 0:
        work.frames[0].offset = 0
        if board.weighted:
            work.weights[0, : len(codes)] = weights
        digits, number_of = board.symmetry.secrets, board.symmetry.secret_at
        find_symmetries(board, work, 0, codes, digits, number_of, False)
    everything = len(allowed) == 0 and work.frames[0].symmetries == 0
    counted = len(counts) if board.candidates_only else n_guesses
    n_first: Int = 0
    for i in range(n_guesses):
        guess = work.group[i]
        if everything or (
            allowed[guess] if len(allowed) else is_first_of_class(board, work, 0, guess)
        ):
            work.group[n_first] = guess
            n_first += 1
    n_guesses = n_first
    count_parts(board.by_secret, codes, counted, work.masks, counts)
    histogram = np.zeros(board.n_marks + 1, np.int64)
    for i in range(n_guesses):
        histogram[counts[work.group[i]]] += 1
    least = np.int64(board.n_marks)
    seen = histogram[least]
    while least > 2 and seen < enough:
        least -= 1
        seen += histogram[least]
    n_best: Int = np.int64(0)
    most = len(guesses)
    for i in range(n_guesses):
        guess = work.group[i]
        if counts[guess] < least or counts[guess] < 2:
            continue
        score = _score(board, work, codes, weights, guess, rate)
        if n_best == most and score >= scores[most - 1]:
            continue
        at = n_best if n_best < most else most - 1
        n_best = at + 1
        while at > 0 and scores[at - 1] > score:
            scores[at] = scores[at - 1]
            guesses[at] = guesses[at - 1]
            at -= 1
        scores[at] = score
        guesses[at] = guess
    return n_best


@subkernel
def _score(board: Board, work: Work, codes: I64, weights: I64, guess: Int, rate: I64) -> Int:
    """Return the worth of the parts of a guess."""
    row = board.by_guess[guess]
    sizes = work.sizes
    sizes[:] = 0
    score: Int = np.int64(0)
    if board.weighted:
        sums = work.costs
        sums[:] = 0
        for i in range(len(codes)):
            mark = row[codes[i]]
            sizes[mark] += 1
            sums[mark] += weights[i]
        sizes[board.winning] = 0
        for mark in range(len(sizes)):
            score += sums[mark] * rate[sizes[mark]]
        return score
    for code in codes:
        sizes[row[code]] += 1
    sizes[board.winning] = 0
    for size in sizes:
        score += size * rate[size]
    return score


@kernel
def rename_guesses(board: Board, work: Work, guesses: I64) -> None:
    """Rename guesses as the set that was begun last was renamed, in place."""
    symmetry = board.symmetry
    for i in range(len(guesses)):
        guesses[i] = rename_code(guesses[i], symmetry.guesses, symmetry.guess_at, work.renaming)
