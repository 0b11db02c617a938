"""Strategies that weigh nothing: the first candidate, one at random, guesses fixed beforehand."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from pegwise.arrays import I32
from pegwise.errors import InputError, StrategyError
from pegwise.game import Code, Game, Rules, all_secrets
from pegwise.strategies.base import CandidateDecision, CandidateStrategy, Card, History, Option


class First(CandidateStrategy):
    """Play the first candidate in numeric order (Shapiro 1983; Maréchal and Rastoix; the TP)."""

    card = Card(
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

    def choose(self, game: Game, candidates: I32, history: History) -> int:  # noqa: ARG002
        """The first one."""
        return int(game.guess_of_secret[candidates[0]])


class Random(CandidateStrategy):
    """Play a candidate drawn at random, the same one whenever seed and history are the same.

    Args:
        seed: a whole number from 0.
    """

    card = Card(
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
        self.options = {"seed": seed} if seed else {}

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        """One of them, by a hash of seed and history."""
        text = repr((self.seed, history)).encode()
        draw = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest())
        return int(game.guess_of_secret[candidates[draw % len(candidates)]])


class FixedGuesses(ABC):
    """Play guesses fixed beforehand, whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all guesses.
    """

    def __init__(self, *, early: bool = True) -> None:
        self.early = early
        self.options: Mapping[str, Option] = {} if early else {"early": False}

    @abstractmethod
    def guesses(self, game: Game) -> Sequence[Code]:
        """The guesses, in the order in which they are played.

        Raises:
            StrategyError: there are none for this game.
        """

    def begin(self, game: Game) -> CandidateDecision:
        """The first of the guesses.

        Raises:
            StrategyError: as `guesses`.
        """
        choose = partial(_next_or_code, self.guesses(game), self.early)
        return CandidateDecision(game, all_secrets(game), choose)


def _next_or_code(
    guesses: Sequence[Code], early: bool, game: Game, candidates: I32, history: History
) -> int:
    if len(history) >= len(guesses) or (early and len(candidates) == 1):
        return int(game.guess_of_secret[candidates[0]])
    return game.guess_number(guesses[len(history)])


class Greenwell(FixedGuesses):
    """Play the six guesses whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all six.
    """

    card: ClassVar = Card(
        id="greenwell",
        name="Six fixed guesses",
        authors="Don L. Greenwell",
        year=1999,
        source="Mastermind, Journal of Recreational Mathematics 30(3), p. 191-192",
        about=(
            "Plays six guesses fixed beforehand: no two codes of 4 pegs and 6 colors get the same "
            "six marks, so that the code can be announced as the seventh guess. As soon as fewer "
            "marks leave only one code, that one is announced, unless early=false."
        ),
        traits=frozenset({"fixed"}),
    )

    def guesses(self, game: Game) -> Sequence[Code]:
        """The six guesses.

        Raises:
            StrategyError: other rules than 4x6.
        """
        if getattr(game, "rules", None) != _RULES:
            raise StrategyError(
                "greenwell plays {rules} only, not {game}: its six guesses are made for that "
                "board; `pegwise static` finds a set of fixed guesses for others",
                rules=_RULES,
                game=game.name,
            )
        return GUESSES


_RULES: Final = Rules(4, 6)

GUESSES: Final = tuple(
    Code(pegs)
    for pegs in [
        (0, 1, 1, 0),
        (1, 2, 4, 3),
        (2, 2, 0, 0),
        (3, 4, 1, 3),
        (4, 5, 4, 5),
        (5, 5, 3, 2),
    ]
)
"""Greenwell's six guesses, in the order in which they are played."""
