"""Finished pieces on disk, so that work that was stopped goes on."""

from __future__ import annotations

import hashlib
import heapq
import math
import pickle
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from pegwise.compute.place import (
    TRIES,
    Caller,
    Place,
    Scheduled,
    WorkersLost,
    died,
    foreign,
    unread,
)
from pegwise.errors import OutputError, PegwiseError, Phrase, system_reason
from pegwise.paths import replacing
from pegwise.progress import Progress, Report, silent


class PieceStore:
    """Finished pieces in a folder, for a later run of the same work.

    Args:
        folder: where; made when the first piece is kept.
        identity: what is done, by which version, in words; other work has other files.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        sign = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self.folder = folder / sign

    def load(self, piece: Any) -> Any:
        """The result of a piece; KeyError if it is not kept, or damaged."""
        path = self._path(piece)
        try:
            data = path.read_bytes()
        except OSError:
            raise KeyError(path.name) from None
        sign, body = data[:32], data[32:]
        if hashlib.sha256(body).digest() != sign:
            raise KeyError(path.name)
        return pickle.loads(body)  # noqa: S301 - our own file, whole

    def save(self, piece: Any, result: Any) -> None:
        """Keep the result of a piece; the file is there as a whole or not at all.

        Raises:
            OutputError: it cannot be written.
        """
        path = self._path(piece)
        body = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(path) as beside:
                beside.write_bytes(hashlib.sha256(body).digest() + body)
        except OSError as error:
            raise OutputError(
                "cannot keep a finished piece in {folder}: {reason}",
                folder=repr(str(self.folder)),
                reason=system_reason(error),
            ) from None

    def clear(self) -> None:
        """Remove every piece: the work is finished."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, piece: Any) -> Path:
        return self.folder / hashlib.sha256(repr(piece).encode()).hexdigest()[:24]


# Pieces handed out, the largest first, and gathered in their order.

T = TypeVar("T")
R = TypeVar("R")

_LOOK: Final = 0.2
"""Seconds between two looks at what is done."""


def run(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Place,
    *,
    store: PieceStore | None = None,
    follow: Callable[[T, R], Iterable[T]] = lambda _piece, _result: (),
    report: Report = silent,
    size: Callable[[T], int] = lambda _piece: 1,
    unit: str = "pieces",
) -> list[R]:
    """Do the work of every piece.

    Args:
        work: what is done; a plain function of a module, as pieces travel.
        pieces: what it is done to; where results are kept, `repr` tells pieces apart.
        where: who does it.
        store: finished pieces of an earlier run, and of this one.
        follow: is told every piece and its result, in any order; what it returns is done too.
        report: is told of what is done, in units of `size`; raising from it stops the work.
        size: how much work a piece is; the largest are begun first.
        unit: what `size` counts.

    Returns:
        The results, in the order of the pieces; those of what followed only `follow` is told.

    Raises:
        WorkersLost: workers died again and again, or the cluster is gone.
        OutputError: a finished piece cannot be kept.
        Exception: whatever `work` raises.
    """
    steps = run_in_steps(work, pieces, where, store=store, follow=follow, size=size, unit=unit)
    try:
        while True:
            report(next(steps))
    except StopIteration as end:
        found: list[R] = end.value
        return found
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
    unit: str = "pieces",
) -> Generator[Progress, None, list[R]]:
    """The same for one who looks on: what is done now and then, and at last the results.

    Closing it stops the work.
    """
    known = _Pieces(store, follow, size)
    known.add(pieces)
    fruitless = 0
    while len(known.results) < len(known.pieces):
        before = len(known.results)
        try:
            for _ in _attempt(work, where, known):
                yield Progress(known.done, known.total, unit)
        except ConnectionError:
            if getattr(where, "address", None) is None:
                raise
            raise _gone(where, known) from None
        except BrokenExecutor:
            # a worker died, by a signal or for want of memory, and took the others along
            fruitless = 0 if len(known.results) > before else fruitless + 1
            if fruitless == TRIES:
                raise WorkersLost(
                    "worker processes died {tries} times, perhaps for want of memory; "
                    "{n_results} of {n_pieces} pieces are finished{where}; try fewer jobs",
                    tries=TRIES,
                    **known.counts(),
                ) from None
    yield Progress(known.done, known.total, unit)
    return [known.results[k] for k in range(len(pieces))]


