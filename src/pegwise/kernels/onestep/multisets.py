"""What a one-step strategy minimises, the bounds that follow from it, and room to work in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import Int, bare, inlined, kernel, popcount
from pegwise.kernels.onestep.bitslice import Columns, add_word, exactly, mask_common, words_for
from pegwise.kernels.onestep.board import Board

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


# Which multisets of colors are worth a look, and which guesses are equal.
#
# Colors that no candidate has are one color; colors not yet played are interchangeable. Of guesses
# that are equal in this way only one is scored, and the first in numeric order is played, so that
# the choice is the one that the plain definition makes.

Bools = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]


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
