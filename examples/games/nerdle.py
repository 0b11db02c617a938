"""A small Nerdle: equations of six signs, marked sign by sign as Wordle marks letters.

Codes have an equals sign of their own: a turn is split at its last one, as in 1+8=9-=GY--GG.
"""

from itertools import product

from pegwise import FiniteGame
from pegwise.game import PlacedMark
from pegwise.game.marks import placed_mark

SIGNS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def mark(guess: str, secret: str) -> PlacedMark:
    """G where a sign is right, Y where it stands elsewhere."""
    return placed_mark([*map(ord, guess)], [*map(ord, secret)])


def nerdle(length: int = 6) -> FiniteGame:
    """Equations of two whole numbers and a result from 0, without leading zeros."""
    sums = [f"{a}{s}{b}={SIGNS[s](a, b)}" for a, b, s in product(range(100), range(100), SIGNS)]
    return FiniteGame([c for c in sums if len(c) == length and "=-" not in c], mark, name="Nerdle")
