"""Candidate sets: their canonical form under the symmetries, and the parts that guesses make.

Two rounds of refinement give every color and every peg a signature that a renaming does not
change: sums, over the candidates, of what each has at the peg and in the color. Pegs are sorted
by signature, colors likewise with the absent ones last, and the codes are rewritten. Equal
signatures may leave symmetric sets apart, which costs time but no exactness: a canonical form is
always an image of the set. It costs most where codes repeat no color and only black marks are
given: many colors are alike. There, one after the other is told from those like it, and each is
followed by a round (individualization and refinement: B. D. McKay, Practical graph isomorphism,
Congressus Numerantium 30, 1981). On other boards the rounds cost more than they save.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arrays import I16, I32, I64, U16, U32, U64, Bools
from pegwise.kernels.jit import (
    Int,
    bit,
    by_address,
    inlined,
    kernel_without_counts,
    mix,
    popcount,
    popcount16,
    subkernel,
)

_ROUNDS: Final = 2
_ABSENT: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_1: Final = np.uint64(1)
_16: Final = np.uint64(16)
_29: Final = np.uint64(29)


@by_address
class Renaming(NamedTuple):
    """A symmetry of the board, and working space to find it."""

    source: I64  # (pegs), the peg that moves to each place
    # (names + 1), the new color of every name; the hole, last, becomes the number of colors. There
    # are as many names as colors, or, where pegs change their colors without each other, for each
    # peg
    name: I64
    named: I64  # (1, or pegs), working space
    cells: U64  # (names, pegs), sums for each name and peg
    color_sign: U64  # (names), signatures
    peg_sign: U64  # (pegs), likewise
    order: I64  # (names), names by signature
    individualized: int  # most colors that are told from those like them, one a round


def new_renaming(pegs: int, colors: int, names: int, individualized: int) -> Renaming:
    """The identity, with working space."""
    return Renaming(
        np.arange(pegs),
        np.append(np.arange(names) % max(colors, 1), colors),
        np.zeros(names // max(colors, 1), np.int64),
        np.zeros((names, pegs), np.uint64),
        np.zeros(names, np.uint64),
        np.zeros(pegs, np.uint64),
        np.zeros(names, np.int64),
        individualized,
    )


@kernel_without_counts
def rename_code(code: Int, digits: I16, number_of: I32, renaming: Renaming) -> Int:
    """The number of a code after a renaming.

    `digits`, int16 (codes, pegs), have the number of names for a hole; `number_of`, int32, is the
    number of a code by its digits in base colors + 1.
    """
    place = np.int64(0)
    base = renaming.name[-1] + 1
    for peg in range(len(renaming.source)):
        place = place * base + renaming.name[digits[code, renaming.source[peg]]]
    return np.int64(number_of[place])


@kernel_without_counts
def canonize(
    codes: I64, weights: I64, weighted: bool, digits: I16, number_of: I32, renaming: Renaming
) -> Int:
    """Rewrite a set in canonical form; the number of its colors is returned.

    The codes, int64 (n), are renamed in place, and their order is kept. Weights, int64 (n), count
    if `weighted`. `digits` and `number_of` are as for `rename_code`.
    """
    source, name, order = renaming.source, renaming.name, renaming.order
    cells, color_sign, peg_sign = renaming.cells, renaming.color_sign, renaming.peg_sign
    pegs = len(source)
    colors = len(color_sign)
    each = renaming.name[-1]
    renaming.named[:] = 0
    cells[:] = 0
    for i in range(len(codes)):
        # the low bits count, so that a color that comes never has the sum 0
        term = mix(np.uint64(weights[i])) << _16 | _1 if weighted else _1
        for peg in range(pegs):
            cells[digits[codes[i], peg], peg] += term
    peg_sign[:] = 0
    for color in range(colors):
        total = np.uint64(0)
        count = np.uint64(0)
        for peg in range(pegs):
            cell = cells[color, peg]
            count |= cell
            term = mix(cell)
            total += term
            peg_sign[peg] += mix(term)
        # the lowest bit tells an absent color, whose signature is larger than any other
        color_sign[color] = mix(total) >> _1 if count else _ABSENT
    for peg in range(pegs):
        peg_sign[peg] = mix(peg_sign[peg])
    for _ in range(_ROUNDS):
        _refine(codes, weights, weighted, digits, renaming)
    for _ in range(renaming.individualized):
        tied = _first_tied(color_sign)
        if tied == colors:
            break
        color_sign[tied] = mix(np.uint64(color_sign[tied])) >> _1
        _refine(codes, weights, weighted, digits, renaming)
    for peg in range(pegs):
        rank = peg
        while rank > 0 and peg_sign[source[rank - 1]] > peg_sign[peg]:
            source[rank] = source[rank - 1]
            rank -= 1
        source[rank] = peg
    present = 0
    for color in range(colors):
        rank = color
        while rank > 0 and color_sign[order[rank - 1]] > color_sign[color]:
            order[rank] = order[rank - 1]
            rank -= 1
        order[rank] = color
    for rank in range(colors):
        at = order[rank] // each
        name[order[rank]] = renaming.named[at]
        renaming.named[at] += 1
        if color_sign[order[rank]] != _ABSENT:
            present = max(present, renaming.named[at])
    for i in range(len(codes)):
        codes[i] = rename_code(codes[i], digits, number_of, renaming)
    return present


@subkernel
def _refine(codes: I64, weights: I64, weighted: bool, digits: I16, renaming: Renaming) -> None:
    """Make signatures tell more: sums of hashes of codes by the signatures of their pegs."""
    cells, color_sign, peg_sign = renaming.cells, renaming.color_sign, renaming.peg_sign
    pegs = len(peg_sign)
    cells[:] = 0
    for i in range(len(codes)):
        code = codes[i]
        total = mix(np.uint64(weights[i])) if weighted else np.uint64(0)
        for peg in range(pegs):
            x = color_sign[digits[code, peg]] ^ (peg_sign[peg] * _ODD)
            total += x * x + (x >> _29)
        total = mix(total)
        for peg in range(pegs):
            cells[digits[code, peg], peg] += total
    for color in range(len(color_sign)):
        total = np.uint64(0)
        for peg in range(pegs):
            term = mix(cells[color, peg])
            cells[color, peg] = term * (color_sign[color] | _1)
            total += term * (peg_sign[peg] | _1)
        if color_sign[color] != _ABSENT:
            color_sign[color] = mix(total) >> _1
    for peg in range(pegs):
        total = np.uint64(0)
        for color in range(len(color_sign)):
            total += cells[color, peg]
        peg_sign[peg] = mix(total)


@subkernel
def _first_tied(color_sign: U64) -> Int:
    """A color of the smallest signature that several have; the number of colors if none is."""
    least = _ABSENT
    tied = np.int64(len(color_sign))
    for color in range(1, len(color_sign)):
        if color_sign[color] < least:
            for earlier in range(color):
                if color_sign[earlier] == color_sign[color]:
                    least, tied = color_sign[color], np.int64(earlier)
    return tied


# How many parts every guess makes of a set, for all guesses at once.
#
# The marks of one secret under all guesses stand in a row of bytes. With at most 32 or 64 marks the
# rows of the candidates are turned into bits and joined, one word for each guess, and the bits are
# counted. With more marks, the row of each candidate of a small set is compared with those before
# it: where the mark is new, there is one more part. The compiler makes vector code of these loops.
# Large sets with many marks take less time with several words for each guess.


_TILE: Final = 512
"""Guesses whose rows are compared at a time: these stay in the nearest cache."""

_COMPARED: Final = 64
"""The largest sets whose rows are compared."""


@by_address
class Masks(NamedTuple):
    """Working space for `count_parts`.

    With up to 32 marks there is a short word for each guess, with up to 64 a long one; with more
    marks there are several for each guess of a tile. The rest is empty.
    """

    short: U32
    long: U64
    seen: Bools


def new_masks(n_marks: int, n_guesses: int) -> Masks:
    """Working space for games of so many marks and guesses."""
    words = (n_marks + 63) >> 6
    short = n_guesses if n_marks <= 32 else 0
    long = 0 if n_marks <= 32 else n_guesses if words == 1 else _TILE * words
    return Masks(
        np.zeros(short, np.uint32),
        np.zeros(long, np.uint64),
        np.zeros(_TILE if words > 1 else 0, np.bool_),
    )


@subkernel
def _join(by_secret: Any, codes: I64, n_guesses: Int, masks: Any, counts: U16) -> None:
    done = len(codes) & 3
    row0 = by_secret[codes[0]]
    if done == 0:
        masks[:n_guesses] = 0
    elif done == 1:
        for g in range(n_guesses):
            masks[g] = bit(masks, row0[g])
    elif done == 2:
        row1 = by_secret[codes[1]]
        for g in range(n_guesses):
            masks[g] = bit(masks, row0[g]) | bit(masks, row1[g])
    else:
        row1 = by_secret[codes[1]]
        row2 = by_secret[codes[2]]
        for g in range(n_guesses):
            masks[g] = bit(masks, row0[g]) | bit(masks, row1[g]) | bit(masks, row2[g])
    # four rows at a time: the words are read and written once
    for i in range(done, len(codes), 4):
        row0 = by_secret[codes[i]]
        row1 = by_secret[codes[i + 1]]
        row2 = by_secret[codes[i + 2]]
        row3 = by_secret[codes[i + 3]]
        for g in range(n_guesses):
            two = bit(masks, row0[g]) | bit(masks, row1[g])
            masks[g] |= two | bit(masks, row2[g]) | bit(masks, row3[g])
    for g in range(n_guesses):
        counts[g] = popcount16(masks[g])


@subkernel
def _compare(by_secret: Any, codes: I64, n_guesses: Int, seen: Bools, counts: U16) -> None:
    for start in range(0, n_guesses, _TILE):
        stop = min(start + _TILE, n_guesses)
        parts = counts[start:stop]
        old = seen[: stop - start]
        parts[:] = 1
        for i in range(1, len(codes)):
            row = by_secret[codes[i]][start:stop]
            old[:] = False
            for j in range(i & 3):
                row0 = by_secret[codes[j]][start:stop]
                for g in range(len(old)):
                    old[g] |= row[g] == row0[g]
            for j in range(i & 3, i, 4):
                row0 = by_secret[codes[j]][start:stop]
                row1 = by_secret[codes[j + 1]][start:stop]
                row2 = by_secret[codes[j + 2]][start:stop]
                row3 = by_secret[codes[j + 3]][start:stop]
                for g in range(len(old)):
                    mark = row[g]
                    one_of_two = (mark == row0[g]) | (mark == row1[g])
                    old[g] |= one_of_two | (mark == row2[g]) | (mark == row3[g])
            for g in range(len(old)):
                parts[g] += np.uint16(not old[g])


@subkernel
def _join_words(by_secret: Any, codes: I64, n_guesses: Int, masks: Any, counts: U16) -> None:
    words = len(masks) // _TILE
    for start in range(0, n_guesses, _TILE):
        stop = min(start + _TILE, n_guesses)
        masks[:] = 0
        for code in codes:
            row = by_secret[code][start:stop]
            for g in range(len(row)):
                mark = np.int64(row[g])
                masks[g * words + (mark >> 6)] |= bit(masks, mark & 63)
        for g in range(stop - start):
            parts = np.int64(0)
            for word in masks[g * words : (g + 1) * words]:
                parts += popcount(word)
            counts[start + g] = parts


@kernel_without_counts
def count_parts(by_secret: Any, codes: I64, n_guesses: Int, masks: Masks, counts: U16) -> Int:
    """Write the number of parts that the first guesses make of a set; the largest is returned.

    Marks are (secrets, guesses); codes int64 (n), n at least 1; counts uint16 (guesses).
    """
    if len(masks.short):
        _join(by_secret, codes, n_guesses, masks.short, counts)
    elif len(masks.seen) == 0:
        _join(by_secret, codes, n_guesses, masks.long, counts)
    elif len(codes) <= _COMPARED:
        _compare(by_secret, codes, n_guesses, masks.seen, counts)
    else:
        _join_words(by_secret, codes, n_guesses, masks.long, counts)
    most = np.uint16(0)
    for g in range(n_guesses):
        most = max(most, counts[g])
    return np.int64(most)


@inlined
def distinct_marks(row: Any, codes: I64, last_seen: I64, stamp: Int) -> Int:
    """How many different marks the codes get; `last_seen` holds no such stamp."""
    marks: Int = np.int64(0)
    for code in codes:
        if last_seen[row[code]] != stamp:
            last_seen[row[code]] = stamp
            marks += 1
    return marks


@kernel_without_counts
def most_parts_inside(by_guess: Any, guess_of: I64, codes: I64, last_seen: I64) -> Int:
    """Most parts that a code of the set makes of it.

    `guess_of`, int64 (secrets), is the guess that is a secret; `last_seen`, int64 (marks), is
    working space.
    """
    most = np.int64(0)
    few = len(last_seen) <= 64
    if not few:
        last_seen[:] = -1
    for a in codes:
        row = by_guess[guess_of[a]]
        if few:
            mask = np.uint64(0)
            for b in codes:
                mask |= bit(mask, row[b])
            parts = popcount(mask)
        else:
            parts = distinct_marks(row, codes, last_seen, a)
        most = max(most, parts)
        if most == len(codes):
            break
    return most
