"""How much runs at once when nobody says so."""

from __future__ import annotations

import os
from typing import Final

__all__ = ["cores", "jobs_for"]

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
