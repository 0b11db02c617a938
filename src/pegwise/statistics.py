"""How sure the mean of drawn games is: Student's interval; and a share of them: Wilson's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from pegwise.arrays import F64, I64

CONFIDENCE: Final = 0.95
_MANY: Final = 200


def mean_interval(histogram: Sequence[int]) -> tuple[float, float] | None:
    """The ends of an interval that holds the true mean with a confidence of 95 %.

    None for less than two games; the histogram counts those won with 1, 2, ... guesses.
    """
    games = sum(histogram)
    if games < 2:
        return None
    total = sum(k * count for k, count in enumerate(histogram, 1))
    squares = sum(k * k * count for k, count in enumerate(histogram, 1))
    # whole numbers until here, so that nothing cancels
    variance = (games * squares - total * total) / (games * (games - 1))
    return _around(total / games, variance, games)


def share_interval(part: int, games: int) -> tuple[float, float]:
    """The ends of an interval that holds the true share with a confidence of 95 %.

    Wilson's, for `part` of at least one game: it stays within 0 and 1.

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, spread = part / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    reach = math.sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def interval_of(values: F64, times: I64) -> tuple[float, float] | None:
    """The interval of `mean_interval` for values, float64 (n), each drawn `times`, int64 (n)."""
    games = int(times.sum())
    if games < 2:
        return None
    mean = float(values @ times) / games
    variance = float(np.square(values - mean) @ times) / (games - 1)
    return _around(mean, variance, games)


def _around(mean: float, variance: float, games: int) -> tuple[float, float]:
    reach = student(games - 1) * math.sqrt(variance / games)
    return mean - reach, mean + reach


@lru_cache(maxsize=64)
def student(freedom: int) -> float:
    """The t for which Student's distribution lies within -t and t with a confidence of 95 %.

    Source: Abramowitz and Stegun 1964, 26.7.3, 26.7.4 and, for many degrees, 26.7.5.
    """
    if freedom > _MANY:
        z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / freedom + second / freedom**2
    low, high = 0.0, math.pi / 2
    while (middle := (low + high) / 2) not in {low, high}:
        if _within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)


def _within(angle: float, freedom: int) -> float:
    """Chance of -t to t, for t = tan(angle) sqrt(freedom)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for k in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * k / (k + 1)
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
