"""Guesses fixed beforehand: played whatever the marks, until the code is known and announced."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar, Final

from pegwise.arrays import I32
from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mastermind, Rules, all_secrets
from pegwise.strategies.base import Card, Option


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


# Greenwell's six fixed guesses: all marks together tell each of the 1296 codes of 4x6.

_RULES: Final = Rules(4, 6)

GUESSES: Final = tuple(
    Code(pegs)
    for pegs in (
        (0, 1, 1, 0),
        (1, 2, 4, 3),
        (2, 2, 0, 0),
        (3, 4, 1, 3),
        (4, 5, 4, 5),
        (5, 5, 3, 2),
    )
)
"""The six guesses, in the order in which they are played."""


class Greenwell(FixedGuesses):
    """Play the six guesses whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all six.
    """

    card: ClassVar = Card(
        id="greenwell",
        name="Six fixed guesses",
        authors="Don L. Greenwell",
        year=1999,
        source="Mastermind, Journal of Recreational Mathematics 30(3), p. 191-192",
        about=(
            "Plays six guesses fixed beforehand: no two codes of 4 pegs and 6 colors get the same "
            "six marks, so that the code can be announced as the seventh guess. As soon as fewer "
            "marks leave only one code, that one is announced, unless early=false."
        ),
        traits=frozenset({"fixed"}),
    )

    def begin(self, game: Game) -> Announcing:
        """The first of the six guesses.

        Raises:
            StrategyError: other rules than 4x6.
        """
        if not isinstance(game, Mastermind) or game.rules != _RULES:
            raise StrategyError(
                "greenwell plays {rules} only, not {game}: its six guesses are made for that "
                "board; `pegwise static` finds a set of fixed guesses for others",
                rules=_RULES,
                game=game.name,
            )
        return Announcing(game, GUESSES, all_secrets(game), early=self.early)
