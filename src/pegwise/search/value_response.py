"""The codebreaker's best response to a codemaker who draws secrets by known weights."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Final

import numpy as np

from pegwise.errors import PegwiseError, TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.game.game import I64
from pegwise.kernels.exact_board import Board
from pegwise.kernels.exact_bounds import INFINITE, build_bounds
from pegwise.kernels.exact_evaluate import UNLIMITED
from pegwise.kernels.exact_table import U64, new_table
from pegwise.search.boards import make_board
from pegwise.search.extract import extract
from pegwise.search.memory import table_bits_for
from pegwise.search.runner import Runner
from pegwise.search.value_classes import Classes
from pegwise.trees import Tree
from pegwise.trees.verify import verify

__all__ = ["MAX_WEIGHT", "BestResponse", "check_size"]

MAX_SECRETS: Final = 25_000
_DEEPEST: Final = 1 << 10
"""Best trees are nowhere near as deep: costs stay below what counts as infinite."""

MAX_WEIGHT: Final = INFINITE // 2 // _DEEPEST
"""The largest sum of weights that is searched."""


def check_size(game: Game) -> None:
    """Refuse a game that is too large to search.

    Raises:
        TooLargeError: says how large it may be.
    """
    if game.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{game} has {secrets:,} secrets, too many for the value of the game (at most {most:,})",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_SECRETS,
        )


class BestResponse:
    """Exact searches of one game, each against other weights.

    Weights are the same within a class, so every symmetry of the game holds in every search.

    Args:
        game: what is played; without weights of its own.
        classes: of its secrets.
        threads: how many search side by side; value and tree are the same for any number.

    Raises:
        TooLargeError: a game too large to search.
    """

    def __init__(self, game: Game, classes: Classes, *, threads: int = 1) -> None:
        check_size(game)
        self.game = game
        self.classes = classes
        self.threads = threads
        board, self.translation = make_board(game, None)
        self.board = board._replace(whole=True, use_history=isinstance(game, Mastermind))
        self.bounds = build_bounds(game.n_marks, game.n_secrets)
        self.table_bits = table_bits_for(game.n_secrets)
        self.table: U64 | None = None
        self.positions = 0
        self._runner: Runner | None = None

    @property
    def fraction(self) -> float:
        """A rough estimate of how much of the present search is done, 0 to 1."""
        states = self._runner.states if self._runner else []
        return max((state.fraction for state in states), default=0.0)

    def steps(self, weights: tuple[int, ...], table: U64 | None = None) -> Generator[None]:
        """Search the best tree against these weights, one for each class, step by step.

        Args:
            weights: whole numbers from 0 with a sum over all secrets of at most `MAX_WEIGHT`.
            table: what a search against the same weights already knows.
        """
        board, spread = self._weighted(weights)
        self.table = new_table(self.table_bits) if table is None else table
        runner = Runner(board, self.bounds, self.table, spread, UNLIMITED, self.threads)
        self._runner = runner
        yield from runner.steps()

    def answer(self, weights: tuple[int, ...]) -> tuple[int, Tree]:
        """After `steps`: the least cost against these weights, and the best tree, verified.

        Raises:
            PegwiseError: the tree does not verify; then there is a mistake in this program.
        """
        if self._runner is None or self.table is None:
            raise PegwiseError("internal error: no search has been made")
        board, spread = self._weighted(weights)
        best = self._runner.best
        self.positions += self._runner.positions
        translation = replace(self.translation, weights=spread)
        nodes = extract(
            self.game, board, self.bounds, self.table, translation, best.guess, UNLIMITED
        )
        cost = best.value * (1 if board.weighted else max(weights))
        tree = Tree(self.game, nodes, "value")
        played = verify(tree)
        found = self.classes.cost(weights, self.classes.totals(tree))
        if not played.valid or found != cost:
            raise PegwiseError(
                "internal error: the best response on {game} costs {found}, but the search said "
                "{cost}{problem}",
                game=self.game.name,
                found=found,
                cost=cost,
                problem="".join(f"; {text}" for text in played.problems[:1]),
            )
        self._runner = self.table = None
        return cost, tree

    def _weighted(self, weights: tuple[int, ...]) -> tuple[Board, I64]:
        """The board and the weights as the kernels take them; equal weights need none."""
        if len(set(weights)) == 1:
            return self.board, np.ones(self.game.n_secrets, np.int64)
        spread = self.classes.spread(weights)[self.translation.secrets]
        return self.board._replace(weighted=True), spread
