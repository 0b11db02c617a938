"""What a search of limited width goes by: levels of effort, positions, and what threads share.

`pegwise.search.effort_explorer` searches them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.game.game import I64
from pegwise.kernels.exact_board import Board
from pegwise.kernels.exact_bounds import INFINITE, Bounds
from pegwise.kernels.exact_table import U64

__all__ = [
    "EVERY",
    "MOST_EXACT",
    "Kernels",
    "Level",
    "Plan",
    "Position",
    "cheapest",
    "key_of",
    "most_promising",
    "plan",
    "work_of",
]

MOST_EXACT: Final = 1500
"""Larger sets are never solved exactly."""

Bools = npt.NDArray[np.bool_]
EVERY: Final[Bools] = np.zeros(0, np.bool_)
"""No classes of guesses are known: each is allowed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How hard a level searches.

    Attributes:
        exact: sets of at most so many candidates are solved exactly.
        pool: guesses of larger ones that the level below weighs.
        width: those of them that this level weighs.
    """

    exact: int
    pool: int
    width: int


def plan(number: int) -> Plan:
    """The plan of level 1, 2, ...: each takes some times longer than the one before."""
    if number == 1:
        return Plan(60, 1, 1)
    return Plan(min(60 * number, MOST_EXACT), 4 << min(number - 1, 12), 2 * (number - 1))


@dataclass(slots=True)
class Level:
    """A level of effort.

    Attributes:
        plan: how hard it searches.
        rate: int64 (n + 1), worth of a candidate in a part of so many, in some unit.
        book: guesses of large positions that are tried in any case: key to guess.
        memo: cost and guess of the positions searched so far, by key.
    """

    plan: Plan
    rate: I64
    book: Mapping[int, int]
    memo: dict[int, tuple[int, int]] = field(default_factory=dict)


def most_promising(costs: Sequence[int], width: int, *, known: bool) -> list[int]:
    """The places of the guesses that a level weighs, those that the level below finds best first.

    Args:
        costs: of every guess, by the level below.
        width: how many to keep.
        known: whether the first guess is that of the tree so far, which is kept in any case.
    """
    best = sorted(range(len(costs)), key=lambda at: (costs[at], at))[:width]
    if known and 0 not in best:
        best[-1] = 0
    return best


def cheapest(costs: Sequence[int], guesses: Sequence[int]) -> tuple[int, int]:
    """Cost and guess of the best, the first of several; `INFINITE` and -1 when none is solved."""
    cost = min(costs, default=INFINITE)
    return (cost, guesses[costs.index(cost)]) if cost < INFINITE else (INFINITE, -1)


@dataclass(frozen=True, slots=True)
class Kernels:
    """What all threads share.

    Attributes:
        board: the game, as a set in canonical form, without history.
        bounds: lower bounds of sets that are solved exactly.
        table: transposition table of the exact search.
    """

    board: Board
    bounds: Bounds
    table: U64


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """Candidates in canonical form.

    Attributes:
        codes: int64 (n), ascending.
        weights: int64 (n), or one element when there are none.
        key: what it is found by, guesses left included.
        present: number of its colors.
        weight: sum of its weights.
        allowed: bool (guesses), one guess of each class; empty when no classes are known.
    """

    codes: I64
    weights: I64
    key: int
    present: int
    weight: int
    allowed: Bools = field(default_factory=lambda: EVERY)


def work_of(position: Position) -> float:
    """How much work a position may be, in some unit."""
    return math.pow(max(position.weight, 1), 1.5)


def key_of(first: np.uint64, second: np.uint64) -> int:
    """One number for a key of two words."""
    return int(first) << 64 | int(second)
