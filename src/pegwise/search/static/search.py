"""The smallest fixed set of guesses that tells all secrets apart, proven.

First local search finds small sets. Then, from the bound that the number of parts gives upwards,
every set of one size is refuted, until one is found (`static.tree`). With two colors and black
marks both go peg by peg (`static.columns`). docs/static.md describes the method.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import Phrase, TooLargeError, check_whole
from pegwise.game import Game, GameLike, game_of
from pegwise.kernels.pairs import PAIRS, HardPairs
from pegwise.kernels.static import FOUND, exhaust
from pegwise.progress import Progress, Report, run_for, silent
from pegwise.search.certificates.files import COLUMN_METHOD, SET_METHOD
from pegwise.search.certificates.sets import FixedSet, confused
from pegwise.search.exact.table import BASE_MEMORY
from pegwise.search.static.columns import Columns, Prefix
from pegwise.search.static.local_search import greedy, in_good_order, local_search
from pegwise.search.static.tree import (
    MAX_EXHAUSTED,
    Prepared,
    Task,
    TaskPath,
    sets_of_smaller_boards,
    tasks,
)
from pegwise.search.storage import Block, Blocks, Resumable, State

MAX_SECRETS: Final = 12_000  # games with more are not searched
_STEPS: Final = 400  # exchanges of the local search for each size
_MORE_STEPS: Final = 8_000  # with more than `_FEW_SECRETS`, where no proof ends the search soon
_FEW_SECRETS: Final = 1_500  # up to this number, a proof may end the search soon
_AHEAD: Final = 4  # tasks that wait for each thread
_WAIT: Final = 0.1  # seconds between two reports of progress


@dataclass(frozen=True, slots=True)
class StaticProgress(Progress):
    """One step of the search; `done` counts sets of guesses tried.

    Attributes:
        size: guesses of the best set so far, None before the first one.
        lower_bound: no set has fewer.
        fraction: how much of the refutation of the present size is done, roughly; 0 to 1.
    """

    size: int | None = None
    lower_bound: int = 0
    fraction: float = 0.0


def check_size(game: Game) -> None:
    """Refuse a game that is too large to search, by TooLargeError."""
    if Columns.of(game) is not None:
        return
    if game.n_secrets > MAX_SECRETS or game.n_guesses > 4 * MAX_SECRETS:
        raise TooLargeError(
            "{game} has {secrets:,} secrets and {guesses:,} guesses, too many to search for a "
            "fixed set (at most {most:,} and {most_guesses:,}); a given set can be checked",
            game=game.name,
            secrets=game.n_secrets,
            guesses=game.n_guesses,
            most=MAX_SECRETS,
            most_guesses=4 * MAX_SECRETS,
        )


class StaticSearch(Resumable[FixedSet]):
    """A search for the smallest set of guesses that tells all secrets apart.

    It can be stopped at any step and then still has its best set and a lower bound.

    Args:
        game: what is played; weights do not matter.
        guesses: ask only whether this number is enough; None for the smallest number.
        threads: how many search side by side; the answer is the same for any number.
        seed: for the local search.

    Raises:
        InputError: an option out of range.
        TooLargeError: a game too large to search.
    """

    # another order of the search tree needs another format: its paths mean nothing to this one
    file_format = b"pegwise static checkpoint 2\n"
    file_suffix = "static"
    options = ("guesses", "seed")

    def __init__(
        self, game: Game, *, guesses: int | None = None, threads: int = 1, seed: int = 0
    ) -> None:
        if guesses is not None:
            check_whole("guesses", guesses)
        check_whole("threads", threads, 1)
        game.refuse_hard(Phrase("guesses cannot be fixed beforehand"))
        check_size(game)
        self.game = game
        self.guesses = guesses
        self.threads = threads
        self.seed = seed
        self.best: tuple[int, ...] | None = None
        self.lower_bound = 0
        self.refuting = 0
        self.path: TaskPath = ()
        self.positions = 0
        self.fraction = 0.0
        self._columns = Columns.of(game)
        self._prepared = Prepared(game)
        self._pools: list[HardPairs] = []
        self._stop = np.zeros(1, np.int64)

    def run(self, report: Report = silent) -> None:
        def tell() -> None:
            report(self._progress())

        least = max(self._least_by_parts(), self._least_of_smaller_boards())
        self.lower_bound = max(self.lower_bound, least)
        tell()
        self._local(tell)
        while not self.finished and (self._columns or self.game.n_secrets <= MAX_EXHAUSTED):
            # a set of n guesses is refuted with all smaller ones: only the size asked for is tried
            self._refute(self.lower_bound if self.guesses is None else self.guesses, tell)
        tell()

    @property
    def method(self) -> str:
        """How the set is searched, for its certificate."""
        return SET_METHOD if self._columns is None else COLUMN_METHOD

    @property
    def finished(self) -> bool:
        if self.best is not None and len(self.best) <= max(self.lower_bound, self.guesses or 0):
            return True
        return self.guesses is not None and self.lower_bound > self.guesses

    def _least_by_parts(self) -> int:
        """Guesses needed at least: m of them give at most parts ** m answers."""
        if self._columns is not None:
            parts = self.game.n_marks
        else:
            firsts = np.unique(self._prepared.symmetry.orbits(())[0])
            parts = max(len(np.unique(self._prepared.marks[guess])) for guess in firsts.tolist())
        least = 0
        while parts**least < self.game.n_secrets:
            least += 1
        return least

    def _least_of_smaller_boards(self) -> int:
        """Guesses needed on a smaller board; not asked of small boards, which are soon searched."""
        if self._columns is not None or self.game.n_secrets <= _FEW_SECRETS:
            return 0
        return max((fixed.lower_bound for fixed in sets_of_smaller_boards(self.game)), default=0)

    def _local(self, tell: Callable[[], None]) -> None:
        """Look for small sets, as long as the next smaller size is found."""
        if self.refuting and self.best is not None:  # done before the checkpoint
            return
        if self._columns is not None:
            self._look(self._columns, tell)
            return
        random = np.random.default_rng(self.seed)
        steps = _STEPS if self.game.n_secrets <= _FEW_SECRETS else _MORE_STEPS
        if self.best is None:
            self._take(greedy(self._prepared, random))
        while not self.finished and self.best:
            smaller = len(self.best) - 1
            for guesses in local_search(self._prepared, smaller, steps, random, list(self.best)):
                self.positions += 1
                if guesses is not None:
                    self._take(guesses)
                tell()
            if len(self.best) > smaller:
                return

    def _look(self, columns: Columns, tell: Callable[[], None]) -> None:
        """Look for a small set peg by peg, the smallest first."""
        for size in itertools.count(self.lower_bound):
            tried = np.zeros(1, np.int64)
            guesses = columns.quick_set(size, tried, self._stop)
            self.positions += int(tried[0])
            tell()
            if guesses is not None:
                self._take(guesses)
                return

    def _take(self, guesses: list[int]) -> None:
        distinct = sorted(set(guesses))
        if self.best is None or len(distinct) < len(self.best):
            self.best = tuple(distinct)

    def _refute(self, size: int, tell: Callable[[], None]) -> None:
        """Try every set of a size; find one, or raise the bound."""
        if size != self.refuting:
            self.refuting, self.path, self.fraction = size, (), 0.0
        guesses = self._alone(size) if size < 2 else self._run_tasks(self._tasks(size), tell)
        if guesses is not None:
            self._take(guesses)
        else:
            self.lower_bound = size + 1
        self.refuting, self.path = 0, ()

    def _tasks(self, size: int) -> Iterator[Task | Prefix]:
        """Tasks, from the present path on, that refute all sets of a size."""
        if self._columns is not None:
            return self._columns.prefixes(size, self.path)
        return tasks(self._prepared, size, self.path)

    def _alone(self, size: int) -> list[int] | None:
        """A set of at most one guess; None if there is none."""
        if self.game.n_secrets == 1:
            return []
        for guess in range(self.game.n_open_guesses if size == 1 else 0):
            if len(np.unique(self._prepared.marks[guess])) == self.game.n_secrets:
                return [guess]
        return None

    def _run_tasks(
        self, todo: Iterator[Task | Prefix], tell: Callable[[], None]
    ) -> list[int] | None:
        """Do tasks side by side; return the set of the first that finds one, or None."""
        waiting: deque[tuple[Task | Prefix, Future[tuple[list[int] | None, int]]]] = deque()
        self._stop[0] = 0
        pool = ThreadPoolExecutor(self.threads)
        try:
            while True:
                while len(waiting) < _AHEAD * self.threads and (task := next(todo, None)):
                    waiting.append((task, pool.submit(self._work, task)))
                if not waiting:
                    return None
                task, future = waiting[0]
                self.path, self.fraction = task.path, task.fraction
                if not future.done():
                    wait([future], _WAIT)
                    tell()
                    continue
                guesses, tried = future.result()
                self.positions += tried
                if guesses is not None:
                    return guesses
                waiting.popleft()
        finally:
            self._stop[0] = 1
            pool.shutdown(cancel_futures=True)

    def _work(self, task: Task | Prefix) -> tuple[list[int] | None, int]:
        """A task on a thread: the whole set if it finds one, and how many sets it has tried."""
        tried = np.zeros(1, np.int64)
        if isinstance(task, Prefix):
            guesses = task.complete(self.refuting, tried, self._stop)
            return guesses, int(tried[0])
        try:
            pool = self._pools.pop()
        except IndexError:
            pool = self._prepared.new_pool()
        guesses = self._exhaust(task, pool, tried)
        self._pools.append(pool)
        if guesses is not None:
            # which set it is must not depend on the tasks before
            guesses = self._exhaust(task, self._prepared.new_pool(), tried)
        return guesses, int(tried[0])

    def _exhaust(self, task: Task, pool: HardPairs, tried: I64) -> list[int] | None:
        """The whole set if a task finds one."""
        p = self._prepared
        before = np.array(task.chosen, np.int32)
        last = np.full(self.refuting - len(before), -1, np.int32)
        node = p.marks, p.planes, before, task.allowed
        if exhaust(*node, pool, last, tried, self._stop) != FOUND:
            return None
        return [*task.chosen, *(guess for guess in last.tolist() if guess >= 0)]

    # checkpoints: which tasks there are is always the same, so that they need not be stored

    def state(self) -> tuple[State, list[Block]]:
        state = {
            "best": None if self.best is None else list(self.best),
            "lower_bound": self.lower_bound,
            "refuting": self.refuting,
            "path": list(self.path),
            "positions": self.positions,
            "peg_by_peg": self._columns is not None,
        }
        return state, []

    def restore(self, state: State, blocks: Blocks) -> None:
        del blocks
        best, path = state["best"], tuple(state["path"])
        if self._columns is not None and not state.get("peg_by_peg"):
            path = ()  # of version 0.2, which searched this board guess by guess
        numbers = state["lower_bound"], state["refuting"], state["positions"]
        if best is not None and confused(self.game, best) is None:
            self.best = tuple(best)
        self.path, (self.lower_bound, self.refuting, self.positions) = path, numbers

    def summary(self) -> Phrase:
        return Phrase("{n} sets tried", n=self.positions)

    def _progress(self) -> StaticProgress:
        size = None if self.best is None else len(self.best)
        words = "" if size is None else f"best {size}"
        bounds = size, self.lower_bound, self.fraction
        return StaticProgress(self.positions, None, "sets", words, *bounds)

    def result(self) -> FixedSet:
        """The best set so far, checked, with what is proven.

        Raises:
            AssertionError: the set confuses two secrets; then there is a mistake in this program.
        """
        guesses = None
        if self.best is not None:
            guesses = tuple(in_good_order(self.game, list(self.best)))
        answer = FixedSet(self.game, guesses, max(self.lower_bound, 0), self.positions)
        if guesses is not None and (problems := answer.problems()):
            raise AssertionError(f"{self.game}: the set {problems[0]}")
        return answer


def find_static(
    game: GameLike,
    *,
    size: int | None = None,
    threads: int = 1,
    seed: int = 0,
    seconds: float | None = None,
    report: Report = silent,
) -> FixedSet:
    """The smallest set of guesses that tells all secrets of a game apart, proven.

    Args:
        game: rules of a board, or a game.
        size: how many guesses to try; None for as few as there can be.
        threads: how many search side by side.
        seed: of the local search.
        seconds: the time of the search, apart from that of its tables; its answer is then what it
            has (`proven` may be False). None for as long as it takes.
        report: is told of every step.

    Raises:
        InputError, TooLargeError: as `StaticSearch`.

    Examples:
        >>> pegwise.find_static("3x3").size
        3
    """
    search = StaticSearch(game_of(game), guesses=size, threads=threads, seed=seed)
    run_for(search.run, seconds, report)
    return search.result()


_PAIR: Final = 8  # bytes of a pair of secrets
_COUNT: Final = 4  # bytes more while pairs are sorted by how many guesses separate them


def static_memory(game: Game) -> int:
    """Bytes that a search for a smallest fixed set takes, estimated; mostly pairs of secrets.

    A search of more than some hundred million sets takes up to 190 MiB more, for sets met before.
    """
    check_size(game)
    n, table = game.n_secrets, game.n_guesses * game.n_secrets
    if (columns := Columns.of(game)) is not None:
        return BASE_MEMORY + columns.memory
    if n > MAX_EXHAUSTED:
        return BASE_MEMORY + table
    planes = table * max(1, (game.n_marks - 1).bit_length()) // 8
    pool = 2 * PAIRS * game.n_guesses // 8
    pairs = n * (n - 1) // 2
    alike = np.bincount(game.marks(0)).astype(np.int64)
    together = int((alike * (alike - 1) // 2).sum())
    sorting = max(_COUNT * pairs, 2 * _PAIR * together)
    return BASE_MEMORY + table + planes + pool + _PAIR * pairs + sorting
