"""Codes: sequences of colors, how they are written, and all of them in numeric order.

A color is a number from 0 (A) to 25 (Z). An empty hole of a guess is `HOLE`, which is larger
than any color, so that numeric order puts codes without holes first.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from pegwise.arrays import U8
from pegwise.errors import CodeError, Phrase, UnknownNameError, quoted
from pegwise.game.game import Game, check_listed
from pegwise.game.rules import Rules, as_rules
from pegwise.game.signs import plain, shown
from pegwise.game.words import fold
from pegwise.plugins import Drawable

HOLE: Final = 26
DISCS: Final = "🔴🟢🔵🟡⚫⚪🟣🟠🟤"
NOTATIONS: Final = ("letters", "digits", "discs")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS: Final = "1234567890"
_HOLE_SIGN: Final = "."
_NUMBER: Final = re.compile(r"[0-9]{1,9}|\.")


class Code(tuple[int, ...], Drawable):
    """A code: one color number a peg, `HOLE` where a guess leaves a hole empty.

    It compares, hashes and sorts as the tuple it is, and prints as letters. CodeError: something
    else than whole numbers from 0 to `HOLE`.
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
                "{code} cannot be written in discs: there are only {n} of them; use letters",
                code=self,
                n=len(DISCS),
            )
        if notation == "digits" and last >= 10:
            return ",".join(_HOLE_SIGN if peg == HOLE else str(peg + 1) for peg in self)
        signs = {"letters": _LETTERS, "digits": DIGITS, "discs": DISCS}[notation]
        return "".join(_HOLE_SIGN if peg == HOLE else signs[peg] for peg in self)


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


def parse_code(text: str, rules: Rules | str, *, secret: bool = False) -> Code:
    """Read a code in letters, digits or discs; spaces, commas and case do not matter.

    `ABCD`, `a b c d`, `1123` (1 is A, 0 the tenth color), `1,12,3,4` with ten colors or more, or
    discs; `.` is an empty hole. It is a guess, or to be hidden. A CodeError quotes the text, names
    the position and says what is allowed.
    """
    rules = as_rules(rules)
    if rules.words is not None:
        return Word(rules.words.check(text, secret=secret))
    pegs = []
    for position, token in enumerate(_tokens(text, rules), 1):
        color = _color(token)
        if color != HOLE and not 0 <= color < rules.colors:
            raise CodeError(
                "{text}: {token} at position {position}: {allowed}",
                text=quoted(text),
                token=shown(token),
                position=position,
                allowed=_allowed(rules, secret=secret),
            )
        pegs.append(color)
    try:
        return check_code(pegs, rules, secret=secret)
    except CodeError as error:
        raise CodeError("{text}: {error}", text=quoted(text), error=error) from None


def example_code(rules: Rules) -> Code:
    """A code that shows how guesses are written: different colors, or the first word."""
    if rules.words is not None:
        return Word(rules.words.guesses[0] if rules.n_questions else rules.words.secrets[0])
    return Code(peg % rules.colors for peg in range(rules.pegs))


def check_code(pegs: Iterable[int] | str, rules: Rules | Game, *, secret: bool = False) -> Code:
    """The code of these color numbers, or of a text, if the rules allow it in that role.

    Of a game without rules: its guess. Else a CodeError.
    """
    if isinstance(rules, Game) and rules.rules is not None:
        rules = rules.rules
    if isinstance(rules, Game):
        number = rules.guess_number(pegs)
        if secret and rules.secret_of_guess[number] < 0:
            raise CodeError(
                "{secret} is not a secret of {game}", secret=quoted(pegs), game=rules.name
            )
        own: Code = rules.guess(number)
        return own
    if isinstance(pegs, str):
        return parse_code(pegs, rules, secret=secret)
    if rules.words is not None:
        try:
            letters = "".join(map(chr, pegs))
        except (TypeError, ValueError, OverflowError):
            raise CodeError("{word} is not a word: give a text", word=quoted(pegs)) from None
        return Word(rules.words.check(letters, secret=secret))
    code = Code(pegs)
    if len(code) != rules.pegs:
        n = len(code)
        raise CodeError(
            "{number}, but a code of {rules} has {pegs}",
            number=Phrase("{n} peg", n=n) if n == 1 else Phrase("{n} pegs", n=n),
            rules=rules,
            pegs=rules.pegs,
        )
    for position, peg in enumerate(code, 1):
        if peg == HOLE and (secret or not rules.blank):
            why = Phrase(
                "{rules} allows no empty hole; {rules},blank does, in guesses", rules=rules
            )
            if secret:
                why = Phrase("a secret has no empty hole")
            raise CodeError("empty hole at position {position}: {why}", position=position, why=why)
        if rules.colors <= peg < HOLE:
            raise CodeError(
                "color {color} at position {position}: {allowed}",
                color=_LETTERS[peg],
                position=position,
                allowed=_allowed(rules, secret=secret),
            )
    if rules.secrets_are_distinct if secret else rules.distinct:
        for k, peg in enumerate(code):
            if peg != HOLE and peg in code[:k]:
                raise CodeError(
                    "color {color} again at position {again}: no color may come twice in a {role} "
                    "of {rules}",
                    color=_LETTERS[peg],
                    again=k + 1,
                    role=Phrase("secret") if secret else Phrase("guess"),
                    rules=rules,
                )
    return code


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
    for position, token in enumerate(_tokens(code, _LARGEST), 1):
        pegs.append(_color(token))
        if pegs[-1] < 0:
            raise CodeError(
                "{text}: {token} at position {position} is no color: write letters A-Z, digits "
                "1-26 (set apart by commas) or discs {discs}",
                text=quoted(code),
                token=shown(token),
                position=position,
                discs=DISCS,
            )
    return Code(pegs)


