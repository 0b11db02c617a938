"""Progress of long work, for any listener."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of long work.

    Attributes:
        done: units finished so far.
        total: units in all, or None if unknown.
        unit: what is counted, as a plural noun ("secrets", "first guesses").
        best: the best answer so far in words, or "".
    """

    done: int
    total: int | None = None
    unit: str = ""
    best: str = ""


Report = Callable[[Progress], None]
"""Receives each step. Raising from it (KeyboardInterrupt, say) stops the work."""


def silent(_step: Progress) -> None:
    """Ignore a step."""
