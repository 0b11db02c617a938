"""Codes and marks of a game, read, checked and listed: functions that ask the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pegwise.game.codes import Code
from pegwise.game.game import Game
from pegwise.game.marks import Mark, PartialMark
from pegwise.game.rules import Rules, as_rules


def parse_code(text: str, rules: Rules | str, *, secret: bool = False) -> Code:
    """Read a code of a game, as `Alphabet.read` of its alphabet; errors too."""
    return as_rules(rules).alphabet.read(text, secret=secret)


def example_code(rules: Rules) -> Code:
    """A code that shows how guesses are written: different colors, or the first word."""
    return rules.alphabet.example


def example_turn(rules: Rules) -> str:
    """A turn that shows how guesses and marks of a game are written."""
    codes = rules.alphabet
    return f"{codes.example}={rules.marking.mark(codes.example, codes.other)}"


def legal_marks(rules: Rules) -> tuple[Mark, ...]:
    """Every mark of a game, in the order of their numbers; the last one wins."""
    return rules.marking.legal


def nearest_marks(wrong: Mark, rules: Rules, count: int = 3) -> list[Mark]:
    """The legal marks that differ least from a wrong one, by pegs changed."""
    return rules.marking.nearest(wrong, count)


def check_code(pegs: Iterable[int] | str, rules: Rules | Game, *, secret: bool = False) -> Code:
    """The code of these signs, or of a text, if the game allows it in that role; else CodeError."""
    return rules.alphabet.check(pegs, secret=secret)


def mark_of(
    rules: Rules | Game | str, guess: Sequence[int] | str, secret: Sequence[int] | str
) -> Mark:
    """The mark of a guess against a secret by the rules of a game; errors as `mark`.

    A text is read as a code of the game.
    """
    rules = rules if isinstance(rules, Game) else as_rules(rules)
    guess = rules.alphabet.read(guess) if isinstance(guess, str) else guess
    secret = rules.alphabet.read(secret, secret=True) if isinstance(secret, str) else secret
    return rules.marking.mark(guess, secret)


def winning_mark(rules: Rules | Game) -> Mark:
    """The mark of the guess that is the secret."""
    return rules.marking.winning


def agrees(noted: Any, true: Any, rules: Rules | Game) -> bool:
    """Whether a mark is the true one, as far as it was noted; marks of any game."""
    return bool(noted == true) or (
        isinstance(noted, PartialMark) and rules.marking.agrees(noted, true)
    )
