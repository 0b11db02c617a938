"""Marks that can happen for a guess: some marks are legal, yet no secret gives them."""

from __future__ import annotations

from functools import lru_cache

from pegwise.errors import MarkError, Phrase
from pegwise.game import (
    HOLE,
    Code,
    Mark,
    Rules,
    Turn,
    check_code,
    check_mark,
    legal_marks,
    nearest_marks,
)
from pegwise.knowledge.opening import opening_parts

__all__ = ["check_turn", "possible_marks"]


def possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    """The marks that some secret gives to a guess, in the order of `legal_marks`.

    Raises:
        CodeError: the rules do not allow this guess.
    """
    return _possible_marks(rules, check_code(guess, rules))


@lru_cache(maxsize=1024)
def _possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    return tuple(opening_parts(rules, guess))


def check_turn(rules: Rules, turn: tuple[Code, Mark]) -> None:
    """Refuse a turn whose mark no secret gives to its guess.

    Raises:
        CodeError: the rules do not allow the guess.
        MarkError: the mark cannot happen, in general or for this guess, with the reason and the
            nearest marks that can.
    """
    guess, mark = Turn(check_code(turn[0], rules), check_mark(turn[1], rules))
    possible = possible_marks(rules, guess)
    if mark in possible:
        return
    near = [
        other for other in nearest_marks(mark, rules, len(legal_marks(rules))) if other in possible
    ]
    raise MarkError(
        "mark {mark} cannot happen for {guess}: {why}; nearest possible: {known}",
        mark=mark,
        guess=guess,
        why=_why(mark, guess, possible, rules),
        known=", ".join(str(other) for other in near[:3]),
    )


def _why(mark: Mark, guess: Code, possible: tuple[Mark, ...], rules: Rules) -> Phrase:
    """The reason in words, the simplest that applies."""
    colors = {color for color in guess if color != HOLE}
    most, fewest = (pick(sum(other) for other in possible) for pick in (max, min))
    if sum(mark) > most:
        return Phrase(
            "no secret of {rules} has more than {most} pegs in common with it",
            rules=rules,
            most=most,
        )
    if sum(mark) < fewest:
        return Phrase(
            "every secret of {rules} has at least {fewest} pegs in common with it",
            rules=rules,
            fewest=fewest,
        )
    if mark.white and len(colors) == 1 and HOLE not in guess:
        return Phrase("it has one color only, so that what is right in color is in place too")
    return Phrase("no secret of {rules} gives it", rules=rules)
