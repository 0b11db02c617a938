"""Backends, where work runs: this process, its threads, other processes, or a Dask cluster."""

from __future__ import annotations

import importlib
import logging
import math
import re
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from pegwise._version import __version__
from pegwise.compute.machine import is_alone
from pegwise.errors import InputError, MissingExtraError, PegwiseError, Phrase, check_whole, quoted

TRIES: Final = 3  # times that a piece may bring its worker down before the work is given up
_ADDRESS: Final = re.compile(r"((tcp|tls|ucx|wss?)://)?([^\s:/]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")
_LOOK: Final = 1.0  # seconds between two looks whether a piece is cancelled


class WorkersLost(PegwiseError):  # noqa: N818 - what happened, as a user reads it
    """The workers are gone; what they had finished is stored where that was asked for."""


class Backend(ABC):
    """Where pieces run."""

    workers: int  # how many pieces run at once

    @abstractmethod
    def executor(self) -> AbstractContextManager[Executor]:
        """Workers, for the time of a block."""

    def is_broken(self, error: BaseException) -> bool:
        """Whether an error is the end of a worker, by a signal or for want of memory."""
        return isinstance(error, BrokenExecutor)

    def explain(self, error: BaseException) -> Phrase | None:
        """A sentence about an error of the workers; None for an error of the work itself."""
        del error
        return None


@dataclass(frozen=True)
class Serial(Backend):
    """In this process, one piece after the other."""

    workers: int = 1

    def executor(self) -> AbstractContextManager[Executor]:
        """No worker but the caller."""
        return Caller()


@dataclass(frozen=True)
class Threads(Backend):
    """In threads of this process, for work that kernels do: they run side by side.

    A piece is not interrupted: one that takes long looks at `stop`.
    """

    workers: int
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """Threads that share the state of this process; pieces that run are not interrupted."""
        if is_alone():
            yield Caller()
            return
        executor = ThreadPoolExecutor(self.workers)
        try:
            yield executor
        finally:
            self.stop.set()
            executor.shutdown(cancel_futures=True)
            self.stop.clear()


@dataclass(frozen=True)
class Processes(Backend):
    """In processes of this machine."""

    workers: int

    def executor(self) -> AbstractContextManager[Executor]:
        """Fresh processes, which share no state with this one."""
        if is_alone():
            return Caller()
        from pegwise.compute.workers import WorkerPool

        return WorkerPool(self.workers)

    def is_broken(self, error: BaseException) -> bool:
        pebble = sys.modules.get("pebble")
        expired = () if pebble is None else (pebble.ProcessExpired,)
        return isinstance(error, (BrokenExecutor, *expired))


PATIENCE: float = 10.0
"""Seconds to find a scheduler, where no others are given."""


