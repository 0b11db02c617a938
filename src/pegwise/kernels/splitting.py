"""How well guesses split some candidates, where both are given by their signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import Int, bare, kernel, popcount
from pegwise.kernels.marking import Signatures

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


# The candidate that tells all others apart, if there is one: nothing need be weighed.


ONE = np.uint64(1)


@bare
def splitter(
    here: I32, start: Int, stop: Int, signatures: Signatures, mark_ids: U8, seen: U64
) -> Int:
    """Which of some candidates gets a different mark from each: no guess does better.

    Args:
        here: int32, secrets, of which those from `start` to `stop` are possible.
        start: see there.
        stop: likewise.
        signatures: places and counts of all secrets.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of a mark by black and by black + white.
        seen: uint64 (4), scratch.

    Returns:
        Its place from `start` on, of the first one; -1 if there is none.
    """
    places, counts = signatures
    for i in range(start, stop):
        guess = here[i]
        seen[:] = 0
        split = True
        for j in range(start, stop):
            secret = here[j]
            black = 0
            common = 0
            for word in range(places.shape[1]):
                black += popcount(places[guess, word] & places[secret, word])
                common += popcount(counts[guess, word] & counts[secret, word])
            mark = mark_ids[black, common]
            bit = ONE << np.uint64(mark & 63)
            if seen[mark >> 6] & bit:
                split = False
                break
            seen[mark >> 6] |= bit
        if split:
            return i - start
    return -1


# The best guess by one look ahead, for any finite game given as a table of marks.


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
