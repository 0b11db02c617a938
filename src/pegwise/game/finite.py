"""Any finite game of deduction: word lists, positional marks, weighing puzzles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.errors import CodeError, InputError, MarkError
from pegwise.game.game import I32, I64, check_table_size, check_weights

__all__ = ["FiniteGame"]


class FiniteGame:
    """Any finite game of deduction, from a marking function or a table.

    Args:
        secrets: what may be hidden; distinct hashable values.
        marking: either a function (guess, secret) -> mark, any hashable, or a table of marks with
            a row for each guess and a column for each secret.
        guesses: what may be played; it must contain every secret. The secrets when None.
        name: what people call the game.
        weights: how often each secret is hidden, whole numbers from 0.

    Raises:
        InputError: doubles, a secret that cannot be guessed, or a marking without a winning mark
            (a mark that is given exactly when guess and secret are the same).
    """

    def __init__(
        self,
        secrets: Iterable[Hashable],
        marking: Callable[[Any, Any], Hashable] | Sequence[Sequence[Hashable]],
        guesses: Iterable[Hashable] | None = None,
        *,
        name: str = "finite game",
        weights: Sequence[int] | I64 | None = None,
    ) -> None:
        self.name = name
        self._secrets = list(secrets)
        self._guesses = self._secrets if guesses is None else list(guesses)
        self._guess_numbers = _numbered("guess", self._guesses)
        _numbered("secret", self._secrets)
        if not self._secrets:
            raise InputError(f"{name}: a game needs at least one secret")
        check_table_size(name, 2 * len(self._guesses), len(self._secrets))
        try:
            self.guess_of_secret: I32 = np.array(
                [self._guess_numbers[secret] for secret in self._secrets], np.int32
            )
        except KeyError as missing:
            raise InputError(
                f"{name}: the secret {missing.args[0]!r} is not among the guesses"
            ) from None
        self.secret_of_guess: I32 = np.full(len(self._guesses), -1, np.int32)
        self.secret_of_guess[self.guess_of_secret] = np.arange(len(self._secrets), dtype=np.int32)
        self._fill_table(marking)
        self.weights = None if weights is None else check_weights(weights, len(self._secrets))

    def _fill_table(
        self, marking: Callable[[Any, Any], Hashable] | Sequence[Sequence[Hashable]]
    ) -> None:
        numbers: dict[Hashable, int] = {}
        table = np.empty((len(self._guesses), len(self._secrets)), np.uint16)
        for row, guess in enumerate(self._guesses):
            for column, secret in enumerate(self._secrets):
                given = marking(guess, secret) if callable(marking) else marking[row][column]
                table[row, column] = numbers.setdefault(given, len(numbers))
                if len(numbers) > np.iinfo(np.uint16).max:
                    raise InputError(f"{self.name}: more than 65535 different marks")
        self.table: npt.NDArray[np.uint16] = table
        self._marks = list(numbers)
        self._mark_numbers = numbers
        self.winning = int(table[self.guess_of_secret[0], 0])
        won = table == self.winning
        same = self.secret_of_guess[:, None] == np.arange(len(self._secrets))[None, :]
        if (won != same).any():
            guess, secret = (int(k[0]) for k in np.nonzero(won != same))
            raise InputError(
                f"{self.name}: one mark, the winning one, must be given exactly when guess and "
                f"secret are the same, but {self._guesses[guess]!r} against "
                f"{self._secrets[secret]!r} gets {self._marks[table[guess, secret]]!r}"
            )

    def __repr__(self) -> str:
        return f"FiniteGame({self.name!r}, {self.n_secrets} secrets, {self.n_guesses} guesses)"

    def __reduce__(self) -> tuple[Callable[..., FiniteGame], tuple[Any, ...]]:
        rows = [[self._marks[m] for m in row] for row in self.table.tolist()]
        return (_rebuild, (self._secrets, rows, self._guesses, self.name, self.weights))

    @property
    def n_secrets(self) -> int:
        return len(self._secrets)

    @property
    def n_guesses(self) -> int:
        return len(self._guesses)

    @property
    def n_marks(self) -> int:
        return len(self._marks)

    def guess(self, number: int) -> Any:
        return self._guesses[number]

    def secret(self, number: int) -> Any:
        return self._secrets[number]

    def mark(self, number: int) -> Any:
        return self._marks[number]

    def guess_number(self, guess: Any) -> int:
        try:
            return self._guess_numbers[guess]
        except KeyError:
            raise CodeError(f"{guess!r} is not a guess of {self.name}") from None

    def mark_number(self, mark: Any) -> int:
        try:
            return self._mark_numbers[mark]
        except KeyError:
            raise MarkError(f"{mark!r} is not a mark of {self.name}") from None

    def judge(self, guess: Any, secret: Any) -> Any:
        column = self._secrets.index(secret)
        return self._marks[self.table[self.guess_number(guess), column]]

    def judge_pairs(self, guesses: I32, secrets: I32) -> npt.NDArray[np.uint16]:
        return self.table[guesses, secrets]

    def marks(self, guess: int, secrets: I32 | None = None) -> npt.NDArray[np.uint16]:
        row: npt.NDArray[np.uint16] = self.table[guess]
        return row if secrets is None else row[secrets]


def _rebuild(
    secrets: list[Hashable], rows: Any, guesses: list[Hashable], name: str, weights: I64 | None
) -> FiniteGame:
    return FiniteGame(secrets, rows, guesses, name=name, weights=weights)


def _numbered(role: str, values: list[Hashable]) -> dict[Hashable, int]:
    numbers = {value: number for number, value in enumerate(values)}
    if len(numbers) < len(values):
        double = next(value for k, value in enumerate(values) if numbers[value] != k)
        raise InputError(f"the {role} {double!r} is given twice")
    return numbers
