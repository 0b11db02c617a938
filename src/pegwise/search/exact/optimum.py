"""The answer of a search for the best tree."""

from __future__ import annotations

from dataclasses import dataclass

from pegwise.errors import StrategyError
from pegwise.hooks import Drawable
from pegwise.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Optimum(Drawable):
    """The answer of a search.

    Attributes:
        objective: what was minimised, one of `OBJECTIVES` or the name of a goal.
        best: the best tree, verified by the plain marking; None if there is none (`impossible`)
            or none yet.
        lower_bound: no tree has a smaller total; a smaller worst case for objective `worst`, fewer
            secrets there for `fewest-at-worst`, a smaller cost for a goal.
        proven: the search ended, so that the tree is best, or that there is none.
        positions: sets entered.

    Examples:
        >>> optimum = pegwise.find_optimum("3x4")
        >>> optimum.total, optimum.worst, optimum.proven
        (206, 4, True)
    """

    objective: str
    best: Tree | None
    lower_bound: int
    proven: bool
    positions: int

    @property
    def impossible(self) -> bool:
        """No tree keeps the limit of guesses, proven."""
        return self.proven and self.best is None

    @property
    def tree(self) -> Tree:
        """The best tree; StrategyError where there is none."""
        if self.best is not None:
            return self.best
        if self.proven:
            raise StrategyError("no tree finds every secret within the limit of guesses")
        raise StrategyError("the search has no tree yet")

    @property
    def total(self) -> int:
        """Guesses of the best tree for all secrets together, weights counted."""
        return self.tree.total

    @property
    def mean(self) -> float:
        """Mean guesses of the best tree."""
        return self.tree.mean

    @property
    def worst(self) -> int:
        """Most guesses of the best tree."""
        return self.tree.worst
