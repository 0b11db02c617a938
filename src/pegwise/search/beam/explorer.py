"""What a search of limited width goes by: levels of effort, positions, and what threads share.

`pegwise.search.beam.explorer` searches them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from pegwise.arrays import I64, U64, Bools
from pegwise.kernels.beam import (
    Parts,
    first_of_class,
    new_parts,
    rank,
    rename_guesses,
    solve_parts,
    split_set,
)
from pegwise.kernels.exact.board import Board, Work, new_work
from pegwise.kernels.exact.bounds import INFINITE, Bounds
from pegwise.kernels.exact.search import CLAIMS, DONE, TOO_DEEP, begin

MOST_EXACT: Final = 1500
"""Larger sets are never solved exactly."""

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


# The cost of positions by a search of limited width: what one thread does for `EffortSearch`.
#
# A level says how hard to search. Its cost of a position depends on the position and the level
# alone: sets up to a size are solved exactly; of larger ones the guesses that look best by the
# worth of their parts are weighed by the level below, and the best of those by this level. So
# whatever is remembered, by whomever, only saves time.

_SLICE: Final = 100
"""Sets that are entered before a thread looks whether it shall stop."""

_ENOUGH: Final = 2000
"""Guesses scored for a position, those that make most parts."""

_EQUAL: Final = 4
"""Guesses ranked for each that is kept: many are equal but for a symmetry of the position."""


@dataclass(slots=True, eq=False)
class Choice:
    """A guess for a position, with the parts that it makes; the large ones come last."""

    guess: int
    parts: Parts
    count: int


def _up_to(size: int, choice: Choice) -> int:
    """How many parts have at most so many codes."""
    return int(np.searchsorted(choice.parts.size[: choice.count], size, "right"))


class Explorer:
    """Searches positions, for one thread.

    Args:
        kernels: what all threads share.
        levels: the levels from 1 on, by number.
        stop: set when the thread shall stop.
    """

    def __init__(
        self, kernels: Kernels, levels: Mapping[int, Level], stop: threading.Event
    ) -> None:
        self.kernels = kernels
        self.levels = levels
        self.stop = stop
        self.work = self._new_work(24)
        self.positions = 0

    def _new_work(self, depths: int) -> Work:
        return new_work(self.kernels.board, depths, np.zeros((1, CLAIMS), np.uint64), 0)

    def best_cost(self, position: Position, number: int, left: int) -> int:
        """The cost of any position at a level.

        Raises:
            CancelledError: the thread has been asked to stop.
        """
        if len(position.codes) <= self.levels[number].plan.exact:
            return self.solve_exactly(position, left)
        return self.cost(position, number, left)

    def cost(self, position: Position, number: int, left: int) -> int:
        """The cost of a position at a level; `INFINITE` when it is not solved in time.

        Args:
            position: a set that is too large to be solved exactly at this level.
            number: of the level.
            left: guesses allowed.
        """
        memo = self.levels[number].memo
        found = memo.get(position.key)
        if found is None:
            found = self._search(position, number, left)
            memo[position.key] = found
        return found[0]

    def _search(self, position: Position, number: int, left: int) -> tuple[int, int]:
        if left < 2:
            return INFINITE, -1
        level = self.levels[number]
        choices = self.choices(position, number, left)
        known = position.key in level.book
        width = level.plan.width + known
        if number > 1 and len(choices) > width:
            costs = [self.weigh(position, choice, number - 1, left) for choice in choices]
            choices = [choices[at] for at in most_promising(costs, width, known=known)]
        costs = [self.weigh(position, choice, number, left) for choice in choices]
        return cheapest(costs, [choice.guess for choice in choices])

    def choices(self, position: Position, number: int, left: int) -> list[Choice]:
        """The guesses to weigh: the known one, then the best by worth, no two of them alike."""
        if self.stop.is_set():
            raise CancelledError
        level = self.levels[number]
        pool = level.plan.pool
        room = 1 if pool == 1 else _EQUAL * pool
        guesses = np.empty(room, np.int64)
        found = rank(
            self.kernels.board,
            self.work,
            position.codes,
            position.weights,
            position.present,
            position.allowed,
            level.rate,
            _ENOUGH,
            guesses,
            np.empty(room, np.int64),
        )
        self.positions += 1
        known = [level.book[position.key]] if position.key in level.book else []
        choices: list[Choice] = []
        seen: set[bytes] = set()
        for guess in known + guesses[:found].tolist():
            choice = self.choice(position, guess, left)
            keys = choice.parts.keys[: choice.count]
            wins = int(choice.parts.size[: choice.count].sum()) < len(position.codes)
            alike = keys[np.lexsort(keys.T)].tobytes() + bytes([wins])
            if alike not in seen:
                seen.add(alike)
                choices.append(choice)
                if len(choices) >= pool + len(known):
                    break
        return choices

    def choice(self, position: Position, guess: int, left: int) -> Choice:
        """A guess for a position."""
        return self._split(position, guess, left - 1)

    def weigh(
        self,
        position: Position,
        choice: Choice,
        number: int,
        left: int,
        without: Collection[int] = (),
    ) -> int:
        """What a guess costs at a level; `INFINITE` when a part is not solved in time.

        Args:
            position: a set that is too large to be solved exactly at this level.
            choice: what is played.
            number: of the level.
            left: guesses allowed.
            without: keys of large parts whose costs are left out.
        """
        small = self._solve(choice, self.levels[number].plan.exact, left - 1)
        total = position.weight + int(choice.parts.value[:small].sum())
        for part in self.large_parts(choice, number):
            if part.key not in without:
                total += self.cost(part, number, left - 1)
        return min(total, INFINITE)

    def large_parts(self, choice: Choice, number: int) -> list[Position]:
        """The parts that are too large to be solved exactly at a level, the largest last."""
        small = _up_to(self.levels[number].plan.exact, choice)
        return [self._position(choice.parts, at) for at in range(small, choice.count)]

    def _split(self, position: Position, guess: int, left: int) -> Choice:
        board = self.kernels.board
        parts = new_parts(len(position.codes), board.n_marks, weighted=board.weighted)
        count = split_set(board, self.work, position.codes, position.weights, guess, left, parts)
        return Choice(guess, parts, int(count))

    def _position(self, parts: Parts, at: int) -> Position:
        start, size = int(parts.start[at]), int(parts.size[at])
        weighted = self.kernels.board.weighted
        weights = parts.weights[start : start + size] if weighted else parts.weights
        return Position(
            parts.codes[start : start + size],
            weights,
            key_of(*parts.keys[at]),
            int(parts.present[at]),
            int(weights.sum()) if weighted else size,
        )

    def _solve(self, choice: Choice, largest: int, left: int) -> int:
        """Solve the parts up to a size exactly; how many these are."""
        last = _up_to(largest, choice)
        at, going = 0, False
        before = int(self.work.counters[0])
        kernels = self.kernels
        while at < last:
            at, status = solve_parts(
                kernels.board,
                kernels.bounds,
                kernels.table,
                self.work,
                choice.parts,
                at,
                last,
                going,
                left,
                _SLICE,
            )
            going = True
            if status == TOO_DEEP:
                self.positions += int(self.work.counters[0]) - before
                before = 0
                self.work = self._new_work(2 * len(self.work.frames))
                going = False
            elif status != DONE and self.stop.is_set():
                raise CancelledError
        self.positions += int(self.work.counters[0]) - before
        return last

    # the beginning of a game

    def root(self, codes: I64, weights: I64, left: int, *, classes: bool) -> Position:
        """All secrets, which are no part: they stay as they are.

        Args:
            codes: int64 (n), all codes.
            weights: int64 (n), or one element when there are none.
            left: guesses allowed.
            classes: whether one guess of each class is enough.
        """
        board = self.kernels.board
        allowed = np.ones(len(board.by_guess), np.bool_)
        if classes:
            first_of_class(board._replace(use_history=True), self.work, -1, allowed)
        begin(board, self.work, codes, weights, INFINITE, left)
        frame = self.work.frames[0]
        key = key_of(frame["key1"], frame["key2"])
        colors = board.symmetry.colors
        weight = int(weights.sum()) if board.weighted else len(codes)
        return Position(codes, weights, key, colors, weight, allowed)

    def first_guesses(self, root: Position, level: Level, count: int) -> list[int]:
        """The first guesses that look best."""
        guesses = np.empty(count, np.int64)
        found = rank(
            self.kernels.board,
            self.work,
            root.codes,
            root.weights,
            root.present,
            root.allowed,
            level.rate,
            len(self.kernels.board.by_guess),
            guesses,
            np.empty(count, np.int64),
        )
        return [int(guess) for guess in guesses[:found]]

    def after_first(
        self, root: Position, guess: int, left: int, *, classes: bool
    ) -> list[Position]:
        """The parts that a first guess makes, the largest first.

        Args:
            root: all secrets.
            guess: the first guess.
            left: guesses allowed after it.
            classes: whether one second guess of each class is enough.
        """
        board = self.kernels.board
        allowed = np.ones(len(board.by_guess), np.bool_)
        if classes:
            first_of_class(board._replace(use_history=True), self.work, guess, allowed)
        choice = self._split(root, guess, left)
        row = board.by_guess[guess][root.codes]
        found: list[Position] = []
        for at in range(choice.count - 1, -1, -1):
            part = self._position(choice.parts, at)
            own = np.flatnonzero(row == choice.parts.mark[at])
            weights = root.weights[own] if board.weighted else root.weights
            begin(board, self.work, root.codes[own], weights, INFINITE, left)
            numbers = np.flatnonzero(allowed)
            if board.symmetric:
                rename_guesses(board, self.work, numbers)
            here = np.zeros(len(allowed), np.bool_)
            here[numbers] = True
            found.append(replace(part, allowed=here if classes else EVERY))
        return found

    def solve_exactly(self, position: Position, left: int) -> int:
        """The least cost of a position."""
        size = len(position.codes)
        parts = new_parts(size, self.kernels.board.n_marks, weighted=self.kernels.board.weighted)
        parts.codes[:] = position.codes
        if self.kernels.board.weighted:
            parts.weights[:] = position.weights
        parts.size[0] = size
        self._solve(Choice(-1, parts, 1), size, left)
        return int(parts.value[0])
