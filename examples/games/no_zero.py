"""Bulls and Cows of numbers: digits are distinct, and the first is not 0."""

from itertools import permutations

from pegwise import FiniteGame


def mark(guess: str, secret: str) -> str:
    """Bulls and cows, as 1A2B."""
    bulls = sum(g == s for g, s in zip(guess, secret, strict=True))
    return f"{bulls}A{len(set(guess) & set(secret)) - bulls}B"


def no_zero(digits: int = 3) -> FiniteGame:
    """Numbers of so many distinct digits."""
    codes = ["".join(code) for code in permutations("0123456789", digits) if code[0] != "0"]
    return FiniteGame(codes, mark, name="no leading zero")
