"""Symmetries that keep some guesses as they are, the orbits they make, and forms of sets.

A symmetry permutes the pegs and renames the colors, those of all pegs alike or (`black`, where
every peg stands for itself) those of each peg on its own. Peg k of an image is the new name, at
peg k, of the color at peg `order[k]`. Names are int64 (pegs, colors + 1); the last is the hole,
which stays one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import Int, kernel

__all__ = ["canonical_form", "orbits", "symmetries"]

U8 = npt.NDArray[np.uint8]
I8 = npt.NDArray[np.int8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]

_LONGEST = 20_000
"""Orders of a set that are looked at for its form; more are left out."""


@kernel
def symmetries(played: U8, colors: int, orders: I8, each_peg: bool, names: I8, good: I64) -> Int:
    """Find the permutations of pegs that, with new names for the colors, keep all played guesses.

    Args:
        played: uint8 (k, pegs), with `colors` for a hole.
        colors: number of colors.
        orders: int8 (n, pegs), permutations of the pegs.
        each_peg: whether the colors of each peg have names of their own.
        names: int8 (n, pegs, colors + 1), receives the names of the permutations found; colors
            not played keep theirs as far as they can.
        good: int64 (n), receives which permutations were found.

    Returns:
        How many were found.
    """
    count = 0
    pegs = orders.shape[1]
    taken = np.empty(colors + 1, np.bool_)
    for number in range(len(orders)):
        order = orders[number]
        new = names[count]
        new[:] = -1
        fits = True
        for peg in range(pegs):
            if each_peg or peg == 0:
                taken[:] = False
                new[peg, colors] = colors
                taken[colors] = True
            for row in range(len(played)):
                at = peg if each_peg else 0
                old, wanted = played[row, order[peg]], played[row, peg]
                if new[at, old] < 0 and not taken[wanted]:
                    new[at, old] = wanted
                    taken[wanted] = True
                fits = fits and new[at, old] == wanted
            if not fits:
                break
            if each_peg:
                _complete(new[peg], taken)
        if not fits:
            continue
        if not each_peg:
            _complete(new[0], taken)
            for peg in range(1, pegs):
                new[peg] = new[0]
        good[count] = number
        count += 1
    return count


@kernel
def _complete(new: I8, taken: npt.NDArray[np.bool_]) -> None:
    """Give the colors without a name the free ones, in their order."""
    free = 0
    for color in range(len(new)):
        if new[color] < 0:
            while taken[free]:
                free += 1
            new[color] = free
            taken[free] = True


@kernel
def orbits(codes: U8, index: I32, orders: I8, names: I8, out: I32) -> None:
    """Write the smallest number in the orbit of each code.

    Args:
        codes: uint8 (n, pegs), all guesses, with the number of colors for a hole.
        index: int32 ((colors + 1) ** pegs), number of a code read with base colors + 1.
        orders: int8 (g, pegs), of the symmetries.
        names: int8 (g, pegs, colors + 1), likewise.
        out: int32 (n), receives the result.
    """
    n, pegs = codes.shape
    base = names.shape[2]
    out[:] = np.arange(n)
    for g in range(len(orders)):
        for code in range(n):
            key = 0
            for peg in range(pegs):
                key = key * base + names[g, peg, codes[code, orders[g, peg]]]
            one, other = np.int64(code), np.int64(index[key])
            while out[one] != one:
                one = np.int64(out[one])
            while out[other] != other:
                other = np.int64(out[other])
            if one < other:
                out[other] = one
            else:
                out[one] = other
    for code in range(n):
        out[code] = out[out[code]]


@kernel
def canonical_form(rows: U8, colors: int, orders: I8, each_peg: bool, best: U8) -> None:
    """Write a set of guesses as symmetries make it smallest.

    Colors are named as they first appear, guess by guess; of all guesses that may come next the
    one of smallest image does, and where several do, each is tried. Equal forms are images of
    one set; sets of equal shape have equal forms unless `_LONGEST` stops the search.

    Args:
        rows: uint8 (k, pegs), with `colors` for a hole.
        colors: number of colors.
        orders: int8 (n, pegs), permutations of the pegs.
        each_peg: whether the colors of each peg have names of their own.
        best: uint8 (k, pegs), receives the form.
    """
    k, pegs = rows.shape
    best[:] = 255
    names = np.empty((k + 1, pegs, colors + 1), np.int64)
    named = np.empty((k + 1, pegs), np.int64)
    used = np.zeros(k, np.bool_)
    placed = np.empty(k, np.int64)
    image = np.empty(pegs, np.uint8)
    least = np.empty(pegs, np.uint8)
    steps = 0
    for number in range(len(orders)):
        order = orders[number]
        names[0] = -1
        names[0, :, colors] = colors
        named[0] = 0
        used[:] = False
        placed[0] = -1
        d = 0
        while d >= 0:
            steps += 1
            if steps > _LONGEST and number > 0:
                return
            if placed[d] >= 0:
                used[placed[d]] = False
            # the smallest image of the guesses left, and the next guess that has it
            least[:] = 255
            following = -1
            for row in range(k):
                if used[row]:
                    continue
                _name(rows[row], order, names[d], named[d], each_peg, image)
                compared = _compare(image, least)
                if compared < 0:
                    least[:] = image
                    following = -1
                if compared <= 0 and following < 0 and row > placed[d]:
                    following = row
            compared = _compare(least, best[d])
            if following < 0 or compared > 0:
                d -= 1
                continue
            if compared < 0:
                best[d] = least
                best[d + 1 :] = 255
            placed[d] = following
            used[following] = True
            names[d + 1] = names[d]
            named[d + 1] = named[d]
            _give_names(rows[following], order, names[d + 1], named[d + 1], each_peg)
            if d + 1 == k:
                continue
            d += 1
            placed[d] = -1


@kernel
def _name(row: U8, order: I8, names: I64, named: I64, each_peg: bool, image: U8) -> None:
    """Write the image of a guess; colors without a name get the next ones as they appear."""
    extra = 0
    for peg in range(len(row)):
        color = row[order[peg]]
        at = peg if each_peg else 0
        name = names[at, color]
        if name < 0:
            name = named[at]
            if not each_peg:
                for earlier in range(peg):
                    if row[order[earlier]] == color:
                        name = np.int64(image[earlier])
                        break
                else:
                    name = named[0] + extra
                    extra += 1
        image[peg] = name


@kernel
def _give_names(row: U8, order: I8, names: I64, named: I64, each_peg: bool) -> None:
    """Keep the names that a guess gives."""
    for peg in range(len(row)):
        color = row[order[peg]]
        at = peg if each_peg else 0
        if names[at, color] < 0:
            names[at, color] = named[at]
            named[at] += 1


@kernel
def _compare(one: U8, other: U8) -> Int:
    """-1, 0 or 1 as one row is smaller than the other, the same, or larger."""
    for k in range(len(one)):
        if one[k] != other[k]:
            return -1 if one[k] < other[k] else 1
    return 0
