"""Turns: what was guessed and what was answered, and how that is written in one word."""

from __future__ import annotations

from typing import NamedTuple

from pegwise.display import paint
from pegwise.errors import InputError
from pegwise.game.codes import Code, parse_code
from pegwise.game.marks import Mark, parse_mark
from pegwise.game.rules import Rules

__all__ = ["Played", "Turn", "parse_turn"]


class Turn(NamedTuple):
    """A guess with its mark.

    Attributes:
        guess: what was played.
        mark: what was answered.
    """

    guess: Code
    mark: Mark

    def __str__(self) -> str:
        return f"{self.guess}={self.mark}"

    def _repr_html_(self) -> str | None:
        # other games than boards have other guesses
        return paint("turn", self) if isinstance(self.guess, Code) else None


class Played(list[Turn]):
    """The turns of a game in order; in a notebook they show themselves as a board."""

    def _repr_html_(self) -> str | None:
        on_board = bool(self) and all(isinstance(turn.guess, Code) for turn in self)
        return paint("played", self) if on_board else None


def parse_turn(text: str, rules: Rules) -> Turn:
    """Read `ABCD=XXO`; guess and mark in any of their notations.

    Raises:
        InputError: there is no `=`; or as `parse_code` and `parse_mark`.
    """
    guess, equals, mark = text.partition("=")
    if not equals:
        raise InputError(
            "cannot read turn {text}: write GUESS=MARK, for example ABCD=XXO", text=repr(text)
        )
    return Turn(parse_code(guess, rules), parse_mark(mark, rules))
