"""A board of Mastermind as the arrays that the one-step kernels read.

Guesses are grouped by *multiset* of colors: the guesses of one multiset have as many colors in
common with any secret, so that work is shared. Inside the kernels a guess has a *slot*, its place
in that grouping; outside it has its number in numeric order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.marking import Signatures

__all__ = ["Board", "make_board"]

U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


class Board(NamedTuple):
    """Arrays of a board with G guesses in M multisets and S secrets.

    A column is (position, color) or (k, color): see `bitslice`. Column `pegs * colors` stays
    empty; it stands for an empty hole.

    Attributes:
        pegs: a tuple of `pegs` zeros: its length is known to the compiler, which unrolls loops.
        number: int32 (G), number of the guess in each slot.
        slot: int32 (G), slot of each guess number.
        codes: uint8 (G, pegs), colors by slot; `colors` is an empty hole.
        keys: int64 (G), a key by slot that sorts as the codes do.
        number_keys: int64 (G), the keys by number: ascending.
        places: uint16 (G, pegs), columns (position, color) by slot.
        halves: int32 (G, 2), the first pegs // 2 pegs and the others, each read as a number in
            base colors + 1, by slot.
        first: int32 (M + 1), first slot of each multiset.
        counts: uint16 (M, pegs), columns (k, color).
        members: uint32 (M), set of the colors.
        doubles: uint32 (M), set of the colors of more than one peg.
        repeats: uint8 (M, colors + 1), pegs of each color; the last one is empty holes.
        group: int32 (G), multiset by slot.
        secret_places: uint16 (S, pegs).
        secret_counts: uint16 (S, pegs).
        secret_members: uint32 (S).
        secret_slot: int32 (S), slot of the guess that is this secret.
        guess_signatures: places and counts by slot (see `marking`).
        secret_signatures: likewise by secret.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of a mark by black and by black + white.
        repeats_allowed: whether a guess may repeat a color.
        black: whether only black marks are given.
    """

    pegs: tuple[int, ...]
    number: I32
    slot: I32
    codes: U8
    keys: I64
    number_keys: I64
    places: U16
    halves: I32
    first: I32
    counts: U16
    members: U32
    doubles: U32
    repeats: U8
    group: I32
    secret_places: U16
    secret_counts: U16
    secret_members: U32
    secret_slot: I32
    guess_signatures: Signatures
    secret_signatures: Signatures
    mark_ids: U8
    repeats_allowed: bool
    black: bool


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
) -> Board:
    """The arrays of a board.

    Args:
        guess_codes: uint8 (G, pegs) in numeric order; values from `colors` on are empty holes.
        secret_codes: uint8 (S, pegs) in numeric order.
        guess_of_secret: int32 (S), number of the guess that is this secret.
        colors: number of colors.
        guess_signatures: places and counts of the guesses, by number.
        secret_signatures: likewise of the secrets.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of a mark by black and by black + white.
        repeats_allowed: whether a guess may repeat a color.
        black: whether only black marks are given.
    """
    pegs = guess_codes.shape[1]
    codes = np.minimum(guess_codes, colors)
    sorted_pegs = np.sort(codes, axis=1)
    multiset_keys = _keys(sorted_pegs, colors)
    number = np.argsort(multiset_keys, kind="stable").astype(np.int32)
    slot = np.empty_like(number)
    slot[number] = np.arange(len(number), dtype=np.int32)
    _, first, group = np.unique(multiset_keys[number], return_index=True, return_inverse=True)
    representatives = sorted_pegs[number[first]]
    repeats = np.stack([(representatives == c).sum(axis=1) for c in range(colors + 1)], axis=1)
    number_keys = _keys(codes, colors)
    return Board(
        pegs=(0,) * pegs,
        number=number,
        slot=slot,
        codes=np.ascontiguousarray(codes[number]),
        keys=number_keys[number],
        number_keys=number_keys,
        places=_place_columns(codes[number], colors),
        halves=np.stack(
            [
                _keys(codes[number, : pegs // 2], colors),
                _keys(codes[number, pegs // 2 :], colors),
            ],
            axis=1,
        ).astype(np.int32),
        first=np.append(first, len(number)).astype(np.int32),
        counts=_count_columns(representatives, colors),
        members=_members(repeats[:, :colors] > 0),
        doubles=_members(repeats[:, :colors] > 1),
        repeats=repeats.astype(np.uint8),
        group=group.astype(np.int32),
        secret_places=_place_columns(secret_codes, colors),
        secret_counts=_count_columns(np.sort(secret_codes, axis=1), colors),
        secret_members=_members(
            np.stack([(secret_codes == c).any(axis=1) for c in range(colors)], axis=1)
        ),
        secret_slot=slot[guess_of_secret],
        guess_signatures=Signatures(*(part[number] for part in guess_signatures)),
        secret_signatures=Signatures(*secret_signatures),
        mark_ids=mark_ids,
        repeats_allowed=repeats_allowed,
        black=black,
    )


def _keys(codes: U8, colors: int) -> I64:
    keys = np.zeros(len(codes), np.int64)
    for column in codes.T:
        keys = keys * (colors + 1) + column
    return keys


def _place_columns(codes: U8, colors: int) -> U16:
    pegs = codes.shape[1]
    columns = np.arange(pegs, dtype=np.uint16) * colors + codes
    return np.where(codes < colors, columns, pegs * colors).astype(np.uint16)


def _count_columns(sorted_codes: U8, colors: int) -> U16:
    """Column (k, color) of each peg, k the number of pegs of that color before it."""
    pegs = sorted_codes.shape[1]
    before = np.zeros(sorted_codes.shape, np.uint16)
    for peg in range(1, pegs):
        same = sorted_codes[:, peg] == sorted_codes[:, peg - 1]
        before[:, peg] = np.where(same, before[:, peg - 1] + 1, 0)
    return np.where(sorted_codes < colors, before * colors + sorted_codes, pegs * colors).astype(
        np.uint16
    )


def _members(present: npt.NDArray[np.bool_]) -> U32:
    bits = np.uint32(1) << np.arange(present.shape[1], dtype=np.uint32)
    members: U32 = (present * bits).sum(axis=1).astype(np.uint32)
    return members
