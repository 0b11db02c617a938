"""Pegs with a color and a shape: the mark counts places whose color is right, and whose shape is.

A code is written with a letter for the color and a sign for the shape of each peg: R1G2.
"""

from itertools import product

from pegwise import FiniteGame


def mark(guess: str, secret: str) -> tuple[int, int]:
    """How many colors are right in their place, and how many shapes."""
    right = [g == s for g, s in zip(guess, secret, strict=True)]
    return sum(right[::2]), sum(right[1::2])


def shapes(pegs: int = 3, colors: int = 3, kinds: int = 2) -> FiniteGame:
    """Rows of so many pegs, each with one of the colors and one of the shapes."""
    signs = ["".join(peg) for peg in product("RGBYOP"[:colors], "123456"[:kinds])]
    return FiniteGame(map("".join, product(signs, repeat=pegs)), mark, name="shapes")
