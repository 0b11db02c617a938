"""Worked games: how a strategy finds a code, round by round; computed in a `work.Line`."""

from __future__ import annotations

import csv
import io
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from pegwise.errors import StrategyError, TooLargeError
from pegwise.game import Code, Mark, Rules, Turn

__all__ = ["Round", "as_csv", "worked_game"]

_MOST: Final = 100
"""A strategy that has not found the code after so many rounds is left."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a worked game.

    Attributes:
        number: from 1.
        turn: the guess with its mark.
        left: how many codes are possible after it; None where they cannot be counted.
    """

    number: int
    turn: Turn
    left: int | None

    @property
    def bits(self) -> float | None:
        """The logarithm of `left` to base 2: what is still to be found, in bits."""
        return math.log2(self.left) if self.left else None


def worked_game(rules: Rules, name: str, secret: Code) -> list[Round]:
    """How a strategy finds a secret.

    Raises:
        InputError: no such strategy.
        StrategyError: it cannot play these rules, or does not find the code.
        TooLargeError: the board is too large for it.
    """
    from pegwise.game import mark, mastermind
    from pegwise.knowledge import count
    from pegwise.strategies import parse

    decision = parse(name).begin(mastermind(rules))
    turns: list[Turn] = []
    rounds: list[Round] = []
    while len(rounds) < _MOST:
        given = mark(decision.guess, secret, black_only=rules.black)
        turns.append(Turn(decision.guess, given))
        left = None
        with suppress(TooLargeError):
            left = count(rules, turns)
        rounds.append(Round(len(turns), turns[-1], left))
        if given == Mark(rules.pegs):
            return rounds
        decision = decision.after(given)
    raise StrategyError(
        "{name} has not found {secret} on {rules} after {most} rounds",
        name=name,
        secret=secret,
        rules=rules,
        most=_MOST,
    )


def as_csv(rounds: list[Round]) -> str:
    """The rounds as comma-separated values."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["round", "guess", "mark", "candidates", "log2_candidates"])
    for step in rounds:
        guess, mark = step.turn
        left = "" if step.left is None else step.left
        bits = "" if step.bits is None else f"{step.bits:.4f}"
        writer.writerow([step.number, str(guess), mark.write("counts"), left, bits])
    return text.getvalue()
