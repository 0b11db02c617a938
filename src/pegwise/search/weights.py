"""Weights of secrets from a file: how often the codemaker hides each code."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pegwise.errors import CodeError, DataFileError, InputError
from pegwise.game import Rules, mastermind, parse_code
from pegwise.game.game import I64

__all__ = ["read_weights"]


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
        reason = getattr(error, "strerror", None) or "it is not text"
        raise DataFileError(f"cannot read weights {str(path)!r}: {reason}") from error
    game = mastermind(rules)
    weights = np.full(rules.n_secrets, -1, np.int64)
    others: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        where = f"{path.name}, line {number}"
        if len(words) != 2:
            raise DataFileError(f"{where}: {line.strip()!r}: write a code and its weight")
        weight = _weight(words[1], where)
        if words[0] == "*":
            others = weight
            continue
        try:
            code = parse_code(words[0], rules, secret=True)
        except CodeError as error:
            raise DataFileError(f"{where}: {error}") from error
        secret = int(game.secret_of_guess[game.guess_number(code)])
        if weights[secret] >= 0:
            raise DataFileError(f"{where}: the code {words[0]!r} comes a second time")
        weights[secret] = weight
    missing = np.nonzero(weights < 0)[0]
    if len(missing):
        if others is None:
            raise DataFileError(
                f"{path.name}: no weight for {game.secret(int(missing[0]))}"
                f"{f' and {len(missing) - 1} more codes' if len(missing) > 1 else ''} of {rules}; "
                "give every code one, or a line '* 1' for all others"
            )
        weights[missing] = others
    if not weights.any():
        raise InputError(f"{path.name}: all weights are 0; at least one must be larger")
    return weights


def _weight(text: str, where: str) -> int:
    try:
        weight = int(text)
    except ValueError:
        raise DataFileError(f"{where}: the weight {text!r} is not a whole number from 0") from None
    if weight < 0:
        raise DataFileError(f"{where}: the weight {text} is negative; write 0 or more")
    if weight > np.iinfo(np.int32).max:
        raise DataFileError(f"{where}: the weight {text} is too large (at most 2147483647)")
    return weight
