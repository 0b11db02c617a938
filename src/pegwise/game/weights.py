"""Weights of secrets from a file: how often the codemaker hides each code."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import CodeError, DataFileError, InputError, Phrase, system_reason
from pegwise.game import Rules, mastermind, parse_code


def read_weights(path: Path, rules: Rules) -> I64:
    """The weight of every secret, int64 (n_secrets), in numeric order.

    A line holds a code and its weight, a whole number from 0, with a space, a comma or a tab
    between them; `*` in place of a code is every code that no line names. Empty lines and what
    follows `#` do not count.

    Raises:
        DataFileError: the file cannot be read; a line is malformed; a code comes twice, is
            unknown or is missing; a weight is negative; all weights are 0.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(
            "cannot read weights {path}: {reason}",
            path=repr(str(path)),
            reason=system_reason(error) if isinstance(error, OSError) else Phrase("it is not text"),
        ) from error
    game = mastermind(rules)
    weights = np.full(rules.n_secrets, -1, np.int64)
    others: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        where = Phrase("{path}, line {number}", path=path.name, number=number)
        if len(words) != 2:
            raise DataFileError(
                "{where}: {line}: write a code and its weight", where=where, line=repr(line.strip())
            )
        weight = _weight(words[1], where)
        if words[0] == "*":
            others = weight
            continue
        try:
            code = parse_code(words[0], rules, secret=True)
        except CodeError as error:
            raise DataFileError("{where}: {error}", where=where, error=error) from error
        secret = int(game.secret_of_guess[game.guess_number(code)])
        if weights[secret] >= 0:
            raise DataFileError(
                "{where}: the code {word} comes a second time", where=where, word=repr(words[0])
            )
        weights[secret] = weight
    missing = np.nonzero(weights < 0)[0]
    if len(missing):
        if others is None:
            raise DataFileError(
                "{path}: no weight for {secret}{more} of {rules}; give every code one, or a "
                "line '* 1' for all others",
                path=path.name,
                secret=game.secret(int(missing[0])),
                more=Phrase(" and {n} more codes", n=len(missing) - 1) if missing[1:].size else "",
                rules=rules,
            )
        weights[missing] = others
    if not weights.any():
        raise InputError("{path}: all weights are 0; at least one must be larger", path=path.name)
    return weights


def _weight(text: str, where: str) -> int:
    try:
        weight = int(text)
    except ValueError:
        raise DataFileError(
            "{where}: the weight {text} is not a whole number from 0", where=where, text=repr(text)
        ) from None
    if weight < 0:
        raise DataFileError(
            "{where}: the weight {text} is negative; write 0 or more", where=where, text=text
        )
    if weight > np.iinfo(np.int32).max:
        raise DataFileError(
            "{where}: the weight {text} is too large (at most 2147483647)", where=where, text=text
        )
    return weight
