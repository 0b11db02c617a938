"""This machine: its cores and its memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

LARGE: Final = 20_000  # secrets: in a smaller game, starting threads takes longer than they save


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_for(jobs: int | None, secrets: int) -> int:
    """The jobs asked for; else all cores for a game with many secrets, one for another."""
    return jobs or (cores() if secrets >= LARGE else 1)


def taken_memory() -> int:
    """Bytes that this process and its children hold."""
    import psutil

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
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def available_memory() -> int:
    """Bytes of memory that are free on this machine."""
    import psutil

    return int(psutil.virtual_memory().available)


_allowed: list[int] = []  # what this process and its workers may hold, innermost limit last


@contextmanager
def memory_allowed(limit: int) -> Iterator[None]:
    """Limit the memory of this process and its workers; `spare_memory` keeps to it."""
    _allowed.append(limit)
    try:
        yield
    finally:
        _allowed.pop()


def spare_memory() -> int:
    """Bytes that may still be taken: what is free, and what is allowed."""
    free = available_memory()
    return min(free, _allowed[-1] - taken_memory()) if _allowed else free
