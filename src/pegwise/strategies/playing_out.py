"""Guesses compared by the games that follow them, each played to its end.

What a guess tells is not all that counts: it may win, and some parts are harder to tell apart than
their size says. Few candidates are told apart quickly, so a few good guesses can each be followed
by the guess that tells most, and so on, against every candidate; the shortest games decide
(rollout: G. Tesauro and G. Galperin, On-line policy improvement using Monte-Carlo search, 1996).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.game import Code, Mastermind
from pegwise.strategies.climbing import Weighing, marks_of

__all__ = ["Following", "best_played_out"]

U8 = npt.NDArray[np.uint8]

_FROM_CANDIDATES: Final = 4
"""Candidates among the guesses compared, however little they tell: they may win."""


def best_played_out(game: Mastermind, codes: U8) -> Code:
    """The guess after which the fewest guesses are needed, over all candidates.

    Args:
        game: the board.
        codes: uint8 (n, pegs), all candidates in numeric order, n at least 2.
    """
    follow = Following(game)
    return Code(follow.best(codes, follow.finalists(codes)).tolist())


class Following:
    """Games that go on with the guess that tells most.

    Args:
        game: the board.

    Attributes:
        totals: the guesses needed over sets of candidates met before.
    """

    def __init__(self, game: Mastermind) -> None:
        self.game = game
        self.totals: dict[bytes, int] = {}

    def weighing(self, codes: U8) -> Weighing:
        return Weighing(self.game, codes, {code.tobytes() for code in codes})

    def finalists(self, codes: U8) -> Iterator[U8]:
        """Guesses that tell most, best first, then candidates."""
        weighing = self.weighing(codes)
        told = weighing.climb(codes)
        yield from told
        seen = {guess.tobytes() for guess in told}
        some = weighing.best(codes)[0][:_FROM_CANDIDATES]
        yield from (code for code in some if code.tobytes() not in seen)

    def best(self, codes: U8, guesses: Iterable[U8]) -> U8:
        """The guess with the least total; the first of several."""
        best: U8 = codes[0]
        least = math.inf
        for guess in guesses:
            total = self.after(guess, codes, least)
            if total < least:
                least, best = total, guess
        return best

    def after(self, guess: U8, codes: U8, least: float = math.inf) -> int:
        """Guesses needed over all candidates, this one included; given up from `least` on."""
        marks = marks_of(self.game, Code(guess.tolist()), codes)
        parts = [codes[marks == mark] for mark in np.unique(marks)]
        parts = [part for part in parts if len(part) > 1 or (part[0] != guess).any()]
        total = len(codes) + sum(_at_least(part) for part in parts)
        for part in sorted(parts, key=len, reverse=True):
            if total >= least:
                break
            total += self.total(part) - _at_least(part)
        return total

    def total(self, codes: U8) -> int:
        """Guesses needed over all candidates."""
        if len(codes) <= 2:
            return _at_least(codes)
        key = codes.tobytes()
        if key not in self.totals:
            guess = self.weighing(codes).climb(codes)[0]
            self.totals[key] = self.after(guess, codes)
        return self.totals[key]


def _at_least(codes: U8) -> int:
    """One candidate is found by the first guess, each other one by the second at the soonest."""
    return 2 * len(codes) - 1
