"""How well guesses split some candidates, where both are given by their signatures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import kernel, popcount

__all__ = ["score_codes"]

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


@kernel
def _part_sizes(
    guess_places: U64, guess_counts: U64, places: U64, counts: U64, mark_ids: U8, sizes: I64
) -> None:
    """Write to `sizes`, int64 (marks), how many candidates would give each mark to one guess."""
    sizes[:] = 0
    for candidate in range(len(places)):
        black = 0
        common = 0
        for word in range(places.shape[1]):
            black += popcount(guess_places[word] & places[candidate, word])
            common += popcount(guess_counts[word] & counts[candidate, word])
        sizes[mark_ids[black, common]] += 1


@kernel
def score_codes(
    guess_places: U64,
    guess_counts: U64,
    which: I32,
    places: U64,
    counts: U64,
    mark_ids: U8,
    n_marks: int,
    worth: I64,
    additive: bool,
    out: I64,
) -> None:
    """Write the score of each guess: the worth of its parts, added up, or the largest of them.

    Args:
        guess_places: uint64 (guesses, words), signatures (see `marking`).
        guess_counts: uint64 (guesses, words), likewise.
        which: int32 (m), the guesses to score.
        places: uint64 (n, words), signatures of the candidates.
        counts: uint64 (n, words), likewise.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of the mark by black and by black + white.
        n_marks: number of marks.
        worth: int64 (n + 1 or more), worth of a part by its size; less is better.
        additive: add the worths up; else take the largest.
        out: int64 (m), receives the scores.
    """
    sizes = np.zeros(n_marks, np.int64)
    for k in range(len(which)):
        guess = which[k]
        _part_sizes(guess_places[guess], guess_counts[guess], places, counts, mark_ids, sizes)
        score = np.int64(0)
        first = True
        for size in sizes:
            if size > 0:
                if additive:
                    score += worth[size]
                elif first or worth[size] > score:
                    score = worth[size]
                first = False
        out[k] = score
