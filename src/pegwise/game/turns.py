"""Turns: a guess with its mark each, in the order in which they were played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from pegwise.errors import Sign
from pegwise.game.codes import Code
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.plugins import Drawable, picture

Turns = Iterable[tuple[Any, Any] | str]
"""A history: a guess and its mark each; on a board also as they are written (`AABB=XO`)."""


class Turn(NamedTuple):
    """A guess with its mark."""

    guess: Code
    mark: Mark

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
