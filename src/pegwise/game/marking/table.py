"""Marks of a table: texts, one for each guess and secret."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pegwise.errors import MarkError, Phrase
from pegwise.game.marking.base import Marking
from pegwise.game.marks import Mark, WrittenMark
from pegwise.game.signs import shown
from pegwise.game.table import TextTable


class TableMarks(Marking):
    """The marks of a table that a game brings."""

    def __init__(self, codes: TextTable) -> None:
        self.game, self.pegs, self.codes = str(codes), codes.n_letters, codes

    @cached_property
    def legal(self) -> tuple[Mark, ...]:
        return tuple(map(WrittenMark, self.codes.marks))

    def mark(self, guess: Any, secret: Any) -> Mark:
        texts = self.codes.check(str(guess)), self.codes.check(str(secret), secret=True)
        return WrittenMark(self.codes.mark_of(*texts))

    def of(self, value: Any) -> Mark:
        mark: Any = self.from_text(value) if isinstance(value, str) else tuple(value)
        number = self.numbers.get(mark)
        if number is None:
            raise self.unreadable(str(value))
        return self.legal[number]

    def from_text(self, text: str) -> Mark | None:
        """The mark that is written so; None for none."""
        number = self.codes.mark_number(text)
        return None if number < 0 else self.legal[number]

    def why_impossible(self, wrong: Mark) -> Phrase:  # noqa: ARG002
        return Phrase("it is not one of its marks")

    def unreadable(self, text: str) -> MarkError:
        return MarkError(
            "{text} is not a mark of {game}; its marks: {marks}{more}",
            text=shown(text),
            game=self.game,
            marks=", ".join(map(str, self.legal[:10])),
            more=", ..." if len(self.legal) > 10 else "",
        )

    @property
    def form(self) -> Phrase:
        return Phrase("as the game writes it")

    @property
    def signs(self) -> Phrase:
        return Phrase("as the game writes it")

    @property
    def prompt(self) -> Phrase:
        return Phrase("Mark as the game writes it")

    @property
    def examples(self) -> tuple[str, str]:
        return "...", "..."

    @property
    def listed(self) -> tuple[Mark, ...]:
        return self.legal

    def split(self, text: str) -> tuple[str, str]:
        """Guess and mark of a turn, set apart by its last `=`."""
        guess, _, mark = text.rpartition("=")
        return guess, mark

    @property
    def holds_equals(self) -> bool:
        return True

    def counts(self, mark: Mark) -> tuple[int, ...]:  # noqa: ARG002
        return ()

    def to_row(self, mark: Mark) -> tuple[int, ...]:
        """The number of a mark in two bytes, the first the higher one."""
        return divmod(self.numbers[mark], 256)

    def from_row(self, row: Sequence[int]) -> Mark:
        return self.legal[256 * row[0] + row[1]]
