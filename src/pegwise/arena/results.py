"""How sure the mean of drawn games is: Student's interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import NormalDist
from typing import Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import InputError
from pegwise.hooks import paint
from pegwise.strategies import Card, Option

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


# What a race found: a standing for each strategy, and a duel for each pair.


@dataclass(frozen=True, slots=True)
class Exact:
    """Figures over every secret, each once or as often as its weight says.

    Attributes:
        mean: guesses a secret.
        total: guesses over all secrets.
        worst: guesses for the deepest secret.
    """

    mean: float
    total: int
    worst: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What one strategy needed.

    Attributes:
        strategy: its label: `knuth`, `knuth:then=entropy`.
        card: its card.
        options: its options that differ from their defaults.
        secrets: games counted: every secret once, or the games drawn.
        total: guesses over these games; weighted where every secret is played and the game has
            weights.
        mean: guesses a game, weighted likewise.
        worst: guesses of the longest game.
        histogram: games won with 1, 2, ... guesses.
        seconds: time taken, without compiling kernels.
        nodes: guesses worked out: nodes of the tree that was played.
        interval: where games are drawn, what holds the mean over all secrets with a confidence
            of 95 %; None for a single game.
        exact: the figures over all secrets beside those of drawn games, where they are known.
    """

    strategy: str
    card: Card
    options: Mapping[str, Option]
    secrets: int
    total: int
    mean: float
    worst: int
    histogram: tuple[int, ...]
    seconds: float
    nodes: int
    interval: tuple[float, float] | None = None
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class Duel:
    """Two strategies on the same games.

    Attributes:
        first: label of one.
        second: label of the other.
        first_faster: games in which the first needs fewer guesses.
        second_faster: games in which the second does.
        ties: games in which both need the same number.
        first_by_at_most: most guesses that the first saves in a game; 0 where it never does.
        second_by_at_most: likewise for the second.
    """

    first: str
    second: str
    first_faster: int
    second_faster: int
    ties: int
    first_by_at_most: int
    second_by_at_most: int


@dataclass(frozen=True, slots=True)
class RaceResults:
    """A race, or what was finished of it.

    Attributes:
        version: of the program.
        rules: name of the game.
        secrets: number of codes that may be hidden.
        seed: for what was drawn.
        games: number of games drawn; None where every secret was played.
        standings: in the order of the race.
        duels: one for each pair of strategies.
        skipped: strategies without a standing, with the reason.
        command: what to type to run the race again.
    """

    version: str
    rules: str
    secrets: int
    seed: int
    games: int | None
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    skipped: tuple[tuple[str, str], ...]
    command: str

    def _repr_html_(self) -> str | None:
        return paint("race", self)


def duels(depths: Mapping[str, I32], times: I64) -> tuple[Duel, ...]:
    """Every pair of strategies compared.

    Args:
        depths: int32 (secrets) by label, guesses that the strategy needs for each secret.
        times: int64 (secrets), how many games each secret counts for.
    """
    return tuple(
        _duel(first, second, depths[first], depths[second], times)
        for first, second in combinations(depths, 2)
    )


def _duel(first: str, second: str, a: I32, b: I32, times: I64) -> Duel:
    # how many games need i guesses of one and j of the other
    side = int(max(a.max(), b.max())) + 1
    pairs = a.astype(np.int64) * side + b
    games = np.bincount(pairs, times, side * side).astype(np.int64).reshape(side, side)
    savings = np.array([np.trace(games, offset) for offset in range(1 - side, side)])
    return Duel(
        first,
        second,
        first_faster=int(savings[side:].sum()),
        second_faster=int(savings[: side - 1].sum()),
        ties=int(savings[side - 1]),
        first_by_at_most=_most(savings[side:]),
        second_by_at_most=_most(savings[: side - 1][::-1]),
    )


def _most(games: Sequence[int] | I64) -> int:
    """The most guesses saved, from the number of games in which 1, 2, ... are saved."""
    return int(np.flatnonzero(games).max(initial=-1)) + 1
