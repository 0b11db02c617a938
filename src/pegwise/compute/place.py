"""A Dask scheduler: whether one answers at an address, who works for it, what its errors mean."""

from __future__ import annotations

import asyncio
import importlib
import logging
import re
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Protocol

from pegwise._version import __version__
from pegwise.compute.pool import pool
from pegwise.errors import InputError, MissingExtraError, PegwiseError, Phrase, quoted

Finding = Literal["scheduler", "worker", "nobody", "no address", "no certificate"]
"""What is at an address."""

_ADDRESS: Final = re.compile(r"((tcp|tls|ucx|wss?)://)?([^\s:/]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")
_LOOK: Final = 1.0
"""Seconds between two looks whether a piece is still wanted."""

_SECURE: Final = ("tls://", "wss://")


def find(address: str, patience: float) -> Finding:
    """Look who answers at an address, for so many seconds at most.

    Dask's own client takes long to give up, and waits for ever where something else listens.

    Raises:
        ImportError: Dask is not installed.
    """
    if not _ADDRESS.fullmatch(address):
        return "no address"
    distributed = _distributed()
    connection = distributed.Security().get_connection_args("client")
    if address.startswith(_SECURE) and connection.get("ssl_context") is None:
        return "no certificate"

    async def identity() -> Any:
        async with asyncio.timeout(patience):
            async with distributed.rpc(address, connection_args=connection) as there:
                return await there.identity()

    try:
        said = _apart(identity)
    except Exception:
        return "nobody"  # whatever else listens there may answer anything
    return "scheduler" if "workers" in said else "worker"


def _apart(ask: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """What a coroutine function returns, run in a thread: here a loop may run already."""
    answer: Future[Any] = Future()

    def run() -> None:
        try:
            answer.set_result(asyncio.run(ask()))
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return answer.result()


@contextmanager
def connected(address: str, patience: float) -> Iterator[Any]:
    """A client of the scheduler at an address.

    Raises:
        ConnectionError: nobody answers there.
        ImportError: Dask is not installed.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=patience, set_as_default=False)
    except OSError as error:
        raise ConnectionError(address) from error
    with client:
        yield client


def has_everywhere(client: Any, package: str, version: str) -> bool:
    """Whether the scheduler and all workers of now have this version of a package."""
    found = client.get_versions(packages=[package])
    machines = [found["scheduler"], *found["workers"].values()]
    return all(machine["packages"].get(package) == version for machine in machines)


def died(error: BaseException) -> bool:
    """Whether a piece of work brought its workers down, again and again."""
    return type(error).__name__ == "KilledWorker"


def unread(error: BaseException) -> bool:
    """Whether the scheduler or a worker could not load a piece of work."""
    told = isinstance(error, RuntimeError) and "deserializ" in str(error)
    return told or isinstance(error, ImportError)


@contextmanager
def set_when_cancelled(stop: threading.Event) -> Iterator[None]:
    """On a worker: set an event once nobody waits any more for the piece that this thread does.

    Dask breaks nothing off that has been begun. Elsewhere nothing happens: processes end with
    who started them.
    """
    distributed = sys.modules.get("distributed")
    try:
        worker = distributed.get_worker()  # type: ignore[union-attr]
        key = worker.get_current_task()
    except (AttributeError, ValueError):
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK):
            task = worker.state.tasks.get(key)
            if task is None or task.state in ("cancelled", "released", "forgotten"):
                stop.set()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _distributed() -> Any:
    found = importlib.import_module("distributed")
    # what Dask would log of a lost connection is said in one sentence; some of its loggers have
    # levels of their own, and its event loop has a logger that others use too
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("tornado.application").addFilter(_not_of_dask)
    return found


def _not_of_dask(record: logging.LogRecord) -> bool:
    """Whether a record tells of something else than an error of Dask."""
    error = record.exc_info[1] if record.exc_info else None
    return not type(error).__module__.startswith("distributed")


# Where pieces run, and who does them there.

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
class Serial:
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
    return Serial() if jobs == 1 else Processes(jobs)


# Workers that stay from one call to the next, with what they have made ready.


class WorkerPool:
    """A place whose workers are called once, and sent home at the end of a `with`.

    Args:
        where: the place; whatever else it knows about itself, this one knows too.
    """

    def __init__(self, where: Place) -> None:
        self.where = where
        self._called = ExitStack()
        self._executor: Executor | None = None
        self._readying: list[Future[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.where, name)

    @property
    def workers(self) -> int:
        """How many run at once."""
        return self.where.workers

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The workers; others, once they have broken down."""
        if self._executor is None:
            self._executor = self._called.enter_context(self.where.executor())
        try:
            yield self._executor
        except BrokenExecutor as error:
            self._executor = None
            self._called.__exit__(type(error), error, error.__traceback__)
            raise

    def make_ready(self, work: Callable[..., Any], *given: Any) -> None:
        """Let each worker do this while it has no piece yet; nobody waits for it.

        Threads share what the caller makes, and so does the caller.
        """
        # whoever runs pieces next tells that a cluster is gone, or calls other workers
        with suppress(ConnectionError, BrokenExecutor), self.executor() as executor:
            if not isinstance(executor, Caller | ThreadPoolExecutor):
                self._readying = [executor.submit(work, *given) for _ in range(self.workers)]

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._executor = None
        self._called.__exit__(kind, error, trace)
