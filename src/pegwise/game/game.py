"""The game beneath every strategy, tree and search: finite sets of secrets, guesses and marks.

Viaud (1979, section 1) calls it (S, P) with a marking: a secret of S is hidden, each guess is
answered by a mark, and one mark, the winning one, is given exactly when guess and secret are the
same code. Everything above this floor speaks of guesses, secrets and marks by number; a game
translates numbers to what people read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from pegwise.errors import InputError, TooLargeError, quoted

__all__ = [
    "I32",
    "I64",
    "MAX_LISTED",
    "MAX_TABLE",
    "MAX_WEIGHT",
    "Game",
    "MarkNumbers",
    "all_secrets",
    "check_listed",
    "check_table_size",
    "check_weights",
]

I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
MarkNumbers = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

MAX_LISTED: Final = 20_000_000
"""Games with more codes than this are not listed."""

MAX_TABLE: Final = 2_000_000_000
"""Largest mark table (guesses x secrets) that is built, in bytes."""

MAX_WEIGHT: Final = 2**53
"""Largest sum of weights: totals stay exact."""


class Game(Protocol):
    """A finite game of deduction.

    Attributes:
        name: what people call it; `4x6` for a board.
        n_secrets: number of codes that may be hidden.
        n_guesses: number of codes that may be played.
        n_marks: number of marks.
        winning: number of the winning mark.
        guess_of_secret: int32 (n_secrets), the guess that is the same code as a secret.
        secret_of_guess: int32 (n_guesses), the reverse; -1 for a guess that cannot win.
        weights: int64 (n_secrets), how often each secret is hidden; None when all are alike.
    """

    @property
    def name(self) -> str: ...
    @property
    def n_secrets(self) -> int: ...
    @property
    def n_guesses(self) -> int: ...
    @property
    def n_marks(self) -> int: ...
    @property
    def winning(self) -> int: ...
    @property
    def guess_of_secret(self) -> I32: ...
    @property
    def secret_of_guess(self) -> I32: ...
    @property
    def weights(self) -> I64 | None: ...

    def guess(self, number: int) -> Any:
        """The guess of this number, as people read it."""

    def secret(self, number: int) -> Any:
        """The secret of this number, as people read it."""

    def mark(self, number: int) -> Any:
        """The mark of this number, as people read it."""

    def guess_number(self, guess: Any) -> int:
        """The number of a guess; CodeError if it is none."""

    def mark_number(self, mark: Any) -> int:
        """The number of a mark; MarkError if it is none."""

    def judge(self, guess: Any, secret: Any) -> Any:
        """The mark of a guess against a secret, by the plain definition."""

    def judge_pairs(self, guesses: I32, secrets: I32) -> MarkNumbers:
        """Likewise for many pairs, int32 (n) each, all by number."""

    def marks(self, guess: int, secrets: I32 | None = None) -> MarkNumbers:
        """The marks of one guess against some secrets (all when None), by number."""


def all_secrets(game: Game) -> I32:
    """All secrets by number: int32 (n_secrets).

    Raises:
        TooLargeError: more than `MAX_LISTED` of them.
    """
    check_listed(game.name, game.n_secrets)
    return np.arange(game.n_secrets, dtype=np.int32)


def check_listed(name: str, count: int) -> None:
    """Refuse to list more than `MAX_LISTED` codes."""
    if count > MAX_LISTED:
        raise TooLargeError(
            "{name} has {count:,} codes, too many to list (at most {most:,}); use a strategy that "
            "does not need the list, or a smaller board",
            name=name,
            count=count,
            most=MAX_LISTED,
        )


def check_weights(weights: Sequence[int] | I64, count: int) -> I64:
    """Weights as int64 (count), read-only.

    Raises:
        InputError: unless they are whole numbers from 0, not all 0, one for each secret, with a
            sum of at most `MAX_WEIGHT`.
    """
    try:
        array = np.asarray(weights)
    except (OverflowError, ValueError):
        array = np.empty(0, object)
    if array.shape != (count,):
        raise InputError(
            "weights {weights}: give one whole number for each of {count} secrets",
            weights=quoted(weights),
            count=count,
        )
    total = 0
    if np.issubdtype(array.dtype, np.integer) and array.min() >= 0:
        total = sum(array.tolist())
    if not 0 < total <= MAX_WEIGHT:
        raise InputError(
            "weights {weights}: they must be whole numbers from 0, not all 0, with a sum of at "
            "most {most}",
            weights=quoted(weights),
            most=MAX_WEIGHT,
        )
    array = array.astype(np.int64)
    array.setflags(write=False)
    return array


def check_table_size(
    name: str, n_guesses: int, n_secrets: int, bytes_each: int = 1, most: int = MAX_TABLE
) -> None:
    """Refuse a mark table that would not fit in memory."""
    if n_guesses * n_secrets * bytes_each > most:
        raise TooLargeError(
            "{name}: a table of marks for {n_guesses} guesses by {n_secrets} secrets is too "
            "large (at most {most} bytes)",
            name=name,
            n_guesses=n_guesses,
            n_secrets=n_secrets,
            most=MAX_TABLE,
        )
