"""Mastermind whose secrets have at most two pegs of a color; guesses are free."""

from itertools import product

from pegwise import FiniteGame, mark


def two_of_a_color(pegs: int = 3, colors: int = 6, most: int = 2) -> FiniteGame:
    """A board whose secrets have at most so many pegs of one color."""
    guesses = list(product(range(colors), repeat=pegs))
    secrets = [code for code in guesses if max(map(code.count, code)) <= most]
    return FiniteGame(secrets, mark, guesses, name="two of a color", write_guess=write)


def write(code: tuple[int, ...]) -> str:
    """The code in letters."""
    return "".join("ABCDEFGHIJ"[color] for color in code)
