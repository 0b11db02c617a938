"""How much runs at once when nobody says so."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Final

LARGE: Final = 20_000
"""From so many secrets on, threads are worth their start."""


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_for(jobs: int | None, secrets: int) -> int:
    """The jobs asked for; else all cores for a game of so many secrets, if it is large."""
    return jobs or (cores() if secrets >= LARGE else 1)


# Worker processes of this machine, which end with the process that started them.


@contextmanager
def pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes, which share no state with this one; left by an error, they end at once."""
    executor = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=follow
    )
    try:
        with _undisturbed():
            executor.submit(_nothing)
        yield executor
    except BaseException:
        # what runs now is not waited for
        for process in list((getattr(executor, "_processes", None) or {}).values()):
            process.terminate()
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    executor.shutdown()


def follow() -> None:
    """In a worker: leave Ctrl-C to the process that started it, and end when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _nothing() -> None:
    """The first work of a pool, which makes it start its processes."""


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back the signals that ask to stop: a worker that is half started would complain."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    asked = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, lambda *args: came.append(args)) for number in asked}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for sent, _ in came:
        signal.raise_signal(sent)
