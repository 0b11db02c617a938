"""A strategy from another package: plays the last candidate in numeric order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pegwise.arrays import I32
from pegwise.errors import ContradictionError
from pegwise.game import Game, all_secrets
from pegwise.strategies import Card, Option

__all__ = ["Last"]


class Last:
    """Play the last candidate, or the last but a few.

    Args:
        skip: how many candidates to leave behind it, while there are more.
    """

    card: ClassVar = Card(
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
        self.options: Mapping[str, Option] = {"skip": skip} if skip else {}

    def begin(self, game: Game) -> LastDecision:
        """All secrets are candidates."""
        return LastDecision(game, all_secrets(game), self.skip)


class LastDecision:
    """Candidates after a history."""

    def __init__(self, game: Game, candidates: I32, skip: int) -> None:
        self.game = game
        self.candidates = candidates
        self.skip = skip

    @property
    def number(self) -> int:
        """Number of the guess."""
        return int(
            self.game.guess_of_secret[self.candidates[max(-1 - self.skip, -len(self.candidates))]]
        )

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> LastDecision:
        given = self.game.mark_number(mark)
        left = self.candidates[self.game.marks(self.number, self.candidates) == given]
        if not len(left):
            raise ContradictionError(f"no secret of {self.game.name} gives these marks")
        return LastDecision(self.game, left, self.skip)
