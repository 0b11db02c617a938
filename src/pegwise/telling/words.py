"""Codes, marks, rules, names and costs in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pegwise.errors import PegwiseError
from pegwise.game import HOLE, Code, Game, Mark, PartialMark, Word, game_of
from pegwise.i18n import tr, translated, trn


def codes(number: int, rules: Game | None = None) -> str:
    """A number of codes: `1,296 codes`, `1 code`; `5,757 words` of rules with a list of words."""
    if rules is not None and rules.alphabet.are_words:
        return trn("{n:,} word", "{n:,} words", number)
    return trn("{n:,} code", "{n:,} codes", number)


def histogram_words(histogram: Sequence[int]) -> str:
    """How many games took how many guesses: `1 in 1, 6 in 2`."""
    return ", ".join(tr("{n:,} in {k}", n=won, k=k) for k, won in enumerate(histogram, 1) if won)


def cost_words(cost: float, unit: str) -> str:
    """The cost of a choice by the yardstick, as `0.06 guesses`; never 0 if it costs."""
    least = 0 < cost < 0.005
    # as many as are shown, for the plural
    n: Any = 0.01 if least else round(cost, 2)
    words = {
        "guesses": trn("{n:.2f} guess", "{n:.2f} guesses", n),
        "bits": trn("{n:.2f} bit", "{n:.2f} bits", n),
        "codes": trn("{n:.2f} code", "{n:.2f} codes", n),
        "largest": trn(
            "{n:,.0f} code in the largest part", "{n:,.0f} codes in the largest part", n
        ),
        "parts": trn("{n:,.0f} part", "{n:,.0f} parts", n),
    }[unit]
    return f"≤ {words}" if least else words


def code_words(code: Sequence[int]) -> str:
    """A code letter by letter: `A B hole D`; a word as it is."""
    if isinstance(code, Word):
        return code.write()
    return " ".join(tr("hole") if peg == HOLE else str(Code([peg])) for peg in code)


def mark_words(mark: Mark, rules: Game | None = None) -> str:
    """A mark in words: `2 exact, 1 misplaced`; without the latter where only black is given.

    A mark by place is said place by place: `right, elsewhere, absent`; that of a game with words
    or marks of its own in these.
    """
    if mark.cells:
        return ", ".join(tr(mark.cells[place].name) for place in mark)
    if isinstance(mark, PartialMark):
        if mark.total is not None:
            return tr("{n} exact or misplaced", n=mark.total)
        return trn(
            "{n} exact, the misplaced not noted", "{n} exact, the misplaced not noted", mark.black
        )
    if rules is not None and rules.marking.worded:
        return rules.marking.write(mark)
    if not mark.each_peg(1):  # a game writes it in its own way
        return mark.write()
    counts = (mark.black, mark.white) if rules is None else rules.marking.counts(mark)
    exact = trn("{n} exact", "{n} exact", mark.black)
    return ", ".join([exact, trn("{n} misplaced", "{n} misplaced", mark.white)][: len(counts)])


def guess_words(guess: Any) -> str:
    """A guess of any game: letter by letter if it is a code."""
    return code_words(guess) if isinstance(guess, Code) else str(guess)


def rules_words(rules: Game) -> str:
    """Rules in words: `4 pegs, 6 colors, colors may repeat`."""
    return ", ".join(rules_parts(rules))


def rules_parts(rules: Game) -> list[str]:
    """What is to be said of rules, one by one: `4 pegs`, `6 colors`, `colors may repeat`."""
    return [translated(part) for part in rules.about]


def rules_words_of(name: str) -> str:
    """The words for a game's name: its rules where they are a board's, else the name itself."""
    try:
        return rules_words(game_of(name))
    except PegwiseError:
        return name


def rules_named(name: str) -> str:
    """A game's name as it is shortest, where it has rules: `wordle` for `sgb,placed`."""
    try:
        return game_of(name).named
    except PegwiseError:
        return name


def capitalized(text: str) -> str:
    """A text that begins with a capital."""
    return f"{text[:1].upper()}{text[1:]}"
