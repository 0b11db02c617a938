"""Marks: the answer to a guess, by its plain definition, and how it is written.

`trees.verify` and every stored certificate are checked by `mark` alone. So it stays the textbook
definition and never uses a kernel.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.errors import CodeError, MarkError, Phrase, UnknownNameError, quoted
from pegwise.game.codes import HOLE, check_code, code_beside, example_code, parse_code
from pegwise.game.game import Game
from pegwise.game.rules import Rules, as_rules
from pegwise.game.signs import shown
from pegwise.plugins import Drawable

MARK_NOTATIONS = ("pegs", "discs", "counts", "pair")
_DISCS: Final = frozenset("●○⚪⚫⚬⬛🟨🟩")  # a text with one of them is a mark of discs


class _Counts(NamedTuple):
    black: int
    white: int = 0


class Mark(_Counts, Drawable):
    """The answer to a guess: pegs right in color and place, and pegs right in color only.

    MarkError: a count below 0.
    """

    __slots__ = ()

    partial: ClassVar[bool] = False
    """Whether it was noted in part only, so that several marks are possible."""

    @property
    def places_open(self) -> bool:
        """Whether it does not tell how many pegs are in place."""
        return False

    def __new__(cls, black: int, white: int = 0) -> Mark:
        if black < 0 or white < 0:
            raise MarkError(
                "mark {mark} cannot happen: a count of pegs is 0 or more",
                mark=quoted((black, white)),
            )
        return tuple.__new__(cls, (black, white))

    def __str__(self) -> str:
        return self.write()

    def completions(self, rules: Rules) -> tuple[Mark, ...]:
        """The marks that it may be; itself, if the rules allow it."""
        return (self,) if self in legal_marks(rules) else ()

    def ranges(self, pegs: int) -> tuple[tuple[int, int], tuple[int, int]]:  # noqa: ARG002
        """Fewest and most black pegs, fewest and most pegs of a right color."""
        return (self.black, self.black), (self.black + self.white, self.black + self.white)

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


class PartialMark(Mark):
    """A mark of which only the black pegs were noted, or only how many pegs have a right color.

    What was not noted cannot be asked: `black` and `white` then raise a MarkError, as do sums and
    unpacking. `completions` are the marks that it may be. It is written `XX?` or `=3`.
    """

    __slots__ = ()

    partial: ClassVar[bool] = True

    def __new__(cls, black: int | None = None, total: int | None = None) -> PartialMark:
        if (black is None) == (total is None) or min(black or 0, total or 0) < 0:
            raise MarkError("give the black pegs of a mark, or the sum, as a number from 0")
        noted = (-1 if black is None else black, -1, -1 if total is None else total)
        return tuple.__new__(cls, noted)

    def __reduce__(self) -> tuple[type[PartialMark], tuple[int | None, int | None]]:
        return PartialMark, (self.noted_black, self.total)

    def __repr__(self) -> str:
        return f"PartialMark({self.noted_black}, {self.total})"

    def __iter__(self) -> Iterator[int]:
        raise self._unknown()

    @property
    def noted_black(self) -> int | None:
        """The black pegs; None where only the sum was noted."""
        black = tuple.__getitem__(self, 0)
        return None if black < 0 else black

    @property
    def total(self) -> int | None:
        """The pegs of a right color; None where only the black ones were noted."""
        total = tuple.__getitem__(self, 2)
        return None if total < 0 else total

    @property
    def places_open(self) -> bool:
        return self.total is not None

    @property
    def black(self) -> int:
        if self.noted_black is None:
            raise self._unknown()
        return self.noted_black

    @property
    def white(self) -> int:
        raise self._unknown()

    def _unknown(self) -> MarkError:
        return MarkError("the mark {mark} is not noted in full", mark=self)

    def completions(self, rules: Rules) -> tuple[Mark, ...]:
        if rules.placed or (rules.black and self.total is not None):
            return ()
        return tuple(
            mark
            for mark in legal_marks(rules)
            if self.noted_black in (None, mark.black) and self.total in (None, sum(mark))
        )

    def ranges(self, pegs: int) -> tuple[tuple[int, int], tuple[int, int]]:
        if self.total is None:
            return (self.black, self.black), (self.black, pegs)
        return (0, pegs), (self.total, self.total)

    def write(self, notation: str = "pegs") -> str:
        """As `pegs` (XX?), `discs` (●●?), `counts` (2b?w) or `pair` ((2, ?)); a sum as `=3`.

        No black peg has no sign: it is written 0b?w in signs too.
        """
        if notation not in MARK_NOTATIONS:
            raise UnknownNameError.of("notation", notation, MARK_NOTATIONS)
        if self.total is not None:
            return f"={self.total}"
        black = self.black
        return {
            "pegs": "X" * black + "?" if black else "0b?w",
            "discs": "●" * black + "?" if black else "0b?w",
            "counts": f"{black}b?w",
            "pair": f"({black}, ?)",
        }[notation]


class WrittenMark(Mark):
    """A mark of a game with marks of its own: the text that it is written as."""

    __slots__ = ()

    def __new__(cls, text: str) -> WrittenMark:
        return tuple.__new__(cls, map(ord, text))

    def __getnewargs__(self) -> tuple[str]:
        return (self.write(),)

    def __repr__(self) -> str:
        return f"WrittenMark({self.write()!r})"

    @property
    def black(self) -> int:
        """It counts no pegs."""
        return 0

    @property
    def white(self) -> int:
        """It counts no pegs."""
        return 0

    def write(self, notation: str = "pegs") -> str:  # noqa: ARG002
        """The mark, in whatever notation."""
        return "".join(map(chr, self))


def mark_of(
    rules: Rules | Game | str, guess: Sequence[int] | str, secret: Sequence[int] | str
) -> Mark:
    """The mark of a guess against a secret by the rules of a game; errors as `mark`.

    A text is read as a code of the game.
    """
    if not isinstance(rules, Rules):
        if isinstance(rules, Game):
            own: Mark = rules.mark_of(guess, secret)
            return own
        rules = as_rules(rules)
    if rules.words is not None and rules.words.marked:
        return WrittenMark(
            rules.words.mark_of(
                check_code(guess, rules).write(), check_code(secret, rules, secret=True).write()
            )
        )
    guess = check_code(guess, rules) if isinstance(guess, str) else guess
    secret = check_code(secret, rules, secret=True) if isinstance(secret, str) else secret
    if rules.placed:
        return placed_mark(guess, secret)
    return mark(guess, secret, black_only=rules.black)


def example_turn(rules: Rules) -> str:
    """A turn that shows how guesses and marks of a game are written."""
    guess = example_code(rules)
    if rules.words is None:
        return f"{guess}={mark_of(rules, guess, guess[::-1])}"
    return f"{guess}={mark_of(rules, guess, parse_code(rules.words.secrets[-1], rules))}"


def placed_mark(guess: Sequence[int] | str, secret: Sequence[int] | str) -> PlacedMark:
    """The mark of every place, by the definition of Wordle; codes and errors as `mark`.

    A peg is right (2) where guess and secret agree. The other pegs of the guess are elsewhere (1),
    from the first on, as long as their color stands in the rest of the secret; else absent (0).
    """
    guess, secret = _codes(guess, secret)
    rest = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    places = []
    for g, s in zip(guess, secret, strict=True):
        elsewhere = g != s and g != HOLE and rest[g] > 0
        rest[g] -= elsewhere
        places.append(2 if g == s else int(elsewhere))
    return PlacedMark(places)


_Pegs = Sequence[int] | str


def _codes(guess: _Pegs, secret: _Pegs) -> tuple[Sequence[int], Sequence[int]]:
    """Two codes of one alphabet and one length, texts read beside the other; else a CodeError."""
    if isinstance(guess, str) or isinstance(secret, str) or type(guess) is not type(secret):
        guess, secret = code_beside(guess, secret), code_beside(secret, guess)
    if len(guess) != len(secret):
        raise CodeError(
            "a guess of {n_guess} pegs against a secret of {n_secret}",
            n_guess=len(guess),
            n_secret=len(secret),
        )
    return guess, secret


def mark(
    guess: Sequence[int] | str, secret: Sequence[int] | str, *, black_only: bool = False
) -> Mark:
    """The mark of a guess against a secret, by the definition.

    A text is read in the alphabet of the other code: as a word beside a `Word`, else as colors.
    CodeError: what is no code, a word beside colors, or two lengths.

    Black pegs are right in color and place. Each color is right in all as often as it stands in
    both codes; what of this is not black is white (Knuth 1976, section 1).
    """
    guess, secret = _codes(guess, secret)
    black = sum(map(operator.eq, guess, secret))
    if black_only:
        return Mark(black)
    played, hidden = tuple(guess), tuple(secret)
    common = sum(min(played.count(c), hidden.count(c)) for c in set(played) if c != HOLE)
    return Mark(black, common - black)


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
    if rules.words is not None and rules.words.marked:
        return tuple(map(WrittenMark, rules.words.written_marks))
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


def winning_mark(rules: Rules | Game) -> Mark:
    """The mark of the guess that is the secret."""
    if not isinstance(rules, Rules):
        winning: Mark = rules.mark(rules.winning)
        return winning
    if rules.marked:
        return legal_marks(rules)[-1]
    return PlacedMark([2] * rules.pegs) if rules.placed else Mark(rules.pegs)


def agrees(noted: Any, true: Any, rules: Rules | Game) -> bool:
    """Whether a mark is the true one, as far as it was noted; marks of any game."""
    if isinstance(noted, PartialMark) and isinstance(rules, Rules):
        return true in noted.completions(rules)
    return bool(noted == true)


def legal_mark(mark: Sequence[int] | str, rules: Rules) -> Mark:
    """The mark of its numbers, or of the text that it is printed as, if it can happen.

    Other texts are read by `pegwise.reading`. MarkError: no mark of these rules, or one that was
    noted in part.
    """
    if isinstance(mark, PartialMark):
        raise MarkError("the mark {mark} is not noted in full", mark=mark)
    if isinstance(mark, str) and (printed := _printed(rules).get(mark)):
        return printed
    if rules.marked:
        if tuple(mark) in legal_marks(rules):
            return legal_marks(rules)[legal_marks(rules).index(tuple(mark))]
        number = rules.words.mark_number(mark) if rules.words and isinstance(mark, str) else -1
        if number < 0:
            raise own_marks_named(str(mark), rules)
        return legal_marks(rules)[number]
    form = Phrase("whole numbers (black, white)")
    if rules.placed:
        form = Phrase("0, 1 or 2 for each place")
    try:
        numbers = [*map(operator.index, mark)]  # type: ignore[arg-type]
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
    return check_legal(read, quoted(tuple(read)), rules)


@lru_cache(maxsize=256)
def _printed(rules: Rules) -> dict[str, Mark]:
    """The marks by the text that each is printed as."""
    return {str(mark): mark for mark in legal_marks(rules)}


def own_marks_named(text: str, rules: Rules) -> MarkError:
    """The error of a text that is none of the marks that a game has of its own."""
    marks = legal_marks(rules)
    return MarkError(
        "{text} is not a mark of {game}; its marks: {marks}{more}",
        text=shown(text),
        game=rules,
        marks=", ".join(map(str, marks[:10])),
        more=", ..." if len(marks) > 10 else "",
    )


def check_legal(mark: Mark, text: str, rules: Rules) -> Mark:
    """The mark if it can happen; else a MarkError that shows it as it was written."""
    if mark.completions(rules):
        return mark
    if mark.partial:
        raise MarkError(
            "mark {shown} cannot happen: the marks of {rules} are {form}",
            shown=text,
            rules=rules,
            form=_form_of_marks(rules),
        )
    notation = "pegs" if _DISCS.isdisjoint(text) else "discs"
    raise MarkError(
        "mark {shown} cannot happen: {why}; nearest possible: {proposals}",
        shown=text,
        why=_why_impossible(mark, rules),
        proposals=", ".join(_written(near, rules, notation) for near in nearest_marks(mark, rules)),
    )


def _written(mark: Mark, rules: Rules, notation: str) -> str:
    """A mark in the words of the game, if it has some, else in a notation."""
    words = rules.mark_words
    return mark.write(notation) if words is None else words.write(mark.black, mark.white)


def _form_of_marks(rules: Rules) -> Phrase:
    if rules.placed:
        return Phrase("signs for each place")
    if rules.black:
        return Phrase("up to {pegs} black pegs", pegs=rules.pegs)
    return Phrase("up to {pegs} pegs", pegs=rules.pegs)


def nearest_marks(wrong: Mark, rules: Rules, count: int = 3) -> list[Mark]:
    """The legal marks that differ least from a wrong one, by pegs changed."""

    def distance(mark: Mark) -> tuple[int, int]:
        difference = abs(mark.black - wrong.black) + abs(mark.white - wrong.white)
        return pegs_changed(wrong, mark), difference

    return sorted(legal_marks(rules), key=distance)[:count]


def pegs_changed(before: Mark, after: Mark) -> int:
    """How many pegs are put, taken away or exchanged to turn a mark into another.

    The second one may be noted in part: then the least number that agrees with it.
    """
    if isinstance(after, PartialMark):
        black = abs(after.black - before.black) if after.total is None else 0
        total = 0 if after.total is None else abs(after.total - sum(before))
        return max(black, total)
    if isinstance(before, PlacedMark):
        return sum(map(operator.ne, before, after))
    black, white = after.black - before.black, after.white - before.white
    return max(abs(black), abs(white), abs(black + white))


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
