"""Where pieces of long work run: here, in processes of this machine, or on a Dask cluster.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. Results are handed over in the order of the pieces, whoever made
them, so that what is put together from them is the same on one process and on many machines.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from pegwise import __version__
from pegwise.errors import (
    InputError,
    MissingExtraError,
    OutputError,
    PegwiseError,
    Phrase,
    quoted,
    system_reason,
)
from pegwise.progress import Progress, Report, silent
from pegwise.scheduler import Finding, connected, died, find, has_everywhere, unread
from pegwise.workers import pool

__all__ = [
    "Cluster",
    "Here",
    "Kept",
    "Place",
    "Processes",
    "WorkersLost",
    "place",
    "run",
    "run_in_steps",
]

T = TypeVar("T")
R = TypeVar("R")

_NOT_THERE: Final[dict[Finding, Phrase]] = {
    "no address": Phrase(
        "cluster {address}: write the address of a scheduler, such as tcp://10.0.0.1:8786"
    ),
    "no certificate": Phrase(
        "cluster {address}: no certificate is configured; Dask reads it from its settings "
        "distributed.comm.tls"
    ),
    "worker": Phrase(
        "cluster {address}: a worker answers there; write the address of the scheduler"
    ),
}

_LOOK: Final = 0.2
"""Seconds between two looks at what is done."""

_TRIES: Final = 3
"""Times that a piece may bring its worker down before the work is given up."""


class WorkersLost(PegwiseError):  # noqa: N818 - what happened, as a user reads it
    """Those who worked are gone; what they had finished is kept where that was asked for."""


class Place(Protocol):
    """Where pieces run.

    Attributes:
        workers: how many run at once.
    """

    @property
    def workers(self) -> int: ...

    def executor(self) -> AbstractContextManager[Executor]:
        """Workers, as long as they are needed."""


@dataclass(frozen=True)
class Here:
    """In this process, one piece after the other."""

    workers: int = 1

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """No worker but the caller."""
        yield _Caller()


@dataclass(frozen=True)
class Processes:
    """In processes of this machine.

    Attributes:
        workers: how many.
    """

    workers: int

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Fresh processes, which share no state with this one."""
        with pool(self.workers) as executor:
            yield executor


@dataclass
class Cluster:
    """On the workers of a Dask scheduler.

    Attributes:
        address: of the scheduler, such as `tcp://10.0.0.1:8786`.
        patience: seconds to find it.
        empty: nobody worked there when it was found.

    Raises:
        MissingExtraError: Dask is not installed.
        InputError: the address is no address, or other programs work there.
        WorkersLost: nobody answers there.
    """

    address: str
    patience: float = 10.0
    workers: int = field(default=0, init=False)
    empty: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        try:
            found = find(self.address, self.patience)
        except ImportError:
            raise MissingExtraError.of("a cluster", "cluster") from None
        if found not in ("scheduler", "nobody"):
            raise InputError(_NOT_THERE[found].template, address=quoted(self.address))
        try:
            if found == "nobody":
                raise ConnectionError
            with connected(self.address, self.patience) as client:
                if not has_everywhere(client, "pegwise", __version__):
                    raise _foreign(self.address)
                threads = sum(client.nthreads().values())
        except ConnectionError:
            raise WorkersLost(
                "no Dask scheduler answers at {address}", address=self.address
            ) from None
        self.empty = threads == 0
        self.workers = max(1, threads)

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The workers that the scheduler has now, and any that join later.

        Raises:
            ConnectionError: nobody answers there any more.
        """
        with connected(self.address, self.patience) as client:
            self.workers = max(1, sum(client.nthreads().values()))
            yield _Scheduled(client)


def _foreign(address: str) -> InputError:
    return InputError(
        "cluster {address}: install pegwise {version} for the scheduler and for every worker",
        address=quoted(address),
        version=__version__,
    )


class _Caller(Executor):
    """Runs a piece when it is handed over."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class _Scheduled(Executor):
    """The executor of a Dask client, which also says when the scheduler is gone."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.inner = client.get_executor(pure=False, retries=_TRIES)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        submitted: Future[Any] = self.inner.submit(fn, *args, **kwargs)
        return submitted

    @property
    def alive(self) -> bool:
        return bool(self.client.status == "running")


def place(jobs: int = 1, cluster: str | None = None) -> Place:
    """Where to work: on a cluster, in so many processes, or here.

    Raises:
        InputError: not at least one job; or, with the other errors of `Cluster`, the address.
    """
    if jobs < 1:
        raise InputError("{jobs} jobs: write a whole number from 1", jobs=jobs)
    if cluster is not None:
        return Cluster(cluster)
    return Here() if jobs == 1 else Processes(jobs)


class Kept:
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
            handle, beside = tempfile.mkstemp(dir=self.folder, prefix=".")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(body).digest() + body)
                Path(beside).replace(path)
            except BaseException:
                Path(beside).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise OutputError(
                "cannot keep a finished piece in {folder}: {reason}",
                folder=repr(str(self.folder)),
                reason=system_reason(error),
            ) from None

    def forget(self) -> None:
        """Remove every piece: the work is finished."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, piece: Any) -> Path:
        return self.folder / hashlib.sha256(repr(piece).encode()).hexdigest()[:24]


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
            if not isinstance(where, Cluster):
                raise
            raise _gone(where, results, pieces, kept) from None
        except BrokenExecutor:
            # a worker died, by a signal or for want of memory, and took the others along
            fruitless = 0 if len(results) > before else fruitless + 1
            if fruitless == _TRIES:
                raise WorkersLost(
                    "worker processes died {tries} times, perhaps for want of memory; "
                    "{n_results} of {n_pieces} pieces are finished{where}; try fewer jobs",
                    tries=_TRIES,
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
            if isinstance(executor, _Caller):
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
            if isinstance(executor, _Scheduled) and not executor.alive:
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
    if not isinstance(where, Cluster):
        return None
    if died(error):
        return WorkersLost(
            "workers at {address} died again and again of the same piece, perhaps for want of "
            "memory; {n_results} of {n_pieces} pieces are finished{where}",
            address=where.address,
            n_results=len(results),
            n_pieces=len(pieces),
            where=_where(kept),
        )
    return _foreign(where.address) if unread(error) else None


def _where(kept: Kept | None) -> str:
    if kept is None:
        return ""
    return Phrase(" and kept, so that the same command goes on from there")
