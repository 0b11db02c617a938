"""Good trees for a goal, without proof: passes that try more guesses for each large set."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from typing import Any, ClassVar

from pegwise.game import Game
from pegwise.search.exact.costs import Costs, of_goal
from pegwise.search.exact.goals import Goal
from pegwise.search.exact.optimal import OptimalSearch, Stage
from pegwise.search.storage import State
from pegwise.trees import Tree


class GoalPasses(OptimalSearch):
    """A search for a good tree for a goal, by passes with 1, 2, 4, ... guesses for each large set.

    Args:
        game: what is played, as for `OptimalSearch`.
        objective: the goal.
        passes: how many; 0 to go on until every guess is tried.
        options: as for `TreeSearch`.
    """

    proves: ClassVar = False

    def __init__(self, game: Game, *, objective: Goal, passes: int = 0, **options: Any) -> None:
        self.passes, self.aim = passes, objective
        super().__init__(game, objective=objective, **options)

    def costs_from(self, begun: Stage) -> Generator[Costs, Tree | None, None]:
        width = begun.width or 1
        for number in itertools.count(width.bit_length()):
            tree = yield of_goal(self.game, self.aim, self.limit, width=width)
            before = self.fallback
            if tree is not None:
                better = before is None or self.model.cost(tree) < self.model.cost(before)
                self.fallback = tree if better else before
            # its threads may know of a cheaper tree than can be put together
            self.leave_driver()
            if number == self.passes or width > self.game.n_guesses:
                return
            width *= 2

    def identity(self) -> State:
        # what a search without proof remembers is not true for others
        return super().identity() | {"effort": True}

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        return self.figure(0)
