"""The texts that the scripts of pages say, in the language of the page.

Places for values are written `{name}`. A text with two forms is a pair: for one, and for others.
"""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

__all__ = ["Words", "board", "decode", "pairs", "play", "review"]

Words = dict[str, str | list[str]]


def pairs(t: NullTranslations) -> Callable[[str, str], list[str]]:
    """Makes pairs of a text for one and a text for others."""

    def both(one: str, others: str) -> list[str]:
        return [t.ngettext(one, others, 1), t.ngettext(one, others, 2)]

    return both


def board(t: NullTranslations) -> Words:
    """Texts of codes, marks and the guess in the making."""
    _, both = t.gettext, pairs(t)
    names = {
        "A": _("blue"),
        "B": _("yellow"),
        "C": _("red"),
        "D": _("sky blue"),
        "E": _("pink"),
        "F": _("brown"),
        "G": _("purple"),
        "H": _("orange"),
        "I": _("mint"),
        "J": _("green"),
        "K": _("white"),
        "L": _("black"),
    }
    colors: Words = {f"color{letter}": name for letter, name in names.items()}
    return colors | {
        "offline": _("The server does not answer. Is pegwise still running?"),
        "working": _("Working it out…"),
        "hole": _("hole"),
        "emptyHole": _("empty hole"),
        "empty": _("empty"),
        "noHoles": _("These rules allow no holes."),
        "slot": _("Slot {n}: {peg}"),
        "yourGuess": _("Your guess"),
        "mark": _("{black} exact, {white} misplaced"),
        "exact": _("{black} exact"),
        "missing": both("{n} peg is missing.", "{n} pegs are missing."),
        "left": both("{n} code left", "{n} codes left"),
        "leftShort": both("{n} left", "{n} left"),
        "leftNoun": both("code left", "codes left"),
        "solvedIn": both("Solved in {n} turn", "Solved in {n} turns"),
        "turnSpoken": _("Turn {n}, {code}: {mark}"),
        "copied": _("Copied: {code}"),
        "more": both("and {n} more", "and {n} more"),
    }


def play(t: NullTranslations) -> Words:
    """Texts of the page Play."""
    _, both = t.gettext, pairs(t)
    return board(t) | {
        "turnEmpty": _("Turn {n}, empty"),
        "copyTurn": _("Copy the guess of turn {n}"),
        "hintSpoken": _("Hint: {code}"),
        "secretWas": _("Not found. The code was {code}."),
        "theSecret": _("The code: {code}"),
        "lost": _("Not found this time"),
        "found": _("found"),
        "start": _("start"),
        "chart": _("Codes left, on a logarithmic scale: {counts}"),
        "showCodes": both("Show the {n} code", "Show the {n} codes"),
        "adviceEmpty": _("Place all pegs, and the coach says what the guess can tell."),
        "coachOff": _("The coach is silent."),
        "fits": _("{code} fits all marks so far."),
        "fitsFirst": _("{code} may be the code."),
        "fitsNot": _("{code} does not fit all marks, so it cannot be the code."),
        "wouldLeave": both(
            "It would leave {n} code on average.", "It would leave {n} codes on average."
        ),
        "noneFewer": _("No guess leaves fewer."),
        "bestLeaves": both("The best guess leaves {n}.", "The best guess leaves {n}."),
    }


def decode(t: NullTranslations) -> Words:
    """Texts of the page Decode."""
    _, both = t.gettext, pairs(t)
    return board(t) | {
        "misplaced": _("misplaced"),
        "exactNoun": _("exact"),
        "possibleMarks": _("The possible marks"),
        "orType": _("or type it, as 21 or 2b1w"),
        "enterMark": _("Enter mark"),
        "badMark": _("“{text}” is no possible mark here: write exact and misplaced, as 21."),
        "ask": _("Turn {n}. Is it this?"),
        "mustBe": _("Turn {n}. It can only be this."),
        "askOwn": _("Turn {n}. Your own guess:"),
        "proposedBy": _("Proposed by {strategy}."),
        "tooMany": _("too many codes to count"),
        "of": _("of {all}"),
        "turn": _("Turn {n}"),
        "changeMark": _("Change the mark of turn {n}: {mark}"),
        "removeTurn": _("Remove turn {n}"),
        "ignoreTurn": _("Ignore turn {n}"),
        "useTurn": _("Use turn {n} again"),
        "ignored": _("ignored"),
        "checkThis": _("check this"),
        "close": _("Close"),
        "found": _("found"),
        "markChanged": _("Turn {n} is now marked {mark}"),
        "noFit": _("No code fits these marks."),
        "noFitOne": _("One of them is probably a slip. Changing a single mark is enough."),
        "noFitMany": _("More than one of them is a slip: mark some turns again, or ignore them."),
        "likely": _("Most likely: turn {n}."),
        "withThis": both(
            "With this mark, {n} code would fit.", "With this mark, {n} codes would fit."
        ),
        "becomes": _("becomes"),
        "changeTurn": _("Change turn {n}"),
        "change": _("Change"),
        "changeTo": _("Change turn {n} to {mark}"),
        "markAgain": _("Mark it again"),
        "orOther": _("Or one of these"),
        "fit": both("{n} code would fit", "{n} codes would fit"),
        "marksFit": both("{n} mark fits", "{n} marks fit"),
        "why": _("Why?"),
        "whyTurn": both(
            "The marks of the other turns leave {n} code. None of them would give turn {turn} "
            "this mark. They would give:",
            "The marks of the other turns leave {n} codes. None of them would give turn {turn} "
            "this mark. They would give:",
        ),
        "guess": _("Guess"),
        "bits": _("Bits"),
        "largest": _("Largest part"),
        "parts": _("Parts"),
        "canBe": _("Can be the code"),
        "yes": _("yes"),
        "no": _("no"),
        "linkCopied": _("Link copied"),
    }


def review(t: NullTranslations) -> Words:
    """Texts of the page Review."""
    _, both = t.gettext, pairs(t)
    return board(t) | {
        "trial": _("{code} could be expected to tell {bits} bits and to leave {left}."),
        "codes": both("{n} code", "{n} codes"),
        "asMuch": _("That is as much as the guess that was played."),
        "moreThan": _("That is {bits} bits more than the guess that was played."),
        "lessThan": _("That is {bits} bits less than the guess that was played."),
        "noneBetter": _("No guess tells more on average."),
        "anotherBetter": _("Another guess tells more."),
        "linkCopied": _("Link copied"),
    }
