"""The codes that fit a history as solutions of constraints, found by OR-Tools where it is there.

On the largest boards halves of codes have too many states to count soon, even where few codes fit:
with 22 turns on 16x10 (Project Euler 185) it is one. There CP-SAT lists the codes, all of them or
none: what it gives is counted as exactly as by `knowledge.counting`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any, Final

from pegwise.errors import MissingExtraError
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from pegwise.progress import Progress, Report, silent

_MOST: Final = 2_000  # codes that are listed
_EFFORT: Final = 0.5  # deterministic seconds of CP-SAT


class CompleteSet:
    """All codes of a board that fit a history; `guess` was not played."""

    def __init__(self, rules: Rules, codes: Sequence[Code], guess: Code | None = None) -> None:
        self._rules, self._codes, self._guess = rules, sorted(codes), guess

    def count(self) -> int:
        """How many there are."""
        return len(self._codes)

    def parts(self) -> dict[Mark, int]:
        """How many there are, by the mark that the open guess would get."""
        if self._guess is None:
            return {Mark(0): self.count()} if self._codes else {}
        guess = self._guess
        sizes = Counter(self._rules.marking.mark(guess, code) for code in self._codes)
        return {mark: sizes[mark] for mark in self._rules.marking.legal if sizes[mark]}

    def first(self, limit: int | None = None) -> list[Code]:
        """The first in numeric order, or all."""
        return self._codes[:limit]

    def codes(self) -> Iterator[Code]:
        """All in numeric order."""
        yield from self._codes


def complete_set(
    rules: Rules, history: Sequence[Turn], guess: Code | None = None, *, report: Report = silent
) -> CompleteSet | None:
    """The codes that fit a history; None where they are many, or OR-Tools is missing.

    `report` receives how many there are.
    """
    try:
        model, holes, _ = constraints(rules, history)
    except MissingExtraError:
        return None
    report(Progress(0, 1, "codes"))
    cp = solver_module()
    codes: list[Code] = []

    class Listed(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
        """Notes each solution."""

        def on_solution_callback(self) -> None:
            values = ([self.boolean_value(variable) for variable in hole] for hole in holes)
            codes.append(Code(hole.index(True) for hole in values))
            if len(codes) > _MOST:
                self.stop_search()

    solver = _quiet_solver(cp)
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.max_deterministic_time = _EFFORT
    if solver.solve(model, Listed()) not in {cp.OPTIMAL, cp.INFEASIBLE} or len(codes) > _MOST:
        return None
    report(Progress(len(codes), len(codes), "codes"))
    return CompleteSet(rules, codes, guess)


def constraints(
    rules: Rules,
    history: Sequence[tuple[Code, Mark]],
    *,
    common: bool = True,
    last: bool = False,
) -> tuple[Any, list[list[Any]], list[list[Any]]]:
    """The model after a history, with its variables.

    For each hole, one Boolean a color: the hole has it. For each color, Booleans in descending
    order: it occurs at least once, twice, ...

    Args:
        rules: the rules of the board.
        history: guesses and their marks.
        common: whether a code has as much in common with each guess as its mark says.
        last: whether it has as much in place with the last guess only, not with every guess.

    Raises:
        MissingExtraError: OR-Tools is not installed.
    """
    model = solver_module().CpModel()
    holes = [[model.new_bool_var("") for _ in range(rules.colors)] for _ in range(rules.pegs)]
    most = 1 if rules.secrets_are_distinct else rules.pegs
    occurrences = [[model.new_bool_var("") for _ in range(most)] for _ in range(rules.colors)]
    for hole in holes:
        model.add_exactly_one(hole)
    for color, at_least in enumerate(occurrences):
        for fewer, more in pairwise(at_least):
            model.add_implication(more, fewer)
        # C1: the occurrences are those of the holes
        model.add(sum(hole[color] for hole in holes) == sum(at_least))
    for turn in dict.fromkeys(history):
        guess, mark = turn
        in_place, in_common = mark.ranges(rules.pegs)
        pegs = [(hole, color) for hole, color in zip(holes, guess, strict=True) if color != HOLE]
        if not last or turn == history[-1]:
            # C3: as many holes agree as there are blacks
            model.add_linear_constraint(sum(hole[color] for hole, color in pegs), *in_place)
        if common and not rules.black:
            # C2: min(occurrences, n) is how many of the first n "at least" variables are set
            counts = Counter(color for _, color in pegs)
            least = [variable for c, n in counts.items() for variable in occurrences[c][:n]]
            model.add_linear_constraint(sum(least), *in_common)
    return model, holes, occurrences


def solution(model: Any, holes: Sequence[Sequence[Any]]) -> Code | None:
    """A solution of a model, the same one every time; None where there is none."""
    cp = solver_module()
    solver = _quiet_solver(cp)
    if solver.solve(model) not in {cp.OPTIMAL, cp.FEASIBLE}:
        return None
    return Code(
        next(color for color, variable in enumerate(hole) if solver.boolean_value(variable))
        for hole in holes
    )


def _quiet_solver(cp: ModuleType) -> Any:
    """A solver that answers alike every time."""
    solver = cp.CpSolver()
    # one worker, one seed and no time limit: the same solution every time
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    # Ctrl-C is for Python: the solver would take it for "no solution found"
    solver.parameters.catch_sigint_signal = False
    return solver


def solver_module() -> ModuleType:
    """OR-Tools' CP-SAT, imported when it is first needed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtraError.of("strategy constraint", "constraint") from None
    return cp_model
