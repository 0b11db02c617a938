"""Lower bounds on what a set of candidates costs, from the parts that guesses can make of it.

The cost of a set is the number of guesses over all its codes: its size plus the cost of the parts
of the best guess. Let `inside` be the largest number of parts that one of its own codes makes of
the set, and `most` the same for other guesses, but at least inside - 1: a code that a subset lacks
is another guess there. A subset inherits both. So n codes of it cost at least

    n + D(n - 1, inside - 1)   after a guess that is one of them, and
    n + D(n, most)             after any other,

where D(m, q) is the least that m codes in at most q parts can cost. The smaller of the two is
least(n), and D takes least's convex minorant, spread evenly: least itself is not convex when
inside <= most. Minorants are kept in units of 1/1024 and rounded down.

With weights the bound is simpler: at most K codes are found with two guesses, K * K with three,
and so on, the heaviest first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.exact.table import Int
from pegwise.kernels.jit import bare, kernel

I64 = npt.NDArray[np.int64]

INFINITE: Final = 1 << 50
"""Cost of a set that cannot be solved in the guesses left; true costs stay far below."""

_UNIT_BITS: Final = 10
_STEPWISE: Final = 36
"""Numbers of parts up to this one have their own bounds; larger ones are rounded up."""


class Bounds(NamedTuple):
    """Lower bounds for every pair of `inside` and `most`.

    Attributes:
        level: int64 (most + 1), a number of parts rounded up to one that has bounds, by rank.
        row: int64 (levels, levels), where the bounds for two ranks stand.
        least: int64 (rows, n + 2), cost of a set by its size, from below.
        minorant: int64 (rows, n + 2), convex minorant of `least`, times 1024.
    """

    level: I64
    row: I64
    least: I64
    minorant: I64


def build_bounds(most: int, size: int, *, candidates_only: bool = False) -> Bounds:
    """The bounds of a game.

    Args:
        most: number of marks.
        size: number of secrets.
        candidates_only: whether only candidates are played.
    """
    values = list(range(min(most, _STEPWISE) + 1))
    while values[-1] < most:
        values.append(min(most, values[-1] * 5 // 4))
    level = np.searchsorted(values, np.arange(most + 1)).astype(np.int64)
    row = np.zeros((len(values), len(values)), np.int64)
    pairs = [
        (inside, outside)
        for inside in range(len(values))
        for outside in range(max(inside - 1, 0), inside + 1 if candidates_only else len(values))
    ]
    for number, pair in enumerate(pairs):
        row[pair] = number
    least = np.zeros((len(pairs), size + 2), np.int64)
    minorant = np.zeros((len(pairs), size + 2), np.int64)
    for number, (inside, outside) in enumerate(pairs):
        parts = 0 if candidates_only else values[outside]
        _fill(values[inside], parts, least[number], minorant[number])
    return Bounds(level, row, least, minorant)


def least_costs(most: int, size: int, *, candidates_only: bool = False) -> I64:
    """int64 (size + 1): what 0, 1, ... codes cost at least, however well guesses split them.

    Args:
        most: number of marks.
        size: largest number of codes.
        candidates_only: whether only candidates are played.
    """
    least = np.zeros(size + 2, np.int64)
    _fill(most, 0 if candidates_only else most, least, np.zeros(size + 2, np.int64))
    return least[:-1]


@bare
def spread(minorant: I64, count: Int, parts: Int) -> Int:
    """D(count, parts): the least that codes in at most so many parts can cost."""
    if count == 0:
        return 0
    if parts <= 0:
        return INFINITE
    small = count // parts
    larger = count - small * parts
    total = (parts - larger) * minorant[small] + larger * minorant[small + 1]
    return (total + (1 << _UNIT_BITS) - 1) >> _UNIT_BITS


@kernel
def _fill(inside: Int, most: Int, least: I64, minorant: I64) -> None:
    """Fill a row of bounds by dynamic programming, the lower convex hull kept up to date.

    Args:
        inside: most parts that a guess of the set makes.
        most: most parts that any guess makes, 0 if only codes of the set are played.
        least: int64 (n + 2), see `Bounds`.
        minorant: likewise.
    """
    unit = np.int64(1) << _UNIT_BITS
    last = len(least) - 2
    least[1] = 1
    minorant[1] = unit
    if max(inside, most) < 2:
        # nothing splits the set: no subset of two codes has this pair of numbers
        least[2:] = INFINITE >> 20
        minorant[2:] = unit
        return
    corners = np.zeros(last + 1, np.int64)
    corners[1] = 1
    n_corners = 2
    for n in range(2, last + 1):
        cost = np.int64(INFINITE)
        if inside >= 2:
            cost = n + spread(minorant, n - 1, inside - 1)
        if most >= 2:
            # with as many parts as codes a foreign guess costs one more than a guess of the set
            cost = min(cost, n + spread(minorant, n, most) if n > most else np.int64(2 * n))
        least[n] = cost
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
            minorant[x] = unit * (least[i] * (n - x) + least[n] * (x - i)) // (n - i)
        corners[n_corners] = n
        n_corners += 1
    minorant[last + 1] = minorant[last] + unit


@bare
def weighted_least(weight: Int, count: Int, heaviest: Int, lightest: Int, most: Int) -> Int:
    """A lower bound on the weighted cost of a set.

    Args:
        weight: sum of its weights.
        count: number of its codes.
        heaviest: its largest weight.
        lightest: a lower bound on its weights.
        most: most parts that a guess makes of it.
    """
    cost = 2 * weight - heaviest
    found = most
    while found < count:
        cost += max(weight - found * heaviest, (count - found) * lightest)
        found *= most
    return cost


@bare
def weighted_after(heaviest_sums: I64, count: Int, inside: bool, parts: Int, most: Int) -> Int:
    """A lower bound on the weighted cost of a set by the number of parts of its first guess.

    Args:
        heaviest_sums: int64 (count + 1), sum of the heaviest 0, 1, ... weights.
        count: number of codes.
        inside: whether the guess is one of them.
        parts: number of parts that it makes.
        most: most parts that a later guess makes.
    """
    weight = heaviest_sums[count]
    cost = weight
    grown = parts
    found = parts
    if inside:
        cost += weight - heaviest_sums[1]
        grown -= 1
    else:
        cost += weight
    while found < count:
        cost += weight - heaviest_sums[found]
        grown *= most
        found = grown + inside
    return cost
