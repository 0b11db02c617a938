"""How sure the mean of drawn games is: Student's interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final

from pegwise.errors import InputError

__all__ = ["CONFIDENCE", "mean_interval", "student"]

CONFIDENCE: Final = 0.95

_MANY: Final = 200


def mean_interval(histogram: Sequence[int]) -> tuple[float, float] | None:
    """An interval that holds the true mean with a confidence of 95 %.

    Args:
        histogram: number of independent games won with 1, 2, ... guesses.

    Returns:
        Its ends, or None for less than two games.
    """
    games = sum(histogram)
    if games < 2:
        return None
    total = sum(k * count for k, count in enumerate(histogram, 1))
    squares = sum(k * k * count for k, count in enumerate(histogram, 1))
    # whole numbers until here, so that nothing cancels
    variance = (games * squares - total * total) / (games * (games - 1))
    reach = student(games - 1) * math.sqrt(variance / games)
    return total / games - reach, total / games + reach


@lru_cache(maxsize=64)
def student(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t for which Student's distribution lies within -t and t with this confidence.

    Args:
        freedom: degrees of freedom, from 1.
        confidence: between 0 and 1.

    Source: Abramowitz and Stegun 1964, 26.7.3, 26.7.4 and, for many degrees, 26.7.5.

    Raises:
        InputError: out of range.
    """
    if freedom < 1 or not 0 < confidence < 1:
        raise InputError(
            "no Student distribution for {freedom} degrees and {confidence}",
            freedom=freedom,
            confidence=confidence,
        )
    if freedom > _MANY:
        z = NormalDist().inv_cdf((1 + confidence) / 2)
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / freedom + second / freedom**2
    low, high = 0.0, math.pi / 2
    while (middle := (low + high) / 2) not in {low, high}:
        if _within(middle, freedom) < confidence:
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