_LARGEST: Final = Rules(16, 26)


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


def _tokens(text: str, rules: Rules) -> list[str]:
    """The signs of a code: numbers set apart where two digits can be a color, else characters."""
    pieces = [*filter(None, re.split(r"[\s,;-]+", plain(text)))]
    set_apart = len(pieces) > 1 or rules.pegs == 1
    if rules.colors > 9 and set_apart and all(_NUMBER.fullmatch(piece) for piece in pieces):
        return pieces
    return list("".join(pieces))


def _color(token: str) -> int:
    """The color of a sign, `HOLE` for a dot; -1 or a number that is too large for no color."""
    if token == _HOLE_SIGN:
        return HOLE
    if _NUMBER.fullmatch(token):
        color = 10 if token == "0" else int(token)
        return color - 1 if color <= HOLE else -1
    if token.isascii() and token.isalpha():
        return _LETTERS.index(token.upper())
    return DISCS.find(token)


def _allowed(rules: Rules, *, secret: bool) -> Phrase:
    last = rules.colors
    digits = "1" if last == 1 else f"1-{last}"
    if last == 10:
        digits = Phrase("1-9 and 0")
    elif last > 10:
        digits = Phrase("1-{last} (set apart by commas)", last=last)
    return Phrase(
        "the colors of {rules} are letters {letters}, digits {digits}{discs}{hole}",
        rules=rules,
        letters="A" if last == 1 else f"A-{_LETTERS[last - 1]}",
        digits=digits,
        discs=Phrase(", discs {discs}", discs=DISCS[:last]) if last <= len(DISCS) else "",
        hole=Phrase(", and a dot is an empty hole") if rules.blank and not secret else "",
    )


def list_secrets(rules: Rules) -> U8:
    """All codes that may be hidden, uint8 (rules.n_secrets, rules.pegs), in numeric order.

    TooLargeError: more than `MAX_LISTED` codes.
    """
    check_listed(str(rules), rules.n_secrets)
    return _sequences(range(rules.colors), rules.pegs, distinct=rules.secrets_are_distinct)


def list_guesses(rules: Rules) -> U8:
    """All codes that may be guessed, uint8 (rules.n_guesses, rules.pegs), in numeric order.

    An empty hole is the largest sign. Errors as `list_secrets`.
    """
    check_listed(str(rules), rules.n_guesses)
    colors = [*range(rules.colors), *[HOLE] * rules.blank]
    return _sequences(colors, rules.pegs, distinct=rules.distinct)


def _sequences(colors: Sequence[int], pegs: int, *, distinct: bool) -> U8:
    """All sequences of these colors; of distinct ones apart from holes."""
    base = np.array(colors, np.uint8)
    if not distinct:
        grid = np.meshgrid(*[base] * pegs, indexing="ij", copy=False)
        return np.stack(grid, axis=-1).reshape(-1, pegs)
    codes = np.zeros((1, 0), np.uint8)
    for _ in range(pegs):
        # append every color that a prefix does not hold yet; prefixes stay in numeric order
        free = np.ones((len(codes), len(base)), np.bool_)
        for column in codes.T:
            free &= (column[:, None] != base) | (base == HOLE)
        prefix, color = np.nonzero(free)
        codes = np.column_stack([codes[prefix], base[color]])
    return codes
