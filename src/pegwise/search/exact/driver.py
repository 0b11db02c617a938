"""Exact search of sets of candidates, on one thread or several, and the tree that it proves.

What comes out depends on the game alone: the best guess of every set is the first in an order that
the transposition table does not change. Sets that the table has lost are searched again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.errors import PegwiseError
from pegwise.game import Game
from pegwise.kernels.exact.board import Board, Work, new_work
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.kernels.exact.guess import lower_bound
from pegwise.kernels.exact.search import CLAIMS, DONE, ENTER, RUNNING, TOO_DEEP, advance, begin
from pegwise.search.exact.model import SearchModel
from pegwise.strategies import Nodes

_DEPTHS: Final = 24
_LARGE_STEP: Final = 1 << 20

# so many positions, or marks, between two moments at which a search of all secrets can be stopped
_STEP: Final = 200
_STEP_MARKS: Final = 1 << 30
_WAIT: Final = 0.1

Position = TypeVar("Position")


class SetSearch:
    """Searches one set after another, on one thread. Its stack grows as sets need it.

    Threads may share `table`, and `claims`, uint64 (threads, CLAIMS), when they search the same
    set: then each has its row. Between two sets `board` may get other options.
    """

    def __init__(
        self, model: SearchModel, table: U64, *, claims: U64 | None = None, thread: int = 0
    ) -> None:
        self.board = model.board
        self.bounds = model.bounds
        self.table = table
        if claims is None:
            claims = np.zeros((1, CLAIMS), np.uint64)
        self.work = new_work(self.board, _DEPTHS, claims, thread)
        self._positions_before = 0
        self._begun: tuple[Any, ...] = ()

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self._positions_before + int(self.work.counters[0])

    @property
    def frame(self) -> Any:
        """The frame of the whole set."""
        return self.work.frames[0]

    def begin(self, codes: I64, weights: I64, budget: int, bound: int = INFINITE) -> None:
        """Put a set at the bottom of the stack; only a cost below the bound is of interest.

        Codes, int64 (n), have their number of the search; weights, int64 (n), count if the board
        has any.
        """
        self._begun = codes, weights, budget, bound
        begin(self.board, self.work, codes, weights, bound, budget)

    def advance(self, positions: int, marks: int = UNLIMITED) -> int:
        """Search on for so many positions, or marks: `RUNNING` or `DONE`."""
        status = int(advance(self.board, self.bounds, self.table, self.work, positions, marks))
        if status == TOO_DEEP:
            self.deepen()
            self.begin(*self._begun)
            return RUNNING
        return status

    def finish(self, stop: threading.Event | None = None, step: int = _LARGE_STEP) -> int:
        """Search to the end; the best guess, -1 for none. A CancelledError if `stop` is set."""
        while self.advance(step) == RUNNING:
            if stop is not None and stop.is_set():
                raise CancelledError
        return int(self.frame["guess"])

    def deepen(self) -> None:
        """Double the stack, and empty it. The table keeps what has been found."""
        self._positions_before = self.positions
        depths = 2 * len(self.work.frames)
        self.work = new_work(self.board, depths, self.work.claims, self.work.me)

    def best_guess(self, codes: I64, weights: I64, budget: int) -> int:
        """The best guess for a set that can be solved; all as for `begin`."""
        if len(codes) <= 2:
            heavier = codes[int(np.argmax(weights))]
            return int(self.board.guess_of[heavier])
        self.begin(codes, weights, budget)
        renaming = self.work.renaming
        source, name = renaming.source.copy(), renaming.name.copy()
        guess = self.finish()
        if guess < 0:
            raise PegwiseError("internal error: a part of the best tree has no solution")
        return rename_back(self.board, guess, source, name)


def rename(board: Board, guess: int, source: I64, name: I64) -> int:
    """A guess under other names of pegs and colors; only boards have any."""
    if not board.symmetric:
        return guess
    return _guess_number(board, name[board.symmetry.guesses[guess][source]])


def rename_back(board: Board, guess: int, source: I64, name: I64) -> int:
    """The guess that `rename` turns into this one."""
    if not board.symmetric:
        return guess
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


# all secrets


@dataclass(frozen=True, slots=True)
class ThreadState:
    """What a thread knows of a search between two steps; `bound` is one of every tree.

    `value` and `guess` are cost and first guess of the best tree, `INFINITE` and -1 before there is
    one. `tried` counts the first guesses searched, the present one included; `pending` those that
    wait.
    """

    value: int = INFINITE
    guess: int = -1
    bound: int = 0
    tried: int = 1
    pending: int = 0
    fraction: float = 0.0
    finished: bool = False


class SearchDriver:
    """A search of all secrets under one limit of guesses, that can be left at any step.

    Value and tree are the same for any number of threads, which share the table.
    """

    def __init__(self, model: SearchModel, table: U64, limit: int, threads: int = 1) -> None:
        self.model = model
        self.table = table
        self.limit = limit
        claims = np.zeros((threads, CLAIMS), np.uint64)
        self._searches = [
            SetSearch(model, table, claims=claims, thread=thread) for thread in range(threads)
        ]
        for search in self._searches:
            search.begin(np.arange(len(model.weights)), model.weights, limit)
        self.states = [ThreadState() for _ in self._searches]

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return sum(search.positions for search in self._searches)

    @property
    def best(self) -> ThreadState:
        """The state of the thread that knows the best tree."""
        return min(self.states, key=lambda state: (not state.finished, state.value))

    @property
    def fraction(self) -> float:
        """A rough estimate of the work done, 0 to 1."""
        return max(state.fraction for state in self.states)

    def steps(self) -> Generator[None]:
        """Search to the end, pausing now and then. Closing the iterator stops the threads."""
        return self._run_alone() if len(self._searches) == 1 else self._run_threads()

    def nodes(self, game: Game) -> Nodes:
        """The nodes of the best tree so far."""
        model = self.model.options(whole=False, use_history=False, first=-1)
        board, weights, first = model.board, model.weights, self.best.guess
        sets = SetSearch(model, self.table)

        def play(position: tuple[I64, int]) -> Played[tuple[I64, int]]:
            codes, budget = position
            at_start = budget == self.limit
            guess = first if at_start else sets.best_guess(codes, weights[codes], budget)
            marks = board.by_guess[guess, codes]
            parts = {mark: codes[marks == mark] for mark in np.unique(marks).tolist()}
            wins = parts.pop(board.winning, None) is not None
            after = [(mark, (part, budget - 1)) for mark, part in parts.items()]
            return int(model.guesses[guess]), wins, after

        return tree_nodes((np.arange(len(weights)), self.limit), play, game.n_marks)

    def _run_alone(self) -> Generator[None]:
        while self._advance(0) == RUNNING:
            yield

    def _run_threads(self) -> Generator[None]:
        stop = threading.Event()

        def search(thread: int) -> None:
            try:
                while not stop.is_set() and self._advance(thread) == RUNNING:
                    pass
            finally:
                stop.set()

        threads = len(self._searches)
        with ThreadPoolExecutor(threads) as pool:
            ended = [pool.submit(search, thread) for thread in range(threads)]
            try:
                while not stop.wait(_WAIT):
                    yield
            finally:
                stop.set()
        for future in ended:
            future.result()

    def _advance(self, thread: int) -> int:
        """Search on for some positions, and note the state, which is consistent only now."""
        search = self._searches[thread]
        status = search.advance(_STEP, _STEP_MARKS)
        work, frame = search.work, search.frame
        entered = status == RUNNING and int(frame["phase"]) != ENTER
        self.states[thread] = ThreadState(
            value=int(frame["best"]),
            guess=int(frame["guess"]),
            bound=int(lower_bound(search.board, search.bounds, work)) if entered else 0,
            tried=int(frame["tried"]),
            pending=int(frame["pending"]),
            fraction=_fraction(work, 0),
            finished=status == DONE,
        )
        return status


def _fraction(work: Work, d: int) -> float:
    """Work done on a set: guesses tried, and of the present one the parts that are solved."""
    frame = work.frames[d]
    tried, pending = int(frame["tried"]), int(frame["pending"])
    inner = 0.0
    if d < int(work.depth[0]):
        parts = work.parts[d]
        listed = work.order[d, : int(frame["parts"])]
        # large parts take longer than in proportion
        sizes = parts["size"][listed].astype(float) ** 2
        still_open = parts["open"][listed] != 0
        inside = _fraction(work, d + 1) if d < 2 else 0.5
        now = float(parts["size"][int(frame["part"])]) ** 2
        solved = float(sizes[~still_open].sum()) + inside * now
        inner = min(1.0, solved / max(float(sizes.sum()), 1.0))
    return (max(tried - 1, 0) + inner) / max(tried + pending, 1)


# trees

Played = tuple[int, bool, Iterable[tuple[int, Position]]]
"""A guess by number of the game, whether it may win, and positions by all other marks."""


def tree_nodes(root: Position, play: Callable[[Position], Played[Position]], n_marks: int) -> Nodes:
    """The nodes of a tree, breadth first, from what `play` does in a position; marks ascend."""
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    waiting = deque([(-1, 0, root)])
    while waiting:
        parent, mark, position = waiting.popleft()
        guess, may_win, parts = play(position)
        waiting.extend((len(guesses), number, part) for number, part in parts)
        guesses.append(guess)
        parents.append(parent)
        marks.append(mark)
        wins.append(may_win)
    return Nodes.of(guesses, parents, marks, wins, n_marks)
