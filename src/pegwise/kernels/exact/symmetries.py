"""Symmetries that keep a set: one guess of each class needs to be tried.

Twins are colors that may be exchanged; there are also permutations of pegs that keep the guesses
played so far.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.arrays import I16, I32, I64
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.work import HISTORY, Work
from pegwise.kernels.jit import Int, mix, subkernel

_SMALL: Final = 16
"""Permutations are not worth the trouble for deeper sets with fewer codes."""


@subkernel
def find_symmetries(
    board: Board, work: Work, d: Int, codes: I64, digits: I16, number_of: I32, use_history: bool
) -> None:
    """Find the symmetries of the set of frame d, which `is_first_of_class` uses.

    `codes`, int64 (n), have the same twins; `digits` and `number_of` are as for `rename_code`.
    """
    frame = work.frames[d]
    frame.symmetries = 0
    if board.symmetric:
        twins = _find_twins(board, work, d, codes, digits, number_of)
        count = _keep_history(board, work, d) if use_history else 1
        frame.symmetries = count if count > 1 or twins else 0


@subkernel
def _find_twins(board: Board, work: Work, d: Int, codes: I64, digits: I16, number_of: I32) -> bool:
    """Find the classes of colors whose exchange keeps the set; whether there are any."""
    colors, names = board.symmetry.colors, board.symmetry.names
    twins, next_twin, last = work.twins[d], work.next_twin[d], work.upcoming
    cells, member, chains, heads = work.renaming.cells, work.member, work.chains, work.heads
    offset = work.frames[d].offset
    cells[:] = 0
    heads[:] = -1
    for i in range(len(codes)):
        code = codes[i]
        weight = work.weights[d, offset + i] if board.weighted else np.int64(0)
        member[code] = weight + 1
        term = mix(np.uint64(weight + 1))
        for peg in range(digits.shape[1]):
            name = digits[code, peg]
            if name < names:
                cells[name, peg] += term
                chains[code, peg] = heads[name, peg]
                heads[name, peg] = code
    are_any = False
    for name in range(names):
        twins[name] = name
        next_twin[name] = -1
        work.twin_before[d, name] = -1
        for first in range(name // colors * colors, name):
            if twins[first] == first and _are_twins(board, work, name, first, digits, number_of):
                twins[name] = first
                next_twin[last[first]] = name
                work.twin_before[d, name] = last[first]
                last[first] = name
                are_any = True
                break
    for code in codes:
        member[code] = 0
    for name in range(names):
        last[name] = name
    return are_any


@subkernel
def _are_twins(board: Board, work: Work, name: Int, twin: Int, digits: I16, number_of: I32) -> bool:
    """Whether an exchange of two colors keeps the set, whose codes `work.member` tells."""
    cells, member, pegs = work.renaming.cells, work.member, digits.shape[1]
    colors, names = board.symmetry.colors, board.symmetry.names
    for peg in range(pegs):
        if cells[name, peg] != cells[twin, peg]:
            return False
    for chain in range(pegs):
        code = np.int64(work.heads[name, chain])
        while code >= 0:
            place = np.int64(0)
            for peg in range(pegs):
                color: Int = np.int64(digits[code, peg])
                if color == name:
                    color = twin
                elif color == twin:
                    color = name
                if color == names:
                    color = colors
                elif names > colors:
                    color -= peg * colors
                place = place * (colors + 1) + color
            if member[number_of[place]] != member[code]:
                return False
            code = np.int64(work.chains[code, chain])
    return True


@subkernel
def _keep_history(board: Board, work: Work, d: Int) -> Int:
    """Find the permutations of pegs, with renamings of colors, that keep the guesses played.

    Their number is returned; the first one is the identity.
    """
    if d > HISTORY or (d >= 2 and work.frames[d].size < _SMALL):
        return 1
    symmetry = board.symmetry
    digits, colors, names = symmetry.guesses, symmetry.colors, symmetry.names
    pegs = digits.shape[1]
    used = work.images
    for turn in range(d):
        for peg in range(pegs):
            played = digits[work.history[d, turn], peg]
            if played < names:
                used[played] = 0
    for peg in range(pegs):
        free: Int = np.int64(peg * colors if names > colors else 0)
        while free < names - 1 and used[free] == 0:
            free += 1
        work.first_free[d, peg] = free
    count: Int = np.int64(0)
    for number in range(len(symmetry.permutations)):
        permutation = symmetry.permutations[number]
        name_of = work.groups[d, count]
        name_of[:] = -1
        used[:] = -1
        fits = True
        for turn in range(d):
            guess = work.history[d, turn]
            for peg in range(pegs):
                old = digits[guess, permutation[peg]]
                new = digits[guess, peg]
                if old == names or new == names:
                    fits = old == new
                elif name_of[old] < 0:
                    fits = used[new] < 0
                    name_of[old] = new
                    used[new] = 0
                else:
                    fits = name_of[old] == new
                if not fits:
                    break
            if not fits:
                break
        if fits:
            name_of[names] = number
            count += 1
    used[:] = -1
    return count


@subkernel
def is_first_of_class(board: Board, work: Work, d: Int, guess: Int) -> bool:
    """Whether no symmetry of the set makes the guess smaller."""
    symmetry = board.symmetry
    digits, colors, names = symmetry.guesses, symmetry.colors, symmetry.names
    pegs = digits.shape[1]
    # the colors of a class come in order
    for peg in range(pegs):
        name: Int = np.int64(digits[guess, peg])
        before = work.twin_before[d, name] if name < names else np.int64(-1)
        if before >= 0:
            earlier = 0
            while earlier < peg and digits[guess, earlier] != before:
                earlier += 1
            if earlier == peg:
                return False
    images, upcoming, renamed = work.images, work.upcoming, work.renamed_pegs
    for number in range(1, work.frames[d].symmetries):
        name_of = work.groups[d, number]
        permutation = symmetry.permutations[name_of[names]]
        place = np.int64(0)
        for peg in range(pegs):
            digit: Int = np.int64(colors)
            name = np.int64(digits[guess, permutation[peg]])
            if name < names:
                # colors never played are twins, all of them or those of a peg
                if name_of[name] >= 0:
                    name = np.int64(name_of[name])
                elif names > colors:
                    name = work.first_free[d, peg]
                if images[name] < 0:
                    first = work.twins[d, name]
                    images[name] = upcoming[first]
                    upcoming[first] = work.next_twin[d, upcoming[first]]
                digit = images[name] - peg * colors if names > colors else images[name]
            renamed[peg] = name
            place = place * (colors + 1) + digit
        for name in renamed:
            if name < names:
                images[name] = -1
                upcoming[work.twins[d, name]] = work.twins[d, name]
        if symmetry.guess_at[place] < guess:
            return False
    return True
