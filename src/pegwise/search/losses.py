"""Where a strategy loses: the guesses above best play, taken apart turn by turn.

A tree needs in all what its guesses cost. At every node the candidates have an exact value, the
guesses that best play needs for all of them; what the guess played there needs more, when best
play follows, is its loss. The losses of all nodes add up to the total of the tree minus the
smallest total of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import InputError, TooLargeError
from pegwise.game import Game, Turn, all_secrets
from pegwise.progress import Progress, Report, silent
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import model_of
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.trees.tree import Tree, check_tree

MAX_SECRETS: Final = 1296
"""Games of more secrets are refused: their positions take too long to solve."""

_SHOWN: Final = 10
_REPORTS: Final = 50


@dataclass(frozen=True, slots=True)
class Loss:
    """A position where a guess loses.

    Attributes:
        turns: what was played before, guess and mark each, as text.
        guess: what is played.
        best: a guess that loses nothing.
        candidates: how many codes are possible.
        cost: guesses that it loses, over all codes that are possible there.
    """

    turns: tuple[str, ...]
    guess: str
    best: str
    candidates: int
    cost: int


@dataclass(frozen=True, slots=True)
class Losses:
    """The guesses of a tree above best play.

    Attributes:
        total: in all: the total of the tree minus the smallest total.
        by_turn: by the turn in which they are lost, from turn 1.
        best: share of the positions in which the guess loses nothing.
        inconsistent: share of the positions in which the guess cannot be the code.
        positions: those that cost most, the largest first.
    """

    total: int
    by_turn: tuple[int, ...]
    best: float
    inconsistent: float
    positions: tuple[Loss, ...]

    def document(self) -> dict[str, Any]:
        """The losses as JSON."""
        return asdict(self)


class _Values:
    """Exact values of sets of candidates of one game, with one transposition table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._model = model_of(game, with_weights=False)
        self._search = SetSearch(self._model, TranspositionTable(table_bits_for(game.n_secrets)))
        self._known: dict[bytes, tuple[int, int]] = {}

    def of(self, candidates: I32) -> tuple[int, int]:
        """Guesses that best play needs for all of them, and the number of a best guess."""
        n = len(candidates)
        if n <= 2:
            return 2 * n - 1, int(self._game.guess_of_secret[candidates[0]])
        key = candidates.tobytes()
        if key not in self._known:
            self._known[key] = self._solved(candidates)
        return self._known[key]

    def _solved(self, candidates: I32) -> tuple[int, int]:
        if len(candidates) == self._game.n_secrets:
            tree = find_optimum(self._game).tree
            return tree.total, int(tree.nodes.guess[0])
        codes = self._model.secret_at[candidates].astype(np.int64)
        ones = np.ones(len(codes), np.int64)
        guess = self._search.best_guess(codes, ones, self._model.board.start)
        return int(self._search.frame["best"]), int(self._model.guesses[guess])


@lru_cache(maxsize=2)
def _values(game: Game) -> _Values:
    """The values of a game, shared by its trees."""
    return _Values(game)


def losses(tree: Tree, *, report: Report = silent) -> Losses:
    """Take a tree apart against best play; every secret counts once.

    Args:
        tree: of a game of at most `MAX_SECRETS` secrets.
        report: receives the positions done so far.

    Raises:
        InputError: no tree, or one that does not find every secret.
        TooLargeError: the game has too many secrets.
    """
    check_tree(tree)
    game, nodes = tree.game, tree.nodes
    if game.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{game} has {secrets:,} secrets: losses are worked out for at most {most:,}",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_SECRETS,
        )
    if game.weights is not None:
        raise InputError("losses count every code once: leave out the weights")
    if not tree.depths().all():
        raise InputError("losses need a tree that finds every secret")
    values = _values(game)
    cost = np.zeros(len(tree), np.int64)
    best = np.zeros(len(tree), np.int32)
    for done, (node, candidates, value, sums) in enumerate(_positions(tree, values), 1):
        cost[node] = len(candidates) + sums - value[0]
        best[node] = value[1]
        if done * _REPORTS // len(tree) > (done - 1) * _REPORTS // len(tree):
            report(Progress(done, len(tree), "positions"))
    by_turn = np.bincount(tree.node_depths, cost).astype(np.int64)[1:]
    order = [node for node in np.argsort(-cost, kind="stable").tolist() if cost[node]][:_SHOWN]
    return Losses(
        total=int(cost.sum()),
        by_turn=tuple(by_turn.tolist()),
        best=float((cost == 0).mean()),
        inconsistent=float((~nodes.wins).mean()),
        positions=tuple(_loss(tree, node, int(cost[node]), int(best[node])) for node in order),
    )


def _positions(tree: Tree, values: _Values) -> Iterator[tuple[int, I32, tuple[int, int], int]]:
    """Each node, its candidates, their value, and the sum of the values after the guess played."""
    game, nodes = tree.game, tree.nodes
    waiting: list[tuple[int, I32]] = [(0, all_secrets(game))]
    while waiting:
        node, candidates = waiting.pop()
        marks = game.marks(int(nodes.guess[node]), candidates)
        sums = 0
        for child in tree.children(node):
            part = candidates[marks == nodes.mark[child]]
            sums += values.of(part)[0]
            waiting.append((child, part))
        yield node, candidates, values.of(candidates), sums


def _loss(tree: Tree, node: int, cost: int, best: int) -> Loss:
    game = tree.game
    turns = (Turn(game.guess(guess), game.mark(mark)) for guess, mark in tree.path(node))
    return Loss(
        turns=tuple(map(str, turns)),
        guess=str(game.guess(int(tree.nodes.guess[node]))),
        best=str(game.guess(best)),
        candidates=int(tree.node_sizes[node]),
        cost=cost,
    )
