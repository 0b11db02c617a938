"""Marks: the answer to a guess, by its plain definition, and how it is written.

`trees.verify` and every stored certificate are checked by `mark` alone. So it stays the textbook
definition and never uses a kernel.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.errors import CodeError, MarkError, Phrase, UnknownNameError, quoted
from pegwise.game.codes import HOLE
from pegwise.game.rules import Rules, as_rules
from pegwise.hooks import paint

MARK_NOTATIONS = ("pegs", "discs", "counts", "pair")

_NOTHING = {"-", "0", "none", "nothing", "rien", "aucun"}
_NUMBER = "([0-9]{1,4})"
# how black and white are called: a lone `b` is black, `2n1b` and `1A2B` are read as they are meant
_WORDS = (
    ("b|blacks?|bulls?", "w|whites?|c|cows?"),
    ("n|noirs?|t|taureaux?", "b|blancs?|v|vaches?"),
    ("a", "b"),
)
_COUNTED = [
    re.compile(
        rf"(?:{_NUMBER}\s*(?:{black}))?\s*(?:,|and|et)?\s*(?:{_NUMBER}\s*(?:{white}))?",
        re.IGNORECASE,
    )
    for black, white in _WORDS
]
_PAIR = re.compile(rf"{_NUMBER}\s*[,;:+\s]\s*{_NUMBER}")
_BRACKETS = {"()", "[]"}
_BLACK_SIGNS = "xX●⚫"
_WHITE_SIGNS = "oO○⚪⚬"
_EMPTY = "."
_VARIATION_SELECTOR = "\N{VARIATION SELECTOR-16}"


class _Counts(NamedTuple):
    black: int
    white: int = 0


class Mark(_Counts):
    """The answer to a guess.

    Attributes:
        black: pegs right in color and place.
        white: pegs right in color only.

    Raises:
        MarkError: a count below 0.
    """

    __slots__ = ()

    def __new__(cls, black: int, white: int = 0) -> Mark:
        if black < 0 or white < 0:
            raise MarkError(
                "mark {mark} cannot happen: a count of pegs is 0 or more",
                mark=quoted((black, white)),
            )
        return tuple.__new__(cls, (black, white))

    def __str__(self) -> str:
        return self.write()

    def _repr_html_(self) -> str | None:
        return paint("mark", self)

    def write(self, notation: str = "pegs") -> str:
        """The mark as `pegs` (XXO), `discs` (●●○), `counts` (2b1w) or `pair` ((2, 1)).

        Raises:
            UnknownNameError: an unknown notation.
        """
        black, white = self
        match notation:
            case "pegs":
                return "X" * black + "O" * white or "-"
            case "discs":
                return "●" * black + "○" * white or "-"
            case "counts":
                return f"{black}b{white}w"
            case "pair":
                return f"({black}, {white})"
        raise UnknownNameError.of("notation", notation, MARK_NOTATIONS)


def mark(guess: Sequence[int], secret: Sequence[int], *, black_only: bool = False) -> Mark:
    """The mark of a guess against a secret, by the definition.

    Black pegs are right in color and place. Each color is right in all as often as it stands in
    both codes; what of this is not black is white (Knuth 1976, section 1).

    Raises:
        CodeError: codes of different lengths.
    """
    if len(guess) != len(secret):
        raise CodeError(
            "a guess of {n_guess} pegs against a secret of {n_secret}",
            n_guess=len(guess),
            n_secret=len(secret),
        )
    black = sum(map(operator.eq, guess, secret))
    if black_only:
        return Mark(black)
    common = Counter(g for g in guess if g != HOLE) & Counter(secret)
    return Mark(black, common.total() - black)


def mark_pairs(guesses: U8, secrets: U8, *, black_only: bool = False) -> tuple[I64, I64]:
    """The same definition for many pairs: black and white of each row against its row.

    Args:
        guesses: uint8 (n, pegs).
        secrets: uint8 (n, pegs).
        black_only: leave white at 0.

    Returns:
        Black and white, each int64 (n).
    """
    black = (guesses == secrets).sum(axis=1)
    if black_only:
        return black, np.zeros_like(black)
    common = np.zeros_like(black)
    for color in range(int(secrets.max(initial=0)) + 1):
        common += np.minimum((guesses == color).sum(axis=1), (secrets == color).sum(axis=1))
    return black, common - black


@lru_cache(maxsize=256)
def legal_marks(rules: Rules) -> tuple[Mark, ...]:
    """Every mark with at most `pegs` pegs, ordered by black, then white; the last one wins.

    `pegs - 1` black and one white is left out: the last peg would be right in color, and only
    its own hole is left. (A small board may lack some of the others too.)
    """
    pegs = rules.pegs
    if rules.black:
        return tuple(Mark(black) for black in range(pegs + 1))
    return tuple(
        Mark(black, white)
        for black in range(pegs + 1)
        for white in range(pegs + 1 - black)
        if (black, white) != (pegs - 1, 1)
    )


def parse_mark(text: str, rules: Rules | str) -> Mark:
    """Read a mark: `XXO`, `xxo`, `●●○`, `2b1w`, `(2, 1)`, `2 1`, `21`; `-`, `0`, `none` or `rien`.

    Dots may fill up the signs (`XXO.`). Counts may have words (`2 blacks 1 white`, `1 bull 2
    cows`, `1A2B`, `2n1b`). With only black marks one number is enough, and two digits are one
    number.

    Args:
        text: the mark.
        rules: of the board, also as they are written.

    Raises:
        MarkError: quotes the text and says what may be written, or why the mark cannot happen,
            with the nearest marks that can.
    """
    rules = as_rules(rules)
    counts = _read_counts(text.strip(), rules)
    if counts is None:
        raise MarkError(
            "cannot read mark {text}: write X for each black and O for each white (XXO), "
            "counts (2b1w, 2 1), or - for none",
            text=quoted(text),
        )
    return _legal(counts, quoted(text), rules)


def check_mark(mark: Sequence[int] | str, rules: Rules) -> Mark:
    """The mark (black, white), or that of a text, if it can happen; MarkError if not."""
    if isinstance(mark, str):
        return parse_mark(mark, rules)
    try:
        counts = Mark(*map(operator.index, mark))
    except TypeError:
        raise MarkError(
            "{mark} is not a mark: give whole numbers (black, white), or a text such as XXO",
            mark=quoted(mark),
        ) from None
    return _legal(counts, quoted(tuple(counts)), rules)


def _legal(mark: Mark, shown: str, rules: Rules) -> Mark:
    if mark in legal_marks(rules):
        return mark
    raise MarkError(
        "mark {shown} cannot happen: {why}; nearest possible: {proposals}",
        shown=shown,
        why=_why_impossible(mark, rules),
        proposals=", ".join(map(str, nearest_marks(mark, rules))),
    )


def nearest_marks(wrong: Mark, rules: Rules, count: int = 3) -> list[Mark]:
    """The legal marks that differ least from a wrong one, by pegs changed."""

    def distance(mark: Mark) -> tuple[int, int]:
        difference = abs(mark.black - wrong.black) + abs(mark.white - wrong.white)
        return pegs_changed(wrong, mark), difference

    return sorted(legal_marks(rules), key=distance)[:count]


def pegs_changed(before: Mark, after: Mark) -> int:
    """How many pegs are put, taken away or exchanged to turn a mark into another."""
    black, white = after.black - before.black, after.white - before.white
    return max(abs(black), abs(white), abs(black + white))


def _read_counts(text: str, rules: Rules) -> Mark | None:
    """Black and white as written, or None where the text is no mark at all."""
    text = text.replace(_VARIATION_SELECTOR, "")
    if text.lower() in _NOTHING:
        return Mark(0)
    signs = "".join(text.split())
    if signs and not set(signs) - set(_BLACK_SIGNS + _WHITE_SIGNS + _EMPTY):
        return Mark(*(sum(map(signs.count, kind)) for kind in (_BLACK_SIGNS, _WHITE_SIGNS)))
    for pattern in _COUNTED:
        if (counted := pattern.fullmatch(text)) and any(counted.groups()):
            return Mark(int(counted[1] or 0), int(counted[2] or 0))
    bare = text[1:-1].strip() if text[:1] + text[-1:] in _BRACKETS else text
    if pair := _PAIR.fullmatch(bare):
        return Mark(int(pair[1]), int(pair[2]))
    if rules.black and re.fullmatch(_NUMBER, text):
        return Mark(int(text))
    if re.fullmatch("[0-9][0-9]", text):
        return Mark(int(text[0]), int(text[1]))
    return None


def _why_impossible(wrong: Mark, rules: Rules) -> Phrase:
    pegs = rules.pegs
    if sum(wrong) > pegs:
        return Phrase(
            "{marked} pegs marked, but a code of {rules} has {pegs}",
            marked=sum(wrong),
            rules=rules,
            pegs=pegs,
        )
    if rules.black and wrong.white:
        return Phrase("{rules} gives only black marks", rules=rules)
    return Phrase(
        "with {placed} of {pegs} pegs in place, a last peg of the right color would be in place "
        "too",
        placed=pegs - 1,
        pegs=pegs,
    )
