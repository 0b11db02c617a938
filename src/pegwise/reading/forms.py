"""The forms of marks: the ways in which people write them, each with what it costs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Final

from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.game.signs import plain, unaccented
from pegwise.reading import costs
from pegwise.reading.vocabulary import COUNTS, NUMBERS, PLACE_WORDS, SPOKEN, pattern, word_set

PAIR: Final = "pair"
OPEN: Final = "black-only"  # the white pegs were not noted
INCLUSIVE: Final = "inclusive"  # the second number includes the first
WHITE_FIRST: Final = "white-first"
LIKENESS: Final = "likeness"  # the number of letters in place
SWAPPED: Final = "o-black"
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
    bare = unaccented(plain(text)).strip()
    return bare == "0" or bare in word_set("nothing") or re.fullmatch(DASHES, bare) is not None


def is_won(text: str) -> bool:
    """Whether a text says that the guess is the secret, in any form."""
    return unaccented(plain(text)).strip(" !.") in word_set("won")


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
        clear: a pattern that one of the marks of a history has if it is likely.
    """

    name: str
    cost: int = costs.DOCUMENTED
    says: Phrase = Phrase("")  # noqa: RUF009 - it never changes
    clear: str = ""

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

    kinds: tuple[str, ...] = ()
    needs: str = ""
    meanings: ClassVar[tuple[Phrase, Phrase, Phrase]]
    usual: ClassVar[frozenset[str]]  # the signs that the help names

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """That of the form, and of signs that are not usual."""
        return self.cost or costs.NAMED * bool({*self.signs(text)} - self.usual)

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
    usual = frozenset("-.012yYgG⬛⬜🟨🟩")

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


class RowForm(SignForm):
    """A sign for each black and each white peg, in any order."""

    meanings = (Phrase("{signs} is black"), Phrase("{signs} is white"),
                Phrase("{signs} is nothing"))  # fmt: skip
    usual = frozenset("xXoO●⚫○⚪⚬.-_·")

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
        if len({*blanks}) > 1 or (blanks == [*signs] and {*blanks} & {*_SIGNS["squares"]}):
            return None
        return Mark(*map(len, marked))

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:
        """Less than usual where dashes fill up `o---`."""
        filled = self.name == SWAPPED and text.islower() and {*text} & {*self.kinds[2]}
        return costs.UNUSUAL if filled else super().cost_of(text, rules, french=french)


_FILLERS: Final = word_set("between") | {*",;&+/:='\"-"}


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[str, ...]:
    """Numbers, words and signs, words of numbers as numbers."""
    spoken = unaccented(text)
    for way, plainly in SPOKEN:
        spoken = re.sub(way, plainly, spoken)
    words = re.findall(r"[0-9]+|[^\W\d_]+|[^\s\w]", spoken)
    return tuple(str(NUMBERS.get(word, word)) for word in words)


def paired(parts: Sequence[int | str]) -> Mark | None:
    """The mark of numbers, each with its kind after it, or before it; None for other parts."""
    numbers, kinds = parts[::2], parts[1::2]
    if parts and isinstance(parts[0], str):
        numbers, kinds = kinds, numbers
    counts = dict(zip(kinds, numbers, strict=False))
    if not 0 < len(counts) == len(numbers) == len(kinds) or not {*counts} <= {"BLACK", "WHITE"}:
        return None
    black, white = counts.get("BLACK", 0), counts.get("WHITE", 0)
    return Mark(black, white) if isinstance(black, int) and isinstance(white, int) else None


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
            elif any(len(word) < 3 or word not in (*black, *white) for word in words):
                return None
            return Mark(sum(word in black for word in words), sum(word in white for word in words))
        if not words[0].isdecimal() and "x" in black:  # X0 may be XO
            return None
        kinds = {**dict.fromkeys(white, "WHITE"), **dict.fromkeys(black, "BLACK")}
        return paired([int(word) if word.isdecimal() else kinds.get(word, "") for word in words])

    def meaning(self, text: str) -> str:
        """`b is black, w is white` for letters, with the words themselves for counts."""
        kinds, letters = (self.black, self.white), {self.black[0], self.white[0], ",", " "}
        words = [kind[0] for kind in kinds]
        if not {*text.casefold()} <= letters:
            words = [next((word for word in kind if len(word) > 2), kind[0]) for kind in kinds]
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
        whole = sum(n.values()) if "n" in n else n.get("p", rules.pegs)
        if whole != rules.pegs or black > n.get("p", black):
            return None
        if "t" in n and "b" not in n:
            return PartialMark(total=n["t"])
        if "t" in n:
            return Mark(black, n["t"] - black) if black <= n["t"] else None
        if self.name == OPEN and rules.marking.counted != "X":
            return PartialMark(black=black)
        return Mark(black, n.get("w", 0))


_SHORTEST: Final = len("place")  # what the first two match is no shorter
_WAYS: Final = (
    (pattern("white"), " WHITE "),
    (pattern("black"), " BLACK "),
    (rf"(?<=[a-z0-9] )(?:{pattern('neither')}) BLACK", "WHITE"),
    (rf"\b(?:{pattern('other')})$", "OTHER"),
    (rf"\b(?:{pattern('one')})", "one "),
    (rf"\b(?:{pattern('among')})\b", "AMONG"),
)
"""Ways of speaking, and the words that stand for them.

None of the correct ones is in place in `two are correct, but neither is in the right place`; the
other one is not as the first in `one is well placed, the other is not`; and `two are correct, but
one is misplaced` is of some of the correct ones.
"""

