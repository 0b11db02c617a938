"""The forms of marks: the ways in which people write them, each with what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.game.signs import plain, unaccented
from pegwise.reading import costs
from pegwise.reading.sentences import paired, says_all, sentence_mark
from pegwise.reading.vocabulary import BETWEEN, COUNTS, NOTHING, NUMBERS, PLACE_WORDS, WON

PAIR: Final = "pair"
OPEN: Final = "black-only"  # the white pegs were not noted
SUM: Final = "sum"
INCLUSIVE: Final = "inclusive"  # the second number includes the first
WHITE_FIRST: Final = "white-first"
LIKENESS: Final = "likeness"  # the number of letters in place
EXCLUSIVE: Final = "exclusive"  # of sentences in which no number includes another
SWAPPED: Final = "o-black"
MINUS: Final = "minus-white"
ZERO_WHITE: Final = "zero-white"
DOT_WHITE: Final = "dot-white"
BULLS: Final = "bulls-cows"  # its letters are those of colors too

SECOND: Final = frozenset({SWAPPED, WHITE_FIRST})
"""Forms that are read only where the usual sense of the same signs is possible too."""

COUNTING: Final = frozenset({PAIR, INCLUSIVE, WHITE_FIRST, "of-pegs", "columns"})
"""Forms of numbers: where one is asked for, the others are not read."""

_LETTERS: Final = frozenset({"black-white", "noir-blanc", "red-white", "bulls-cows"})
"""Forms that are written as a row of letters too, as in bbw."""

DASHES: Final = r"([-._·\u2013\u2014])\1{0,15}"
"""A dash, a dot or a low line, or a row of them."""


@lru_cache(maxsize=1024)
def is_nothing(text: str) -> bool:
    """Whether a text says that nothing is right, in any form."""
    words = unaccented(plain(text)).strip()
    return words in NOTHING or re.fullmatch(DASHES, words) is not None


def is_won(text: str) -> bool:
    """Whether a text says that the guess is the secret, in any form."""
    return unaccented(plain(text)).strip(" !.") in WON


def is_letter(text: str) -> bool:
    """Whether a mark is a letter alone, which may be a peg of the guess before it; not X or O."""
    return len(text) == 1 and text.isascii() and text.isalpha() and text not in "xXoO"


def joined(parts: Sequence[str]) -> str:
    """Phrases in a row, set apart by commas."""
    told = parts[0] if parts else ""
    for part in parts[1:]:
        told = Phrase("{first}, {second}", first=told, second=part)
    return told


def inferred_sentence(parts: Sequence[str]) -> str:
    """A sentence on what was inferred; empty for nothing."""
    return Phrase("Read as {what}.", what=joined(parts)) if parts else ""


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write marks.

    Attributes:
        name: what the option `--marks` calls it.
        cost: of reading a text so; what costs something is told.
        says: what it means, where the signs of a text do not matter.
    """

    name: str
    cost: int = costs.DOCUMENTED
    says: Phrase = Phrase("")  # noqa: RUF009 - it never changes

    def read(self, text: str, rules: Game) -> Mark | None:
        """The mark of a text; None where the text is not of this form."""
        return rules.marking.from_text(text)

    def meaning(self, text: str) -> str:  # noqa: ARG002
        """What the signs of a text mean."""
        return self.says

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """What it costs to read a text so."""
        return self.cost


@dataclass(frozen=True, slots=True)
class SignForm(Form):
    """Marks of signs, of which each is of one kind.

    Attributes:
        kinds: the signs of each kind, in the order of `meanings`.
        needs: signs of which one must occur.
    """

    kinds: tuple[str, str, str] = ("", "", "")
    needs: str = ""
    meanings: ClassVar[tuple[Phrase, Phrase, Phrase]]

    def meaning(self, text: str) -> str:
        """`+ is black, - is white`: for each kind of signs those that a text has."""
        signs = dict.fromkeys(self.signs(text))
        rows = ["".join(sign for sign in signs if sign in kind) for kind in self.kinds]
        pairs = zip(self.meanings, rows, strict=True)
        return joined([Phrase(each.template, signs=row) for each, row in pairs if row])

    @staticmethod
    def signs(text: str) -> str:
        """The signs of a text, without what sets them apart."""
        return re.sub(r"[\s,;/&'\"]", "", text)


