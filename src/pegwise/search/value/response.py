"""Classes of secrets that the symmetries of a game carry into each other.

A codebreaker who exchanges pegs and renames colors at random before playing finds every secret
of a class with the same expected number of guesses. So an optimal codemaker may choose a class
and draw any secret of it with the same chance.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I64, U64
from pegwise.errors import PegwiseError, TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import INFINITE, build_bounds
from pegwise.kernels.exact.table import new_table
from pegwise.kernels.exact.weigh import UNLIMITED
from pegwise.search.exact.driver import Runner, extract
from pegwise.search.exact.model import make_board
from pegwise.search.memory import search_memory, table_bits_for
from pegwise.trees import Tree
from pegwise.trees.verify import verify


@dataclass(frozen=True)
class Classes:
    """The secrets of a game by class.

    Attributes:
        number: int64 (n_secrets), the class of each secret.
        first: the first secret of each class, by number; classes are in this order.
        sizes: number of secrets of each class.
    """

    number: I64
    first: tuple[int, ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.sizes)

    def totals(self, tree: Tree) -> tuple[int, ...]:
        """Guesses of a tree over all secrets of each class; of a tree that verifies."""
        depths = tree.depths().astype(np.int64)
        sums = np.zeros(len(self), np.int64)
        np.add.at(sums, self.number, depths)
        return tuple(sums.tolist())

    def means(self, totals: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Expected guesses for a secret of each class."""
        return tuple(Fraction(t, size) for t, size in zip(totals, self.sizes, strict=True))

    def spread(self, weights: tuple[int, ...]) -> I64:
        """int64 (n_secrets): the weight of every secret, from one for each class."""
        spread: I64 = np.array(weights, np.int64)[self.number]
        return spread

    def weight(self, weights: tuple[int, ...]) -> int:
        """Sum of the weights of all secrets."""
        return sum(w * size for w, size in zip(weights, self.sizes, strict=True))

    def cost(self, weights: tuple[int, ...], totals: tuple[int, ...]) -> int:
        """Guesses over all secrets, each counted by its weight."""
        return sum(w * total for w, total in zip(weights, totals, strict=True))


def classes_of(game: Game) -> Classes:
    """The classes of a game.

    On a board two secrets are alike when an exchange of pegs and a renaming of colors carries
    one into the other: when the numbers of pegs of their colors are the same. Where only black
    marks are given and guesses are free, colors may be renamed on each peg by itself, and all
    secrets are alike. Of other games no symmetry is known: every secret is a class.
    """
    if not isinstance(game, Mastermind):
        signs: npt.NDArray[Any] = np.arange(game.n_secrets)[:, None]
    else:
        rules, codes = game.rules, game.secret_codes
        if rules.secrets_are_distinct or rules.black:
            signs = np.zeros((len(codes), 1), np.uint8)
        else:
            counts = np.stack([(codes == color).sum(1) for color in range(rules.colors)], axis=1)
            signs = np.sort(counts, axis=1)[:, ::-1]
    _, first, inverse = np.unique(signs, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    number = rank[inverse.reshape(-1)].astype(np.int64)
    return Classes(
        number, tuple(first[order].tolist()), tuple(np.bincount(number).astype(int).tolist())
    )


# The codebreaker's best response to a codemaker who draws secrets by known weights.

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


def value_memory(game: Game) -> int:
    """Bytes that a search for the value of a game takes, with kernels compiled, estimated.

    Raises:
        TooLargeError: the game is too large to search.
    """
    check_size(game)
    return search_memory(game)
