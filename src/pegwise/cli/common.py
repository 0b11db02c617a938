"""What every command shares: parameters, progress bars, JSON, files that appear whole."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from pegwise.errors import OutputError, PegwiseError
from pegwise.game import Rules
from pegwise.progress import Progress, Report

__all__ = [
    "RulesType",
    "announce_compilation",
    "check_writable",
    "json_option",
    "print_json",
    "progress_bar",
    "rules_argument",
    "seed_option",
    "write_file",
]


class RulesType(click.ParamType):
    """Rules as a parameter."""

    name = "rules"

    def convert(self, value: Any, param: Any, ctx: Any) -> Rules:  # noqa: ARG002
        return value if isinstance(value, Rules) else Rules.parse(value)


rules_argument = click.argument("rules", type=RulesType(), default="4x6", metavar="[RULES]")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For what is drawn."
)


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False))


def announce_compilation() -> None:
    """Say so on standard error if kernels are compiled during this run."""
    from pegwise.kernels.jit import on_first_compile

    on_first_compile(
        lambda: click.echo("Compiling kernels: once on this machine, less than a minute.", err=True)
    )


@contextmanager
def progress_bar(title: str) -> Iterator[Report]:
    """A progress bar on standard error while a terminal watches; else nothing."""
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]} {task.fields[best]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, unit="", best="")

        def report(step: Progress) -> None:
            bar.update(task, completed=step.done, total=step.total, unit=step.unit, best=step.best)

        yield report


def check_writable(path: Path) -> None:
    """Refuse now, before long work, a path that cannot be written.

    Raises:
        OutputError: quotes the path and says why.
    """
    parent = path.parent
    if path.is_dir():
        raise OutputError(f"cannot write {str(path)!r}: it is a folder")
    if not parent.is_dir():
        raise OutputError(f"cannot write {str(path)!r}: there is no folder {str(parent)!r}")
    if not os.access(parent, os.W_OK):
        raise OutputError(f"cannot write {str(path)!r}: the folder {str(parent)!r} is read-only")


def write_file(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a file beside `path`, then put it in its place: whole or not at all.

    Raises:
        OutputError: quotes the path and says why.
    """
    check_writable(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=path.suffix)
    os.close(handle)
    beside = Path(name)
    try:
        write(beside)
        beside.chmod(0o644)
        beside.replace(path)
    except PegwiseError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(f"cannot write {str(path)!r}: {reason}") from error
    finally:
        beside.unlink(missing_ok=True)
