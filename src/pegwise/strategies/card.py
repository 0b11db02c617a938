"""The card of a strategy: what it is, where it comes from, and what is true of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pegwise.errors import Phrase, StrategyError
from pegwise.hooks import Drawable

TRAITS: Final = {
    "any-game": "plays every finite game, not only Mastermind",
    "consistent": "plays only candidates",
    "hard": "plays by hard rules",
    "fixed": "its guesses do not depend on the marks",
    "random": "takes a seed",
    "unlisted": "plays boards too large to list",
    "adapts": "goes on from guesses that are not its own",
    "slow": "a game, or the first on a board, takes seconds",
    "slow-guess": "a guess may take seconds on small boards too",
}
"""Traits of strategies, and what each word means."""


@dataclass(frozen=True, slots=True)
class Card(Drawable):
    """Name, description and source of a strategy; of your own, an id is enough.

    Attributes:
        id: its name on the command line.
        name: its name in prose; the id when not given.
        authors: who described it.
        year: when; None for folklore.
        source: where it is described.
        about: one paragraph for a reader who does not know it.
        reason: why it plays a guess, one sentence, with places for the figures of the guess:
            `{candidates}` that are possible, `{largest}`, `{expected}`, `{bits}` and `{parts}` of
            its partition; "" where the strategy explains itself otherwise, or not at all.
        traits: what is true of it, of `TRAITS`. Strategies that are `slow` race only where they are
            named, or where their tree is at hand.

    Examples:
        >>> pegwise.strategy("knuth").card.year
        1976
    """

    id: str
    name: str = ""
    authors: str = ""
    year: int | None = None
    source: str = field(default="", repr=False)
    about: str = field(default="", repr=False)
    reason: str = field(default="", repr=False)
    traits: frozenset[str] = field(default=frozenset(), repr=False)

    def reason_of(self, figures: Mapping[str, Any]) -> Phrase:
        """The reason with the figures of a guess; StrategyError where it asks for others."""
        try:
            return Phrase(self.reason, **figures)
        except KeyError as missing:
            raise StrategyError(
                "{strategy}: its reason has no figure {missing}; it may have {allowed}",
                strategy=self.id,
                missing=missing,
                allowed=", ".join(figures),
            ) from None

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.id)
