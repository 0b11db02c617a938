"""Play the smallest set of guesses, fixed beforehand, that tells all codes apart."""

from __future__ import annotations

from collections.abc import Sequence

from pegwise.errors import Phrase, StrategyError
from pegwise.game import Code, Game
from pegwise.search.certificates import files
from pegwise.search.certificates.sets import FixedSet
from pegwise.strategies import Card
from pegwise.strategies.simple import FixedGuesses


class Static(FixedGuesses):
    """Play a fixed set of guesses whatever the marks, then announce the code."""

    card = Card(
        id="static",
        name="Smallest fixed set",
        authors="Wayne Goddard",
        year=2003,
        source=(
            "Static Mastermind, Journal of Combinatorial Mathematics and Combinatorial Computing "
            "47, p. 225-236; the sets by pegwise"
        ),
        about=(
            "Plays guesses fixed beforehand, as few as are known to tell all codes of the board "
            "apart: six on 4 pegs and 6 colors, where five cannot do. As soon as fewer marks leave "
            "only one code, that one is announced. It plays the boards for which such a set is "
            "known."
        ),
        traits=frozenset({"fixed"}),
    )

    def guesses(self, game: Game) -> Sequence[Code]:
        certificate = None
        if game.board is not None:
            certificate = files.stored(FixedSet, game)
        if certificate is None:
            raise StrategyError(
                "static knows no fixed set of guesses for {game}{advice}",
                game=game.name,
                advice=Phrase(
                    ": 'pegwise static RULES' finds one, for boards of up to 12000 codes"
                ),
            )
        return certificate.claim.guesses
