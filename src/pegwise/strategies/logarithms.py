"""Sizes times their binary logarithms, in whole numbers that are the same on every machine.

Floating-point logarithms differ in their last digit from machine to machine, and a digit can
decide between guesses.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["entropy_shift", "sizes_times_logarithms"]

I64 = npt.NDArray[np.int64]

_PRECISION: Final = 96
_GUARD: Final = 32
_LIMB: Final = 32
_MASK: Final = (1 << _LIMB) - 1


def entropy_shift(n: int) -> int:
    """Binary digits kept after the point of n log2 n, so that sums stay below 2**62.

    40 up to some 200 000 candidates, fewer above.
    """
    bits = int(n * np.log2(max(n, 2))).bit_length()
    return min(40, 62 - bits)


def sizes_times_logarithms(n: int, digits: int) -> I64:
    """int64 (n + 1): k log2 k for k = 0, ..., n, rounded to multiples of 2**-digits.

    Args:
        n: at most 2**25, more than any board that is listed.
        digits: at most 40, and few enough for 64 bits; `entropy_shift` of n or of more.
    """
    low, middle, high = _logarithms(n)
    sizes = np.arange(n + 1, dtype=np.int64)
    low *= sizes
    middle *= sizes
    high *= sizes
    middle += low >> _LIMB
    drop = _PRECISION - digits
    middle += 1 << (drop - 1 - _LIMB)  # half of the last digit that is kept
    high += middle >> _LIMB
    middle &= _MASK
    return (high << (2 * _LIMB - drop)) | (middle >> (drop - _LIMB))


def _logarithms(n: int) -> tuple[I64, I64, I64]:
    """Binary logarithms of 0 (as 0), 1, ..., n as whole multiples of 2**-96, in limbs of 32 bits.

    Those of primes p follow from smaller ones: p * p is (p - 1) * (p + 1), both even, times
    p * p / (p * p - 1), whose logarithm is a short series. All others are sums.
    """
    low, middle, high = (np.zeros(n + 1, np.int64) for _ in range(3))
    high[2:3] = 1 << (_PRECISION - 2 * _LIMB)
    factor = _factors(n)
    begin = 3
    # twice as many at a time: what is needed is at most half as large, or a factor
    while begin <= n:
        end = min(2 * begin - 1, n + 1)
        numbers = np.arange(begin, end)
        prime = factor[begin:end] == numbers
        for k in numbers[prime].tolist():
            below, above = (
                int(low[j]) | int(middle[j]) << _LIMB | int(high[j]) << 2 * _LIMB
                for j in (k >> 1, (k >> 1) + 1)
            )
            found = (1 << _PRECISION) + (below + above >> 1) + _excess(k)
            low[k], middle[k], high[k] = found & _MASK, found >> _LIMB & _MASK, found >> 2 * _LIMB
        others = numbers[~prime]
        one = factor[others]
        other = others // one
        sums = low[one] + low[other]
        low[others] = sums & _MASK
        sums = middle[one] + middle[other] + (sums >> _LIMB)
        middle[others] = sums & _MASK
        high[others] = high[one] + high[other] + (sums >> _LIMB)
        begin = end
    return low, middle, high


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


def _factors(n: int) -> I64:
    """int64 (n + 1): the smallest factor above 1 of each number."""
    found = np.arange(n + 1)
    for k in range(2, int(n**0.5) + 1):
        if found[k] == k:
            multiples = found[k * k :: k]
            multiples[multiples == np.arange(k * k, n + 1, k)] = k
    return found
