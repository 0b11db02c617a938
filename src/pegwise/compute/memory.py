"""How much memory this process holds, and how much is free on this machine."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def taken_memory() -> int | None:
    """Bytes that this process and its children hold, None where the system does not tell."""
    try:
        taken = _held("self")
        for task in Path("/proc/self/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                with suppress(OSError):  # it has ended
                    taken += _held(child)
    except (OSError, ValueError, IndexError):
        return None
    return taken


def _held(process: str) -> int:
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def peak_memory() -> int:
    """Most bytes that this process has held so far, 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def available_memory() -> int | None:
    """Bytes of memory that are free on this machine, None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
