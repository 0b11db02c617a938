"""Marks: the answer to a guess, by its plain definition, and how it is written.

`trees.verify` and every stored certificate are checked by `mark` alone. So it stays the textbook
definition and never uses a kernel.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.errors import CodeError, MarkError, Phrase, UnknownNameError, quoted
from pegwise.game.codes import HOLE, Ruled
from pegwise.game.rules import Rules, as_rules
from pegwise.plugins import Drawable

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
_PLACE_SIGNS: Final = ("-_.0⬛⬜◻◼", "yYjJ1oO○🟨🟡", "gGvV2xX●🟩🟢")
"""How a place is marked: absent, elsewhere, right."""
_VARIATION_SELECTOR = "\N{VARIATION SELECTOR-16}"


class _Counts(NamedTuple):
    black: int
    white: int = 0


class Mark(_Counts, Drawable):
    """The answer to a guess: pegs right in color and place, and pegs right in color only.

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

    def write(self, notation: str = "pegs") -> str:
        """The mark as `pegs` (XXO), `discs` (●●○), `counts` (2b1w) or `pair` ((2, 1))."""
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


class PlacedMark(Mark):
    """The answer to a guess, for every place: 2 is right, 1 elsewhere, 0 absent."""

    __slots__ = ()

    def __new__(cls, places: Iterable[int]) -> PlacedMark:
        return tuple.__new__(cls, places)

    def __getnewargs__(self) -> tuple[tuple[int, ...]]:
        return (tuple(self),)

    def __repr__(self) -> str:
        return f"PlacedMark({tuple(self)!r})"

    @property
    def black(self) -> int:
        return self.count(2)

    @property
    def white(self) -> int:
        return self.count(1)

    def write(self, notation: str = "pegs") -> str:
        """As `pegs` (GY--G), `discs` (🟩🟨⬛⬛🟩), `counts` (21002) or `pair` ((2, 1, 0))."""
        if notation == "pair":
            return str(tuple(self))
        signs = {"pegs": "-YG", "discs": "⬛🟨🟩", "counts": "012"}
        if notation not in signs:
            raise UnknownNameError.of("notation", notation, MARK_NOTATIONS)
        return "".join(signs[notation][place] for place in self)


def mark_of(rules: Ruled, guess: Sequence[int], secret: Sequence[int]) -> Mark:
    """The mark of a guess against a secret by the rules of a game; errors as `mark`."""
    if not isinstance(rules, Rules):
        own: Mark = rules.mark_of(guess, secret)
        return own
    if rules.placed:
        return placed_mark(guess, secret)
    return mark(guess, secret, black_only=rules.black)


def placed_mark(guess: Sequence[int], secret: Sequence[int]) -> PlacedMark:
    """The mark of every place, by the definition of Wordle; CodeError for two lengths.

    A peg is right (2) where guess and secret agree. The other pegs of the guess are elsewhere (1),
    from the first on, as long as their color stands in the rest of the secret; else absent (0).
    """
    _check_lengths(guess, secret)
    rest = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    places = []
    for g, s in zip(guess, secret, strict=True):
        elsewhere = g != s and g != HOLE and rest[g] > 0
        rest[g] -= elsewhere
        places.append(2 if g == s else int(elsewhere))
    return PlacedMark(places)


def _check_lengths(guess: Sequence[int], secret: Sequence[int]) -> None:
    if len(guess) != len(secret):
        raise CodeError(
            "a guess of {n_guess} pegs against a secret of {n_secret}",
            n_guess=len(guess),
            n_secret=len(secret),
        )


def mark(guess: Sequence[int], secret: Sequence[int], *, black_only: bool = False) -> Mark:
    """The mark of a guess against a secret, by the definition; CodeError for two lengths.

    Black pegs are right in color and place. Each color is right in all as often as it stands in
    both codes; what of this is not black is white (Knuth 1976, section 1).
    """
    _check_lengths(guess, secret)
    black = sum(map(operator.eq, guess, secret))
    if black_only:
        return Mark(black)
    common = Counter(g for g in guess if g != HOLE) & Counter(secret)
    return Mark(black, common.total() - black)


def mark_pairs(guesses: U8, secrets: U8, *, black_only: bool = False) -> tuple[I64, I64]:
    """The same definition for many pairs: black and white of each row against its row.

    Guesses and secrets are uint8 (n, pegs); black and white int64 (n), white 0 if `black_only`.
    """
    # peg by peg: NumPy adds long rows much faster than short ones
    first, second = np.ascontiguousarray(guesses.T), np.ascontiguousarray(secrets.T)
    black = (first == second).sum(axis=0)
    if black_only:
        return black, np.zeros_like(black)
    common = np.zeros_like(black)
    for color in range(int(secrets.max(initial=0)) + 1):
        often = ((codes == color).sum(axis=0, dtype=np.uint8) for codes in (first, second))
        common += np.minimum(*often)
    return black, common - black


