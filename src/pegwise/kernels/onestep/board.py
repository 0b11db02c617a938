"""A board of Mastermind as the arrays that the one-step kernels read.

Guesses are grouped by *multiset* of colors: the guesses of one multiset have as many colors in
common with any secret, so that work is shared. Inside the kernels a guess has a *slot*, its place
in that grouping; outside it has its number in numeric order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, U16, U32, U64
from pegwise.kernels.jit import Int, bare, by_address, kernel
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
    n, pegs = guess_codes.shape
    number, slot, group = (np.empty(n, np.int32) for _ in range(3))
    first = _by_multiset(guess_codes, colors, _ranks(pegs, colors), number, slot, group)
    codes = np.minimum(guess_codes, colors).take(number, axis=0)
    leaders = codes[first[:-1]]
    keys = _keys(codes, colors, np.empty(n, np.int64))
    halves = np.empty((n, 2), np.int32)
    _keys(codes[:, : pegs // 2], colors, halves[:, 0])
    _keys(codes[:, pegs // 2 :], colors, halves[:, 1])
    return BoardArrays(
        pegs=(0,) * pegs,
        number=number,
        slot=slot,
        codes=codes,
        keys=keys,
        number_keys=keys[slot],
        places=_place_columns(codes, colors, np.empty_like(codes, np.uint16)),
        halves=halves,
        first=first,
        counts=_count_columns(leaders, colors, np.empty_like(leaders, np.uint16)),
        members=_colors_of(leaders, colors, 1, np.empty(len(leaders), np.uint32)),
        doubles=_colors_of(leaders, colors, 2, np.empty(len(leaders), np.uint32)),
        repeats=np.stack(
            [(leaders == color).sum(axis=1, dtype=np.uint8) for color in range(colors + 1)], axis=1
        ),
        group=group,
        secret_places=_place_columns(secret_codes, colors, np.empty_like(secret_codes, np.uint16)),
        secret_counts=_count_columns(secret_codes, colors, np.empty_like(secret_codes, np.uint16)),
        secret_members=_colors_of(secret_codes, colors, 1, np.empty(len(secret_codes), np.uint32)),
        secret_slot=slot[guess_of_secret],
        guess_signatures=Signatures(*(part.take(number, axis=0) for part in guess_signatures)),
        secret_signatures=secret_signatures,
        mark_ids=mark_ids,
        repeats_allowed=repeats_allowed,
        black=black,
    )


def _ranks(pegs: int, colors: int) -> I64:
    """How many multisets come before one, color by color.

    Multisets of colors and empty holes are ranked as their sorted codes are. Of those that agree
    up to some color, the ones with more pegs of it come first.

    Returns:
        int64 (colors + 1, pegs + 1): by color, and how many pegs are of later ones.
    """
    return np.array(
        [
            [
                math.comb(later - 1 + colors - color, later - 1) if later else 0
                for later in range(pegs + 1)
            ]
            for color in range(colors + 1)
        ]
    )


@kernel
def _by_multiset(codes: U8, colors: Int, ranks: I64, number: I32, slot: I32, group: I32) -> I32:
    """Group codes by multiset, those of one multiset in their order.

    Returns:
        `BoardArrays.first`.
    """
    n, pegs = codes.shape
    rank_of = np.empty(n, np.int32)
    # how many codes have a rank, then where its next code goes
    at = np.zeros(ranks[:, pegs].sum() + 1, np.int32)
    tally = np.zeros(colors + 1, np.int64)
    for code in range(n):
        for peg in range(pegs):
            tally[min(np.int64(codes[code, peg]), colors)] += 1
        rank, rest = 0, pegs
        for color in range(colors + 1):
            rest -= tally[color]
            rank += ranks[color, rest]
            tally[color] = 0
        rank_of[code] = rank
        at[rank] += 1
    multisets = 0
    for rank in range(len(at)):
        multisets += at[rank] > 0
    first = np.empty(multisets + 1, np.int32)
    start, multiset = 0, 0
    for rank in range(len(at)):
        if at[rank]:
            first[multiset] = start
            group[start : start + at[rank]] = multiset
            multiset += 1
            start, at[rank] = start + at[rank], start
    first[multiset] = n
    for code in range(n):
        slot[code] = at[rank_of[code]]
        number[slot[code]] = code
        at[rank_of[code]] += 1
    return first


# Arrays are made by NumPy, which puts large ones on large pages of memory; kernels only fill them.


@kernel
def _keys(codes: U8, colors: Int, out: Any) -> Any:
    """Codes read as numbers in base colors + 1."""
    n, pegs = codes.shape
    for code in range(n):
        key = np.int64(0)
        for peg in range(pegs):
            key = key * (colors + 1) + codes[code, peg]
        out[code] = key
    return out


@kernel
def _place_columns(codes: U8, colors: Int, out: U16) -> U16:
    """Column (position, color) of each peg."""
    n, pegs = codes.shape
    for code in range(n):
        for peg in range(pegs):
            color = np.int64(codes[code, peg])
            out[code, peg] = peg * colors + color if color < colors else pegs * colors
    return out


@kernel
def _count_columns(codes: U8, colors: Int, out: U16) -> U16:
    """Column (k, color) of each peg of the sorted code, k the number of like pegs before it."""
    n, pegs = codes.shape
    tally = np.zeros(colors + 1, np.int64)
    for code in range(n):
        for peg in range(pegs):
            tally[min(np.int64(codes[code, peg]), colors)] += 1
        peg = 0
        for color in range(colors):
            for k in range(tally[color]):
                out[code, peg] = k * colors + color
                peg += 1
        out[code, peg:] = pegs * colors
        tally[:] = 0
    return out


@kernel
def _colors_of(codes: U8, colors: Int, least: Int, out: U32) -> U32:
    """Set of the colors of at least so many pegs of each code, as bits."""
    n, pegs = codes.shape
    tally = np.zeros(colors + 1, np.int64)
    for code in range(n):
        members = 0
        for peg in range(pegs):
            color = min(np.int64(codes[code, peg]), colors)
            tally[color] += 1
            if tally[color] == least and color < colors:
                members |= 1 << color
        out[code] = members
        tally[:] = 0
    return out


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


@bare
def words_for(candidates: Int) -> Int:
    """Words of a column for so many candidates: whole vectors of 512 bits but for small sets."""
    words = (candidates + 63) >> 6
    return words if words <= 2 else (words + 7) & ~7


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
