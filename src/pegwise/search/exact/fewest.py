"""Of all trees of the smallest total, the one with the fewest secrets at the last guesses.

Fewest at the last guess; of these fewest at the one before, and so on. In a tree of the smallest
total every part has its smallest total too. The numbers of secrets by guess, compared from the last
guess, add up over the parts, and the order of two of them stays when the same is added to both. So
each part chooses for itself: it takes the best of all guesses that reach its smallest total.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import PegwiseError
from pegwise.game import Game
from pegwise.progress import Progress, Report, silent
from pegwise.search.exact.driver import Played, tree_nodes
from pegwise.search.exact.sets import SetCosts
from pegwise.trees import Tree
from pegwise.trees.lower_bound import INFINITE, UNLIMITED
from pegwise.trees.verify import verify

_Counts = tuple[int, ...]
"""Numbers of secrets found with 1, 2, ... guesses."""


class _Fewest(SetCosts):
    def __init__(self, game: Game, report: Report) -> None:
        super().__init__(game)
        self.report = report
        self.counts: dict[tuple[int, bytes], _Counts] = {}

    def least(self, codes: I64, limit: int) -> _Counts:
        """The least numbers of secrets by guess that a tree of the smallest total has."""
        if len(codes) == 1:
            return (1,)
        key = limit, self.canonical(codes).key
        if key not in self.counts:
            self.counts[key] = min(
                (counts for _, counts in self.guesses(codes, limit)), key=_from_last
            )
            self.report(Progress(len(self.counts), None, "sets"))
        return self.counts[key]

    def guesses(self, codes: I64, limit: int) -> Iterator[tuple[int, _Counts]]:
        """Guesses that reach the smallest total of a set, with the least numbers after them."""
        checker, winning = self.checker, self.game.winning
        marks = checker.table[codes]
        bounds, splits = checker.counting(codes, marks, limit)
        costs = checker.weights[codes].sum() + bounds.sum(axis=0)
        total = self.cost(codes, limit, INFINITE - 1)
        usable = np.flatnonzero(splits & (costs <= total))
        if len(codes) == self.game.n_secrets:
            _, classes = self.symmetries(codes)
            usable = usable[classes[usable] == usable]
        # of guesses that make the same parts the first is enough
        usable = usable[np.sort(np.unique(marks[:, usable], axis=1, return_index=True)[1])]
        after = limit - (limit != UNLIMITED)
        for guess in usable.tolist():
            row = marks[:, guess]
            parts = {mark: codes[row == mark] for mark in np.unique(row).tolist()}
            counts = np.zeros(len(codes) + 1, np.int64)
            counts[0] = len(parts.pop(winning, ()))
            missing = total - int(costs[guess])
            for mark, part in sorted(parts.items(), key=lambda item: len(item[1])):
                bound = int(bounds[mark, guess])
                missing -= self.cost(part, after, bound + missing + 1) - bound
                if missing < 0:
                    break
            if missing == 0:
                for part in parts.values():
                    deeper = self.least(part, after)
                    counts[1 : len(deeper) + 1] += deeper
                yield guess, tuple(np.trim_zeros(counts, "b").tolist())


def _from_last(counts: _Counts) -> tuple[int, _Counts]:
    return len(counts), counts[::-1]


def fewest_at_last(tree: Tree, max_guesses: int | None = None, *, report: Report = silent) -> Tree:
    """The best of all trees of the smallest total: fewest secrets at the last guess, and so on.

    Args:
        tree: one of the smallest total.
        max_guesses: the limit of the search for it, None for any number.
        report: receives the sets so far.
    """
    game = tree.game
    search = _Fewest(game, report)

    def play(position: tuple[I64, int]) -> Played[tuple[I64, int]]:
        codes, limit = position
        guess = int(game.guess_of_secret[codes[0]])
        if len(codes) > 1:
            least = search.least(codes, limit)
            choices = search.guesses(codes, limit)
            guess = next(guess for guess, counts in choices if counts == least)
        row = search.checker.table[codes, guess]
        parts = {mark: codes[row == mark] for mark in np.unique(row).tolist()}
        wins = parts.pop(game.winning, None) is not None
        after = limit - (limit != UNLIMITED)
        return guess, wins, [(mark, (part, after)) for mark, part in parts.items()]

    root = np.arange(game.n_secrets), max_guesses or UNLIMITED
    best = Tree(game, tree_nodes(root, play, game.n_marks), "optimal-fewest", tree.options)
    if not verify(best).valid or best.total != tree.total:
        raise PegwiseError("internal error: the tree with the fewest secrets at the last guesses")
    return best
