"""Sets of candidates as a search for good trees names them, and the way back to the game's names.

The canonical form of a set may depend on how its codes were named before. So whoever looks up
what the search has found for a position goes the way of the search: from canonical form to
canonical form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pegwise.game.game import I64
from pegwise.kernels.exact import begin
from pegwise.kernels.exact_board import Board
from pegwise.kernels.exact_bounds import INFINITE
from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import key_of
from pegwise.search.extract import rename, rename_back

__all__ = ["TINY", "Named", "as_named", "parts_of"]

TINY: Final = 12
"""Sets of so many codes, or fewer, are solved in no time under any names."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A set under names of its own.

    Attributes:
        codes: int64 (n), ascending.
        weights: int64 (n), or one element when there are none.
        key: what the position is found by, guesses left included; -1 when nobody looks for it.
        source: int64 (pegs), the peg of the game that moved to each place.
        name: int64 (colors + 1), new name of every color of the game; the hole keeps its own.
    """

    codes: I64
    weights: I64
    key: int
    source: I64
    name: I64

    def into(self, guess: int, board: Board) -> int:
        """The number of a guess of the game under these names."""
        return rename(board, guess, self.source, self.name) if board.symmetric else guess

    def back(self, guess: int, board: Board) -> int:
        """The number in the game of a guess under these names."""
        return rename_back(board, guess, self.source, self.name) if board.symmetric else guess


def as_named(codes: I64, weights: I64, key: int, board: Board) -> Named:
    """A set whose present names count as those of the game.

    Args:
        codes: int64 (n), ascending.
        weights: int64 (n), or one element when there are none.
        key: what the position is found by.
        board: the game.
    """
    pegs = board.symmetry.guesses.shape[1] if board.symmetric else 0
    return Named(codes, weights, key, np.arange(pegs), np.arange(board.symmetry.colors + 1))


def parts_of(
    explorer: Explorer, whole: Named, guess: int, left: int, *, larger_than: int = 0
) -> Iterator[tuple[int, Named]]:
    """The parts that a guess leaves, by mark, but for the winning one.

    Args:
        explorer: of this thread.
        whole: the candidates.
        guess: what is played, under their names.
        left: guesses allowed after it.
        larger_than: smaller parts are left out, and those of this size.
    """
    board, work = explorer.kernels.board, explorer.work
    row = board.by_guess[guess][whole.codes]
    for mark in np.unique(row).tolist():
        own = np.flatnonzero(row == mark)
        if mark == board.winning or len(own) <= larger_than:
            continue
        codes = whole.codes[own]
        weights = whole.weights[own] if board.weighted else whole.weights
        if len(codes) <= TINY:
            yield mark, Named(codes, weights, -1, whole.source, whole.name)
            continue
        begin(board, work, codes, weights, INFINITE, left)
        frame = work.frames[0]
        key = key_of(frame["key1"], frame["key2"])
        renamed = work.codes[0, : len(codes)]
        order = np.argsort(renamed)
        codes = renamed[order]
        if board.weighted:
            weights = work.weights[0, order]
        source, name = whole.source, whole.name
        if board.symmetric:
            source, name = source[work.renaming.source], work.renaming.name[name]
        yield mark, Named(codes, weights, key, source, name)
