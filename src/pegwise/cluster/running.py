"""Pieces handed out, the largest first, and gathered in their order."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    wait,
)
from typing import Any, Final, TypeVar

from pegwise.cluster.kept import Kept
from pegwise.cluster.places import TRIES, Caller, Place, Scheduled, WorkersLost, foreign
from pegwise.cluster.scheduler import died, unread
from pegwise.errors import PegwiseError, Phrase
from pegwise.progress import Progress, Report, silent

__all__ = ["run", "run_in_steps"]

T = TypeVar("T")
R = TypeVar("R")

_LOOK: Final = 0.2
"""Seconds between two looks at what is done."""


def run(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Place,
    *,
    kept: Kept | None = None,
    report: Report = silent,
    size: Callable[[T], int] = lambda _piece: 1,
    unit: str = "pieces",
) -> list[R]:
    """Do the work of every piece.

    Args:
        work: what is done; a plain function of a module, as pieces travel.
        pieces: what it is done to; where results are kept, `repr` tells pieces apart.
        where: who does it.
        kept: finished pieces of an earlier run, and of this one.
        report: is told of what is done, in units of `size`; raising from it stops the work.
        size: how much work a piece is; the largest are begun first.
        unit: what `size` counts.

    Returns:
        The results, in the order of the pieces.

    Raises:
        WorkersLost: workers died again and again, or the cluster is gone.
        OutputError: a finished piece cannot be kept.
        Exception: whatever `work` raises.
    """
    steps = run_in_steps(work, pieces, where, kept=kept, size=size, unit=unit)
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
    kept: Kept | None = None,
    size: Callable[[T], int] = lambda _piece: 1,
    unit: str = "pieces",
) -> Generator[Progress, None, list[R]]:
    """The same for one who looks on: what is done now and then, and at last the results.

    Closing it stops the work.
    """
    results: dict[int, R] = {}
    for k, piece in enumerate(pieces):
        if kept is not None:
            try:
                results[k] = kept.load(piece)
            except KeyError:
                continue
    total = sum(map(size, pieces))

    def now() -> Progress:
        return Progress(sum(size(pieces[k]) for k in results), total, unit)

    fruitless = 0
    while len(results) < len(pieces):
        before = len(results)
        try:
            for _ in _attempt(work, pieces, where, results, kept, size):
                yield now()
        except ConnectionError:
            if getattr(where, "address", None) is None:
                raise
            raise _gone(where, results, pieces, kept) from None
        except BrokenExecutor:
            # a worker died, by a signal or for want of memory, and took the others along
            fruitless = 0 if len(results) > before else fruitless + 1
            if fruitless == TRIES:
                raise WorkersLost(
                    "worker processes died {tries} times, perhaps for want of memory; "
                    "{n_results} of {n_pieces} pieces are finished{where}; try fewer jobs",
                    tries=TRIES,
                    n_results=len(results),
                    n_pieces=len(pieces),
                    where=_where(kept),
                ) from None
    yield now()
    return [results[k] for k in range(len(pieces))]


def _attempt(
    work: Callable[[T], R],
    pieces: Sequence[T],
    where: Place,
    results: dict[int, R],
    kept: Kept | None,
    size: Callable[[T], int],
) -> Iterator[None]:
    """Hand out what is not done, the largest first, and gather it as it comes."""
    missing = [k for k in range(len(pieces)) if k not in results]
    missing.sort(key=lambda k: (-size(pieces[k]), k))
    with where.executor() as executor:
        waiting: dict[Future[R], int] = {}
        for k in missing:
            waiting[executor.submit(work, pieces[k])] = k
            if isinstance(executor, Caller):
                _gather(waiting, pieces, results, kept)
                yield
        lost_since: float | None = None
        while waiting:
            yield
            wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
            try:
                _gather(waiting, pieces, results, kept)
            except PegwiseError:
                raise  # a full disk, say, which is an OSError too
            except (CancelledError, OSError) as error:
                raise _gone(where, results, pieces, kept) from error
            except Exception as error:
                explained = _explained(error, where, results, pieces, kept)
                if explained is None:
                    raise
                raise explained from error
            if isinstance(executor, Scheduled) and not executor.alive:
                lost_since = lost_since or time.monotonic()
                if time.monotonic() - lost_since > getattr(where, "patience", 0):
                    raise _gone(where, results, pieces, kept)
            else:
                lost_since = None


def _gather(
    waiting: dict[Future[R], int], pieces: Sequence[T], results: dict[int, R], kept: Kept | None
) -> None:
    """Take what is done out of what is waited for."""
    for future in [future for future in waiting if future.done()]:
        k = waiting[future]
        result = future.result()
        del waiting[future]
        results[k] = result
        if kept is not None:
            kept.save(pieces[k], result)


def _gone(where: Place, results: Any, pieces: Sequence[Any], kept: Kept | None) -> WorkersLost:
    address = getattr(where, "address", Phrase("this machine"))
    return WorkersLost(
        "the cluster at {address} is gone; {n_results} of {n_pieces} pieces are finished{where}",
        address=address,
        n_results=len(results),
        n_pieces=len(pieces),
        where=_where(kept),
    )


def _explained(
    error: Exception, where: Place, results: Any, pieces: Sequence[Any], kept: Kept | None
) -> PegwiseError | None:
    """What Dask raises for a piece, in a sentence; None for an error of the work itself."""
    address = getattr(where, "address", None)
    if address is None:
        return None
    if died(error):
        return WorkersLost(
            "workers at {address} died again and again of the same piece, perhaps for want of "
            "memory; {n_results} of {n_pieces} pieces are finished{where}",
            address=address,
            n_results=len(results),
            n_pieces=len(pieces),
            where=_where(kept),
        )
    return foreign(address) if unread(error) else None


def _where(kept: Kept | None) -> str:
    if kept is None:
        return ""
    return Phrase(" and kept, so that the same command goes on from there")
