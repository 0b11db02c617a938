"""A number from 0 to 255: less, equal or more; or ask which of two or three intervals has it."""

from itertools import combinations, pairwise

from pegwise import FiniteGame


def compare(guess: int, secret: int) -> str:
    """Where the secret is, seen from the guess."""
    return "equal" if guess == secret else "less" if secret < guess else "more"


def number(size: int = 256) -> FiniteGame:
    return FiniteGame(range(size), compare, name="number")


def intervals(size: int = 256) -> FiniteGame:
    """Every guess asks for an interval, such as 0-127/128-255; three of them end at sixteenths."""
    cuts = [*combinations(range(size // 16, size, size // 16), 2), *((n,) for n in range(1, size))]
    asked = {"/".join(f"{a}-{b - 1}" for a, b in pairwise((0, *cut, size))): cut for cut in cuts}

    def interval(question: str, secret: int) -> str:
        return question.split("/")[sum(secret >= cut for cut in asked[question])]

    return FiniteGame(range(size), interval, [*asked], name="intervals", ends="known")
