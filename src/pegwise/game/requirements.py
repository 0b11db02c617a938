"""What the hard mode of Wordle requires of guesses after turns, as bits.

A turn requires that some signs stand in their places, and that some come at least so often
(`game.hard`). Each such condition is a bit. A guess is allowed where it meets every condition that
the turns before it have made, so the bits of several turns are joined by `|`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pegwise.arrays import U8, U64, Bools, GuessNumber, MarkNumber


@dataclass(frozen=True, eq=False)
class Requirements:
    """The conditions of a game with a mark for every place.

    Attributes:
        signs: uint8 (guesses, pegs).
        places: uint8 (marks, pegs), the marks by place: 2 right, 1 elsewhere, 0 absent.
        colors: how many signs there are.
        met: uint64 (guesses, words), the conditions that a guess meets.
    """

    signs: U8
    places: U8
    colors: int
    met: U64

    @classmethod
    def of(cls, signs: U8, marks: Sequence[Sequence[int]]) -> Requirements:
        """The conditions for guesses by their signs, uint8 (guesses, pegs), and all marks."""
        pegs, rows = signs.shape[1], np.arange(len(signs))
        colors = int(signs.max()) + 1
        # signs in their places, then signs that come once, twice, ...
        bits = np.zeros((len(signs), 2 * pegs * colors), np.bool_)
        times = np.zeros((len(signs), colors), np.int64)
        for place, column in enumerate(signs.astype(np.int64).T):
            bits[rows, place * colors + column] = True
            bits[rows, (pegs + times[rows, column]) * colors + column] = True
            times[rows, column] += 1
        words = -(-bits.shape[1] // 64)
        padded = np.zeros((len(signs), 64 * words), np.bool_)
        padded[:, : bits.shape[1]] = bits
        met = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        used = int(np.flatnonzero(met.any(axis=0))[-1]) + 1  # no guess has a sign more often
        places = np.array([tuple(mark) for mark in marks], np.uint8)
        return cls(signs, places, colors, np.ascontiguousarray(met[:, :used]))

    @property
    def none(self) -> U64:
        """uint64 (words): what is required before the first turn."""
        return np.zeros(self.met.shape[1], np.uint64)

    def after(self, required: U64, guess: GuessNumber, mark: MarkNumber) -> U64:
        """uint64 (words): what is required after one more turn."""
        pegs = len(self.places[mark])
        bits: list[int] = []
        times = Counter[int]()
        for place, sign in enumerate(self.signs[guess].tolist()):
            shown = self.places[mark, place]
            if shown == 2:
                bits.append(place * self.colors + sign)
            if shown:
                bits.append((pegs + times[sign]) * self.colors + sign)
                times[sign] += 1
        joined = required.copy()
        for bit in bits:
            joined[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        return joined

    def allowed(self, required: U64) -> Bools:
        """Bool (guesses): which guesses meet what is required."""
        missing: Bools = np.any(required & ~self.met, axis=1)
        return ~missing
