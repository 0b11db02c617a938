"""Games whose codes are listed and marked by pegs: of words, and boards with other marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from pegwise.arrays import (
    I32,
    I64,
    U16,
    Bools,
    GuessNumber,
    MarkNumber,
    MarkNumbers,
    SecretNumber,
)
from pegwise.errors import RulesError
from pegwise.game.alphabet import Alphabet
from pegwise.game.codes import Code, Word
from pegwise.game.game import MAX_TABLE, Game, check_table_size, check_weights
from pegwise.game.marking import BoardMarking, SignColumns
from pegwise.game.marks import Mark
from pegwise.game.rules import Rules, check_listed, list_guesses, list_secrets

_MAX_CODES: Final = 600_000  # a list of them takes three seconds and 0.3 GiB


class ListedGame(Game):
    """A game of words, or a board with a mark for every place, of at most 600,000 codes.

    Its table of marks is made when it is first needed; TooLargeError where it would not fit in
    memory. The marks of one guess need none. `weights` tell how often each secret is hidden, whole
    numbers from 0, in the game's order.
    """

    rules: Rules
    marking: BoardMarking
    alphabet: Alphabet
    guess_of_secret: I32

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        check_listed(str(rules), rules.n_guesses, _MAX_CODES)
        self.rules, self.name = rules, str(rules)
        if not isinstance(rules.marking, BoardMarking):
            raise RulesError("{rules} has marks of its own", rules=rules)
        self.marking, self.alphabet = rules.marking, rules.alphabet
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
        self._secret_signs = SignColumns.of(secrets)
        self._numbers = {code: number for number, code in enumerate(self._guesses)}
        self.n_secrets, self.n_guesses = len(self._secrets), len(self._guesses)
        own = [self._numbers[secret] for secret in self._secrets]
        self.guess_of_secret = np.array(own, np.int32)
        self.weights = None if weights is None else check_weights(weights, self.n_secrets)
        self.n_marks = len(self.marking.legal)
        self.winning = self.n_marks - 1

    def __repr__(self) -> str:
        return f"ListedGame({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., ListedGame], tuple[Any, ...]]:
        return (ListedGame, (self.rules, self.weights))

    def guess(self, number: GuessNumber) -> Code:
        return self._guesses[number]

    def secret(self, number: SecretNumber) -> Code:
        return self._secrets[number]

    def mark(self, number: MarkNumber) -> Mark:
        return self.marking.legal[number]

    def guess_number(self, guess: Any) -> GuessNumber:
        return self._numbers[self.alphabet.check(guess)]

    def mark_number(self, mark: Any) -> MarkNumber:
        return self.marking.number(mark)

    @cached_property
    def table(self) -> MarkNumbers:
        """(n_guesses, n_secrets): all marks; uint16, for which kernels are compiled, or uint8."""
        size = self.n_guesses, self.n_secrets
        narrow = 2 * math.prod(size) > MAX_TABLE and self.n_marks <= 256
        check_table_size(self.name, *size, bytes_each=1 if narrow else 2)
        table = np.empty(size, np.uint8 if narrow else np.uint16)
        for guess in range(self.n_guesses):
            table[guess] = self._marked(guess, self._secret_signs)
        return table

    def _marked(self, guess: int, secrets: SignColumns) -> U16:
        """The marks of a guess against n secrets: uint16 (n)."""
        return self.marking.many(self._guess_signs[guess].tolist(), secrets)

    def allowed_after(self, guess: GuessNumber, mark: MarkNumber) -> Bools | None:
        """Which guesses `hard` allows after a mark; words that are never hidden are among them."""
        if self.free:
            return None
        signs = self._guess_signs[guess].tolist()
        return self.marking.uses(signs, self.marking.legal[mark], self._guess_columns)

    @cached_property
    def _guess_columns(self) -> SignColumns:
        return SignColumns.of(self._guess_signs)

    def mark_pairs(self, guesses: I32, secrets: I32) -> U16:
        """The mark of each guess against its secret by the plain definition, to verify trees."""
        pairs = zip(guesses.tolist(), secrets.tolist(), strict=True)
        marks = (self.marking.mark(self._guesses[g], self._secrets[s]) for g, s in pairs)
        return np.fromiter((self.marking.numbers[mark] for mark in marks), np.uint16, len(guesses))

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> MarkNumbers:
        if "table" in self.__dict__:
            row: MarkNumbers = self.table[guess]
            return row if secrets is None else row[secrets]
        signs = self._secret_signs
        return self._marked(guess, signs if secrets is None else signs.some(secrets))
