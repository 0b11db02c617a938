"""Games of words, and boards with a mark for every place, from tables of their marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arrays import I16, I32, I64, U8, U16, Bools, MarkNumbers
from pegwise.game.codes import Code, Word, check_code, list_guesses, list_secrets
from pegwise.game.game import MAX_TABLE, FiniteGame, check_listed, check_table_size
from pegwise.game.marks import Mark, check_mark, legal_marks, mark_of
from pegwise.game.rules import Rules

_MAX_CODES: Final = 600_000  # a list of them takes three seconds and 0.3 GiB


class ListedGame(FiniteGame):
    """A game of words, or a board with a mark for every place, of at most 600,000 codes.

    Its table of marks is made when it is first needed; TooLargeError where it would not fit in
    memory. The marks of one guess need none. `weights` tell how often each secret is hidden, whole
    numbers from 0, in the game's order.
    """

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        check_listed(str(rules), rules.n_guesses, _MAX_CODES)
        self.rules, self.name = rules, str(rules)
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
        self._number(weights)
        marks = legal_marks(rules)
        self._marks = list(marks)
        self._mark_numbers = {mark: number for number, mark in enumerate(marks)}
        self.n_marks, self.winning = len(marks), len(marks) - 1
        # the key of a mark is computed for all secrets at once: places as digits of base 3, or
        # black times base and black and white together
        base = rules.pegs + 1
        self._digits = 3 ** np.arange(rules.pegs, dtype=np.int32)[::-1]
        keys = [mark.black * base + mark.black + mark.white for mark in marks]
        if rules.placed:
            keys = [int(np.array(mark) @ self._digits) for mark in marks]
        self._number_of_key: U16 = np.zeros(keys[-1] + 1, np.uint16)
        self._number_of_key[keys] = np.arange(self.n_marks)

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
        """The marks of a guess against n secrets: uint16 (n)."""
        signs: list[int] = self._guess_signs[guess].tolist()
        right: Bools = secrets.columns == self._guess_signs[guess][:, None]
        shared = set(signs).intersection(secrets.counts)
        if self.rules.placed:
            keys: I32 = np.zeros(right.shape[1], np.int32)
            for digit, column in zip(self._digits, right, strict=True):
                keys += 2 * digit * column
            for sign in shared:
                places = [place for place, own in enumerate(signs) if own == sign]
                rest = secrets.counts[sign] - right[places].sum(axis=0, dtype=np.int16)
                for place in places:
                    elsewhere = ~right[place] & (rest > 0)
                    keys += elsewhere * self._digits[place]
                    rest -= elsewhere
        else:
            keys = right.sum(axis=0, dtype=np.int32) * (self.rules.pegs + 1 + self.rules.black)
            for sign in () if self.rules.black else shared:
                keys += np.minimum(secrets.counts[sign], signs.count(sign))
        numbers: U16 = self._number_of_key[keys]
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
