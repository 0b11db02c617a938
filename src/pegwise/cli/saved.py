"""Where a game at the terminal is kept while it is played, and how to go on with it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

import click

from pegwise.cli.common import check_writable, write_file
from pegwise.errors import DataFileError, InputError, OutputError, Phrase, system_reason
from pegwise.game import Record, read_record
from pegwise.game.record import PERSON
from pegwise.home import home

__all__ = [
    "SavedGame",
    "check_free",
    "read_open",
    "resume_command",
    "resume_option",
    "review_command",
    "save_option",
]

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
