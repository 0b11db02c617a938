"""Names of array types, and the one that holds the marks of a game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

MarkNumbers = U8 | U16  # marks by number: uint8 where there are at most 256, else uint16


def mark_numbers(marks: npt.ArrayLike, n_marks: int) -> MarkNumbers:
    """Numbers of marks as an array of the type for a game of so many marks."""
    if n_marks <= 256:
        return np.asarray(marks, np.uint8)
    return np.asarray(marks, np.uint16)


GuessNumber = int
"""A guess by its place among the guesses of a game, from 0."""

SecretNumber = int
"""A secret by its place among the secrets of a game, from 0; often not that of the guess."""

MarkNumber = int
"""A mark by its place among the marks of a game, from 0."""
