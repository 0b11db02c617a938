"""Signals that ask a command to stop: the first asks long work, the second ends it at once.

Work that reports how far it is stops where it reports next: its report raises KeyboardInterrupt.
Where nothing has reported for a second, as at a prompt, the signal raises it. If that is lost
(Python ignores what is raised within a destructor), the next report raises it again.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

Handler = Callable[[int, FrameType | None], object]

STOPPING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, the wish of the system that a program end, and that its terminal is closed."""

_TERMINAL: Final = 0  # the standard input that lines are read from

_FRESH: Final = 1.0
"""Seconds since its last report in which work is taken to report again."""

_TOGETHER: Final = 0.25
"""Seconds in which signals count as one: `timeout` sends it to a process, then to its group."""


class Interruption(KeyboardInterrupt):
    """A signal asks to stop.

    A plain KeyboardInterrupt that has left `exec` lets Python end by a signal of its own, whatever
    the exit status.
    """


class _Stop:
    """State of the signals of one command.

    Attributes:
        number: of the first signal.
        asked: nothing has stopped for it yet.
        reported: when the work that runs has reported last.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget what signals came."""
        self.number: int | None = None
        self.asked = False
        self.reported = self._since = -math.inf

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Ask the work to stop, at the first signal; end the process, at a later one."""
        now = time.monotonic()
        if self.number is None:
            self.number, self._since, self.asked = number, now, True
            if now > self.reported + _FRESH:
                raise Interruption
        elif now > self._since + _TOGETHER:
            end_now(self.number)


_stop: Final = _Stop()


def check() -> None:
    """In work that reports, raise KeyboardInterrupt if a signal asks to stop.

    It does so in the main thread alone.
    """
    if threading.current_thread() is threading.main_thread():
        _stop.reported = time.monotonic()
        stop_if_asked()


def stop_if_asked() -> None:
    """Raise KeyboardInterrupt if a signal came which nothing has stopped for."""
    if _stop.asked:
        _stop.asked = False
        raise Interruption


def end_now(number: int, _frame: FrameType | None = None) -> None:
    """End this process at once, with the exit status of a signal; a handler."""
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(2, b"\x1b[?25h\n")  # a line that moves hides the cursor
    os._exit(128 + number)


def ignore() -> None:
    """Let no signal disturb the end of this process, which is near."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def leave_threads() -> None:
    """End a process that was stopped at once if a thread is at work still, as one that compiles."""
    others = [each for each in threading.enumerate() if each is not threading.main_thread()]
    if _stop.number is None or all(each.daemon for each in others):
        return
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(exit_status())


def exit_status() -> int:
    """The exit status of a command that was stopped: 130 by Ctrl-C, 143 by SIGTERM."""
    return 128 + (_stop.number or signal.SIGINT)


@contextmanager
def handled(numbers: Iterable[int], handler: Handler) -> Iterator[None]:
    """Handle signals so within the block; does nothing outside the main thread.

    Signals that are to be ignored, as of a program in the background, remain so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, handler)
        for number in numbers
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


@contextmanager
def suspendable(redraw: Callable[[], None]) -> Iterator[None]:
    """Give the terminal back at Ctrl-Z, and at `fg` take it again and call `redraw`.

    The library that edits lines leaves both to the program. Does nothing without a terminal.
    """
    if not (hasattr(signal, "SIGTSTP") and os.isatty(_TERMINAL)):
        yield
        return
    import termios

    usual = termios.tcgetattr(_TERMINAL)

    def suspend(number: int, _frame: FrameType | None) -> None:
        editing = termios.tcgetattr(_TERMINAL)
        termios.tcsetattr(_TERMINAL, termios.TCSADRAIN, usual)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # it returns when the program is continued
        signal.signal(number, suspend)
        termios.tcsetattr(_TERMINAL, termios.TCSADRAIN, editing)
        redraw()

    with handled([signal.SIGTSTP], suspend):
        yield


@contextmanager
def stoppable() -> Iterator[None]:
    """Run a command that signals stop; inside another such block, a part of it."""
    if any(signal.getsignal(number) == _stop.handle for number in STOPPING):
        yield
        return
    _stop.begin()
    with _lost_in_silence(), handled(STOPPING, _stop.handle):
        yield


@contextmanager
def _lost_in_silence() -> Iterator[None]:
    """Say nothing of an interruption that Python ignores: the next report raises it again."""
    hook = sys.unraisablehook

    def see(what: sys.UnraisableHookArgs) -> None:
        if not isinstance(what.exc_value, Interruption):
            hook(what)

    sys.unraisablehook = see
    try:
        yield
    finally:
        sys.unraisablehook = hook


@contextmanager
def interruptible() -> Iterator[None]:
    """Let this block be interrupted: what catches KeyboardInterrupt catches it here.

    An error that a signal has led to is the interruption too: Numba makes a SystemError of what is
    raised while a kernel hands over its result.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, _stop.reported = _stop.reported, -math.inf
    try:
        yield
    except KeyboardInterrupt:
        _stop.asked = False
        raise
    except Exception as error:
        if not _stop.asked:
            raise
        _stop.asked = False
        raise Interruption from error
    finally:
        _stop.reported = before
