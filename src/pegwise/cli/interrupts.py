"""Ctrl-C and other signals as what they are, also while compiled code hands over its result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["interruptible", "patient", "stoppable"]


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


@contextmanager
def patient() -> Iterator[Callable[[], None]]:
    """Hold a signal that asks to stop until it is looked for; a second one stops at once.

    For searches whose main thread runs many kernels: what a handler raises just when one of them
    hands over its result can bring the process down.

    Yields:
        What looks, and raises KeyboardInterrupt if the signal came.
    """
    asked = False

    def ask(_number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    def look() -> None:
        if asked:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield look
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield look
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _beneath(error: BaseException) -> BaseException | None:
    """The exception beneath an error that is no error, such as KeyboardInterrupt."""
    below = error.__cause__ or error.__context__
    while below is not None and isinstance(below, Exception):
        below = below.__cause__ or below.__context__
    return below
