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
