"""Games of words, and boards with a mark for every place, from tables of their marks."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pegwise.arrays import I16, I32, I64, U8, Bools, MarkNumbers
from pegwise.game.codes import Code, Word, check_code, list_guesses, list_secrets
from pegwise.game.game import MAX_TABLE, FiniteGame, check_table_size
from pegwise.game.marks import Mark, check_mark, legal_marks, mark_of
from pegwise.game.rules import Rules


class ListedGame(FiniteGame):
    """A game of words, or a board with a mark for every place.

    Args:
        rules: of the game; not those of Mastermind on a board.
        weights: how often each secret is hidden, whole numbers from 0, in the game's order.

    Raises:
        TooLargeError: a table of marks that would not fit in memory.
    """

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        self.rules = rules
        table = _new_table(rules)
        if rules.words is None:
            guesses, secrets = list_guesses(rules), list_secrets(rules)
            codes = [[Code(code) for code in signs.tolist()] for signs in (guesses, secrets)]
        else:
            words = rules.words
            numbers = {letter: number for number, letter in enumerate(words.letters)}
            guesses = np.array([[numbers[sign] for sign in word] for word in words.guesses])
            secrets = guesses[: len(words.secrets)]
            codes = [list(map(Word, texts)) for texts in (words.guesses, words.secrets)]
        super().__init__(
            codes[1],
            _fill(table, rules, guesses, secrets),
            codes[0],
            name=str(rules),
            weights=weights,
            marks=legal_marks(rules),
        )

    def __repr__(self) -> str:
        return f"ListedGame({str(self.rules)!r})"

    def __reduce__(self) -> tuple[Callable[..., ListedGame], tuple[Any, ...]]:
        return (ListedGame, (self.rules, self.weights))

    def guess_number(self, guess: Any) -> int:
        return super().guess_number(check_code(guess, self.rules))

    def mark_number(self, mark: Any) -> int:
        return super().mark_number(check_mark(mark, self.rules))

    def mark_of(self, guess: Any, secret: Any) -> Mark:
        return mark_of(self.rules, guess, secret)


def _fill(table: MarkNumbers, rules: Rules, guesses: U8, secrets: U8) -> MarkNumbers:
    """Fill in the marks of guesses against secrets, each (n, pegs), by number of `legal_marks`."""
    marks = legal_marks(rules)
    columns = np.ascontiguousarray(secrets.T)
    counts = {sign: (columns == sign).sum(axis=0, dtype=np.int16) for sign in np.unique(secrets)}
    key_of = _PlacedKeys(rules) if rules.placed else _CountedKeys(rules)
    numbers = np.zeros(key_of.size, table.dtype)
    numbers[[key_of.mark(mark) for mark in marks]] = np.arange(len(marks))
    for row, guess in zip(table, guesses.tolist(), strict=True):
        right = columns == np.array(guess)[:, None]
        in_secret = {sign: counts[sign] for sign in guess if sign in counts}
        row[:] = numbers[key_of.secrets(guess, right, in_secret)]
    return table


def _new_table(rules: Rules) -> MarkNumbers:
    """Kernels are compiled for uint16; uint8 is for tables that are too large otherwise."""
    size = rules.n_guesses, rules.n_secrets
    if 2 * math.prod(size) > MAX_TABLE and len(legal_marks(rules)) <= 256:
        check_table_size(str(rules), *size)
        return np.empty(size, np.uint8)
    check_table_size(str(rules), *size, bytes_each=2)
    return np.empty(size, np.uint16)


class _Keys(ABC):
    """Marks as numbers that are computed for all secrets at once."""

    size: int

    @abstractmethod
    def mark(self, mark: Mark) -> int:
        """The number of a mark."""

    @abstractmethod
    def secrets(self, guess: list[int], right: Bools, in_secret: dict[int, I16]) -> I32:
        """The number of the mark of a guess against each of n secrets, int32 (n).

        Args:
            guess: its signs.
            right: bool (pegs, n), where the sign of guess and secret agree.
            in_secret: by sign of the guess, how often each secret has it, int16 (n).
        """


class _CountedKeys(_Keys):
    """Black and white: black * (pegs + 1) + black and white together."""

    def __init__(self, rules: Rules) -> None:
        self.base, self.black = rules.pegs + 1, rules.black
        self.size = self.base**2

    def mark(self, mark: Mark) -> int:
        return mark.black * self.base + mark.black + mark.white

    def secrets(self, guess: list[int], right: Bools, in_secret: dict[int, I16]) -> I32:
        black: I32 = right.sum(axis=0, dtype=np.int32)
        keys: I32 = black * (self.base + self.black)
        if self.black:
            return keys
        for sign, count in in_secret.items():
            keys += np.minimum(count, guess.count(sign))
        return keys


class _PlacedKeys(_Keys):
    """Places as digits of base 3."""

    def __init__(self, rules: Rules) -> None:
        self.digits = 3 ** np.arange(rules.pegs, dtype=np.int32)[::-1]
        self.size = 3**rules.pegs

    def mark(self, mark: Mark) -> int:
        return int(np.array(mark) @ self.digits)

    def secrets(self, guess: list[int], right: Bools, in_secret: dict[int, I16]) -> I32:
        keys = np.zeros(right.shape[1], np.int32)
        for digit, column in zip(self.digits, right, strict=True):
            keys += 2 * digit * column
        for sign, count in in_secret.items():
            places = [place for place, own in enumerate(guess) if own == sign]
            rest = count - right[places].sum(axis=0, dtype=np.int16)
            for place in places:
                elsewhere = ~right[place] & (rest > 0)
                keys += elsewhere * self.digits[place]
                rest -= elsewhere
        return keys
