"""Lower bounds on what a set of candidates costs, from the parts that guesses can make of it.

The cost of a set is the number of guesses over all its codes: its size plus the cost of the parts
of the best guess. Let `inside` be the largest number of parts that one of its own codes makes of
the set, and `most` the same for other guesses, but at least inside - 1: a code that a subset lacks
is another guess there. A subset inherits both. So n codes of it cost at least

    n + D(n - 1, inside - 1)   after a guess that is one of them, and
    n + D(n, most)             after any other,

where D(m, q) is the least that m codes in at most q parts can cost. The smaller of the two is
least(n), and D takes least's convex minorant: least itself is not convex when inside <= most.
Minorants are kept in units of 1/1024 and rounded down.

Parts as even as can be cost least. But no guess makes even parts of a large set. Let outside(k) be
the most codes of the game that any guess leaves outside of its k largest parts; a subset inherits
it too. The sizes of the parts, the largest first, then cost least where the number of codes after
the first k is the largest convex function that is m at 0, 0 at q, and at most outside(k) between.

Weights are cut into layers: the codes of at least some weight are a set of their own, which costs
at least what it costs without weights, and weighs as much more as it is heavier than the layer
below. So the i-th heaviest code of a set adds its weight times least(i) - least(i - 1). Labels are
simpler: at most K codes are found with two guesses, K * K with three, and so on.

A cost by the number of guesses is a step for each: what a code adds that is not found before this
guess. For the total every step is 1. The first n above is then n times the step, and the parts have
the bounds of the next guess.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I64
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.hard import allow, count_allowed
from pegwise.kernels.exact.sets import count_parts, distinct_marks
from pegwise.kernels.exact.work import Work
from pegwise.kernels.jit import (
    Int,
    by_address,
    inlined,
    kernel,
    kernel_without_counts,
    mix,
    subkernel,
)

INFINITE: Final = 1 << 50
"""Cost of a set that cannot be solved in the guesses left; true costs stay far below."""

_UNIT_BITS: Final = 10
LARGEST: Final = INFINITE >> 3
"""Costs stay below; bounds in tables are cut to it."""

_STEPWISE: Final = 36
"""Numbers of parts up to this one have their own bounds; larger ones are rounded up."""


@by_address
class Bounds(NamedTuple):
    """Lower bounds for every pair of `inside` and `most`."""

    level: I64  # (most + 1), a number of parts rounded up to one that has bounds, by rank
    row: I64  # (levels, levels), where the bounds for two ranks stand
    least: I64  # (turns, rows, n + 2), cost of a set by its size, from below
    minorant: I64  # (turns, rows, n + 2), convex minorant of `least`, times 1024
    # (2, marks + 1), the most codes outside of the 0, 1, ... largest parts of a guess, and
    # the number of codes up to which that many parts can be even
    outside: I64


def build_bounds(
    most: int,
    size: int,
    outside: tuple[int, ...] = (),
    *,
    candidates_only: bool = False,
    steps: tuple[int, ...] = (1,),
) -> Bounds:
    """The bounds of a game, by its numbers of marks and secrets.

    At most `outside` of the secrets are outside of the 0, 1, ... largest parts of a guess; none are
    outside of more parts. `steps` are of the first, second, ... guess; the last one holds for all
    later guesses.
    """
    values = list(range(min(most, _STEPWISE) + 1))
    while values[-1] < most:
        values.append(min(most, values[-1] * 5 // 4))
    level = np.searchsorted(values, np.arange(most + 1)).astype(np.int64)
    row = np.zeros((len(values), len(values)), np.int64)
    pairs = [
        (inside, foreign)
        for inside in range(len(values))
        for foreign in range(max(inside - 1, 0), inside + 1 if candidates_only else len(values))
    ]
    for number, pair in enumerate(pairs):
        row[pair] = number
    rests = _outside(most, size, outside)
    least = np.zeros((len(steps), len(pairs), size + 2), np.int64)
    minorant = np.zeros((len(steps), len(pairs), size + 2), np.int64)
    for turn in range(len(steps) - 1, -1, -1):
        after = min(turn + 1, len(steps) - 1)
        for number, (inside, foreign) in enumerate(pairs):
            parts = 0 if candidates_only else values[foreign]
            _fill(
                values[inside],
                parts,
                least[turn, number],
                minorant[turn, number],
                minorant[after, number],
                rests,
                steps[turn],
            )
    return Bounds(level, row, least, minorant, rests)


def least_costs(
    n_marks: int, size: int, outside: tuple[int, ...], *, candidates_only: bool = False
) -> I64:
    """int64 (size + 1): what 0, 1, ... codes cost at least; all as for `build_bounds`."""
    least = np.zeros(size + 2, np.int64)
    minorant = np.zeros(size + 2, np.int64)
    # only a guess that is one of the codes can get every mark
    rests = _outside(n_marks, size, outside)
    _fill(n_marks, 0 if candidates_only else n_marks - 1, least, minorant, minorant, rests, 1)
    return least[:-1]


def _outside(most: int, size: int, outside: tuple[int, ...]) -> I64:
    """The field of `Bounds`."""
    rests = np.full((2, most + 1), size, np.int64)
    if outside:
        rests[0] = [*outside, *[0] * (most + 1 - len(outside))]
    for parts in range(2, most + 1):
        k = np.arange(1, parts)
        # the rest of k of so many even parts
        rests[1, parts] = (rests[0, k] * parts // (parts - k)).min()
    return rests


@kernel_without_counts
def spread(minorant: I64, outside: I64, count: Int, parts: Int) -> Int:
    """D(count, parts): the least that codes in at most so many parts can cost."""
    if count == 0:
        return 0
    if parts <= 0:
        return INFINITE
    total = np.int64(0)
    done = np.int64(0)
    rest = np.int64(count)
    while done < parts:
        # the next corner of the convex function
        stop, drop = np.int64(parts), rest
        if count > outside[1, parts]:
            for k in range(done + 1, parts):
                if (rest - outside[0, k]) * (stop - done) > drop * (k - done):
                    stop, drop = np.int64(k), rest - outside[0, k]
        even = stop - done
        small = drop // even
        larger = drop - small * even
        total += (even - larger) * minorant[small] + larger * minorant[small + 1]
        done = stop
        rest -= drop
    return (total + (1 << _UNIT_BITS) - 1) >> _UNIT_BITS


@kernel
def _fill(
    inside: Int,
    most: Int,
    least: I64,
    minorant: I64,
    next_minorant: I64,
    outside: I64,
    step: Int,
) -> None:
    """Fill a row of bounds by dynamic programming, the lower convex hull kept up to date.

    The minorant of the next guess is `next_minorant`, which may be `minorant` itself.
    """
    unit = np.int64(1) << _UNIT_BITS
    last = len(least) - 2
    least[1] = step
    minorant[1] = unit * step
    if max(inside, most) < 2:
        # nothing splits the set: no subset of two codes has this pair of numbers
        least[2:] = INFINITE >> 20
        minorant[2:] = unit * step
        return
    corners = np.zeros(last + 1, np.int64)
    corners[1] = 1
    n_corners = 2
    for n in range(2, last + 1):
        cost = np.int64(INFINITE)
        if inside >= 2:
            cost = n * step + spread(next_minorant, outside, n - 1, inside - 1)
        if most >= 2 and outside[0, 1] > 0:
            cost = min(cost, n * step + spread(next_minorant, outside, n, most))
        least[n] = cost = min(cost, np.int64(LARGEST))
        straight = True
        while n_corners > 2:
            i, j = corners[n_corners - 2], corners[n_corners - 1]
            before = (least[j] - least[i]) * (n - j)
            after = (least[n] - least[j]) * (j - i)
            if before < after:
                break
            straight = straight and before == after
            n_corners -= 1
        i = corners[n_corners - 1]
        for x in range(n if straight else i + 1, n + 1):
            rise = least[n] - least[i]
            rest = unit * (rise % (n - i)) * (x - i) // (n - i)
            minorant[x] = unit * (least[i] + rise // (n - i) * (x - i)) + rest
        corners[n_corners] = n
        n_corners += 1
    minorant[last + 1] = minorant[last] + unit * step


@kernel_without_counts
def labeled_after(
    tally: I64, steps: I64, order: I64, turn: Int, inside: bool, parts: Int, most: Int
) -> Int:
    """A lower bound on the cost of a set with labels, by the number of parts of its first guess.

    At every guess the codes that may have been found before are those with the largest steps. The
    guess has its column `turn` of the steps and makes at least 2 parts; `inside` tells whether it
    is a code of the set; a later guess makes at most `most` parts. `tally`, int64 (labels), tells
    how many codes have each label.
    """
    count = np.int64(0)
    for codes in tally:
        count += codes
    cost = np.int64(0)
    covered = np.int64(0)
    later = 0
    while covered < count:
        at = min(turn + later, steps.shape[1] - 1)
        spared = covered
        for label in order[at]:
            saved = min(spared, tally[label])
            spared -= saved
            cost += (tally[label] - saved) * steps[label, at]
        later += 1
        if later <= 2:
            covered = np.int64(inside) if later == 1 else np.int64(parts)
        else:
            covered = (covered - inside) * most + inside
    return cost


@kernel_without_counts
def weighted_after(
    weights: I64, step: Int, minorant: I64, outside: I64, inside: bool, parts: Int
) -> Int:
    """A lower bound on the weighted cost of a set by the number of parts of its first guess.

    `weights`, int64 (n), fall; `inside` tells whether the guess is a code of the set, `step` what
    it costs; `minorant` is for the guesses after it, `outside` as in `Bounds`.
    """
    cost = np.int64(0)
    below = np.int64(0)
    n = len(weights)
    while n > 0:
        weight = weights[n - 1]
        later = spread(minorant, outside, n - inside, parts - inside)
        cost += (weight - below) * (n * step + later)
        below = weight
        while n > 0 and weights[n - 1] == weight:
            n -= 1
    return cost


# The cost of a set by the parts that guesses make of it.

UNLIMITED: Final = 1 << 40
"""Guesses left when there is no limit; the depth of a search never changes that much."""

CANDIDATE: Final = np.uint16(1 << 15)
"""Set in the number of parts of a guess that is a candidate."""


@inlined
def turn_of(board: Board, budget: Int) -> Int:
    """The column of `steps` of the next guess."""
    return min(board.start - budget, np.int64(board.steps.shape[1] - 3))


@inlined
def salt(board: Board, budget: Int) -> np.uint64:
    """Return the addends to the key of a set for the guesses left, and for those made."""
    if budget <= UNLIMITED // 2:
        return mix(np.uint64(budget))
    turn = turn_of(board, budget)
    return np.uint64(0) if turn == board.steps.shape[1] - 3 else mix(np.uint64(turn + 1))


@subkernel
def _count_labels(work: Work, d: Int, offset: Int, size: Int) -> None:
    work.tally[d] = 0
    for i in range(offset, offset + size):
        work.tally[d, work.weights[d, i]] += 1


@subkernel
def _sort_by_weight(codes: I64, weights: I64) -> None:
    """Put codes in the order of their weights, the heaviest first (heap sort)."""
    size = len(codes)
    for root in range(size // 2 - 1, -1, -1):
        _sink(codes, weights, root, size)
    for last in range(size - 1, 0, -1):
        _exchange(codes, weights, 0, last)
        _sink(codes, weights, 0, last)


@inlined
def _exchange(codes: I64, weights: I64, a: Int, b: Int) -> None:
    codes[a], codes[b] = codes[b], codes[a]
    weights[a], weights[b] = weights[b], weights[a]


@subkernel
def _sink(codes: I64, weights: I64, root: Int, count: Int) -> None:
    """Restore a heap, the lightest first, whose root may be too heavy."""
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and weights[child + 1] < weights[child]:
            child += 1
        if weights[root] <= weights[child]:
            return
        _exchange(codes, weights, root, child)
        root = child


@subkernel
def largest_solvable(inside: Int, most: Int, budget: Int, candidates_only: bool) -> Int:
    """Size of the largest set that might be solved in the guesses left."""
    if budget > UNLIMITED // 2:
        return INFINITE
    capacity = np.int64(1)
    for _ in range(budget - 1):
        after_own = 1 + (inside - 1) * capacity
        capacity = after_own if candidates_only else max(after_own, most * capacity)
        if capacity > INFINITE >> 20:
            return INFINITE
    return capacity if budget > 0 else 0


@subkernel
def count_guesses(board: Board, work: Work, d: Int, offset: Int, size: Int, present: Int) -> Int:
    """Count the parts that guesses make of a set of frame d.

    Returns the most that any of them makes; 0 where only candidates are played.
    """
    codes = work.codes[d, offset : offset + size]
    counts = work.counts[d]
    if board.candidates_only:
        work.last_seen[:] = -1
        for code in codes:
            guess = board.guess_of[code]
            counts[guess] = distinct_marks(board.by_guess[guess], codes, work.last_seen, code)
        return 0
    if board.limited:
        return allow(board, work, d, codes)
    return count_parts(board.by_secret, codes, board.usable[present], work.masks, counts)


@subkernel
def evaluate(
    board: Board,
    bounds: Bounds,
    work: Work,
    d: Int,
    offset: Int,
    size: Int,
    present: Int,
    budget: Int,
    most: Int,
) -> tuple[Int, bool, Int, Int, Int]:
    """Bound the cost of a set of frame d from below, once the parts of guesses are counted.

    `most` comes from `count_guesses`.

    Returns:
        Lower bound, whether it is the cost, the best guess then, the most parts that a guess
        outside of the set makes of a subset, and the most that one of the set makes.
    """
    codes = work.codes[d, offset : offset + size]
    counts = work.counts[d]
    turn = turn_of(board, budget)
    inside = np.int64(0)
    own = np.int64(-1)
    own_weight = np.int64(0)
    for i in range(size):
        guess = board.guess_of[codes[i]]
        parts = np.int64(counts[guess])
        weight = work.weights[d, offset + i] if board.weighted else np.int64(0)
        if board.labeled:
            weight = board.steps[weight, turn + 1]
        if (
            parts > inside
            or (parts == inside and weight > own_weight)
            or (parts == inside and weight == own_weight and guess < own)
        ):
            inside, own, own_weight = parts, guess, weight
    if most <= inside and not board.symmetric and not board.candidates_only:
        most = _most_parts_outside(board, work, d, codes)
    # another code of this set is no code of some subsets, and does not win there
    most = max(most, inside - 1)
    foreign = np.int64(-1)
    if most > inside and most >= size - 1:
        foreign = _first_guess(board, work, d, most)
    least = np.int64(0)
    if board.weighted:
        # what a guess that is no code of the set costs if it tells all codes apart
        two = np.int64(0)
        heaviest = np.int64(0)
        if board.labeled:
            _count_labels(work, d, offset, size)
            two = _after_label(board, work, d, turn, False, size, size)
            heaviest = two - _after_label(board, work, d, turn, True, size, size)
        else:
            weights = work.weights[d, offset : offset + size]
            _sort_by_weight(codes, weights)
            for weight in weights:
                two += weight * (board.steps[0, turn] + board.steps[0, turn + 1])
            heaviest = weights[0] * board.steps[0, turn + 1]
            own_weight *= board.steps[0, turn + 1]
        if inside == size and budget >= min(size, 2) and (own_weight == heaviest or budget == 2):
            return two - own_weight, True, own, most, inside
        if most == size and budget == 2:
            return two, True, foreign, most, inside
    else:
        # what a code of the set costs at least, and another guess
        step, later = board.steps[0, turn + 1], board.steps[0, turn + 2]
        by_own = (size - 1) * step + (size - inside) * later
        by_other = size * step + (size - most) * later
        least = size * board.steps[0, turn] + min(by_own, by_other)
        if inside == size and budget >= min(size, 2):
            return least, True, own, most, inside
        # the two secrets of a part are guessed in turn, if one may be guessed before it is known
        if (
            foreign >= 0
            and by_other <= by_own
            and budget >= 2 + size - most
            and (most == size or inside >= 2)
        ):
            return least, True, foreign, most, inside
        if most == size and budget == 2:  # a code of the set would need a guess more
            return size * board.steps[0, turn] + by_other, True, foreign, most, inside
        if inside == size - 1 and by_own < by_other and budget >= 3:
            return least, True, own, most, inside
    if budget <= 2 or size > largest_solvable(inside, most, budget, board.candidates_only):
        return INFINITE, True, np.int64(-1), most, inside
    if board.labeled:
        any_parts = max(most, inside)
        least = _after_label(board, work, d, turn, True, inside, any_parts)
        if not board.candidates_only:
            by_others = _after_label(board, work, d, turn, False, most, any_parts)
            least = min(least, by_others)
    elif board.weighted:
        least = _by_layers(board, bounds, work, d, offset, size, present, turn, inside, most)
    else:
        least = bounds.least[turn, bounds.row[bounds.level[inside], bounds.level[most]], size]
    return least, False, np.int64(-1), most, inside


@subkernel
def _by_layers(
    board: Board,
    bounds: Bounds,
    work: Work,
    d: Int,
    offset: Int,
    size: Int,
    present: Int,
    turn: Int,
    inside: Int,
    most: Int,
) -> Int:
    """A lower bound on the weighted cost of a set, by the parts that guesses make of each layer."""
    weights = work.weights[d, offset : offset + size]
    counts = work.layer_counts
    cost = np.int64(0)
    below = np.int64(0)
    n = size
    while n > 0:
        weight = weights[n - 1]
        if 2 < n < size and not board.candidates_only:
            codes = work.codes[d, offset : offset + n]
            if board.limited:
                most = count_allowed(board, work, d, codes, counts)
            else:
                usable = board.usable[present]
                most = count_parts(board.by_secret, codes, usable, work.masks, counts)
            inside = np.int64(0)
            for code in codes:
                inside = max(inside, np.int64(counts[board.guess_of[code]]))
            most = max(most, inside - 1)
        row = bounds.row[bounds.level[inside], bounds.level[most]]
        cost += (weight - below) * bounds.least[turn, row, n]
        below = weight
        while n > 0 and weights[n - 1] == weight:
            n -= 1
    return cost


@inlined
def _after_label(
    board: Board, work: Work, d: Int, turn: Int, inside: bool, parts: Int, most: Int
) -> Int:
    """`labeled_after` for the set of a frame."""
    return labeled_after(work.tally[d], board.steps, board.order, turn, inside, parts, most)


@subkernel
def _first_guess(board: Board, work: Work, d: Int, parts: Int) -> Int:
    """The first guess for a frame that makes so many parts."""
    counts = work.counts[d]
    if board.limited:
        at = 0
        while np.int64(counts[work.allowed[d + 1, at]]) != parts:
            at += 1
        return np.int64(work.allowed[d + 1, at])
    guess = np.int64(0)
    while np.int64(counts[guess]) != parts:
        guess += 1
    return guess


@subkernel
def _most_parts_outside(board: Board, work: Work, d: Int, codes: I64) -> Int:
    """Most parts of a guess that is none of the codes; its counts are as they were afterwards."""
    most = np.int64(0)
    counts = work.counts[d]
    for code in codes:
        counts[board.guess_of[code]] |= CANDIDATE
    if board.limited:
        for guess in work.allowed[d + 1, : work.n_allowed[d + 1]]:
            if counts[guess] < CANDIDATE:
                most = max(most, np.int64(counts[guess]))
    else:
        for guess in range(len(counts)):
            if counts[guess] < CANDIDATE:
                most = max(most, np.int64(counts[guess]))
    for code in codes:
        counts[board.guess_of[code]] &= CANDIDATE - np.uint16(1)
    return most
