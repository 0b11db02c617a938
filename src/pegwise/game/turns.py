"""Turns: a guess with its mark each, in the order in which they were played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from pegwise.errors import Sign
from pegwise.game.codes import Code
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.hooks import Drawable, picture

Turns = Iterable[tuple[Any, Any] | str]
"""A history: a guess and its mark each; on a board also as they are written (`AABB=XO`)."""


BETWEEN: Final = " | "
"""The sign between the marks, or the secrets, of two boards."""


class Marks(tuple[Any, ...]):
    """The marks of one guess, board by board; None for a board that was solved before."""

    __slots__ = ()

    def __str__(self) -> str:
        return BETWEEN.join(str(mark) for mark in self if mark is not None)


class Secrets(tuple[Any, ...]):
    """The secrets of a game, board by board."""

    __slots__ = ()

    def __str__(self) -> str:
        return BETWEEN.join(map(str, self))


class Turn(NamedTuple):
    """A guess with its mark; where several secrets are sought at once, with `Marks`.

    Examples:
        >>> turns = pegwise.Record.of_turns("4x6", "AABB=XO").turns
        >>> print(turns[0].guess, turns[0].mark)
        AABB XO
    """

    guess: Code
    mark: Mark

    @classmethod
    def of_boards(cls, guess: Any, marks: Sequence[Any]) -> Turn:
        """A guess with its mark on each board."""
        return cls(guess, marks[0] if len(marks) == 1 else Marks(marks))  # type: ignore[arg-type]

    @property
    def marks(self) -> Marks:
        """The mark on each board, of one board too."""
        return self.mark if isinstance(self.mark, Marks) else Marks((self.mark,))

    def __str__(self) -> str:
        return f"{self.guess}={self.mark}"

    def _repr_html_(self) -> str | None:
        return picture(self)


Sign.register(Code)
Sign.register(Mark)
Sign.register(PlacedMark)
Sign.register(PartialMark)
Sign.register(Turn)


class Played(list[Turn], Drawable):
    """The turns of a game in order; in a notebook they show themselves as a board."""
