"""What a one-step strategy minimises, the bounds that follow from it, and room to work in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.bitslice import words_for
from pegwise.kernels.jit import kernel

__all__ = ["Criteria", "Scratch", "class_floors", "make_scratch"]

U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


class Criteria(NamedTuple):
    """What is minimised, on a game of N secrets.

    Attributes:
        worth: int64 (N + 1), worth of a part by its size.
        additive: worths are added up; else the worth of the largest part counts.
        floors: int64 (pegs + 2, N + 1), least score of a class by colors in common and size: see
            `class_floors`.
        second: int64 (N + 1), worth for ties.
        second_additive: likewise.
        has_second: whether ties are broken by `second`.
        only_candidates: play only candidates.
    """

    worth: I64
    additive: bool
    floors: I64
    second: I64
    second_additive: bool
    has_second: bool
    only_candidates: bool


class Scratch(NamedTuple):
    """Memory of one thread.

    Attributes:
        columns: uint64, room for two sets of (pegs * colors + 1) bit columns.
        halves: uint64 (2, (colors + 1) ** (pegs - pegs // 2), 4): see `Columns`.
        masks: uint64, room for (pegs + 2) rows.
        sizes: int64 (pegs + 1).
        order: int64 (pegs + 1), classes from the largest on.
        tail: int64 (pegs + 2), least score of a class and those after it.
        listed: int32 (M), multisets worth a look.
        begin: int32 (M), the first slot of each worth a look.
        least: int64 (M), the least score of each.
        grouped: int32, room for the slots of the candidates.
        ends: int32 (M + 1), where those of each multiset end.
        renamed: int64 (colors + 1), for canonical forms.
        seen: uint64 (4), a bit for each mark.
    """

    columns: U64
    halves: Any
    masks: U64
    sizes: I64
    order: I64
    tail: I64
    listed: I32
    begin: I32
    least: I64
    grouped: I32
    ends: I32
    renamed: I64
    seen: U64


def make_scratch(pegs: int, colors: int, multisets: int, candidates: int) -> Scratch:
    """Memory for sets of up to so many candidates."""
    words = int(words_for(candidates))
    return Scratch(
        columns=np.zeros(2 * (pegs * colors + 1) * words, np.uint64),
        halves=np.zeros((2, (colors + 1) ** (pegs - pegs // 2), 4), np.uint64),
        masks=np.zeros((pegs + 2) * words, np.uint64),
        sizes=np.zeros(pegs + 1, np.int64),
        order=np.zeros(pegs + 1, np.int64),
        tail=np.zeros(pegs + 2, np.int64),
        listed=np.zeros(multisets, np.int32),
        begin=np.zeros(multisets, np.int32),
        least=np.zeros(multisets, np.int64),
        grouped=np.zeros(candidates, np.int32),
        ends=np.zeros(multisets + 1, np.int32),
        renamed=np.zeros(colors + 1, np.int64),
        seen=np.zeros(4, np.uint64),
    )


@kernel
def class_floors(worth: I64, additive: bool, pegs: int, black: bool) -> I64:
    """Least score of a class of n candidates with t colors in common with a guess that cannot win.

    The last row is for the class of a guess that can win, itself among them.

    Returns:
        int64 (pegs + 2, len(worth)).
    """
    out = np.empty((pegs + 2, len(worth)), np.int64)
    last = len(worth) - 1
    for common in range(pegs + 2):
        # possible black counts; all in common: neither all in place, nor all but one
        cells = pegs if black else common + 1 if common < pegs else max(pegs - 1, 1)
        if common > pegs:
            cells = pegs + 1 if black else pegs
        # sizes as even as can be: `more` of the cells hold one more than the others
        even, more = 0, 0
        for n in range(len(worth)):
            low, high = worth[even], worth[min(even + 1, last)]
            if additive:
                out[common, n] = (cells - more) * low + more * high
            else:
                out[common, n] = high if more else low
            more += 1
            if more == cells:
                even, more = even + 1, 0
    return out
