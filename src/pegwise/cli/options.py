"""What every command shares: parameters, progress, JSON, files that appear whole."""

from __future__ import annotations

import _thread
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from pegwise.errors import (
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    TooLargeError,
    quoted,
    system_reason,
)
from pegwise.game import NAMED, Rules
from pegwise.game.rules import FLAGS
from pegwise.i18n import figure, tr
from pegwise.paths import new_beside, replacing

if TYPE_CHECKING:
    from pegwise.compute import Cluster
    from pegwise.strategies import Strategy
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
        PegwiseError: as `pegwise.compute.Cluster`.
    """
    from pegwise.compute import Cluster

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
    from pegwise.strategies import parse

    return parse(text, seed)


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


# `--memory SIZE`: refused before anything begins where it is not enough, and kept to meanwhile.

_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt])(?:i?b)?", re.IGNORECASE)
_POWERS: Final = {"k": 10, "m": 20, "g": 30, "t": 40}
_LOOK: Final = 0.1
"""Seconds between two looks at the memory taken."""


class _Size(click.ParamType):  # type: ignore[type-arg]
    """A size of memory as a parameter, in bytes."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:  # noqa: ARG002
        found = _SIZE.fullmatch(str(value).strip())
        size = int(float(found[1]) * 2 ** _POWERS[found[2].lower()]) if found else 0
        if size < 1:
            raise InputError(
                "--memory {value}: write a size such as 512MiB or 2GiB", value=quoted(str(value))
            )
        return size


memory_option = click.option(
    "--memory",
    type=_Size(),
    metavar="SIZE",
    help="Take no more memory than 512MiB or 2GiB, say: refused at once if that is not enough.",
)


def check_fits(limit: int | None, needed: int, board: object, *, by_jobs: bool = False) -> None:
    """Refuse work that takes more memory than allowed.

    Args:
        limit: bytes allowed, None for any number.
        needed: bytes that the work is estimated to take.
        board: of which board.
        by_jobs: whether fewer jobs take less.

    Raises:
        TooLargeError: it takes more; tells the estimate.
    """
    if limit is not None and needed > limit:
        less = Phrase("fewer --jobs or a smaller board" if by_jobs else "a smaller board")
        raise TooLargeError(
            "{board} takes some {needed} of memory, and --memory allows {limit}: allow more, or "
            "give {less}",
            board=board,
            needed=_shown(needed),
            limit=_shown(limit),
            less=less,
        )


@contextmanager
def kept_within(limit: int | None) -> Iterator[None]:
    """Stop the work, as Ctrl-C does, as soon as it takes more memory than allowed; say so.

    Counted is what this process and its workers hold, where the system tells.

    Args:
        limit: bytes allowed, None for any number.
    """
    from pegwise.compute.memory import taken_memory

    if limit is None or taken_memory() is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK):
            taken = taken_memory() or 0
            if taken > limit:
                said = tr(
                    "stopped: {taken} of memory are taken, and --memory allows {limit}",
                    taken=_shown(taken),
                    limit=_shown(limit),
                )
                click.echo(said, err=True)
                _thread.interrupt_main()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _shown(size: int) -> str:
    """A size in the largest unit that it fills; 1 MiB at least."""
    if size >= 2**30:
        return tr("{size} GiB", size=figure(size / 2**30, ".1f"))
    return tr("{size} MiB", size=max(1, round(size / 2**20)))
