"""What a race found: a standing for each strategy, and a duel for each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pegwise.display import paint
from pegwise.game.game import I32, I64
from pegwise.strategies import Card, Option

__all__ = ["Duel", "Exact", "RaceResults", "Standing", "duels"]


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
