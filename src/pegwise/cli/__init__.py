"""The command line: reads arguments, draws progress, prints answers. Nothing is decided here.

This file holds the terminal: its streams and colors, help and prose, and progress.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from pegwise.cli.memory import check_space
from pegwise.errors import InputError, PegwiseError
from pegwise.i18n import tr, translated
from pegwise.kernels import on_compile
from pegwise.progress import Progress, silent

if TYPE_CHECKING:
    from rich.console import Console

NO: Final = 1  # exit status: the answer is no
READABLE: Final = 100  # columns; longer lines are hard to read


# streams and colors


def uncolored(arguments: Sequence[str]) -> list[str]:
    """The arguments without `--no-color`, which does what `NO_COLOR` does."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if "--no-color" in arguments[:end]:
        os.environ["NO_COLOR"] = "1"
    return [word for k, word in enumerate(arguments) if k >= end or word != "--no-color"]


def colored() -> bool | None:
    """Whether to color: False with `NO_COLOR` or `TERM=dumb`, None where the output decides."""
    quiet = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if quiet else None


def tolerate(*streams: object) -> None:
    """Replace characters that a stream cannot encode or decode; they are no reason to stop."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def encodable(text: str) -> bool:
    """Whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True


def end_without_codes() -> None:
    """Keep colorama, which Numba imports, from resetting colors at the end of every run."""
    with suppress(ImportError):
        vars(importlib.import_module("colorama.initialise"))["atexit_done"] = True


def align(rows: Sequence[Sequence[str]], words: Sequence[int]) -> list[list[str]]:
    """Cells padded to the width of their columns: at the left for words, else at the right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    padded = []
    for row in rows:
        spaces = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, spaces, strict=True))
        padded.append([cell + room if k in words else room + cell for k, (cell, room) in pairs])
    return padded


def columns(text: str) -> int:
    """How many columns a text takes; a disc takes two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) == "W" for sign in text)


@contextmanager
def page() -> Iterator[Console]:
    """A console for tables; where there are no colors, plain text follows at the end."""
    from rich.console import Console

    if sys.stdout.isatty() and colored() is None:
        yield Console(highlight=False, markup=False, emoji=False)
        return
    tolerate(sys.stdout)
    text = StringIO()
    width = shutil.get_terminal_size().columns
    yield Console(file=text, width=width, highlight=False, markup=False, emoji=False)
    click.echo("\n".join(line.rstrip() for line in text.getvalue().splitlines()))


def standard_input() -> TextIO:
    """Standard input, or InputError where it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin


def read_line(prompt: str, *, err: bool) -> str:
    """A line of standard input with its end; '' at the end of the input.

    A terminal offers a history and keys for editing. Other input is shown as it is read.
    """
    if not standard_input().isatty():
        click.echo(prompt, nl=False, err=err)
        text = standard_input().readline()
        click.echo(text.rstrip(), err=err)
        return text
    with suppress(ImportError):
        import readline  # noqa: F401  (input() uses it from now on)
    if err:
        click.echo(prompt, nl=False, err=True)
    try:
        return input("" if err else prompt) + "\n"
    except EOFError:
        click.echo(err=err)
        return ""


# help and prose


def completing(names: Callable[[str], Iterable[str]]) -> Callable[..., list[str]]:
    """What completes a parameter: the names, of those for what is typed, that begin with it."""
    return lambda _ctx, _param, typed: [name for name in names(typed) if name.startswith(typed)]


def help_width() -> int:
    """Columns for help in this terminal."""
    return max(20, min(shutil.get_terminal_size().columns, READABLE) - 2)


def paragraph(text: str, indent: str = "", following: str | None = None) -> str:
    """A paragraph in lines that fit the terminal, those after the first set in by `following`."""
    columns = shutil.get_terminal_size((READABLE, 24)).columns
    width = max(20, min(columns, READABLE))
    return click.wrap_text(text, width, indent, indent if following is None else following)


def sentence(text: PegwiseError | str) -> str:
    """A translated text as a sentence of its own, with a capital and a full stop."""
    words = translated(text)
    return f"{words[:1].upper()}{words[1:]}."


def say(text: str, /, *, indent: str = "", bold: bool | None = None, **values: object) -> None:
    """Write a translated text with its values on standard output."""
    click.secho(indent + tr(text, **values), bold=bold)


def tell(text: str, /, **values: object) -> None:
    """Write a translated text with its values on standard error."""
    click.echo(tr(text, **values), err=True)


class _Formatter(click.HelpFormatter):
    """Leaves room beside long options in a narrow terminal."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, max(self.width // 3, 12)), col_spacing)


class HelpContext(click.Context):
    """The context of a command with such help."""

    formatter_class = _Formatter


# progress, on standard error and only at a terminal

_live: list[Callable[[str], None]] = []
"""What writes words into the line that moves, if there is one."""

_PERIOD: Final = 3600  # seconds of work that tell how long the rest takes


def announce_compilation() -> None:
    """Say so on standard error if kernels are compiled during this run, and how many remain."""
    on_compile[:] = [check_space, _announce_once, _show_compiling]


def _announce_once(_kernel: str, _done: int, _total: int) -> None:
    on_compile.remove(_announce_once)
    tell("Compiling kernels, once on this machine; 'pegwise compile' compiles all of them.")


def _show_compiling(kernel: str, done: int, total: int) -> None:
    if not sys.stderr.isatty():
        return
    words = tr("compiling {kernel}: {done} of {total}", kernel=kernel, done=done + 1, total=total)
    if _live:
        _live[-1](words if kernel else "")
    else:
        # to the first column, and erase the line
        click.echo(f"\r\x1b[K{words if kernel else ''}", nl=False, err=True)


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
    """Seconds spent on compiling; 0 where Numba is not even imported."""
    jit = sys.modules.get("pegwise.kernels.jit")
    return 0.0 if jit is None else float(jit.seconds_compiling())


def duration(seconds: float) -> str:
    """A time as `1:05` or `2:00:00`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bar(
    title: str, shown: Callable[[Any], Progress] | None = None
) -> Iterator[Callable[[Any], None]]:
    """A bar with what is done, the best so far, the time elapsed and an estimate of the rest.

    It takes one line: words that have no room are cut, and a narrow terminal has no bar. Steps of
    which only `shown` makes progress are shown at most ten times a second.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Bar
    from rich.table import Column
    from rich.text import Text

    begun, last = time.monotonic(), 0.0

    class State(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(task.fields["state"], no_wrap=True, overflow="ellipsis")

    class Clock(ProgressColumn):
        def render(self, task: Task) -> Text:
            elapsed = duration(time.monotonic() - begun)
            if task.percentage < 0.1 or (remaining := task.time_remaining) is None:
                return Text(tr("{elapsed} elapsed", elapsed=elapsed))
            rest = duration(remaining)
            return Text(tr("{elapsed} elapsed, about {rest} left", elapsed=elapsed, rest=rest))

    console = Console(stderr=True)
    bars = [BarColumn(40 if console.width >= READABLE else 10)] if console.width >= 80 else []
    whole = Column(no_wrap=True)
    columns = (TextColumn("{task.description}", markup=False), *bars, State(), Clock(whole))
    with Bar(*columns, console=console, transient=True, speed_estimate_period=_PERIOD) as bar:
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
