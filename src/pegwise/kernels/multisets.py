"""Which multisets of colors are worth a look, and which guesses are equal.

Colors that no candidate has are one color; colors not yet played are interchangeable. Of guesses
that are equal in this way only one is scored, and the first in numeric order is played, so that
the choice is the one that the plain definition makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.kernels.bitslice import Columns, add_word, exactly, mask_common
from pegwise.kernels.board import Board
from pegwise.kernels.criteria import Criteria, Scratch
from pegwise.kernels.jit import Int, bare, inlined, popcount

__all__ = ["canonical_key", "live_colors", "worth_a_look"]

Bools = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


@bare
def live_colors(candidates: I32, secret_members: U32) -> Any:
    """Set of the colors that some candidate has."""
    live = np.uint32(0)
    for candidate in candidates:
        live |= secret_members[candidate]
    return live


@inlined
def _below_lowest(colors: Any) -> Any:
    """Set of the colors before the first one of a set; of all when it is empty."""
    return (colors & (~colors + np.uint32(1))) - np.uint32(1)


@bare
def _most_often_first(repeats: U8, multiset: Int, free: Any) -> bool:
    """Whether, of some colors, the first ones come most often in a multiset."""
    before = np.uint8(255)
    for color in range(repeats.shape[1] - 1):
        if free >> np.uint32(color) & np.uint32(1):
            if repeats[multiset, color] > before:
                return False
            before = repeats[multiset, color]
    return True


@bare
def canonical_key(
    codes: U8, slot: Int, dead: Any, free: Any, repeats_allowed: bool, renamed: I64
) -> Int:
    """Key of the first guess, in numeric order, among those equal to this one."""
    colors = len(renamed) - 1
    renamed[:] = -1
    next_free: Int = 0
    next_dead: Int = 0
    key: Int = 0
    for peg in range(codes.shape[1]):
        color: Int = np.int64(codes[slot, peg])
        name: Int = color
        if color < colors:
            bit = np.uint32(1) << np.uint32(color)
            if renamed[color] >= 0:
                name = renamed[color]
            elif dead & bit:
                while not dead >> np.uint32(next_dead) & np.uint32(1):
                    next_dead += 1
                name = next_dead
                if not repeats_allowed:
                    next_dead += 1
                renamed[color] = name
            elif free & bit:
                while not free >> np.uint32(next_free) & np.uint32(1):
                    next_free += 1
                name = next_free
                next_free += 1
                renamed[color] = name
        key = key * (colors + 1) + name
    return key


@bare
def worth_a_look(
    dead: Any,
    free: Any,
    classes: Bools,
    limit: Int,
    board: Board,
    criteria: Criteria,
    columns: Columns,
    scratch: Scratch,
) -> Int:
    """List the multisets that may hold a guess of up to a score, with the least they can have.

    Of equal colors the first ones are played: of those that no candidate has, and of those that
    were never played; of the latter the first ones most often.

    Returns:
        How many they are.
    """
    pegs, first, members, repeats = board.pegs, board.first, board.members, board.repeats
    doubles, rows, number, repeatable = (
        board.doubles,
        board.counts,
        board.number,
        board.repeats_allowed,
    )
    floors, additive, sizes = criteria.floors, criteria.additive, columns.sizes
    listed, begin, least = scratch.listed, scratch.begin, scratch.least
    one_word = len(columns.everyone) == 1 and not board.black
    colors = repeats.shape[1] - 1
    wastes = repeatable and dead != 0
    skippable = dead & (dead - np.uint32(1))  # all but the first
    count = 0
    for multiset in range(len(members)):
        wasted, fresh = members[multiset] & dead, members[multiset] & free
        wrong = wasted & (skippable if repeatable else ~_below_lowest(dead & ~wasted))
        if wrong | (fresh & ~_below_lowest(free & ~fresh)):
            continue
        if fresh & doubles[multiset] and not _most_often_first(repeats, multiset, free):
            continue
        if wastes and repeats[multiset, colors]:
            continue  # a hole is a color that no candidate has
        start, stop = first[multiset], first[multiset + 1]
        if len(classes):
            while start < stop and not classes[number[start]]:
                start += 1
            if start == stop:
                continue
        if one_word:
            in_common = add_word(columns.flat_counts, rows, multiset, pegs)
            for t in range(len(pegs) + 1):
                sizes[t] = popcount(exactly(in_common, t) & columns.everyone[0])
        else:
            mask_common(board, multiset, columns)
        floor: Int = np.int64(0)
        for t in range(len(pegs) + 1):
            value = floors[t, sizes[t]]
            floor = floor + value if additive else max(floor, value)
        if floor <= limit:
            listed[count] = multiset
            begin[count] = start
            least[count] = floor
            count += 1
    return count
