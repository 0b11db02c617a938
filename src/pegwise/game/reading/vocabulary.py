"""Words of English and French: numbers, colors, and what is said of pegs in sentences."""

from __future__ import annotations

import re
from typing import Final

from pegwise.errors import Phrase
from pegwise.game.marks import Mark
from pegwise.game.rules import Rules
from pegwise.game.signs import unaccented

NUMBERS: Final = {
    word: number
    for number, words in enumerate(
        (
            *("zero", "one un une", "two deux", "three trois", "four quatre", "five cinq"),
            *("six", "seven sept", "eight huit", "nine neuf", "ten dix"),
        )
    )
    for word in words.split()
}

COLOR_NAMES: Final[dict[str, dict[str, str]]] = {
    "en": {
        "R": Phrase("red"), "G": Phrase("green"), "B": Phrase("blue"), "Y": Phrase("yellow"),
        "O": Phrase("orange"), "P": Phrase("purple"), "W": Phrase("white"), "K": Phrase("black"),
        "V": Phrase("violet"), "C": Phrase("cyan"), "M": Phrase("magenta"), "T": Phrase("teal"),
        "N": Phrase("brown"), "S": Phrase("silver"),
    },
    "fr": {
        "R": "rouge", "V": "vert", "B": "bleu", "J": "jaune", "O": "orange", "N": "noir",
        "M": "marron", "G": "gris", "W": "blanc", "P": "pourpre", "K": "kaki",
    },
}  # fmt: skip
"""The usual initial of each color, by language; English names are told in the reader's."""

PAINTS: Final = {
    word: paint
    for paint, words in {
        "red": "red rouge 🔴 🟥",
        "green": "green vert verte 🟢 🟩",
        "blue": "blue bleu bleue 🔵 🟦",
        "yellow": "yellow jaune 🟡 🟨",
        "orange": "orange 🟠 🟧",
        "purple": "purple pourpre 🟣 🟪",
        "violet": "violet mauve indigo",
        "white": "white blanc blanche ⚪ ⬜",
        "black": "black noir noire ⚫ ⬛",
        "brown": "brown maroon marron brun brune 🟤 🟫",
        "gray": "gray grey gris grise",
        "silver": "silver argent",
        "pink": "pink rose",
        "cyan": "cyan turquoise",
        "teal": "teal",
        "magenta": "magenta",
        "lime": "lime",
        "gold": "gold beige",
        "navy": "navy",
        "khaki": "kaki",
    }.items()
    for word in words.split()
}
"""How a color is painted, in English, by its name in either language or its disc."""

COLOR_WORDS: Final = frozenset(word for word in PAINTS if word.isalpha())
"""Names of colors that guesses may be written with."""

PLACE_WORDS: Final = {
    word: sign
    for sign, words in {
        "⬛": "gray grey black absent gris grise noir noire",
        "🟨": "yellow elsewhere misplaced present jaune jaunes ailleurs",
        "🟩": "green right correct vert verte",
    }.items()
    for word in words.split()
}

_WHITE: Final = re.compile(
    r"(?:(?:in|at|on|a|en|dans) )?(?:(?:the|their|its|a|an|la|une|des|les) )?"
    r"(?:wrong|incorrect|bad|another|other|mauvaises?|autres?) (?:place|position|spot)s?"
    r"|(?:wrongly|badly|incorrectly|not well|not correctly) (?:placed|positioned)|misplaced"
    r"|out of place|elsewhere|mal placee?s?|ailleurs|a la mauvaise"
    r"|pas a (?:la|sa|leur) (?:bonne )?(?:place|position)"
)
_BLACK: Final = re.compile(
    r"(?:(?:in|at|on|a|en|dans) )?(?:(?:the|their|its|la|sa|leur|les) )?"
    r"(?:right|correct|good|exact|bonnes?) (?:place|position|spot)s?"
    r"|well placed|correctly (?:placed|positioned)|in place|bien placee?s?|a (?:sa|leur) place"
)
_NONE: Final = re.compile(
    r"(?:nothing|none|no (?:number|digit|color|colour|letter)s?|rien"
    r"|aucune?(?: chiffre| nombre| couleur| lettre)?)"
)
_FILLERS: Final = frozenset(
    {
        *("is", "are", "and", "but", "the", "in", "of", "it", "only", "correct", "right", "code"),
        *("number", "numbers", "digit", "digits", "color", "colors", "colour", "colours"),
        *("letter", "letters", "peg", "pegs", "est", "sont", "et", "mais", "n", "ne", "dans"),
        *("le", "la", "seul", "seule", "seulement", "corrects", "correcte", "correctes"),
        *("juste", "justes", "exact", "exacts", "exacte", "exactes", "bon", "bons", "bonne"),
        *("bonnes", "chiffre", "chiffres", "nombre", "nombres", "couleur", "couleurs", "pion"),
        *("pions", "lettre", "lettres"),
    }
)
_MOST: Final = 200  # characters of a sentence


def sentence_mark(rules: Rules, text: str) -> Mark | None:
    """The mark of a sentence: `one number is correct and well placed`; None where it is none.

    A word that is not in the vocabulary makes it none: `not` or `except` may turn its sense.
    """
    if len(text) > _MOST:
        return None
    words = " ".join(re.findall(r"[a-z0-9]+", re.sub(r"\(e?s\)", "", unaccented(text))))
    words = _BLACK.sub(" BLACK ", _WHITE.sub(" WHITE ", words))
    nothing = _NONE.fullmatch(words.split(" is ")[0].split(" are ")[0].split(" n est ")[0].strip())
    if nothing:
        rest = words.split()
        return Mark(0) if all(w in _FILLERS or _NONE.search(w) or w == "no" for w in rest) else None
    parts: list[int | str] = []
    for word in words.split():
        if word in ("BLACK", "WHITE"):
            parts.append(word)
        elif word in NUMBERS or (word.isdecimal() and len(word) < 3):
            parts.append(NUMBERS[word] if word in NUMBERS else int(word))
        elif word in ("another", "both", "all", "tous", "toutes"):
            parts.append({"another": 1, "both": 2}.get(word, rules.pegs))
        elif word not in _FILLERS:
            return None
    return _counted(parts, rules)


def _counted(parts: list[int | str], rules: Rules) -> Mark | None:
    """Numbers, each with what it is said of after it, or before it."""
    if rules.black and len(parts) == 1 and isinstance(parts[0], int):
        return Mark(parts[0])  # `2 correct`
    if len(parts) > 3 and isinstance(parts[0], int) and isinstance(parts[1], int):
        total, *parts = parts  # `two are correct, one well placed, one wrongly placed`
        if total != sum(part for part in parts if isinstance(part, int)):
            return None
    if parts and isinstance(parts[0], str):
        parts = [part for pair in zip(parts[1::2], parts[::2], strict=False) for part in pair]
    pairs = [*zip(parts[::2], parts[1::2], strict=False)]
    if not pairs or len(parts) % 2:
        return None
    counts: dict[str, int] = {}
    for number, kind in pairs:
        if not isinstance(number, int) or not isinstance(kind, str) or kind in counts:
            return None
        counts[kind] = number
    return Mark(counts.get("BLACK", 0), counts.get("WHITE", 0))
