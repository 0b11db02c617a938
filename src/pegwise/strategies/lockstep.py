"""Play against all secrets of a board side by side, where decisions depend on little.

Some methods settle a secret hole by hole: once a hole is found, its color no longer matters, so
that thousands of games share a few plans. Here the plans are numbered as they occur, the step
from plan to plan is worked out once for each mark, and the games advance turn by turn as rows of
an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from pegwise.game import Mark, Mastermind, legal_marks
from pegwise.game.game import I32, I64, check_listed
from pegwise.kernels.rows import mark_rows
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Nodes

__all__ = ["FOUND", "Plan", "play_in_lockstep"]

U8 = npt.NDArray[np.uint8]

FOUND: Final = 255
"""In a blind plan's guess: the hole is found, and its color is left out."""


class Plan(Protocol):
    """What a method has in mind after some turns: immutable, hashable."""

    def guess(self) -> tuple[int, ...]:
        """The color to play in each hole; `FOUND` where a blind plan leaves it out."""

    def blind(self) -> Self:
        """The plan without the colors of the holes found."""


P = TypeVar("P", bound=Plan)


class _Plans(Generic[P]):
    """The blind plans that have occurred, by number, and the steps between them.

    Attributes:
        guesses: uint8 (plans, pegs).
        steps: int32 (plans, marks), number of the plan after each mark; -1 until it occurs.
    """

    def __init__(self, first: P, follow: Callable[[P, Mark], P], marks: tuple[Mark, ...]) -> None:
        self.follow = follow
        self.marks = marks
        self.plans: list[P] = []
        self.numbers: dict[P, int] = {}
        self.guesses: U8 = np.empty((64, len(first.guess())), np.uint8)
        self.steps: I32 = np.full((64, len(marks)), -1, np.int32)
        self.number(first)

    def number(self, plan: P) -> int:
        """The number of a blind plan, a new one where it has not occurred."""
        number = self.numbers.setdefault(plan, len(self.plans))
        if number == len(self.plans):
            if number == len(self.guesses):
                self.guesses = np.concatenate([self.guesses, np.empty_like(self.guesses)])
                self.steps = np.concatenate([self.steps, np.full_like(self.steps, -1)])
            self.plans.append(plan)
            self.guesses[number] = plan.guess()
        return number

    def after(self, plans: I32, marks: I64) -> I32:
        """int32 (n): the plan that follows each plan after its mark."""
        unknown = np.flatnonzero(self.steps[plans, marks] < 0)
        for plan, mark in np.unique(np.stack([plans[unknown], marks[unknown]]), axis=1).T.tolist():
            following = self.follow(self.plans[plan], self.marks[mark]).blind()
            number = self.number(following)
            self.steps[plan, mark] = number
        return self.steps[plans, marks]


def play_in_lockstep(
    game: Mastermind, first: P, follow: Callable[[P, Mark], P], *, report: Report = silent
) -> Nodes:
    """The tree of a method, all secrets side by side.

    Args:
        game: a board whose guesses may repeat colors.
        first: the plan before any mark.
        follow: the plan after a mark. It may not look at the colors of holes found.
        report: is told of secrets found.

    Raises:
        TooLargeError: too many codes to list.
    """
    check_listed(game.name, game.n_guesses)
    marks = legal_marks(game.rules)
    plans = _Plans(first.blind(), follow, marks)
    secrets = game.secret_codes
    node_guess, node_parent, node_mark, node_wins = [], [], [], []
    # one row a game still open, in the order of their nodes
    node = np.zeros(len(secrets), np.int64)
    heads = np.zeros(1, np.int64)
    parents, given = np.full(1, -1, np.int64), np.zeros(1, np.int64)
    plan = np.zeros(1, np.int32)
    before = found = 0
    while len(secrets):
        guesses = plans.guesses[plan][node]
        guesses = np.where(guesses == FOUND, secrets, guesses)
        numbers = np.empty(len(secrets), np.uint8)
        mark_rows(guesses, secrets, game.mark_ids, numbers)
        won = numbers == game.winning
        wins = np.zeros(len(heads), np.bool_)
        wins[node[won]] = True
        node_guess.append(_guess_numbers(guesses[heads], game))
        node_parent.append(parents)
        node_mark.append(given)
        node_wins.append(wins)
        found += int(won.sum())
        report(Progress(found, game.n_secrets, "secrets"))
        # the open games, by node and mark
        key = (node * len(marks) + numbers)[~won]
        order = np.argsort(key, kind="stable")
        key = key[order]
        secrets = secrets[~won][order]
        starts = np.concatenate([[True], key[1:] != key[:-1]]) if len(key) else key.astype(bool)
        heads = np.flatnonzero(starts)
        node = np.cumsum(starts) - 1
        above, given = np.divmod(key[heads], len(marks))
        parents = before + above
        before += len(wins)
        plan = plans.after(plan[above], given)
    return Nodes(
        np.concatenate(node_guess),
        np.concatenate(node_parent).astype(np.int32),
        np.concatenate(node_mark).astype(np.uint8),
        np.concatenate(node_wins),
    )


def _guess_numbers(codes: U8, game: Mastermind) -> I32:
    """int32 (n): numbers of guesses in numeric order, on a board where all codes may be guessed."""
    numbers = np.zeros(len(codes), np.int64)
    for column in codes.T:
        numbers = numbers * (game.rules.colors + game.rules.blank) + column
    return numbers.astype(np.int32)
