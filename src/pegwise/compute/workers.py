"""Worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from types import FrameType
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from pegwise.errors import PegwiseError
from pegwise.hooks import hooks

if TYPE_CHECKING:
    from pebble import ProcessPool

_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_LOOK: Final = 0.2  # seconds between two looks at whether a pool is whole


@contextmanager
def _stop_signals_blocked() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its start changes the mask
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


# elsewhere system libraries are not safe to copy, or processes cannot be copied
if sys.platform == "linux":
    from multiprocessing.context import ForkServerContext as _Context
    from multiprocessing.context import ForkServerProcess as _Process
else:
    from multiprocessing.context import SpawnContext as _Context
    from multiprocessing.context import SpawnProcess as _Process

_starting: Final = threading.Lock()  # held while a worker starts, or all of them are ended


class _Worker(_Process):
    """A process that the signals to stop do not reach, not even while it starts.

    They are sent to whole groups of processes, as by Ctrl-C. Who started the worker ends it.
    """

    refused = False

    def start(self) -> None:
        with _starting, _stop_signals_blocked():
            if self.refused:
                raise OSError("the workers are being ended")
            super().start()  # the worker inherits the mask

    def terminate(self) -> None:
        self.kill()


class _Workers(_Context):
    """Makes the processes of one pool, and ends them all."""

    def __init__(self) -> None:
        super().__init__()
        self.made: WeakSet[_Worker] = WeakSet()
        self.ended = False

    def Process(self, *args: Any, **options: Any) -> _Worker:  # type: ignore[override]  # noqa: N802
        """A worker that is not started; OSError once all are ended."""
        worker = _Worker(*args, **options)
        with _starting:
            worker.refused = self.ended
            self.made.add(worker)
        return worker

    def end(self) -> None:
        """End all workers at once, and start no more."""
        with _starting:
            self.ended = True
            for worker in self.made:
                worker.refused = True
                if worker.pid is not None:
                    worker.kill()


def import_for_workers(*modules: str) -> None:
    """Begin to import what the workers of every `WorkerPool` need, without waiting for it.

    On Linux they are copies of one process, which the first call starts; elsewhere each worker
    imports what it needs.
    """
    if sys.platform == "linux":
        from multiprocessing import forkserver

        forkserver.set_forkserver_preload(list(modules))
        with _stop_signals_blocked():
            # it imports nothing from the folder where the program was started
            chosen = os.environ.get("PYTHONSAFEPATH", "")
            os.environ["PYTHONSAFEPATH"] = "1"
            try:
                forkserver.ensure_running()
            finally:
                os.environ["PYTHONSAFEPATH"] = chosen  # empty is as if not set


def follow() -> None:
    """In a worker: leave signals to the process that started it, and end when that is gone."""
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def do_nothing() -> None:
    """A task that only makes a pool start its processes."""


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back the signals that ask to stop: a worker that is half started would complain."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = {
        number: signal.signal(number, lambda *args: came.append(args)) for number in _STOP_SIGNALS
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for sent, _ in came:
        signal.raise_signal(sent)


class WorkerPool(Executor):
    """Worker processes that run one task at a time, with limits of time and memory.

    They share no state with this process. Workers start with the first task, and run `prepare`
    first, without a limit of time. `memory` limits the bytes of address space.
    """

    def __init__(
        self, workers: int, memory: int | None = None, prepare: Callable[[], None] = do_nothing
    ) -> None:
        self._workers = workers
        self._memory = memory
        self._prepare = prepare
        self._pool: ProcessPool | None = None
        self._processes = _Workers()
        self._futures: WeakSet[Future[Any]] = WeakSet()
        self._closed = False
        self._lock = threading.Lock()
        self._compiling: Any = multiprocessing.get_context("spawn").RawArray("i", 2)

    @property
    def compiling(self) -> tuple[int, int] | None:
        """While a worker compiles: kernels that are done, and of how many.

        It stays if the worker was ended while it did.
        """
        done, total = self._compiling
        return (done, total) if total else None

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run."""
        return [worker.pid for worker in self._processes.made if worker.pid and worker.is_alive()]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function in a worker, without a limit of time.

        The future raises what the function raises, and `pebble.ProcessExpired` or
        `BrokenExecutor` if the worker ends.
        """
        return self._schedule(fn, args, kwargs, None)

    def ask(
        self, function: Callable[..., Any], *arguments: Any, seconds: float | None = None
    ) -> Future[Any]:
        """Call a function in a worker; the future raises what the function raises.

        It raises `TimeoutError` when a worker has had the task for `seconds`. Cancelling it ends
        the worker. Exceptions other than `PegwiseError` and `MemoryError` become `RuntimeError`,
        with their text.
        """
        return self._schedule(_run_task, (function, arguments), {}, seconds)

    def _schedule(
        self, function: Callable[..., Any], args: Any, kwargs: Any, seconds: float | None
    ) -> Future[Any]:
        """The future of a task; it is cancelled if the pool is closed."""
        with self._lock:
            if self._closed:
                future: Future[Any] = Future()
                future.cancel()
                return future
            while True:
                self._pool = self._pool or self._start()
                try:
                    future = self._pool.schedule(function, args, kwargs, timeout=seconds)
                except RuntimeError:  # a worker that died before its first task has broken it
                    self._stop()
                else:
                    self._futures.add(future)
                    return future

    def close(self) -> None:
        """End all workers at once, and cancel what they were to do."""
        with self._lock:
            self._closed = True
            for future in list(self._futures):
                future.cancel()
            self._stop()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the workers at once; wait for the futures of tasks to wait for the tasks."""
        del wait, cancel_futures
        self.close()

    def _start(self) -> ProcessPool:
        from pebble import ProcessPool

        self._processes = _Workers()
        pool = ProcessPool(
            self._workers,
            initializer=_begin,
            initargs=(self._memory, self._prepare, self._compiling, dict(os.environ)),
            context=self._processes,
        )
        with _signals_held():
            assert pool.active  # noqa: S101 (which starts the workers)
        self._futures = WeakSet()
        threading.Thread(target=_watch, args=(pool, self._futures), daemon=True).start()
        return pool

    def _stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        pool.stop()  # type: ignore[no-untyped-call]
        # a worker that is still starting would miss the semaphores that `join` removes
        self._processes.end()
        pool.join()


