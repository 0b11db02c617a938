"""Where entrants come from: FILE.py[:NAME[:OPTIONS]], FOLDER/ and program:COMMAND."""

from __future__ import annotations

import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from pegwise.errors import InputError, PegwiseError, Phrase, StrategyError, quoted, system_reason
from pegwise.game import Game
from pegwise.programs import Limits
from pegwise.strategies.entrants.entrant import Entrant, EntrantDecision, split_command

PROGRAM: Final = "program:"
_FILE: Final = re.compile(r"(.+?\.py)(?::(\w*))?(?::(.+))?", re.DOTALL)
_PATH: Final = re.compile(rf"[/{re.escape(os.sep)}]|\.[A-Za-z]\w*$")
"""Characters in a name of a file or a folder, and in no id of a strategy."""

_STARTS: Final = 4  # files of a folder that are loaded at once


def names_entrants(text: str) -> bool:
    """Whether a text names a file, a folder or a program, and no strategy by its id."""
    return bool(
        text.startswith(PROGRAM)
        or _FILE.fullmatch(text)
        or _PATH.search(text.partition(":")[0])
        or ("." in text and Path(text).exists())
    )


def entrants_of(text: str, limits: Limits | None = None, *, start: bool = True) -> list[Entrant]:
    """The entrants that a text names; several for a folder.

    InputError: there is no such file or program, it cannot be loaded, or a folder has none. With
    `start=False` a file is not loaded now, so that nothing tells yet whether it can be.
    """
    if text.startswith(PROGRAM):
        return [_program(text, split_command(text.removeprefix(PROGRAM)), limits)]
    if (match := _FILE.fullmatch(text)) and not Path(text).is_dir():
        wanted = match[2] or "", match[3] or ""
        return [_file(text, Path(match[1]), wanted, limits, start=start)]
    folder = Path(text)
    if folder.is_dir():
        return _folder(text, folder, limits)
    if folder.is_file():
        raise InputError(
            "{path} is not a Python file; if it is a program, write program:{path}", path=text
        )
    if text.endswith(("/", os.sep)):
        raise InputError("there is no folder {path}", path=quoted(text))
    if Path(text).suffix:
        raise InputError("there is no file {path}", path=quoted(text))
    raise InputError("there is no file or folder {path}", path=quoted(text))


def _file(
    text: str, path: Path, wanted: tuple[str, str], limits: Limits | None, *, start: bool = True
) -> Entrant:
    try:
        entrant = Entrant(text, path=path.absolute(), wanted=wanted, limits=limits)
    except FileNotFoundError:
        raise InputError("there is no file {path}", path=quoted(str(path))) from None
    except UnicodeDecodeError:
        raise InputError("{path} is not text in UTF-8", path=quoted(str(path))) from None
    except OSError as error:
        raise InputError(
            "cannot read {path}: {reason}", path=quoted(str(path)), reason=system_reason(error)
        ) from None
    if start:
        entrant.check()
    return entrant


def _program(text: str, command: list[str], limits: Limits | None) -> Entrant:
    """A program; its name is that of the first file among its arguments, else its own."""
    program = shutil.which(command[0])
    if program is None:
        if Path(command[0]).is_file():
            raise InputError(
                "{name} is not executable: chmod +x {name}, or name its interpreter before it",
                name=command[0],
            )
        raise InputError("there is no program {name}", name=quoted(command[0]))
    files = [Path(word) for word in command[1:] if Path(word).is_file()]
    path = files[0] if files else Path(program)
    return Entrant(text, command=[program, *command[1:]], path=path, limits=limits)


def _folder(text: str, folder: Path, limits: Limits | None) -> list[Entrant]:
    """Each Python file, and each other file that may be run; those that cannot be loaded too.

    These are told by the race, so that one file does not keep the others from racing.
    """
    paths = sorted(path for path in folder.iterdir() if path.is_file())

    def entered(path: Path) -> list[Entrant]:
        runs = os.access(path, os.X_OK) and not path.name.startswith(".")
        if path.suffix == ".py" and not (runs and path.read_bytes().startswith(b"#!")):
            try:
                return [_file(str(path), path, ("", ""), limits)]
            except PegwiseError as error:
                return [Refused(str(path), error.phrase, limits)]
        if runs:
            command = [str(path.absolute())]
            return [Entrant(f"{PROGRAM}{path}", command=command, path=path, limits=limits)]
        return []

    with ThreadPoolExecutor(_STARTS) as executor:
        entrants = [one for some in executor.map(entered, paths) for one in some]
    if not entrants:
        raise InputError(
            "{folder} has no entrants: no file that ends in .py, and none that may be run",
            folder=quoted(text),
        )
    if all(entrant.problem for entrant in entrants):
        raise InputError(entrants[0].problem)
    return entrants


class Refused(Entrant):
    """A file of a folder that cannot be loaded."""

    def __init__(self, typed: str, why: Phrase, limits: Limits | None = None) -> None:
        super().__init__(typed, path=Path(typed), limits=limits)
        self.problem = why

    def begin(self, game: Game) -> EntrantDecision:  # noqa: ARG002
        raise StrategyError(self.problem)
