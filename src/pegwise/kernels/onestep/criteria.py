"""The criterion that a one-step strategy minimises."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I64
from pegwise.kernels.jit import by_address


@by_address
class Criteria(NamedTuple):
    """The criterion on a game of N secrets."""

    worth: I64  # (N + 1), worth of a part by its size
    additive: bool  # worths are added up; else the worth of the largest part counts
    floors: I64  # (pegs + 2, N + 1), see `class_floors`
    second: I64  # (N + 1), worth for ties
    second_additive: bool
    has_second: bool  # whether ties are broken by `second`
    only_candidates: bool  # play only candidates


def class_floors(worth: I64, additive: bool, pegs: int, black: bool) -> I64:
    """Least score of a class of n candidates with t colors in common with a guess that cannot win.

    The last row is for the class of a guess that can win, itself among them: int64 (pegs + 2, n).
    """
    out = np.empty((pegs + 2, len(worth)), np.int64)
    above = np.append(worth[1:], worth[-1])
    for common in range(pegs + 2):
        # possible black counts; all in common: neither all in place, nor all but one
        cells = pegs if black else common + 1 if common < pegs else max(pegs - 1, 1)
        if common > pegs:
            cells = pegs + 1 if black else pegs
        # sizes as even as can be: `more` of the cells hold one more than the others
        even, more = np.divmod(np.arange(len(worth)), cells)
        low, high = worth[even], above[even]
        out[common] = (cells - more) * low + more * high if additive else np.where(more, high, low)
    return out
