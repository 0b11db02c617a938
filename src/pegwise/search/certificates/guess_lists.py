"""Lists of guesses in files: plain text, or the certificate of a fixed set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from pegwise.errors import CodeError, DataFileError, InputError
from pegwise.game import Code, Rules, parse_code
from pegwise.paths import read_text
from pegwise.reading.codes import read_codes

_LARGEST_LIST: Final = 1 << 22  # bytes of a list of guesses that are read


def read_guesses(path: Path, rules: Rules) -> list[Code]:
    """The guesses in a file: one a line, or several with spaces; `#` begins a comment.

    They are read together, so that digits may count from 0.

    A file that begins with `{` is the certificate of a fixed set.

    Raises:
        DataFileError: the file cannot be read, or is neither.
        InputError: a guess that the rules do not allow, with its line; a set of other rules.
    """
    text = read_text(path, _LARGEST_LIST)
    if text.lstrip().startswith("{"):
        return _guesses_of_set(text, path, rules)
    lines = [[*_words(_code_part(line), rules)] for line in text.splitlines()]
    try:
        return list(read_codes([word for line in lines for word in line], rules).codes)
    except CodeError:
        for number, line in enumerate(lines, 1):
            for word in line:
                _check_line(word, rules, path, number)
        raise


def _check_line(word: str, rules: Rules, path: Path, number: int) -> None:
    """Refuse what is no code, by an InputError that names its line."""
    try:
        parse_code(word, rules)
    except CodeError as error:
        raise InputError(
            "{path}, line {number}: {error}", path=path, number=number, error=error
        ) from None


def listed_words(path: Path, rules: Rules) -> list[str]:
    """The words of a list of guesses that `read_guesses` has read, as they are written."""
    lines = read_text(path, _LARGEST_LIST).splitlines()
    return [word for line in lines for word in _words(_code_part(line), rules)]


def _code_part(line: str) -> str:
    return line.partition("#")[0]


def set_claims(path: Path) -> dict[str, Any]:
    """The document of a set that `read_guesses` has read; {} for a list of guesses."""
    text = read_text(path, _LARGEST_LIST)
    return dict(json.loads(text)) if text.lstrip().startswith("{") else {}


def _guesses_of_set(text: str, path: Path, rules: Rules) -> list[Code]:
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
    if Rules.parse(board) != rules:
        raise InputError(
            "{path} holds a set for {belongs}, not for {rules}",
            path=repr(str(path)),
            belongs=board,
            rules=rules,
        )
    return [parse_code(word, rules) for word in words]


def _words(line: str, rules: Rules) -> list[str]:
    """The guesses of a line; where the colors are set apart, the line is one guess."""
    words = line.split()
    bare = [word.rstrip(",") for word in words]
    letters = all(len(word) == 1 for word in bare)
    numbers = all(word.isdigit() for word in bare) and {len(word) for word in bare} != {rules.pegs}
    if rules.pegs > 1 and len(words) > 1 and (letters or (numbers and len(words) == rules.pegs)):
        return [line.strip()]
    return words
