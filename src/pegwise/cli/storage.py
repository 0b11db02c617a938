"""`pegwise storage`: what is kept for a user, with sizes, and cleared by kind."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.terminal import say, to_stderr
from pegwise.errors import OutputError
from pegwise.i18n import figure, size_of, tr, trn
from pegwise.kept import KINDS
from pegwise.kernels.cache import machine_code
from pegwise.paths import OUTPUTS, home, locked, outputs_of
from pegwise.telling.blocks import Head, Table, heads

_DAY: Final = 86_400
_LIMITS: Final = {name: kind.most for name, kind in KINDS.items()}


@dataclass(frozen=True)
class Entry:
    """One thing that is kept: a file, or a folder; size in bytes, time in seconds of the epoch."""

    path: Path
    size: int
    changed: float


def entries(kind: str) -> list[Entry]:
    """The stored files of a kind, oldest first."""
    kept = [entry for path in _paths(kind) if (entry := _entry(path)) is not None]
    return sorted(kept, key=lambda entry: entry.changed)


def _paths(kind: str) -> Iterator[Path]:
    if kind == "site":
        yield from home().glob("web.sqlite*")
    elif kind == "kernels":
        yield from machine_code().parent.glob("kernels-*")
    for folder in KINDS[kind].folders:
        yield from (path for path in (home() / folder).glob("*") if path.suffix != OUTPUTS)


def _entry(path: Path) -> Entry | None:
    """A file or a folder with all that is in it; None if it has gone meanwhile."""
    try:
        files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
        states = [each.stat() for each in files]
        changed = max((state.st_mtime for state in states), default=path.stat().st_mtime)
    except OSError:
        return None
    return Entry(path, sum(state.st_size for state in states), changed)


def clear(entry: Entry) -> bool:
    """Remove a thing; False if another process works on it, or it cannot be removed."""
    try:
        with locked(entry.path):
            if entry.path.is_dir():
                shutil.rmtree(entry.path)
            else:
                entry.path.unlink(missing_ok=True)
                outputs_of(entry.path).unlink(missing_ok=True)
    except OSError:  # one that is held is an OutputError
        return False
    return True


def trim(limits: Mapping[str, int | None] = _LIMITS) -> None:
    """Remove the oldest of each kind that exceed a number of bytes, but never the newest."""
    for kind, most in limits.items():
        if most is None:
            continue
        kept = entries(kind)
        over, removed = sum(entry.size for entry in kept) - most, 0
        for entry in kept[:-1]:
            if over <= 0:
                break
            if clear(entry):
                over, removed = over - entry.size, removed + 1
        if removed:
            line = trn(
                "{kind}: {n} is removed, the oldest; {size} are kept.",
                "{kind}: {n} are removed, the oldest; {size} are kept.",
                removed,
                kind=kind,
                size=size_of(most),
            )
            to_stderr(line)


@click.command(epilog="Example: pegwise storage --clear checkpoints --older 30")
@click.option(
    "--clear",
    "cleared",
    type=click.Choice(list(KINDS)),
    multiple=True,
    help="Remove what is stored of this kind; may be repeated.",
)
@click.option(
    "--older",
    type=options.WholeNumber(1, 100_000),
    metavar="DAYS",
    help="Only what has not changed for N days.",
)
@options.force_option
@options.json_option
def storage(cleared: tuple[str, ...], older: int | None, as_json: bool) -> None:
    """List stored games, results and searches with their sizes, and clear them by kind.

    All of it except compiled kernels is in one folder among your data (PEGWISE_HOME). After a
    command of more than ten seconds the oldest of each kind are removed beyond its limit. What
    another process is using stays. Stop the server before you clear its games and results.
    """
    before = 0.0 if older is None else older * _DAY
    rows: list[dict[str, Any]] = []
    for kind, most in _LIMITS.items():
        kept = [each for each in entries(kind) if time.time() - each.changed >= before]
        size = sum(each.size for each in kept)
        rows.append({"kind": kind, "entries": len(kept), "bytes": size, "limit": most})
        if kind in cleared and kept:
            _ask(kind, rows[-1])
            rows[-1]["cleared"] = sum(map(clear, kept))
    if as_json:
        options.print_json({"folder": str(home()), "kinds": rows})
        return
    if cleared:
        for row in rows:
            if row["kind"] in cleared:
                _say_cleared(row)
        return
    cells = [
        (
            *(row["kind"], figure(row["entries"], ","), size_of(row["bytes"])),
            "-" if row["limit"] is None else size_of(row["limit"]),
            tr(KINDS[row["kind"]].about),
        )
        for row in rows
    ]
    cells.append((tr("in all"), "", size_of(sum(row["bytes"] for row in rows)), "", ""))
    titles = heads(tr("kind"), tr("number"), tr("size"), tr("limit"))
    show([Table((*titles, Head("", "prose")), tuple(cells))], Screen())
    say("The folder: {folder}", folder=repr(str(home())))


def _ask(kind: str, row: dict[str, Any]) -> None:
    """Ask at the terminal before something is removed; OutputError if it is not to be."""
    name = f"{kind}: {figure(row['entries'], ',')}, {size_of(row['bytes'])}"
    options.confirm(
        tr("{what}. Remove it? (yes or no)", what=name),
        OutputError("{what}: give --force to remove it", what=name),
        OutputError("nothing of {kind} is removed", kind=kind),
    )


def _say_cleared(row: dict[str, Any]) -> None:
    done = row.get("cleared", 0)
    line = trn("{kind}: {n} is removed.", "{kind}: {n} are removed.", done, kind=row["kind"])
    if stays := row["entries"] - done:
        line += " " + trn("{n} is in use.", "{n} are in use.", stays)
    click.echo(line)
