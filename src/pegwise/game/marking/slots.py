"""A mark for every place that uses no color up: each place tells of its own color alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from pegwise.arrays import I32, U16
from pegwise.errors import Phrase
from pegwise.game.codes import HOLE, Code, code_beside
from pegwise.game.marking.base import SignColumns
from pegwise.game.marking.places import Places
from pegwise.game.marks import Mark, PlacedMark


class Slots(Places):
    """For every place 2 where it is right, 1 where the secret has the color elsewhere, else 0.

    Unlike `placed` marks, a color is marked at every place that has it, however often the secret
    has it: `AABC` against `ABCD` is marked 2, 1, 1, 1.
    """

    name = "slots"
    label = Phrase("each place: right, elsewhere, absent; no color is used up")
    about = (Phrase("a mark for every place, which uses no color up"),)
    used_up = False
    reasoned = ""

    @cached_property
    def legal(self) -> tuple[Mark, ...]:
        """Every mark, as numbers of base 3; the last one wins. One peg has no other place."""
        marks = product((0, 1, 2) if self.pegs > 1 else (0, 2), repeat=self.pegs)
        return tuple(map(PlacedMark, marks))

    def mark(self, guess: Any, secret: Any) -> Mark:
        guess, secret = code_beside(guess, secret), code_beside(secret, guess)
        return PlacedMark(
            2 if peg == own else int(peg != HOLE and peg in secret)
            for peg, own in zip(guess, secret, strict=True)
        )

    def many(self, guess: Sequence[int], codes: SignColumns) -> U16:
        columns, counts = codes
        keys: I32 = np.zeros(columns.shape[1], np.int32)
        for digit, column, sign in zip(self._digits, columns, guess, strict=True):
            right = column == sign
            there = counts[sign] > 0 if sign in counts else np.False_
            keys += digit * (2 * right + (there & ~right))
        numbers: U16 = self._number_of_key[keys]
        return numbers

    def can_give(self, guess: Code, mark: Mark) -> bool:
        """A color that is absent at one place is so at all, and so is one that is there."""
        told = [(peg, place > 0) for peg, place in zip(guess, mark, strict=True)]
        there = dict(told)
        settled = {peg for peg, place in zip(guess, mark, strict=True) if place == 2}
        elsewhere = {peg for peg, is_there in there.items() if is_there} - settled
        free = [peg for peg, place in zip(guess, mark, strict=True) if place < 2]
        return all(there[peg] == is_there for peg, is_there in told) and len(elsewhere) <= len(free)

    @property
    def impossible(self) -> tuple[str, ...]:
        return ("Y",) if self.pegs == 1 else ()

    def why_impossible(self, wrong: Mark) -> Phrase:  # noqa: ARG002
        return Phrase("the only peg has no other place")

    @property
    def signs(self) -> Phrase:
        return Phrase(
            "for each place G where it is right, Y where the code has its color elsewhere, - if not"
        )
