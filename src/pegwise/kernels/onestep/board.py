"""A board of Mastermind as the arrays that the one-step kernels read.

Guesses are grouped by *multiset* of colors: the guesses of one multiset have as many colors in
common with any secret, so that work is shared. Inside the kernels a guess has a *slot*, its place
in that grouping; outside it has its number in numeric order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, U16, U32, Bools
from pegwise.kernels.jit import by_address
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
