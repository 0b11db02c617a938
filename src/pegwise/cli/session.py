"""Where a game at the terminal is kept while it is played, and how to go on with it."""

from __future__ import annotations

import contextlib
import math
import shlex
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.main import INTERRUPTED
from pegwise.cli.options import check_writable, write_file
from pegwise.cli.terminal import handled, interruptible
from pegwise.errors import (
    DataFileError,
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    TooLargeError,
    system_reason,
)
from pegwise.game import Record, Turn, read_record
from pegwise.game.record import PERSON
from pegwise.i18n import tr, translated
from pegwise.paths import home

_FOLDER: Final = "games"
_ENDED: Final = {"solved": Phrase("solved"), "given up": Phrase("given up")}
_CODEMAKERS: Final = {"play": ("given", "random", "evil"), "solve": (PERSON, "given")}

save_option = click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the game here, not among your own data.",
)
resume_option = click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Go on with a game that was left.",
)


def resume_command(record: Record, path: Path) -> str:
    """The line to type to go on with a game."""
    command = "play" if record.codebreaker == PERSON else "solve"
    return f"pegwise {command} --resume {shlex.quote(str(path))}"


def review_command(path: Path) -> str:
    """The line to type to review a game."""
    return f"pegwise review {shlex.quote(str(path))}"


def read_open(path: Path, command: str) -> Record:
    """An unfinished game of this command (`play` or `solve`).

    Raises:
        DataFileError: as `read_record`.
        InputError: the game is over, or was begun with the other command; says what to type.
    """
    record = read_record(path)
    game = Phrase("the game in {path}", path=repr(str(path)))
    if not record.open:
        raise InputError(
            "{game} is over ({result}): {review_command}",
            game=game,
            result=_ENDED[record.result],
            review_command=review_command(path),
        )
    if f"pegwise {command} " not in (line := resume_command(record, path)):
        raise InputError(
            "{game} was not begun with {command}: {line}", game=game, command=command, line=line
        )
    if record.codemaker not in _CODEMAKERS[command]:
        raise InputError(
            "{game} cannot go on with {command}: its codemaker is {codemaker}",
            game=game,
            command=command,
            codemaker=record.codemaker,
        )
    return record


def check_free(path: Path) -> None:
    """Refuse to write over anything but a finished game that nobody had a hand in.

    Raises:
        OutputError: quotes the path and says why.
    """
    if path.is_file():
        try:
            there = read_record(path)
        except DataFileError:
            raise OutputError(
                "cannot write {path}: it is there and is no record of a game; choose another name",
                path=repr(str(path)),
            ) from None
        if there.open:
            raise OutputError(
                "cannot write {path}: it holds a game that is not finished; go on with it "
                "({resume_command}), or choose another name",
                path=repr(str(path)),
                resume_command=resume_command(there, path),
            )
        if PERSON in (there.codebreaker, there.codemaker):
            raise OutputError(
                "cannot write {path}: it holds a game that is over ({review_command}); choose "
                "another name",
                path=repr(str(path)),
                review_command=review_command(path),
            )
    check_writable(path)


class SavedGame:
    """The file of one game, written whole after every turn.

    Args:
        path: where the user wants it; None for a new file in the data directory, which is made
            once there is something to keep.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.chosen = path is not None
        self.written: Record | None = None

    def keep(self, record: Record) -> None:
        """Write the game as it stands.

        Raises:
            OutputError: it cannot be written; says why.
        """
        if record == self.written or not (record.turns or self.chosen or self.written):
            return
        if self.path is None:
            self.path = _new_file(record)
        write_file(self.path, lambda beside: _write_text(beside, record.write()))
        self.written = record

    def move(self, path: Path, record: Record) -> None:
        """Keep the game in another file from now on.

        Raises:
            OutputError: as `check_free` and `keep`.
        """
        if path != self.path:
            check_free(path)
        before = self.path, self.chosen, self.written
        self.path, self.chosen, self.written = path, True, None
        try:
            self.keep(record)
        except OutputError:
            self.path, self.chosen, self.written = before
            raise


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _new_file(record: Record) -> Path:
    """An empty file in the data directory, named by time, command and rules."""
    folder = home() / _FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in _names(record):
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise OutputError(
            "cannot write in {folder}: {reason}",
            folder=repr(str(folder)),
            reason=system_reason(error),
        ) from error
    raise AssertionError("there are always more names")


def _names(record: Record) -> Iterator[Path]:
    """Names of which one is free."""
    command = "play" if record.codebreaker == PERSON else "solve"
    stem = f"{datetime.now():%Y-%m-%d-%H%M%S}-{command}-{str(record.rules).replace(',', '-')}"
    yield home() / _FOLDER / f"{stem}.txt"
    for number in count(2):
        yield home() / _FOLDER / f"{stem}-{number}.txt"


# A game in progress at the terminal: kept after every turn, however it is left.

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
