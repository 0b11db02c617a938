"""Signals that ask a command to stop: one stops its work, and no other disturbs how it ends.

The first signal raises KeyboardInterrupt. If that is lost (Python ignores what is raised within a
destructor; a library may catch it), it is raised again, until `interruptible` sees it pass. Later
signals change nothing, however many come; only if the end takes long, one of them ends the process
at once.
Numba makes trouble twice: a handler that raises while a kernel hands over its result becomes the
cause of a SystemError, and one that raises within the compiler breaks it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

Handler = Callable[[int, FrameType | None], object]

STOPPING: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, the wish of the system that a program end, and that its terminal is closed."""

_COMPILER: Final = "llvmlite"
_TERMINAL: Final = 0  # the standard input that lines are read from
_RETRY: Final = 0.05  # seconds after which a signal that came within the compiler is raised again
_PATIENCE: Final = 1.0  # seconds for a search to look for signals, and for an exception to pass
_LONG: Final = 5.0  # seconds from which on the end is no longer waited for


class Interruption(KeyboardInterrupt):
    """A signal asks to stop.

    A plain KeyboardInterrupt that has left `exec` lets Python end by a signal of its own, whatever
    the exit status.
    """


class _Stop:
    """State of the signals of one command."""

    def __init__(self) -> None:
        self.number: int | None = None  # of the first signal
        self.deferring = 0  # blocks that look for signals themselves
        self._passed = False
        self._since = 0.0

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Stop the work, at the first signal; the process, at one that comes long after it."""
        now = time.monotonic()
        if self.number is None:
            self.number, self._since = number, now
            if self.deferring:
                _remind(_PATIENCE)
            else:
                self._raise(frame)
        elif now - self._since > _LONG:
            end_now(self.number)

    def remind(self, _number: int, frame: FrameType | None) -> None:
        """Raise again an interruption that was lost, or that nobody has looked for."""
        if not self._passed:
            self._raise(frame)

    @contextmanager
    def ignored(self) -> Iterator[None]:
        """Raise again soon what Python ignores, and say nothing of it."""
        hook = sys.unraisablehook

        def see(what: sys.UnraisableHookArgs) -> None:
            if isinstance(what.exc_value, Interruption):
                _remind(_RETRY)
            else:
                hook(what)

        sys.unraisablehook = see
        try:
            yield
        finally:
            sys.unraisablehook = hook

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal came."""
        if self.number is not None and not self._passed:
            raise Interruption

    def passed(self) -> None:
        """The work has been left: nothing is raised from now on."""
        self._passed = True

    def _raise(self, frame: FrameType | None) -> None:
        while frame is not None:
            if str(frame.f_globals.get("__name__")).startswith(_COMPILER):
                _remind(_RETRY)
                return
            frame = frame.f_back
        _remind(_PATIENCE)
        raise Interruption


_stop = _Stop()


def _remind(seconds: float) -> None:
    """Have `_Stop.remind` called after `seconds`, where the system can do that."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_now(number: int, _frame: FrameType | None = None) -> None:
    """End this process at once, with the exit status of a signal; a handler."""
    if sys.stderr is not None and sys.stderr.isatty():
        os.write(2, b"\x1b[?25h\n")  # a line that moves hides the cursor
    os._exit(128 + number)


def ignore() -> None:
    """Let no signal disturb the end of this process, which is near."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


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
    global _stop
    if any(signal.getsignal(number) == _stop.handle for number in STOPPING):
        yield
        return
    _stop = stop = _Stop()
    alarms = [signal.SIGALRM] if hasattr(signal, "SIGALRM") else []
    try:
        with stop.ignored(), handled(alarms, stop.remind), handled(STOPPING, stop.handle):
            try:
                yield
            finally:
                if alarms:
                    signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        stop.passed()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let this block be interrupted: what catches KeyboardInterrupt catches it here.

    What a signal handler raised is raised in place of the SystemError that Numba made of it, and
    later signals are not raised any more.
    """
    try:
        yield
    except KeyboardInterrupt:
        _stop.passed()
        raise
    except SystemError as error:
        cause = error.__cause__ or error.__context__
        while isinstance(cause, Exception):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        if isinstance(cause, KeyboardInterrupt):
            _stop.passed()
        raise cause from None


@contextmanager
def deferred() -> Iterator[Callable[[], None]]:
    """Hold signals until the yielded function raises KeyboardInterrupt for them.

    For searches whose main thread runs many kernels. One that does not look for signals for a
    second is stopped all the same.
    """
    with stoppable():
        stop = _stop
        stop.deferring += 1
        try:
            yield stop.check
        finally:
            stop.deferring -= 1


def passed() -> None:
    """Say that the exception of a signal was caught: nothing is raised from now on."""
    _stop.passed()