@dataclass
class Cluster(Backend):
    """On the workers of a Dask scheduler.

    Attributes:
        address: of the scheduler, such as `tcp://10.0.0.1:8786`.
        patience: seconds to find it, and to wait until a lost connection comes back.
        empty: no worker had joined when it was found.

    Raises:
        MissingExtraError: Dask is not installed.
        InputError: the address is no address of a scheduler, or other programs work there.
        WorkersLost: nobody answers there.
    """

    address: str
    patience: float = field(default_factory=lambda: PATIENCE)
    workers: int = field(default=0, init=False)
    empty: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        try:
            self._find()
            with self._client() as client:
                machines = client.get_versions(packages=["pegwise"])
                threads = sum(client.nthreads().values())
        except ImportError:
            raise MissingExtraError.of("a cluster", "cluster") from None
        except ConnectionError:
            raise WorkersLost(
                "no Dask scheduler answers at {address}", address=self.address
            ) from None
        for machine in [machines["scheduler"], *machines["workers"].values()]:
            if machine["packages"].get("pegwise") != __version__:
                raise self._foreign()
        self.empty = threads == 0
        self.workers = max(1, threads)

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The workers that the scheduler has now, and any that join later."""
        with self._client() as client:
            self.workers = max(1, sum(client.nthreads().values()))
            yield DaskExecutor(client, self.patience)

    def explain(self, error: BaseException) -> Phrase | None:
        """A sentence about an error of Dask; an InputError where other programs work there."""
        # a scheduler or a worker could not load the piece
        if isinstance(error, ImportError) or (
            isinstance(error, RuntimeError) and "deserializ" in str(error)
        ):
            raise self._foreign() from error
        if type(error).__name__ == "KilledWorker":
            return Phrase(
                "workers at {address} ended several times at the same piece",
                address=self.address,
            )
        if isinstance(error, CancelledError | OSError):
            return Phrase("the cluster at {address} no longer answers", address=self.address)
        return None

    def _find(self) -> None:
        """Make sure that a scheduler answers; ConnectionError where nobody does.

        Dask's own client takes long to give up, and waits for ever if something else listens.
        """
        if not _ADDRESS.fullmatch(self.address):
            raise InputError(
                "cluster {address}: write the address of a scheduler, such as tcp://10.0.0.1:8786",
                address=quoted(self.address),
            )
        distributed = _distributed()
        connection = distributed.Security().get_connection_args("client")
        if self.address.startswith(("tls://", "wss://")) and not connection.get("ssl_context"):
            raise InputError(
                "cluster {address}: no certificate is configured; Dask reads it from its settings "
                "distributed.comm.tls",
                address=quoted(self.address),
            )

        import asyncio

        async def identity() -> Any:
            async with asyncio.timeout(self.patience):
                async with distributed.rpc(self.address, connection_args=connection) as server:
                    return await server.identity()

        try:
            with ThreadPoolExecutor(1) as executor:  # this thread may have an event loop
                identified = executor.submit(lambda: asyncio.run(identity())).result()
        except Exception:  # whatever else listens there may answer anything
            raise ConnectionError(self.address) from None
        if "workers" not in identified:
            raise InputError(
                "cluster {address}: a worker answers there; write the address of the scheduler",
                address=quoted(self.address),
            )

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _distributed()
        try:
            client = distributed.Client(self.address, timeout=self.patience, set_as_default=False)
        except OSError as error:
            raise ConnectionError(self.address) from error
        with client:
            yield client

    def _foreign(self) -> InputError:
        return InputError(
            "cluster {address}: install pegwise {version} for the scheduler and for every worker",
            address=quoted(self.address),
            version=__version__,
        )


class Caller(Executor):
    """Does a piece when it is handed over."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class DaskExecutor(Executor):
    """The executor of a Dask client, which also notices that the scheduler is gone."""

    def __init__(self, client: Any, patience: float) -> None:
        self._client, self._patience = client, patience
        self._executor = client.get_executor(pure=False, retries=TRIES)
        self._lost_at = math.inf

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = self._executor.submit(fn, *args, **kwargs)
        return future

    def is_lost(self) -> bool:
        """Whether the scheduler has been out of reach for longer than there is patience."""
        now = time.monotonic()
        self._lost_at = math.inf if self._client.status == "running" else min(self._lost_at, now)
        return now - self._lost_at > self._patience


def _distributed() -> Any:
    """Dask's library, which does not log a lost connection: an error reports it."""
    distributed = importlib.import_module("distributed")
    # some loggers have levels of their own, and the event loop has one that others use too
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("tornado.application").addFilter(_is_not_of_dask)
    return distributed


def _is_not_of_dask(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not type(error).__module__.startswith("distributed")


def backend(jobs: int = 1) -> Backend:
    """So many processes, or this process."""
    check_whole("jobs", jobs, 1)
    return Serial() if jobs == 1 else Processes(jobs)


class OpenBackend(Backend):
    """Workers of a backend that stay from one run to the next, until the end of a `with`."""

    def __init__(self, where: Backend) -> None:
        self.where = where
        self._opened = ExitStack()
        self._executor: Executor | None = None
        self._readying: list[Future[Any]] = []

    @property
    def workers(self) -> int:  # type: ignore[override]
        return self.where.workers

    def is_broken(self, error: BaseException) -> bool:
        return self.where.is_broken(error)

    def explain(self, error: BaseException) -> Phrase | None:
        return self.where.explain(error)

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The workers; new ones, once they have broken down."""
        if self._executor is None:
            self._executor = self._opened.enter_context(self.where.executor())
        try:
            yield self._executor
        except Exception as error:
            if self.is_broken(error):
                self.__exit__(type(error), error, error.__traceback__)
            raise

    def make_ready(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Let each worker do this while it has no piece yet; nobody waits for it.

        Threads and the caller share what is ready. What goes wrong goes wrong again in a piece.
        """
        with suppress(ConnectionError, BrokenExecutor), self.executor() as executor:
            if not isinstance(executor, Caller | ThreadPoolExecutor):
                self._readying = [executor.submit(work, *arguments) for _ in range(self.workers)]

    def __enter__(self) -> OpenBackend:
        return self

    def __exit__(self, *error: Any) -> None:
        self._executor = None
        self._opened.__exit__(*error)


@contextmanager
def set_when_cancelled(event: threading.Event) -> Iterator[None]:
    """On a Dask worker: set an event once nobody waits any more for the piece of this thread.

    Dask does not interrupt what runs. In other places nothing happens: processes end with the
    one that started them.
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
                event.set()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
