"""The cost of positions by a search of limited width: what one thread does for `EffortSearch`.

A level says how hard to search. Its cost of a position depends on the position and the level
alone: sets up to a size are solved exactly; of larger ones the guesses that look best by the
worth of their parts are weighed by the level below, and the best of those by this level. So
whatever is remembered, by whomever, only saves time.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from pegwise.game.game import I64
from pegwise.kernels.effort import (
    Parts,
    first_of_class,
    new_parts,
    rank,
    rename_guesses,
    solve_parts,
    split_set,
)
from pegwise.kernels.exact import CLAIMS, DONE, TOO_DEEP, begin
from pegwise.kernels.exact_board import Work, new_work
from pegwise.kernels.exact_bounds import INFINITE
from pegwise.search.effort_levels import EVERY, Kernels, Level, Position, key_of

__all__ = ["Explorer"]

_SLICE: Final = 100
"""Sets that are entered before a thread looks whether it shall stop."""

_ENOUGH: Final = 2000
"""Guesses scored for a position, those that make most parts."""

_EQUAL: Final = 4
"""Guesses ranked for each that is kept: many are equal but for a symmetry of the position."""


class _Stopped(Exception):  # noqa: N818 - no error
    """The thread has been asked to stop."""


@dataclass(slots=True, eq=False)
class _Choice:
    """A guess for a position, with the parts that it makes; the large ones come last."""

    guess: int
    parts: Parts
    count: int


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

    def best_cost(self, position: Position, number: int, left: int) -> int | None:
        """The cost of any position at a level; None when the thread has been stopped."""
        try:
            if len(position.codes) <= self.levels[number].plan.exact:
                return self.solve_exactly(position, left)
            return self.cost(position, number, left)
        except _Stopped:
            return None

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
        level = self.levels[number]
        best = INFINITE
        guess = -1
        if left < 2:
            return best, guess
        known = level.book.get(position.key, -1)
        choices = self._choices(position, level, left, known)
        width = level.plan.width + (known >= 0)
        if number > 1 and len(choices) > width:
            choices = self._promising(position, choices, number - 1, left, width, known)
        for choice in choices:
            cost = self._cost_of(position, choice, number, left, best)
            if cost < best:
                best, guess = cost, choice.guess
        return best, guess

    def _promising(
        self,
        position: Position,
        choices: list[_Choice],
        number: int,
        left: int,
        width: int,
        known: int,
    ) -> list[_Choice]:
        """The choices that a level finds best, and the one that is known, the best first."""
        costs: list[tuple[int, int]] = []
        for index, choice in enumerate(choices):
            below = sorted(costs)[width - 1][0] if len(costs) >= width else INFINITE
            cost = self._cost_of(position, choice, number, left, below)
            costs.append((cost, index))
        kept = sorted(costs)[:width]
        if known >= 0 and all(choices[index].guess != known for _, index in kept):
            kept[-1] = next(pair for pair in costs if choices[pair[1]].guess == known)
        return [choices[index] for _, index in kept]

    def _choices(self, position: Position, level: Level, left: int, known: int) -> list[_Choice]:
        """The guesses to weigh: the known one, then the best by worth, no two of them alike."""
        if self.stop.is_set():
            raise _Stopped
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
        ranked = [int(guess) for guess in guesses[:found]]
        choices: list[_Choice] = []
        seen: set[bytes] = set()
        for guess in ([known] if known >= 0 else []) + ranked:
            choice = self._split(position, guess, left - 1)
            keys = choice.parts.keys[: choice.count]
            wins = int(choice.parts.size[: choice.count].sum()) < len(position.codes)
            alike = keys[np.lexsort(keys.T)].tobytes() + bytes([wins])
            if alike not in seen:
                seen.add(alike)
                choices.append(choice)
                if len(choices) >= pool + (known >= 0):
                    break
        return choices

    def _split(self, position: Position, guess: int, left: int) -> _Choice:
        board = self.kernels.board
        parts = new_parts(len(position.codes), board.n_marks, weighted=board.weighted)
        count = split_set(board, self.work, position.codes, position.weights, guess, left, parts)
        return _Choice(guess, parts, int(count))

    def _cost_of(
        self, position: Position, choice: _Choice, number: int, left: int, below: int
    ) -> int:
        """The cost of a guess at a level, or some number that is not below the given one."""
        parts, count = choice.parts, choice.count
        sizes = parts.size[:count]
        small = int(np.searchsorted(sizes, self.levels[number].plan.exact, "right"))
        self._solve(choice, small, left - 1)
        total = position.weight + int(parts.value[:small].sum())
        least = [self._least(parts, at) for at in range(small, count)]
        total += sum(least)
        for at in range(small, count):
            if total >= below:
                return total
            part = self._position(parts, at)
            total += self.cost(part, number, left - 1) - least[at - small]
        return min(total, INFINITE)

    def _least(self, parts: Parts, at: int) -> int:
        """A lower bound on the cost of a part."""
        size = int(parts.size[at])
        if not self.kernels.board.weighted:
            return int(self.kernels.least[size])
        start = int(parts.start[at])
        weights = parts.weights[start : start + size]
        return int(2 * weights.sum() - weights.max())

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

    def _solve(self, choice: _Choice, last: int, left: int) -> None:
        """Solve the first parts exactly."""
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
                raise _Stopped
        self.positions += int(self.work.counters[0]) - before

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
        self._solve(_Choice(-1, parts, 1), 1, left)
        return int(parts.value[0])
