"""Twelve coins, one too heavy (A+) or too light (A-): which one is it? A guess weighs ABC-DEF."""

from itertools import combinations

from pegwise import FiniteGame


def tilt(weighing: str, secret: str) -> str:
    """What the left side is; level where the coin is on neither."""
    left, right = weighing.split("-")
    if secret[0] not in left + right:
        return "level"
    return "heavier" if (secret[0] in left) == (secret[1] == "+") else "lighter"


def coins(count: int = 12) -> FiniteGame:
    """So many coins; it does not matter which side of the balance is which."""
    every, asked = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count], []
    for k in range(1, count // 2 + 1):
        for left in map("".join, combinations(every, k)):
            rest = [coin for coin in every if coin > left[0] and coin not in left]
            asked += [f"{left}-{''.join(right)}" for right in combinations(rest, k)]
    secrets = [coin + sign for coin in every for sign in "+-"]
    return FiniteGame(secrets, tilt, asked, name="coins", ends="known")
