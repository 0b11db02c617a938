"""What is wrong with turns that no code fits: the one answer that terminal and site tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pegwise.errors import TooLargeError
from pegwise.game import Game, Notation, Turn
from pegwise.game.notation import LETTERS
from pegwise.knowledge.candidates import count
from pegwise.knowledge.codemaker import Suspect, fewest_wrong, suspects
from pegwise.knowledge.explanations import OtherCause, as_inclusive, explanations
from pegwise.progress import Report, TimeLimit, silent


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What may be wrong with turns that contradict each other.

    Attributes:
        rules: the game.
        turns: the turns.
        numbers: what each turn is called, from 1 if none is left out.
        fitting: how many turns, from the first, some code fits; None if there was no time to count.
        count: how many codes fit these turns.
        suspects: the turns whose mark alone may be wrong, the likeliest first; empty if no change
            of one mark helps, or if `fewest_wrong` is None.
        fewest_wrong: the smallest number of marks that must be wrong; None if there was no time to
            find it.
        causes: what else may be wrong, the likeliest first.
    """

    rules: Game
    turns: tuple[Turn, ...]
    numbers: tuple[int, ...]
    fitting: int | None
    count: int
    suspects: tuple[Suspect, ...]
    fewest_wrong: int | None
    causes: tuple[OtherCause, ...]

    def document(self) -> dict[str, Any]:
        """The diagnosis as JSON: the suspects, and other causes where there are any."""
        suspects = [
            replace(suspect, turn=self.numbers[suspect.turn - 1]) for suspect in self.suspects
        ]
        return {"suspects": suspects} | ({"explanations": self.causes} if self.causes else {})


def diagnose(
    rules: Game,
    turns: Sequence[Turn],
    *,
    numbers: Sequence[int] = (),
    notation: Notation = LETTERS,
    two_numbers: bool = True,
    seconds: float = math.inf,
    report: Report = silent,
) -> Diagnosis:
    """Find what is wrong with turns that no code fits.

    Args:
        rules: the game.
        turns: the turns.
        numbers: what each turn is called; 1, 2, ... if empty.
        notation: tells whether guesses were digits, which may count from 0.
        two_numbers: whether marks may have been two numbers, the second including the first.
        seconds: processor time for each question; what takes longer is left open.
        report: receives the progress.
    """
    history = tuple(turns)
    called = tuple(numbers) or tuple(range(1, len(history) + 1))
    fitting, codes = None, 0
    with suppress(TooLargeError):
        limit = TimeLimit(seconds, report)
        fitting = len(history) - 1
        while fitting and not (codes := count(rules, history[:fitting], report=limit)):
            fitting -= 1
        codes = codes if fitting else rules.n_secrets
    likely: tuple[Suspect, ...] = ()
    fewest: int | None = None
    with suppress(TooLargeError):
        likely = tuple(suspects(rules, history, report=TimeLimit(seconds, report)))
        fewest = 1 if likely else fewest_wrong(rules, history)
    causes: tuple[OtherCause, ...] = ()
    with suppress(TooLargeError):
        inclusive = as_inclusive(rules, history) if two_numbers else None
        limit = TimeLimit(seconds, report)
        causes = tuple(
            replace(cause, turns=tuple(called[n - 1] for n in cause.turns))
            for cause in explanations(rules, history, inclusive, notation=notation, report=limit)
        )
    return Diagnosis(rules, history, called, fitting, codes, likely, fewest, causes)
