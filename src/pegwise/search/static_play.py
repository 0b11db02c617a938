"""The strategy `static`: it plays a smallest known fixed set, then announces the code."""

from __future__ import annotations

from typing import ClassVar

from pegwise.errors import StrategyError
from pegwise.game import Game, Mastermind, all_secrets
from pegwise.search.static_sets import known_set
from pegwise.strategies import Card
from pegwise.strategies.fixed import Announcing, FixedGuesses

__all__ = ["Static"]


class Static(FixedGuesses):
    """Play a fixed set of guesses whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all guesses.
    """

    card: ClassVar = Card(
        id="static",
        name="Smallest fixed set",
        authors="Wayne Goddard",
        year=2003,
        source=(
            "Static Mastermind, Journal of Combinatorial Mathematics and Combinatorial Computing "
            "47, p. 225-236; the sets by `pegwise static`"
        ),
        about=(
            "Plays guesses fixed beforehand, as few as are known to tell all codes of the board "
            "apart: six on 4 pegs and 6 colors, where five cannot do. As soon as fewer marks leave "
            "only one code, that one is announced, unless early=false. It plays the boards for "
            "which such a set is known; `pegwise static` finds more."
        ),
        traits=frozenset({"fixed"}),
    )

    def begin(self, game: Game) -> Announcing:
        """The first guess of the set.

        Raises:
            StrategyError: no board, or one without a known set.
        """
        known = known_set(game) if isinstance(game, Mastermind) else None
        if known is None or not isinstance(game, Mastermind):
            raise StrategyError(
                "static knows no fixed set of guesses for {game}: 'pegwise static RULES' finds "
                "one, for boards of up to 12000 codes",
                game=game.name,
            )
        return Announcing(game, known.guesses, all_secrets(game), early=self.early)
