"""Ctrl-C and other signals as what they are, also while compiled code hands over its result."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["handled", "interruptible", "patient", "stoppable"]

Handler = Callable[[int, FrameType | None], object]

_AGAIN: Final = 0.05
"""Seconds after which a signal that came at a bad moment is raised again."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, and neither of them harm the compiler of kernels."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not told to ignore it
        numbers.append(signal.SIGINT)
    with handled(numbers, _stop):
        yield


@contextmanager
def handled(numbers: Iterable[int], handler: Handler) -> Iterator[None]:
    """Have signals handled so, until the block is left; in the main thread only."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


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

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            _stop(number, frame)
        asked = True

    def look() -> None:
        if asked:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield look
        return
    with handled((signal.SIGINT, signal.SIGTERM), ask):
        yield look


def _stop(number: int, frame: FrameType | None) -> None:
    """Handle a signal: raise KeyboardInterrupt, within the compiler as soon as it is left.

    It calls back into Python, where what is raised is lost, and fails without it later.
    """
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("llvmlite."):
            again = threading.Timer(_AGAIN, _thread.interrupt_main, (number,))
            again.daemon = True
            again.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _beneath(error: BaseException) -> BaseException | None:
    """The exception beneath an error that is no error, such as KeyboardInterrupt."""
    below = error.__cause__ or error.__context__
    while below is not None and isinstance(below, Exception):
        below = below.__cause__ or below.__context__
    return below
