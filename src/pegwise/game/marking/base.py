"""What every marking has: it marks a guess, and knows its marks and how they are written.

Whoever holds a game asks its marking, and need not know which kind of marks are given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import I16, I32, U8, U16, Bools, MarkNumber
from pegwise.errors import MarkError, Phrase, RulesError, quoted
from pegwise.game.codes import Code
from pegwise.game.marks import Cell, Mark, PartialMark, pegs_changed
from pegwise.game.named import MarkWords

_DISCS: Final = frozenset("●○⚪⚫⚬⬛🟨🟩")  # a text with one of them is a mark of discs


class SignColumns(NamedTuple):
    """The signs of n codes, as marking reads them."""

    columns: U8  # (pegs, n)
    counts: dict[int, I16]  # by sign, how often each code has it, (n)

    @classmethod
    def of(cls, signs: U8) -> SignColumns:
        """Of codes, (n, pegs)."""
        columns = np.ascontiguousarray(signs.T)
        return cls(
            columns,
            {sign: (columns == sign).sum(0, np.int16) for sign in np.unique(signs).tolist()},
        )

    def some(self, codes: I32) -> SignColumns:
        """Of these codes only."""
        counts = {sign: count[codes] for sign, count in self.counts.items()}
        return SignColumns(self.columns[:, codes], counts)


class Marking(ABC):
    """How a guess is answered: the marks of a game, how they are written, and what they tell.

    Attributes:
        name: the flag of rules that asks for it; empty where none is needed.
        reasoned: what people reason with: the `counts` of a mark, its `blacks` alone, or what it
            says of `places`; empty where there are no steps for it.
        game: the text that names the game, for messages.
        pegs: length of a code.
        words: the words of its own in which the game writes marks, if any.
        cells: the ways to mark a place, by number, where each place is marked; else none.
        label: what one chooses who chooses these marks.
        used_up: whether a peg of the secret answers one peg of the guess alone.
        about: what is to be said of the marks beside the codes, if anything.
        turn: the sentence on a turn, by its number `{n}`, with the pegs that are `{right}` in
            color, `{black}` and `{white}` pegs.
    """

    name: ClassVar[str] = ""
    reasoned: ClassVar[str] = ""
    game: str
    pegs: int
    words: MarkWords | None = None
    cells: ClassVar[tuple[Cell, ...]] = ()
    label: ClassVar[Phrase] = Phrase("how many are exact, how many misplaced")
    used_up: ClassVar[bool] = True
    about: ClassVar[tuple[Phrase, ...]] = ()
    turn: ClassVar[Phrase] = Phrase("Turn {n} has {right}: {black} in place, {white} elsewhere.")

    # marks

    @cached_property
    @abstractmethod
    def legal(self) -> tuple[Mark, ...]:
        """Every mark, in the order of their numbers; the last one is the winning mark."""

    @property
    def winning(self) -> Mark:
        """The mark of the guess that is the secret."""
        return self.legal[-1]

    @cached_property
    def numbers(self) -> Mapping[Mark, MarkNumber]:
        """The number of each mark."""
        return {mark: number for number, mark in enumerate(self.legal)}

    @abstractmethod
    def mark(self, guess: Any, secret: Any) -> Mark:
        """The mark of a guess against a secret, by the plain definition."""

    # marks as values

    @abstractmethod
    def of(self, value: Any) -> Mark:
        """The mark of numbers, of a mark, or of the text that one is printed as.

        MarkError: no mark, or one that cannot happen. `pegwise.reading` reads all other texts.
        """

    def number(self, value: Any) -> MarkNumber:
        """The number of a mark; errors as `of`, and for one that was noted in part."""
        mark = self.of(value)
        if isinstance(mark, PartialMark):
            raise MarkError("the mark {mark} is not noted in full", mark=mark)
        return self.numbers[mark]

    @cached_property
    def printed(self) -> Mapping[str, Mark]:
        """The marks by the text that each is printed as."""
        return {str(mark): mark for mark in self.legal}

    def completions(self, mark: Mark) -> tuple[Mark, ...]:
        """The marks that one may be: several where it was noted in part, none where it is wrong."""
        return (mark,) if mark in self.numbers else ()

    def agrees(self, noted: Mark, true: Mark) -> bool:
        """Whether a mark is the true one, as far as it was noted."""
        return noted == true or (noted.partial and true in self.completions(noted))

    def exchanged(self, mark: Mark) -> Mark | None:  # noqa: ARG002
        """The mark with black and white exchanged, as when they were mixed up; None where none."""
        return None

    def exclusive(self, mark: Mark) -> Mark | None:  # noqa: ARG002
        """The mark if its second number includes the first; None where it cannot."""
        return None

    def nearest(self, wrong: Mark, count: int = 3) -> list[Mark]:
        """The legal marks that differ least from a wrong one, by pegs changed."""

        def distance(mark: Mark) -> tuple[int, int]:
            difference = abs(mark.black - wrong.black) + abs(mark.white - wrong.white)
            return pegs_changed(wrong, mark), difference

        return sorted(self.legal, key=distance)[:count]

    def check(self, mark: Mark, shown: str) -> Mark:
        """The mark if it can happen; else a MarkError that shows it as it was written."""
        if self.completions(mark):
            return mark
        if mark.partial:
            raise MarkError(
                "mark {shown} cannot happen: the marks of {rules} are {form}",
                shown=shown,
                rules=self.game,
                form=self.form,
            )
        notation = "pegs" if _DISCS.isdisjoint(shown) else "discs"
        raise MarkError(
            "mark {shown} cannot happen: {why}; nearest possible: {proposals}",
            shown=shown,
            why=self.why_impossible(mark),
            proposals=", ".join(self.write(near, notation) for near in self.nearest(mark)),
        )

    def can_give(self, guess: Code, mark: Mark) -> bool:  # noqa: ARG002
        """Whether some code, which need not be one of the game, gives this mark to a guess."""
        return mark in self.numbers

    @abstractmethod
    def why_impossible(self, wrong: Mark) -> Phrase:
        """The reason why a mark cannot happen."""

    # marks as people write them

    def write(self, mark: Mark, notation: str = "pegs") -> str:
        """A mark in the words of the game, if it has some, else in a notation."""
        if self.words is None or mark.partial:
            return mark.write(notation)
        return self.words.write(mark.black, mark.white)

    def from_text(self, text: str) -> Mark | None:  # noqa: ARG002
        """The mark that a game with marks of its own writes so; None for none."""
        return None

    @abstractmethod
    def unreadable(self, text: str) -> MarkError:
        """The error of a text that is no mark."""

    @property
    @abstractmethod
    def form(self) -> Phrase:
        """What marks look like, for messages: `up to 4 pegs`."""

    @property
    @abstractmethod
    def signs(self) -> Phrase:
        """How a mark is written, sign by sign."""

    @property
    @abstractmethod
    def prompt(self) -> Phrase:
        """What asks for a mark, with examples."""

    @property
    @abstractmethod
    def examples(self) -> tuple[str, str]:
        """Two short marks."""

    @property
    def listed(self) -> tuple[Mark, ...]:
        """The marks, where people cannot know them from rules; else none."""
        return ()

    def split(self, text: str) -> tuple[str, str]:
        """Guess and mark of a turn, set apart by its first `=`."""
        guess, _, mark = text.partition("=")
        return guess, mark

    @property
    def holds_equals(self) -> bool:
        """Whether a mark may have a `=` in it."""
        return self.words is not None

    # marks as they are told

    @abstractmethod
    def counts(self, mark: Mark) -> tuple[int, ...]:
        """The numbers of pegs that a mark tells: black, or black and white; none of a table."""

    def places(self, mark: Mark) -> Sequence[int]:  # noqa: ARG002
        """For each place 2 where a mark says that it is right, 1 elsewhere, 0 absent; else none."""
        return ()

    @property
    def counted(self) -> str:
        """The signs that are counted: `XO`, or `X` for black alone; none where nothing is."""
        return "" if self.cells else "XO"[: len(self.counts(self.winning))]

    def cell(self, sign: str) -> Cell:
        """The way to mark a place that is written by this sign."""
        return next(cell for cell in self.cells if cell.sign == sign)

    @property
    def impossible(self) -> tuple[str, ...]:
        """What is written as marks are, with no more pegs than there are, and cannot happen."""
        return ()

    @property
    def worded(self) -> bool:
        """Whether marks are shown as texts: those of a table, and those in words of the game."""
        return self.words is not None or not (self.cells or self.counted)

    # marks as they are stored

    @property
    def width(self) -> int:
        """How many bytes a stored mark has."""
        return 2

    def to_row(self, mark: Mark) -> tuple[int, ...]:
        """A mark as it is stored, bytes."""
        return mark.black, mark.white

    def from_row(self, row: Sequence[int]) -> Mark:
        """The mark of stored bytes."""
        return Mark(*row)

    def to_rows(self, marks: Iterable[Mark]) -> U8:
        """Marks as they are stored, uint8 (n, width)."""
        rows = np.array([*map(self.to_row, marks)], np.uint8)
        return rows.reshape(-1, self.width)


class BoardMarking(Marking):
    """A marking of codes with pegs: of boards, and of words.

    `widest` is the largest number of pegs that it is for. `by_kernels` tells that kernels and
    closed forms of boards mark so.
    """

    widest: ClassVar[int] = 16
    by_kernels: ClassVar[bool] = False

    def __init__(self, game: str, pegs: int, words: MarkWords | None = None) -> None:
        self.game, self.pegs, self.words = game, pegs, words
        if pegs > self.widest:
            raise RulesError(
                "marks by place are for at most {most} pegs, not {pegs}",
                most=self.widest,
                pegs=pegs,
            )

    def of(self, value: Any) -> Mark:
        if isinstance(value, PartialMark):
            return self.check(value, quoted(str(value)))
        if isinstance(value, str) and value in self.printed:
            return self.printed[value]
        try:
            read = self.of_numbers(value)
        except TypeError:
            raise MarkError(
                "{mark} is not a mark: give {form}, or a text such as {example}",
                mark=quoted(value),
                form=self.form_of_numbers,
                example=self.legal[-2],
            ) from None
        return self.check(read, quoted(tuple(read)))

    @abstractmethod
    def many(self, guess: Sequence[int], codes: SignColumns) -> U16:
        """The marks of a guess, by its signs, against n codes, by number: uint16 (n)."""

    def uses(self, guess: Sequence[int], mark: Mark, codes: SignColumns) -> Bools:
        """Which of n codes use what a turn told, as hard rules ask: those that fit it."""
        return np.equal(self.many(guess, codes), self.numbers[mark])

    @abstractmethod
    def of_numbers(self, numbers: Any) -> Mark:
        """The mark of these numbers, which may be impossible; TypeError for what are none."""

    @property
    @abstractmethod
    def form_of_numbers(self) -> Phrase:
        """The numbers that are a mark, for messages."""
