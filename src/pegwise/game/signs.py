"""The characters that people type: those of full width, invisible ones, and those of other scripts.

`２` is read as 2. A Cyrillic letter that looks like a Latin one is not: a message says what it is.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from pegwise.errors import InputError, Phrase, quoted

_FULL_WIDTH: Final = {sign: sign - 0xFEE0 for sign in range(0xFF01, 0xFF5F)}
_INVISIBLE: Final = "\ufe0e\ufe0f\u200b\u200d\ufeff"
_PLAIN: Final = str.maketrans(
    _FULL_WIDTH
    | {ord(sign): " " for sign in "\u3000\u00a0\u202f\u2009"}
    | {ord(sign): "" for sign in _INVISIBLE}
    | {0x2212: "-", 0x00D7: "x"}
)


def plain(text: str) -> str:
    """A text with signs of full width as usual ones, and without signs that are not seen.

    InputError: no text.
    """
    if not isinstance(text, str):
        raise InputError("{value} is not text", value=quoted(text))
    return text.translate(_PLAIN)


@lru_cache(maxsize=1024)
def unaccented(text: str) -> str:
    """A text in small letters without accents."""
    parts = unicodedata.normalize("NFD", text.lower().replace("œ", "oe"))
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def fold(word: str) -> str:
    """A word in capitals, letter by letter: accents stay, and ß is one letter."""
    composed = unicodedata.normalize("NFC", word)
    return "".join(
        "ẞ" if sign in "ßẞ" else sign.upper() if len(sign.upper()) == 1 else sign
        for sign in composed
    )


def shown(text: str) -> str:
    """A text as a message quotes it; a letter of another script is named.

    So a Cyrillic х is `'х' (U+0445, CYRILLIC SMALL LETTER HA)`.
    """
    for sign in text:
        name = unicodedata.name(sign, "")
        if sign.isalpha() and not sign.isascii() and name and not name.startswith("LATIN"):
            about = Phrase("{code}, {name}", code=f"U+{ord(sign):04X}", name=name)
            if text == sign:
                return Phrase("{sign} ({about})", sign=quoted(sign), about=about)
            return Phrase(
                "{text} (with {sign}: {about})", text=quoted(text), sign=sign, about=about
            )
    return quoted(text)
