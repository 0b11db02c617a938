"""The costs that one search minimises: what a secret costs by the number of its guesses.

An objective is a list of such costs, which are minimised one after the other (`optimal`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import TooLargeError
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE, LARGEST
from pegwise.search.exact.goals import Goal
from pegwise.search.exact.model import SearchModel
from pegwise.trees import Tree

RATIO: Final = 16  # between the costs of a secret at a guess and at the one before, at first


@dataclass(frozen=True, eq=False, kw_only=True)
class Costs:
    """The costs of one search; without `by_weight` the total.

    Attributes:
        limit: guesses allowed.
        stage: which of the costs of an objective, from 0; all limits of `any_tree` are one.
        most: no tree costs more.
        any_tree: the first tree that keeps the limit is enough.
        by_weight: int64 (classes, turns), what a secret of weight 1 adds that is not found before
            the first, second, ... guess; the last column holds for all later guesses.
        by_secret: int64 (turns), what a secret adds whatever its weight, in the same order.
        classes: int64 (n_secrets), the row of each secret; None when there is one row.
        unit: what users see is the cost divided by this.
        ratio: between the costs of a secret at a guess and at the one before.
        width: guesses tried for each large set; 0 for all, which proves the best tree.
        bound: only a smaller cost is of interest.
    """

    limit: int
    stage: int = 0
    most: int
    any_tree: bool = False
    by_weight: I64 | None = None
    by_secret: I64 | None = None
    classes: I64 | None = None
    unit: int = 1
    ratio: int = RATIO
    width: int = 0
    bound: int = INFINITE

    def model(self, game: Game, plain: SearchModel, first: int | None) -> SearchModel:
        """The game with these costs as the kernels read it.

        Args:
            game: what is played.
            plain: its model with the total as costs.
            first: the first guess, by number; None to choose it.

        Raises:
            TooLargeError: sums of the costs are too large.
        """
        if self.most >= LARGEST:
            raise TooLargeError("{game}: such costs are too large to add up", game=game.name)
        model = plain
        if self.by_weight is not None:
            by_secret = np.zeros(1, np.int64) if self.by_secret is None else self.by_secret
            model = plain.with_steps(game, self.by_weight, by_secret, self.classes, self.limit)
        return model.options(
            any_tree=self.any_tree,
            whole=True,
            use_history=model.symmetric,
            width=self.width,
            first=-1 if first is None else int(model.guess_at[first]),
        )


def any_tree(game: Game, limit: int) -> Costs:
    """No costs: any tree that keeps the limit."""
    return Costs(limit=limit, most=_weight(game), any_tree=True)


def totals(game: Game, limit: int, *, stage: int = 0, width: int = 0) -> Costs:
    """The total."""
    return Costs(limit=limit, stage=stage, most=_largest_total(game, limit), width=width)


def fewest_at_limit(game: Game, limit: int) -> Costs:
    """The number of secrets at the last guess allowed, then the total."""
    unit = _largest_total(game, limit) + 1  # totals differ by less
    return Costs(
        limit=limit,
        stage=1,
        most=(game.n_secrets + 1) * unit,
        by_weight=np.ones((1, 1), np.int64),
        by_secret=np.array([0] * (limit - 1) + [unit], np.int64),
        unit=unit,
    )


def fewest_late_secrets(before: Tree, guess: int, limit: int, ratio: int) -> Costs:
    """The total first; of equal totals, few secrets at the last guess, then at the one before.

    And so on down to the guess `guess`.

    Args:
        before: a tree of the smallest total.
        guess: the first guess whose secrets are counted.
        limit: guesses allowed.
        ratio: the cost of a secret at a guess, divided by its cost at the guess before.
    """
    levels = range(limit - guess + 1)
    unit = ratio ** len(levels)
    return Costs(
        limit=limit,
        stage=limit + 1 - guess,
        most=2 * before.total * unit,
        by_weight=np.full((1, 1), unit, np.int64),
        by_secret=np.diff([0] * guess + [ratio**level for level in levels]),
        unit=unit,
        ratio=ratio,
    )


def of_goal(game: Game, goal: Goal, limit: int, *, width: int = 0) -> Costs:
    """A goal, then the total; a goal with classes of secrets alone."""
    then_total = goal.classes is None
    unit = _largest_total(game, limit) + 1 if then_total else 1
    return Costs(
        limit=limit,
        most=(int(goal.steps.sum(1).max()) * _weight(game) + 1) * unit,
        by_weight=goal.steps * unit + then_total,
        classes=goal.classes,
        unit=unit,
        width=width,
    )


def _weight(game: Game) -> int:
    return game.n_secrets if game.weights is None else int(game.weights.sum())


def _largest_total(game: Game, limit: int) -> int:
    return _weight(game) * min(limit, game.n_secrets)
