"""Symmetries that keep the guesses played so far: one guess of each class needs to be tried."""

from __future__ import annotations

from typing import Final

import numpy as np

from pegwise.kernels.exact_board import HISTORY, Board, Work
from pegwise.kernels.exact_table import Int
from pegwise.kernels.jit import bare

__all__ = ["absent_in_order", "is_first_of_class", "keep_history"]

_SMALL: Final = 16
"""Deeper sets with fewer codes are not worth the trouble."""


@bare
def keep_history(board: Board, work: Work, d: Int) -> None:
    """Find the permutations of pegs, with renamings of colors, that keep the guesses played."""
    frame = work.frames[d]
    frame.symmetries = 0
    if not board.use_history or d > HISTORY or (d >= 2 and frame.size < _SMALL):
        return
    digits = board.symmetry.guesses
    colors = board.symmetry.colors
    pegs = digits.shape[1]
    seen = np.int64(0)
    for turn in range(d):
        for peg in range(pegs):
            seen |= np.int64(1) << digits[work.history[d, turn], peg]
    seen &= (np.int64(1) << colors) - 1
    found = 0
    for number in range(len(board.symmetry.permutations)):
        permutation = board.symmetry.permutations[number]
        name = work.groups[d, found]
        name[:] = -1
        used = np.int64(0)
        fits = True
        for turn in range(d):
            guess = work.history[d, turn]
            for peg in range(pegs):
                old = digits[guess, permutation[peg]]
                new = digits[guess, peg]
                if old == colors or new == colors:
                    fits = old == new
                elif name[old] < 0:
                    fits = not used >> new & 1
                    name[old] = new
                    used |= np.int64(1) << new
                else:
                    fits = name[old] == new
                if not fits:
                    break
            if not fits:
                break
        if fits:
            name[colors] = number
            found += 1
    free = ~seen & ((np.int64(1) << colors) - 1)
    frame.free = free
    # the identity alone tells nothing
    frame.symmetries = found if found > 1 or free & (free - 1) else 0


@bare
def is_first_of_class(board: Board, work: Work, d: Int, guess: Int) -> bool:
    """Whether no symmetry that keeps the history makes the guess smaller."""
    symmetry = board.symmetry
    digits = symmetry.guesses
    colors = symmetry.colors
    free = work.frames[d].free
    extra = work.names
    for number in range(work.frames[d].symmetries):
        name = work.groups[d, number]
        permutation = symmetry.permutations[name[colors]]
        extra[:] = -1
        next_free = 0
        place = np.int64(0)
        for peg in range(digits.shape[1]):
            color = np.int64(digits[guess, permutation[peg]])
            if color < colors:
                new = name[color]
                if new < 0:
                    # colors never played take the first free names, in order
                    if extra[color] < 0:
                        while not free >> next_free & 1:
                            next_free += 1
                        extra[color] = next_free
                        next_free += 1
                    new = extra[color]
                color = new
            place = place * (colors + 1) + color
        if symmetry.guess_at[place] < guess:
            return False
    return True


@bare
def absent_in_order(board: Board, guess: Int, present: Int) -> bool:
    """Whether colors that no candidate has come in ascending order, each once."""
    digits = board.symmetry.guesses
    expected = present
    for peg in range(digits.shape[1]):
        color = digits[guess, peg]
        if present <= color < board.symmetry.colors:
            if color != expected:
                return False
            expected += 1
    return True
