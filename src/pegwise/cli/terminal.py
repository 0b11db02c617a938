"""Whether the terminal shows colors: not with `--no-color`, `NO_COLOR` or `TERM=dumb`."""

from __future__ import annotations

import _thread
import importlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Final

import click

from pegwise.i18n import tr, translated
from pegwise.progress import Progress, Report

if TYPE_CHECKING:
    from rich.console import Console
_OPTION: Final = "--no-color"


def uncolored(arguments: Sequence[str]) -> list[str]:
    """The arguments without `--no-color`, which asks for what `NO_COLOR` asks for."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if _OPTION in arguments[:end]:
        os.environ["NO_COLOR"] = "1"
    return [word for k, word in enumerate(arguments) if k >= end or word != _OPTION]


def colored() -> bool | None:
    """What click is told: False for no color; None to look whether the output is a terminal."""
    quiet = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if quiet else None


def end_without_codes() -> None:
    """Keep colorama, where it is installed, from ending every run with a code for the terminal.

    Numba starts it, and it resets colors at the end even of runs that show none.
    """
    with suppress(ImportError):
        vars(importlib.import_module("colorama.initialise"))["atexit_done"] = True


# Help and prose for terminals of any width; click's help is never narrower than 50 columns.

_READABLE: Final = 100
"""Longer lines are hard to read."""

_MARGIN: Final = 2


def help_width() -> int:
    """Columns for help in this terminal."""
    return max(20, min(shutil.get_terminal_size().columns, _READABLE) - _MARGIN)


def paragraph(text: str, indent: str = "", following: str | None = None) -> str:
    """Prose in lines that fit the terminal.

    Args:
        text: one paragraph.
        indent: what stands before its first line.
        following: what stands before the others; the same when None.
    """
    columns = shutil.get_terminal_size((_READABLE, 24)).columns
    width = max(20, min(columns, _READABLE))
    return click.wrap_text(text, width, indent, indent if following is None else following)


class _Formatter(click.HelpFormatter):
    """In a narrow terminal, options leave room for what is said of them."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, max(self.width // 3, 12)), col_spacing)


class HelpContext(click.Context):
    """A command as it is called, whose help is written so."""

    formatter_class = _Formatter


# Ctrl-C and other signals as what they are, also while compiled code hands over its result.

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


# How long work shows how far it is: on standard error, and only while a terminal watches.

_WIDE: Final = 100
"""From so many columns on, a bar is long."""

_NOTED: Final = 0.5
"""Seconds from which on compiling is told of."""

_watching: list[Console] = []
"""Consoles that show something which moves; what else is said goes above it."""


def announce_compilation() -> None:
    """Say so on standard error if kernels are compiled during this run."""
    from pegwise.kernels.jit import on_first_compile

    on_first_compile(_announce)


def _announce() -> None:
    words = tr("Compiling kernels that this machine needs for the first time: less than a minute.")
    if _watching:
        _watching[-1].print(words, highlight=False, markup=False)
    else:
        click.echo(words, err=True)


@dataclass
class Timing:
    """How long work took.

    Attributes:
        seconds: without compiling, which happens once on a machine.
        compiling: seconds that compiling took.
    """

    seconds: float = 0.0
    compiling: float = 0.0

    def __str__(self) -> str:
        said = tr("{seconds:.2f} s", seconds=self.seconds)
        if self.compiling < _NOTED:
            return said
        return said + tr(", and {seconds:.0f} s to compile", seconds=self.compiling)


@contextmanager
def timing() -> Iterator[Timing]:
    """How long what is done within takes, known at its end."""
    from numba.core import event

    found = Timing()
    begun = time.monotonic()
    compiler = event.TimingListener()  # type: ignore[no-untyped-call]
    event.register("numba:compile", compiler)  # type: ignore[no-untyped-call]
    try:
        yield found
    finally:
        event.unregister("numba:compile", compiler)  # type: ignore[no-untyped-call]
        found.compiling = compiler.duration if compiler.done else 0.0
        found.seconds = max(0.0, time.monotonic() - begun - found.compiling)


def duration(seconds: float) -> str:
    """A time as `1:05` or `2:00:00`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bar(title: str) -> Iterator[Report]:
    """A bar with what is done, the best so far, the time gone and an estimate of the rest."""
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Clock(ProgressColumn):
        def render(self, task: Task) -> Text:
            gone, left = duration(task.elapsed or 0), task.fields["left"] or task.time_remaining
            if left is None:
                return Text(tr("{gone} gone", gone=gone))
            return Text(tr("{gone} gone, some {left} to go", gone=gone, left=duration(left)))

    with _watched() as console:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(40 if console.width >= _WIDE else 10),
            TextColumn("{task.fields[told]}", markup=False),
            Clock(),
        )
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task(title, total=None, told="", left=None)
            pace = _Pace()

            def report(step: Progress) -> None:
                done = f"{step.done}/{step.total}" if step.total else f"{step.done}"
                told = " ".join(filter(None, [done, tr(step.unit), translated(step.best)]))
                # a search knows better how far it is than by what it has finished
                part: float | None = getattr(step, "fraction", None)
                if part is None:
                    bar.update(task, completed=step.done, total=step.total, told=told, left=None)
                else:
                    left = pace.left(part)
                    bar.update(task, completed=part, total=1, told=told, left=left)

            yield report


class _Pace:
    """What is left of searches that follow each other, each from nothing to all."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._part = 0.0

    def left(self, part: float) -> float | None:
        """Seconds, by how long this part of the search has taken; None at the beginning."""
        now = time.monotonic()
        if part < self._part:
            self._begun = now
        self._part = part
        return (now - self._begun) * (1 - part) / part if part > 0.001 else None


@contextmanager
def status_line() -> Iterator[Callable[[str], None] | None]:
    """A line that is said anew again and again; None where no terminal watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with (
        _watched() as console,
        Live(console=console, transient=True, refresh_per_second=5) as live,
    ):
        yield lambda words: live.update(Text(words))


@contextmanager
def _watched() -> Iterator[Console]:
    from rich.console import Console

    console = Console(stderr=True)
    _watching.append(console)
    try:
        yield console
    finally:
        _watching.remove(console)
