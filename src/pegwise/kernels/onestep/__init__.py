"""A board of Mastermind as the arrays that the one-step kernels read.

Guesses are grouped by *multiset* of colors: the guesses of one multiset have as many colors in
common with any secret, so that work is shared. Inside the kernels a guess has a *slot*, its place
in that grouping; outside it has its number in numeric order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, U16, U32, U64, Bools
from pegwise.kernels.jit import Int, by_address, kernel_without_counts
from pegwise.kernels.marking import Signatures


@by_address
class BoardArrays(NamedTuple):
    """Arrays of a board with G guesses in M multisets and S secrets.

    A column is (position, color) or (k, color): see `bitslice`. Column `pegs * colors` stays
    empty; it stands for an empty hole.
    """

    pegs: tuple[int, ...]  # zeros: the compiler knows how many, and unrolls loops
    number: I32  # (G), number of the guess in each slot
    slot: I32  # (G), slot of each guess number
    codes: U8  # (G, pegs), colors by slot; `colors` is an empty hole
    keys: I64  # (G), a key by slot that sorts as the codes do
    number_keys: I64  # (G), the keys by number: ascending
    places: U16  # (G, pegs), columns (position, color) by slot
    # (G, 2), the first pegs // 2 pegs and the others, each as a number in base colors + 1, by slot
    halves: I32
    first: I32  # (M + 1), first slot of each multiset
    counts: U16  # (M, pegs), columns (k, color)
    members: U32  # (M), set of the colors
    doubles: U32  # (M), set of the colors of more than one peg
    repeats: U8  # (M, colors + 1), pegs of each color; the last one is empty holes
    group: I32  # (G), multiset by slot
    secret_places: U16  # (S, pegs)
    secret_counts: U16  # (S, pegs)
    secret_members: U32  # (S)
    secret_slot: I32  # (S), slot of the guess that is this secret
    guess_signatures: Signatures  # by slot
    secret_signatures: Signatures
    mark_ids: U8  # (pegs + 1, pegs + 1), number of a mark by black and by black + white
    repeats_allowed: bool  # whether a guess may repeat a color
    black: bool  # whether only black marks are given


def make_board(
    guess_codes: U8,
    secret_codes: U8,
    guess_of_secret: I32,
    colors: int,
    guess_signatures: Signatures,
    secret_signatures: Signatures,
    mark_ids: U8,
    *,
    repeats_allowed: bool,
    black: bool,
) -> BoardArrays:
    """The arrays of a board.

    Codes, uint8 (n, pegs), are in numeric order; values from `colors` on are empty holes.
    `guess_of_secret` is the number of the guess that is each secret. The other arguments are as
    in `BoardArrays`, signatures by number.
    """
    codes = np.minimum(guess_codes, colors)
    multiset = _keys(np.sort(codes, axis=1), colors)
    number = np.argsort(multiset, kind="stable").astype(np.int32)
    is_first = np.diff(multiset[number], prepend=-1) != 0
    slot = np.empty_like(number)
    slot[number] = np.arange(len(number))
    codes = codes[number]
    half = codes.shape[1] // 2
    keys = _keys(codes, colors)
    repeats = _repeats(codes[is_first], colors)
    return BoardArrays(
        pegs=(0,) * codes.shape[1],
        number=number,
        slot=slot,
        codes=codes,
        keys=keys,
        number_keys=keys[slot],
        places=_place_columns(codes, colors),
        halves=np.stack(
            [_keys(codes[:, :half], colors), _keys(codes[:, half:], colors)], axis=1
        ).astype(np.int32),
        first=np.append(np.flatnonzero(is_first), len(number)).astype(np.int32),
        counts=_count_columns(codes[is_first], colors),
        members=_color_sets(repeats >= 1),
        doubles=_color_sets(repeats >= 2),
        repeats=repeats,
        group=np.cumsum(is_first, dtype=np.int32) - np.int32(1),
        secret_places=_place_columns(secret_codes, colors),
        secret_counts=_count_columns(secret_codes, colors),
        secret_members=_color_sets(_repeats(secret_codes, colors) >= 1),
        secret_slot=slot[guess_of_secret],
        guess_signatures=Signatures(*(part.take(number, axis=0) for part in guess_signatures)),
        secret_signatures=secret_signatures,
        mark_ids=mark_ids,
        repeats_allowed=repeats_allowed,
        black=black,
    )


def _keys(codes: U8, colors: int) -> I64:
    """Codes read as numbers in base colors + 1."""
    keys = np.zeros(len(codes), np.int64)
    for column in codes.T:
        keys *= colors + 1
        keys += column
    return keys


def _repeats(codes: U8, colors: int) -> U8:
    """Pegs of each color, and at last empty holes: uint8 (n, colors + 1)."""
    every = range(colors + 1)
    return np.stack([(codes == color).sum(axis=1, dtype=np.uint8) for color in every], axis=1)


def _place_columns(codes: U8, colors: int) -> U16:
    """Column (position, color) of each peg."""
    pegs = codes.shape[1]
    columns = np.arange(pegs, dtype=np.uint16) * np.uint16(colors) + codes
    return np.where(codes < colors, columns, np.uint16(pegs * colors))


def _count_columns(codes: U8, colors: int) -> U16:
    """Column (k, color) of each peg of the sorted code, k the number of like pegs before it."""
    ordered, pegs = np.sort(codes, axis=1), codes.shape[1]
    k = np.zeros(codes.shape, np.uint16)
    for peg in range(1, pegs):
        k[:, peg] = np.where(ordered[:, peg] == ordered[:, peg - 1], k[:, peg - 1] + 1, 0)
    return np.where(ordered < colors, k * np.uint16(colors) + ordered, np.uint16(pegs * colors))


def _color_sets(has: Bools) -> U32:
    """Sets of colors as bits, from whether each is in: bool (n, colors + 1), holes left out."""
    colors = has.shape[1] - 1
    return has[:, :-1] @ (np.uint32(1) << np.arange(colors, dtype=np.uint32))


# What a strategy minimises, and room to work in.


@by_address
class Criteria(NamedTuple):
    """What is minimised, on a game of N secrets."""

    worth: I64  # (N + 1), worth of a part by its size
    additive: bool  # worths are added up; else the worth of the largest part counts
    floors: I64  # (pegs + 2, N + 1), see `class_floors`
    second: I64  # (N + 1), worth for ties
    second_additive: bool
    has_second: bool  # whether ties are broken by `second`
    only_candidates: bool  # play only candidates


@by_address
class Scratch(NamedTuple):
    """Memory of one thread, for sets of as many words as the largest set needs.

    A set of fewer words uses the beginning: row r, word w of its columns is at `r * words + w`.
    """

    places: U64  # (pegs * colors + 1, words), candidates by position and color
    counts: U64  # (pegs * colors + 1, words), candidates by color and number of pegs
    # (2, (colors + 1) ** (pegs - pegs // 2), 4), for sets of one word: bit planes of the sum of the
    # place columns of every first and second half of a code
    halves: Any
    everyone: U64  # (words), a bit for each candidate
    common: U64  # (pegs + 1, words), candidates with t colors in common with a multiset
    sizes: I64  # (pegs + 1), how many they are
    order: I64  # (pegs + 1), classes from the largest on
    tail: I64  # (pegs + 2), least score of a class and those after it
    listed: I32  # (M), multisets worth a look
    begin: I32  # (M), the first slot of each worth a look
    least: I64  # (M), the least score of each
    grouped: I32  # (candidates), their slots by multiset
    ends: I32  # (M + 1), where those of each multiset end
    renamed: I64  # (colors + 1), for canonical forms
    seen: U64  # (4), a bit for each mark


def make_scratch(pegs: int, colors: int, multisets: int, candidates: int) -> Scratch:
    """Memory for sets of up to so many candidates."""
    words = int(words_for(candidates))
    return Scratch(
        places=np.zeros((pegs * colors + 1) * words, np.uint64),
        counts=np.zeros((pegs * colors + 1) * words, np.uint64),
        halves=np.zeros((2, (colors + 1) ** (pegs - pegs // 2), 4), np.uint64),
        everyone=np.zeros(words, np.uint64),
        common=np.zeros((pegs + 1) * words, np.uint64),
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


@by_address
class Lookahead(NamedTuple):
    """What guesses are weighed with by one thread."""

    board: BoardArrays
    criteria: Criteria
    scratch: Scratch


@kernel_without_counts
def words_for(candidates: Int) -> Int:
    """Words of a column for so many candidates: whole vectors of 512 bits but for small sets."""
    words = (candidates + 63) >> 6
    return words if words <= 2 else (words + 7) & ~7


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
