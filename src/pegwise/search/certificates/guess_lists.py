"""Lists of guesses in files: plain text, or the certificate of a fixed set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pegwise.errors import CodeError, DataFileError, InputError
from pegwise.game import Code, Game, game_of, parse_code
from pegwise.paths import read_text
from pegwise.reading.codes import read_codes

_LARGEST_LIST: Final = 1 << 22  # bytes of a list of guesses that are read


def read_guesses(path: Path, game: Game) -> list[Code]:
    """The guesses in a file: one a line, or several with spaces; `#` begins a comment.

    They are read together, so that digits may count from 0.

    A file that begins with `{` is the certificate of a fixed set.

    Raises:
        DataFileError: the file cannot be read, or is neither.
        InputError: a guess that the rules do not allow, with its line; a set of other rules.
    """
    text = read_text(path, _LARGEST_LIST)
    if text.lstrip().startswith("{"):
        return _guesses_of_set(text, path, game)
    lines = [[*_words(_code_part(line), game)] for line in text.splitlines()]
    try:
        return list(read_codes([word for line in lines for word in line], game).codes)
    except CodeError:
        for number, line in enumerate(lines, 1):
            for word in line:
                _check_line(word, game, path, number)
        raise


def _check_line(word: str, game: Game, path: Path, number: int) -> None:
    """Refuse what is no code, by an InputError that names its line."""
    try:
        parse_code(word, game)
    except CodeError as error:
        raise InputError(
            "{path}, line {number}: {error}", path=path, number=number, error=error
        ) from None


def listed_words(path: Path, game: Game) -> list[str]:
    """The words of a list of guesses that `read_guesses` has read, as they are written."""
    lines = read_text(path, _LARGEST_LIST).splitlines()
    return [word for line in lines for word in _words(_code_part(line), game)]


def _code_part(line: str) -> str:
    return line.partition("#")[0]


def set_claims(path: Path) -> dict[str, Any]:
    """The document of a set that `read_guesses` has read; {} for a list of guesses."""
    text = read_text(path, _LARGEST_LIST)
    return dict(json.loads(text)) if text.lstrip().startswith("{") else {}


def _guesses_of_set(text: str, path: Path, game: Game) -> list[Code]:
    """The guesses in the certificate of a fixed set, of which no more is read."""
    try:
        document = json.loads(text)
        words, board = list(document["guesses"]), str(document["rules"])
        if not all(isinstance(word, str) for word in words):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataFileError(
            "{path} is not a stored set of guesses: 'rules' or 'guesses' is missing",
            path=repr(str(path)),
        ) from None
    if game_of(board) != game:
        raise InputError(
            "{path} holds a set for {belongs}, not for {rules}",
            path=repr(str(path)),
            belongs=board,
            rules=game,
        )
    return [parse_code(word, game) for word in words]


def _words(line: str, game: Game) -> list[str]:
    """The guesses of a line; where the colors are set apart, the line is one guess."""
    words = line.split()
    bare = [word.rstrip(",") for word in words]
    letters = all(len(word) == 1 for word in bare)
    numbers = all(word.isdigit() for word in bare) and {len(word) for word in bare} != {game.pegs}
    if game.pegs > 1 and len(words) > 1 and (letters or (numbers and len(words) == game.pegs)):
        return [line.strip()]
    return words
