"""The constraint model of Maréchal and Rastoix, solved with OR-Tools CP-SAT.

Their variables: the color of each hole, and how often each color occurs. Their constraints, which
a code must satisfy to be played: (C1) the occurrences are those of the holes; for each guess,
(C2) what it has in common with the code, color by color, is black + white, and (C3) it agrees
with the code in as many holes as it got blacks. Any solution is played, so every guess is a
candidate, and no list of codes is ever made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from types import ModuleType
from typing import Any, ClassVar

from pegwise.errors import ContradictionError, MissingExtraError, StrategyError
from pegwise.game import HOLE, Code, Game, Mark, Mastermind, Rules, check_code, check_mark
from pegwise.strategies.base import Card, Option

History = tuple[tuple[Code, Mark], ...]


class Constraint:
    """Play any solution of the constraints that the marks impose."""

    card: ClassVar = Card(
        id="constraint",
        name="Constraint programming",
        authors="Benoît Maréchal and Marc Rastoix",
        year=None,
        source=(
            "Rapport Intelligence Artificielle pour le Mastermind, report of a first-year "
            "master's course in algorithms and complexity, undated, section 4"
        ),
        about=(
            "States what a code must satisfy: the color of each hole and the occurrences of each "
            "color are variables, and every mark adds constraints on them. A solver narrows the "
            "variables down and gives any code that fits, which is played. Nothing is listed, so "
            "boards far beyond enumeration can be played. Needs the extra 'constraint'."
        ),
        traits=frozenset({"consistent", "slow", "unlisted"}),
    )
    options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> _Constrained:
        """No constraint but the rules.

        Raises:
            StrategyError: the game is not a board.
            MissingExtraError: OR-Tools is not installed.
        """
        if not isinstance(game, Mastermind):
            raise StrategyError(
                "constraint plays Mastermind boards only, not {game}", game=game.name
            )
        _solver()
        return _Constrained(game.rules, ())


class _Constrained:
    """The constraints after a history, and a solution of them."""

    def __init__(self, rules: Rules, history: History) -> None:
        self.rules = rules
        self.history = history

    @cached_property
    def guess(self) -> Code:
        """A solution, the same one whenever rules and history are the same.

        Raises:
            ContradictionError: there is none.
        """
        code = _solve(self.rules, self.history)
        if code is None:
            raise ContradictionError("no secret of {rules} gives these marks", rules=self.rules)
        return code

    def after(self, mark: tuple[int, int]) -> _Constrained:
        return self.instead(self.guess, mark)

    def instead(self, guess: Iterable[int], mark: tuple[int, int]) -> _Constrained:
        turn = (check_code(guess, self.rules), check_mark(mark, self.rules))
        return _Constrained(self.rules, (*self.history, turn))


def _solve(rules: Rules, history: History) -> Code | None:
    """A secret that would have given every mark, or None where there is none."""
    cp = _solver()
    model = cp.CpModel()
    holes, occurrences = _variables(model, rules)
    for guess, mark in history:
        pegs = [(hole, color) for hole, color in zip(holes, guess, strict=True) if color != HOLE]
        # C3: as many holes agree as there are blacks
        model.add(sum(hole[color] for hole, color in pegs) == mark.black)
        if not rules.black:
            # C2: min(occurrences, n) is how many of the first n "at least" variables are set
            counts = Counter(color for _, color in pegs)
            common = [least for c, n in counts.items() for least in occurrences[c][:n]]
            model.add(sum(common) == mark.black + mark.white)
    solver = cp.CpSolver()
    # one worker, one seed and no time limit: the same solution every time
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    # Ctrl-C is for Python: the solver would take it for "no solution found"
    solver.parameters.catch_sigint_signal = False
    if solver.solve(model) not in {cp.OPTIMAL, cp.FEASIBLE}:
        return None
    return Code(
        next(color for color, variable in enumerate(hole) if solver.boolean_value(variable))
        for hole in holes
    )


def _variables(model: Any, rules: Rules) -> tuple[list[list[Any]], list[list[Any]]]:
    """The variables of the model, with constraint C1 between them.

    Returns:
        For each hole, one Boolean a color: the hole has it. For each color, Booleans in
        descending order: it occurs at least once, twice, ...
    """
    holes = [[model.new_bool_var("") for _ in range(rules.colors)] for _ in range(rules.pegs)]
    most = 1 if rules.secrets_are_distinct else rules.pegs
    occurrences = [[model.new_bool_var("") for _ in range(most)] for _ in range(rules.colors)]
    for hole in holes:
        model.add_exactly_one(hole)
    for color, at_least in enumerate(occurrences):
        for fewer, more in pairwise(at_least):
            model.add_implication(more, fewer)
        model.add(sum(hole[color] for hole in holes) == sum(at_least))
    return holes, occurrences


def _solver() -> ModuleType:
    """OR-Tools' CP-SAT, imported when it is first needed.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtraError.of("strategy constraint", "constraint") from None
    return cp_model
