"""Times of whole trees that were measured: what `plan` foretells others from.

Processor time on one thread with kernels compiled, on one machine (AMD EPYC, virtual, 2 cores,
Python 3.11.7, Numba 0.68.1). 4x6, 5x8, 5x12, 6x9 and 7x7 were measured while nothing else ran,
the others while the machine was busy, which makes them look slower by a fifth, 7x4 by more. 5x12
and 7x7 are the sum of two threads.
"""

from __future__ import annotations

from typing import Final

from pegwise.arena.plan import Measured
from pegwise.game import Rules

__all__ = ["DATE", "MEASURED"]

DATE: Final = "2026-11-21"

_STRATEGIES: Final = ("knuth", "irving", "entropy", "parts")

_SECONDS: Final = {
    "4x6": (0.00069, 0.0008, 0.00081, 0.00068),
    "4x8": (0.00474, 0.00446, 0.00481, 0.00502),
    "4x10": (0.02013, 0.01844, 0.01761, 0.0208),
    "4x12": (0.0597, 0.05818, 0.05786, 0.06838),
    "5x6": (0.01255, 0.01216, 0.01209, 0.01091),
    "5x7": (0.0383, 0.04165, 0.04217, 0.04021),
    "5x8": (0.114, 0.109, 0.107, 0.111),
    "7x4": (0.16233, 0.15958, 0.12136, 0.09225),
    "6x5": (0.081, 0.05322, 0.04808, 0.04381),
    "6x6": (0.39607, 0.31016, 0.33124, 0.28329),
    "5x9": (0.35318, 0.35133, 0.37395, 0.35796),
    "5x12": (3.48, 3.01, 3.11, 3.44),
    "6x9": (13.8, 13.4, 12.8, 14.2),
    "7x7": (102.1, 85.8, 75.1, 66.5),
}

MEASURED: Final = tuple(
    Measured(Rules.parse(board), strategy, found)
    for board, row in _SECONDS.items()
    for strategy, found in zip(_STRATEGIES, row, strict=True)
)
"""All that was measured, smaller boards first."""