class PlaceForm(SignForm):
    """A sign for each place."""

    meanings = (Phrase("{signs} is absent"), Phrase("{signs} is elsewhere"),
                Phrase("{signs} is right"))  # fmt: skip

    @staticmethod
    def signs(text: str) -> str:
        """The signs of a mark by place; words of colors as squares."""
        words = [w for w in re.split(r"[\s,;]+", unaccented(text)) if w not in ("", "and", "et")]
        if words and all(word in PLACE_WORDS for word in words):
            return "".join(map(PLACE_WORDS.__getitem__, words))
        if "-1" in words and {*words} <= {"-1", "0", "1"}:
            return "".join("🟨🟩⬛"[int(word)] for word in words)
        return re.sub(r"[\s,]", "", text)

    def read(self, text: str, rules: Game) -> Mark | None:
        """A mark with as many signs as places."""
        signs = self.signs(text)
        if len(signs) != rules.pegs or (self.needs and not {*self.needs} & {*signs}):
            return None
        places = self.places(signs)
        return None if places is None else PlacedMark(places[sign] for sign in signs)

    def places(self, signs: str) -> dict[str, int] | None:
        """The place that each sign stands for; None where a sign has none, or two have the same.

        Capitals and small letters are one sign, and so are black and white squares.
        """
        places = {}
        for sign in {*signs}:
            possible = [place for place, kind in enumerate(self.kinds) if sign in kind]
            if len(possible) != 1:
                return None
            places[sign] = possible[0]
        one = {sign.casefold().replace("⬜", "⬛"): place for sign, place in places.items()}
        return places if len(one) == len({*one.values()}) else None

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """Nothing for the signs that the help names."""
        return costs.NAMED * bool({*self.signs(text)} - _TOLD)


_TOLD: Final = frozenset("-.012yYgG⬛⬜🟨🟩")

# Within a history each sign has one meaning, and each meaning one sign; so `xxxxg` has x for
# absent, as g is right. Name, signs of absent, elsewhere and right, signs of which one must occur.
PLACES: Final = tuple(
    PlaceForm(name, kinds=(absent, elsewhere, right), needs=needs)
    for name, absent, elsewhere, right, needs in (
        ("x-right", "-._0", "oO○", "xX●", ""),
        ("x-absent", "xX-._", "oO", "gGvV", "xXoO"),
        ("green-yellow", "-._0xXbBwWkK⬛⬜", "yY", "gGvV", ""),
        ("gris-jaune-vert", "gGnN-._xX", "jJ", "vV", "jJvV"),
        ("jaune", "-._xX0", "jJ", "gG", "jJ"),
        ("x-yellow", "-._", "yY", "xX", "-._"),
        ("mal-place", "-._", "mM", "pP", "-._"),
        ("plus", "/._0", "-", "+", "+/"),
        ("plus-minus", "-._0", "", "+", "+"),
        ("digits", "0", "1", "2", ""),
        ("squares", "⬛⬜◻◼⚫⚪🟫", "🟨🟡", "🟩🟢", ""),
        ("contrast", "⬛⬜◻◼⚫⚪🟫", "🟦🔵", "🟧🟠", ""),
        ("motus", "🟦🔵", "🟨🟡", "🟥🔴", ""),
        ("motus", "bB-._", "jJyY", "rR", "rR"),
        ("red-absent", "🟥🔴", "🟨🟡", "🟩🟢", "🟥🔴"),
    )
)

_BLANKS: Final = ".-_·\u2013\u2014◌➖"
"""Signs that fill up a row where nothing is right."""

_CROSSES: Final = "❌✖✗✘🚫"
_REST: Final = _BLANKS + _CROSSES + "⚫⚪⬛⬜"
_SQUARES: Final = "⬛⬜◻◼□▢"
_USUAL_SIGNS: Final = frozenset("xXoO●⚫○⚪⚬.-_·")


class RowForm(SignForm):
    """A sign for each black and each white peg, in any order."""

    meanings = (Phrase("{signs} is black"), Phrase("{signs} is white"),
                Phrase("{signs} is nothing"))  # fmt: skip

    def read(self, text: str, rules: Game) -> Mark | None:
        """With signs for nothing they are as many as the pegs; each meaning has one sign."""
        black, white, nothing = self.kinds
        signs = self.signs(text)
        if not signs or {*signs} - {*black, *white, *nothing}:
            return None
        if (self.needs and not {*self.needs} & {*signs}) or (white == "-" and text[:2] == "- "):
            return None
        if white == "." and len(signs) == rules.pegs:  # the dots fill it up
            return None
        marked = [[sign for sign in signs if sign in kind] for kind in (black, white)]
        if any(len({*"".join(kind).casefold().replace("0", "o")}) > 1 for kind in marked):
            return None
        blanks = [sign for sign in signs if sign in nothing]
        if blanks and (len(signs) > rules.pegs if nothing == "0" else len(signs) != rules.pegs):
            return None
        if len({*blanks}) > 1 or ({*blanks} & {*_SQUARES} and len(blanks) == len(signs)):
            return None
        return Mark(*map(len, marked))

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """That of the form; less where the signs are usual, or dashes fill up `o---`."""
        if self.name == SWAPPED and text.islower() and {*text} & {*_BLANKS}:
            return costs.UNUSUAL
        return self.cost or costs.NAMED * bool({*self.signs(text)} - _USUAL_SIGNS)


