"""Games that have a name: the rules that each stands for, and the words of its own marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pegwise.errors import Phrase


@dataclass(frozen=True, slots=True)
class MarkWords:
    """How a game writes black and white marks.

    Attributes:
        form: the form of `pegwise.reading` that such marks are read in.
        black: the words for one peg in its place and for several, with `{n}` for their number; a
            word without it is written once for each peg.
        white: the word for pegs right in color only; empty where they are not told.
        nothing: the mark of a guess in which nothing is right.
    """

    form: str
    black: tuple[str, str]
    white: tuple[str, str] | None
    nothing: str

    def write(self, black: int, white: int = 0) -> str:
        """A mark in these words."""
        counts = [(black, self.black), (white, self.white or ("", ""))]
        return " ".join(_counted(n, words) for n, words in counts if n) or self.nothing

    @property
    def singular(self) -> tuple[str, str]:
        """The words for one black and one white peg, without a number."""
        words = (self.black, self.white or ("", ""))
        return words[0][0].replace("{n}", "").strip(" ="), words[1][0].replace("{n}", "").strip()


def _counted(n: int, words: tuple[str, str]) -> str:
    word = words[n > 1]
    return word.format(n=n) if "{n}" in word else " ".join([word] * n)


@dataclass(frozen=True, slots=True)
class NamedGame:
    """A game that has a name.

    Attributes:
        rules: the rules that the name stands for, as text.
        title: what people call it.
        where: where it is played, in a few words.
        example: a turn, as it is typed.
        marks: the words of its marks; None where they are written as everywhere.
        digits: whether its codes are digits.
    """

    rules: str
    title: str
    where: str
    example: str
    marks: MarkWords | None = None
    digits: bool = False

    @property
    def on_words(self) -> bool:
        """Whether it is played with a list of words, which may be another one."""
        return self.rules.startswith("sgb,")


_BULLS: Final = MarkWords("bulls-cows", ("{n} bull", "{n} bulls"), ("{n} cow", "{n} cows"), "none")
_HITS: Final = MarkWords("hits-blows", ("{n} hit", "{n} hits"), ("{n} blow", "{n} blows"), "none")
_STRIKES: Final = MarkWords(
    "strikes-balls", ("{n} strike", "{n} strikes"), ("{n} ball", "{n} balls"), "out"
)
_FERMI: Final = MarkWords("fermi-pico", ("fermi", "fermi"), ("pico", "pico"), "bagels")
_GEARS: Final = MarkWords(
    "gear-tumbler", ("{n} gear", "{n} gears"), ("{n} tumbler", "{n} tumblers"), "none"
)
_LIGHTS: Final = MarkWords("likeness", ("{n} light", "{n} lights"), None, "blackout")
_LIKENESS: Final = MarkWords("likeness", ("likeness={n}", "likeness={n}"), None, "likeness=0")

NAMED_GAMES: Final = {
    "classic": NamedGame("4x6", Phrase("Mastermind"), Phrase("the board game of 1971"), "AABC=XO"),
    "super": NamedGame(
        "5x8", Phrase("Super Mastermind"), Phrase("the larger board game"), "AABCD=XOO"
    ),
    "bulls-and-cows": NamedGame(
        "4x10,distinct",
        Phrase("Bulls and Cows"),
        Phrase("on paper"),
        "1234=1 bull 2 cows",
        _BULLS,
        digits=True,
    ),
    "hit-and-blow": NamedGame(
        "4x10,distinct",
        Phrase("Hit and Blow"),
        Phrase("in Japan, on paper and on consoles"),
        "1234=1 hit 2 blows",
        _HITS,
        digits=True,
    ),
    "number-baseball": NamedGame(
        "3x9,distinct",
        Phrase("Number baseball"),
        Phrase("in Korea, on paper"),
        "123=1 strike 1 ball",
        _STRIKES,
        digits=True,
    ),
    "bagels": NamedGame(
        "3x10,distinct",
        Phrase("Bagels"),
        Phrase("in schools; in Ahl (1978)"),
        "123=fermi pico",
        _FERMI,
        digits=True,
    ),
    "nethack": NamedGame(
        "5x7",
        Phrase("NetHack's drawbridge"),
        Phrase("in NetHack: a tune of five notes, A to G; gears turn, tumblers click"),
        "AABBC=2 gears 1 tumbler",
        _GEARS,
    ),
    "wordle": NamedGame(
        "sgb,placed", Phrase("Wordle"), Phrase("on the web and in newspapers"), "CRANE=-YG--"
    ),
    "fallout": NamedGame(
        "sgb,black",
        Phrase("Fallout terminal"),
        Phrase("in the Fallout games; their words by --words"),
        "CRANE=likeness=2",
        _LIKENESS,
    ),
    "are-you-the-one": NamedGame(
        "10x10,distinct,blank,black",
        Phrase("Are You The One"),
        Phrase("on television; a truth booth is a guess with one pair"),
        "ABCDEFGHIJ=2 lights",
        _LIGHTS,
    ),
    "slots": NamedGame(
        "4x6,slots",
        Phrase("Slots"),
        Phrase("on toys and phones; each place is marked, and no color is used up"),
        "AABC=GY-Y",
    ),
    "jotto": NamedGame(
        "jotto",
        Phrase("Jotto"),
        Phrase("on paper; marks count shared letters"),
        "CRANE=2",
    ),
}
"""The games by name. A name stands wherever rules do; a list of words cannot have it too."""

NAMED: Final = {name: game.rules for name, game in NAMED_GAMES.items()}
"""The rules that each name stands for, as text."""

HARD: Final = ",hard"
"""The last flag of a text."""


def mark_words(name: str) -> MarkWords | None:
    """The words of its own in which the game of a name writes its marks, if any."""
    game = NAMED_GAMES.get(name)
    return None if game is None else game.marks


def writes_digits(name: str) -> bool:
    """Whether the codes of the game of a name are digits."""
    return name in NAMED_GAMES and NAMED_GAMES[name].digits


def shortest_name(text: str, called: str) -> str:
    """The name by which a game was called, if its text still has it; else the shortest.

    A name that brings words of marks of its own stands only where it was typed.
    """
    plain = text.removesuffix(HARD)
    same = [name for name, game in NAMED_GAMES.items() if game.rules == plain]
    others = [name for name in same if NAMED_GAMES[name].marks is None]
    name = called if called in same else min([plain, *others], key=len)
    return name + text.removeprefix(plain)
