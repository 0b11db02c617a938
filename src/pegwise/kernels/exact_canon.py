"""A canonical form of candidate sets: sets that a symmetry carries into each other become equal.

Two rounds of refinement give every color and every peg a signature that a renaming does not
change: sums, over the candidates, of what each has at the peg and in the color. Pegs are sorted
by signature, colors likewise with the absent ones last, and the codes are rewritten. Equal
signatures may leave symmetric sets apart, which costs time but no exactness: a canonical form is
always an image of the set.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.exact_table import Int, mix
from pegwise.kernels.jit import bare

__all__ = ["Renaming", "canonize", "new_renaming", "rename_code"]

U64 = npt.NDArray[np.uint64]
I64 = npt.NDArray[np.int64]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]

_ROUNDS: Final = 2
_ABSENT: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_1: Final = np.uint64(1)
_16: Final = np.uint64(16)
_29: Final = np.uint64(29)


class Renaming(NamedTuple):
    """A symmetry of the board, and working space to find it.

    Attributes:
        source: int64 (pegs), the peg that moves to each place.
        name: int64 (colors + 1), new name of every color; the hole, last, keeps its own.
        cells: uint64 (colors, pegs), sums for each color and peg.
        color_sign: uint64 (colors), signatures.
        peg_sign: uint64 (pegs), likewise.
        order: int64 (colors), colors by signature.
    """

    source: I64
    name: I64
    cells: U64
    color_sign: U64
    peg_sign: U64
    order: I64


def new_renaming(pegs: int, colors: int) -> Renaming:
    """The identity, with working space."""
    return Renaming(
        np.arange(pegs),
        np.arange(colors + 1),
        np.zeros((colors, pegs), np.uint64),
        np.zeros(colors, np.uint64),
        np.zeros(pegs, np.uint64),
        np.zeros(colors, np.int64),
    )


@bare
def rename_code(code: Int, digits: I16, number_of: I32, renaming: Renaming) -> Int:
    """The number of a code after a renaming.

    Args:
        code: its number.
        digits: int16 (codes, pegs); the hole is the number of colors.
        number_of: int32, number of a code by its digits in base colors + 1.
        renaming: what is done to it.
    """
    place = np.int64(0)
    base = len(renaming.name)
    for peg in range(len(renaming.source)):
        place = place * base + renaming.name[digits[code, renaming.source[peg]]]
    return np.int64(number_of[place])


@bare
def canonize(
    codes: I64, weights: I64, weighted: bool, digits: I16, number_of: I32, renaming: Renaming
) -> Int:
    """Rewrite a set in canonical form.

    Args:
        codes: int64 (n), numbers of the candidates; renamed in place, their order is kept.
        weights: int64 (n), their weights, if `weighted`.
        weighted: whether weights count.
        digits: int16 (secrets, pegs).
        number_of: see `rename_code`.
        renaming: receives the symmetry that was used.

    Returns:
        Number of colors that come in the set.
    """
    source, name, cells, color_sign, peg_sign, order = renaming
    pegs = len(source)
    colors = len(color_sign)
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
        present += color_sign[color] != _ABSENT
    for rank in range(colors):
        name[order[rank]] = rank
    for i in range(len(codes)):
        codes[i] = rename_code(codes[i], digits, number_of, renaming)
    return present


@bare
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