# Name, signs of black, white and nothing, signs of which one must occur, cost.
_ROWS: Final = tuple(
    RowForm(name, cost, kinds=(black, white, nothing), needs=needs)
    for name, black, white, nothing, needs, cost in (
        ("xo", "xX", "oO", _BLANKS, "", costs.DOCUMENTED),
        (ZERO_WHITE, "xX+", "oO0", _BLANKS, "0", costs.RIVAL),
        ("zero-absent", "xX", "oO", "0", "0", costs.RIVAL),
        (DOT_WHITE, "xX●⚫", ".", "", ".", costs.RIVAL),
        (SWAPPED, "oO", "xX", _BLANKS, "", costs.SWAPPED),
        ("xo", "●⚫", "○⚪⚬", _BLANKS + _CROSSES + _SQUARES, "", costs.DOCUMENTED),
        ("red-white", "🔴", "⚪○⚬", _BLANKS + _CROSSES + _SQUARES, "🔴", costs.NAMED),
        ("green-yellow", "🟢🟩✅✔✓", "🟡🟨", _REST, "🟢🟩✅✔✓🟡🟨", costs.NAMED),
        ("squares", "⬛◼", "⬜◻", _BLANKS, "", costs.NAMED),
        ("x-yellow", "xX", "yY", _BLANKS, "-._", costs.NAMED),
        ("mal-place", "pP", "mM", _BLANKS, "-._", costs.NAMED),
        (MINUS, "+", "-", "._·", "+-", costs.RIVAL),
        ("minus-absent", "+", "", "-", "", costs.RIVAL),
    )
)  # fmt: skip

_LONGEST: Final = 4  # digits of a count
_FILLERS: Final = BETWEEN | {*",;&+/:='\"-"}
_SPOKEN: Final = (
    (r"\(s\)|(?<=black|white) hits?\b", ""),
    (r"\ba single\b", "one"),
    (r"\bpas (?:de |d')", "0 "),
)
"""Ways of speaking, and the words that they stand for."""


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[str, ...]:
    """Numbers, words and signs, words of numbers as numbers."""
    spoken = unaccented(text)
    for way, plainly in _SPOKEN:
        spoken = re.sub(way, plainly, spoken)
    words = re.findall(r"[0-9]+|[^\W\d_]+|[^\s\w]", spoken)
    return tuple(str(NUMBERS.get(word, word)) for word in words)


@dataclass(frozen=True, slots=True)
class WordForm(Form):
    """Counts with words: `2b1w`, `1 white, 2 black pegs`; or words alone: `black white`."""

    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()

    def read(self, text: str, rules: Game) -> Mark | None:  # noqa: ARG002
        """Each kind is counted once; some forms are rows of letters too (`bbw`)."""
        black, white, row = self.black, self.white, self.name in _LETTERS
        tokens = _tokens(text)
        if not row and not {*black, *white} & {*tokens}:
            return None
        words = [word for word in tokens if word not in _FILLERS]
        if not words or (tokens[0] in _FILLERS and tokens[0].isalpha() and len(tokens[0]) == 1):
            return None  # a letter may be a peg of the guess before it
        if not any(map(str.isdecimal, words)):
            letters = "".join(words)
            if row and {*letters} <= {*black, *white} and (len(letters) > 1 or is_letter(text)):
                words = [*letters]
            elif any(len(word) < 3 for word in words):
                return None
            if not {*words} <= {*black, *white}:
                return None
            return Mark(sum(word in black for word in words), sum(word in white for word in words))
        if any(word.isdecimal() and len(word) > _LONGEST for word in words):
            return None
        if not words[0].isdecimal() and "x" in black:  # X0 may be XO
            return None
        kinds = {**dict.fromkeys(white, "WHITE"), **dict.fromkeys(black, "BLACK")}
        return paired([int(word) if word.isdecimal() else kinds.get(word, "") for word in words])

    def meaning(self, text: str) -> str:
        """`b is black, w is white` for letters, with the words themselves for counts."""
        words: list[str] = [self.black[0], self.white[0]]
        if not {*text.casefold()} <= {*words, ",", " "}:
            words = [
                next((word for word in kind if len(word) > 2), kind[0])
                for kind in (self.black, self.white)
            ]
        return Phrase("{black} is black, {white} is white", black=words[0], white=words[1])

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """More for white words alone that are black ones of another form, as the b of `2b`."""
        cost, words = self.cost, {*_tokens(text)}
        if not words & {*self.black, *self.white}:
            words = {*text.lower()}
        if not words & {*self.black} and words & {*self.white} & _ALL_BLACK:
            cost = costs.NAMED if french and self.name == "noir-blanc" else costs.RIVAL
        return cost + costs.LETTER * is_letter(text)


