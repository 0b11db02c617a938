"""All codes by the mark of a first guess, in closed form: at once on the largest boards.

Inclusion and exclusion. Pin some pegs of the guess, f_c of each color c, and let the other pegs of
the code be free, r_c of them with color c. However the pegs are placed, f_c + r_c is how often the
color occurs, and so what guess and code have in common is known. Counting codes by f, the number
of pegs pinned, counts each code once for every choice of f of its blacks; so the codes with b
blacks are the alternating sum over f of that count times (f choose b).
"""

from __future__ import annotations

from collections import Counter
from math import comb, perm

from pegwise.game import HOLE, Code, Mark, Rules, legal_marks

__all__ = ["opening_parts"]

# ways to choose pegs, by how many are pinned, how many are free, and what is in common
_Ways = dict[tuple[int, int, int], int]


def opening_parts(rules: Rules, guess: Code) -> dict[Mark, int]:
    """How many secrets give each mark to a guess; marks that none gives are left out.

    Args:
        rules: the board.
        guess: a guess that they allow.
    """
    counts = Counter(peg for peg in guess if peg != HOLE)
    ways: _Ways = {(0, 0, 0): 1}
    for number in counts.values():
        ways = _with_color(ways, number, rules)
    pinned: dict[tuple[int, int], int] = {}
    others = rules.colors - len(counts)
    for (f, r, common), number in ways.items():
        rest = rules.pegs - f - r
        fill = perm(others, rest) if rules.secrets_are_distinct else others**rest
        codes = number * comb(rules.pegs - f, r) * fill
        pinned[f, common] = pinned.get((f, common), 0) + codes
    found: dict[Mark, int] = {}
    for (f, common), codes in pinned.items():
        for black in range(f + 1):
            mark = Mark(black, 0 if rules.black else common - black)
            found[mark] = found.get(mark, 0) + (-1) ** (f - black) * comb(f, black) * codes
    return {mark: found[mark] for mark in legal_marks(rules) if found.get(mark)}


def _with_color(ways: _Ways, number: int, rules: Rules) -> _Ways:
    """One more color, which the guess has so many times."""
    most = 1 if rules.secrets_are_distinct else rules.pegs
    found: _Ways = {}
    for (f, r, common), before in ways.items():
        for pin in range(min(number, most) + 1):
            for free in range(min(most, rules.pegs - f - r) - pin + 1):
                key = (f + pin, r + free, common + min(pin + free, number))
                # free pegs of this color are chosen among all free pegs so far
                new = before * comb(number, pin) * comb(r + free, free)
                found[key] = found.get(key, 0) + new
    return found
