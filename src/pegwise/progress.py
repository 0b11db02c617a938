"""Progress of long work, for any listener."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pegwise.errors import TooLargeError, check_seconds


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


class _Silent:
    """Ignores every step; as the default of a parameter its name is shown, not its address."""

    def __call__(self, _step: Progress) -> None:
        """Ignore a step."""

    def __repr__(self) -> str:
        return "silent"


silent: Final = _Silent()


class _EnoughError(Exception):
    """Ends work from its report."""


def run_until(
    work: Callable[[Callable[[Any], None]], object],
    enough: Callable[[Any], bool],
    report: Report = silent,
) -> bool:
    """Let work report until `enough` is true of a step; whether it was."""
    stop = _EnoughError()

    def tell(step: Any) -> None:
        report(step)
        if enough(step):
            raise stop

    try:
        work(tell)
    except _EnoughError as error:
        if error is not stop:  # that of other work, of which this is a part
            raise
        return True
    return False


def run_for(
    work: Callable[[Callable[[Any], None]], object],
    seconds: float | None,
    report: Report = silent,
    ready: Callable[[], bool] = lambda: True,
) -> bool:
    """Let work go on for some seconds, but until it is `ready`; None for as long as it takes.

    Returns whether it was stopped. InputError: no such time.
    """
    check_seconds(seconds)
    end = math.inf if seconds is None else time.monotonic() + seconds
    return run_until(work, lambda _step: time.monotonic() >= end and ready(), report)


class TimeLimit:
    """Receives each step, and ends the work after a number of seconds of processor time.

    The seconds begin with the first step, when kernels have been loaded or compiled.

    Raises:
        TooLargeError: when it is called later.
    """

    def __init__(self, seconds: float, report: Report = silent) -> None:
        self._seconds, self._report = seconds, report
        self._end = math.inf

    @property
    def reached(self) -> bool:
        """Whether the time is up."""
        return time.process_time() > self._end

    def __call__(self, step: Progress) -> None:
        if self.reached:
            raise TooLargeError
        self._end = min(self._end, time.process_time() + self._seconds)
        self._report(step)
