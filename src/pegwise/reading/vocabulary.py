"""The words of all languages that are read: numbers, colors, forms of marks, nothing and all."""

from __future__ import annotations

from typing import Final

from pegwise.reading.words import (
    DUTCH,
    ENGLISH,
    FRENCH,
    GERMAN,
    ITALIAN,
    PORTUGUESE,
    SPANISH,
)

LANGUAGES: Final = (ENGLISH, FRENCH, SPANISH, GERMAN, PORTUGUESE, ITALIAN, DUTCH)

NUMBERS: Final = {
    word: number
    for language in reversed(LANGUAGES)
    for number, words in enumerate(language.numbers)
    for word in words.split()
}
NOTHING: Final = frozenset({"0"}.union(*(each.nothing.split(";") for each in LANGUAGES)))
WON: Final = frozenset[str]().union(*(each.won.split(";") for each in LANGUAGES))
BETWEEN: Final = frozenset[str]().union(*(each.between.split() for each in LANGUAGES))


def _counts() -> dict[str, tuple[str, str, int]]:
    """The forms of marks by words: those of one name in several languages are one."""
    forms: dict[str, tuple[str, str, int]] = {"xo": ("x", "o", 0)}
    for language in LANGUAGES:
        for name, black, white, cost in language.counts:
            first = forms.get(name, ("", "", cost))
            forms[name] = (f"{first[0]} {black}", f"{first[1]} {white}", first[2])
    return forms


COUNTS: Final = _counts()
"""The words of black, those of white, and the cost of each form by its name."""

MARK_WORDS: Final = frozenset(NUMBERS).union(
    word for black, white, _ in COUNTS.values() for word in f"{black} {white}".split()
)
"""Words of marks that count pegs."""

COLOR_NAMES: Final = {"en": ENGLISH.initials or {}, "fr": FRENCH.initials or {}}
"""The usual initial of each color, by language; English names are told in the reader's."""

_SIGNS: Final = {
    "red": "🔴 🟥", "green": "🟢 🟩", "blue": "🔵 🟦", "yellow": "🟡 🟨", "orange": "🟠 🟧",
    "purple": "🟣 🟪", "white": "⚪ ⬜", "black": "⚫ ⬛", "brown": "🟤 🟫",
}  # fmt: skip
PAINTS: Final = {
    word: paint
    for paints in (_SIGNS, *(each.paints or {} for each in LANGUAGES))
    for paint, words in paints.items()
    for word in words.split()
}
"""How a color is painted, in English, by its name in any language or its disc."""

COLOR_WORDS: Final = frozenset(word for word in PAINTS if word.isalpha())
"""Names of colors that guesses may be written with."""

PLACE_WORDS: Final = {
    word: sign
    for sign, words in {
        "⬛": "gray grey black absent gris grise noir noire",
        "🟨": "yellow elsewhere misplaced present jaune jaunes ailleurs",
        "🟩": "green right correct vert verte",
        "🟥": "red rouge",
        "🟦": "blue bleu bleue",
        "🟧": "orange",
    }.items()
    for word in words.split()
}
