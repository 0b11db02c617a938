"""How often each secret is hidden, from a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import DataFileError, InputError, Phrase, quoted
from pegwise.game.game import Game
from pegwise.game.rules import check_listed
from pegwise.paths import read_text

_MAX_WEIGHT: Final = 2**31 - 1
_MAX_BYTES: Final = 1 << 26


def read_weights(path: Path, game: Game) -> I64:
    """The weight of every secret, int64 (n_secrets), in numeric order.

    A line holds a code and its weight, a whole number from 0, with a space, a comma or a tab
    between them; `*` in place of a code is every code that no line names. Empty lines and what
    follows `#` do not count. DataFileError: the file cannot be read, a line is malformed, or a
    code comes twice, is unknown or is missing. InputError: all weights are 0.
    """
    check_listed(game.name, game.n_secrets)
    text = read_text(path, _MAX_BYTES)
    weights = np.full(game.n_secrets, -1, np.int64)
    default: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            weight = _weight(words)
            if words[0] == "*":
                if default is not None:
                    raise InputError("the line '*' comes a second time")
                default = weight
                continue
            code = game.alphabet.read(words[0], secret=True)
            secret = int(game.secret_of_guess[game.guess_number(code)])
            if weights[secret] >= 0:
                raise InputError("the code {word} comes a second time", word=quoted(words[0]))
            weights[secret] = weight
        except InputError as error:
            where = Phrase("{path}, line {number}", path=path.name, number=number)
            raise DataFileError("{where}: {error}", where=where, error=error) from error
    (missing,) = np.nonzero(weights < 0)
    if len(missing) and default is None:
        raise DataFileError(
            "{path}: no weight for {secret}{more} of {rules}; give every code one, or a line '* 1' "
            "for all others",
            path=path.name,
            secret=game.secret(int(missing[0])),
            more=Phrase(" and {n} more codes", n=len(missing) - 1) if len(missing) > 1 else "",
            rules=game,
        )
    weights[missing] = default or 0
    if not weights.any():
        raise InputError("{path}: all weights are 0; at least one must be larger", path=path.name)
    return weights


def _weight(words: list[str]) -> int:
    """The weight in a line of a code and its weight."""
    if len(words) != 2:
        raise InputError("{line}: write a code and its weight", line=quoted(" ".join(words)))
    text = words[1]
    weight = int(text) if re.fullmatch("[0-9]{1,10}", text) else -1
    if not 0 <= weight <= _MAX_WEIGHT:
        raise InputError(
            "the weight {text} is not a whole number from 0 to {most}",
            text=quoted(text),
            most=_MAX_WEIGHT,
        )
    return weight
