"""Classes of guesses that color and position symmetry make equal, and the first code of each.

A symmetry permutes the pegs and renames the colors. Where it leaves every guess played so far as
it is, it permutes the candidates too, whatever the marks were; so the codes of a class split the
candidates into parts of the same sizes, and only the first of them needs to be scored.

Pegs with the same colors in every guess played form a *block*. A symmetry renames the played
colors so that blocks go to blocks of the same size; within a block the pegs are free, and so are
the names of colors never played. Only the renamings of played colors are enumerated: for each of
them the least image of a code is found peg by peg, and the search branches only where a color
without a name gets one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import kernel

__all__ = ["MAX_RENAMINGS", "representatives"]

U8 = npt.NDArray[np.uint8]
I8 = npt.NDArray[np.int8]
I64 = npt.NDArray[np.int64]

MAX_RENAMINGS: Final = 50_000
"""Renamings of played colors beyond this number are not tried: 8 different colors have 8!."""

Block = tuple[int, ...]


def representatives(codes: U8, colors: int, played: U8) -> npt.NDArray[np.bool_]:
    """Mark the numerically first code of each class.

    With more than `MAX_RENAMINGS` renamings of the played colors a class may have several codes
    marked, the first among them.

    Args:
        codes: uint8 (n, pegs), closed under permutations of pegs and of colors, as the list of
            all guesses is; values from `colors` on are empty holes.
        colors: number of colors.
        played: uint8 (k, pegs), the guesses that a symmetry must leave as they are; k from 0.

    Returns:
        bool (n).
    """
    columns: list[Block] = [
        tuple(column) for column in np.minimum(played, colors).T.astype(int).tolist()
    ]
    blocks = list(dict.fromkeys(columns))
    renamings, sources = _symmetries(blocks, Counter(columns), colors)
    out = np.empty(len(codes), np.bool_)
    _mark_first(
        codes,
        np.array([blocks.index(column) for column in columns], np.int8),
        np.setdiff1d(np.arange(colors), played).astype(np.int8),
        renamings,
        sources,
        out,
    )
    return out


def _symmetries(blocks: list[Block], sizes: Counter[Block], colors: int) -> tuple[I8, I8]:
    """Renamings of the played colors that keep the multiset of blocks, the identity first.

    Returns:
        New name of every color, int8 (renamings, colors + 1), with -1 for a color never played
        and the hole, last, as itself; and for every block the one whose pegs go there, int8
        (renamings, blocks).
    """
    found = itertools.islice(_extend(blocks, sizes, [], {colors: colors}), MAX_RENAMINGS)
    # few colors moved first: they tell most codes from the first of their class
    ordered = sorted(found, key=lambda pair: sum(old != new for old, new in pair[0].items()))
    renamings = np.full((len(ordered), colors + 1), -1, np.int8)
    sources = np.empty((len(ordered), len(blocks)), np.int8)
    for row, (names, targets) in enumerate(ordered):
        renamings[row, list(names)] = list(names.values())
        sources[row, targets] = range(len(blocks))
    return renamings, sources


def _extend(
    blocks: list[Block], sizes: Counter[Block], targets: list[int], names: dict[int, int]
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Send the next block to every free one that agrees with the names given so far."""
    if len(targets) == len(blocks):
        yield names, targets
        return
    block = blocks[len(targets)]
    for number, target in enumerate(blocks):
        if number in targets or sizes[target] != sizes[block]:
            continue
        longer = dict(names)
        # as blocks go to different blocks, colors get different names
        if all(longer.setdefault(old, new) == new for old, new in zip(block, target, strict=True)):
            yield from _extend(blocks, sizes, [*targets, number], longer)


@kernel
def _mark_first(
    codes: U8,
    block_of: I8,
    free: I8,
    renamings: I8,
    sources: I8,
    out: npt.NDArray[np.bool_],
) -> None:
    """Mark the codes that no symmetry makes smaller.

    Args:
        codes: uint8 (n, pegs).
        block_of: int8 (pegs), number of the block of each peg.
        free: int8, the colors never played, ascending.
        renamings: int8 (g, colors + 1), see `_symmetries`.
        sources: int8 (g, blocks), likewise.
        out: bool (n), receives the marks.
    """
    n, pegs = codes.shape
    hole = renamings.shape[1] - 1
    code = np.empty(pegs, np.int64)
    left = np.zeros((sources.shape[1], hole + 1), np.int64)
    name = np.empty(hole + 1, np.int64)
    taken = np.empty(pegs, np.int64)
    for number in range(n):
        left[:] = 0
        for peg in range(pegs):
            code[peg] = min(np.int64(codes[number, peg]), hole)
            left[block_of[peg], code[peg]] += 1
        out[number] = True
        for g in range(len(renamings)):
            name[:] = renamings[g]
            if _has_smaller_image(code, block_of, sources[g], left, name, free, taken):
                out[number] = False
                break


@kernel
def _name_of(color: int, name: I64, free: I8, named: int) -> int:
    """The name of a color in the image; a color without one would get the next free one."""
    return int(name[color] if name[color] >= 0 else free[named])


@kernel
def _has_smaller_image(
    code: I64, block_of: I8, source: I8, left: I64, name: I64, free: I8, taken: I64
) -> bool:
    """Whether one renaming of the played colors can make a code smaller.

    The image is filled peg by peg with the color of least name that is left, as long as it
    agrees with the code. Of several colors without a name each gets the next one in turn.

    Args:
        code: int64 (pegs).
        block_of: int8 (pegs), number of the block of each peg.
        source: int8 (blocks), the block whose pegs go there.
        left: int64 (blocks, colors + 1), pegs of the code; kept if the answer is no.
        name: int64 (colors + 1), new name of a color, -1 for none; likewise.
        free: int8, names for colors never played.
        taken: int64 (pegs), working space: the color at each peg of the image.
    """
    named = 0
    given = 0  # bit set: the pegs whose color got its name there
    peg = 0
    taken[0] = -1
    while peg >= 0:
        here = left[source[block_of[peg]]]
        if taken[peg] >= 0:
            here[taken[peg]] += 1
            if given >> peg & 1:
                given ^= 1 << peg
                named -= 1
                name[taken[peg]] = -1
        else:
            least = len(name)
            for color in range(len(name)):
                if here[color] > 0:
                    least = min(least, _name_of(color, name, free, named))
            if least < code[peg]:
                return True
            if least > code[peg]:
                peg -= 1
                continue
        color = taken[peg] + 1
        while color < len(name):
            if here[color] > 0 and _name_of(color, name, free, named) == code[peg]:
                break
            color += 1
        if color == len(name):
            peg -= 1
            continue
        taken[peg] = color
        here[color] -= 1
        if name[color] < 0:
            name[color] = code[peg]
            given |= 1 << peg
            named += 1
        if peg + 1 < len(code):
            peg += 1
            taken[peg] = -1
    return False
