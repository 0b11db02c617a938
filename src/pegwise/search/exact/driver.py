"""The tree of an exact search, read off its transposition table.

Sets that the table has lost are solved again. What comes out depends on the game alone: the best
guess of every set is the first in an order that the table does not change.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.errors import PegwiseError
from pegwise.game import Game
from pegwise.kernels.exact.board import Board, Work, new_work
from pegwise.kernels.exact.bounds import INFINITE, Bounds
from pegwise.kernels.exact.guess import lower_bound
from pegwise.kernels.exact.search import CLAIMS, DONE, RUNNING, TOO_DEEP, advance, begin
from pegwise.search.exact.model import Translation
from pegwise.strategies import Nodes

_NODES_AT_ONCE = 1 << 20


def extract(
    game: Game,
    board: Board,
    bounds: Bounds,
    table: U64,
    translation: Translation,
    first: int,
    left: int,
) -> Nodes:
    """The nodes of the best tree.

    Args:
        game: what is played.
        board: the same, with the options of the search.
        bounds: lower bounds.
        table: transposition table of the search.
        translation: numbers of the game and of the search.
        first: the first guess, by number of the search.
        left: guesses allowed.
    """
    board = board._replace(whole=False, use_history=False, first=-1)
    solver = Solver(board, bounds, table)
    weights = translation.weights
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    level: list[tuple[int, int, I64, int]] = [(-1, 0, np.arange(game.n_secrets), first)]
    while level:
        following: list[tuple[int, int, I64, int]] = []
        left -= 1
        for parent, mark, codes, guess in level:
            node = len(guesses)
            guesses.append(int(translation.guesses[guess]))
            parents.append(parent)
            marks.append(mark)
            given = board.by_guess[guess, codes]
            wins.append(bool((given == board.winning).any()))
            for number in np.unique(given).tolist():
                if number != board.winning:
                    part = codes[given == number]
                    best = solver.best_guess(part, weights[part], left)
                    following.append((node, number, part, best))
        level = following
    return Nodes.of(guesses, parents, marks, wins, game.n_marks)


class Solver:
    """Finds the best guess of a set, with the table of the search."""

    def __init__(self, board: Board, bounds: Bounds, table: U64) -> None:
        self.board = board
        self.bounds = bounds
        self.table = table
        self.work = self._new_work(24)

    def _new_work(self, depths: int) -> Work:
        return new_work(self.board, depths, np.zeros((1, CLAIMS), np.uint64), 0)

    def best_guess(self, codes: I64, weights: I64, left: int) -> int:
        """The best guess for a set, by number of the search.

        Args:
            codes: int64 (n), the candidates, by number of the search.
            weights: int64 (n), their weights if the board has weights.
            left: guesses allowed.
        """
        if len(codes) <= 2:
            heavier = codes[int(np.argmax(weights))]
            return int(self.board.guess_of[heavier])
        while True:
            begin(self.board, self.work, codes, weights, INFINITE, left)
            source = self.work.renaming.source.copy()
            name = self.work.renaming.name.copy()
            status = RUNNING
            while status == RUNNING:
                status = advance(self.board, self.bounds, self.table, self.work, _NODES_AT_ONCE)
            if status != TOO_DEEP:
                break
            self.work = self._new_work(2 * len(self.work.frames))
        guess = int(self.work.frames["guess"][0])
        if guess < 0:
            raise PegwiseError("internal error: a part of the best tree has no solution")
        if not self.board.symmetric:
            return guess
        return rename_back(self.board, guess, source, name)


def rename(board: Board, guess: int, source: I64, name: I64) -> int:
    """A guess under other names, of pegs and of colors."""
    return _guess_number(board, name[board.symmetry.guesses[guess][source]])


def rename_back(board: Board, guess: int, source: I64, name: I64) -> int:
    """The guess whose renaming, pegs and colors, is the given one."""
    original = np.empty_like(name)
    original[name] = np.arange(len(name))
    digits = np.empty(len(source), np.int64)
    digits[source] = original[board.symmetry.guesses[guess]]
    return _guess_number(board, digits)


def _guess_number(board: Board, digits: I64) -> int:
    place = 0
    for digit in digits.tolist():
        place = place * (board.symmetry.colors + 1) + digit
    return int(board.symmetry.guess_at[place])


# One exact search of all secrets under one limit of guesses, on one thread or several.

_STEP: Final = 200
"""Positions between two moments at which a thread can be stopped."""

_WAIT: Final = 0.1
_DEPTHS: Final = 24


@dataclass(frozen=True, slots=True)
class State:
    """What a thread knows between two steps.

    Attributes:
        value: cost of the best tree so far; `INFINITE` before the first.
        guess: its first guess, by number of the search; -1 before the first.
        bound: no tree costs less.
        tried: first guesses searched, the present one included.
        pending: first guesses that wait.
        fraction: a rough estimate of the work done, 0 to 1.
        positions: sets entered.
        finished: whether this thread has ended the search.
    """

    value: int = INFINITE
    guess: int = -1
    bound: int = 0
    tried: int = 1
    pending: int = 0
    fraction: float = 0.0
    positions: int = 0
    finished: bool = False


class Runner:
    """A search that goes on step by step, and can be left at any step.

    Args:
        board: the game, with the options of the search.
        bounds: lower bounds.
        table: transposition table, shared by the threads; it may know something already.
        weights: int64 (secrets), by number of the search.
        limit: guesses allowed.
        threads: how many search side by side.
    """

    def __init__(
        self, board: Board, bounds: Bounds, table: U64, weights: I64, limit: int, threads: int
    ) -> None:
        self.board = board
        self.bounds = bounds
        self.table = table
        self.weights = weights
        self.limit = limit
        self.threads = threads
        self.states: list[State] = []
        self._workers: list[Work] = []
        self._positions_before = 0
        self._begin(_DEPTHS)

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self._positions_before + sum(state.positions for state in self.states)

    @property
    def best(self) -> State:
        """The state of the thread that knows the best tree."""
        return min(self.states, key=lambda state: (not state.finished, state.value))

    def steps(self) -> Iterator[None]:
        """Search to the end, pausing now and then. Closing the iterator stops the threads."""
        run = self._run_alone if self.threads == 1 else self._run_threads
        while (yield from run()) == TOO_DEEP:
            self._begin(2 * len(self._workers[0].frames))

    def _begin(self, depths: int) -> None:
        """Begin, or begin again with room for longer games: the table keeps what is known."""
        self._positions_before = self.positions
        claims = np.zeros((self.threads, CLAIMS), np.uint64)
        everything = np.arange(len(self.weights))
        self._workers = [
            new_work(self.board, depths, claims, thread) for thread in range(self.threads)
        ]
        for work in self._workers:
            begin(self.board, work, everything, self.weights, INFINITE, self.limit)
        self.states = [State() for _ in self._workers]

    def _advance(self, thread: int) -> int:
        """Search on for some positions, and note what is known then: only now is it consistent."""
        work = self._workers[thread]
        status = int(advance(self.board, self.bounds, self.table, work, _STEP))
        frame = work.frames[0]
        entered = status == RUNNING and int(work.depth[0]) > 0
        self.states[thread] = State(
            value=int(frame["best"]),
            guess=int(frame["guess"]),
            bound=int(lower_bound(self.board, self.bounds, work)) if entered else 0,
            tried=int(frame["tried"]),
            pending=int(frame["pending"]),
            fraction=_fraction(work, 0),
            positions=int(work.counters[0]),
            finished=status == DONE,
        )
        return status

    def _run_alone(self) -> Generator[None, None, int]:
        while (status := self._advance(0)) == RUNNING:
            yield
        return status

    def _run_threads(self) -> Generator[None, None, int]:
        statuses: list[int] = []
        stop = threading.Event()

        def search(thread: int) -> None:
            status = RUNNING
            try:
                while status == RUNNING and not stop.is_set():
                    status = self._advance(thread)
            finally:
                if status != RUNNING:
                    statuses.append(status)
                    stop.set()

        threads = [
            threading.Thread(target=search, args=(number,), daemon=True)
            for number in range(self.threads)
        ]
        try:
            for thread in threads:
                thread.start()
            while not stop.wait(_WAIT) and any(thread.is_alive() for thread in threads):
                yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        if not statuses:
            raise PegwiseError("internal error: the threads of the search have died")
        return DONE if DONE in statuses else TOO_DEEP


def _fraction(work: Work, d: int) -> float:
    """Work done on a set: guesses tried, and of the present one the parts that are solved."""
    frame = work.frames[d]
    tried, pending = int(frame["tried"]), int(frame["pending"])
    inner = 0.0
    if d < int(work.depth[0]):
        parts = work.parts[d]
        shown = work.order[d, : int(frame["parts"])]
        # large parts take longer than in proportion
        sizes = parts["size"][shown].astype(float) ** 2
        still_open = parts["open"][shown] != 0
        inside = _fraction(work, d + 1) if d < 2 else 0.5
        now = float(parts["size"][int(frame["part"])]) ** 2
        solved = float(sizes[~still_open].sum()) + inside * now
        inner = min(1.0, solved / max(float(sizes.sum()), 1.0))
    return (max(tried - 1, 0) + inner) / max(tried + pending, 1)
