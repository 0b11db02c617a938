"""What guesses are written in: colors, the letters of words, or texts.

An alphabet reads and writes codes, and names positions in its errors. Whoever holds a game asks its
alphabet, and need not know of which kind it is.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, ClassVar, Final

import numpy as np

from pegwise.arrays import U8, U32
from pegwise.errors import CodeError, InputError, Phrase, quoted
from pegwise.game.codes import (
    COLOR_LETTERS,
    DISCS,
    HOLE,
    Code,
    Word,
    color_of,
    signs_apart,
)
from pegwise.game.signs import fold, shown
from pegwise.game.table import TextTable
from pegwise.game.words import SGB, WordList

_DIGITS: Final = dict(zip("ABCDEFGHIJ", "1234567890", strict=True))

Rows = U8 | U32
"""Codes as they are stored: uint8 (n, pegs); the letters of words as uint32; or uint32 (n, 1), the
numbers of texts."""


class Alphabet(ABC):
    """What the codes of a game are written in.

    Attributes:
        game: the text that names the game, for messages.
        pegs: length of a code; of texts, of the longest.
        colors: how many different signs there are.
        in_digits: whether codes are written in digits where nothing else was typed.
        are_words: whether people call codes words.
        apart: what stands between the turns of a text; a line break where codes may have spaces.
        named: whether signs may have names of one's own, as colors may.
        typed: whether a code is typed as a whole, and not sign by sign.
        distinct: whether no sign comes twice in a guess.
        distinct_secrets: whether no sign comes twice in a secret.
        blank: whether a guess may have empty holes.
    """

    game: str
    pegs: int
    colors: int
    in_digits: bool = False
    are_words: ClassVar[bool] = False
    apart: ClassVar[str] = " "
    named: ClassVar[bool] = False
    typed: bool = False
    distinct: bool = False
    distinct_secrets: bool = False
    blank: bool = False

    @abstractmethod
    def read(self, text: str, *, secret: bool = False) -> Code:
        """The code of a text, as a guess or to be hidden; a CodeError quotes the text."""

    @abstractmethod
    def check(self, pegs: Iterable[int] | str, *, secret: bool = False) -> Code:
        """The code of these signs, or of a text, if it is allowed in that role; else CodeError."""

    def read_any(self, text: str, *, secret: bool = False) -> Code:
        """The code of a text, which need not be one of the game if it could be marked."""
        return self.read(text, secret=secret)

    @property
    @abstractmethod
    def example(self) -> Code:
        """A code that shows how guesses are written."""

    @property
    @abstractmethod
    def other(self) -> Code:
        """A code that may be hidden, to mark the example with."""

    @property
    def examples(self) -> tuple[str, ...]:
        """The example in each notation that people write."""
        return (self.example.write(),)

    @property
    @abstractmethod
    def signs(self) -> Code:
        """All signs, as codes number them; none of texts."""

    def of(self, signs: Iterable[int]) -> Code:
        """The signs as a code, which need not be one of the game."""
        return Code(signs)

    def near(self, guess: Code) -> list[Code]:  # noqa: ARG002
        """The guesses that differ from one by one sign; none where codes have no signs."""
        return []

    @abstractmethod
    def secret(self, number: int) -> Code:
        """The secret of this number, in the order of the game, which is not listed for it."""

    def look_up(self, places: Iterable[Iterable[int]]) -> Iterator[Code]:  # noqa: ARG002
        """The secrets that have one of these signs at each place, in order."""
        return iter(())

    def widened(self, words: Iterable[str]) -> WordList:  # noqa: ARG002
        """The list of words with more that may be guessed; InputError where there is none."""
        raise InputError(
            "{rules} has no list of words; give --words too, or rules such as wordle",
            rules=self.game,
        )

    def halves(self) -> Code | None:
        """A guess of two signs, each in one half; None where there is none."""
        return None

    def names(self, guess: Code) -> bool:  # noqa: ARG002
        """Whether a guess only names a secret, once no other is possible."""
        return False

    # codes as they are told

    @property
    def about(self) -> tuple[Phrase, ...]:
        """What is to be said of the codes, one by one: `4 pegs`, `6 colors`."""
        return ()

    def sign_shown(self, letter: str) -> str:
        """How a letter of a code is shown where no other way was typed."""
        return letter

    # codes as they are stored

    @property
    def document(self) -> dict[str, Any]:
        """What a file needs beside the rules to have the same codes, as JSON."""
        return {}

    dtype: ClassVar[Any] = np.uint32

    @property
    def width(self) -> int:
        """How many numbers a stored code has."""
        return self.pegs

    def to_row(self, code: Code) -> Sequence[int]:
        """A code as it is stored, in numbers."""
        return code

    def from_row(self, row: Sequence[int]) -> Code:
        """The code of stored numbers."""
        return self.of(row)

    def to_rows(self, codes: Iterable[Code]) -> Rows:
        """Codes as they are stored, (n, width)."""
        rows: Rows = np.array([*map(self.to_row, codes)], self.dtype).reshape(-1, self.width)
        return rows


class Colors(Alphabet):
    """The colors of a board: letters, digits from 1, or discs; a dot is an empty hole.

    Args:
        game: the text that names the game.
        pegs: length of a code.
        colors: number of colors.
        distinct: whether no color comes twice in a guess.
        distinct_secrets: whether no color comes twice in a secret.
        blank: whether a guess may have empty holes.
        in_digits: whether codes are digits where nothing else was typed.
    """

    named = True
    dtype = np.uint8

    def __init__(
        self,
        game: str,
        pegs: int,
        colors: int,
        *,
        distinct: bool = False,
        distinct_secrets: bool = False,
        blank: bool = False,
        in_digits: bool = False,
    ) -> None:
        self.game, self.pegs, self.colors = game, pegs, colors
        self.distinct, self.distinct_secrets, self.blank = distinct, distinct_secrets, blank
        self.in_digits = in_digits

    def read(self, text: str, *, secret: bool = False) -> Code:
        """A code in letters, digits or discs; spaces, commas and case do not matter.

        `ABCD`, `a b c d`, `1123` (1 is A, 0 the tenth color), `1,12,3,4` with ten colors or more,
        or discs; `.` is an empty hole. A CodeError quotes the text, names the position and says
        what is allowed.
        """
        pegs = []
        for position, token in enumerate(signs_apart(text, self.pegs, self.colors), 1):
            color = color_of(token)
            if color != HOLE and not 0 <= color < self.colors:
                raise CodeError(
                    "{text}: {token} at position {position}: {allowed}",
                    text=quoted(text),
                    token=shown(token),
                    position=position,
                    allowed=self._allowed(secret=secret),
                )
            pegs.append(color)
        try:
            return self.check(pegs, secret=secret)
        except CodeError as error:
            raise CodeError("{text}: {error}", text=quoted(text), error=error) from None

    def check(self, pegs: Iterable[int] | str, *, secret: bool = False) -> Code:
        if isinstance(pegs, str):
            return self.read(pegs, secret=secret)
        code = Code(pegs)
        if len(code) != self.pegs:
            n = len(code)
            raise CodeError(
                "{number}, but a code of {rules} has {pegs}",
                number=Phrase("{n} peg", n=n) if n == 1 else Phrase("{n} pegs", n=n),
                rules=self.game,
                pegs=self.pegs,
            )
        for position, peg in enumerate(code, 1):
            if peg == HOLE and (secret or not self.blank):
                why = Phrase(
                    "{rules} allows no empty hole; {rules},blank does, in guesses", rules=self.game
                )
                if secret:
                    why = Phrase("a secret has no empty hole")
                raise CodeError(
                    "empty hole at position {position}: {why}", position=position, why=why
                )
            if self.colors <= peg < HOLE:
                raise CodeError(
                    "color {color} at position {position}: {allowed}",
                    color=COLOR_LETTERS[peg],
                    position=position,
                    allowed=self._allowed(secret=secret),
                )
        if self.distinct_secrets if secret else self.distinct:
            for k, peg in enumerate(code):
                if peg != HOLE and peg in code[:k]:
                    raise CodeError(
                        "color {color} again at position {again}: no color may come twice in a "
                        "{role} of {rules}",
                        color=COLOR_LETTERS[peg],
                        again=k + 1,
                        role=Phrase("secret") if secret else Phrase("guess"),
                        rules=self.game,
                    )
        return code

    def _allowed(self, *, secret: bool) -> Phrase:
        last = self.colors
        digits = "1" if last == 1 else f"1-{last}"
        if last == 10:
            digits = Phrase("1-9 and 0")
        elif last > 10:
            digits = Phrase("1-{last} (set apart by commas)", last=last)
        return Phrase(
            "the colors of {rules} are letters {letters}, digits {digits}{discs}{hole}",
            rules=self.game,
            letters="A" if last == 1 else f"A-{COLOR_LETTERS[last - 1]}",
            digits=digits,
            discs=Phrase(", discs {discs}", discs=DISCS[:last]) if last <= len(DISCS) else "",
            hole=Phrase(", and a dot is an empty hole") if self.blank and not secret else "",
        )

    @property
    def example(self) -> Code:
        """A code of different colors, as far as there are."""
        return Code(peg % self.colors for peg in range(self.pegs))

    @property
    def other(self) -> Code:
        return Code(self.example[::-1])

    @property
    def examples(self) -> tuple[str, ...]:
        digits = self.example.write("digits")
        return (digits,) if self.in_digits else (self.example.write(), digits)

    @property
    def signs(self) -> Code:
        return Code(range(self.colors))

    def halves(self) -> Code | None:
        if self.distinct:
            return None
        return Code(2 * k // self.pegs for k in range(self.pegs))

    @property
    def about(self) -> tuple[Phrase, ...]:
        pegs, colors = self.pegs, self.colors
        if self.distinct:
            repeats = Phrase("no color twice")
        elif self.distinct_secrets:
            repeats = Phrase("no color twice in the secret")
        else:
            repeats = Phrase("colors may repeat")
        if self.in_digits:
            first = int(colors < 10)
            digits = Phrase("{n} digits from {first} to {last}", n=pegs, first=first, last=9)
            return digits, Phrase("no digit twice") if self.distinct else repeats
        return (
            Phrase("{n} peg", n=pegs) if pegs == 1 else Phrase("{n} pegs", n=pegs),
            Phrase("{n} color", n=colors) if colors == 1 else Phrase("{n} colors", n=colors),
            repeats,
            *([Phrase("guesses may leave holes")] if self.blank else []),
        )

    def sign_shown(self, letter: str) -> str:
        return _DIGITS.get(letter, letter) if self.in_digits else letter

    def near(self, guess: Code) -> list[Code]:
        """The codes that differ by the color of one peg."""
        codes = (
            Code([*guess[:place], color, *guess[place + 1 :]])
            for place in range(self.pegs)
            for color in range(self.colors)
            if color != guess[place]
        )
        return [code for code in codes if not self.distinct or len(set(code)) == len(code)]

    def secret(self, number: int) -> Code:
        free = list(range(self.colors))
        pegs = []
        for rest in reversed(range(self.pegs)):
            # how many secrets begin with these pegs and one more
            following = self.colors**rest
            if self.distinct_secrets:
                following = math.perm(len(free) - 1, rest)
            color, number = divmod(number, following)
            pegs.append(free.pop(color) if self.distinct_secrets else color)
        return Code(pegs)

    def look_up(self, places: Iterable[Iterable[int]]) -> Iterator[Code]:
        for pegs in product(*map(sorted, places)):
            if not self.distinct_secrets or len(set(pegs)) == len(pegs):
                yield Code(pegs)

    def list_secrets(self) -> U8:
        """All codes that may be hidden, uint8 (n, pegs), in numeric order."""
        return _sequences(range(self.colors), self.pegs, distinct=self.distinct_secrets)

    def list_guesses(self) -> U8:
        """All codes that may be guessed, uint8 (n, pegs); an empty hole is the largest sign."""
        colors = [*range(self.colors), *[HOLE] * self.blank]
        return _sequences(colors, self.pegs, distinct=self.distinct)


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


class _Listed(Alphabet):
    """Codes that are listed: words, or texts."""

    words: WordList | TextTable

    def __init__(self, game: str, words: WordList | TextTable) -> None:
        self.game, self.words = game, words
        self.pegs, self.colors = words.n_letters, len(words.letters)

    def read(self, text: str, *, secret: bool = False) -> Code:
        return Word(self.words.check(text, secret=secret))

    def check(self, pegs: Iterable[int] | str, *, secret: bool = False) -> Code:
        if isinstance(pegs, str):
            return self.read(pegs, secret=secret)
        try:
            letters = "".join(map(chr, pegs))
        except (TypeError, ValueError, OverflowError):
            raise CodeError("{word} is not a word: give a text", word=quoted(pegs)) from None
        return self.read(letters, secret=secret)

    @property
    def example(self) -> Code:
        return Word(self.words.secrets[0])

    @property
    def other(self) -> Code:
        return Word(self.words.secrets[-1])

    @property
    def signs(self) -> Code:
        return Word(self.words.letters)

    def of(self, signs: Iterable[int]) -> Code:
        return Word("".join(map(chr, signs)))

    def near(self, guess: Code) -> list[Code]:
        """The guesses that differ by one letter."""
        return [
            Word(word)
            for word in self.words.guesses
            if len(word) == len(guess)
            and sum(ord(a) != b for a, b in zip(word, guess, strict=True)) == 1
        ]

    def secret(self, number: int) -> Code:
        return Word(self.words.secrets[number])

    def look_up(self, places: Iterable[Iterable[int]]) -> Iterator[Code]:
        classes = (f"[{re.escape(''.join(map(chr, signs)))}]" for signs in places)
        pattern = re.compile("".join(classes))
        return map(Word, filter(pattern.fullmatch, self.words.secrets))


class Letters(_Listed):
    """The letters of a list of words, which are the codes."""

    are_words = True
    words: WordList

    def read_any(self, text: str, *, secret: bool = False) -> Code:  # noqa: ARG002
        """Any word of the right length, listed or not."""
        word = fold("".join(text.split()))
        if len(word) != self.pegs:
            raise CodeError(
                "{word}: the words of {rules} have {n} letters",
                word=quoted(text),
                rules=self.game,
                n=self.pegs,
            )
        return Word(word)

    def widened(self, words: Iterable[str]) -> WordList:
        return self.words.widened(words)

    @property
    def about(self) -> tuple[Phrase, ...]:
        """How long the words are, and how many more may be guessed."""
        n, more = self.pegs, len(self.words.guesses) - len(self.words.secrets)
        told = Phrase("words of {n} letter", n=n) if n == 1 else Phrase("words of {n} letters", n=n)
        if not more:
            return (told,)
        if more == 1:
            return told, Phrase("1 more may be guessed")
        return told, Phrase("{n:,} more may be guessed", n=more)

    @property
    def document(self) -> dict[str, Any]:
        """The words, unless pegwise has them."""
        if self.words.name == SGB:
            return {}
        only_guesses = self.words.guesses[len(self.words.secrets) :]
        return {"words": [self.words.secrets, only_guesses]}


class Texts(_Listed):
    """Texts, which are the codes of a game with a table of marks."""

    apart = "\n"

    def __init__(self, codes: TextTable) -> None:
        super().__init__(str(codes), codes)
        self.codes, self.typed = codes, codes.uneven

    @property
    def example(self) -> Code:
        """The first question, or the first secret."""
        return Word(self.codes.guesses[0] if self.codes.questions else self.codes.secrets[0])

    def names(self, guess: Code) -> bool:
        return 0 < self.codes.questions <= self.codes.numbers[guess.write()]

    @property
    def about(self) -> tuple[Phrase, ...]:
        codes = self.codes
        if codes.questions:
            return (
                Phrase(
                    "{secrets:,} secrets, {questions:,} questions; the last guess names the "
                    "secret, once it is the only one possible",
                    secrets=len(codes.secrets),
                    questions=codes.questions,
                ),
            )
        return (
            Phrase(
                "a game with marks of its own: {secrets:,} secrets, {guesses:,} guesses, {marks} "
                "marks",
                secrets=len(codes.secrets),
                guesses=len(codes.guesses),
                marks=len(codes.marks),
            ),
        )

    @property
    def width(self) -> int:
        return 1

    def to_row(self, code: Code) -> Sequence[int]:
        """The number of a guess."""
        return (self.codes.numbers[code.write()],)

    def from_row(self, row: Sequence[int]) -> Code:
        return Word(self.codes.guesses[row[0]])
