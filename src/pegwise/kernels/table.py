"""The best guess by one look ahead, for any finite game given as a table of marks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import Int, kernel

__all__ = ["best_guess", "score_guesses"]

I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


@kernel
def _score(row: Any, candidates: I32, worth: I64, additive: bool, sizes: I64) -> Int:
    """Score of one guess: the worth of its parts, added up, or the largest of them."""
    sizes[:] = 0
    for candidate in candidates:
        sizes[row[candidate]] += 1
    score: Int = np.int64(0)
    first = True
    for size in sizes:
        if size > 0:
            if additive:
                score += worth[size]
            elif first or worth[size] > score:
                score = worth[size]
            first = False
    return score


@kernel
def best_guess(
    table: Any,
    candidates: I32,
    secret_of_guess: I32,
    guess_of_secret: I32,
    n_marks: int,
    only_candidates: bool,
    worth: I64,
    additive: bool,
    second_worth: I64,
    second_additive: bool,
    has_second: bool,
) -> Int:
    """The guess of least score; ties by second score, then a candidate, then the lowest number.

    Args:
        table: (guesses, secrets), marks by number.
        candidates: int32 (n), secrets still possible, ascending; n at least 1.
        secret_of_guess: int32 (guesses), -1 for guesses that cannot win.
        guess_of_secret: int32 (secrets).
        n_marks: number of marks.
        only_candidates: play only candidates.
        worth: int64 (n + 1 or more), worth of a part by its size.
        additive: add the worths up; else take the largest.
        second_worth: likewise for ties, if `has_second`.
        second_additive: likewise.
        has_second: whether ties have a second score.
    """
    possible = np.zeros(len(guess_of_secret), np.bool_)
    for candidate in candidates:
        possible[candidate] = True
    sizes = np.zeros(n_marks, np.int64)
    best: Int = np.int64(-1)
    best_score: Int = np.int64(0)
    best_second: Int = np.int64(0)
    best_possible = False
    for guess in range(len(table)):
        secret = secret_of_guess[guess]
        is_possible = secret >= 0 and possible[secret]
        if only_candidates and not is_possible:
            continue
        score = _score(table[guess], candidates, worth, additive, sizes)
        if best >= 0 and score > best_score:
            continue
        second = np.int64(0)
        if has_second:
            second = _score(table[guess], candidates, second_worth, second_additive, sizes)
        if (
            best < 0
            or score < best_score
            or second < best_second
            or (second == best_second and is_possible and not best_possible)
        ):
            best, best_score, best_second, best_possible = guess, score, second, is_possible
    return best


@kernel
def score_guesses(
    table: Any, candidates: I32, n_marks: int, worth: I64, additive: bool, out: I64
) -> None:
    """Write the score of every guess to `out`, int64 (guesses)."""
    sizes = np.zeros(n_marks, np.int64)
    for guess in range(len(table)):
        out[guess] = _score(table[guess], candidates, worth, additive, sizes)
