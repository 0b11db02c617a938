"""The arena: strategies against the same secrets, and what comes of it."""

from pegwise.arena.draw import MAX_GAMES as MAX_GAMES
from pegwise.arena.race import Race as Race
from pegwise.arena.race import entrants as entrants
from pegwise.arena.race import race as race
from pegwise.arena.results import Duel as Duel
from pegwise.arena.results import ExactFigures as ExactFigures
from pegwise.arena.results import RaceResults as RaceResults
from pegwise.arena.results import Standing as Standing
