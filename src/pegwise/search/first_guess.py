"""How a first guess splits all the codes of a board, counted without listing them.

What counts of a first guess is how often its colors come: 1122 stands for 2211 and 3545. So there
are few classes of them, and the codes that give each mark are counted color by color. This
reaches every board up to 16 pegs and 26 colors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import comb, perm
from typing import Final, NamedTuple

from pegwise.game import HOLE, Code, Mark, Rules

__all__ = ["FirstGuess", "first_guesses", "smallest_largest_part"]

# By places taken for black and other places filled, the number of ways to fill them for every
# number of pegs marked in any way: one whole number with a digit of 128 bits for each. A digit
# stays below 2 ** 16 * 26 ** 16, the choices of places times the codes.
_Ways = dict[tuple[int, int], int]

_DIGIT: Final = 128


class FirstGuess(NamedTuple):
    """A class of first guesses that symmetry makes equal.

    Attributes:
        guess: the first of them in numeric order.
        parts: how many codes give each mark; marks that none gives are left out.
    """

    guess: Code
    parts: dict[Mark, int]

    @property
    def largest(self) -> int:
        """Size of the largest part."""
        return max(self.parts.values())


def first_guesses(rules: Rules) -> Iterator[FirstGuess]:
    """Every class of first guesses with its parts, those of few colors first."""
    yield from _extend(rules, (), {(0, 0): 1})


def smallest_largest_part(rules: Rules) -> FirstGuess:
    """The class whose largest part is smallest: tau_2 of all codes is the size of that part."""
    return min(first_guesses(rules), key=lambda first: first.largest)


def _extend(rules: Rules, groups: tuple[int, ...], ways: _Ways) -> Iterator[FirstGuess]:
    """Guesses whose first colors come so many times each, the most frequent first."""
    filled = sum(groups)
    if filled == rules.pegs or (rules.blank and groups) or (rules.blank and not filled):
        yield _first_guess(rules, groups, ways)
    if len(groups) == rules.colors:
        return
    most = min(rules.pegs - filled, groups[-1] if groups else rules.pegs)
    for size in range(1 if rules.distinct else most, 0, -1):
        if size <= most:
            yield from _extend(rules, (*groups, size), _with_color(rules, size, ways))


def _with_color(rules: Rules, size: int, ways: _Ways) -> _Ways:
    """One more color of the guess, that stands there on so many pegs.

    Of its pegs some are taken for black; whether others are black too is left open, and settled
    by inclusion and exclusion in the end.
    """
    limit = 1 if rules.secrets_are_distinct else rules.pegs
    found: _Ways = defaultdict(int)
    for (taken, filled), counts in ways.items():
        free = rules.pegs - taken - filled
        for black in range(min(size, limit, free) + 1):
            chosen = counts * comb(size, black)
            for others in range(min(limit, free) - black + 1):
                marked = min(size, black + others)
                more = chosen * comb(filled + others, others) << marked * _DIGIT
                found[taken + black, filled + others] += more
    return found


def _first_guess(rules: Rules, groups: tuple[int, ...], ways: _Ways) -> FirstGuess:
    absent = rules.colors - len(groups)
    parts: dict[Mark, int] = defaultdict(int)
    for (taken, filled), counts in ways.items():
        rest = rules.pegs - taken - filled
        named = perm(absent, rest) if rules.secrets_are_distinct else absent**rest
        codes = named * comb(filled + rest, rest)
        for marked in range(taken, rules.pegs + 1):
            count = (counts >> marked * _DIGIT) % (1 << _DIGIT) * codes
            for black in range(taken + 1 if count else 0):
                white = 0 if rules.black else marked - black
                parts[Mark(black, white)] += (-1) ** (taken - black) * comb(taken, black) * count
    pegs = [color for color, size in enumerate(groups) for _ in range(size)]
    guess = Code([*pegs, *[HOLE] * (rules.pegs - len(pegs))])
    return FirstGuess(guess, {mark: parts[mark] for mark in sorted(parts) if parts[mark]})
