"""Pieces of long work: handed out to the workers of a backend, and gathered.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. The largest pieces are handed out first, results are stored on disk,
and they come in the order of the pieces, whoever made them. So what is put together from them is
the same on one process and on many machines.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Final, Generic, TypeVar

from pegwise.compute.backends import TRIES, Backend, Caller, DaskExecutor, WorkersLost
from pegwise.compute.cache import ResultCache
from pegwise.errors import PegwiseError, Phrase
from pegwise.progress import Progress, Report, silent

T = TypeVar("T")
R = TypeVar("R")

_LOOK: Final = 0.2  # seconds between two looks at what is done


def run(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Backend,
    *,
    report: Report = silent,
    store: ResultCache[R] | None = None,
    follow: Callable[[T, R], Iterable[T]] = lambda _piece, _result: (),
    size: Callable[[T], int] = lambda _piece: 1,
) -> list[R]:
    """Do the work of every piece.

    Args:
        work: what is done; a plain function of a module, as pieces travel.
        pieces: what it is done to; where results are stored, `repr` tells pieces apart.
        where: the place where it is done.
        report: receives what is done, in units of `size`; raising from it stops the work.
        store: has results of an earlier run, and of this one.
        follow: receives every piece and its result, in any order; what it returns is done too.
        size: tells how much work a piece is; the largest are begun first.

    Returns:
        The results, in the order of the pieces; those of what followed only `follow` receives.

    Raises:
        WorkersLost: workers died again and again, or the cluster is gone.
        OutputError: the result of a piece cannot be stored.
        Exception: whatever `work` raises.
    """
    queue = _Queue(store, follow, size)
    queue.add(pieces)
    fruitless = 0
    stopped: list[BaseException] = []

    def tell() -> None:
        try:
            report(Progress(queue.done, queue.total, "pieces"))
        except BaseException as error:
            stopped.append(error)
            raise

    while len(queue.results) < len(queue.pieces):
        before = len(queue.results)
        try:
            _attempt(work, where, queue, tell)
        except PegwiseError:
            raise  # a full disk, say, which is an OSError too
        except Exception as error:
            if stopped:
                raise
            if where.is_broken(error):  # the others of its pool are ended too
                fruitless = 0 if len(queue.results) > before else fruitless + 1
                if fruitless < TRIES:
                    continue
                reason: Phrase | None = Phrase(
                    "worker processes ended {tries} times without finishing a piece (one job "
                    "shows what ends them)",
                    tries=TRIES,
                )
            else:
                reason = where.explain(error)
            if reason is None:
                raise
            raise queue.lost(reason) from error
    tell()
    return [queue.results[number] for number in range(len(pieces))]


@dataclass
class _Queue(Generic[T, R]):
    """Pieces, numbered in the order in which they were added, and their results.

    `done` and `total` are the sizes of those that are done and of all.
    """

    store: ResultCache[R] | None
    follow: Callable[[T, R], Iterable[T]]
    size: Callable[[T], int]
    pieces: list[T] = field(default_factory=list)
    results: dict[int, R] = field(default_factory=dict)
    done: int = 0
    total: int = 0
    _waiting: list[tuple[int, int]] = field(default_factory=list)

    def add(self, pieces: Iterable[T]) -> None:
        """Further pieces, of which some may be done already."""
        for piece in pieces:
            number, size = len(self.pieces), self.size(piece)
            self.pieces.append(piece)
            self.total += size
            try:
                if self.store is None:
                    raise KeyError
                result: R = self.store.load(piece)
            except KeyError:
                heapq.heappush(self._waiting, (-size, number))
            else:
                self.finish(number, result)

    def restart(self) -> None:
        """Whoever was handed a piece is gone."""
        numbers = self.results.keys() ^ range(len(self.pieces))
        self._waiting = [(-self.size(self.pieces[number]), number) for number in numbers]
        heapq.heapify(self._waiting)

    def next(self) -> int | None:
        """Number of the largest piece that waits, the first of several."""
        return heapq.heappop(self._waiting)[1] if self._waiting else None

    def finish(self, number: int, result: R) -> None:
        """A piece is done."""
        self.results[number] = result
        self.done += self.size(self.pieces[number])
        self.add(self.follow(self.pieces[number], result))

    def lost(self, reason: Phrase) -> WorkersLost:
        """That the workers are gone, with how much is done."""
        stored = Phrase(" and kept; the same command continues from there")
        return WorkersLost(
            "{reason}; {n_results} of {n_pieces} pieces are finished{stored}",
            reason=reason,
            n_results=len(self.results),
            n_pieces=len(self.pieces),
            stored="" if self.store is None else stored,
        )


def _attempt(
    work: Callable[[T], R], where: Backend, queue: _Queue[T, R], tell: Callable[[], None]
) -> None:
    """Hand out what is not done, and gather it as it comes."""
    queue.restart()
    with where.executor() as executor:
        done: SimpleQueue[Future[R]] = SimpleQueue()
        handed_out: dict[Future[R], int] = {}
        while True:
            room = _room(executor, where)
            while len(handed_out) < room and (number := queue.next()) is not None:
                piece = queue.pieces[number]
                hint = {"priority": queue.size(piece)} if room == math.inf else {}
                future = executor.submit(work, piece, **hint)
                handed_out[future] = number
                future.add_done_callback(done.put)
            if not handed_out:
                return
            for future in _finished(done):
                number, result = handed_out.pop(future), future.result()
                if queue.store is not None:
                    queue.store.save(queue.pieces[number], result)
                queue.finish(number, result)
            if isinstance(executor, DaskExecutor) and executor.is_lost():
                raise ConnectionError
            tell()


def _room(executor: Executor, where: Backend) -> float:
    """How many pieces are handed out at once.

    A pool begins with the oldest piece, so that it is handed few; a scheduler knows the sizes.
    """
    if isinstance(executor, DaskExecutor):
        return math.inf
    return 1 if isinstance(executor, Caller) else 2 * where.workers


def _finished(done: SimpleQueue[Future[R]]) -> Iterator[Future[R]]:
    """Wait a moment for what is done, and take it."""
    with suppress(Empty):
        yield done.get(timeout=_LOOK)
        while True:
            yield done.get_nowait()