@lru_cache(maxsize=256)
def legal_marks(rules: Rules) -> tuple[Mark, ...]:
    """Every mark with at most `pegs` pegs, ordered by black, then white; the last one wins.

    `pegs - 1` black and one white is left out: the last peg would be right in color, and only
    its own hole is left. (A small board may lack some of the others too.) Marks by place are
    ordered as numbers of base 3; likewise one place elsewhere and all others right is left out.
    """
    pegs = rules.pegs
    if rules.placed:
        places = (PlacedMark(marks) for marks in product(range(3), repeat=pegs))
        return tuple(mark for mark in places if (mark.black, mark.white) != (pegs - 1, 1))
    if rules.black:
        return tuple(Mark(black) for black in range(pegs + 1))
    return tuple(
        Mark(black, white)
        for black in range(pegs + 1)
        for white in range(pegs + 1 - black)
        if (black, white) != (pegs - 1, 1)
    )


def winning_mark(rules: Ruled) -> Mark:
    """The mark of the guess that is the secret."""
    if not isinstance(rules, Rules):
        winning: Mark = rules.mark(rules.winning)
        return winning
    return PlacedMark([2] * rules.pegs) if rules.placed else Mark(rules.pegs)


def parse_mark(text: str, rules: Rules | str) -> Mark:
    """Read a mark: `XXO`, `xxo`, `●●○`, `2b1w`, `(2, 1)`, `2 1`, `21`; `-`, `0`, `none` or `rien`.

    Dots may fill up the signs (`XXO.`). Counts may have words (`2 blacks 1 white`, `1 bull 2
    cows`, `1A2B`, `2n1b`). With only black marks one number is enough, and two digits are one
    number. Marks by place have a sign for each place: `GY--G`, `21002`, `🟩🟨⬛⬛🟩`.

    A MarkError quotes the text and says what may be written, or why the mark cannot happen, with
    the nearest marks that can.
    """
    rules = as_rules(rules)
    if rules.placed:
        return _legal(_read_places(text, rules.pegs), quoted(text), rules)
    counts = _read_counts(" ".join(text.split()), rules)
    if counts is None:
        raise MarkError(
            "cannot read mark {text}: write X for each black and O for each white (XXO), "
            "counts (2b1w, 2 1), or - for none",
            text=quoted(text),
        )
    return _legal(counts, quoted(text), rules)


def check_mark(mark: Sequence[int] | str, rules: Ruled) -> Mark:
    """The mark (black, white), or that of a text, if it can happen; MarkError if not."""
    if not isinstance(rules, Rules):
        own: Mark = rules.mark(rules.mark_number(mark))
        return own
    if isinstance(mark, str):
        return parse_mark(mark, rules)
    form = Phrase("whole numbers (black, white)")
    if rules.placed:
        form = Phrase("0, 1 or 2 for each place")
    try:
        numbers = [*map(operator.index, mark)]
        read = PlacedMark(numbers) if rules.placed else Mark(*numbers)
        if rules.placed and (len(read) != rules.pegs or not set(numbers) <= {0, 1, 2}):
            raise TypeError
    except TypeError:
        raise MarkError(
            "{mark} is not a mark: give {form}, or a text such as {example}",
            mark=quoted(mark),
            form=form,
            example=legal_marks(rules)[-2],
        ) from None
    return _legal(read, quoted(tuple(read)), rules)


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
    if isinstance(before, PlacedMark):
        return sum(map(operator.ne, before, after))
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


def _read_places(text: str, pegs: int) -> PlacedMark:
    signs = "".join(text.replace(_VARIATION_SELECTOR, "").split())
    places = [
        place
        for sign in signs
        for place, signs_of_place in enumerate(_PLACE_SIGNS)
        if sign in signs_of_place
    ]
    if len(signs) == 1 and places == [0]:
        places *= pegs
    if len(places) != max(pegs, len(signs)) or len(places) != pegs:
        raise MarkError(
            "cannot read mark {text}: write for each of {pegs} places G (right), Y (elsewhere) or "
            "- (absent)",
            text=quoted(text),
            pegs=pegs,
        )
    return PlacedMark(places)


def _why_impossible(wrong: Mark, rules: Rules) -> Phrase:
    pegs = rules.pegs
    if rules.placed:
        return Phrase(
            "with {placed} of {pegs} pegs in place, the last is right or absent",
            placed=pegs - 1,
            pegs=pegs,
        )
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
