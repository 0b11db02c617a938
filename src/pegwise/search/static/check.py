"""Fixed sets of guesses: whether one tells all codes apart, checked by the plain marking.

This module uses no kernel. What `static_search` finds, and what is stored, is checked here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.errors import CodeError, DataFileError, InputError, system_reason
from pegwise.game import Code, Game, Rules, all_secrets, parse_code

_BLOCK: Final = 1 << 20
_LARGEST: Final = 1 << 22
"""Bytes of a file of guesses that are read; a longer one is none."""


@dataclass(frozen=True, slots=True)
class Confused:
    """Two secrets that a set of guesses does not tell apart.

    Attributes:
        one: number of a secret.
        other: number of another that gets the same marks.
        apart: how many different answers the set gets in all.
    """

    one: int
    other: int
    apart: int


def confused(game: Game, guesses: Sequence[int]) -> Confused | None:
    """The first two secrets that some guesses confuse, None if they tell all apart.

    Args:
        game: what is played.
        guesses: by number.

    Raises:
        TooLargeError: too many secrets to list.
    """
    secrets = all_secrets(game)
    labels = np.zeros(len(secrets), np.int64)
    for guess in guesses:
        marks = np.concatenate(
            [
                game.mark_pairs(np.full(len(block), guess, np.int32), block)
                for block in np.array_split(secrets, -(-len(secrets) // _BLOCK))
            ]
        )
        joint = labels * game.n_marks + marks
        labels = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    apart = int(labels.max()) + 1
    if apart == len(secrets):
        return None
    order = np.argsort(labels, kind="stable")
    same = np.flatnonzero(labels[order[1:]] == labels[order[:-1]])
    # order is stable, so that of each class the smallest secret comes first
    first = same[np.argmin(order[same])]
    return Confused(int(order[first]), int(order[first + 1]), apart)


def read_guesses(path: Path, rules: Rules) -> list[Code]:
    """The guesses in a file: one a line, or several with spaces; `#` begins a comment.

    A file that begins with `{` is a stored set (see `static_sets`).

    Raises:
        DataFileError: the file cannot be read, or is neither.
        InputError: a guess that the rules do not allow, with its line; a set of other rules.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise DataFileError(
            "cannot read {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
        ) from error
    try:
        if len(content) > _LARGEST:
            raise ValueError
        lines = content.decode("utf-8-sig").splitlines()
    except ValueError:
        raise DataFileError(
            "{path} is no list of guesses: write one guess a line, as text", path=repr(str(path))
        ) from None
    if content.lstrip().startswith(b"{"):
        return _stored(content, path, rules)
    found: list[Code] = []
    for number, line in enumerate(lines, 1):
        for word in _words(line.partition("#")[0], rules):
            try:
                found.append(parse_code(word, rules))
            except CodeError as error:
                raise InputError(
                    "{path}, line {number}: {error}", path=path, number=number, error=error
                ) from None
    return found


def _stored(content: bytes, path: Path, rules: Rules) -> list[Code]:
    """The guesses of a stored set."""
    try:
        document = json.loads(content)
        words, belongs = list(document["guesses"]), str(document["rules"])
        if not all(isinstance(word, str) for word in words):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataFileError(
            "{path} is no stored set of guesses: it lacks 'rules' or 'guesses'",
            path=repr(str(path)),
        ) from None
    if Rules.parse(belongs) != rules:
        raise InputError(
            "{path} holds a set for {belongs}, not for {rules}",
            path=repr(str(path)),
            belongs=belongs,
            rules=rules,
        )
    return [parse_code(word, rules) for word in words]


def _words(line: str, rules: Rules) -> list[str]:
    """The guesses of a line; where the colors are set apart, the line is one guess."""
    words = line.split()
    bare = [word.rstrip(",") for word in words]
    signs = all(len(word) == 1 for word in bare)
    numbers = all(word.isdigit() for word in bare) and {len(word) for word in bare} != {rules.pegs}
    if rules.pegs > 1 and len(words) > 1 and (signs or (numbers and len(words) == rules.pegs)):
        return [line.strip()]
    return words
