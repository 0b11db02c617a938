"""The words of all languages that are read: numbers, colors, forms of marks, heads of tables.

Each language is a file of `words`; one more file there, and it is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

from pegwise.errors import Phrase
from pegwise.reading import costs

Words = str
"""Words without accents, in small letters, set apart by commas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What a language has for histories; `words/en.toml` says what each field is for."""

    numbers: list[Words]
    nothing: Words
    won: Words
    between: Words
    black: list[str]
    white: list[str]
    sentence: Words = ""
    none: Words = ""
    all: Words = ""
    wrong: Words = ""
    turn: Words = ""
    clue: Words = ""
    labels: Words = ""
    lead: list[str] = field(default_factory=list)
    verb: list[str] = field(default_factory=list)
    lock: list[str] = field(default_factory=list)
    digits: list[str] = field(default_factory=list)
    documented: dict[str, list[Words]] = field(default_factory=dict)
    named: dict[str, list[Words]] = field(default_factory=dict)
    paints: dict[str, Words] = field(default_factory=dict)
    initials: dict[str, str] = field(default_factory=dict)
    places: dict[str, Words] = field(default_factory=dict)
    heads: dict[str, Words] = field(default_factory=dict)


LANGUAGES: Final = {
    file.name.removesuffix(".toml"): Language(**tomllib.loads(file.read_text("utf-8")))
    for file in sorted(files("pegwise.reading").joinpath("words").iterdir(), key=str)
    if file.name.endswith(".toml")
}


def words_of(words: Words) -> list[str]:
    """The words of a text that commas set apart."""
    return [" ".join(word.split()) for word in words.split(",") if word.strip()]


def _all(name: str) -> frozenset[str]:
    """The words of all languages in a field."""
    return frozenset(word for each in LANGUAGES.values() for word in words_of(getattr(each, name)))


def _any(name: str) -> str:
    """A pattern of the patterns of all languages in a field."""
    return "|".join(way for each in LANGUAGES.values() for way in getattr(each, name))


def _by_word(tables: Iterable[Mapping[str, Words]]) -> dict[str, str]:
    """The name of each word of some tables."""
    return {
        word: name for table in tables for name, words in table.items() for word in words_of(words)
    }


NUMBERS: Final = {
    word: number
    for language in LANGUAGES.values()
    for number, words in enumerate(language.numbers)
    for word in words_of(words)
}
NOTHING: Final = _all("nothing") | {"0"}
WON: Final = _all("won")
BETWEEN: Final = _all("between")
SENTENCE: Final = _all("sentence")
NONE: Final = _all("none")
ALL: Final = _all("all")
WRONG: Final = _all("wrong")
TURN: Final = _all("turn")
CLUE: Final = _all("clue")
LABELS: Final = _all("labels")
HEADS: Final = _by_word(each.heads for each in LANGUAGES.values())
PLACE_WORDS: Final = _by_word(each.places for each in LANGUAGES.values())
BLACK: Final = _any("black")
WHITE: Final = _any("white")
LEAD: Final = _any("lead")
VERB: Final = _any("verb")
LOCK: Final = _any("lock")
DIGITS: Final = _any("digits")


def _counts() -> dict[str, tuple[list[str], list[str], int]]:
    """The forms of marks by words: those of one name in several languages are one."""
    forms: dict[str, tuple[list[str], list[str], int]] = {"xo": (["x"], ["o"], costs.DOCUMENTED)}
    for language in LANGUAGES.values():
        for rows, cost in ((language.documented, costs.DOCUMENTED), (language.named, costs.NAMED)):
            for name, (black, white) in rows.items():
                first = forms.get(name, ([], [], cost))
                forms[name] = (first[0] + words_of(black), first[1] + words_of(white), first[2])
    return forms


COUNTS: Final = _counts()
"""The words of black, those of white, and the cost of each form by its name."""

MARK_WORDS: Final = frozenset(NUMBERS).union(
    word for black, white, _ in COUNTS.values() for word in (*black, *white)
)
"""Words of marks that count pegs."""

COLOR_NAMES: Final[dict[str, Mapping[str, str]]] = {
    "en": {sign: Phrase(name) for sign, name in LANGUAGES["en"].initials.items()},
    "fr": LANGUAGES["fr"].initials,
}
"""The usual initial of each color, by language; English names are told in the reader's."""

DISCS: Final = {
    "red": "🔴🟥", "green": "🟢🟩", "blue": "🔵🟦", "yellow": "🟡🟨", "orange": "🟠🟧",
    "purple": "🟣🟪", "white": "⚪⬜", "black": "⚫⬛", "brown": "🟤🟫",
}  # fmt: skip
"""The disc and the square of a color."""

PAINTS: Final = {sign: paint for paint, signs in DISCS.items() for sign in signs} | _by_word(
    each.paints for each in LANGUAGES.values()
)
"""How a color is painted, in English, by its name in any language or its disc."""

COLOR_WORDS: Final = frozenset(word for word in PAINTS if word.isalpha())
"""Names of colors that guesses may be written with."""
