"""Progress, on standard error and only at a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

import click

from pegwise.cli.signals import Interruption, check, interruptible
from pegwise.cli.terminal import READABLE, tell
from pegwise.compute.machine import allowed_memory, taken_memory
from pegwise.hooks import hooks
from pegwise.i18n import duration, size_of, tr, translated
from pegwise.progress import Progress, Report, silent

_live: list[Callable[[str], None]] = []
"""Writes words into the line that moves, if there is one."""

_LONG: Final = 3.0  # seconds of marking that are told
_SOON: Final = 1.0  # seconds of marking in which its speed is not judged

_LOOK: Final = 0.2  # seconds between two looks at the memory that is taken

_PERIOD: Final = 3600  # seconds of work that tell how long the rest takes


def show_aside() -> None:
    """Show in this run when kernels are compiled, or games of files marked."""
    compiling = _Compiling()
    _compiling[:] = [compiling]

    def aside(kind: str, name: str) -> AbstractContextManager[Report]:
        if kind == "compiling":
            return compiling.shown(name)
        return marking_bar(name) if kind == "marking" else _waiting()

    hooks.aside = aside


@contextmanager
def _waiting() -> Iterator[Report]:
    """Stop waiting for a program when a signal asks to stop."""
    with interruptible():
        yield lambda _step: check()


class _Compiling:
    """The kernels that are compiled during a run: it is said once, and the seconds are counted."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._said = False

    @contextmanager
    def shown(self, kernel: str) -> Iterator[Report]:
        """Show how many functions of a kernel remain."""
        if not self._said:
            self._said = True
            tell("Compiling kernels, once on this machine; 'pegwise compile' compiles all of them.")
        begun = time.monotonic()

        def report(step: Progress) -> None:
            check()
            values = {"kernel": kernel, "done": step.done + 1, "total": step.total}
            self._write(tr("compiling {kernel}: {done} of {total}", **values))

        try:
            with interruptible():
                yield report
        finally:
            self._write("")
            self.seconds += time.monotonic() - begun

    def _write(self, words: str) -> None:
        if not sys.stderr.isatty():
            return
        if _live:
            _live[-1](words)
        else:
            click.echo(f"\r\x1b[K{words}", nl=False, err=True)  # to column 1; erase the line


_compiling: list[_Compiling] = []
"""That of this run."""


@dataclass
class Timing:
    """Seconds that work took, and those of compiling, which happens once on a machine."""

    seconds: float = 0.0
    compiling: float = 0.0

    def __str__(self) -> str:
        words = tr("{seconds:.2f} s", seconds=self.seconds)
        if self.compiling < 0.5:
            return words
        return words + tr(", and {seconds:.0f} s to compile", seconds=self.compiling)


@contextmanager
def timing() -> Iterator[Timing]:
    """How long the block takes, known at its end."""
    taken = Timing()
    begun, compiled = time.monotonic(), _seconds_compiling()
    try:
        yield taken
    finally:
        taken.compiling = _seconds_compiling() - compiled
        taken.seconds = max(0.0, time.monotonic() - begun - taken.compiling)


def _seconds_compiling() -> float:
    """Seconds of this run that were spent on compiling."""
    return sum(each.seconds for each in _compiling)


def _whole_seconds(seconds: float) -> str:
    """A duration without parts of a second, which a bar has no room for."""
    return duration(seconds) if seconds >= 10 else f"{seconds:.0f} s"


@contextmanager
def progress_bar(
    title: str, shown: Callable[[Any], Progress] | None = None
) -> Iterator[Callable[[Any], None]]:
    """A bar with what is done, the best so far, the time elapsed and an estimate of the rest.

    It takes one line: words that have no room are cut, and a narrow terminal has no bar. Steps of
    which only `shown` makes progress are shown at most ten times a second. Its report raises
    KeyboardInterrupt when a signal asks to stop, or when more memory is taken than is allowed.
    """
    with interruptible():
        if sys.stderr is None or not sys.stderr.isatty():
            yield _stopping(silent)
            return
        with _drawn(title, shown) as report:
            yield _stopping(report)


