"""Codes: sequences of colors, or words, and how they are written.

A color is a number from 0 (A) to 25 (Z). An empty hole of a guess is `HOLE`, which is larger
than any color, so that numeric order puts codes without holes first.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from typing import Final

from pegwise.errors import CodeError, UnknownNameError, quoted
from pegwise.game.signs import fold, plain, shown
from pegwise.hooks import Drawable

HOLE: Final = 26
DISCS: Final = "🔴🟢🔵🟡⚫⚪🟣🟠🟤"
NOTATIONS: Final = ("letters", "digits", "discs")
COLOR_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS: Final = "1234567890"
HOLE_SIGN: Final = "."
_LISTED: Final = re.compile(r"\s*(?:\[([^][]+)\]|\(([^()]+)\))\s*")
_NUMBER: Final = re.compile(r"[0-9]{1,9}|\.")


class Code(tuple[int, ...], Drawable):
    """A code: one color number a peg, `HOLE` where a guess leaves a hole empty.

    It compares, hashes and sorts as the tuple it is, and prints as letters. CodeError: something
    else than whole numbers from 0 to `HOLE`.

    Examples:
        >>> pegwise.Code([0, 0, 1, 1])
        Code('AABB')
        >>> print(pegwise.parse_code("1122", "4x6"))
        AABB
    """

    __slots__ = ()

    def __new__(cls, pegs: Iterable[int]) -> Code:
        try:
            code = super().__new__(cls, map(operator.index, pegs))
        except TypeError:
            raise CodeError(
                "{pegs} is not a sequence of color numbers; read text with parse_code",
                pegs=quoted(pegs),
            ) from None
        for position, peg in enumerate(code, 1):
            if not 0 <= peg <= HOLE:
                raise CodeError(
                    "color {peg} at position {position}: colors are numbers from 0 (A) to "
                    "{last} (Z), and {hole} is an empty hole",
                    peg=quoted(peg),
                    position=position,
                    last=HOLE - 1,
                    hole=HOLE,
                )
        return code

    def __str__(self) -> str:
        return self.write()

    def __repr__(self) -> str:
        return f"Code({self.write()!r})"

    def __reduce__(self) -> tuple[type[Code], tuple[tuple[int, ...]]]:
        return (Code, (tuple(self),))

    def write(self, notation: str = "letters") -> str:
        """The code as `letters` (ABCD), `digits` (1123; 0 is the tenth color) or `discs`.

        If a color past the tenth occurs, digits are numbers separated by commas. CodeError: the
        notation has no sign for a color. UnknownNameError: an unknown notation.
        """
        if notation not in NOTATIONS:
            raise UnknownNameError.of("notation", notation, NOTATIONS)
        last = max((peg for peg in self if peg != HOLE), default=0)
        if notation == "discs" and last >= len(DISCS):
            raise CodeError(
                "{code} cannot be written in discs: there are only {n} discs; use letters",
                code=self,
                n=len(DISCS),
            )
        if notation == "digits" and last >= 10:
            return ",".join(HOLE_SIGN if peg == HOLE else str(peg + 1) for peg in self)
        signs = {"letters": COLOR_LETTERS, "digits": DIGITS, "discs": DISCS}[notation]
        return "".join(HOLE_SIGN if peg == HOLE else signs[peg] for peg in self)


class Word(Code):
    """A word as a code: its pegs are letters, as Unicode numbers them. It prints as it is."""

    __slots__ = ()

    def __new__(cls, letters: str) -> Word:
        return tuple.__new__(cls, map(ord, letters))

    def __repr__(self) -> str:
        return f"Word({self.write()!r})"

    def __reduce__(self) -> tuple[type[Word], tuple[str]]:  # type: ignore[override]
        return (Word, (self.write(),))

    def write(self, notation: str = "letters") -> str:  # noqa: ARG002
        """The word, in whatever notation."""
        return "".join(map(chr, self))


class Codes(list[Code], Drawable):
    """Codes in order; in a notebook the first of them show themselves."""


def code_beside(code: Iterable[int] | str, other: Iterable[int] | str) -> Code:
    """A code of unknown rules, also as it is written, in the alphabet of the code beside it.

    Beside a word it is a word; else it is read as colors, as `parse_code` does. A CodeError quotes
    what is no code, and a word beside colors.
    """
    if isinstance(code, Word):
        return code
    if isinstance(other, Word):
        return _as_word(code, other)
    if not isinstance(code, str):
        return code if isinstance(code, Code) else Code(code)
    pegs = []
    for position, token in enumerate(signs_apart(code, *_LARGEST), 1):
        pegs.append(color_of(token))
        if pegs[-1] < 0:
            raise CodeError(
                "{text}: {token} at position {position} is not a color: write letters A-Z, "
                "digits 1-26 (set apart by commas) or discs {discs}",
                text=quoted(code),
                token=shown(token),
                position=position,
                discs=DISCS,
            )
    return Code(pegs)


_LARGEST: Final = (16, 26)  # pegs and colors of the largest board


def _as_word(code: Iterable[int] | str, other: Word) -> Word:
    """A text or the numbers of letters as a word; CodeError for colors."""
    try:
        word = Word(fold("".join(code.split() if isinstance(code, str) else map(chr, code))))
    except (TypeError, ValueError, OverflowError):
        raise CodeError("{word} is not a word: give a text", word=quoted(code)) from None
    if min(word, default=HOLE + 1) <= HOLE:
        raise CodeError(
            "{colors} is a code of colors, and {word} is a word: give two codes of one game",
            colors=quoted(code),
            word=quoted(str(other)),
        )
    return word


def signs_apart(text: str, pegs: int, colors: int) -> list[str]:
    """The signs of a code: numbers set apart where two digits can be a color, else characters.

    A code may stand in brackets, as a list of Python or a tuple.
    """
    bare = plain(text)
    if (listed := _LISTED.fullmatch(bare)) is not None:
        bare = listed[1] or listed[2]
    pieces = [*filter(None, re.split(r"[\s,;-]+", bare))]
    set_apart = len(pieces) > 1 or pegs == 1
    if colors > 9 and set_apart and all(_NUMBER.fullmatch(piece) for piece in pieces):
        return pieces
    return list("".join(pieces))


def color_of(token: str) -> int:
    """The color of a sign, `HOLE` for a dot; -1 or a number that is too large for no color."""
    if token == HOLE_SIGN:
        return HOLE
    if _NUMBER.fullmatch(token):
        color = 10 if token == "0" else int(token)
        return color - 1 if color <= HOLE else -1
    if token.isascii() and token.isalpha():
        return COLOR_LETTERS.index(token.upper())
    return DISCS.find(token)
