"""Games of words, and boards with a mark for every place, from tables of their marks."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arrays import I16, I32, I64, U8, U16, Bools, MarkNumbers
from pegwise.game.codes import Code, Word, check_code, list_guesses, list_secrets
from pegwise.game.game import (
    MAX_TABLE,
    FiniteGame,
    check_listed,
    check_table_size,
    check_weights,
)
from pegwise.game.marks import Mark, check_mark, legal_marks, mark_of
from pegwise.game.rules import Rules

_MAX_CODES: Final = 600_000  # a list of them takes three seconds and 0.3 GiB


class ListedGame(FiniteGame):
    """A game of words, or a board with a mark for every place.

    Its table of marks is made when it is first needed; TooLargeError where it would not fit in
    memory. The marks of one guess need none.

    Args:
        rules: of the game; not those of Mastermind on a board.
        weights: how often each secret is hidden, whole numbers from 0, in the game's order.

    Raises:
        TooLargeError: more than 600,000 codes.
    """

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        check_listed(str(rules), rules.n_guesses, _MAX_CODES)
        self.rules, self.name = rules, str(rules)
        self.n_secrets, self.n_guesses = rules.n_secrets, rules.n_guesses
        if rules.words is None:
            self._guess_signs, secrets = list_guesses(rules), list_secrets(rules)
            self._guesses = [Code(code) for code in self._guess_signs.tolist()]
            self._secrets = [Code(code) for code in secrets.tolist()]
        else:
            words = rules.words
            numbers = {letter: number for number, letter in enumerate(words.letters)}
            self._guess_signs = np.array(
                [[numbers[sign] for sign in word] for word in words.guesses], np.uint8
            )
            secrets = self._guess_signs[: rules.n_secrets]
            self._guesses = list(map(Word, words.guesses))
            self._secrets = self._guesses[: rules.n_secrets]
        self._secret_signs = _Signs.of(secrets)
        self._guess_numbers = {code: number for number, code in enumerate(self._guesses)}
        marks = legal_marks(rules)
        self._marks = list(marks)
        self._mark_numbers = {mark: number for number, mark in enumerate(marks)}
        self.n_marks, self.winning = len(marks), len(marks) - 1
        self.guess_of_secret = np.array(
            [self._guess_numbers[code] for code in self._secrets], np.int32
        )
        self.secret_of_guess = np.full(self.n_guesses, -1, np.int32)
        self.secret_of_guess[self.guess_of_secret] = np.arange(self.n_secrets, dtype=np.int32)
        self.weights = None if weights is None else check_weights(weights, self.n_secrets)
        self._keys: _Keys = _PlacedKeys(rules) if rules.placed else _CountedKeys(rules)
        self._number_of_key = np.zeros(self._keys.size, np.uint16)
        self._number_of_key[[self._keys.mark(mark) for mark in marks]] = np.arange(self.n_marks)

    def __repr__(self) -> str:
        return f"ListedGame({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., ListedGame], tuple[Any, ...]]:
        return (ListedGame, (self.rules, self.weights))

    @cached_property
    def table(self) -> MarkNumbers:  # type: ignore[override]
        """(n_guesses, n_secrets): all marks; uint16, for which kernels are compiled, or uint8."""
        size = self.n_guesses, self.n_secrets
        narrow = 2 * math.prod(size) > MAX_TABLE and self.n_marks <= 256
        check_table_size(self.name, *size, bytes_each=1 if narrow else 2)
        table = np.empty(size, np.uint8 if narrow else np.uint16)
        for guess in range(self.n_guesses):
            table[guess] = self._marked(guess, self._secret_signs)
        return table

    def _marked(self, guess: int, secrets: _Signs) -> U16:
        numbers: U16 = self._number_of_key[
            self._keys.secrets(self._guess_signs[guess].tolist(), secrets)
        ]
        return numbers

    def guess_number(self, guess: Any) -> int:
        return self._guess_numbers[check_code(guess, self.rules)]

    def mark_number(self, mark: Any) -> int:
        return self._mark_numbers[check_mark(mark, self.rules)]

    def mark_of(self, guess: Any, secret: Any) -> Mark:
        return mark_of(self.rules, guess, secret)

    def mark_pairs(self, guesses: I32, secrets: I32) -> U16:
        """As `Game.mark_pairs`, by the plain definition: trees are verified with it."""
        pairs = zip(guesses.tolist(), secrets.tolist(), strict=True)
        marks = (mark_of(self.rules, self._guesses[g], self._secrets[s]) for g, s in pairs)
        return np.fromiter((self._mark_numbers[mark] for mark in marks), np.uint16, len(guesses))

    def marks(self, guess: int, secrets: I32 | None = None) -> MarkNumbers:
        if "table" in self.__dict__:
            return super().marks(guess, secrets)
        signs = self._secret_signs
        return self._marked(guess, signs if secrets is None else signs.some(secrets))


class _Signs(NamedTuple):
    """The signs of n secrets, as marking reads them."""

    columns: U8  # (pegs, n)
    counts: dict[int, I16]  # by sign, how often each secret has it, (n)

    @classmethod
    def of(cls, signs: U8) -> _Signs:
        """Of secrets, (n, pegs)."""
        columns = np.ascontiguousarray(signs.T)
        return cls(
            columns,
            {sign: (columns == sign).sum(0, np.int16) for sign in np.unique(signs).tolist()},
        )

    def some(self, secrets: I32) -> _Signs:
        """Of these secrets only."""
        counts = {sign: count[secrets] for sign, count in self.counts.items()}
        return _Signs(self.columns[:, secrets], counts)


class _Keys(ABC):
    """Marks as numbers that are computed for all secrets at once."""

    size: int

    @abstractmethod
    def mark(self, mark: Mark) -> int:
        """The number of a mark."""

    @abstractmethod
    def secrets(self, guess: list[int], secrets: _Signs) -> I32:
        """The numbers of the marks of a guess, by its signs, against n secrets: int32 (n)."""


class _CountedKeys(_Keys):
    """Black and white: black * (pegs + 1) + black and white together."""

    def __init__(self, rules: Rules) -> None:
        self.base, self.black = rules.pegs + 1, rules.black
        self.size = self.base**2

    def mark(self, mark: Mark) -> int:
        return mark.black * self.base + mark.black + mark.white

    def secrets(self, guess: list[int], secrets: _Signs) -> I32:
        black: I32 = _right(guess, secrets).sum(axis=0, dtype=np.int32)
        keys: I32 = black * (self.base + self.black)
        if self.black:
            return keys
        for sign in set(guess).intersection(secrets.counts):
            keys += np.minimum(secrets.counts[sign], guess.count(sign))
        return keys


class _PlacedKeys(_Keys):
    """Places as digits of base 3."""

    def __init__(self, rules: Rules) -> None:
        self.digits = 3 ** np.arange(rules.pegs, dtype=np.int32)[::-1]
        self.size = 3**rules.pegs

    def mark(self, mark: Mark) -> int:
        return int(np.array(mark) @ self.digits)

    def secrets(self, guess: list[int], secrets: _Signs) -> I32:
        right = _right(guess, secrets)
        keys = np.zeros(right.shape[1], np.int32)
        for digit, column in zip(self.digits, right, strict=True):
            keys += 2 * digit * column
        for sign in set(guess).intersection(secrets.counts):
            places = [place for place, own in enumerate(guess) if own == sign]
            rest = secrets.counts[sign] - right[places].sum(axis=0, dtype=np.int16)
            for place in places:
                elsewhere = ~right[place] & (rest > 0)
                keys += elsewhere * self.digits[place]
                rest -= elsewhere
        return keys


def _right(guess: list[int], secrets: _Signs) -> Bools:
    """Bool (pegs, n): where the sign of guess and secret agree."""
    right: Bools = secrets.columns == np.array(guess)[:, None]
    return right
