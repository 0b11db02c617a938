"""Turns: what was guessed and what was answered, and how that is written in one word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pegwise.errors import InputError, quoted
from pegwise.game.codes import Code, check_code, parse_code
from pegwise.game.marks import Mark, check_mark, parse_mark
from pegwise.game.rules import Rules
from pegwise.hooks import paint

Turns = Iterable[tuple[Any, Any] | str]
"""A history: a guess and its mark each; on a board also as they are written (`AABB=XO`)."""


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
    return Turn(parse_code(guess.strip(), rules), parse_mark(mark.strip(), rules))


def check_turns(turns: Turns, rules: Rules) -> tuple[Turn, ...]:
    """The turns, each a guess and a mark that the rules allow, or both as they are written.

    Raises:
        InputError: no turns.
        CodeError: a guess that they do not allow.
        MarkError: a mark that they do not allow.
    """

    def check(turn: Any) -> Turn:
        if isinstance(turn, str):
            return parse_turn(turn, rules)
        guess, mark = _pair(turn)
        return Turn(check_code(guess, rules), check_mark(mark, rules))

    return tuple(map(check, _each(turns)))


def pairs(turns: Turns) -> Iterator[tuple[Any, Any]]:
    """Guess and mark of each turn of any game.

    Raises:
        InputError: no turns.
    """
    return map(_pair, _each(turns))


def _each(turns: Turns) -> Turns:
    if isinstance(turns, Iterable) and not isinstance(turns, str):
        return turns
    raise InputError(
        "{history} is no history: give a list of turns, such as ['AABB=XO']", history=quoted(turns)
    )


def _pair(turn: Any) -> tuple[Any, Any]:
    try:
        guess, mark = turn
    except (TypeError, ValueError):
        raise InputError(
            "{turn} is no turn: give a guess and its mark, such as ('AABB', 'XO')",
            turn=quoted(turn),
        ) from None
    return guess, mark
