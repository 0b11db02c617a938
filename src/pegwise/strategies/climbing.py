"""Good guesses found without weighing every code: candidates first, then bettered peg by peg."""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.game import Code, Mastermind, Rules
from pegwise.kernels.marking import mark_many, signatures
from pegwise.kernels.splitting import score_codes
from pegwise.knowledge.candidates import opening_parts
from pegwise.strategies.one_step import CRITERIA

FINALISTS: Final = 8
STARTS: Final = 3


class Weighing:
    """Guesses weighed by what they tell about some codes, in bits.

    Args:
        game: the board.
        codes: uint8 (n, pegs), candidates.
        known: all candidates, as bytes, where they are known: they win ties.
    """

    def __init__(self, game: Mastermind, codes: U8, known: Set[bytes]) -> None:
        self.game = game
        self.known = known
        self.signed = signatures(codes, game.rules.colors)
        self.worth = CRITERIA["entropy"].table(len(codes))

    def scores(self, guesses: U8) -> I64:
        """int64 (m): what stays uncertain after each of uint8 (m, pegs); less is better."""
        out = np.empty(len(guesses), np.int64)
        score_codes(
            *signatures(guesses, self.game.rules.colors),
            np.arange(len(guesses), dtype=np.int32),
            *self.signed,
            self.game.mark_ids,
            self.game.n_marks,
            self.worth,
            True,
            out,
        )
        return out

    def best(self, guesses: U8) -> tuple[U8, I64]:
        """The best few of some guesses, best first, and their scores.

        Ties go to a candidate, then to the first in numeric order.
        """
        scores = self.scores(guesses)
        loses = np.array([guess.tobytes() not in self.known for guess in guesses])
        order = np.lexsort((*guesses.T[::-1], loses, scores))[:FINALISTS]
        return guesses[order], scores[order]

    def climb(self, guesses: U8) -> U8:
        """The best few of these guesses and of those met on the way up from the best of them."""
        found, scores = self.best(guesses)
        if not scores[0]:
            return found  # all codes are told apart
        ways = list(zip(found[:STARTS], scores[:STARTS], strict=True))
        for here, score in ways:
            while True:
                near, reached = self.best(neighbors(self.game.rules, here))
                found = np.concatenate([found, near])
                if not len(near) or reached[0] >= score:
                    break
                here, score = near[0], reached[0]
        return self.best(np.unique(found, axis=0))[0]


def neighbors(rules: Rules, code: U8) -> U8:
    """The guesses next to one: another color at one peg, or two pegs that change places.

    Returns:
        uint8 (n, pegs), in numeric order.
    """
    pegs, colors = rules.pegs, rules.colors
    one = np.tile(code, (pegs * colors, 1))
    one[np.arange(len(one)), np.repeat(np.arange(pegs), colors)] = np.tile(np.arange(colors), pegs)
    pairs = np.array(list(combinations(range(pegs), 2)), np.int64).reshape(-1, 2)
    two = np.tile(code, (len(pairs), 1))
    np.put_along_axis(two, pairs, code[pairs[:, ::-1]], axis=1)
    near: U8 = np.unique(np.concatenate([one, two]), axis=0)
    if rules.distinct:
        ordered = np.sort(near, axis=1)
        near = near[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    others: U8 = near[(near != code).any(axis=1)]
    return others


@lru_cache(maxsize=64)
def opening(rules: Rules) -> Code:
    """The first guess that tells most, in closed form: of AAAA, AAAB, AABB, ..."""
    return min(_openings(rules), key=lambda code: (_uncertainty(rules, code), code))


def _uncertainty(rules: Rules, guess: Code) -> float:
    """Bits still to find after a first guess, on average; rounded, so that equal ones tie."""
    every = rules.n_secrets
    parts = opening_parts(rules, guess).values()
    return round(sum(part / every * math.log2(part) for part in parts), 9)


def _openings(rules: Rules) -> Iterator[Code]:
    """One guess for each way in which colors may repeat."""
    for times in _shapes(rules.pegs, 1 if rules.distinct else rules.pegs):
        if len(times) <= rules.colors:
            yield Code(color for color, n in enumerate(times) for _ in range(n))


def _shapes(pegs: int, most: int) -> Iterator[tuple[int, ...]]:
    """How often the colors of a code come, most often first."""
    if pegs == 0:
        yield ()
    for times in range(min(pegs, most), 0, -1):
        for rest in _shapes(pegs - times, times):
            yield (times, *rest)


def marks_of(game: Mastermind, guess: Code, codes: U8) -> U8:
    """uint8 (n): the marks of a guess against codes, uint8 (n, pegs), by number."""
    places, counts = signatures(np.array([guess], np.uint8), game.rules.colors)
    out = np.empty(len(codes), np.uint8)
    everyone = np.arange(len(codes), dtype=np.int32)
    many = signatures(codes, game.rules.colors)
    mark_many(places[0], counts[0], *many, everyone, game.mark_ids, out)
    return out
