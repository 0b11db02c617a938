"""Marks of one guess against many secrets, from bit signatures of the codes.

A code of `pegs` colors has two signatures of pegs x colors bits, in 64-bit words:

- *places*: bit `color * pegs + peg` is set where that peg has that color. Two codes share as many
  bits as the guess has blacks.
- *counts*: bit `color * pegs + k` is set where the code has more than k pegs of that color. Two
  codes share as many bits as they have colors in common, places aside: black + white.

An empty hole sets no bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import kernel, popcount

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]


class Signatures(NamedTuple):
    """Bit signatures of n codes.

    Attributes:
        places: uint64 of shape (n, words).
        counts: uint64 of shape (n, words).
    """

    places: U64
    counts: U64


def signatures(codes: U8, colors: int) -> Signatures:
    """The signatures of codes.

    Args:
        codes: uint8 of shape (n, pegs); values from `colors` on are empty holes.
        colors: number of colors.
    """
    words = (codes.shape[1] * colors + 63) // 64
    places = np.zeros((len(codes), words), np.uint64)
    counts = np.zeros((len(codes), words), np.uint64)
    _sign(codes, colors, places, counts)
    return Signatures(places, counts)


@kernel
def _sign(codes: U8, colors: int, places: U64, counts: U64) -> None:
    n, pegs = codes.shape
    seen = np.zeros(colors, np.int64)
    for code in range(n):
        seen[:] = 0
        for peg in range(pegs):
            color = np.int64(codes[code, peg])
            if color >= colors:
                continue
            place = color * pegs + peg
            count = color * pegs + seen[color]
            seen[color] += 1
            places[code, place >> 6] |= np.uint64(1) << np.uint64(place & 63)
            counts[code, count >> 6] |= np.uint64(1) << np.uint64(count & 63)


@kernel
def mark_many(
    guess_places: U64,
    guess_counts: U64,
    places: U64,
    counts: U64,
    chosen: I32,
    mark_ids: U8,
    out: U8,
) -> None:
    """Write the mark of one guess against the chosen secrets.

    Args:
        guess_places: uint64 (words), signature of the guess.
        guess_counts: uint64 (words), likewise.
        places: uint64 (n, words), signatures of all secrets.
        counts: uint64 (n, words), likewise.
        chosen: int32 (m), which secrets.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of the mark by black and by black + white.
        out: uint8 (m), receives the number of the mark.
    """
    if places.shape[1] == 1:
        place, count = guess_places[0], guess_counts[0]
        for j in range(len(chosen)):
            secret = chosen[j]
            black = popcount(place & places[secret, 0])
            common = popcount(count & counts[secret, 0])
            out[j] = mark_ids[black, common]
        return
    for j in range(len(chosen)):
        secret = chosen[j]
        black = 0
        common = 0
        for word in range(places.shape[1]):
            black += popcount(guess_places[word] & places[secret, word])
            common += popcount(guess_counts[word] & counts[secret, word])
        out[j] = mark_ids[black, common]


@kernel
def mark_table(
    guess_places: U64,
    guess_counts: U64,
    places: U64,
    counts: U64,
    mark_ids: U8,
    out: U8,
) -> None:
    """Write the marks of all guesses against all secrets: `out` is uint8 (guesses, secrets)."""
    everyone = np.arange(len(places)).astype(np.int32)
    for guess in range(len(guess_places)):
        mark_many(
            guess_places[guess], guess_counts[guess], places, counts, everyone, mark_ids, out[guess]
        )


# Marks of many guesses, each against its own secret: games played side by side.


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