def _watch(pool: ProcessPool, futures: WeakSet[Future[Any]]) -> None:
    """Fail the futures of a pool that ends.

    A worker that ends before its first task breaks the pool. Pebble then fails what it has given to
    workers, and would leave what still waits.
    """
    while pool.active:
        time.sleep(_LOOK)
    time.sleep(_LOOK)  # while Pebble fails its own
    for future in list(futures):
        with suppress(InvalidStateError):
            future.set_exception(BrokenProcessPool("the worker processes have ended"))


def tell_compiling(numbers: Any) -> None:
    """In a worker: write into two shared numbers how far a kernel is compiled, 0 when it is."""

    @contextmanager
    def tell(kind: str, _name: str) -> Iterator[Callable[[Any], None]]:
        def write(step: Any) -> None:
            if kind == "compiling":
                numbers[:] = (step.done, step.total)

        try:
            yield write
        finally:
            numbers[:] = (0, 0)

    hooks.aside = tell


def _begin(
    memory: int | None, prepare: Callable[[], None], compiling: Any, environment: dict[str, str]
) -> None:
    """The first step of a worker of a `WorkerPool`."""
    os.environ.clear()
    os.environ.update(environment)
    follow()
    tell_compiling(compiling)
    if memory is not None:
        with suppress(ImportError):  # some systems cannot limit it
            import resource

            _, most = resource.getrlimit(resource.RLIMIT_AS)
            limit = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    prepare()
    compiling[:] = (0, 0)


def _run_task(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a task. Exceptions that might not survive pickling become text."""
    try:
        return function(*arguments)
    except (PegwiseError, MemoryError):
        raise
    except Exception:
        raise RuntimeError(traceback.format_exc()) from None
