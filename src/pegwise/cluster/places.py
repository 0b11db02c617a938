"""Where pieces run, and who does them there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from pegwise import __version__
from pegwise.cluster.scheduler import Finding, connected, find, has_everywhere
from pegwise.errors import InputError, MissingExtraError, PegwiseError, Phrase, quoted
from pegwise.workers import pool

__all__ = [
    "TRIES",
    "Caller",
    "Cluster",
    "Here",
    "Place",
    "Processes",
    "Scheduled",
    "Threads",
    "WorkersLost",
    "foreign",
    "place",
]

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

TRIES: Final = 3
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
        yield Caller()


@dataclass(frozen=True)
class Threads:
    """In threads of this process, for work that is done by kernels: these run side by side.

    Attributes:
        workers: how many.
    """

    workers: int

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Threads that share what this process has made; of its pieces, none is broken off."""
        executor = ThreadPoolExecutor(self.workers)
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)


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
                    raise foreign(self.address)
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
            yield Scheduled(client)


def foreign(address: str) -> InputError:
    """That programs of another version work there, or none of ours."""
    return InputError(
        "cluster {address}: install pegwise {version} for the scheduler and for every worker",
        address=quoted(address),
        version=__version__,
    )


class Caller(Executor):
    """Runs a piece when it is handed over."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class Scheduled(Executor):
    """The executor of a Dask client, which also says when the scheduler is gone."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.inner = client.get_executor(pure=False, retries=TRIES)

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
