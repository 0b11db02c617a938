"""Codes that fit all marks, met without listing the codes of a board: peg by peg, or on a walk.

*Peg by peg*: a partial code keeps what the marks ask about, its colors and its blacks and colors
in common with every guess. It can grow by a color if every mark, taken alone, can still be
reached with the pegs that are left.

*A walk* goes from code to code: it changes a peg, or lets two pegs change places. The error of a
code is how far its blacks and its colors in common are from the marks, added up over the guesses.
A step that raises the error is taken with a chance that falls with the rise (Metropolis et al.
1953). As every step is as likely as its reverse, codes with the same error are met equally often
in the long run, and so are those that fit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I64, U8, U64, Bools
from pegwise.kernels.cache import has_numba
from pegwise.kernels.jit import Int, inlined, kernel, subkernel


class MarkConstraints(NamedTuple):
    """The constraints on a code that follow from the marks of the turns."""

    guesses: U8  # (turns, pegs)
    need: U8  # (turns, c), how often each guess has each color
    blacks: U8  # (turns), black marks
    commons: U8  # (turns, 2), fewest and most pegs in common
    allowed: Bools  # (pegs, c), the colors that may stand at each peg
    surely: U8  # (pegs, turns), blacks that the pegs behind this one give in any case
    perhaps: U8  # (pegs, turns), blacks that they can give at most
    once: bool  # no color comes twice in a code


class Partial(NamedTuple):
    """n partial codes, with the first pegs placed."""

    codes: U8  # (n, pegs), the pegs behind them still 0
    colors: U8  # (n, c), how often each has each color
    blacks: U8  # (n, turns), its blacks with each guess
    commons: U8  # (n, turns), what it has in common with each guess


def fitting(partial: Partial, constraints: MarkConstraints, peg: int) -> Bools:
    """Which colors can stand at a peg: bool (n, c)."""
    if not has_numba():
        return _fitting(partial, constraints, peg)
    out = np.empty(partial.colors.shape, np.bool_)
    _fit(partial, constraints, peg, out)
    return out


def _fitting(partial: Partial, constraints: MarkConstraints, peg: int) -> Bools:
    """The result of `fitting` by NumPy."""
    has = partial.colors
    to_come = constraints.guesses.shape[1] - 1 - peg
    fits: Bools = constraints.allowed[peg] & (~np.bool_(constraints.once) | (has == 0))
    named = np.arange(has.shape[1])
    for turn, total in enumerate(constraints.blacks):
        black = partial.blacks[:, turn, None] + (constraints.guesses[turn, peg] == named)
        common = partial.commons[:, turn, None] + (has < constraints.need[turn])
        fewest, most = constraints.commons[turn]
        fits &= (black + constraints.surely[peg, turn] <= total) & (common <= most)
        fits &= (total <= black + constraints.perhaps[peg, turn]) & (fewest <= common + to_come)
    return fits


@kernel
def _fit(partial: Partial, constraints: MarkConstraints, peg: int, out: Bools) -> None:
    """Write what `fitting` returns to `out`."""
    n, colors = partial.colors.shape
    turns, pegs = constraints.guesses.shape
    to_come = pegs - 1 - peg
    for code in range(n):
        for color in range(colors):
            has = partial.colors[code, color]
            fits = constraints.allowed[peg, color] and not (constraints.once and has > 0)
            turn = 0
            while fits and turn < turns:
                black = partial.blacks[code, turn] + np.int64(
                    constraints.guesses[turn, peg] == color
                )
                common = partial.commons[code, turn] + np.int64(has < constraints.need[turn, color])
                fits = (
                    black + constraints.surely[peg, turn] <= constraints.blacks[turn]
                    and constraints.blacks[turn] <= black + constraints.perhaps[peg, turn]
                    and common <= constraints.commons[turn, 1]
                    and constraints.commons[turn, 0] <= common + to_come
                )
                turn += 1
            out[code, color] = fits


def extended(partial: Partial, constraints: MarkConstraints, peg: int, chosen: I64) -> Partial:
    """Partial codes with one peg more: `chosen` are rows * c + color, int64 (m)."""
    if not has_numba():
        return _extended(partial, constraints, peg, chosen)
    grown = Partial(*(np.empty((len(chosen), rows.shape[1]), np.uint8) for rows in partial))
    _extend(partial, constraints, peg, chosen, grown)
    return grown


def _extended(partial: Partial, constraints: MarkConstraints, peg: int, chosen: I64) -> Partial:
    """The result of `extended` by NumPy."""
    rows, color = np.divmod(chosen, partial.colors.shape[1])
    codes, colors = partial.codes[rows], partial.colors[rows]
    every = np.arange(len(rows))
    has = colors[every, color]
    codes[:, peg] = color
    colors[every, color] += 1
    blacks = partial.blacks[rows] + (constraints.guesses[:, peg] == color[:, None])
    commons = partial.commons[rows] + (has[:, None] < constraints.need[:, color].T)
    return Partial(codes, colors, blacks, commons)


@kernel
def _extend(
    partial: Partial, constraints: MarkConstraints, peg: int, chosen: I64, grown: Partial
) -> None:
    """Write what `extended` returns to `grown`."""
    colors = partial.colors.shape[1]
    for k in range(len(chosen)):
        row, color = chosen[k] // colors, chosen[k] % colors
        grown.codes[k] = partial.codes[row]
        grown.codes[k, peg] = color
        for turn in range(len(constraints.blacks)):
            black = np.uint8(constraints.guesses[turn, peg] == color)
            grown.blacks[k, turn] = partial.blacks[row, turn] + black
            common = np.uint8(partial.colors[row, color] < constraints.need[turn, color])
            grown.commons[k, turn] = partial.commons[row, turn] + common
        grown.colors[k] = partial.colors[row]
        grown.colors[k, color] += 1


@inlined
def _below(state: U64, n: int) -> Int:
    """The next random number from 0 to n - 1 (xorshift64*, Vigna 2016)."""
    word = state[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    state[0] = word
    high = (word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)
    return np.int64((high * np.uint64(n)) >> np.uint64(31))


@subkernel
def _error(constraints: MarkConstraints, blacks: I64, commons: I64) -> int:
    """How far a code is from the marks."""
    error = 0
    for turn in range(len(constraints.blacks)):
        error += abs(blacks[turn] - np.int64(constraints.blacks[turn]))
        error += max(np.int64(constraints.commons[turn, 0]) - commons[turn], 0)
        error += max(commons[turn] - np.int64(constraints.commons[turn, 1]), 0)
    return error


@kernel
def wander(
    constraints: MarkConstraints,
    code: U8,
    state: U64,
    steps: int,
    every: int,
    chances: I64,
    out: U8,
) -> int:
    """Walk from a code, uint8 (pegs), which is moved; how many codes are met is returned.

    After each `every` steps the code is written to `out`, uint8 (m, pegs), if it fits, also
    repeatedly; the walk ends when that is full. `chances`, int64 (e), are those in 2**31 to take a
    step that raises the error by a number; one that raises it by e or more is not taken. `state`,
    uint64 (1), of the random numbers is not 0.
    """
    turns, pegs = constraints.guesses.shape
    colors = constraints.need.shape[1]
    seen = np.zeros(colors, np.int64)
    blacks = np.zeros(turns, np.int64)
    commons = np.zeros(turns, np.int64)
    new_blacks = np.zeros(turns, np.int64)
    new_commons = np.zeros(turns, np.int64)
    for peg in range(pegs):
        color = code[peg]
        for turn in range(turns):
            blacks[turn] += constraints.guesses[turn, peg] == color
            commons[turn] += seen[color] < constraints.need[turn, color]
        seen[color] += 1
    error = _error(constraints, blacks, commons)
    met = 0
    for step in range(steps):
        if error == 0 and step % every == 0:
            out[met] = code
            met += 1
            if met == len(out):
                break
        peg = _below(state, pegs)
        partner = _below(state, pegs + colors)
        old = code[peg]
        swap = partner < pegs
        new = code[partner] if swap else np.uint8(partner - pegs)
        if new == old or not constraints.allowed[peg, new]:
            continue
        if swap and not constraints.allowed[partner, old]:
            continue
        if constraints.once and not swap and seen[new] > 0:
            continue
        for turn in range(turns):
            black = blacks[turn] + np.int64(constraints.guesses[turn, peg] == new)
            black -= np.int64(constraints.guesses[turn, peg] == old)
            common = commons[turn]
            if swap:
                black += np.int64(constraints.guesses[turn, partner] == old)
                black -= np.int64(constraints.guesses[turn, partner] == new)
            else:
                common += np.int64(seen[new] < np.int64(constraints.need[turn, new]))
                common -= np.int64(seen[old] <= np.int64(constraints.need[turn, old]))
            new_blacks[turn] = black
            new_commons[turn] = common
        reached = _error(constraints, new_blacks, new_commons)
        rise = reached - error
        if rise > 0 and (rise >= len(chances) or _below(state, 1 << 31) >= chances[rise]):
            continue
        code[peg] = new
        if swap:
            code[partner] = old
        else:
            seen[old] -= 1
            seen[new] += 1
        blacks, new_blacks = new_blacks, blacks
        commons, new_commons = new_commons, commons
        error = reached
    return met
