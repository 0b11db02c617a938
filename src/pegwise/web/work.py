"""Computing apart from the server: processes that answer, and are ended if they take too long.

The server itself only marks guesses and reads the database, so that it answers at once whatever
is computed. Quick questions and those that may take long wait in separate lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import queue
import signal
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeVar

from pegwise.errors import PegwiseError, TooLargeError

__all__ = ["BusyError", "Line", "TooLongError", "asking", "more_time"]

Answer = TypeVar("Answer")

_MAX_WAITING: Final = 64
_MAX_OF_ONE: Final = 8
"""So many questions of one client wait at most."""

_MEMORY: Final = 6 << 30
"""Bytes of address space of one process."""

_READY: Final = 300.0
"""Seconds until a new process answers; the first one on a machine compiles kernels."""


asking: ContextVar[str] = ContextVar("asking", default="")
"""Which client asks; "" for this machine itself, which may fill the line."""


class BusyError(PegwiseError):
    """Too many people wait for an answer."""


class TooLongError(TooLargeError):
    """A computation took longer than it may."""


class Line:
    """A line of people who wait for processes that compute.

    Args:
        processes: how many.
        seconds: how long one computation may take.
        warm: what a new process does first; it is not limited.
    """

    def __init__(self, processes: int, seconds: float, warm: Callable[[], None]) -> None:
        self.seconds = seconds
        self._warm = warm
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        for _ in range(processes):
            self._idle.put(None)
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="line")
        self._waiting = 0
        self._clients: Counter[str] = Counter()
        self._workers: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def start(self) -> None:
        """Begin the processes, without waiting for them."""
        self._threads.submit(self._run, _nothing, (), None)

    async def ready(self) -> None:
        """Wait until a process answers."""
        with contextlib.suppress(BusyError, TooLargeError):
            await self.ask(_nothing)

    async def ask(
        self, function: Callable[..., Answer], *arguments: Any, seconds: float | None = None
    ) -> Answer:
        """What a function of a module returns for these arguments, computed in a process.

        Args:
            function: what to call; it and all arguments can be pickled.
            arguments: what it is called with.
            seconds: a smaller limit than that of the line.

        Raises:
            BusyError: too many questions wait already, of all clients or of this one.
            TooLongError: it took longer than it may, and was ended.
            PegwiseError: as the function.
        """
        if self._waiting >= _MAX_WAITING:
            raise BusyError("many people are computing at this moment: try again in some seconds")
        client = asking.get()
        if client and self._clients[client] >= _MAX_OF_ONE:
            raise BusyError(
                "{most} questions of yours wait already: wait for an answer", most=_MAX_OF_ONE
            )
        self._waiting += 1
        self._clients[client] += 1
        limit = self.seconds if seconds is None else min(seconds, self.seconds)
        try:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._threads, self._run, function, arguments, limit)
        finally:
            self._waiting -= 1
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
        return found  # type: ignore[no-any-return]

    def close(self) -> None:
        """End all processes at once."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _run(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], limit: float | None
    ) -> Any:
        worker = self._idle.get()
        try:
            if worker is None or not worker.alive:
                worker = self._begin()
            return worker.ask(function, arguments, limit)
        finally:
            self._idle.put(worker)

    def _begin(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise BusyError("the server is closing: try again in some seconds")
            self._workers = {worker for worker in self._workers if worker.alive}
            worker = _Worker(self._warm)
            self._workers.add(worker)
        return worker


class _Worker:
    """A process that computes one thing at a time."""

    def __init__(self, warm: Callable[[], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_serve, args=(theirs, warm), daemon=True, name="pegwise computing"
        )
        self._process.start()
        theirs.close()
        self._ready = False
        self._ended = False

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._ended and self._process.is_alive()

    def ask(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], limit: float | None
    ) -> Any:
        """What the function returns, or raises.

        Raises:
            TooLongError: it took longer than `limit`; the process is ended.
            TooLargeError: the process ended, most likely for want of memory.
        """
        try:
            if not self._ready:
                self._receive(_READY)
                self._ready = True
            self._pipe.send((function, arguments))
            done, found = self._receive(limit)
        except (EOFError, OSError):
            self.end()
            raise TooLargeError(
                "this needs more memory than one question may take: choose smaller rules"
            ) from None
        if done:
            return found
        raise found

    def end(self) -> None:
        """End the process at once."""
        self._ended = True  # it may take a moment until the system says so
        self._process.kill()

    def _receive(self, limit: float | None) -> Any:
        """What the process sends, once it is no longer a request for more time."""
        begun = time.monotonic()
        while True:
            left = None if limit is None else max(0.0, begun + limit - time.monotonic())
            if not self._pipe.poll(left):
                break
            found = self._pipe.recv()
            if not isinstance(found, _More):
                return found
            if limit is not None:
                limit = max(limit, time.monotonic() - begun + found.seconds)
        self.end()
        self._process.join(5)
        raise TooLongError(
            "this took longer than {limit:g} seconds: choose smaller rules or another strategy",
            limit=limit,
        )


@dataclass(frozen=True, slots=True)
class _More:
    """A process asks for so many seconds from now on."""

    seconds: float


_ask_for_more: Callable[[float], None] | None = None


def more_time(seconds: float) -> None:
    """Ask for so many seconds from now on, for work that is done once; in a process of a line."""
    if _ask_for_more is not None:
        _ask_for_more(seconds)


def _nothing() -> None:
    """What is asked of a process that only has to begin."""


def _serve(pipe: Connection, warm: Callable[[], None]) -> None:
    """The life of a process: get ready, then answer until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the server, which then ends us
    limit_memory()
    global _ask_for_more
    _ask_for_more = lambda seconds: pipe.send(_More(seconds))  # noqa: E731
    try:
        warm()
        pipe.send(True)
        while True:
            function, arguments = pipe.recv()
            pipe.send(_answer(function, arguments))
    except (EOFError, OSError):
        return


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, function(*arguments)
    except MemoryError:
        return False, TooLargeError(
            "this needs more memory than one question may take: choose smaller rules"
        )
    except PegwiseError as error:
        return False, error
    except Exception:
        # what is not ours may not survive the way to the server: tell where it happened
        return False, RuntimeError(traceback.format_exc())


def limit_memory() -> None:
    """Let this process take no more memory than one computation may."""
    try:
        import resource
    except ImportError:  # a system without limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY if most == resource.RLIM_INFINITY else min(_MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
