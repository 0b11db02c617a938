"""How long work shows how far it is: on standard error, and only while a terminal watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import click

from pegwise.language import tr, translated
from pegwise.progress import Progress, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Timing", "announce_compilation", "duration", "progress_bar", "status_line", "timing"]

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
