"""An exact search whose work is done by processes, or by the machines of a cluster.

A task asks what some guesses are worth against one set of candidates. Its worker has a
transposition table of its own and returns the entries: facts about sets, true wherever they are
used. So a task may be done twice, or never.

The search itself goes through its guesses in an order that its table does not change (see
docs/search.md). So workers may fill the table in any order, and value and tree stay what they are.
Bounds are shared coarsely: the cost of the best guess of a set is found before its other guesses
are handed out, some at first and then the rest, each time with the best bound so far.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import I32, U64, entry_rows, from_bytes, to_bytes
from pegwise.compute.backends import Backend, set_when_cancelled
from pegwise.compute.cache import ResultCache, ResultForm
from pegwise.compute.pieces import run
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.guess import next_guess
from pegwise.kernels.exact.search import CLAIMS, DONE
from pegwise.kernels.exact.table import learn, store
from pegwise.progress import Progress
from pegwise.search.exact.driver import SearchDriver, SetSearch
from pegwise.search.exact.model import SearchModel, model_of
from pegwise.search.exact.table import TranspositionTable
from pegwise.search.storage import entries, fingerprint

_STEP: Final = 1 << 9  # sets that a worker enters before it asks whether its task is still needed
_TABLE_BITS: Final = 16  # of the table of a task with some guesses
_LARGE_TABLE_BITS: Final = 20  # of the table of a task that solves a whole set

SMALL_GAME: Final = 2_000  # games of fewer secrets are searched before workers could begin
SMALL_SET: Final = 150  # smaller sets are left to the search itself
_FIRST_FEW: Final = 8  # guesses that are searched before the many others, for a better bound
_TASKS: Final = 64  # tasks that the other guesses of a set are cut into
_ROUND: Final = 0.3  # share of the open candidates of a first guess that one round looks at
_CLAIMED: Final = 24  # candidates of the smallest set whose claims the kernels heed


@dataclass(frozen=True, eq=False)
class ExactTask:
    """Some guesses against one set of candidates. Its `repr` tells tasks apart.

    Codes (int32) and guesses have their numbers of the search. Only a cost below `bound` is of
    interest; with `any_tree` the first one is enough. `whole` says that these are all secrets, so
    that the symmetries of the board hold. `identity` tells games and options apart, in words.
    """

    game: Game = field(repr=False)
    identity: str
    candidates_only: bool
    any_tree: bool
    codes: bytes
    guesses: tuple[int, ...]
    bound: int
    budget: int
    whole: bool = False


class ExactResult(NamedTuple):
    """The least cost of a guess, or the bound; sets entered; entries, uint64 (n, 4)."""

    cost: int
    positions: int
    entries: U64

    def to_bytes(self) -> bytes:
        """The result as it is stored."""
        return to_bytes([self.cost, self.positions], self.entries)

    @classmethod
    def from_bytes(cls, value: memoryview) -> ExactResult:
        """The result that was stored."""
        (cost, positions), (rows,) = from_bytes(value)
        return cls(cost, positions, entry_rows(rows))


_last: dict[str, SearchModel] = {}  # the model of the game of the last task, by identity


def search_task(task: ExactTask) -> ExactResult:
    """Search the guesses of a task in turn; a CancelledError if it is not needed any more."""
    model = _model(task)
    board, weights = model.board, model.weights
    codes = np.frombuffer(task.codes, np.int32).astype(np.int64)
    table = TranspositionTable(_LARGE_TABLE_BITS if task.whole else _TABLE_BITS)
    search = SetSearch(model, table)
    cost = task.bound
    stop = threading.Event()
    with set_when_cancelled(stop):
        for guess in task.guesses:
            # the set stays as it is, so that the number of the guess keeps its meaning
            search.board = board._replace(
                whole=True, use_history=task.whole and model.symmetric, first=guess
            )
            search.begin(codes, weights[codes], task.budget, cost)
            if search.finish(stop, _STEP) >= 0:
                cost = int(search.frame["best"])
                if task.any_tree:
                    break
    return ExactResult(cost, search.positions, entries(table.rows)[1])


def _model(task: ExactTask) -> SearchModel:
    if task.identity not in _last:
        guesses = "candidates" if task.candidates_only else "all"
        model = model_of(task.game, guesses=guesses, names_per_peg=True)
        _last.clear()
        _last[task.identity] = model.options(any_tree=task.any_tree)
    return _last[task.identity]


@dataclass
class _OpenSet:
    """Candidates after the first guess; the search stands in its frame, to choose their guesses."""

    search: SetSearch
    frame: Any
    codes: I32
    bound: int


class DistributedSearch:
    """Fills the table of a search, which has not begun, by tasks.

    Finished tasks are stored in a folder, if there is one, until all are done. `positions` counts
    the sets that workers have entered; `fraction` is the share of the present round that is done.
    """

    def __init__(
        self, game: Game, driver: SearchDriver, where: Backend, folder: Path | None
    ) -> None:
        self.game = game
        self.model, self.table, self.limit = driver.model, driver.table, driver.limit
        self.board, self.bounds = driver.model.board, driver.model.bounds
        self.where = where
        board = self.board
        options = f"{board.candidates_only} {board.any_tree} {board.first}"
        self.identity = f"search {__version__} {game.name} {fingerprint(game)} {options}"
        form = ResultForm(ExactResult.to_bytes, ExactResult.from_bytes)
        self.store = (
            None if folder is None else ResultCache(folder, f"{self.identity} {self.limit}", form)
        )
        self.positions = 0
        self.fraction = 0.0
        self._tell: Callable[[], None] = lambda: None

    def run(self, tell: Callable[[], None]) -> None:
        """Work until the search itself would find most of its answers in the table."""
        self._tell = tell
        root = self._root(INFINITE, -1) if self.game.n_secrets >= SMALL_GAME else None
        if root is None:
            return
        first = int(root.frame["trying"])
        self._search(self._open_sets(first, INFINITE, 1.0, set()))
        driver = SearchDriver(self.model.options(first=first), self.table, self.limit)
        driver.run(tell)
        self.positions += driver.positions
        solved = driver.best.guess >= 0
        if self.board.first < 0 and not (solved and self.board.any_tree):
            bound = driver.best.value if solved else INFINITE
            self._search_others(root, first, bound)

    def forget(self) -> None:
        """Remove the stored tasks: the search has used them."""
        if self.store is not None:
            self.store.clear()

    def _search_others(self, root: SetSearch, first: int, bound: int) -> None:
        """Show of all first guesses but one that they are not better."""
        root.frame["best"] = bound
        others = []
        while (guess := int(next_guess(self.board, self.bounds, root.work, 0))) >= 0:
            if guess != first:
                others.append(guess)
        if len(others) > _TASKS:
            # a game without symmetries: as many first guesses as codes
            everything = np.arange(self.game.n_secrets, dtype=np.int32)
            tasks = self._tasks(everything, others, bound, self.limit, whole=True)
            self._do(dict.fromkeys(tasks))
            return
        looked_at: set[tuple[int, int]] = set()
        while sets := [
            open_set
            for guess in others
            for open_set in self._open_sets(guess, bound, _ROUND, looked_at)
        ]:
            self._search(sets)

    def _root(self, bound: int, first: int, claims: U64 | None = None) -> SetSearch | None:
        """A search that stands before the parts of a first guess; None if it has ended by then."""
        model = self.model if first < 0 else self.model.options(first=first)
        search = SetSearch(model, self.table, claims=claims)
        search.begin(np.arange(self.game.n_secrets), model.weights, self.limit, bound)
        status = search.advance(1)
        return None if status == DONE or search.work.depth[0] == 0 else search

    def _open_sets(
        self, first: int, bound: int, share: float, looked_at: set[tuple[int, int]]
    ) -> list[_OpenSet]:
        """Sets after a first guess, as it is searched, up to a share of their codes; each once."""
        root = self._root(bound, first)
        if root is None:
            return []
        parts = root.work.parts[0]
        marks = [int(mark) for mark in root.work.order[0, : int(root.frame["parts"])]]
        open_marks = [mark for mark in marks if parts[mark]["open"]]
        new = [mark for mark in open_marks if (first, mark) not in looked_at]
        most = share * sum(int(parts[mark]["size"]) for mark in new)
        open_sets: list[_OpenSet] = []
        codes = 0
        for mark in new:
            if codes >= most:
                break
            codes += int(parts[mark]["size"])
            looked_at.add((first, mark))
            if parts[mark]["size"] >= SMALL_SET:
                others = [int(parts[m]["key1"]) for m in open_marks if m != mark]
                entered = self._enter(first, bound, mark, others)
                open_sets += [] if entered is None else [entered]
        return open_sets

    def _enter(self, first: int, bound: int, mark: int, others: Sequence[int]) -> _OpenSet | None:
        """A set of a first guess, entered; None if it is solved at once."""
        # the search goes where no other thread claims to be
        claims = np.zeros((1 + -(-len(others) // CLAIMS), CLAIMS), np.uint64)
        claims[1:].flat[: len(others)] = others
        search = self._root(bound, first, claims)
        if search is None:
            return None
        # claims on the smallest sets do not count: they are searched on the way
        work = search.work
        while work.depth[0] < 2 or int(search.frame["part"]) != mark:
            part = int(search.frame["part"])
            on_the_way = part == mark or work.parts[0, part]["size"] < _CLAIMED
            if work.depth[0] == 0 or not on_the_way or search.advance(1) == DONE:
                return None
        frame = work.frames[1]
        codes = work.codes[1, int(frame["offset"]) :][: int(frame["size"])].astype(np.int32)
        return _OpenSet(search, frame, codes, int(frame["best"]))

    def _search(self, sets: Sequence[_OpenSet]) -> None:
        """Show what sets cost, or that they cost no less than their bounds."""
        self._narrow(sets, [[int(each.frame["trying"])] for each in sets])
        self._narrow(sets, [self._next(each, _FIRST_FEW) for each in sets])
        self._narrow(sets, [self._next(each) for each in sets])
        for each in sets:
            # no guess is better: a fact that the search itself would find again
            frame, size = each.frame, int(each.frame["size"])
            if each.bound < INFINITE // 2 and not self.board.any_tree:
                store(self.table.rows, frame["key1"], frame["key2"], each.bound, False, -1, size)

    def _next(self, open_set: _OpenSet, most: int = INFINITE) -> list[int]:
        """The next guesses of a set that may be below its bound."""
        if self.board.any_tree and open_set.bound < INFINITE // 2:
            return []
        open_set.frame["best"] = open_set.bound
        guesses: list[int] = []
        while len(guesses) < most:
            guess = int(next_guess(self.board, self.bounds, open_set.search.work, 1))
            if guess < 0:
                break
            guesses.append(guess)
        return guesses

    def _narrow(self, sets: Sequence[_OpenSet], guesses: Sequence[list[int]]) -> None:
        """Search guesses of sets, side by side, and lower the bounds of the sets."""
        tasks: dict[ExactTask, _OpenSet | None] = {}
        for open_set, of_set in zip(sets, guesses, strict=True):
            for_set = self._tasks(open_set.codes, of_set, open_set.bound, self.limit - 1)
            tasks |= dict.fromkeys(for_set, open_set)
        self._do(tasks)

    def _tasks(
        self, codes: I32, guesses: list[int], bound: int, budget: int, *, whole: bool = False
    ) -> list[ExactTask]:
        """Guesses for a set, dealt out to tasks."""
        board, of_set = self.board, codes.tobytes()
        common = self.game, self.identity, board.candidates_only, board.any_tree, of_set
        return [
            ExactTask(*common, tuple(guesses[k::_TASKS]), bound, budget, whole)
            for k in range(min(_TASKS, len(guesses)))
        ]

    def _do(self, tasks: dict[ExactTask, _OpenSet | None]) -> None:
        """Let workers do tasks; the table learns from them, and the bounds of their sets."""

        def take_over(task: ExactTask, result: ExactResult) -> tuple[()]:
            learn(self.table.rows, result.entries)
            self.positions += result.positions
            if (open_set := tasks[task]) is not None:
                open_set.bound = min(open_set.bound, result.cost)
            return ()

        def report(step: Progress) -> None:
            self.fraction = step.done / max(step.total or 0, 1)
            self._tell()

        pieces = [*tasks]
        run(search_task, pieces, self.where, report=report, store=self.store, follow=take_over)
