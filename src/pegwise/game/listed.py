"""Games whose codes are listed and marked by pegs: of words, and boards with other marks."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from pegwise.arrays import (
    I32,
    I64,
    U8,
    U16,
    Bools,
    GuessNumber,
    MarkNumber,
    MarkNumbers,
    SecretNumber,
)
from pegwise.errors import RulesError, quoted
from pegwise.game.alphabet import Alphabet, Letters
from pegwise.game.codes import Code, Word
from pegwise.game.game import MAX_TABLE, Game, check_table_size, check_weights
from pegwise.game.marking import BOARD_MARKINGS, BoardMarking, SignColumns
from pegwise.game.marks import Mark
from pegwise.game.named import mark_words
from pegwise.game.requirements import Requirements
from pegwise.game.rules import (
    Rules,
    check_listed,
    check_marks,
    list_guesses,
    list_secrets,
    weights_of,
)
from pegwise.game.words import WordList, is_installed

Weights = Sequence[int] | I64 | None

_MAX_CODES: Final = 600_000  # a list of them takes three seconds and 0.3 GiB


class ListedGame(Game):
    """A game whose codes, at most 600,000, are listed and marked sign by sign.

    Codes are listed, and its table of marks is made, when they are first needed; TooLargeError
    where the table would not fit in memory. The marks of one guess need none. `weights` tell how
    often each secret is hidden, whole numbers from 0, in the game's order.
    """

    marking: BoardMarking
    alphabet: Alphabet

    def __init__(self, n_secrets: int, n_guesses: int, weights: Weights) -> None:
        self.name, self.n_secrets, self.n_guesses = self.text, n_secrets, n_guesses
        self.weights = None if weights is None else check_weights(weights, n_secrets)
        self.n_marks = len(self.marking.legal)
        self.winning = self.n_marks - 1

    @cached_property
    @abstractmethod
    def _guess_signs(self) -> U8:
        """uint8 (n_guesses, pegs): the signs of guesses by number."""

    @cached_property
    @abstractmethod
    def _guesses(self) -> list[Code]:
        """All guesses."""

    @cached_property
    def _secrets(self) -> list[Code]:
        """All secrets; the first guesses, unless said otherwise."""
        return self._guesses[: self.n_secrets]

    @cached_property
    def _secret_signs(self) -> SignColumns:
        return SignColumns.of(self._guess_signs[: self.n_secrets])

    @cached_property
    def _numbers(self) -> dict[Code, int]:
        return {code: number for number, code in enumerate(self._guesses)}

    @cached_property
    def guess_of_secret(self) -> I32:
        return np.array([self._numbers[secret] for secret in self._secrets], np.int32)

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
        if (required := self.requirements) is not None:
            return required.allowed(required.after(required.none, guess, mark))
        signs = self._guess_signs[guess].tolist()
        return self.marking.uses(signs, self.marking.legal[mark], self._guess_columns)

    @cached_property
    def requirements(self) -> Requirements | None:
        if self.free or self.marking.name != "placed":
            return None
        return Requirements.of(self._guess_signs, self.marking.legal)

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


class ListedBoard(ListedGame):
    """A board whose marks kernels do not count, such as a mark for every place."""

    rules: Rules

    def __init__(self, rules: Rules, weights: Weights = None) -> None:
        self.rules, self.text, self.called, self.hard = rules, str(rules), rules.name, rules.hard
        self.alphabet, self.marking = rules.alphabet, rules.marking
        if weights is not None:
            self._refuse_jar()
        own = weights_of(rules) if weights is None else weights
        super().__init__(rules.n_secrets, rules.n_guesses, own)

    def __repr__(self) -> str:
        return f"ListedBoard({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        return (ListedBoard, (self.rules, None if self.rules.jar else self.weights))

    def weighted(self, weights: Sequence[int] | I64) -> ListedBoard:
        return ListedBoard(self.rules, weights)

    @cached_property
    def _guess_signs(self) -> U8:
        check_listed(self.text, self.n_guesses, _MAX_CODES)
        return list_guesses(self.rules)

    @cached_property
    def _guesses(self) -> list[Code]:
        return [Code(code) for code in self._guess_signs.tolist()]

    @cached_property
    def _secrets(self) -> list[Code]:
        return [Code(code) for code in list_secrets(self.rules).tolist()]

    @cached_property
    def _secret_signs(self) -> SignColumns:
        return SignColumns.of(list_secrets(self.rules))


class WordGame(ListedGame):
    """A game on a list of words.

    Args:
        words: the list.
        marks: the flag of the marks that are given, such as `placed`; empty for black and white
            marks.
        hard: whether a guess must use what the marks told so far (see `game.hard`).
        weights: how often each word is hidden.
        called: the name that stood for it where it was read, such as `fallout`.

    RulesError: no list of words, or marks that do not exist.

    Examples:
        >>> game = pegwise.game_of("wordle")
        >>> game.n_secrets
        5757
        >>> print(game.mark_of("crane", "caper"))
        GYY-Y
    """

    words: WordList

    def __init__(
        self,
        words: WordList,
        marks: str = "",
        *,
        hard: bool = False,
        weights: Weights = None,
        called: str = "",
    ) -> None:
        if not isinstance(words, WordList):
            raise RulesError(
                "{words} is not a list of words: give what read_words or WordList.of returns",
                words=quoted(words),
            )
        check_marks(marks, words.n_letters)
        self.words, self.marks_flag, self.hard, self.called = words, marks, hard, called
        self.text = ",".join([str(words), *filter(None, (marks, "hard" if hard else ""))])
        self.alphabet = Letters(self.text, words)
        self.marking = BOARD_MARKINGS[marks](self.text, words.n_letters, mark_words(called))
        super().__init__(len(words.secrets), len(words.guesses), weights)

    def __repr__(self) -> str:
        return f"WordGame({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        make = partial(WordGame, hard=self.hard, weights=self.weights, called=self.called)
        return make, (self.words, self.marks_flag)

    @property
    def everywhere(self) -> bool:
        return super().everywhere and is_installed(self.words)

    def weighted(self, weights: Sequence[int] | I64) -> WordGame:
        return WordGame(
            self.words, self.marks_flag, hard=self.hard, weights=weights, called=self.called
        )

    @cached_property
    def _guess_signs(self) -> U8:
        numbers = {letter: number for number, letter in enumerate(self.words.letters)}
        return np.array([[numbers[sign] for sign in word] for word in self.words.guesses], np.uint8)

    @cached_property
    def _guesses(self) -> list[Code]:
        return list(map(Word, self.words.guesses))
