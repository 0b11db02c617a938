"""A matrix game solved exactly: the simplex method on fractions.

The games here have few rows, a row for each class of secrets, so that exact numbers cost little
and no floating point has to be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Solution", "solve_game"]


class Solution(NamedTuple):
    """Optimal mixed strategies of a matrix game.

    Attributes:
        value: what the row player wins on average.
        rows: probability of each row; whatever column is played, at least `value` is won.
        columns: probability of each column; whatever row is played, at most `value` is won.
    """

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_game(columns: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game in which the row player wins `columns[j][i]` for row i and column j.

    With all entries positive, the column player's program is: maximise the sum of y under
    A y <= 1, y >= 0; its optimum is 1 / value (Dantzig 1951). Bland's rule keeps it from cycling.

    Args:
        columns: at least one, all of the same length of at least 1; all entries positive.
    """
    n, m = len(columns), len(columns[0])
    one, zero = Fraction(1), Fraction(0)
    table = [
        [*(column[i] for column in columns), *(one if k == i else zero for k in range(m)), one]
        for i in range(m)
    ]
    prices = [-one] * n + [zero] * (m + 1)
    basis = [n + i for i in range(m)]
    while True:
        entering = next((j for j in range(n + m) if prices[j] < 0), -1)
        if entering < 0:
            break
        row = min(
            (i for i in range(m) if table[i][entering] > 0),
            key=lambda i: (table[i][-1] / table[i][entering], basis[i]),
        )
        pivot = table[row][entering]
        table[row] = [x / pivot for x in table[row]]
        for i in range(m):
            if i != row:
                table[i] = _minus(table[i], table[row], table[i][entering])
        prices = _minus(prices, table[row], prices[entering])
        basis[row] = entering
    value = 1 / prices[-1]
    played = [zero] * n
    for i, column in enumerate(basis):
        if column < n:
            played[column] = table[i][-1] * value
    return Solution(value, tuple(price * value for price in prices[n : n + m]), tuple(played))


def _minus(row: list[Fraction], other: list[Fraction], factor: Fraction) -> list[Fraction]:
    if not factor:
        return row
    return [x - factor * y if y else x for x, y in zip(row, other, strict=True)]