_MOST: Final = 200  # characters of a sentence
_STRANGE: Final = r"[^\w\s,.;:!?'’\"()/&«»–—-]"
"""A character that no sentence has."""


@lru_cache(maxsize=1024)
def _spoken(text: str) -> tuple[str, ...]:
    """The words of a sentence; none for what is no sentence."""
    if len(text) > _MOST or re.search(_STRANGE, text):
        return ()
    words = " ".join(re.findall(r"[a-z0-9]+", re.sub(r"\(e?s\)", "", unaccented(text))))
    for way, word in _WAYS if len(words) >= _SHORTEST else ():
        words = " ".join(re.sub(way, word, words).split())
    return tuple(words.split())


def _says_nothing(words: Sequence[str], rules: Game) -> bool:
    """Whether words say that nothing is right: `no number is correct`, `all three are wrong`."""
    fillers, wrong, every = word_set("sentence"), word_set("wrong"), word_set("all")
    told = {word for word in words if word not in fillers and NUMBERS.get(word, 0) != rules.pegs}
    if told & wrong:
        return bool(told & every) and told <= every | wrong
    if len(words) > 1 and all(len(word) == 1 for word in words):  # `A, 0` ends a guess
        return False
    return (
        bool(told)
        and told <= word_set("none")
        and (len(words) > 1 or words[0] not in ("zero", "0"))
    )


class SentenceForm(Form):
    """What is said of pegs: `one number is correct and well placed`."""

    def read(self, text: str, rules: Game) -> Mark | None:
        """A word that is not in the vocabulary makes it none: `not` may turn its sense."""
        words = [word for word in _spoken(text) if word != "AMONG"]
        if _says_nothing(words, rules):
            return Mark(0)
        parts: list[int | str] = []
        for word in words:
            if word in ("BLACK", "WHITE", "OTHER"):
                parts.append(word)
            elif word in NUMBERS or (word.isdecimal() and len(word) < 3):
                parts.append(NUMBERS[word] if word in NUMBERS else int(word))
            elif word in word_set("another"):
                parts.append(1)
            elif word in word_set("both") | word_set("all"):
                parts.append(2 if word in word_set("both") else rules.pegs)
            elif word not in word_set("sentence"):
                return None
        match parts:
            case [int(black)] if rules.marking.counted == "X":
                return Mark(black)  # `2 correct`
            case [2, 1, "BLACK" | "WHITE", "OTHER"]:
                return Mark(1, 1)
            case [int(correct), int(number), str(kind)] | [int(number), str(kind), int(correct)]:
                # in `3 correct, 1 in the right place` the three may be all that are correct
                among = self.name == INCLUSIVE or "AMONG" in _spoken(text)
                other = correct - number if among else correct
                opposite = "WHITE" if kind == "BLACK" else "BLACK"
                return paired([number, kind, other, opposite]) if other >= 0 else None
            case [int(total), int(), *_]:
                parts = parts[1:]
                if total != sum(part for part in parts if isinstance(part, int)):
                    return None
        return paired(parts)

    def cost_of(self, text: str, rules: Game, *, french: bool) -> int:  # noqa: ARG002
        """Nothing where it can be read in one way only."""
        marks = {form.read(text, rules) for form in _SENTENCES}
        return costs.DOCUMENTED if len(marks) == 1 else costs.RIVAL


_TABLES: Final = tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))
_SIGNS: Final[dict[str, str]] = _TABLES["signs"]


def _signs(names: str) -> str:
    """The signs of some names of `forms.toml`, or signs as they are."""
    return "".join(_SIGNS.get(name, name) for name in names.split())


def _numbered(way: str) -> str:
    """A pattern of numbers as `forms.toml` writes it."""
    way = way.replace("~", r"(?:\s*[-/,;:+]\s*|\.|\s+)")
    way = re.sub("(?<!P)<([bwtnp])>", r"(?P<\1>[0-9]{1,4})", way)
    return re.sub("{([bwt])}", r"(?P<\1>[0-9])", way)


PLACES: Final = tuple(
    PlaceForm(name, kinds=tuple(map(_signs, kinds)), needs=needs)
    for name, *kinds, needs in _TABLES["forms"]["places"]
)
_ROWS: Final = tuple(
    RowForm(name, getattr(costs, cost), clear=clear, kinds=tuple(map(_signs, kinds)), needs=needs)
    for name, *kinds, needs, cost, clear in _TABLES["forms"]["rows"]
)
_NUMBERS: Final = tuple(
    (
        counted,
        NumberForm(name, getattr(costs, cost), Phrase(says), patterns=tuple(map(_numbered, ways))),
    )
    for counted, name, cost, says, ways in _TABLES["forms"]["numbers"]
)
_SENTENCES: Final = tuple(
    SentenceForm(name, says=Phrase(says)) for name, says in _TABLES["forms"]["sentences"]
)
_COUNTED: Final = {
    counted: (
        *(*_ROWS, *_WORDS),
        *(form for kind, form in _NUMBERS if kind in ("", counted)),
        *_SENTENCES,
    )
    for counted in ("X", "XO")
}
FORMS: Final = (*PLACES, *_COUNTED["XO"], *_COUNTED["X"])


def forms_of(rules: Game) -> tuple[Form, ...]:
    """The forms of marks of a game, that of nothing first."""
    if rules.marking.listed:
        return (Form("own", says=rules.marking.signs),)
    return PLACES if rules.marking.cells else _COUNTED[rules.marking.counted]


def form_names() -> list[str]:
    """The names of all forms."""
    return [*dict.fromkeys(form.name for form in FORMS)]
