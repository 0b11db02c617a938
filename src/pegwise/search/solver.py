"""Exact values of positions for the coach, as far as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from pegwise.game import Code, Game, Turn, game_of
from pegwise.kernels import cache
from pegwise.search.plain import MAX_PAIRS_OF_KERNELS, plain_value

if TYPE_CHECKING:
    from pegwise.knowledge import PositionValue


_MAX_POSITIONS: Final = 5000  # sets that a search for the coach enters: about a second


def best_play_within(
    seconds: float,
) -> Callable[[Game, Sequence[Turn], Code | None, str], PositionValue | None]:
    """A function that gives the `position_value` of positions until the seconds are used up.

    Where its kernels are not compiled yet, small positions are solved without them, with the same
    answers: reviews do not wait for compilation.
    """
    plain = not cache.compiled("exact.search")
    if not plain:
        from pegwise.search.exact.position import load_kernels, position_value

        load_kernels()
    end = time.monotonic() + seconds

    def solve(
        game: Game, history: Sequence[Turn], guess: Code | None, guesses: str
    ) -> PositionValue | None:
        remaining = end - time.monotonic()
        if remaining <= 0:
            return None
        game = game_of(game.text) if game.weights is not None else game  # a guess costs guesses
        if plain:
            return plain_value(game, history, guess, guesses=guesses, seconds=remaining)
        return position_value(
            game, history, guess, guesses=guesses, seconds=remaining, positions=_MAX_POSITIONS
        )

    return solve


def wants_kernels(game: Game, n_candidates: int) -> bool:
    """Whether only kernels, which are not compiled yet, could solve a position."""
    small = game.n_guesses * n_candidates <= MAX_PAIRS_OF_KERNELS
    return small and not cache.compiled("exact.search")