_WORDS: Final = tuple(
    WordForm(name, cost, black=tuple(black), white=tuple(white))
    for name, (black, white, cost) in COUNTS.items()
)
_ALL_BLACK: Final = frozenset(word for form in _WORDS for word in form.black)


@dataclass(frozen=True, slots=True)
class NumberForm(Form):
    """Numbers without words.

    `patterns` have groups: b and w (black and white), t (both), n (pegs that are neither), p (all
    pegs of the code), s (signs of black).
    """

    patterns: tuple[str, ...] = ()

    def read(self, text: str, rules: Game) -> Mark | None:
        """The numbers of the first pattern that the text has."""
        bare = unaccented(text)
        match = next(filter(None, (re.fullmatch(way, bare) for way in self.patterns)), None)
        if match is None:
            return None
        groups = match.groupdict()
        n = {name: int(digits or 0) for name, digits in groups.items() if name != "s"}
        black = n.get("b", len(groups.get("s") or ""))
        if n.get("p", rules.pegs) != rules.pegs or black > n.get("p", black):
            return None
        if "n" in n and sum(n.values()) != rules.pegs:
            return None
        if "t" in n and "b" not in n:
            return PartialMark(total=n["t"])
        if "t" in n:
            return Mark(black, n["t"] - black) if black <= n["t"] else None
        if self.name == OPEN and rules.marking.counted != "X":
            return PartialMark(black=black)
        return Mark(black, n.get("w", 0))


class SentenceForm(Form):
    """What is said of pegs: `one number is correct and well placed`."""

    def read(self, text: str, rules: Game) -> Mark | None:
        """In `3 correct, 1 in the right place` the three may be all that are correct."""
        return sentence_mark(rules, text, inclusive=self.name == INCLUSIVE)

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """Nothing where it can be read in one way only."""
        return costs.DOCUMENTED if says_all(rules, text) else costs.RIVAL


def _two(first: str, second: str) -> tuple[str, ...]:
    """Two numbers, as `2 1`, `(2, 1)` and `21`."""
    two = rf"<{first}>(?:\s*[-/,;:+]\s*|\.|\s+)<{second}>"
    digits = f"(?P<{first}>[0-9])(?P<{second}>[0-9])"
    return two, rf"\(\s*{two}\s*\)", rf"\[\s*{two}\s*\]", digits


def _numbered(way: str) -> str:
    """A pattern of numbers, with `<b>` for a group of digits."""
    return re.sub("(?<!P)<([bwtnp])>", r"(?P<\1>[0-9]{1,4})", way)


_SIGNED: Final = r"\+<b>\s*,?\s*-<w>"
_NOT_NOTED: Final = (
    r"[(\[]?<b>\s*(?:b(?:lacks?)?|n(?:oirs?)?|\s|[-/,;:+])\s*\?\s*"
    r"(?:w(?:hites?)?|b(?:lancs?)?)?[)\]]?"
)
_IN_ALL: Final = (
    "<t> (?:in all|in total|en tout|au total|jots?|letters? in common"
    "|lettres? (?:en )?communes?|lettres? en commun)"
)
_LONE: Final = "(?P<{}>[1-9][0-9]?)"
"""One number: of black pegs or the sum of both; another mark of the history may tell which."""


def _correct_and_right(correct: str) -> tuple[str, ...]:
    """Two numbers, those of right colors and of pegs in place: `10 C, 8 R`."""
    return rf"<{correct}>\s*c\s*[,;/&]?\s*<b>\s*r", rf"<b>\s*r\s*[,;/&]?\s*<{correct}>\s*c"


