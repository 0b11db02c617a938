"""Games of deduction: finite sets of secrets, guesses and marks, on boards or any other.

Viaud (1979, section 1) calls it (S, P) with a marking: a secret of S is hidden, each guess is
answered by a mark, and one mark, the winning one, is given exactly when guess and secret are the
same code. Everything in higher layers speaks of guesses, secrets and marks by number; a game
translates numbers to what people read.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

import numpy as np

from pegwise.arrays import (
    I32,
    I64,
    Bools,
    GuessNumber,
    MarkNumber,
    MarkNumbers,
    SecretNumber,
    mark_numbers,
)
from pegwise.errors import (
    CodeError,
    InputError,
    MarkError,
    Phrase,
    TooLargeError,
    quoted,
)
from pegwise.game.alphabet import Alphabet
from pegwise.game.codes import Code
from pegwise.game.jar import jar_phrase, read_jar
from pegwise.game.marking import Marking, TableMarks
from pegwise.game.marks import PartialMark
from pegwise.game.named import HARD, NAMED, shortest_name
from pegwise.game.requirements import Requirements
from pegwise.game.rules import Rules, check_listed
from pegwise.game.words import WordList

MAX_TABLE: Final = 2_000_000_000
"""Largest mark table (guesses x secrets) that is built, in bytes."""

MAX_WEIGHT: Final = 2**53
"""Largest sum of weights: totals stay exact."""


class Game(ABC):
    """A finite game of deduction: secrets, guesses and marks by number, and how people read them.

    Boards, games of words and finite games are subclasses. Whoever holds a game need not ask
    which: what only some games have is empty, or slower, in this class.

    Attributes:
        name: what people call it; its text where it has one, such as `4x6`.
        text: the text that names it; empty for one made in Python, that no text names.
        called: the name that stood for it where it was read, such as `wordle`; else empty. Marks
            are then written in its words. Games of different names may be equal.
        rules: the rules of a board; None for every other game.
        words: the list of words of a game of words; None for every other game.
        hard: whether a guess must use what the marks told so far (see `game.hard`).
        n_secrets: number of codes that may be hidden.
        n_guesses: number of codes that may be played.
        n_marks: number of marks.
        winning: number of the winning mark.
        weights: int64 (n_secrets), how often each secret is hidden; None when all are alike.
        n_questions: of a game that ends when the secret is known, how many guesses are questions.
            They come first; the others name secrets, and each is played only where its secret is
            the only one possible. 0 for every other game.

    Examples:
        >>> game = pegwise.game_of("4x6")
        >>> game.n_secrets, game.n_marks
        (1296, 14)
    """

    name: str
    text: str = ""
    called: str = ""
    rules: Rules | None = None
    words: WordList | None = None
    hard: bool = False
    n_secrets: int
    n_guesses: int
    n_marks: int
    winning: MarkNumber
    weights: I64 | None = None
    n_questions: int = 0

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        """Games of one text and equal weights are equal; any other is equal to itself alone."""
        if self is other or not isinstance(other, Game) or not self.text:
            return self is other
        if self.text != other.text or self.weights is None or other.weights is None:
            return self.text == other.text and self.weights is other.weights
        return np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.text) if self.text else id(self)

    @property
    def named(self) -> str:
        """The name that stood for it, if it still does; else the shortest that is read."""
        return shortest_name(self.text, self.called) if self.text else self.name

    @property
    def everywhere(self) -> bool:
        """Whether every process makes the game of its text, not only this one."""
        return bool(self.text) and (self.weights is None or bool(self.jar))

    @property
    def jar(self) -> str:
        """The jar that its secrets are drawn from, such as `A4B2C1`; empty where there is none."""
        return "" if self.rules is None else self.rules.jar

    def _refuse_jar(self) -> None:
        """Refuse weights where the rules have a jar, which says them."""
        if self.jar:
            raise InputError("{game} has its own weights: leave out weights", game=self.text)

    @property
    def file_name(self) -> str:
        """Its name as that of a file: signs that a path could not have are hyphens."""
        return re.sub(r"[^\w@,.×-]+", "-", self.name)

    @property
    def pegs(self) -> int:
        """Length of a code; of texts, of the longest."""
        return self.alphabet.pegs

    @property
    def colors(self) -> int:
        """How many different signs codes have."""
        return self.alphabet.colors

    @property
    def about(self) -> tuple[Phrase, ...]:
        """What is to be said of it, one by one: `4 pegs`, `colors may repeat`."""
        about = (*self.alphabet.about, *self.marking.about)
        if self.jar:
            about = (*about, jar_phrase(read_jar(self.jar), self.bits))
        return (*about, Phrase("guesses must use the marks")) if self.hard else about

    @property
    def example_turn(self) -> str:
        """A turn that shows how guesses and marks are written."""
        codes = self.alphabet
        return f"{codes.example}={self.marking.mark(codes.example, codes.other)}"

    @property
    def free(self) -> bool:
        """Whether every guess may be played at any time; not where rules are `hard`."""
        return not self.hard

    def weighted(self, weights: Sequence[int] | I64) -> Game:  # noqa: ARG002
        """This game with weights of its secrets; errors as `check_weights`."""
        raise InputError("{game} has its own weights: leave out weights", game=self.name)

    @property
    def n_open_guesses(self) -> int:
        """How many guesses, the first ones, may be played while several secrets are possible."""
        return self.n_questions or self.n_guesses

    def names_too_early(self, guess: GuessNumber, possible: int) -> bool:
        """Whether a guess, by number, is refused: it names one of several possible secrets.

        In a game with questions, a secret may be named only when no other is possible.
        """
        return possible > 1 and guess >= self.n_open_guesses

    @property
    def board(self) -> Rules | None:
        """The rules of a board with black and white marks; None for every other game.

        Only boards have symmetries, closed forms and certificates that come with pegwise.
        """
        return self.rules if self.rules is not None and self.rules.on_board else None

    @property
    def bits(self) -> float:
        """The information of a secret: the entropy of which one is hidden."""
        if self.weights is None:
            return math.log2(self.n_secrets)
        shares = self.weights[self.weights > 0] / self.weights.sum()
        return float(-(shares * np.log2(shares)).sum())

    def frequencies(self) -> I64:
        """int64 (n_secrets): how often each secret is hidden, 1 where all are alike."""
        return np.ones(self.n_secrets, np.int64) if self.weights is None else self.weights

    @abstractmethod
    def guess(self, number: GuessNumber) -> Any:
        """The guess of this number, as people read it."""

    @abstractmethod
    def secret(self, number: SecretNumber) -> Any:
        """The secret of this number, as people read it."""

    @abstractmethod
    def mark(self, number: MarkNumber) -> Any:
        """The mark of this number, as people read it."""

    @abstractmethod
    def guess_number(self, guess: Any) -> GuessNumber:
        """The number of a guess; CodeError if it is none."""

    @abstractmethod
    def mark_number(self, mark: Any) -> MarkNumber:
        """The number of a mark; MarkError if it is none."""

    def mark_of(self, guess: Any, secret: Any) -> Any:
        """The mark of a guess against a secret, by the plain definition; texts are read as codes.

        A game without a marking of its own has this method in its place.
        """
        guess = self.alphabet.read(guess) if isinstance(guess, str) else guess
        secret = self.alphabet.read(secret, secret=True) if isinstance(secret, str) else secret
        return self.marking.mark(guess, secret)

    @cached_property
    def alphabet(self) -> Alphabet:
        """What guesses and secrets are written in."""
        return OwnCodes(self)

    @cached_property
    def marking(self) -> Marking:
        """How guesses are marked."""
        return OwnMarks(self)

    @cached_property
    def guess_of_secret(self) -> I32:
        """int32 (n_secrets): the guess that is the same code as a secret."""
        secrets = map(self.secret, range(self.n_secrets))
        return np.fromiter(map(self.guess_number, secrets), np.int32, self.n_secrets)

    @cached_property
    def secret_of_guess(self) -> I32:
        """int32 (n_guesses): the reverse; -1 for a guess that cannot win."""
        check_listed(self.name, self.n_guesses)
        secret_of_guess = np.full(self.n_guesses, -1, np.int32)
        secret_of_guess[self.guess_of_secret] = all_secrets(self)
        return secret_of_guess

    def mark_pairs(self, guesses: I32, secrets: I32) -> MarkNumbers:
        """The marks of many pairs, int32 (n) each, by the plain definition; all by number."""
        read = map(self.guess, guesses.tolist()), map(self.secret, secrets.tolist())
        marks = [self.mark_of(guess, secret) for guess, secret in zip(*read, strict=True)]
        return mark_numbers([self.mark_number(mark) for mark in marks], self.n_marks)

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> MarkNumbers:
        """The marks of one guess against some secrets (all when None), by number."""
        secrets = all_secrets(self) if secrets is None else secrets
        return self.mark_pairs(np.full(len(secrets), guess, np.int32), secrets)

    @cached_property
    def table(self) -> MarkNumbers:
        """(n_guesses, n_secrets): all marks; TooLargeError where they would not fit in memory."""
        check_table_size(self.name, self.n_guesses, self.n_secrets, bytes_each=2)
        return mark_numbers([self.marks(guess) for guess in range(self.n_guesses)], self.n_marks)

    def marks_against(self, guess: Any, secrets: I32) -> MarkNumbers:
        """The marks of a guess, as people read it, against some secrets, by number."""
        return self.marks(self.guess_number(guess), secrets)

    def allowed_after(self, guess: GuessNumber, mark: MarkNumber) -> Bools | None:
        """Which guesses use what a turn told, by number: bool (n_guesses).

        None where rules are not `hard`, and so allow all guesses. Here it is the secrets that give
        the mark; `game.hard` has the definition.
        """
        if self.free:
            return None
        allowed = np.zeros(self.n_guesses, np.bool_)
        allowed[self.guess_of_secret[self.marks(guess) == mark]] = True
        return allowed

    def allowed(self, turns: Iterable[tuple[GuessNumber, MarkNumber]]) -> Bools | None:
        """Which guesses are allowed after turns, by number: bool (n_guesses); None for all.

        A candidate always is.
        """
        allowed: Bools | None = None
        for guess, mark in turns:
            after = self.allowed_after(guess, mark)
            if after is None:
                return None
            allowed = after if allowed is None else allowed & after
        return allowed

    @property
    def requirements(self) -> Requirements | None:
        """What turns require of later guesses, where every place is marked and rules are `hard`."""
        return None

    def refuse_hard(self, what: Phrase) -> None:
        """Refuse hard rules where guesses are taken to be free, by an InputError."""
        if not self.free:
            raise InputError("{game}: {what} with 'hard'; leave it out", game=self.name, what=what)

    def refuse_questions(self, what: Phrase) -> None:
        """Refuse a game that ends when the secret is known, by an InputError."""
        if self.n_questions:
            raise InputError(
                "{game} ends when the secret is known: {what}", game=self.name, what=what
            )

    def marks_meant(self, mark: Any) -> list[MarkNumber]:
        """The marks, by number, that a mark may be: several where it was noted in part only."""
        full = self.marking.completions(mark) if isinstance(mark, PartialMark) else [mark]
        return [self.mark_number(each) for each in full]

    def images(self, guesses: I32 | I64, symmetries: I64) -> I64:  # noqa: ARG002
        """The images of guesses, by number, under one symmetry for all or one for each.

        A game that is no board has only the symmetry that leaves everything as it is.

        Args:
            guesses: (n), by number.
            symmetries: int64 (width) or (n, width): where each peg comes from, then the new names
                of the colors, all pegs alike or peg by peg.
        """
        return guesses.astype(np.int64)


class OwnCodes(Alphabet):
    """The guesses and secrets of a game that reads them itself."""

    typed = True

    def __init__(self, game: Game) -> None:
        self.game, self.owner, self.pegs, self.colors = game.name, game, 1, game.n_guesses

    def read(self, text: str, *, secret: bool = False) -> Any:
        return self.check(text, secret=secret)

    def check(self, pegs: Any, *, secret: bool = False) -> Any:
        number = self.owner.guess_number(pegs)
        if secret and self.owner.secret_of_guess[number] < 0:
            raise CodeError(
                "{secret} is not a secret of {game}", secret=quoted(pegs), game=self.game
            )
        return self.owner.guess(number)

    def secret(self, number: SecretNumber) -> Any:
        return self.owner.secret(number)

    @property
    def example(self) -> Any:
        return self.owner.guess(0)

    @property
    def other(self) -> Any:
        return self.owner.secret(self.owner.n_secrets - 1)

    @property
    def examples(self) -> tuple[str, ...]:
        return (str(self.example),)

    @property
    def signs(self) -> Code:
        return Code(())

    @property
    def width(self) -> int:
        return 1

    def to_row(self, code: Any) -> Sequence[int]:
        return (self.owner.guess_number(code),)

    def from_row(self, row: Sequence[int]) -> Any:
        return self.owner.guess(row[0])


class OwnMarks(TableMarks):
    """The marks of a game that marks itself: any values."""

    def __init__(self, game: Game) -> None:
        self.game, self.owner, self.pegs = game.name, game, 1

    @cached_property
    def legal(self) -> tuple[Any, ...]:
        return tuple(map(self.owner.mark, range(self.owner.n_marks)))

    @property
    def winning(self) -> Any:
        return self.owner.mark(self.owner.winning)

    def mark(self, guess: Any, secret: Any) -> Any:
        if type(self.owner).mark_of is Game.mark_of:
            raise NotImplementedError(f"{type(self.owner).__name__} has no marking and no mark_of")
        return self.owner.mark_of(guess, secret)

    def of(self, value: Any) -> Any:
        return self.owner.mark(self.owner.mark_number(value))

    def number(self, value: Any) -> MarkNumber:
        return self.owner.mark_number(value)

    def agrees(self, noted: Any, true: Any) -> bool:
        return bool(noted == true)

    def from_text(self, text: str) -> Any:
        with suppress(MarkError):
            return self.of(text)
        return None


def game_title(game: object) -> str:
    """A game, or its text, as people call it: `Wordle` for `sgb,placed`, a name, or its text."""
    text = str(game)
    if text.removesuffix(HARD) == NAMED["wordle"]:
        return "Wordle, hard" if text.endswith(HARD) else "Wordle"
    return game.named if isinstance(game, Game) else text


def all_secrets(game: Game) -> I32:
    """All secrets by number, int32 (n_secrets); TooLargeError for more than `MAX_LISTED`."""
    check_listed(game.name, game.n_secrets)
    return np.arange(game.n_secrets, dtype=np.int32)


def check_weights(weights: Sequence[int] | I64, count: int) -> I64:
    """Weights as int64 (count), read-only; InputError for what the messages name."""
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
    integers = np.issubdtype(array.dtype, np.integer) and array.min() >= 0
    if not integers or not 0 < sum(array.tolist()) <= MAX_WEIGHT:
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
            most=most,
        )
