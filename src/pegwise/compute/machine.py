"""This machine: its cores and its memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Thread
from typing import Final

LARGE: Final = 20_000  # secrets: in a smaller game, starting threads takes longer than they save


@cache
def is_alone() -> bool:
    """Whether this process can start neither threads nor processes, as in a browser."""
    thread = Thread(target=is_alone.__name__.strip)
    try:
        thread.start()
    except RuntimeError:
        return True
    thread.join()
    return False


def cores() -> int:
    """Cores that this process may use."""
    if is_alone():
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_for(jobs: int | None, secrets: int) -> int:
    """The jobs asked for; else all cores for a game with many secrets, one for another."""
    return jobs or (cores() if secrets >= LARGE else 1)


def taken_memory() -> int:
    """Bytes that this process and its children hold."""
    try:
        import psutil
    except ImportError:
        return peak_memory()
    process = psutil.Process()
    taken: int = process.memory_info().rss
    for child in process.children():
        with suppress(psutil.Error):  # it has ended
            taken += child.memory_info().rss
    return taken


def peak_memory() -> int:
    """Most bytes that this process has held so far."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def available_memory() -> int:
    """Bytes of memory that are free on this machine."""
    try:
        import psutil
    except ImportError:
        return _pages("SC_AVPHYS_PAGES")
    return int(psutil.virtual_memory().available)


def total_memory() -> int:
    """Bytes of memory that this machine has."""
    try:
        import psutil
    except ImportError:
        return _pages("SC_PHYS_PAGES")
    return int(psutil.virtual_memory().total)


def _pages(name: str) -> int:
    """Bytes of the pages that the system counts under a name; a GB where it counts none."""
    with suppress(AttributeError, ValueError, OSError):
        if (pages := os.sysconf(name)) > 0:
            return pages * os.sysconf("SC_PAGE_SIZE")
    return 1 << 30


_allowed: list[int] = []  # what this process and its workers may hold, innermost limit last


@contextmanager
def memory_allowed(limit: int | None) -> Iterator[None]:
    """Limit the bytes of this process and its workers; `spare_memory` and bars keep to it."""
    _allowed.extend([] if limit is None else [limit])
    try:
        yield
    finally:
        if limit is not None:
            _allowed.pop()


def allowed_memory() -> int | None:
    """Bytes that this process and its workers may hold; None where nothing limits them."""
    return _allowed[-1] if _allowed else None


def spare_memory() -> int:
    """Bytes that may still be taken: what is free, and what is allowed."""
    free = available_memory()
    return min(free, _allowed[-1] - taken_memory()) if _allowed else free
