"""What a language has for marks: a language is read where it has a file beside this one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Count = tuple[str, str, str, int]
"""A form of marks: its name, words of black, words of white, its cost."""

LETTERS: Final = frozenset({"black-white", "noir-blanc", "red-white", "bulls-cows"})
"""Forms that are written as a row of letters too, as in bbw."""


@dataclass(frozen=True, slots=True)
class Language:
    """Words without accents, in small letters; several in a text are set apart by blanks.

    Attributes:
        numbers: the words of 0, of 1, and so on.
        counts: the forms of marks that count pegs by words.
        nothing: marks of nothing, set apart by semicolons.
        won: marks of all pegs.
        between: words of a mark that count for nothing.
        black: patterns of what a sentence says of pegs in place.
        white: patterns of what it says of pegs at a wrong place.
        sentence: words of a sentence that count for nothing.
        paints: the words of a color, by its English name.
        initials: the usual initial of each color, and its name.
    """

    numbers: tuple[str, ...]
    counts: tuple[Count, ...]
    nothing: str
    won: str
    between: str = ""
    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    sentence: str = ""
    paints: dict[str, str] | None = None
    initials: dict[str, str] | None = None
