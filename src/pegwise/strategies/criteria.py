"""Criteria of guesses: a worth for every part by its size, in whole numbers.

The score of a guess is the sum of the worths of its parts, or the largest of them; less is better.
Whole numbers make equal partitions tie exactly. Floating-point logarithms differ in their last
digit from machine to machine, so that n log2 n is worked out in whole numbers too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import InputError, TooLargeError, UnknownNameError, quoted
from pegwise.game import Game


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion of guesses.

    Attributes:
        id: its name as an option.
        worth: a function of a module, since strategies are sent to other processes. It gets the
            sizes of parts, 0, 1, 2, ..., int64 (n), and a number of binary digits; it returns the
            worth of each, int64 (n): a worth that is not a whole number has these digits after
            the point. Less is better.
        additive: worths are added up; else the largest counts.
        joint: what the score of a guess in several games at once is made of, where these tell
            nothing of each other and their parts are therefore products: `product` of the scores
            in each; or `mean`, which divides each by the number of candidates and adds them up.
    """

    id: str
    worth: Callable[[I64, int], I64]
    additive: bool
    joint: str = "product"

    def table(self, n: int, largest: int | None = None) -> I64:
        """int64 (largest + 1, or n + 1): worth of a part by its size, on a game of n secrets."""
        largest = n if largest is None else largest
        return worths(self, entropy_shift(n), table_size(n, largest))[: largest + 1]


MAX_WEIGHT: Final = 1 << 20  # the largest sum of weights: a table has the worth of each


def largest_part(game: Game) -> int:
    """The size of a part of all secrets, by their weights if they have some."""
    if game.weights is None:
        return game.n_secrets
    total = int(game.weights.sum())
    if total > MAX_WEIGHT:
        raise TooLargeError(
            "the weights add up to {total:,}; guesses are compared by at most {most:,}: divide "
            "all weights",
            total=total,
            most=MAX_WEIGHT,
        )
    return total


class GuessOrder(NamedTuple):
    """By what a one-step strategy chooses."""

    first: Criterion  # what is minimised
    second: Criterion | None  # what breaks ties; None where only candidates and order do
    only_candidates: bool  # play only candidates


_LEAST_TABLE: Final = 4096  # tables are at least so long: one then serves for many sizes


def table_size(n: int, largest: int) -> int:
    """The size up to which a table is made where it must reach another."""
    return min(1 << largest.bit_length(), max(n, _LEAST_TABLE))


@lru_cache(maxsize=32)
def worths(criterion: Criterion, digits: int, largest: int) -> I64:
    """The worth of a part by its size, with `digits` binary digits: int64 (largest + 1)."""
    return criterion.worth(np.arange(largest + 1, dtype=np.int64), digits)


def entropy_shift(n: int) -> int:
    """Binary digits after the point of n log2 n, so that sums stay below 2**62.

    40 up to some 200 000 candidates, fewer above.
    """
    bits = int(n * np.log2(max(n, 2))).bit_length()
    return min(40, 62 - bits)


def _largest(sizes: I64, _digits: int) -> I64:
    return sizes


def _expected(sizes: I64, _digits: int) -> I64:
    # sum of n * n / all: the expected number of candidates after the next mark
    return sizes * sizes


def _uncertainty(sizes: I64, digits: int) -> I64:
    # sum of n * log2 n / all: the expected number of bits still to find
    return sizes_times_logarithms(int(sizes[-1]), digits)


def _count(sizes: I64, _digits: int) -> I64:
    return -np.sign(sizes)


CRITERIA: Final = {
    "minimax": Criterion("minimax", _largest, additive=False),
    "size": Criterion("size", _expected, additive=True),
    "entropy": Criterion("entropy", _uncertainty, additive=True, joint="mean"),
    "parts": Criterion("parts", _count, additive=True),
}


_PRECISION: Final = 96  # binary digits of a logarithm
_GUARD: Final = 32  # more of them while it is worked out


def check_criterion(criterion: str, guesses: str) -> None:
    """Refuse a criterion or a set of guesses that does not exist."""
    if criterion not in CRITERIA:
        raise UnknownNameError.of("criterion", criterion, CRITERIA)
    if guesses not in {"all", "candidates"}:
        raise InputError("guesses {guesses}: write 'all' or 'candidates'", guesses=quoted(guesses))


def sizes_times_logarithms(n: int, digits: int) -> I64:
    """int64 (n + 1): k log2 k for k = 0, ..., n, rounded to multiples of 2**-digits.

    For digits up to 40 that are few enough for 64 bits (`entropy_shift`).
    """
    drop = _PRECISION - digits
    half = 1 << (drop - 1)
    rounded = (k * log + half >> drop for k, log in enumerate(_logarithms(n)))
    return np.fromiter(rounded, np.int64, n + 1)


def _logarithms(n: int) -> list[int]:
    """Binary logarithms of 0 (as 0), 1, ..., n as multiples of 2**-96.

    Those of primes p follow from smaller ones: p * p is (p - 1) * (p + 1), both even, times
    p * p / (p * p - 1), whose logarithm is a short series. All others are sums. The logarithms of
    `decimal` take nine times as long: 26 ms in place of 3 up to 4096.
    """
    logs = [0] * (n + 1)
    for k, factor in enumerate(_smallest_factors(n).tolist()):
        if k == 2:
            logs[k] = 1 << _PRECISION
        elif factor < k:
            logs[k] = logs[factor] + logs[k // factor]
        elif k > 2:
            below, above = logs[k >> 1], logs[(k >> 1) + 1]
            logs[k] = (1 << _PRECISION) + (below + above >> 1) + _excess(k)
    return logs


def _smallest_factors(n: int) -> I64:
    """int64 (n + 1): the smallest factor above 1 of each number."""
    factors = np.arange(n + 1)
    for k in range(2, int(n**0.5) + 1):
        if factors[k] == k:
            multiples = factors[k * k :: k]
            multiples[multiples == np.arange(k * k, n + 1, k)] = k
    return factors


def _excess(p: int) -> int:
    """Half the binary logarithm of p * p / (p * p - 1), as a multiple of 2**-96."""
    # ln(p * p / (p * p - 1)) = 2 artanh(1 / (2 * p * p - 1)), a series of odd powers
    return _artanh(2 * p * p - 1) * _PER_NATURAL >> _PRECISION + 2 * _GUARD


def _artanh(inverse: int) -> int:
    """artanh(1 / inverse) as a multiple of 2**-128."""
    power, odd, total = (1 << _PRECISION + _GUARD) // inverse, 1, 0
    while power:
        total += power // odd
        power //= inverse * inverse
        odd += 2
    return total


_PER_NATURAL: Final = (1 << 2 * (_PRECISION + _GUARD)) // (2 * _artanh(3))
"""1 / ln 2 as a multiple of 2**-128; ln 2 is 2 artanh(1/3)."""
