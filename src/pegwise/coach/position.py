"""A position of a game: how much is still possible, and how a guess splits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pegwise.game import Code, Mark, Rules, Turns, as_rules, check_code, check_turns
from pegwise.hooks import paint
from pegwise.knowledge import count, parts


@dataclass(frozen=True, slots=True)
class Split:
    """How a guess splits the candidates.

    Attributes:
        guess: the guess.
        parts: each mark that it can get, with the number of candidates that would give it.
        possible: whether it is a candidate, so that it may be the code.
    """

    guess: Code
    parts: tuple[tuple[Mark, int], ...]
    possible: bool

    @property
    def candidates(self) -> int:
        """Number of candidates that are split."""
        return sum(size for _, size in self.parts)

    @property
    def expected(self) -> Fraction:
        """Expected number of candidates left, each part weighed by its own chance."""
        return Fraction(sum(size * size for _, size in self.parts), self.candidates)

    @property
    def bits(self) -> float:
        """Expected information in bits: the entropy of the partition."""
        n = self.candidates
        return math.fsum(size / n * math.log2(n / size) for _, size in self.parts)

    @property
    def largest(self) -> int:
        """Size of the largest part."""
        return max(size for _, size in self.parts)

    def _repr_html_(self) -> str | None:
        return paint("split", self)

    def score(self, criterion: str) -> float:
        """What a criterion of the one-step strategies makes of it; less is better."""
        if criterion == "minimax":
            return self.largest
        if criterion == "size":
            return float(self.expected)
        return -self.bits if criterion == "entropy" else -len(self.parts)


class Position:
    """A position of a game on a board of any size.

    Args:
        rules: the board, also as it is written (`4x6`).
        history: the turns so far, also as they are written (`AABB=XO`).

    Raises:
        InputError: no rules, or no turns that they allow.
    """

    def __init__(self, rules: Rules | str, history: Turns = ()) -> None:
        self.rules = as_rules(rules)
        self.history = check_turns(history, self.rules)

    def _repr_html_(self) -> str | None:
        return paint("position", self)

    @cached_property
    def count(self) -> int:
        """Number of candidates, exactly.

        Raises:
            CodeError, MarkError, TooLargeError: as `knowledge.count`.
        """
        return count(self.rules, self.history)

    def split(self, guess: Sequence[int] | str) -> Split:
        """How a guess splits the candidates, of which there is at least one.

        Raises:
            CodeError, MarkError, TooLargeError: as `knowledge.parts`.
        """
        code = check_code(guess, self.rules)
        found = parts(self.rules, self.history, code)
        return Split(code, tuple(found.items()), Mark(self.rules.pegs) in found)