_CORRECT_ALONE: Final = Phrase("the number of correct ones is without the others")
_CORRECT_IN_ALL: Final = Phrase("the number of correct ones includes the others")
_INCLUDES: Final = Phrase("the second number includes the first")
_OF_PEGS: Final = Phrase("the number after the slash is that of the pegs")
_OPEN: Final = Phrase("only the black pegs are noted, and not the white ones")
_WHITE_FIRST: Final = Phrase("the numbers are those of white and of black")
_PAIRED: Final = Phrase("the numbers are those of black and of white")
_IN_PART: Final = (_NOT_NOTED, r"(?P<s>[x●⚫]+)\?")

# What is counted (X for black alone; both where empty), name, cost, what it means, patterns. In
# brackets, as programs write pairs, or in one number with its sign, black is first.
_NUMBERS: Final = tuple(
    (counted, NumberForm(name, cost, says, tuple(map(_numbered, ways))))
    for counted, name, cost, says, ways in (
        ("X", PAIR, costs.DOCUMENTED, _PAIRED, ("<b>", *_two("b", "w"), _SIGNED)),
        ("XO", PAIR, costs.DOCUMENTED, _PAIRED, (*_two("b", "w"), _SIGNED)),
        ("", INCLUSIVE, costs.UNUSUAL, _INCLUDES, _two("b", "t")),
        ("", INCLUSIVE, costs.NAMED, _INCLUDES, (r"[(\[]?<b>\s*/\s*<t>[)\]]?",)),
        ("X", "of-pegs", costs.NAMED, _OF_PEGS, (r"<b>\s*/\s*<p>",)),
        ("XO", "of-pegs", costs.OF_PEGS, _OF_PEGS, (r"<b>\s*/\s*<p>",)),
        ("", "signed", costs.RARE,
         Phrase("{black} is black, {white} is white", black="+", white="-"),
         (_SIGNED, r"-<w>\s*,?\s*\+<b>", r"\+<b>", "-<w>")),
        ("", "columns", costs.RIVAL,
         Phrase("three numbers are those right, at a wrong place, and absent"),
         (r"[(\[]?<b>[\s,;/]+<w>[\s,;/]+<n>[)\]]?",)),
        ("X", OPEN, costs.DOCUMENTED, _OPEN, (*_IN_PART, _LONE.format("b"))),
        ("XO", OPEN, costs.RARE, _OPEN, (*_IN_PART, f"-?{_LONE.format('b')}")),
        ("X", LIKENESS, costs.DOCUMENTED, Phrase("the number is that of the letters in place"),
         (r"likeness\s?[=:]?\s?<b>", "<b>/[0-9]{1,2} correct", "<b> (?:light|beam)s?")),
        ("XO", WHITE_FIRST, costs.UNUSUAL, _WHITE_FIRST, (r"<w>(?:\s*[,;]\s*|\s+)<b>",)),
        ("XO", WHITE_FIRST, costs.SWAPPED, _WHITE_FIRST, _two("w", "b")),
        ("XO", SUM, costs.RARE, Phrase("only the sum of black and white pegs is noted"),
         (r"=\s?<t>", f"-?{_LONE.format('t')}", _IN_ALL)),
        ("XO", INCLUSIVE, costs.RIVAL, _CORRECT_IN_ALL, _correct_and_right("t")),
        ("XO", EXCLUSIVE, costs.RIVAL, _CORRECT_ALONE, _correct_and_right("w")),
    )
)  # fmt: skip
_SENTENCES: Final = (
    SentenceForm(EXCLUSIVE, says=_CORRECT_ALONE),
    SentenceForm(INCLUSIVE, says=_CORRECT_IN_ALL),
)
_COUNTED: Final = {
    counted: (
        *(*_ROWS, *_WORDS),
        *(form for kind, form in _NUMBERS if kind in ("", counted)),
        *_SENTENCES,
    )
    for counted in ("X", "XO")
}


def forms_of(rules: Game) -> tuple[Form, ...]:
    """The forms of marks of a game, that of nothing first."""
    if rules.marking.listed:
        return (Form("own", says=rules.marking.signs),)
    return PLACES if rules.marking.cells else _COUNTED[rules.marking.counted]


def form_names() -> list[str]:
    """The names of all forms."""
    return [*dict.fromkeys(form.name for form in (*PLACES, *_COUNTED["XO"], *_COUNTED["X"]))]
