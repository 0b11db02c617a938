"""Marks of many guesses, each against its own secret: games played side by side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import kernel

__all__ = ["mark_rows"]

U8 = npt.NDArray[np.uint8]


@kernel
def mark_rows(guesses: U8, secrets: U8, mark_ids: U8, out: U8) -> None:
    """Write the mark of each guess against the secret of the same row.

    Args:
        guesses: uint8 (n, pegs), colors below 32; an empty hole is a color that no secret has.
        secrets: uint8 (n, pegs).
        mark_ids: uint8 (pegs + 1, pegs + 1), number of the mark by black and by black + white.
        out: uint8 (n), receives the number of the mark.
    """
    rows, pegs = secrets.shape
    balance = np.zeros(32, np.int64)
    for row in range(rows):
        balance[:] = 0
        black = 0
        common = 0
        for peg in range(pegs):
            balance[secrets[row, peg]] += 1
        for peg in range(pegs):
            color = guesses[row, peg]
            if color == secrets[row, peg]:
                black += 1
            if balance[color] > 0:
                balance[color] -= 1
                common += 1
        out[row] = mark_ids[black, common]
