"""The words of all languages that are read: numbers, colors, forms of marks, heads of tables.

Each language is a file of `words`; one more file there, and it is read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
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


@cache
def word_set(field: str) -> frozenset[str]:
    """The words of a field in all languages."""
    return frozenset(w for each in LANGUAGES.values() for w in words_of(each.get(field, "")))


def pattern(field: str) -> str:
    """A pattern of those of a field in all languages."""
    return "|".join(way for each in LANGUAGES.values() for way in each.get(field, ()))


def _names(field: str) -> dict[str, str]:
    """The name of each word of a table in all languages."""
    tables = [each.get(field, {}) for each in LANGUAGES.values()]
    return {w: name for table in tables for name, text in table.items() for w in words_of(text)}


def _lines() -> dict[str, re.Pattern[str]]:
    """The patterns of `lines.toml`, with those that they name."""
    made = {field: pattern(field) for field in ("lead", "verb", "lock", "digits")}
    made |= {field: "|".join(sorted(word_set(field))) for field in ("turn", "clue")}
    for name, way in tomllib.loads(
        Path(__file__).with_name("lines.toml").read_text("utf-8")
    ).items():
        made[name] = re.sub("<<(.+?)>>", lambda named: made[named[1]], way)
    return {name: re.compile(way) for name, way in made.items()}


LINES: Final = _lines()
"""The patterns of what stands in lines beside guesses and marks, by name."""

NUMBERS: Final = {
    word: number
    for each in LANGUAGES.values()
    for number, text in enumerate(each["numbers"])
    for word in words_of(text)
}
HEADS: Final = _names("heads")
HEAD_PAIRS: Final = [row for each in LANGUAGES.values() for row in each.get("head_pairs", ())]
SPOKEN: Final = [row for each in LANGUAGES.values() for row in each.get("spoken", ())]
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

COLOR_NAMES: Final[dict[str, Mapping[str, str]]] = {
    "en": {sign: Phrase(name) for sign, name in LANGUAGES["en"]["initials"].items()},
    "fr": LANGUAGES["fr"]["initials"],
}
"""The usual initial of each color, by language; English names are told in the reader's."""

DISCS: Final[dict[str, str]] = LANGUAGES["en"]["discs"]
"""The disc and the square of a color."""

PAINTS: Final = {sign: paint for paint, signs in DISCS.items() for sign in signs} | _names("paints")
"""How a color is painted, in English, by its name in any language or its disc."""

COLOR_WORDS: Final = frozenset(word for word in PAINTS if word.isalpha())
"""Names of colors that guesses may be written with."""
