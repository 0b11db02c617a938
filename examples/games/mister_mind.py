"""Mister Mind: every mark has one extra peg, so that only 'all right' is told apart from it.

The machine marks as in Mastermind, then adds one white peg to each mark that does not win.
"""

from itertools import product

from pegwise import FiniteGame, Mark, parse_code
from pegwise import mark as usual


def mark(guess: tuple[int, ...], secret: tuple[int, ...]) -> Mark:
    """The usual mark with a white peg more; the winning one is as usual."""
    black, white = usual(guess, secret)
    return Mark(black, white + (black < len(secret)))


def mister_mind(pegs: int = 3, colors: int = 6) -> FiniteGame:
    """A board of so many pegs and colors."""
    texts = map("".join, product("ABCDEFGHIJ"[:colors], repeat=pegs))
    codes = [parse_code(text, f"{pegs}x{colors}") for text in texts]
    return FiniteGame(codes, mark, name="Mister Mind")
