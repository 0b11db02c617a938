"""Any finite game of deduction, from a marking function or a table of marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I32, I64, GuessNumber, MarkNumber, MarkNumbers, SecretNumber
from pegwise.errors import (
    CodeError,
    InputError,
    MarkError,
    Phrase,
    RulesError,
    TooLargeError,
    UnknownNameError,
    quoted,
)
from pegwise.game.alphabet import Texts
from pegwise.game.codes import Word
from pegwise.game.game import Game, check_table_size, check_weights
from pegwise.game.marking import TableMarks
from pegwise.game.resolvers import names_game
from pegwise.game.table import TextTable
from pegwise.hooks import hooks
from pegwise.progress import Progress, Report

MAX_MARKS: Final = 2**16

_BLOCK: Final = 256  # rows of a table that are compared at a time

ENDS: Final = ("named", "known")
"""When a game ends: a guess is the secret, or only one secret is possible, which is then named."""

NAMED_RIGHT: Final = "that is it"
NAMED_WRONG: Final = "that is not it"
"""The marks of a secret that is named, in a game that ends when the secret is known."""

Row = Sequence[Hashable] | npt.NDArray[Any]
MarkingFunction = Callable[[Any, Any], Hashable | Row]
Rows = Sequence[Row] | npt.NDArray[Any]


class FiniteGame(Game):
    """Any finite game of deduction, from a marking function or a table.

    Guesses and secrets keep the order in which they are given: it decides ties.

    Args:
        secrets: what may be hidden; distinct hashable values.
        marking: either a function (guess, secret) -> mark, any hashable, or a table of marks with
            a row for each guess and a column for each secret.
        guesses: what may be played; it must contain every secret. The secrets when None. Where
            the game ends when the secret is known these are questions, and none is a secret.
        name: what people call the game.
        weights: how often each secret is hidden, whole numbers from 0.
        vectorized: whether the function takes a guess and the list of all secrets, and returns
            the marks of all, as an array or a sequence. Arrays of small whole numbers are fastest.
        write_guess: how a guess or a secret is written as text; tuples are written sign by sign,
            everything else as Python does, when None.
        write_mark: writes a mark.
        ends: `named` where the guess that is the secret ends the game. `known` where guesses are
            questions, and the game ends when only one secret is possible: that is named by a last
            guess, which counts as one. Guesses that name secrets are added behind the questions.
        report: receives the guesses that are marked so far.

    Guesses and marks can be given as values or as they are written, and turns as text:
    `"RRBY=11"`, split at the last `=` or `->` that separates a guess from a mark.

    InputError: doubles, a secret that cannot be guessed, values that are not hashable, a table of
    another shape, or no winning mark, which is given exactly when guess and secret are the same;
    of a game that ends when the secret is known, two secrets that no question tells apart.
    TooLargeError: a table of marks that would not fit in memory, or more than 65536 marks.

    Examples:
        >>> words = ["cab", "dab", "bad"]
        >>> def in_place(guess, secret):
        ...     return sum(g == s for g, s in zip(guess, secret))
        >>> pegwise.build(pegwise.FiniteGame(words, in_place), "knuth").histogram
        (1, 2)
    """

    def __init__(
        self,
        secrets: Iterable[Hashable],
        marking: MarkingFunction | Rows,
        guesses: Iterable[Hashable] | None = None,
        *,
        name: str = "finite game",
        weights: Sequence[int] | I64 | None = None,
        vectorized: bool = False,
        write_guess: Callable[[Any], str] | None = None,
        write_mark: Callable[[Any], str] | None = None,
        ends: str = "named",
        report: Report | None = None,
    ) -> None:
        if ends not in ENDS:
            raise UnknownNameError.of("end of a game", str(ends), ENDS)
        self.name = name
        self._write_guess, self._write_mark = write_guess or written, write_mark or written
        self._secrets = list(secrets)
        self._guesses = self._secrets if guesses is None else list(guesses)
        if ends == "known":
            self._guesses = [] if guesses is None else self._guesses
            self.n_questions = len(self._guesses)
            self._guesses = [*self._guesses, *self._secrets]
            if not self.n_questions:
                raise InputError(
                    "{name}: a game that ends when the secret is known needs guesses, which are "
                    "questions",
                    name=name,
                )
        self._secret_numbers = _numbered(Phrase("{name}: secret", name=name), self._secrets)
        self._guess_numbers = _numbered(Phrase("{name}: guess", name=name), self._guesses)
        if not self._secrets:
            raise InputError("{name}: a game needs at least one secret", name=name)
        for secret in self._secrets:
            if secret not in self._guess_numbers:
                raise InputError(
                    "{name}: the secret {secret} is not among the guesses",
                    name=name,
                    secret=quoted(secret),
                )
        check_table_size(name, len(self._guesses), len(self._secrets), bytes_each=2)
        self._number(weights)
        rows = self._mark_rows(marking, vectorized=vectorized)
        with nullcontext(report) if report else hooks.aside("marking", name) as told:
            self._fill_table(rows, told)
        self._check_winning()
        if self.n_questions:
            self._check_questions()

    def _number(self, weights: Sequence[int] | I64 | None) -> None:
        """Fill in the numbers of guesses and secrets, and their weights."""
        self.n_secrets, self.n_guesses = len(self._secrets), len(self._guesses)
        numbers = [self._guess_numbers[secret] for secret in self._secrets]
        self.guess_of_secret = np.array(numbers, np.int32)
        self.weights = None if weights is None else check_weights(weights, self.n_secrets)

    def _fill_table(self, rows: Iterable[Row], report: Report) -> None:
        numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        of_value = np.full(MAX_MARKS, -1, np.int32)  # numbers of marks that are small integers
        self.table = np.empty((self.n_guesses, self.n_secrets), np.uint16)
        for guess, marks in enumerate(rows):
            try:
                row = _numbers(marks, numbers, of_value)
            except TypeError:
                raise InputError(
                    "{game}: the marks {marks} of {guess} are not all hashable; give texts, "
                    "numbers or tuples",
                    game=self.name,
                    marks=quoted(list(marks)),
                    guess=quoted(self._guesses[guess]),
                ) from None
            if len(numbers) > MAX_MARKS:
                raise TooLargeError(
                    "{game}: more than {most} different marks", game=self.name, most=MAX_MARKS
                )
            self.table[guess] = row
            report(Progress(guess + 1, self.n_open_guesses, "guesses"))
        if self.n_questions:
            named = self.table[self.n_questions :]
            if self.n_secrets > 1:
                named[:] = numbers[NAMED_WRONG]
            np.fill_diagonal(named, numbers[NAMED_RIGHT])
        self._mark_numbers, self._marks = dict(numbers), list(numbers)
        self.n_marks = len(numbers)

    def _mark_rows(self, marking: MarkingFunction | Rows, *, vectorized: bool) -> Iterable[Row]:
        """The marks of each guess against all secrets."""
        if callable(marking):
            asked = self._guesses[: self.n_open_guesses]
            row = partial(self._row, marking, vectorized=vectorized)
            return map(row, asked) if vectorized else hooks.rows(row, asked)
        try:
            fits = [len(row) for row in marking] == [self.n_secrets] * self.n_open_guesses
        except TypeError:
            fits = False
        if not fits:
            raise InputError(
                "{game}: a table of marks needs {guesses} rows, one for each guess, of "
                "{secrets} marks, one for each secret",
                game=self.name,
                guesses=self.n_open_guesses,
                secrets=self.n_secrets,
            )
        return marking

    def _row(self, marking: Callable[..., Any], guess: Hashable, *, vectorized: bool) -> Row:
        try:
            if not vectorized:
                return [marking(guess, secret) for secret in self._secrets]
            row: Row = marking(guess, self._secrets)
            if len(row) != self.n_secrets:
                raise ValueError(f"{len(row)} marks for {self.n_secrets} secrets")
            return row
        except Exception as error:
            raise InputError(
                "{game}: the marking function fails on the guess {guess}: {error}",
                game=self.name,
                guess=quoted(guess),
                error=f"{type(error).__name__}: {error}",
            ) from error

    def _check_winning(self) -> None:
        own = self.guess_of_secret, np.arange(self.n_secrets)
        self.winning = int(self.table[self.guess_of_secret[0], 0])
        # block by block: a large table takes no memory for another one
        blocks = range(0, self.n_guesses, _BLOCK)
        often = sum(np.count_nonzero(self.table[k : k + _BLOCK] == self.winning) for k in blocks)
        if often != self.n_secrets or (self.table[own] != self.winning).any():
            same = self.secret_of_guess[:, None] == np.arange(self.n_secrets)[None, :]
            wrong = (self.table == self.winning) != same
            guess, secret = (int(k[0]) for k in np.nonzero(wrong))
            raise InputError(
                "{game}: one mark, the winning one, must be given exactly when guess and "
                "secret are the same, but {guess} against {secret} gets {mark}",
                game=self.name,
                guess=quoted(self._guesses[guess]),
                secret=quoted(self._secrets[secret]),
                mark=quoted(self._marks[self.table[guess, secret]]),
            )

    def _check_questions(self) -> None:
        """Refuse two secrets that no question tells apart: such a game would not end."""
        draws = np.random.Generator(np.random.PCG64([1])).integers(
            2**63, size=self.n_questions, dtype=np.uint64
        )
        keys = np.zeros(self.n_secrets, np.uint64)  # equal where all marks are
        for k in range(0, self.n_questions, _BLOCK):
            asked = self.table[k : min(k + _BLOCK, self.n_questions)].astype(np.uint64)
            keys += draws[k : k + len(asked)] @ asked
        columns: dict[int, int] = {}
        for secret, key in enumerate(keys.tolist()):
            same = columns.setdefault(key, secret)
            if same != secret:
                raise InputError(
                    "{game}: no question tells {first} from {second}, so the game would not end",
                    game=self.name,
                    first=quoted(self._secrets[same]),
                    second=quoted(self._secrets[secret]),
                )

    def __repr__(self) -> str:
        return f"FiniteGame({self.name!r}, {self.n_secrets} secrets, {self.n_guesses} guesses)"

    def guess(self, number: GuessNumber) -> Any:
        return self._guesses[number]

    def secret(self, number: SecretNumber) -> Any:
        return self._secrets[number]

    def mark(self, number: MarkNumber) -> Any:
        return self._marks[number]

    def guess_number(self, guess: Any) -> GuessNumber:
        number = _look_up(guess, self._guess_numbers)
        if number is None and isinstance(guess, str):
            number = self._written_guesses.get(_folded(guess))
        if number is None:
            raise CodeError("{guess} is not a guess of {game}", guess=quoted(guess), game=self.name)
        return number

    def mark_number(self, mark: Any) -> MarkNumber:
        number = _look_up(mark, self._mark_numbers)
        if number is None and isinstance(mark, str):
            number = self._written_marks.get(_folded(mark))
        if number is None:
            raise MarkError(
                "{mark} is not a mark of {game}; known: {marks}{more}",
                mark=quoted(mark),
                game=self.name,
                marks=", ".join(map(quoted, self._marks[:10])),
                more=", ..." if len(self._marks) > 10 else "",
            )
        return number

    @cached_property
    def _written_guesses(self) -> dict[str, int]:
        return _by_text(map(self.write_guess, range(self.n_guesses)))

    @cached_property
    def _written_secrets(self) -> dict[str, int]:
        return _by_text(map(self._write_guess, self._secrets))

    @cached_property
    def _written_marks(self) -> dict[str, int]:
        return _by_text(map(self.write_mark, range(self.n_marks)))

    def mark_of(self, guess: Any, secret: Any) -> Any:
        column = _look_up(secret, self._secret_numbers)
        if column is None and isinstance(secret, str):
            column = self._written_secrets.get(_folded(secret))
        if column is None:
            raise CodeError(
                "{secret} is not a secret of {game}", secret=quoted(secret), game=self.name
            )
        return self._marks[self.table[self.guess_number(guess), column]]

    def write_guess(self, number: int) -> str:
        """The guess of this number as text."""
        return self._write_guess(self._guesses[number])

    def write_mark(self, number: int) -> str:
        """The mark of this number as text."""
        return self._write_mark(self._marks[number])

    def mark_pairs(self, guesses: I32, secrets: I32) -> MarkNumbers:
        return self.table[guesses, secrets]

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> MarkNumbers:
        row: MarkNumbers = self.table[guess]
        return row if secrets is None else row[secrets]


class TableGame(FiniteGame):
    """A game with a table of marks that a text names, such as one in a file.

    `weights` replace those of the table. RulesError: `hard` where guesses are questions.
    """

    def __init__(
        self, codes: TextTable, *, hard: bool = False, weights: Sequence[int] | I64 | None = None
    ) -> None:
        self.codes, self.hard = codes, hard
        self.name = self.text = f"{codes},hard" if hard else str(codes)
        self.n_questions = codes.questions
        if hard and self.n_questions:
            raise RulesError(
                "with 'hard' guesses must be candidates, and those of {game} are questions",
                game=str(codes),
            )
        self.alphabet, self.marking = Texts(codes), TableMarks(codes)
        self._guesses, self._secrets = (
            list(map(Word, codes.guesses)),
            list(map(Word, codes.secrets)),
        )
        self._write_guess = self._write_mark = str
        self._guess_numbers = {code: number for number, code in enumerate(self._guesses)}
        self._replaced = weights  # those that replace the table's
        self._number(codes.weights if weights is None else weights)
        self._marks = list(self.marking.legal)
        self.n_marks, self.winning = len(self._marks), len(self._marks) - 1
        self.table = codes.table

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(TableGame, hard=self.hard, weights=self._replaced), (self.codes,)

    @property
    def everywhere(self) -> bool:
        return names_game(str(self.codes))

    def weighted(self, weights: Sequence[int] | I64) -> TableGame:
        return TableGame(self.codes, hard=self.hard, weights=weights)

    def guess_number(self, guess: Any) -> GuessNumber:
        return self._guess_numbers[self.alphabet.check(guess)]

    def mark_number(self, mark: Any) -> MarkNumber:
        return self.marking.number(mark)

    def mark_of(self, guess: Any, secret: Any) -> Any:
        return self.marking.mark(guess, secret)


def written(value: Any) -> str:
    """A guess or a mark as text, where a game does not say how."""
    if isinstance(value, tuple) and type(value).__str__ in (object.__str__, tuple.__str__):
        parts = [str(part) for part in value]
        return ("" if all(len(part) == 1 for part in parts) else ",").join(parts)
    return str(value)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def _by_text(texts: Iterable[str]) -> dict[str, int]:
    """The number of each text, where spaces and capitals do not matter; none for several."""
    numbers: dict[str, int] = {}
    doubles = set()
    for number, text in enumerate(texts):
        if numbers.setdefault(_folded(text), number) != number:
            doubles.add(_folded(text))
    return {text: number for text, number in numbers.items() if text not in doubles}


def _numbered(role: Phrase, values: list[Hashable]) -> dict[Hashable, int]:
    numbers: dict[Hashable, int] = {}
    for number, value in enumerate(values):
        try:
            double = numbers.setdefault(value, number) != number
        except TypeError:
            raise InputError(
                "{role} {value} is not hashable; give texts, numbers or tuples",
                role=role,
                value=quoted(value),
            ) from None
        if double:
            raise InputError("{role} {value} is given twice", role=role, value=quoted(value))
    return numbers


def _numbers(
    marks: Row, numbers: defaultdict[Hashable, int], of_value: I32
) -> npt.NDArray[np.integer]:
    """The numbers of a guess's marks; a new mark gets the next one.

    `of_value` has the same numbers for marks that are integers from 0, -1 for a new one.
    """
    if isinstance(marks, np.ndarray):
        whole = marks.dtype.kind in "iu" and marks.ndim == 1
        if whole and marks.min() >= 0 and marks.max() < len(of_value):
            if (row := of_value[marks]).min() >= 0:
                return row
            new, first = np.unique(marks[row < 0], return_index=True)
            for value in new[np.argsort(first)]:
                of_value[value] = numbers[value.item()]
            return of_value[marks]
        marks = marks.tolist()
    return np.fromiter(map(numbers.__getitem__, marks), np.int64, len(marks))


def _look_up(value: Any, numbers: Mapping[Any, int]) -> int | None:
    try:
        return numbers.get(value)
    except TypeError:  # not hashable
        return None
