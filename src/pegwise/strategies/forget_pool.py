"""The codes that Forget's endgame chooses from, with all their marks, and the best of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pegwise.game import Code, Mastermind
from pegwise.game.game import I32, I64

__all__ = ["Pool"]

U8 = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Pool:
    """Codes to choose from, with all their marks against the candidates among them.

    Attributes:
        game: the board.
        codes: uint8 (n, pegs), candidates in numeric order.
        unplayed: opening guesses that compete with them.
    """

    game: Mastermind
    codes: U8
    unplayed: tuple[Code, ...]

    @cached_property
    def table(self) -> U8:
        """uint8 (n + unplayed, n): mark of each candidate, then of each unplayed guess."""
        from pegwise.kernels.marking import mark_table, signatures

        extra = np.array(self.unplayed, np.uint8).reshape(-1, self.codes.shape[1])
        colors = self.game.rules.colors
        table = np.empty((len(self.codes) + len(extra), len(self.codes)), np.uint8)
        guesses = signatures(np.concatenate([self.codes, extra]), colors)
        secrets = signatures(self.codes, colors)
        mark_table(*guesses, *secrets, self.game.mark_ids, table)
        return table

    def code(self, row: int) -> Code:
        """The code of a row of the table."""
        n = len(self.codes)
        return Code(self.codes[row].tolist()) if row < n else self.unplayed[row - n]

    def best(self, left: I32, worth: I64, lead: str) -> int:
        """The most discriminating row while these candidates, int32 (m), are left.

        Args:
            left: rows of the candidates left, ascending.
            worth: int64 (n + 1 or more), see `Forget.worth`.
            lead: the criterion that leads.
        """
        from pegwise.kernels.forget import best_row

        n, n_marks = len(self.codes), self.game.n_marks
        return int(best_row(self.table, left, n, n_marks, worth, lead == "minimax"))

    def marks(self, guess: Code) -> U8:
        """uint8 (n): marks of any guess against the candidates, by number."""
        from pegwise.kernels.marking import mark_many, signatures

        colors = self.game.rules.colors
        one = signatures(np.array([guess], np.uint8), colors)
        many = signatures(self.codes, colors)
        everyone = np.arange(len(self.codes), dtype=np.int32)
        out = np.empty(len(self.codes), np.uint8)
        mark_many(one[0][0], one[1][0], *many, everyone, self.game.mark_ids, out)
        return out