def _stopping(show: Callable[[Any], None]) -> Callable[[Any], None]:
    """A report that shows a step, and stops the work when it is to end."""
    looked = time.monotonic()

    def report(step: Any) -> None:
        nonlocal looked
        show(step)
        check()
        if (limit := allowed_memory()) is not None and time.monotonic() > looked + _LOOK:
            if (taken := taken_memory()) > limit:
                tell(
                    "stopped: {taken} of memory are taken, and --memory allows {limit}",
                    taken=size_of(taken),
                    limit=size_of(limit),
                )
                raise Interruption
            looked = time.monotonic()

    return report


@contextmanager
def _drawn(title: str, shown: Callable[[Any], Progress] | None) -> Iterator[Callable[[Any], None]]:
    """The bar at a terminal, and the function that shows a step in it."""
    from rich import progress
    from rich.console import Console
    from rich.table import Column
    from rich.text import Text

    begun, last = time.monotonic(), 0.0

    class State(progress.ProgressColumn):
        def render(self, task: progress.Task) -> Text:
            return Text(task.fields["state"], no_wrap=True, overflow="ellipsis")

    class Clock(progress.ProgressColumn):
        def render(self, task: progress.Task) -> Text:
            elapsed = _whole_seconds(time.monotonic() - begun)
            if task.percentage < 0.1 or (remaining := task.time_remaining) is None:
                return Text(tr("{elapsed} elapsed", elapsed=elapsed))
            rest = _whole_seconds(remaining)
            return Text(tr("{elapsed} elapsed, about {rest} left", elapsed=elapsed, rest=rest))

    console = Console(stderr=True)
    bars = (
        [progress.BarColumn(40 if console.width >= READABLE else 10)] if console.width >= 80 else []
    )
    whole = Column(no_wrap=True)
    columns = (
        progress.TextColumn("{task.description}", markup=False),
        *bars,
        State(),
        Clock(whole),
    )
    with progress.Progress(
        *columns, console=console, transient=True, speed_estimate_period=_PERIOD
    ) as bar:
        task = bar.add_task(title, total=None, state="")

        def report(step: Any) -> None:
            nonlocal last
            if shown is not None:
                if time.monotonic() < last + 0.1:
                    return
                last, step = time.monotonic(), shown(step)
            done = f"{step.done}/{step.total}" if step.total else f"{step.done}"
            state = " ".join(filter(None, [done, tr(step.unit), translated(step.best)]))
            # a search knows better how far it is than by what it has finished
            part: float | None = getattr(step, "fraction", None)
            completed, total = (step.done, step.total) if part is None else (part, 1)
            if completed < bar.tasks[0].completed:  # that of another search, which begins
                bar.reset(task)
            bar.update(task, completed=completed, total=total, state=state)

        def write(words: str) -> None:
            bar.update(task, state=words)

        _live.append(write)
        try:
            yield report
        finally:
            _live.remove(write)


@contextmanager
def marking_bar(file: str) -> Iterator[Report]:
    """A bar for the marks of a game in a file, from the first report on.

    Where there is no terminal a line tells how long it takes, if that is long.
    """
    first: tuple[float, int] | None = None  # when the first report came, and what it said
    told = False
    shown: Report | None = None
    with interruptible(), ExitStack() as stack:

        def report(step: Progress) -> None:
            nonlocal first, shown, told
            check()
            if sys.stderr is not None and sys.stderr.isatty():
                shown = shown or stack.enter_context(progress_bar(tr("marking {file}", file=file)))
                shown(step)
            elif first is None:
                first = time.monotonic(), step.done
            elif step.total and not told and step.done > first[1]:
                seconds = time.monotonic() - first[0]
                rest = seconds * (step.total - step.done) / (step.done - first[1])
                told = seconds > _SOON and rest > _LONG
                if told:
                    tell("Marking {file} takes about {time} more.", file=file, time=duration(rest))

        yield report
