"""Codes with a marking of their own: a list of texts, and the table of their marks.

What is read of a code or a mark is compared with
what is written, so that each text is read as one of them or is refused.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final

import numpy as np

from pegwise.arrays import I64, U16
from pegwise.errors import CodeError, InputError, quoted
from pegwise.game.signs import plain

MAX_TEXT: Final = 100  # characters of a code or a mark


@dataclass(frozen=True)
class TextTable:
    """Codes as texts, with a table of marks. Guesses keep their order, which decides ties.

    Attributes:
        name: what the game is called.
        digest: eight hexadecimal digits, see below.
        secrets: the codes that may be hidden.
        guesses: the codes that may be guessed.
        marks: how each mark is written; the winning one is the last.
        table: uint16 (guesses, secrets): marks by number.
        weights: int64 (secrets), how often each secret is hidden; None when all are alike.
        questions: how many guesses are questions, the first ones, where the game ends when the
            secret is known; 0 for every other game.
        loader: what makes the table of its text in another process, which is then sent none.

    The digest tells games of other secrets, guesses, marks, weights or markings apart. Tables of
    one name and digest are equal.
    """

    name: str
    digest: str
    secrets: tuple[str, ...] = field(compare=False, repr=False)
    guesses: tuple[str, ...] = field(compare=False, repr=False)
    marks: tuple[str, ...] = field(compare=False, repr=False)
    table: U16 = field(compare=False, repr=False)
    weights: I64 | None = field(default=None, compare=False, repr=False)
    questions: int = field(default=0, compare=False, repr=False)
    loader: Callable[[str], TextTable] | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[..., TextTable], tuple[Any, ...]]:
        if self.loader is not None:
            return self.loader, (str(self),)
        # its fields alone: another thread may look something up meanwhile
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    @classmethod
    def of_table(
        cls,
        name: str,
        texts: tuple[Iterable[str], Iterable[str], Iterable[str]],
        table: U16,
        weights: I64 | None,
        questions: int = 0,
    ) -> TextTable:
        """The list of these secrets, guesses and marks.

        InputError: texts that cannot be told apart, are empty, or are too long.
        """
        secrets, guesses, marks = map(tuple, texts)
        for role, some in (("guess", guesses), ("mark", marks)):
            _check_texts(name, role, some)
        told = (secrets, guesses, marks, *([questions] if questions else []))
        digest = hashlib.sha256(repr(told).encode())
        for array in (table, np.zeros(0) if weights is None else weights):
            digest.update(np.ascontiguousarray(array).tobytes())
        short = digest.hexdigest()[:8]
        return cls(
            name,
            short,
            secrets,
            guesses,
            marks=marks,
            table=table,
            weights=weights,
            questions=questions,
        )

    def __str__(self) -> str:
        return f"{self.name}@{self.digest}"

    @property
    def n_letters(self) -> int:
        """The length of the longest code."""
        return max(map(len, self.guesses))

    @cached_property
    def letters(self) -> str:
        """All signs that occur in codes, in order."""
        return "".join(sorted(set("".join(self.guesses))))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each guess."""
        return {guess: number for number, guess in enumerate(self.guesses)}

    @cached_property
    def uneven(self) -> bool:
        """Whether codes are texts of several lengths, long ones, or of many signs."""
        return len(set(map(len, self.guesses))) > 1 or self.n_letters > 10 or len(self.letters) > 40

    @cached_property
    def secret_numbers(self) -> dict[str, int]:
        """The number of each secret."""
        return {secret: number for number, secret in enumerate(self.secrets)}

    @cached_property
    def _read_guess(self) -> Mapping[str, str]:
        return _readings(self.guesses)

    @cached_property
    def _read_mark(self) -> Mapping[str, str]:
        return _readings(self.marks)

    def check(self, text: str, *, secret: bool = False) -> str:
        """A code of the game as it is written; spaces and capitals may be typed in another way.

        A CodeError quotes the text and names codes that are near.
        """
        possible = self.secret_numbers if secret else self.numbers
        code = text if text in possible else self._read_guess.get(_folded(text), "")
        if code in possible:
            return code
        if code:
            raise CodeError(
                "{text} may be guessed in {name}, but is never hidden",
                text=quoted(text),
                name=self.name,
            )
        near = difflib.get_close_matches(_folded(text), [*self._read_guess], n=3, cutoff=0.4)
        near = [self._read_guess[one] for one in near] or [*possible][:3]
        raise CodeError(
            "{text} is not a code of {name}; for example: {codes}",
            text=quoted(text),
            name=self.name,
            codes=", ".join(near),
        )

    def mark_number(self, text: str) -> int:
        """The number of a mark from its text; -1 for none."""
        written = text if text in self._mark_numbers else self._read_mark.get(_folded(text), "")
        return self._mark_numbers.get(written, -1)

    @cached_property
    def _mark_numbers(self) -> dict[str, int]:
        return {mark: number for number, mark in enumerate(self.marks)}

    def mark_of(self, guess: str, secret: str) -> str:
        """The mark of a guess against a secret."""
        row, column = self.numbers[guess], self.secret_numbers[secret]
        return self.marks[int(self.table[row, column])]


def _folded(text: str) -> str:
    return "".join(plain(text).split()).casefold()


def _readings(texts: Iterable[str]) -> dict[str, str]:
    """Meanings of texts without spaces and capitals; ambiguous ones are left out."""
    readings: dict[str, str] = {}
    doubles = set()
    for text in texts:
        if readings.setdefault(_folded(text), text) != text:
            doubles.add(_folded(text))
    return {folded: text for folded, text in readings.items() if folded not in doubles}


def _check_texts(name: str, role: str, texts: tuple[str, ...]) -> None:
    seen = set()
    for text in texts:
        if not text or text != text.strip() or len(text) > MAX_TEXT or not text.isprintable():
            raise InputError(
                "{name}: the {role} {text} must be a text of 1 to {most} characters in one line, "
                "without spaces around it",
                name=name,
                role=role,
                text=quoted(text),
                most=MAX_TEXT,
            )
        if text in seen:
            raise InputError(
                "{name}: two values of a {role} are both written {text}; give write_guess and "
                "write_mark that tell them apart",
                name=name,
                role=role,
                text=quoted(text),
            )
        seen.add(text)
