"""Where pieces of long work run: in this process, in others of this machine, or on a Dask cluster.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. The largest pieces are handed out first, results are stored on disk,
and they come in the order of the pieces, whoever made them. So what is put together from them is
the same on one process and on many machines.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from pegwise.compute.place import TRIES, Caller, DaskExecutor
from pegwise.compute.place import Cluster as Cluster
from pegwise.compute.place import Place as Place
from pegwise.compute.place import Processes as Processes
from pegwise.compute.place import Serial as Serial
from pegwise.compute.place import Threads as Threads
from pegwise.compute.place import WorkerPool as WorkerPool
from pegwise.compute.place import WorkersLost as WorkersLost
from pegwise.compute.place import place as place
from pegwise.compute.place import set_when_cancelled as set_when_cancelled
from pegwise.errors import HomeError, PegwiseError, Phrase
from pegwise.paths import write_whole
from pegwise.progress import Progress, Report, silent

T = TypeVar("T")
R = TypeVar("R")

_LOOK: Final = 0.2  # seconds between two looks at what is done


class PieceStore:
    """Results of pieces in a folder, for a later run of the same work.

    The identity says what is done, by which version; other work has other files.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder / hashlib.sha256(identity.encode()).hexdigest()[:16]

    def load(self, piece: Any) -> Any:
        """The result of a piece; KeyError if it is not stored, or damaged."""
        path = self._path(piece)
        # a class may have another name in the version that stored it
        with suppress(OSError, AttributeError, ImportError):
            data = path.read_bytes()
            if hashlib.sha256(data[32:]).digest() == data[:32]:
                return pickle.loads(data[32:])  # noqa: S301 - our own file, whole
        raise KeyError(path.name)

    def save(self, piece: Any, result: Any) -> None:
        """Store the result of a piece; the file is there as a whole or not at all.

        Where the user's data directory takes no files, nothing is stored: no later run goes on.
        """
        body = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        failure = Phrase("cannot keep a finished piece in {folder}: {reason}")
        with suppress(HomeError):
            write_whole(self._path(piece), [hashlib.sha256(body).digest(), body], failure)

    def clear(self) -> None:
        """Remove every result: the work is finished."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)
            with suppress(OSError):  # another process of the same work stores a piece there now
                self.folder.rmdir()

    def _path(self, piece: Any) -> Path:
        return self.folder / hashlib.sha256(repr(piece).encode()).hexdigest()[:24]


def run(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Place,
    *,
    report: Report = silent,
    **options: Any,
) -> list[R]:
    """Do the work of every piece.

    Args:
        work: what is done; a plain function of a module, as pieces travel.
        pieces: what it is done to; where results are stored, `repr` tells pieces apart.
        where: the place where it is done.
        report: receives what is done, in units of `size`; raising from it stops the work.
        options: those of `run_in_steps`.

    Returns:
        The results, in the order of the pieces; those of what followed only `follow` receives.

    Raises:
        WorkersLost: workers died again and again, or the cluster is gone.
        OutputError: the result of a piece cannot be stored.
        Exception: whatever `work` raises.
    """
    steps = run_in_steps(work, pieces, where, **options)
    try:
        while True:
            report(next(steps))
    except StopIteration as end:
        results: list[R] = end.value
        return results
    finally:
        steps.close()


def run_in_steps(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Place,
    *,
    store: PieceStore | None = None,
    follow: Callable[[T, R], Iterable[T]] = lambda _piece, _result: (),
    size: Callable[[T], int] = lambda _piece: 1,
) -> Generator[Progress, None, list[R]]:
    """As `run`, an iterator of what is done; it returns the results. Closing it stops the work.

    `store` has results of an earlier run, and of this one. `follow` receives every piece and its
    result, in any order; what it returns is done too. `size` tells how much work a piece is; the
    largest are begun first.
    """
    queue = _Queue(store, follow, size)
    queue.add(pieces)
    fruitless = 0
    while len(queue.results) < len(queue.pieces):
        before = len(queue.results)
        try:
            for _ in _attempt(work, where, queue):
                yield Progress(queue.done, queue.total, "pieces")
        except BrokenExecutor:
            # a worker died, by a signal or for want of memory, and took the others along
            fruitless = 0 if len(queue.results) > before else fruitless + 1
            if fruitless == TRIES:
                raise queue.lost(
                    Phrase(
                        "worker processes ended {tries} times without finishing a piece (one job "
                        "shows what ends them)",
                        tries=TRIES,
                    )
                ) from None
        except PegwiseError:
            raise  # a full disk, say, which is an OSError too
        except Exception as error:
            reason = where.explain(error)
            if reason is None:
                raise
            raise queue.lost(reason) from error
    yield Progress(queue.done, queue.total, "pieces")
    return [queue.results[number] for number in range(len(pieces))]


@dataclass
class _Queue(Generic[T, R]):
    """Pieces, numbered in the order in which they were added, and their results.

    `done` and `total` are the sizes of those that are done and of all.
    """

    store: PieceStore | None
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
    work: Callable[[T], R], where: Place, queue: _Queue[T, R]
) -> Generator[None, None, None]:
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
            yield


def _room(executor: Executor, where: Place) -> float:
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
