"""Guesses fixed beforehand: played whatever the marks, until the code is known and announced."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pegwise.errors import ContradictionError
from pegwise.game import Code, Mastermind
from pegwise.game.game import I32
from pegwise.strategies.base import Option

__all__ = ["Announcing", "FixedGuesses"]


class FixedGuesses:
    """What strategies of this kind are asked.

    Args:
        early: announce the code as soon as the marks leave only one, not after all guesses.
    """

    def __init__(self, *, early: bool = True) -> None:
        self.early = early
        self.options: Mapping[str, Option] = {} if early else {"early": False}


class Announcing:
    """How many of the guesses are played, and which codes are left.

    Args:
        game: what is played.
        guesses: in the order in which they are played.
        candidates: int32 (n), secrets left.
        played: how many guesses are played.
        early: whether the code is announced as soon as only one is left.
    """

    def __init__(
        self,
        game: Mastermind,
        guesses: tuple[Code, ...],
        candidates: I32,
        played: int = 0,
        *,
        early: bool,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.candidates = candidates
        self.played = played
        self.early = early

    @cached_property
    def guess(self) -> Code:
        """The next guess, or the code."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        known = self.early and len(self.candidates) == 1
        if known or self.played >= len(self.guesses):
            return self.game.secret(int(self.candidates[0]))
        return self.guesses[self.played]

    def after(self, mark: tuple[int, int]) -> Announcing:
        given = self.game.mark_number(mark)
        marks = self.game.marks(self.game.guess_number(self.guess), self.candidates)
        left = self.candidates[marks == given]
        return Announcing(self.game, self.guesses, left, self.played + 1, early=self.early)
