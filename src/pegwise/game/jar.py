"""The jar that codes are drawn from: how many pegs of each color it holds.

In Entropy Mastermind (Özel, Nelson, Bertram and Martignon 2021, "Playing Entropy Mastermind can
foster children's information-theoretical intuitions", Frontiers in Education 6) each peg of a code
is drawn from a jar and put back, so that some codes are likelier than others. `A4B2C1` is a jar
with four pegs of the first color, two of the second and one of the third.
"""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.errors import Phrase, RulesError, quoted
from pegwise.game.codes import Code

MOST_OF_A_COLOR: Final = 99
MAX_WEIGHT: Final = 1 << 20
"""Largest sum of weights: strategies compare guesses by no more."""

_DRAWN: Final = 60  # pegs that a picture of a jar has at most
_COLOR: Final = re.compile("([a-z])([0-9]{1,3})")
_JAR: Final = re.compile("(?:[a-z][0-9]{1,3})+")


def is_jar(flag: str) -> bool:
    """Whether a flag of rules, in small letters, is meant as a jar."""
    return bool(_JAR.fullmatch(flag))


def read_jar(text: str) -> tuple[int, ...]:
    """How many pegs of each color a jar holds; capitals and small letters are the same.

    RulesError: the text is no jar, or leaves a color out.
    """
    jar = text.strip().lower() if isinstance(text, str) else ""
    colors = _COLOR.findall(jar)
    numbers = {color: int(number) for color, number in colors}
    names = [chr(ord("a") + k) for k in range(len(colors))]
    if not is_jar(jar) or sorted(numbers) != names:
        raise RulesError(
            "cannot read the jar {jar}: write each color, from A on, and how many pegs it has, "
            "as in A4B2C1",
            jar=quoted(text),
        )
    for name in names:
        if not 1 <= numbers[name] <= MOST_OF_A_COLOR:
            raise RulesError(
                "the jar {jar} has {n} pegs of {color}: give 1 to {most}",
                jar=quoted(text),
                n=numbers[name],
                color=name.upper(),
                most=MOST_OF_A_COLOR,
            )
    return tuple(numbers[name] for name in names)


def write_jar(numbers: tuple[int, ...]) -> str:
    """A jar as it is read."""
    return "".join(f"{chr(ord('A') + color)}{number}" for color, number in enumerate(numbers))


def check_jar(numbers: tuple[int, ...], pegs: int, colors: int) -> None:
    """Refuse a jar that does not fit a board, by RulesError."""
    if len(numbers) != colors:
        raise RulesError(
            "the jar {jar} has {n} colors, and the board {colors}: the numbers must be the same",
            jar=write_jar(numbers),
            n=len(numbers),
            colors=colors,
        )
    most = int(MAX_WEIGHT ** (1 / pegs) + 1e-9)
    if sum(_reduced(numbers)) > most:
        raise RulesError(
            "a jar of {n} pegs is too large for codes of {pegs}: at most {most}",
            n=sum(numbers),
            pegs=pegs,
            most=most,
        )


def _reduced(numbers: tuple[int, ...]) -> list[int]:
    """The smallest jar of the same shares."""
    divisor = math.gcd(*numbers)
    return [number // divisor for number in numbers]


def jar_weights(numbers: tuple[int, ...], codes: U8) -> I64:
    """int64 (n): in how many ways each code, uint8 (n, pegs), can be drawn from a jar.

    Where colors may not repeat, codes that repeat one are thrown away and drawn again.
    """
    weights: I64 = np.array(_reduced(numbers), np.int64)[codes].prod(axis=1)
    return weights


def jar_pegs(jar: str) -> Code:
    """The pegs of a jar, to draw it; none where there are too many to draw."""
    numbers = read_jar(jar)
    shown = numbers if sum(numbers) <= _DRAWN else ()
    return Code(color for color, number in enumerate(shown) for _ in range(number))


def jar_phrase(numbers: tuple[int, ...], bits: float) -> Phrase:
    """What is to be said of a jar, and of the information of a code that is drawn."""
    return Phrase(
        "drawn from a jar of {n} pegs, {colors}: {bits:.2f} bits a code",
        n=sum(numbers),
        colors=" ".join(f"{n} {chr(ord('A') + color)}" for color, n in enumerate(numbers)),
        bits=bits,
    )
