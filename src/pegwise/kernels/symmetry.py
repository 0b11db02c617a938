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

import numpy as np

from pegwise.arrays import I8, I32, I64, U8, Bools
from pegwise.kernels import numpy_backend
from pegwise.kernels.jit import Int, kernel, subkernel


def representatives(codes: U8, colors: int, played: U8) -> Bools:
    """Mark the numerically first code of each class under symmetries that keep the guesses played.

    Codes, uint8 (n, pegs), are closed under permutations of pegs and of colors, as the list of all
    guesses is; values from `colors` on are empty holes. With more renamings of the played colors
    than `numpy_backend.MAX_RENAMINGS` a class may have several codes marked, the first among them.
    """
    out = np.empty(len(codes), np.bool_)
    _mark_first(codes, *numpy_backend.symmetries(played, colors), out)
    return out


@kernel
def _mark_first(codes: U8, block_of: I8, free: I8, renamings: I8, sources: I8, out: Bools) -> None:
    """Mark the codes that no symmetry makes smaller."""
    n, pegs = codes.shape
    hole = renamings.shape[1] - 1
    code = np.empty(pegs, np.int64)
    remaining = np.zeros((sources.shape[1], hole + 1), np.int64)
    name = np.empty(hole + 1, np.int64)
    taken = np.empty(pegs, np.int64)
    for number in range(n):
        remaining[:] = 0
        for peg in range(pegs):
            code[peg] = min(np.int64(codes[number, peg]), hole)
            remaining[block_of[peg], code[peg]] += 1
        out[number] = True
        for g in range(len(renamings)):
            name[:] = renamings[g]
            if _has_smaller_image(code, block_of, sources[g], remaining, name, free, taken):
                out[number] = False
                break


@subkernel
def _name_of(color: int, name: I64, free: I8, named: int) -> int:
    """The name of a color in the image; a color without one would get the next free one."""
    return int(name[color] if name[color] >= 0 else free[named])


@subkernel
def _has_smaller_image(
    code: I64, block_of: I8, source: I8, remaining: I64, name: I64, free: I8, taken: I64
) -> bool:
    """Whether one renaming of the played colors can make a code smaller.

    The image is filled peg by peg with the color of least name that is left, as long as it
    agrees with the code. Of several colors without a name each gets the next one in turn.
    """
    named = 0
    namers = 0  # bit set: the pegs whose color got its name there
    peg = 0
    taken[0] = -1
    while peg >= 0:
        available = remaining[source[block_of[peg]]]
        if taken[peg] >= 0:
            available[taken[peg]] += 1
            if namers >> peg & 1:
                namers ^= 1 << peg
                named -= 1
                name[taken[peg]] = -1
        else:
            least = len(name)
            for color in range(len(name)):
                if available[color] > 0:
                    least = min(least, _name_of(color, name, free, named))
            if least < code[peg]:
                return True
            if least > code[peg]:
                peg -= 1
                continue
        color = taken[peg] + 1
        while color < len(name):
            if available[color] > 0 and _name_of(color, name, free, named) == code[peg]:
                break
            color += 1
        if color == len(name):
            peg -= 1
            continue
        taken[peg] = color
        available[color] -= 1
        if name[color] < 0:
            name[color] = code[peg]
            namers |= 1 << peg
            named += 1
        if peg + 1 < len(code):
            peg += 1
            taken[peg] = -1
    return False


# Symmetries that keep some guesses as they are, the orbits they make, and forms of sets.
#
# A symmetry permutes the pegs and renames the colors, those of all pegs alike or (`black`, where
# every peg stands for itself) those of each peg on its own. Peg k of an image is the new name, at
# peg k, of the color at peg `order[k]`. Names are int64 (pegs, colors + 1); the last is the hole,
# which stays one.


_LONGEST = 20_000
"""Orders of a set that are looked at for its form; more are left out."""


def symmetries(played: U8, orders: I8, colors: int, *, each_peg: bool) -> tuple[I8, I8]:
    """The permutations of pegs that, with new names for the colors, keep all guesses played.

    These are uint8 (k, pegs), with `colors` for a hole; `orders` are int8 (n, pegs). With
    `each_peg` the colors of each peg have names of their own. Of those that do the orders, int8
    (m, pegs), and the names, int8 (m, pegs, colors + 1), are returned; colors not played keep
    their names as far as they can.
    """
    n, pegs = orders.shape
    old, new = played[:, orders], played[:, None]
    number, peg = np.arange(n)[:, None], np.arange(pegs) * each_peg
    names = np.full((n, pegs if each_peg else 1, colors + 1), -1, np.int8)
    back = names.copy()
    names[number, peg, old], back[number, peg, new] = new, old
    names[..., colors] = back[..., colors] = colors
    same = (names[number, peg, old] == new) & (back[number, peg, new] == old)
    good = same.all(axis=(0, 2))
    names, back = names[good], back[good]
    # the colors without a name get the free ones, in their order
    names[names < 0] = np.nonzero(back < 0)[-1]
    return orders[good], names.repeat(pegs // names.shape[1], axis=1)


@kernel
def orbits(codes: U8, index: I32, orders: I8, names: I8, out: I32) -> None:
    """Write the smallest number in the orbit of each code, uint8 (n, pegs), to `out`, int32 (n).

    The codes are all guesses, with the number of colors for a hole; `index`, int32, is the number
    of a code read with base colors + 1. Orders and names of the symmetries are as in `symmetries`.
    """
    n, pegs = codes.shape
    base = names.shape[2]
    out[:] = np.arange(n)
    for g in range(len(orders)):
        for code in range(n):
            key = 0
            for peg in range(pegs):
                key = key * base + names[g, peg, codes[code, orders[g, peg]]]
            root, image_root = np.int64(code), np.int64(index[key])
            while out[root] != root:
                root = np.int64(out[root])
            while out[image_root] != image_root:
                image_root = np.int64(out[image_root])
            if root < image_root:
                out[image_root] = root
            else:
                out[root] = image_root
    for code in range(n):
        out[code] = out[out[code]]


@kernel
def canonical_form(rows: U8, colors: int, orders: I8, each_peg: bool, best: U8) -> None:
    """Write a set of guesses, uint8 (k, pegs), to `best` as symmetries make it smallest.

    Colors are named as they first appear, guess by guess; of all guesses that may come next the
    one of smallest image does, and where several do, each is tried. Equal forms are images of
    one set; sets of equal shape have equal forms unless `_LONGEST` stops the search. The other
    arguments are as for `symmetries`.
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


@subkernel
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


@subkernel
def _give_names(row: U8, order: I8, names: I64, named: I64, each_peg: bool) -> None:
    """Keep the names that a guess gives."""
    for peg in range(len(row)):
        color = row[order[peg]]
        at = peg if each_peg else 0
        if names[at, color] < 0:
            names[at, color] = named[at]
            named[at] += 1


@subkernel
def _compare(first: U8, second: U8) -> Int:
    """-1, 0 or 1 as the first row is smaller than the second, the same, or larger."""
    for k in range(len(first)):
        if first[k] != second[k]:
            return -1 if first[k] < second[k] else 1
    return 0
