"""The arena: strategies against the same secrets, and what comes of it."""

from pegwise.arena.draw import MAX_GAMES
from pegwise.arena.race import Race, entrants, race
from pegwise.arena.results import Duel, ExactFigures, RaceResults, Standing

__all__ = [
    "MAX_GAMES",
    "Duel",
    "ExactFigures",
    "Race",
    "RaceResults",
    "Standing",
    "entrants",
    "race",
]
