"""A search of limited width for the cost of positions, as one thread does it for `BeamSearch`.

A level says how hard to search. Its cost of a position depends on the position and the level
alone: sets up to a size are solved exactly; of larger ones the guesses that look best by the
worth of their parts are weighed by level 1, the best of those by level 2, and so on, and the few
that remain by this level. So whatever is remembered, by whatever thread, only saves time.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Collection, Generator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from pegwise.arrays import I64, Bools
from pegwise.game import Game
from pegwise.kernels.exact.beam import (
    PartArrays,
    first_of_class,
    new_parts,
    rank,
    rename_guesses,
    solve_parts,
    split_set,
)
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.search import DONE, TOO_DEEP
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import SearchModel, model_of
from pegwise.search.exact.table import TranspositionTable, free_for_marks

MOST_EXACT: Final = 1500  # larger sets are never solved exactly
_SLICE: Final = 100  # sets that are entered before a thread looks whether it shall stop
_MOST_SCORED: Final = 2000  # guesses scored for a position, those that make most parts

_EQUAL: Final = 2
"""Guesses ranked for each that is weighed: many are equal but for a symmetry of the position."""

_POOL: Final = 16  # guesses that level 1 weighs for each that it leaves to level 2
_MOST_HALVES: Final = 10  # the first pass weighs at most 2**10 times the guesses of the last

_RATE_BITS: Final = 20  # binary digits of a rate after the point, where it is to be exact

Memo = dict[int, tuple[int, int]]
"""Cost and guess of positions, by `BeamPosition.memo_key`."""

_ALL_GUESSES: Final[Bools] = np.zeros(0, np.bool_)
"""No classes of guesses are known: each is allowed."""


@dataclass(frozen=True, slots=True)
class BeamPlan:
    """Sets up to `exact` are solved; of larger ones `pool` guesses are weighed by level 1.

    The best of each level go on to the next: `widths` of them after levels 1, 2, ...
    """

    exact: int
    pool: int
    widths: tuple[int, ...] = ()


def plan(number: int) -> BeamPlan:
    """The plan of level 1, 2, ...: each takes some times longer than the one before."""
    if number == 1:
        return BeamPlan(60, 1)
    widths = tuple(number << min(k, _MOST_HALVES) for k in reversed(range(number - 1)))
    return BeamPlan(min(60 * number, MOST_EXACT), _POOL * widths[0], widths)


@dataclass(slots=True)
class BeamLevel:
    """A level of a beam search.

    `rate`, int64 (n + 1), is the worth of a candidate by the size of its part. `incumbents` holds
    guesses of large positions that are weighed in any case, by key; `memo` cost and guess of those
    searched.
    """

    plan: BeamPlan
    rate: I64
    incumbents: Mapping[int, int]
    memo: Memo = field(default_factory=dict)

    def rounds(
        self, number: int, key: int, count: int
    ) -> Generator[tuple[int, list[int]], list[int], tuple[int, int]]:
        """Which of `count` guesses of a position are weighed by which level, in turn.

        The first guess is that of the incumbent, if it has the key, and this level weighs it in
        any case. Yields the number of a level and the places of the guesses that it weighs; their
        costs are sent. Returns cost and place of the best guess; `INFINITE` and -1 when none is
        solved in time.
        """
        incumbent = [0] if key in self.incumbents else []
        places = list(range(len(incumbent), count))
        for below, width in enumerate(self.plan.widths, 1):
            if len(places) > width:
                costs = yield below, places
                places = [at for _, at in sorted(zip(costs, places, strict=True))[:width]]
        places = incumbent + places
        costs = yield number, places
        cost = min(costs, default=INFINITE)
        return (cost, places[costs.index(cost)]) if cost < INFINITE else (INFINITE, -1)


@dataclass(frozen=True, slots=True, eq=False)
class BeamPosition:
    """Candidates in canonical form: int64 (n) codes, ascending.

    Weights, int64 (n), are one element when there are none. The key is of candidates and guesses
    allowed, or -1; `present` counts their colors. `allowed`, bool (guesses), marks one guess of
    each class; it is empty when no classes are known.
    """

    codes: I64
    weights: I64
    key: int = -1
    present: int = -1
    allowed: Bools = field(default_factory=lambda: _ALL_GUESSES)

    @property
    def weight(self) -> int:
        """Sum of the weights of the candidates, or their number."""
        n = len(self.codes)
        return int(self.weights.sum()) if len(self.weights) == n else n

    @property
    def work(self) -> float:
        """How much work it may be, in some unit."""
        return math.pow(max(self.weight, 1), 1.5)

    @property
    def memo_key(self) -> int:
        """By which its cost is remembered: it depends on the classes of guesses too."""
        if not len(self.allowed):
            return self.key
        digest = hashlib.sha256(np.packbits(self.allowed).tobytes()).digest()
        return self.key ^ int.from_bytes(digest[:16], "little")

    def __repr__(self) -> str:
        """By which tasks are told apart."""
        return f"{self.memo_key:032x}"


def key_of(first: np.uint64, second: np.uint64) -> int:
    """One number for a key of two words."""
    return int(first) << 64 | int(second)


def beam_model(game: Game, guesses: str) -> SearchModel:
    """The model of a game that may be too large for exact search."""
    return model_of(game, guesses=guesses, largest=MOST_EXACT, most_bytes=free_for_marks())


@dataclass(slots=True, eq=False)
class GuessParts:
    """A guess for a position, with the parts that it makes; the large ones come last."""

    guess: int
    parts: PartArrays
    count: int

    def up_to(self, size: int) -> int:
        """How many parts have at most `size` codes."""
        return int(np.searchsorted(self.parts.size[: self.count], size, "right"))


@dataclass(eq=False)
class BeamWorker:
    """Searches positions, for one thread, until `stop` is set."""

    model: SearchModel
    table: TranspositionTable
    levels: Mapping[int, BeamLevel]
    stop: threading.Event
    _ranked: int = 0

    def __post_init__(self) -> None:
        self.board = self.model.board
        self.sets = SetSearch(self.model, self.table)

    @property
    def positions(self) -> int:
        """Positions ranked and sets entered so far."""
        return self._ranked + self.sets.positions

    def best_cost(self, position: BeamPosition, number: int, budget: int) -> int:
        """The cost of any position at a level; a CancelledError if asked to stop."""
        if len(position.codes) <= self.levels[number].plan.exact:
            return self._solve_exactly(position, budget)
        return self.cost(position, number, budget)

    def cost(self, position: BeamPosition, number: int, budget: int) -> int:
        """The cost of a position that is not solved exactly; `INFINITE` if not solved in time."""
        memo, key = self.levels[number].memo, position.memo_key
        if key not in memo:
            memo[key] = self._search(position, number, budget)
        return memo[key][0]

    def _search(self, position: BeamPosition, number: int, budget: int) -> tuple[int, int]:
        if budget < 2:
            return INFINITE, -1
        choices = self.choices(position, number, budget)

        def weigh(level: int, places: list[int]) -> list[int]:
            return [self.weigh(position, choices[at], level, budget) for at in places]

        rounds = self.levels[number].rounds(number, position.key, len(choices))
        try:
            question = next(rounds)
            while True:
                question = rounds.send(weigh(*question))
        except StopIteration as end:
            cost, best = end.value
        return cost, choices[best].guess if best >= 0 else -1

    def choices(self, position: BeamPosition, number: int, budget: int) -> list[GuessParts]:
        """The guesses to weigh: that of the incumbent, then the best by worth, no two alike."""
        if self.stop.is_set():
            raise CancelledError
        level = self.levels[number]
        pool = level.plan.pool
        most = 1 if pool == 1 else min(_EQUAL * pool, len(self.board.by_guess))
        ranked = self._rank(position, level, max(_MOST_SCORED, most), most)
        self._ranked += 1
        incumbent = [level.incumbents[position.key]] if position.key in level.incumbents else []
        choices: dict[bytes, GuessParts] = {}
        for guess in incumbent + ranked:
            choice = self.choice(position, guess, budget)
            keys = choice.parts.keys[: choice.count]
            wins = int(choice.parts.size[: choice.count].sum()) < len(position.codes)
            choices.setdefault(keys[np.lexsort(keys.T)].tobytes() + bytes([wins]), choice)
            if len(choices) >= pool + len(incumbent):
                break
        return list(choices.values())

    def choice(self, position: BeamPosition, guess: int, budget: int) -> GuessParts:
        """A guess for a position; `budget` guesses are allowed, this one included."""
        board = self.board
        parts = new_parts(len(position.codes), board.n_marks, weighted=board.weighted)
        count = split_set(
            board, self.sets.work, position.codes, position.weights, guess, budget - 1, parts
        )
        return GuessParts(guess, parts, int(count))

    def weigh(
        self,
        position: BeamPosition,
        choice: GuessParts,
        number: int,
        budget: int,
        without: Collection[int] = (),
    ) -> int:
        """Cost of a guess at a level, without the costs of large parts with some keys.

        It is `INFINITE` when a part is not solved within the guesses allowed.
        """
        small = self._solve_parts(choice, self.levels[number].plan.exact, budget - 1)
        total = position.weight + int(choice.parts.value[:small].sum())
        for part in self.large_parts(choice, number):
            if part.key not in without:
                total += self.cost(part, number, budget - 1)
        return min(total, INFINITE)

    def large_parts(self, choice: GuessParts, number: int) -> list[BeamPosition]:
        """The parts that are too large to be solved exactly at a level, the largest last."""
        small = choice.up_to(self.levels[number].plan.exact)
        return [self._position(choice.parts, at) for at in range(small, choice.count)]

    def _rank(self, position: BeamPosition, level: BeamLevel, scored: int, count: int) -> list[int]:
        """The guesses of most worth, `count` at most, among those that make most parts."""
        guesses = np.empty(count, np.int64)
        worth = np.empty(count, np.int64)
        candidates = position.codes, position.weights, position.present, position.allowed
        ranked = rank(self.board, self.sets.work, *candidates, level.rate, scored, guesses, worth)
        best: list[int] = guesses[:ranked].tolist()
        return best

    def lower_bound(self, position: BeamPosition, least: I64) -> int:
        """A lower bound on the cost of a position without weights.

        It is the smallest sum, over all guesses, of what the parts cost at least by their sizes:
        `least`, int64 (n + 1), for 0, 1, ... codes.
        """
        size = len(position.codes)
        rate = (least << _RATE_BITS) // np.maximum(np.arange(len(least)), 1)
        guess, worth = np.empty(1, np.int64), np.empty(1, np.int64)
        candidates = position.codes, position.weights, position.present, position.allowed
        every = len(self.board.by_guess)
        if not rank(self.board, self.sets.work, *candidates, rate, every, guess, worth):
            return int(least[size])
        return size - int(-worth[0] >> _RATE_BITS)  # rates are rounded down: this rounds up

    def _position(self, parts: PartArrays, at: int) -> BeamPosition:
        start, size = int(parts.start[at]), int(parts.size[at])
        own = slice(start, start + size)
        weights = parts.weights[own] if self.board.weighted else parts.weights
        key, present = key_of(*parts.keys[at]), int(parts.present[at])
        return BeamPosition(parts.codes[own], weights, key, present)

    def _solve_parts(self, choice: GuessParts, largest: int, budget: int) -> int:
        """Solve the parts up to a size exactly; how many these are."""
        last = choice.up_to(largest)
        at, going = 0, False
        while at < last:
            at, status = solve_parts(
                self.board,
                self.model.bounds,
                self.table.rows,
                self.sets.work,
                choice.parts,
                at,
                last,
                going,
                budget,
                _SLICE,
            )
            going = status != TOO_DEEP
            if status == TOO_DEEP:
                self.sets.deepen()
            elif status != DONE and self.stop.is_set():
                raise CancelledError
        return last

    def _solve_exactly(self, position: BeamPosition, budget: int) -> int:
        """The least cost of a position."""
        size = len(position.codes)
        parts = new_parts(size, self.board.n_marks, weighted=self.board.weighted)
        parts.codes[:] = position.codes
        if self.board.weighted:
            parts.weights[:] = position.weights
        parts.size[0] = size
        self._solve_parts(GuessParts(-1, parts, 1), size, budget)
        return int(parts.value[0])

    # the beginning of a game

    def root(self, budget: int) -> BeamPosition:
        """All secrets, which keep their numbers."""
        board, weights = self.board, self.model.weights
        codes = np.arange(len(weights))
        if not board.weighted:
            weights = weights[:1]
        self.sets.begin(codes, weights, budget)
        frame = self.sets.frame
        key = key_of(frame["key1"], frame["key2"])
        return BeamPosition(codes, weights, key, board.symmetry.colors, self._first_of_classes(-1))

    def _first_of_classes(self, played: int) -> Bools:
        """Mark one guess of each class after a guess, or at the start (-1): bool (guesses)."""
        allowed = np.ones(len(self.board.by_guess), np.bool_)
        if self.model.symmetric:
            first_of_class(self.board._replace(use_history=True), self.sets.work, played, allowed)
        return allowed

    def first_guesses(self, root: BeamPosition, level: BeamLevel, count: int) -> list[int]:
        """The first guesses that look best."""
        return self._rank(root, level, len(self.board.by_guess), count)

    def after_first(self, root: BeamPosition, guess: int, budget: int) -> dict[int, BeamPosition]:
        """The parts of a first guess by mark, the largest first; `budget` guesses may follow."""
        board = self.board
        allowed = self._first_of_classes(guess)
        choice = self.choice(root, guess, budget + 1)
        row = board.by_guess[guess][root.codes]
        positions: dict[int, BeamPosition] = {}
        for at in range(choice.count - 1, -1, -1):
            part, mark = self._position(choice.parts, at), int(choice.parts.mark[at])
            positions[mark] = part
            if not self.model.symmetric:
                continue
            # the classes are named as the part is
            own = np.flatnonzero(row == mark)
            weights = root.weights[own] if board.weighted else root.weights
            self.sets.begin(root.codes[own], weights, budget)
            numbers = np.flatnonzero(allowed)
            rename_guesses(board, self.sets.work, numbers)
            renamed = np.zeros(len(allowed), np.bool_)
            renamed[numbers] = True
            positions[mark] = replace(part, allowed=renamed)
        return positions
