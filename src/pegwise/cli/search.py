"""A long search at the command line: watched, stopped by the user, and never in vain."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar, cast

import click

from pegwise.cli.options import kept_within
from pegwise.cli.terminal import interruptible, patient
from pegwise.compute import WorkersLost
from pegwise.errors import OutputError
from pegwise.i18n import tr

_INTERRUPTED: Final = 130

Step = TypeVar("Step")

checkpoint_option = click.option(
    "--checkpoint",
    "checkpoint_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the search is kept while it runs; a file among your data if not given.",
)
fresh_option = click.option(
    "--fresh", is_flag=True, help="Do not go on from a checkpoint, and keep none."
)


class _Search(Protocol):
    """What may be left at any step."""

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""


@dataclass(slots=True)
class Ended:
    """How a search was left, and what could not be kept of it.

    Attributes:
        interrupted: the user has stopped it.
        failure: why it could not go on, or what it has found could not be kept: a file that
            could not be written, or a cluster that is gone.
    """

    interrupted: bool = False
    failure: OutputError | WorkersLost | None = None

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what stops the work within, so that what is found can be shown all the same."""
        try:
            with interruptible():
                yield
        except KeyboardInterrupt:
            self.interrupted = True
        except (OutputError, WorkersLost) as error:
            self.failure = error

    def say(self, name: object, *, kept: bool) -> None:
        """Tell a user who has stopped the search how it goes on.

        Args:
            name: of the game.
            kept: whether the search has a checkpoint.
        """
        if self.interrupted:
            again = tr("Interrupted; the same command goes on with {name}.", name=name)
            click.echo(again if kept and not self.failure else tr("Interrupted."), err=True)

    def leave(self) -> None:
        """End the command, when what was found has been shown, if something has stopped it.

        Raises:
            OutputError: a file could not be written.
            WorkersLost: the cluster is gone.
            SystemExit: the user has stopped the search.
        """
        if self.failure is not None:
            raise self.failure
        if self.interrupted:
            sys.exit(_INTERRUPTED)


def go_through(
    search: _Search,
    steps: Iterator[Step],
    watched: AbstractContextManager[Callable[[Step], None]],
    *,
    memory: int | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Ended:
    """Search until the end, or until the user, the disk or the memory stops it.

    Args:
        search: what is searched.
        steps: of it; closed in any case, which keeps its checkpoint.
        watched: shows a step.
        memory: bytes allowed, None for any number.
        enough: asked after every step whether to leave.
    """
    ended = Ended()
    try:
        with ended.noting(), kept_within(memory), watched as show, patient() as look:
            for step in steps:
                show(step)
                look()
                if enough():
                    break
    finally:
        with ended.noting():
            cast("Generator[Step]", steps).close()
    if search.finished:
        ended.interrupted = False
    return ended
