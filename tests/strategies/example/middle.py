"""Play the candidate in the middle of the list: the strategy to copy for one of your own."""

from __future__ import annotations

from typing import Annotated

from pegwise.arrays import I32
from pegwise.game import Game
from pegwise.strategies.candidates import CandidateStrategy, History
from pegwise.strategies.card import Card
from pegwise.strategies.options import StrategyOption, check_options


class Middle(CandidateStrategy):
    """Play the candidate in the middle of the list, or one some places after it."""

    card = Card(
        id="middle",
        name="Middle candidate",
        authors="Somebody",
        year=2026,
        source="tests/strategies/example/middle.py",
        about=(
            "Plays the code in the middle of those that agree with every mark so far, in numeric "
            "order. It weighs nothing: it is an example of a strategy in one file."
        ),
        reason="It is in the middle of the {candidates:,} codes that agree with all marks.",
        traits=frozenset({"any-game", "consistent", "adapts"}),
    )

    def __init__(
        self,
        *,
        after: Annotated[
            int, StrategyOption("how many places after the middle", least=0, most=100)
        ] = 0,
    ) -> None:
        self.after = after
        self.options = check_options(Middle, after=after)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        place = min(len(candidates) // 2 + self.after, len(candidates) - 1)
        return int(game.guess_of_secret[candidates[place]])
