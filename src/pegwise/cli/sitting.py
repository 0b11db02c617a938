"""A game in progress at the terminal: kept after every turn, however it is left."""

from __future__ import annotations

import contextlib
import math
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.interrupts import handled, interruptible
from pegwise.cli.main import INTERRUPTED
from pegwise.cli.saved import SavedGame, resume_command, review_command
from pegwise.errors import OutputError, PegwiseError, TooLargeError
from pegwise.game import Record, Turn
from pegwise.language import tr, translated

__all__ = ["Left", "Sitting"]

_STOPS: Final = ("SIGTERM", "SIGHUP")

_PATIENCE: Final = 10.0
"""Seconds that counting may take before the game goes on without."""


class Left(BaseException):
    """The player leaves the game."""


class _Stopped(BaseException):
    """The system asks the program to end, by this signal."""

    def __init__(self, number: int) -> None:
        self.number = number


class Sitting(ABC):
    """A game in progress.

    Attributes:
        rules: the board.
        turns: the turns so far.
        result: `open` until the game is over (see `Record`).
        screen: where it is shown.
        saved: where it is kept; None for nowhere.
    """

    def __init__(self, record: Record, screen: Screen, saved: SavedGame | None) -> None:
        self.rules = record.rules
        self.turns = record.turns
        self.result = record.result
        self.screen = screen
        self.saved = saved
        self._unsaved = ""
        self._counted: dict[tuple[Turn, ...], int | None] = {}

    @abstractmethod
    def record(self) -> Record:
        """The game as it stands."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The game as it stands, as JSON."""

    @abstractmethod
    def show_start(self) -> None:
        """Say what is played."""

    @abstractmethod
    def step(self) -> None:
        """Go on by one turn, or by one answer.

        Raises:
            Left: the player leaves.
        """

    @abstractmethod
    def show_end(self) -> None:
        """Say how the game ended."""

    def run(self) -> int:
        """Play until the game is over, or is left.

        Returns:
            The exit status.
        """
        with _stops_raised():
            try:
                self.show_start()
                self.keep()
                with interruptible():
                    while self.result == "open":
                        self.step()
                        self.keep()
                    self.show_end()
            except Left:
                self._say_goodbye()
            except KeyboardInterrupt:
                self._say_goodbye("\n")
                return INTERRUPTED
            except _Stopped as stopped:
                self._say_goodbye("\n")
                return 128 + stopped.number
            except (BrokenPipeError, PegwiseError):
                self._say_goodbye()
                raise
        return 0

    def keep(self) -> None:
        """Save the game as it stands; that this fails is no reason to stop playing."""
        if self.saved is None:
            return
        try:
            self.saved.keep(self.record())
            self._unsaved = ""
        except OutputError as error:
            if not self._unsaved:
                self.screen.warn(tr("The game is not saved: {error}.", error=error))
            self._unsaved = translated(error)

    def count(self, turns: tuple[Turn, ...]) -> int | None:
        """How many codes are possible after these turns; None where they cannot be counted."""
        from pegwise.knowledge import count

        # more turns tell more cases apart: what was too much stays so
        if turns and self._counted.get(turns[:-1], 0) is None:
            return None
        if turns not in self._counted:
            try:
                with self.screen.working(tr("counting"), self.rules, _PATIENCE) as report:
                    self._counted[turns] = count(self.rules, turns, report=report)
            except (TooLargeError, TimeoutError):
                self._counted[turns] = None
        return self._counted[turns]

    def told(self, turns: tuple[Turn, ...]) -> str:
        """What the last of these turns told: `276 of 1,296 codes left, 2.23 bits`."""
        before, after = self.count(turns[:-1]), self.count(turns)
        if before is None or after is None:
            return tr("too many codes to count")
        if not after:
            return tr("no code left")
        return tr(
            "{after:,} of {before:,} codes left, {bits:.2f} bits",
            after=after,
            before=before,
            bits=math.log2(before / after),
        )

    def listed_turns(self) -> list[dict[str, Any]]:
        """The turns as JSON, with the number of candidates left after each."""
        return [
            {
                "guess": str(turn.guess),
                "mark": str(turn.mark),
                "candidates": self.count(self.turns[:number]),
            }
            for number, turn in enumerate(self.turns, 1)
        ]

    def show_saved(self) -> None:
        """Say where the game is, now that it is over."""
        self.keep()
        if self.saved is not None and self.saved.path is not None and not self._unsaved:
            self.screen.say(_to_review(self.saved.path))

    def _say_goodbye(self, before: str = "") -> None:
        """Say on standard error how to go on; whoever reads that may be gone, too."""
        if self.saved is None:
            return
        with contextlib.suppress(PegwiseError):
            self.saved.keep(self.record())  # a turn may have been taken just before
        record, path = self.saved.written, self.saved.path
        if record is None or path is None:
            line = tr("No turn was played, so there is nothing to save.")
            if self._unsaved:
                line = tr("The game is not saved: {error}.", error=self._unsaved)
        elif record.open:
            command = resume_command(record, path)
            line = tr("The game is saved. To go on: {command}", command=command)
        else:
            line = _to_review(path)
        with contextlib.suppress(OSError):
            click.echo(before + line, err=True)


def _to_review(path: Path) -> str:
    return tr("The game is saved. To review it: {command}", command=review_command(path))


@contextmanager
def _stops_raised() -> Iterator[None]:
    """Let the signals that ask a program to end raise `_Stopped`."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise _Stopped(number)

    numbers = [getattr(signal, name) for name in _STOPS if hasattr(signal, name)]
    with handled(numbers, stop):
        yield
