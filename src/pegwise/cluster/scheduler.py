"""A Dask scheduler: whether one answers at an address, who works for it, what its errors mean."""

from __future__ import annotations

import asyncio
import importlib
import logging
import re
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Final, Literal

__all__ = ["Finding", "connected", "died", "find", "has_everywhere", "unread", "while_wanted"]

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
def while_wanted(stop: threading.Event) -> Iterator[None]:
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
