"""Mastermind whose marks count a color once for each slot of the guess.

A white peg is given for every slot of the guess whose color stands anywhere else in the secret,
even where the secret has it only once: AABB against ACCC gets XO, not X.
"""

from itertools import product

from pegwise import FiniteGame


def mark(guess: str, secret: str) -> tuple[int, int]:
    """Black pegs, and slots whose color stands somewhere in the secret."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    return black, sum(g != s and g in secret for g, s in zip(guess, secret, strict=True))


def slots(pegs: int = 3, colors: int = 6) -> FiniteGame:
    """A board of so many pegs and colors."""
    codes = map("".join, product("ABCDEFGHIJ"[:colors], repeat=pegs))
    return FiniteGame(codes, mark, name="slots")
