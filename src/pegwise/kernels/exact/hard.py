"""The guesses that the hard mode of Wordle allows, in the exact search.

What the turns before a set require is a row of bits, as in `game.requirements`. Each frame lists
the guesses that are allowed in it and tell something of its candidates: a guess that tells nothing
of a set tells nothing of a part of it. So a list comes from that of the frame before.
"""

from __future__ import annotations

import numpy as np

from pegwise.arrays import I64, U16, U64
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.sets import count_parts
from pegwise.kernels.exact.work import Work
from pegwise.kernels.jit import Int, inlined, mix, subkernel


@inlined
def require(board: Board, before: U64, guess: Int, mark: Int, after: U64) -> None:
    """Write to `after` what is required once a guess got a mark: uint64 (words) each."""
    signs, places, colors = board.hard.signs[guess], board.hard.places[mark], board.hard.colors
    for word in range(len(before)):
        after[word] = before[word]
    pegs = len(places)
    for place in range(pegs):
        if places[place] > 0:
            sign = np.int64(signs[place])
            times = 0
            for earlier in range(place):
                times += places[earlier] > 0 and signs[earlier] == sign
            _set_bit(after, (pegs + times) * colors + sign)
            if places[place] == 2:
                _set_bit(after, place * colors + sign)


@inlined
def _set_bit(words: U64, at: Int) -> None:
    words[at >> 6] |= np.uint64(1) << np.uint64(at & 63)


@inlined
def key_of_required(required: U64) -> np.uint64:
    """A key of what turns require."""
    key = np.uint64(0)
    for word in required:
        key = mix(key ^ word)
    return key


@subkernel
def allow(board: Board, work: Work, d: Int, codes: I64) -> Int:
    """List the guesses of a frame and count the parts that they make; the most is returned.

    They are those of the frame before that meet what is required and tell something of the codes.
    """
    met, required, counts = board.hard.met, work.required[d], work.counts[d]
    listed = work.allowed[d + 1]
    n_listed = 0
    for guess in work.allowed[d, : work.n_allowed[d]]:
        meets = True
        for word in range(len(required)):
            meets &= required[word] & ~met[guess, word] == 0
        if meets:
            listed[n_listed] = guess
            n_listed += 1
    work.n_allowed[d + 1] = n_listed
    most = count_allowed(board, work, d, codes, counts)
    n_telling = 0
    for guess in listed[:n_listed]:
        if counts[guess] > 1:
            listed[n_telling] = guess
            n_telling += 1
    work.n_allowed[d + 1] = n_telling
    return most


@subkernel
def count_allowed(board: Board, work: Work, d: Int, codes: I64, counts: U16) -> Int:
    """Count the parts that the guesses of a frame make of some codes; the most is returned."""
    listed = work.allowed[d + 1, : work.n_allowed[d + 1]]
    marks, parts = work.listed_marks, work.listed_parts
    tile = len(parts)
    most = np.int64(0)
    for start in range(0, len(listed), tile):
        some = listed[start : start + tile]
        for i in range(len(codes)):
            row = board.by_secret[codes[i]]
            for at in range(len(some)):
                marks[i, at] = row[some[at]]
        most = max(
            most, count_parts(marks, work.places[: len(codes)], len(some), work.masks, parts)
        )
        for at in range(len(some)):
            counts[some[at]] = parts[at]
    return most
