"""Greenwell's six fixed guesses: all marks together tell each of the 1296 codes of 4x6."""

from __future__ import annotations

from typing import ClassVar, Final

from pegwise.errors import StrategyError
from pegwise.game import Code, Game, Mastermind, Rules, all_secrets
from pegwise.strategies.base import Card
from pegwise.strategies.fixed import Announcing, FixedGuesses

__all__ = ["GUESSES", "Greenwell"]

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
