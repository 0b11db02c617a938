"""A strategy from another package: plays the last candidate in numeric order."""

from __future__ import annotations

from pegwise.arrays import I32
from pegwise.game import Game
from pegwise.strategies import CandidateStrategy, Card


class Last(CandidateStrategy):
    """Play the last candidate, or the last but a few.

    Args:
        skip: how many candidates to leave behind it, while there are more.
    """

    card = Card(
        id="last",
        name="Last candidate",
        authors="Somebody else",
        year=2024,
        source="Another package",
        about="Plays the last code, in numeric order, that agrees with every mark so far.",
        traits=frozenset({"any-game", "consistent"}),
    )

    def __init__(self, *, skip: int = 0) -> None:
        self.skip = skip
        self.options = {"skip": skip} if skip else {}

    def choose(self, game: Game, candidates: I32, history: tuple[tuple[int, int], ...]) -> int:
        """The last one, or one of the last."""
        del history
        return int(game.guess_of_secret[candidates[max(-1 - self.skip, -len(candidates))]])
