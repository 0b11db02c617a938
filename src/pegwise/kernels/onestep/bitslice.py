"""A set of candidates as bit columns, and guesses scored against 64 candidates at a time.

A set of n candidates is kept as bit columns of ceil(n / 64) words: for each position and color,
which candidates have that color there (*places*); for each color and k, which have more than k
pegs of it (*counts*). The blacks of a guess against all candidates at once are the sum of its
place columns, the colors in common the sum of its count columns. Columns are added with full
adders into bit planes; a part of the partition is one AND of "exactly b black" with "exactly t in
common", and its size a population count.

Sets of up to 64 candidates, nearly all nodes of a tree, have functions of their own: their planes
and masks stay in registers. The score of a partition is the sum of the worths of its parts, or the
worth of the largest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pegwise.arrays import I32, I64, U16, U64
from pegwise.kernels.jit import Int, inlined, popcount, subkernel
from pegwise.kernels.onestep.lookahead import Lookahead

ONE = np.uint64(1)


@subkernel
def pack(candidates: I32, look: Lookahead, words: Int) -> None:
    """Fill the bit columns, and the bits of everyone."""
    board, scratch = look.board, look.scratch
    places, counts, everyone = scratch.places, scratch.counts, scratch.everyone
    place_rows, count_rows = board.secret_places, board.secret_counts
    size = words * (len(board.pegs) * (board.repeats.shape[1] - 1) + 1)
    places[:size] = 0
    counts[:size] = 0
    everyone[:words] = 0
    for j in range(len(candidates)):
        secret = candidates[j]
        bit = ONE << np.uint64(j & 63)
        word = j >> 6
        everyone[word] |= bit
        for peg in range(len(board.pegs)):
            places[place_rows[secret, peg] * words + word] |= bit
            counts[count_rows[secret, peg] * words + word] |= bit


@inlined
def _ripple(carry: Any, p1: Any, p2: Any, p3: Any, p4: Any) -> Any:
    """Add a carry to the planes above the lowest."""
    carry2 = p1 & carry
    carry3 = p2 & carry2
    carry4 = p3 & carry3
    return p1 ^ carry, p2 ^ carry2, p3 ^ carry3, p4 ^ carry4


@inlined
def _full_add(x: Any, y: Any, planes: Any) -> Any:
    """Add two columns to bit planes (1, 2, 4, 8, 16)."""
    p0, p1, p2, p3, p4 = planes
    half = p0 ^ x
    carry = (p0 & x) | (half & y)
    p1, p2, p3, p4 = _ripple(carry, p1, p2, p3, p4)
    return half ^ y, p1, p2, p3, p4


@inlined
def _half_add(x: Any, planes: Any) -> Any:
    """Add one column to bit planes."""
    p0, p1, p2, p3, p4 = planes
    p1, p2, p3, p4 = _ripple(p0 & x, p1, p2, p3, p4)
    return p0 ^ x, p1, p2, p3, p4


@inlined
def add(columns: U64, rows: U16, row: Int, pegs: Any, words: Int, word: Int) -> Any:
    """Bit planes of the sum, at one word, of the columns that are named in a row."""
    zero = np.uint64(0)
    planes = (zero, zero, zero, zero, zero)
    for pair in range(len(pegs) // 2):
        x = columns[rows[row, 2 * pair] * words + word]
        y = columns[rows[row, 2 * pair + 1] * words + word]
        planes = _full_add(x, y, planes)
    if len(pegs) % 2:
        planes = _half_add(columns[rows[row, len(pegs) - 1] * words + word], planes)
    return planes


@subkernel
def add_halves(look: Lookahead, colors: Int) -> None:
    """Fill `halves`: most guesses share each of their halves with many others."""
    places, halves, pegs = look.scratch.places, look.scratch.halves, look.board.pegs
    for half in range(2):
        first = 0 if half == 0 else len(pegs) // 2
        stop = len(pegs) // 2 if half == 0 else len(pegs)
        halves[half, 0, :] = 0
        count = 1
        for peg in range(first, stop):
            # from the last code on, so that no prefix is overwritten before it is used
            for prefix in range(count - 1, -1, -1):
                p0, p1 = halves[half, prefix, 0], halves[half, prefix, 1]
                p2, p3 = halves[half, prefix, 2], halves[half, prefix, 3]
                for color in range(colors, -1, -1):
                    x = places[color + peg * colors] if color < colors else np.uint64(0)
                    carry = p0 & x
                    carry1 = p1 & carry
                    carry2 = p2 & carry1
                    code = prefix * (colors + 1) + color
                    halves[half, code, 0] = p0 ^ x
                    halves[half, code, 1] = p1 ^ carry
                    halves[half, code, 2] = p2 ^ carry1
                    halves[half, code, 3] = p3 ^ carry2
            count *= colors + 1


@inlined
def join_halves(halves: Any, rows: I32, slot: Int, pegs: Any) -> Any:
    """Bit planes of the blacks of a guess, from those of its two halves."""
    first, second = rows[slot, 0], rows[slot, 1]
    a0, b0 = halves[0, first, 0], halves[1, second, 0]
    p0 = a0 ^ b0
    carry = a0 & b0
    zero = np.uint64(0)
    p1, p2, p3, p4 = carry, zero, zero, zero
    if len(pegs) > 2:  # the compiler knows it: the length of a tuple is part of its type
        a1, b1 = halves[0, first, 1], halves[1, second, 1]
        half = a1 ^ b1
        p1 = half ^ carry
        carry = (a1 & b1) | (half & carry)
        p2 = carry
    if len(pegs) > 6:
        a2, b2 = halves[0, first, 2], halves[1, second, 2]
        half = a2 ^ b2
        p2 = half ^ carry
        carry = (a2 & b2) | (half & carry)
        p3 = carry
    if len(pegs) > 14:
        a3, b3 = halves[0, first, 3], halves[1, second, 3]
        half = a3 ^ b3
        p3 = half ^ carry
        p4 = (a3 & b3) | (half & carry)
    return p0, p1, p2, p3, p4


@subkernel
def exactly(planes: Any, k: Int) -> Any:
    """Which candidates have the sum k."""
    p0, p1, p2, p3, p4 = planes
    a = p0 if k & 1 else ~p0
    b = p1 if k & 2 else ~p1
    c = p2 if k & 4 else ~p2
    d = p3 if k & 8 else ~p3
    e = p4 if k & 16 else ~p4
    return a & b & c & d & e


@inlined
def score_word(
    in_common: Any, black: Any, everyone: Any, worth: I64, additive: bool, pegs: Any
) -> Int:
    """Score of a guess against up to 64 candidates, from the bit planes of its two sums."""
    total = 0
    largest = 0  # both are kept: two short chains are faster than one with a choice in it
    for t in range(len(pegs) + 1):
        some = exactly(in_common, t) & everyone
        rest = popcount(some)
        if rest > 1:
            for k in range(1, len(pegs) + 1):
                if k <= t:
                    count = popcount(some & exactly(black, k))
                    rest -= count
                    total += worth[count]
                    largest = max(largest, count)
        total += worth[rest]
        largest = max(largest, rest)
    return total if additive else worth[largest]


@subkernel
def mask_common(look: Lookahead, multiset: Int, words: Int) -> None:
    """Fill `common` and `sizes` for the guesses of a multiset.

    Where only black marks are given, one class, the first, holds everyone.
    """
    board, scratch = look.board, look.scratch
    counts, everyone = scratch.counts, scratch.everyone
    common, sizes, rows = scratch.common, scratch.sizes, board.counts
    sizes[:] = 0
    for word in range(words):
        if board.black:
            common[word] = everyone[word]
            sizes[0] += popcount(everyone[word])
            continue
        planes = add(counts, rows, multiset, board.pegs, words, word)
        for t in range(len(board.pegs) + 1):
            mask = exactly(planes, t) & everyone[word]
            common[t * words + word] = mask
            sizes[t] += popcount(mask)


@subkernel
def _count_four(look: Lookahead, slot: Int, t: Int, words: Int, k: Int) -> Any:
    """How many candidates with t colors in common have k, k + 1, k + 2 and k + 3 blacks.

    Nothing is stored, so that the loop becomes vector instructions.
    """
    places, rows, pegs = look.scratch.places, look.board.places, look.board.pegs
    common = look.scratch.common[t * words : (t + 1) * words]
    first = second = third = fourth = 0
    for word in range(words):
        planes = add(places, rows, slot, pegs, words, word)
        some = common[word]
        first += popcount(some & exactly(planes, k))
        second += popcount(some & exactly(planes, k + 1))
        third += popcount(some & exactly(planes, k + 2))
        fourth += popcount(some & exactly(planes, k + 3))
    return first, second, third, fourth


@subkernel
def class_score(look: Lookahead, slot: Int, t: Int, words: Int, worth: I64, additive: bool) -> Int:
    """Score of the parts, for a guess, of the candidates with t colors in common.

    `common` and `sizes` hold the masks of its multiset.
    """
    rest: Int = look.scratch.sizes[t]
    total: Int = 0
    largest: Int = 0
    most = len(look.board.pegs) if look.board.black else t
    for k in range(1, most + 1, 4):
        # beyond the most possible there is nobody, and an empty part is worth nothing
        for count in _count_four(look, slot, t, words, k):
            rest -= count
            total += worth[count]
            largest = max(largest, count)
    return total + worth[rest] if additive else worth[max(largest, rest)]


@subkernel
def second_score(look: Lookahead, slot: Int, words: Int) -> Int:
    """Score of one guess for ties; 0 if there is none."""
    board, criteria = look.board, look.criteria
    score: Int = np.int64(0)
    if criteria.has_second:
        worth, additive = criteria.second, criteria.second_additive
        mask_common(look, np.int64(board.group[slot]), words)
        for t in range(len(board.pegs) + 1):
            if look.scratch.sizes[t] > 0:
                value = class_score(look, slot, t, words, worth, additive)
                score = score + value if additive else max(score, value)
    return score