class _Pieces(Generic[T, R]):
    """The pieces known so far, numbered as they became known.

    Attributes:
        pieces: all of them.
        results: of those that are done, by number.
        done: their size.
        total: size of all.
    """

    def __init__(
        self,
        store: PieceStore | None,
        follow: Callable[[T, R], Iterable[T]],
        size: Callable[[T], int],
    ) -> None:
        self.pieces: list[T] = []
        self.results: dict[int, R] = {}
        self.done = self.total = 0
        self._store, self._follow, self._size = store, follow, size
        self._waiting: list[tuple[int, int]] = []

    def add(self, pieces: Iterable[T]) -> None:
        """Further pieces, of which some may be done already."""
        for piece in pieces:
            k, size = len(self.pieces), self._size(piece)
            self.pieces.append(piece)
            self.total += size
            try:
                if self._store is None:
                    raise KeyError
                result: R = self._store.load(piece)
            except KeyError:
                heapq.heappush(self._waiting, (-size, k))
            else:
                self._finish(k, result)

    def begin_again(self) -> None:
        """Whoever was handed a piece is gone."""
        self._waiting = [
            (-self._size(piece), k) for k, piece in enumerate(self.pieces) if k not in self.results
        ]
        heapq.heapify(self._waiting)

    def hand_out(self) -> tuple[int, int] | None:
        """Number and size of the largest piece that nobody has, the first of several."""
        if not self._waiting:
            return None
        size, k = heapq.heappop(self._waiting)
        return k, -size

    def finish(self, k: int, result: R) -> None:
        """A piece is done."""
        if self._store is not None:
            self._store.save(self.pieces[k], result)
        self._finish(k, result)

    def _finish(self, k: int, result: R) -> None:
        self.results[k] = result
        self.done += self._size(self.pieces[k])
        self.add(self._follow(self.pieces[k], result))

    def counts(self) -> dict[str, Any]:
        """How many are done, for an error."""
        where = Phrase(" and kept, so that the same command goes on from there")
        return {
            "n_results": len(self.results),
            "n_pieces": len(self.pieces),
            "where": "" if self._store is None else where,
        }


def _attempt(
    work: Callable[[T], R], where: Place, known: _Pieces[T, R]
) -> Generator[None, None, None]:
    """Hand out what is not done, and gather it as it comes."""
    known.begin_again()
    with where.executor() as executor:
        done: SimpleQueue[Future[R]] = SimpleQueue()
        handed_out: dict[Future[R], int] = {}
        lost_since: float | None = None
        while True:
            while len(handed_out) < _room(executor, where) and (found := known.hand_out()):
                k, size = found
                first = {"priority": size} if isinstance(executor, Scheduled) else {}
                future = executor.submit(work, known.pieces[k], **first)
                handed_out[future] = k
                future.add_done_callback(done.put)
            if not handed_out:
                return
            try:
                for future in _finished(done):
                    known.finish(handed_out.pop(future), future.result())
            except PegwiseError:
                raise  # a full disk, say, which is an OSError too
            except (CancelledError, OSError) as error:
                raise _gone(where, known) from error
            except Exception as error:
                explained = _explained(error, where, known)
                if explained is None:
                    raise
                raise explained from error
            if isinstance(executor, Scheduled) and not executor.alive:
                lost_since = lost_since or time.monotonic()
                if time.monotonic() - lost_since > getattr(where, "patience", 0):
                    raise _gone(where, known)
            else:
                lost_since = None
            yield


def _room(executor: Executor, where: Place) -> float:
    """How many pieces are handed out at once.

    A pool begins with what it was handed first, so that it is handed little; a scheduler knows
    the sizes.
    """
    if isinstance(executor, Scheduled):
        return math.inf
    return 1 if isinstance(executor, Caller) else 2 * where.workers


def _finished(done: SimpleQueue[Future[R]]) -> Iterator[Future[R]]:
    """Wait a moment for what is done, and take it."""
    with suppress(Empty):
        found = done.get(timeout=_LOOK)
        while True:
            yield found
            found = done.get_nowait()


def _gone(where: Place, known: _Pieces[T, R]) -> WorkersLost:
    return WorkersLost(
        "the cluster at {address} is gone; {n_results} of {n_pieces} pieces are finished{where}",
        address=getattr(where, "address", Phrase("this machine")),
        **known.counts(),
    )


def _explained(error: Exception, where: Place, known: _Pieces[T, R]) -> PegwiseError | None:
    """What Dask raises for a piece, in a sentence; None for an error of the work itself."""
    address = getattr(where, "address", None)
    if address is None:
        return None
    if died(error):
        return WorkersLost(
            "workers at {address} died again and again of the same piece, perhaps for want of "
            "memory; {n_results} of {n_pieces} pieces are finished{where}",
            address=address,
            **known.counts(),
        )
    return foreign(address) if unread(error) else None
