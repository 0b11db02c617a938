"""Strategies that play a candidate without weighing it: the first one, or one at random."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from pegwise.arrays import I32
from pegwise.errors import ContradictionError, InputError
from pegwise.game import Game, all_secrets
from pegwise.strategies.base import Card, Option


class First:
    """Play the first candidate in numeric order (Shapiro 1983; Maréchal and Rastoix; the TP)."""

    card: ClassVar = Card(
        id="first",
        name="First candidate",
        authors="Ehud Shapiro",
        year=1983,
        source="Playing Mastermind logically, SIGART Newsletter 85, p. 28-29",
        about=(
            "Plays the first code, in numeric order, that agrees with every mark so far. It "
            "weighs nothing, so it needs no more than a way to check one code, and it is the "
            "yardstick that every cleverer method must beat."
        ),
        traits=frozenset({"any-game", "consistent"}),
    )
    options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> _Consistent:
        """All secrets are candidates."""
        return _Consistent(self, game, all_secrets(game), ())

    def choose(self, candidates: I32, history: tuple[tuple[int, int], ...]) -> int:
        """The first one."""
        del history
        return int(candidates[0])


class Random:
    """Play a candidate drawn at random, the same one whenever seed and history are the same.

    Args:
        seed: a whole number from 0.
    """

    card: ClassVar = Card(
        id="random",
        name="Random candidate",
        authors="Peter Swaszek",
        year=1999,
        source="The mastermind novice, Journal of Recreational Mathematics 30(3), p. 193-198",
        about=(
            "Plays any code that agrees with every mark so far, each with the same chance: what "
            "a careful beginner does. The draw depends only on the seed and the history, so a "
            "game can be replayed."
        ),
        traits=frozenset({"any-game", "consistent", "random"}),
    )

    def __init__(self, *, seed: int = 0) -> None:
        if seed < 0:
            raise InputError("seed {seed}: a seed is a whole number from 0", seed=seed)
        self.seed = seed
        self.options: Mapping[str, Option] = {"seed": seed} if seed else {}

    def begin(self, game: Game) -> _Consistent:
        """All secrets are candidates."""
        return _Consistent(self, game, all_secrets(game), ())

    def choose(self, candidates: I32, history: tuple[tuple[int, int], ...]) -> int:
        """One of them, by a hash of seed and history."""
        text = repr((self.seed, history)).encode()
        draw = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest())
        return int(candidates[draw % len(candidates)])


class _Consistent:
    """Candidates after a history, of which the strategy chooses one."""

    def __init__(
        self,
        strategy: First | Random,
        game: Game,
        candidates: I32,
        history: tuple[tuple[int, int], ...],
    ) -> None:
        self.strategy = strategy
        self.game = game
        self.candidates = candidates
        self.history = history

    @cached_property
    def number(self) -> int:
        """Number of the guess."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        chosen = self.strategy.choose(self.candidates, self.history)
        return int(self.game.guess_of_secret[chosen])

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> _Consistent:
        return self._following(self.number, mark)

    def instead(self, guess: Any, mark: Any) -> _Consistent:
        return self._following(self.game.guess_number(guess), mark)

    def _following(self, guess: int, mark: Any) -> _Consistent:
        number = self.game.mark_number(mark)
        left = self.candidates[self.game.marks(guess, self.candidates) == number]
        return _Consistent(self.strategy, self.game, left, (*self.history, (guess, number)))
