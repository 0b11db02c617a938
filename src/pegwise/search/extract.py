"""The tree of an exact search, read off its transposition table.

Sets that the table has lost are solved again. What comes out depends on the game alone: the best
guess of every set is the first in an order that the table does not change.
"""

from __future__ import annotations

import numpy as np

from pegwise.errors import PegwiseError
from pegwise.game import Game
from pegwise.game.game import I64
from pegwise.kernels.exact import CLAIMS, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact_board import Board, Work, new_work
from pegwise.kernels.exact_bounds import INFINITE, Bounds
from pegwise.kernels.exact_table import U64
from pegwise.search.boards import Translation
from pegwise.strategies import Nodes

__all__ = ["Solver", "extract", "rename", "rename_back"]

_STEP = 1 << 20


def extract(
    game: Game,
    board: Board,
    bounds: Bounds,
    table: U64,
    translation: Translation,
    first: int,
    left: int,
) -> Nodes:
    """The nodes of the best tree.

    Args:
        game: what is played.
        board: the same, with the options of the search.
        bounds: lower bounds.
        table: transposition table of the search.
        translation: numbers of the game and of the search.
        first: the first guess, by number of the search.
        left: guesses allowed.
    """
    board = board._replace(whole=False, use_history=False, first=-1)
    solver = Solver(board, bounds, table)
    weights = translation.weights
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    level: list[tuple[int, int, I64, int]] = [(-1, 0, np.arange(game.n_secrets), first)]
    while level:
        following: list[tuple[int, int, I64, int]] = []
        left -= 1
        for parent, mark, codes, guess in level:
            node = len(guesses)
            guesses.append(int(translation.guesses[guess]))
            parents.append(parent)
            marks.append(mark)
            given = board.by_guess[guess, codes]
            wins.append(bool((given == board.winning).any()))
            for number in np.unique(given).tolist():
                if number != board.winning:
                    part = codes[given == number]
                    best = solver.best_guess(part, weights[part], left)
                    following.append((node, number, part, best))
        level = following
    return Nodes(
        np.array(guesses, np.int32),
        np.array(parents, np.int32),
        np.array(marks, np.uint8) if game.n_marks <= 256 else np.array(marks, np.uint16),
        np.array(wins, np.bool_),
    )


class Solver:
    """Finds the best guess of a set, with the table of the search."""

    def __init__(self, board: Board, bounds: Bounds, table: U64) -> None:
        self.board = board
        self.bounds = bounds
        self.table = table
        self.work = self._new_work(24)

    def _new_work(self, depths: int) -> Work:
        return new_work(self.board, depths, np.zeros((1, CLAIMS), np.uint64), 0)

    def best_guess(self, codes: I64, weights: I64, left: int) -> int:
        """The best guess for a set, by number of the search.

        Args:
            codes: int64 (n), the candidates, by number of the search.
            weights: int64 (n), their weights if the board has weights.
            left: guesses allowed.
        """
        if len(codes) <= 2:
            heavier = codes[int(np.argmax(weights))]
            return int(self.board.guess_of[heavier])
        while True:
            begin(self.board, self.work, codes, weights, INFINITE, left)
            source = self.work.renaming.source.copy()
            name = self.work.renaming.name.copy()
            status = RUNNING
            while status == RUNNING:
                status = advance(self.board, self.bounds, self.table, self.work, _STEP)
            if status != TOO_DEEP:
                break
            self.work = self._new_work(2 * len(self.work.frames))
        guess = int(self.work.frames["guess"][0])
        if guess < 0:
            raise PegwiseError("internal error: a part of the best tree has no solution")
        if not self.board.symmetric:
            return guess
        return rename_back(self.board, guess, source, name)


def rename(board: Board, guess: int, source: I64, name: I64) -> int:
    """A guess under other names, of pegs and of colors."""
    return _guess_number(board, name[board.symmetry.guesses[guess][source]])


def rename_back(board: Board, guess: int, source: I64, name: I64) -> int:
    """The guess whose renaming, pegs and colors, is the given one."""
    original = np.empty_like(name)
    original[name] = np.arange(len(name))
    digits = np.empty(len(source), np.int64)
    digits[source] = original[board.symmetry.guesses[guess]]
    return _guess_number(board, digits)


def _guess_number(board: Board, digits: I64) -> int:
    place = 0
    for digit in digits.tolist():
        place = place * (board.symmetry.colors + 1) + digit
    return int(board.symmetry.guess_at[place])
