"""The words of all languages that are read: numbers, colors, forms of marks, heads of tables.

Each language is a file of `words`; one more file there, and it is read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.reading import costs

LANGUAGES: Final[dict[str, dict[str, Any]]] = {
    file.stem: tomllib.loads(file.read_text("utf-8"))
    for file in sorted(Path(__file__).with_name("words").glob("*.toml"))
}
"""The fields of each language; `words/en.toml` says what they are for."""


def words_of(text: str) -> list[str]:
    """The words of a text that commas set apart."""
    return [" ".join(word.split()) for word in text.split(",") if word.strip()]


def _words(field: str) -> frozenset[str]:
    """The words of a field in all languages."""
    return frozenset(w for each in LANGUAGES.values() for w in words_of(each.get(field, "")))


def _pattern(field: str) -> str:
    """A pattern of those of a field in all languages."""
    return "|".join(way for each in LANGUAGES.values() for way in each.get(field, ()))


def _names(field: str) -> dict[str, str]:
    """The name of each word of a table in all languages."""
    tables = [each.get(field, {}) for each in LANGUAGES.values()]
    return {w: name for table in tables for name, text in table.items() for w in words_of(text)}


NUMBERS: Final = {
    word: number
    for each in LANGUAGES.values()
    for number, text in enumerate(each["numbers"])
    for word in words_of(text)
}
NOTHING: Final = _words("nothing") | {"0"}
WON: Final = _words("won")
BETWEEN: Final = _words("between")
SENTENCE: Final = _words("sentence")
NONE: Final = _words("none")
ALL: Final = _words("all")
WRONG: Final = _words("wrong")
ANOTHER: Final = _words("another")
BOTH: Final = _words("both")
TURN: Final = _words("turn")
CLUE: Final = _words("clue")
LABELS: Final = _words("labels")
BLACK: Final = _pattern("black")
WHITE: Final = _pattern("white")
OTHER: Final = _pattern("other")
NEITHER: Final = _pattern("neither")
AMONG: Final = _pattern("among")
ONE: Final = _pattern("one")
LEAD: Final = _pattern("lead")
VERB: Final = _pattern("verb")
LOCK: Final = _pattern("lock")
DIGITS: Final = _pattern("digits")
HEADS: Final = _names("heads")
PLACE_WORDS: Final = _names("places")


def _counts() -> dict[str, tuple[list[str], list[str], int]]:
    """The forms of marks by words: those of one name in several languages are one."""
    forms = {"xo": (["x"], ["o"], costs.DOCUMENTED)}
    for each in LANGUAGES.values():
        for field, cost in (("documented", costs.DOCUMENTED), ("named", costs.NAMED)):
            for name, (black, white) in each.get(field, {}).items():
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
    "en": {sign: Phrase(name) for sign, name in LANGUAGES["en"]["initials"].items()},
    "fr": LANGUAGES["fr"]["initials"],
}
"""The usual initial of each color, by language; English names are told in the reader's."""

DISCS: Final = {
    "red": "🔴🟥", "green": "🟢🟩", "blue": "🔵🟦", "yellow": "🟡🟨", "orange": "🟠🟧",
    "purple": "🟣🟪", "white": "⚪⬜", "black": "⚫⬛", "brown": "🟤🟫",
}  # fmt: skip
"""The disc and the square of a color."""

PAINTS: Final = {sign: paint for paint, signs in DISCS.items() for sign in signs} | _names("paints")
"""How a color is painted, in English, by its name in any language or its disc."""

COLOR_WORDS: Final = frozenset(word for word in PAINTS if word.isalpha())
"""Names of colors that guesses may be written with."""
