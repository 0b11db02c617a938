"""Black and white pegs, as in Mastermind, and black pegs alone."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import index
from typing import Any, ClassVar

import numpy as np

from pegwise.arrays import U16, Bools
from pegwise.errors import MarkError, Phrase, quoted
from pegwise.game.codes import Code
from pegwise.game.marking.base import BoardMarking, SignColumns
from pegwise.game.marks import Mark, PartialMark, mark
from pegwise.game.signs import shown


class Pegs(BoardMarking):
    """Black for each peg right in color and place, white for each peg right in color only."""

    reasoned = "counts"
    black_only: ClassVar[bool] = False
    by_kernels = True

    @cached_property
    def legal(self) -> tuple[Mark, ...]:
        """Every mark with at most `pegs` pegs, ordered by black, then white; the last one wins.

        `pegs - 1` black and one white is left out: the last peg would be right in color, and only
        its own hole is left. (A small board may lack some of the others too.)
        """
        pegs = self.pegs
        return tuple(
            Mark(black, white)
            for black in range(pegs + 1)
            for white in range(pegs + 1 - black)
            if (black, white) != (pegs - 1, 1)
        )

    def mark(self, guess: Any, secret: Any) -> Mark:
        return mark(guess, secret, black_only=self.black_only)

    def many(self, guess: Sequence[int], codes: SignColumns) -> U16:
        right: Bools = codes.columns == np.array(guess, np.uint8)[:, None]
        keys = right.sum(axis=0, dtype=np.int32) * (self.pegs + 1)
        signs = [*guess]
        for sign in set(signs).intersection(codes.counts):
            keys += np.minimum(codes.counts[sign], signs.count(sign))
        numbers: U16 = self._number_of_key[keys]
        return numbers

    @cached_property
    def _number_of_key(self) -> U16:
        """Numbers of marks by black times pegs + 1, and black and white together."""
        numbers = np.zeros((self.pegs + 1) ** 2, np.uint16)
        for number, (black, white) in enumerate(self.legal):
            numbers[black * (self.pegs + 1) + black + white] = number
        return numbers

    def of_numbers(self, numbers: Any) -> Mark:
        return Mark(*map(index, numbers))

    @property
    def form_of_numbers(self) -> Phrase:
        return Phrase("whole numbers (black, white)")

    def of_counts(self, black: int, common: int) -> Mark:
        """The mark with `black` pegs in place and `common` pegs right in color in all."""
        return Mark(black, common - black)

    def by_mark(self, sizes: Mapping[tuple[int, int], int]) -> dict[Mark, int]:
        """The sizes of parts by their mark, in order, from those by the arguments of `of_counts`.

        Empty ones are left out.
        """
        parts = Counter[Mark]()
        for counts, size in sizes.items():
            parts[self.of_counts(*counts)] += size
        return {mark: parts[mark] for mark in self.legal if parts[mark]}

    def completions(self, mark: Mark) -> tuple[Mark, ...]:
        if not isinstance(mark, PartialMark):
            return super().completions(mark)
        return tuple(
            each
            for each in self.legal
            if mark.noted_black in (None, each.black) and mark.total in (None, sum(each))
        )

    def exchanged(self, mark: Mark) -> Mark | None:
        if mark.partial or Mark(mark.white, mark.black) not in self.numbers:
            return None
        return Mark(mark.white, mark.black)

    def exclusive(self, mark: Mark) -> Mark | None:
        if mark.partial or mark.white < mark.black:
            return None
        return Mark(mark.black, mark.white - mark.black)

    def can_give(self, guess: Code, mark: Mark) -> bool:
        """Whether a guess can get a mark from some code of enough other colors.

        With n pegs not in their places, and k of the most frequent color among these, at most
        2 * (n - k) are right in color: each copy of this color goes to a place of another one.
        """
        if mark not in self.numbers:
            return False
        misplaced = self.pegs - mark.black
        often = Counter(guess).values()
        # the pegs in place are of the most frequent colors, so that k is as small as can be
        k = next(k for k in range(self.pegs + 1) if sum(max(n - k, 0) for n in often) <= mark.black)
        return mark.white <= min(misplaced, 2 * (misplaced - k))

    def why_impossible(self, wrong: Mark) -> Phrase:
        pegs = self.pegs
        if sum(wrong) > pegs:
            return Phrase(
                "{marked} pegs marked, but a code of {rules} has {pegs}",
                marked=sum(wrong),
                rules=self.game,
                pegs=pegs,
            )
        return Phrase(
            "with {placed} of {pegs} pegs in place, a last peg of the right color would be in "
            "place too",
            placed=pegs - 1,
            pegs=pegs,
        )

    def unreadable(self, text: str) -> MarkError:
        if (words := self.words) is not None:
            several = words.write(self.pegs - 1, 0) if words.white is None else words.write(1, 1)
            return MarkError(
                "cannot read mark {text}: write it as in {several}, or {nothing} where nothing is "
                "right",
                text=shown(text),
                several=several,
                nothing=words.nothing,
            )
        letters = [sign for sign in text if sign.isalpha()]
        if sum(not unicodedata.name(sign, "").startswith("LATIN") for sign in letters) > 1:
            return MarkError(
                "cannot read mark {text}: words of its language are not read; write X for each "
                "black and O for each white (XXO), or counts (2b1w, 2 1)",
                text=quoted(text),
            )
        return MarkError(
            "cannot read mark {text}: write X for each black and O for each white (XXO), "
            "counts (2b1w, 2 1), or - for none",
            text=shown(text),
        )

    @property
    def form(self) -> Phrase:
        return Phrase("up to {pegs} pegs", pegs=self.pegs)

    @property
    def signs(self) -> Phrase:
        if self.words is None:
            return self._plain_signs
        black, white = self.words.singular
        if not white:
            return Phrase("{word} with the number of pegs in their place", word=black)
        return Phrase(
            "{black} for each peg in its place, {white} for each peg right in color only",
            black=black,
            white=white,
        )

    @property
    def _plain_signs(self) -> Phrase:
        return Phrase("X for each peg in its place, O for each peg right in color only")

    @property
    def prompt(self) -> Phrase:
        if self.words is None:
            return self._plain_prompt
        shown = self.words.write(*self.counts(Mark(2, 1)))
        return Phrase("Mark: {shown}, or {nothing}", shown=shown, nothing=self.words.nothing)

    @property
    def _plain_prompt(self) -> Phrase:
        return Phrase("Mark: XXO, 2b1w or 2 1, - for none")

    @property
    def examples(self) -> tuple[str, str]:
        return "XX", "X"

    def counts(self, mark: Mark) -> tuple[int, ...]:
        return mark.black, mark.white

    @property
    def impossible(self) -> tuple[str, ...]:
        return (str(Mark(self.pegs - 1, 1)),)


class BlackPegs(Pegs):
    """Black for each peg right in color and place, and nothing else."""

    name = "black"
    reasoned = "blacks"
    label = Phrase("how many are exact")
    about = (Phrase("only black marks"),)
    turn = Phrase("Turn {n} has {black} in place.")
    black_only = True

    @cached_property
    def legal(self) -> tuple[Mark, ...]:
        return tuple(Mark(black) for black in range(self.pegs + 1))

    def many(self, guess: Sequence[int], codes: SignColumns) -> U16:
        right: Bools = codes.columns == np.array(guess, np.uint8)[:, None]
        numbers: U16 = right.sum(axis=0, dtype=np.uint16)
        return numbers

    def can_give(self, guess: Code, mark: Mark) -> bool:  # noqa: ARG002
        return mark in self.numbers

    def of_counts(self, black: int, common: int) -> Mark:  # noqa: ARG002
        return Mark(black)

    def completions(self, mark: Mark) -> tuple[Mark, ...]:
        if isinstance(mark, PartialMark) and mark.total is not None:
            return ()
        return super().completions(mark)

    def exchanged(self, mark: Mark) -> Mark | None:  # noqa: ARG002
        return None

    def exclusive(self, mark: Mark) -> Mark | None:  # noqa: ARG002
        return None

    def why_impossible(self, wrong: Mark) -> Phrase:
        if sum(wrong) <= self.pegs and wrong.white:
            return Phrase("{rules} gives only black marks", rules=self.game)
        return super().why_impossible(wrong)

    @property
    def form(self) -> Phrase:
        return Phrase("up to {pegs} black pegs", pegs=self.pegs)

    @property
    def _plain_signs(self) -> Phrase:
        return Phrase("X for each peg in its place")

    @property
    def _plain_prompt(self) -> Phrase:
        return Phrase("Mark: XX or 2, - for none")

    def counts(self, mark: Mark) -> tuple[int, ...]:
        return (mark.black,)

    @property
    def impossible(self) -> tuple[str, ...]:
        return ()
