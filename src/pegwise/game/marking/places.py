"""A mark for every place, as in Wordle: right, elsewhere, or absent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from operator import index
from typing import Any

import numpy as np

from pegwise.arrays import I32, U16, Bools
from pegwise.errors import MarkError, Phrase
from pegwise.game.codes import Code
from pegwise.game.marking.base import BoardMarking, SignColumns
from pegwise.game.marks import CELLS, Mark, PartialMark, PlacedMark, placed_mark
from pegwise.game.signs import shown


class Places(BoardMarking):
    """For every place 2 where it is right, 1 where the color is elsewhere, 0 where it is absent.

    A color is marked as often as the secret has it, from the first place on.
    """

    name = "placed"
    reasoned = "places"
    cells = CELLS
    label = Phrase("each place: right, elsewhere, absent")
    about = (Phrase("a mark for every place"),)
    turn = Phrase("Turn {n}: {black} right, {white} elsewhere.")
    widest = 10  # there are some 3**pegs marks

    @cached_property
    def legal(self) -> tuple[Mark, ...]:
        """Every mark, as numbers of base 3; the last one wins.

        One place elsewhere and all others right is left out: the last peg has no other place.
        """
        places = (PlacedMark(marks) for marks in product(range(3), repeat=self.pegs))
        almost = (self.pegs - 1, 1)
        return tuple(mark for mark in places if (mark.black, mark.white) != almost)

    def mark(self, guess: Any, secret: Any) -> Mark:
        return placed_mark(guess, secret)

    def many(self, guess: Sequence[int], codes: SignColumns) -> U16:
        signs = [*guess]
        right: Bools = codes.columns == np.array(signs, np.uint8)[:, None]
        keys: I32 = np.zeros(right.shape[1], np.int32)
        for digit, column in zip(self._digits, right, strict=True):
            keys += 2 * digit * column
        for sign in set(signs).intersection(codes.counts):
            places = [place for place, own in enumerate(signs) if own == sign]
            rest = codes.counts[sign] - right[places].sum(axis=0, dtype=np.int16)
            for place in places:
                elsewhere = ~right[place] & (rest > 0)
                keys += elsewhere * self._digits[place]
                rest -= elsewhere
        numbers: U16 = self._number_of_key[keys]
        return numbers

    @cached_property
    def _digits(self) -> I32:
        """What a place counts in the key of a mark."""
        digits: I32 = 3 ** np.arange(self.pegs, dtype=np.int32)[::-1]
        return digits

    @cached_property
    def _number_of_key(self) -> U16:
        numbers = np.zeros(3**self.pegs, np.uint16)
        numbers[[int(np.array(mark) @ self._digits) for mark in self.legal]] = np.arange(
            len(self.legal)
        )
        return numbers

    def of_numbers(self, numbers: Any) -> Mark:
        places = [*map(index, numbers)]
        if len(places) != self.pegs or not set(places) <= {0, 1, 2}:
            raise TypeError
        return PlacedMark(places)

    @property
    def form_of_numbers(self) -> Phrase:
        return Phrase("0, 1 or 2 for each place")

    def completions(self, mark: Mark) -> tuple[Mark, ...]:
        return () if isinstance(mark, PartialMark) else super().completions(mark)

    def can_give(self, guess: Code, mark: Mark) -> bool:
        elsewhere: list[int] = []
        absent: set[int] = set()
        for color, place in zip(guess, mark, strict=True):
            if place == 1:
                if color in absent:
                    return False  # the first of equal letters are marked
                elsewhere.append(color)
            elif place == 0:
                absent.add(color)
        free = [color for color, place in zip(guess, mark, strict=True) if place < 2]
        return _settle(elsewhere, free)

    def why_impossible(self, wrong: Mark) -> Phrase:  # noqa: ARG002
        return Phrase(
            "with {placed} of {pegs} pegs in place, the last is right or absent",
            placed=self.pegs - 1,
            pegs=self.pegs,
        )

    def unreadable(self, text: str) -> MarkError:
        return MarkError(
            "cannot read mark {text}: write for each of {pegs} places G (right), Y (elsewhere) or "
            "- (absent)",
            text=shown(text),
            pegs=self.pegs,
        )

    @property
    def form(self) -> Phrase:
        return Phrase("signs for each place")

    @property
    def signs(self) -> Phrase:
        return Phrase("for each place G where it is right, Y where it stands elsewhere, - if not")

    @property
    def prompt(self) -> Phrase:
        return Phrase("Mark each place: {letters} or {digits}", letters="GY--G", digits="21002")

    @property
    def examples(self) -> tuple[str, str]:
        return "21002"[: self.pegs], "0"

    def counts(self, mark: Mark) -> tuple[int, ...]:
        return mark.black, mark.white

    def places(self, mark: Mark) -> Sequence[int]:
        return mark

    @property
    def impossible(self) -> tuple[str, ...]:
        right = range(self.pegs)
        return tuple(str(PlacedMark(1 if k == place else 2 for k in right)) for place in right)

    @property
    def width(self) -> int:
        return self.pegs

    def to_row(self, mark: Mark) -> tuple[int, ...]:
        return tuple(mark)

    def from_row(self, row: Sequence[int]) -> Mark:
        return PlacedMark(row)


def _settle(colors: Sequence[int], places: Sequence[int]) -> bool:
    """Whether each color finds a place of its own, where the guess has another one."""
    if not colors:
        return True
    first, *rest = colors
    return any(
        color != first and _settle(rest, [*places[:k], *places[k + 1 :]])
        for k, color in enumerate(places)
    )
