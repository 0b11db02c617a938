"""In which order pictures of a race show strategies and pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pegwise.arena.results import Duel, Standing

__all__ = ["by_mean", "turned"]


def by_mean(standings: Sequence[Standing]) -> list[Standing]:
    """Strategies that have won a game, smallest mean first; ties by worst, then by name."""
    return sorted(
        (standing for standing in standings if any(standing.histogram)),
        key=lambda standing: (standing.mean, standing.worst, standing.strategy),
    )


def turned(duel: Duel) -> Duel:
    """The same pair, named the other way round."""
    return replace(
        duel,
        first=duel.second,
        second=duel.first,
        first_faster=duel.second_faster,
        second_faster=duel.first_faster,
        first_by_at_most=duel.second_by_at_most,
        second_by_at_most=duel.first_by_at_most,
    )
