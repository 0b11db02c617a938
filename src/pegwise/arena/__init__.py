"""The arena: strategies against the same secrets, and what comes of it."""

from pegwise.arena.draw import MAX_GAMES, entrants
from pegwise.arena.race import Race, race
from pegwise.arena.results import Duel, Exact, RaceResults, Standing

__all__ = [
    "MAX_GAMES",
    "Duel",
    "Exact",
    "Race",
    "RaceResults",
    "Standing",
    "entrants",
    "race",
]
