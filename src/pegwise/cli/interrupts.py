"""Ctrl-C and other signals as what they are, also while compiled code hands over its result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interruptible", "stoppable"]


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise what a signal handler raised, where Numba made a SystemError of it.

    A handler that raises while a kernel hands over arrays leaves an exception set beside a
    result; Python then raises SystemError, with the handler's exception as its cause.
    """
    try:
        yield
    except SystemError as error:
        raised = _beneath(error)
        if raised is None:
            raise
        raise raised from None


def _beneath(error: BaseException) -> BaseException | None:
    """The exception beneath an error that is no error, such as KeyboardInterrupt."""
    below = error.__cause__ or error.__context__
    while below is not None and isinstance(below, Exception):
        below = below.__cause__ or below.__context__
    return below
