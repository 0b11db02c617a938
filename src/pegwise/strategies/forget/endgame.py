"""The codes that Forget's endgame weighs, and the table of what they tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I64, U8
from pegwise.game import Code, Mark, Mastermind
from pegwise.kernels import compiled, numpy_backend
from pegwise.kernels.cache import use_numpy
from pegwise.strategies.criteria import CRITERIA, largest_part
from pegwise.strategies.scoring import mark_codes, score_guesses

TABLED: Final = 2000
"""Candidates of which all marks are kept in a table, as by Forget's limit; and a sample of more."""


@dataclass(frozen=True, eq=False)
class EndgameCodes:
    """Codes to choose from, with all their marks against the candidates among them."""

    game: Mastermind
    codes: U8  # (n, pegs), candidates in numeric order
    unplayed: tuple[Code, ...]  # opening guesses that compete with them

    @property
    def guesses(self) -> U8:
        """uint8 (n + unplayed, pegs): the candidates, then the unplayed guesses."""
        unplayed = np.array(self.unplayed, np.uint8).reshape(-1, self.codes.shape[1])
        return np.concatenate([self.codes, unplayed])

    @cached_property
    def table(self) -> U8:
        """uint8 (n + unplayed, n): mark of each guess against each candidate."""
        return self.game.mark_all(self.guesses, self.codes)

    @cached_property
    def weights(self) -> I64 | None:
        """int64 (n): how often each candidate is hidden; None when all are alike."""
        if self.game.weights is None:
            return None
        return self.game.weights[self.game.secret_of_guess[self.game.guess_numbers(self.codes)]]

    @property
    def by_kernels(self) -> bool:
        """Whether kernels, which know no weights, compare the guesses."""
        return self.weights is None and not use_numpy(*self.table.shape)

    @cached_property
    def worth(self) -> I64:
        """int64: n log2 n by size of a part, in whole numbers, so that equal partitions tie."""
        largest = len(self.codes) if self.weights is None else largest_part(self.game)
        return CRITERIA["entropy"].table(largest)

    def best(self, lead: str) -> Code:
        """The most discriminating guess."""
        n, n_marks, worth = len(self.codes), self.game.n_marks, self.worth
        if n > TABLED:
            return self._best_untabled(lead)
        rows = np.arange(n, dtype=np.int32)
        if not self.by_kernels:
            row = numpy_backend.choose(self.as_table(), rows, comparison(worth, lead))
        else:
            row = int(
                compiled.marking.best_row(self.table, rows, n, n_marks, worth, lead == "minimax")
            )
        return Code(self.guesses[row].tolist())

    def _best_untabled(self, lead: str) -> Code:
        """The most discriminating guess, without a table of all marks."""
        first = self._by_entropy if lead == "entropy" else self._by_minimax
        equal = self.guesses[first == first.min()]
        then = self._scores(equal, "minimax" if lead == "entropy" else "entropy")
        return Code(equal[then.argmin()].tolist())

    @cached_property
    def _by_entropy(self) -> I64:
        """int64 (n + unplayed): the score of each guess by entropy."""
        return self._scores(self.guesses, "entropy")

    @cached_property
    def _by_minimax(self) -> I64:
        """int64 (n + unplayed): the size of the largest part of each guess."""
        return self._scores(self.guesses, "minimax")

    def _scores(self, guesses: U8, lead: str) -> I64:
        worth, additive = comparison(self.worth, lead)[0]
        return score_guesses(self.game, guesses, self.codes, worth, additive, self.weights)

    def rank(self, lead: str) -> EndgameRanking:
        """All guesses, best first."""
        first, then, guesses = self._by_entropy, self._by_minimax, self.guesses
        if lead == "minimax":
            first, then = then, first
        order = np.lexsort((then, first))
        best = (first == first[order[0]]) & (then == then[order[0]])
        return EndgameRanking(self.game, guesses[order], self.codes, int(best.sum()))

    def as_table(self) -> numpy_backend.MarkTable:
        """The pool as a game of its own; the unplayed guesses may be played, too."""
        n = len(self.codes)
        outsiders = np.arange(len(self.table)) >= n
        every = np.arange(n, dtype=np.int32)
        game = self.game
        return numpy_backend.MarkTable(
            self.table, every, game.n_marks, game.winning, outsiders, self.weights
        )


class EndgameRanking(NamedTuple):
    """The guesses of a pool, as Forget's tables have them."""

    game: Mastermind
    guesses: U8  # uint8 (m, pegs), best first
    candidates: U8  # uint8 (n, pegs), the codes that they are to tell apart
    equal: int  # how many of the first are equal by both criteria

    def figures(self, place: int) -> tuple[float, int]:
        """The bits that the guess of a place tells, and how many codes it leaves at most."""
        sizes = np.unique(self._marks(place), return_counts=True)[1]
        shares = sizes / sizes.sum()
        return float(-(shares @ np.log2(shares))) + 0.0, int(sizes.max())

    def parts(self, place: int) -> dict[Mark, U8]:
        """The codes behind each answer to the guess of this place, from 0: uint8 (n, pegs)."""
        marks = self._marks(place)
        return {
            self.game.mark(number): self.candidates[marks == number]
            for number in np.unique(marks).tolist()
        }

    def _marks(self, place: int) -> U8:
        return mark_codes(self.game, self.guesses[place], self.candidates)


def comparison(worth: I64, lead: str) -> numpy_backend.Comparison:
    """The criterion that leads, and the other for ties."""
    sizes = np.arange(len(worth), dtype=np.int64)
    criteria = [(worth, True), (sizes, False)]
    return criteria[::-1] if lead == "minimax" else criteria
