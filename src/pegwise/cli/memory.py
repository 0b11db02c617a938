"""`--memory SIZE`: refused before anything begins where it is not enough, and kept to meanwhile."""

from __future__ import annotations

import _thread
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from pegwise.errors import InputError, Phrase, TooLargeError, quoted
from pegwise.language import figure, tr

__all__ = ["check_fits", "kept_within", "memory_option"]

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
    from pegwise.search.memory import taken_memory

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
