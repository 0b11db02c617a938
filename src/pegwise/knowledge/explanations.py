"""Why no code fits a history, other than one wrong mark: what people mistake, most likely first.

The order is by what happens most: a guess noted with one peg wrong; two turns in each other's
marks; the second number of each mark including the first; black and white exchanged; colors that
may repeat after all; digits from 0, which are more of them; a word that is not in the list. Each is
named only if some code then fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from pegwise.arrays import Bools
from pegwise.game import Code, Game, Mark, Notation, Turn, game_of
from pegwise.game.notation import LETTERS
from pegwise.knowledge.candidates import count, fits_mark
from pegwise.knowledge.codemaker import by_other_words
from pegwise.progress import Report, silent

KINDS: Final = ("guess", "swapped", "inclusive", "exchanged", "repeats", "digits", "unlisted")

_LISTED: Final = 50_000  # codes of the largest game whose guesses are changed peg by peg
_MOST_TURNS: Final = 30
_DIGITS: Final = 10
_NAMED: Final = 3  # explanations of one kind


@dataclass(frozen=True, slots=True)
class OtherCause:
    """Another cause of a history that no code fits.

    Attributes:
        kind: one of `KINDS`.
        count: how many codes fit then; None where that cannot be counted.
        turns: the numbers of the turns it is about, from 1.
        guess: what the guess of the turn may have been.
        rules: the board that the history may be of, if it is another one.
    """

    kind: str
    count: int | None
    turns: tuple[int, ...] = ()
    guess: Code | None = None
    rules: Game | None = None

    def document(self) -> dict[str, Any]:
        """The cause as JSON."""
        what = {"guess": self.guess, "rules": self.rules}
        about = {name: value for name, value in what.items() if value is not None}
        return {"kind": self.kind, "count": self.count, "turns": self.turns, **about}


def explanations(
    rules: Game,
    history: Sequence[Turn],
    inclusive: Sequence[Turn] | None = None,
    *,
    notation: Notation = LETTERS,
    report: Report = silent,
) -> list[OtherCause]:
    """Other causes, most likely first; nothing for a history that some code fits.

    `inclusive` are the turns if the second number of each mark includes the first; `notation` tells
    whether the guesses were digits. Guesses and turns are changed one at a time, on boards and
    lists of at most 50,000 codes. Errors as `count`.
    """
    told: list[OtherCause] = []
    if rules.n_secrets <= _LISTED and len(history) <= _MOST_TURNS:
        fits = _fitting(rules, history)
        if np.logical_and.reduce(fits).any():
            return []
        told += _mistyped(rules, history, fits) + _swapped(rules, history, fits)
    elif count(rules, history, report=report):
        return []
    others: list[tuple[str, Game, Sequence[Turn] | None]] = [
        ("inclusive", rules, inclusive),
        ("exchanged", rules, _changed(history, rules.marking.exchanged)),
    ]
    if rules.rules is not None and rules.alphabet.distinct_secrets:
        free = replace(rules.rules, distinct=False, distinct_secrets=False)
        others.append(("repeats", game_of(free), history))
    for kind, board, turns in others:
        if turns is not None and (number := count(board, turns, report=report)):
            told.append(OtherCause(kind, number))
    if notation.codes == "digits":
        told += _of_more_digits(rules, history, notation, report)
    if all(by_other_words(rules, turn) for turn in history):
        told.append(OtherCause("unlisted", None))
    return told


def _fitting(rules: Game, history: Sequence[Turn]) -> list[Bools]:
    """For each turn, which secrets fit it."""
    return [_fits(rules, turn) for turn in history]


def _fits(rules: Game, turn: Turn) -> Bools:
    game = game_of(rules)
    secrets = np.arange(game.n_secrets, dtype=np.int32)
    return fits_mark(game, turn.guess, turn.mark, secrets)


def _without(fits: Sequence[Bools], *numbers: int) -> Bools | None:
    """Which secrets fit all turns but these; None where none does."""
    rest = [fit for number, fit in enumerate(fits) if number not in numbers]
    both: Bools = np.logical_and.reduce(rest) if rest else np.ones(len(fits[0]), np.bool_)
    return both if both.any() else None


def _mistyped(rules: Game, history: Sequence[Turn], fits: Sequence[Bools]) -> list[OtherCause]:
    """Of each turn the guess that leaves most codes of those that differ by one peg."""
    told = []
    for number, (guess, mark) in enumerate(history):
        others = _without(fits, number)
        if others is None:
            continue
        sizes = {
            near: int((others & _fits(rules, Turn(near, mark))).sum())
            for near in rules.alphabet.near(guess)
        }
        near = max(sizes, key=sizes.__getitem__, default=guess)
        if sizes.get(near):
            told.append(OtherCause("guess", sizes[near], (number + 1,), near))
    return sorted(told, key=lambda each: -(each.count or 0))[:_NAMED]


def _swapped(rules: Game, history: Sequence[Turn], fits: Sequence[Bools]) -> list[OtherCause]:
    """Two turns that have each other's marks."""
    told = []
    for one, two in combinations(range(len(history)), 2):
        first, second = history[one], history[two]
        others = _without(fits, one, two)
        if first.mark == second.mark or others is None:
            continue
        swapped = _fits(rules, Turn(first.guess, second.mark))
        swapped &= _fits(rules, Turn(second.guess, first.mark))
        if n := int((others & swapped).sum()):
            told.append(OtherCause("swapped", n, (one + 1, two + 1)))
    return sorted(told, key=lambda each: -(each.count or 0))[:_NAMED]


def as_inclusive(rules: Game, history: Sequence[Turn]) -> list[Turn] | None:
    """The turns if the second number of each mark includes the first; None as `_changed`."""
    return _changed(history, rules.marking.exclusive)


def _changed(history: Sequence[Turn], change: Callable[[Mark], Mark | None]) -> list[Turn] | None:
    """The turns with all marks changed; None where one cannot be, or where they are the same."""
    turns = []
    for guess, mark in history:
        other = change(mark)
        if other is None:
            return None
        turns.append(Turn(guess, other))
    return turns if turns != list(history) else None


def _of_more_digits(
    rules: Game, history: Sequence[Turn], notation: Notation, report: Report
) -> list[OtherCause]:
    """The smallest board of digits from 0 with a code that fits: one digit more, or ten."""
    if rules.rules is None:
        return []
    for colors in sorted({rules.colors + notation.first, _DIGITS}):
        board = game_of(replace(rules.rules, colors=max(colors, rules.colors)))
        # which digit is which color changes no number
        if colors > rules.colors and (number := count(board, history, report=report)):
            return [OtherCause("digits", number, rules=board)]
    return []
