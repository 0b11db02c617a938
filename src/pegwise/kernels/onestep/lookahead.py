"""The tables by which one thread weighs guesses, and its memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.kernels.jit import Int, by_address, kernel_without_counts
from pegwise.kernels.onestep.board import BoardArrays
from pegwise.kernels.onestep.criteria import Criteria


@by_address
class Scratch(NamedTuple):
    """Memory of one thread, for sets of as many words as the largest set needs.

    A set of fewer words uses the beginning: row r, word w of its columns is at `r * words + w`.
    """

    places: U64  # (pegs * colors + 1, words), candidates by position and color
    counts: U64  # (pegs * colors + 1, words), candidates by color and number of pegs
    # (2, (colors + 1) ** (pegs - pegs // 2), 4), for sets of one word: bit planes of the sum of the
    # place columns of every first and second half of a code
    halves: Any
    everyone: U64  # (words), a bit for each candidate
    common: U64  # (pegs + 1, words), candidates with t colors in common with a multiset
    sizes: I64  # (pegs + 1), how many they are
    order: I64  # (pegs + 1), classes from the largest on
    tail: I64  # (pegs + 2), least score of a class and those after it
    listed: I32  # (M), multisets worth a look
    begin: I32  # (M), the first slot of each worth a look
    least: I64  # (M), the least score of each
    grouped: I32  # (candidates), their slots by multiset
    ends: I32  # (M + 1), where those of each multiset end
    renamed: I64  # (colors + 1), for canonical forms
    seen: U64  # (4), a bit for each mark


def make_scratch(pegs: int, colors: int, multisets: int, candidates: int) -> Scratch:
    """Memory for sets of up to so many candidates."""
    words = int(words_for(candidates))
    return Scratch(
        places=np.zeros((pegs * colors + 1) * words, np.uint64),
        counts=np.zeros((pegs * colors + 1) * words, np.uint64),
        halves=np.zeros((2, (colors + 1) ** (pegs - pegs // 2), 4), np.uint64),
        everyone=np.zeros(words, np.uint64),
        common=np.zeros((pegs + 1) * words, np.uint64),
        sizes=np.zeros(pegs + 1, np.int64),
        order=np.zeros(pegs + 1, np.int64),
        tail=np.zeros(pegs + 2, np.int64),
        listed=np.zeros(multisets, np.int32),
        begin=np.zeros(multisets, np.int32),
        least=np.zeros(multisets, np.int64),
        grouped=np.zeros(candidates, np.int32),
        ends=np.zeros(multisets + 1, np.int32),
        renamed=np.zeros(colors + 1, np.int64),
        seen=np.zeros(4, np.uint64),
    )


@by_address
class Lookahead(NamedTuple):
    """The tables by which one thread weighs guesses."""

    board: BoardArrays
    criteria: Criteria
    scratch: Scratch


@kernel_without_counts
def words_for(candidates: Int) -> Int:
    """Words of a column for so many candidates: whole vectors of 512 bits but for small sets."""
    words = (candidates + 63) >> 6
    return words if words <= 2 else (words + 7) & ~7
