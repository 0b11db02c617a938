"""Good trees without proof, by passes that try more guesses for each large set.

So goals are searched, and totals where turns limit the guesses after them: what the stages of
`beam.search` learn of a set holds whatever was played before it.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator
from dataclasses import replace
from typing import Any, ClassVar, Final

from pegwise.game import Game
from pegwise.search.exact.costs import Costs, of_goal, totals
from pegwise.search.exact.goals import Goal
from pegwise.search.exact.optimal import OptimalSearch, Stage
from pegwise.search.storage import State
from pegwise.trees import Tree

_FEWEST: Final = 8  # guesses of the first pass for the total: with fewer, limits are not kept


class Passes(OptimalSearch):
    """A search for a good tree, by passes with more and more guesses for each large set.

    They are 1, 2, 4, ... for a goal, and 8, 16, 32, ... for the total.

    Args:
        game: what is played, as for `OptimalSearch`.
        objective: a goal, or `total`.
        passes: how many; 0 to go on until every guess is tried.
        options: as for `TreeSearch`.
    """

    proves: ClassVar = False

    def __init__(
        self, game: Game, *, objective: Goal | str = "total", passes: int = 0, **options: Any
    ) -> None:
        self.passes, self.aim = passes, objective
        super().__init__(game, objective=objective, **options)

    def costs_from(self, begun: Stage) -> Generator[Costs, Tree | None, None]:
        least = 1 if isinstance(self.aim, Goal) else _FEWEST
        width = begun.width or least
        for number in itertools.count((width // least).bit_length()):
            before = self.fallback
            costs = self._costs(width)
            if before is not None:
                costs = replace(costs, bound=self.model.cost(before))
            tree = yield costs
            if tree is not None and (
                before is None or self.model.cost(tree) < self.model.cost(before)
            ):
                self.fallback = tree
            # its threads may know of a cheaper tree than can be put together
            self.leave_driver()
            if number == self.passes or width > self.game.n_guesses:
                return
            width *= 2

    def _costs(self, width: int) -> Costs:
        if isinstance(self.aim, Goal):
            return of_goal(self.game, self.aim, self.limit, width=width)
        return totals(self.game, self.limit, width=width)

    def identity(self) -> State:
        # what a search without proof remembers is not true for others
        return super().identity() | {"effort": True}

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        return self.figure(0) if isinstance(self.aim, Goal) else self.size_bound
