"""Bagels: a number of distinct digits; the answer has Fermi for each digit in place, then Pico."""

from itertools import permutations

from pegwise import FiniteGame


def answer(guess: str, secret: str) -> str:
    """Fermi for each digit in place, Pico for each in another; Bagels for none."""
    fermi = sum(g == s for g, s in zip(guess, secret, strict=True))
    pico = len(set(guess) & set(secret)) - fermi
    return " ".join(["Fermi"] * fermi + ["Pico"] * pico) or "Bagels"


def bagels(digits: int = 3) -> FiniteGame:
    """Numbers of so many distinct digits."""
    return FiniteGame(map("".join, permutations("0123456789", digits)), answer, name="Bagels")
