"""Marks: the answer to a guess, by its plain definition, and how it is written.

`trees.verify` and every stored certificate are checked by `mark` alone. So it stays the textbook
definition and never uses a kernel.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.errors import CodeError, MarkError, Phrase, UnknownNameError, quoted
from pegwise.game.codes import HOLE, code_beside
from pegwise.hooks import Drawable

MARK_NOTATIONS = ("pegs", "discs", "counts", "pair")


class Cell(NamedTuple):
    """One way to mark a place.

    Attributes:
        sign: how it is written.
        look: how it is drawn: `n` as a speck, `y` as a ring, `g` as a disc.
        name: what people call it.
    """

    sign: str
    look: str
    name: Phrase


CELLS: Final = (
    Cell("-", "n", Phrase("absent")),
    Cell("Y", "y", Phrase("elsewhere")),
    Cell("G", "g", Phrase("right")),
)
"""The ways to mark a place, by number."""


class _Counts(NamedTuple):
    black: int
    white: int = 0


class Mark(_Counts, Drawable):
    """The answer to a guess: pegs right in color and place, and pegs right in color only.

    MarkError: a count below 0.

    Examples:
        >>> pegwise.Mark(1, 2)
        Mark(black=1, white=2)
        >>> print(pegwise.Mark(1, 2))
        XOO
    """

    __slots__ = ()

    partial: ClassVar[bool] = False
    """Whether it was noted in part only, so that several marks are possible."""

    cells: ClassVar[tuple[Cell, ...]] = ()
    """The ways to mark a place, by number, where it is a number for each place; else none."""

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

    def each_peg(self, pegs: int) -> str:
        """The disc of each peg, `·` for one without; empty where the mark is drawn as a text."""
        return ("●" * self.black + "○" * self.white).ljust(pegs, "·")

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

    cells = CELLS

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

    def each_peg(self, pegs: int) -> str:  # noqa: ARG002
        return self.write("discs")

    def write(self, notation: str = "pegs") -> str:
        """Write as `pegs` (GY--G), `discs` (🟩🟨⬛⬛🟩), `counts` (21002) or `pair` ((2, 1, 0))."""
        if notation == "pair":
            return str(tuple(self))
        signs = {"pegs": "-YG", "discs": "⬛🟨🟩", "counts": "012"}
        if notation not in signs:
            raise UnknownNameError.of("notation", notation, MARK_NOTATIONS)
        return "".join(signs[notation][place] for place in self)


class PartialMark(Mark):
    """A mark of which only the black pegs were noted, or only how many pegs have a right color.

    What was not noted cannot be asked: `black` and `white` then raise a MarkError, as do sums and
    unpacking. `Marking.completions` has the marks that it may be. It is written `XX?` or `=3`.
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

    @classmethod
    def of_printed(cls, text: str) -> PartialMark:
        """The mark that is printed so: `XX?`, `0b?w` or `=3`."""
        return cls(total=int(text[1:])) if text.startswith("=") else cls(black=text.count("X"))

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

    def each_peg(self, pegs: int) -> str:  # noqa: ARG002
        return ""

    def _unknown(self) -> MarkError:
        return MarkError("the mark {mark} is not noted in full", mark=self)

    def ranges(self, pegs: int) -> tuple[tuple[int, int], tuple[int, int]]:
        if self.total is None:
            return (self.black, self.black), (self.black, pegs)
        return (0, pegs), (self.total, self.total)

    def write(self, notation: str = "pegs") -> str:
        """Write as `pegs` (XX?), `discs` (●●?), `counts` (2b?w) or `pair` ((2, ?)); a sum as `=3`.

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

    def each_peg(self, pegs: int) -> str:  # noqa: ARG002
        return ""

    def write(self, notation: str = "pegs") -> str:  # noqa: ARG002
        """The mark, in whatever notation."""
        return "".join(map(chr, self))


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

    Examples:
        >>> pegwise.mark("AABB", "ABAB")
        Mark(black=2, white=2)
    """
    guess, secret = _codes(guess, secret)
    black = sum(map(operator.eq, guess, secret))
    if black_only:
        return Mark(black)
    played, hidden = tuple(guess), tuple(secret)
    common = sum(min(played.count(c), hidden.count(c)) for c in set(played) if c != HOLE)
    return Mark(black, common - black)


def mark_pairs(guesses: U8, secrets: U8, *, black_only: bool = False) -> tuple[I64, I64]:
    """Mark many guesses, each against the secret in its row: black and white pegs.

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
