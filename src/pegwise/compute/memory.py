"""How much memory this process holds, and how much is free on this machine."""

from __future__ import annotations

import sys
from contextlib import suppress

import psutil


def taken_memory() -> int:
    """Bytes that this process and its children hold."""
    process = psutil.Process()
    taken: int = process.memory_info().rss
    for child in process.children():
        with suppress(psutil.Error):  # it has ended
            taken += child.memory_info().rss
    return taken


def peak_memory() -> int:
    """Most bytes that this process has held so far."""
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def available_memory() -> int:
    """Bytes of memory that are free on this machine."""
    return int(psutil.virtual_memory().available)
