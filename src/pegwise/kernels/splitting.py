"""The candidate that tells all others apart, if there is one: nothing need be weighed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import Int, bare, popcount
from pegwise.kernels.marking import Signatures

__all__ = ["splitter"]

U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]

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
