"""Exact values of positions for the coach, as far as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pegwise.game import Code, Rules, Turn
from pegwise.kernels import cache

if TYPE_CHECKING:
    from pegwise.knowledge import PositionValue


_MAX_POSITIONS: Final = 5000  # sets that a search for the coach enters: about a second


def timed_solver(
    seconds: float,
) -> Callable[[Rules, Sequence[Turn], Code | None, str], PositionValue | None]:
    """A function that gives the `position_value` of as many positions as there is time for.

    It knows nothing where its kernels are not compiled yet: reviews do not wait for that.
    """
    if not cache.compiled("exact.search"):
        return lambda *_: None
    from pegwise.search.exact.position import load_kernels, position_value

    load_kernels()
    end = time.monotonic() + seconds

    def solve(
        rules: Rules, history: Sequence[Turn], guess: Code | None, guesses: str
    ) -> PositionValue | None:
        remaining = end - time.monotonic()
        if remaining <= 0:
            return None
        return position_value(
            rules, history, guess, guesses=guesses, seconds=remaining, positions=_MAX_POSITIONS
        )

    return solve
