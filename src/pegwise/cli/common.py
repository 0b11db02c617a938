"""What every command shares: parameters, progress, JSON, files that appear whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from pegwise.cli.progress import announce_compilation, progress_bar
from pegwise.errors import InputError, OutputError, PegwiseError, quoted, system_reason
from pegwise.files import new_beside, replacing
from pegwise.game import NAMED, Rules
from pegwise.game.rules import FLAGS
from pegwise.language import tr

if TYPE_CHECKING:
    from pegwise.cluster import Cluster
    from pegwise.strategies import Strategy

__all__ = [
    "RulesType",
    "WholeNumber",
    "announce_compilation",
    "check_writable",
    "cluster_option",
    "jobs_option",
    "json_option",
    "parse_strategy",
    "print_json",
    "progress_bar",
    "rules_argument",
    "seed_option",
    "threads_option",
    "workplace",
    "write_file",
]


_BOARDS: Final = ("4x6", "4x7", "4x8", "5x6", "5x8", "6x9", "4x10,distinct")
"""Boards that are proposed; any other can be typed."""


class RulesType(click.ParamType):  # type: ignore[type-arg]
    """Rules as a parameter."""

    name = "rules"

    def convert(self, value: Any, param: Any, ctx: Any) -> Rules:  # noqa: ARG002
        return value if isinstance(value, Rules) else Rules.parse(value)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        board, comma, flag = incomplete.rpartition(",")
        if comma:
            left = [known for known in FLAGS if known not in board.split(",")]
            found = [f"{board},{known}" for known in left if known.startswith(flag)]
        else:
            found = [known for known in (*NAMED, *_BOARDS) if known.startswith(incomplete)]
        return [CompletionItem(rules) for rules in found]


class WholeNumber(click.ParamType):  # type: ignore[type-arg]
    """A whole number in a range as a parameter."""

    name = "n"

    def __init__(self, least: int, most: int) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= self.most:
            where = f"{'/'.join(param.opts)} " if param else ""
            raise InputError(
                "{where}{value}: give a whole number from {least} to {most}",
                where=where,
                value=quoted(str(value)),
                least=self.least,
                most=self.most,
            )
        return number


rules_argument = click.argument("rules", type=RulesType(), default="4x6", metavar="[RULES]")
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
seed_option = click.option(
    "--seed",
    type=WholeNumber(0, 10**18),
    default=0,
    show_default=True,
    help="For what is drawn.",
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Work on the machines of a Dask scheduler, such as tcp://10.0.0.1:8786.",
)


jobs_option = click.option(
    "--jobs",
    type=WholeNumber(1, 1024),
    help="How much runs at once, which changes no result; by default all cores on large boards.",
)
threads_option = click.option(
    "--threads",
    "--jobs",
    "threads",
    type=WholeNumber(1, 1024),
    help="All processors if not given.",
)


def workplace(cluster: str) -> Cluster:
    """The cluster at an address; who waits there for workers is told so.

    Raises:
        PegwiseError: as `pegwise.cluster.Cluster`.
    """
    from pegwise.cluster import Cluster

    found = Cluster(cluster)
    if found.empty:
        said = tr("No worker has joined {address} yet; work begins when one does.", address=cluster)
        click.echo(said, err=True)
    return found


def parse_strategy(text: str, seed: int) -> Strategy:
    """The strategy as typed; the seed is for one that draws and was given none of its own.

    Raises:
        InputError: as `pegwise.strategies.parse`.
    """
    from pegwise.strategies import options_of, parse

    strategy = parse(text)
    if seed and "random" in strategy.card.traits and "seed" not in options_of(strategy):
        strategy = parse(f"{text}{',' if ':' in text else ':'}seed={seed}")
    return strategy


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False))


def check_writable(path: Path) -> None:
    """Refuse now, before long work, a path that cannot be written.

    Raises:
        OutputError: quotes the path and says why.
    """
    _check_place(path)
    try:
        new_beside(path).unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def write_file(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a file beside `path`, then put it in its place: whole or not at all.

    Raises:
        OutputError: quotes the path and says why.
    """
    _check_place(path)
    try:
        with replacing(path) as beside:
            write(beside)
            beside.chmod(0o644)
    except PegwiseError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from error


def _check_place(path: Path) -> None:
    """Refuse a path where no file can be.

    Raises:
        OutputError: `path` is a folder or the like, or its folder is missing.
    """
    parent = path.parent
    try:
        if path.is_dir():
            raise OutputError("cannot write {path}: it is a folder", path=repr(str(path)))
        if path.exists() and not path.is_file():
            raise OutputError("cannot write {path}: it is not a regular file", path=repr(str(path)))
        if not parent.is_dir():
            raise OutputError(
                "cannot write {path}: there is no folder {parent}",
                path=repr(str(path)),
                parent=repr(str(parent)),
            )
    except PegwiseError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(
        "cannot write {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
    )
