"""Names of array types, the one that holds the marks of a game, and arrays as bytes."""

from __future__ import annotations

import io
import json
from typing import Any

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
    """Numbers of marks as an array of the type for a game with `n_marks` marks."""
    if n_marks <= 256:
        return np.asarray(marks, np.uint8)
    return np.asarray(marks, np.uint16)


def countable(numbers: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Whole numbers as `numpy.bincount` and `numpy.repeat` take them: of 32 bits in a browser."""
    return numbers.astype(np.intp, copy=False)


GuessNumber = int
"""A guess by its place among the guesses of a game, from 0."""

SecretNumber = int
"""A secret by its place among the secrets of a game, from 0; often not that of the guess."""

MarkNumber = int
"""A mark by its place among the marks of a game, from 0."""


def to_bytes(document: Any, *arrays: npt.NDArray[Any]) -> bytes:
    """A line of JSON, then arrays in the format of NumPy (`numpy.save`), one after the other."""
    out = io.BytesIO()
    out.write(json.dumps([document, len(arrays)], default=int).encode() + b"\n")
    for array in arrays:
        np.lib.format.write_array(out, array, allow_pickle=False)
    return out.getvalue()


def from_bytes(content: bytes | memoryview) -> tuple[Any, list[npt.NDArray[Any]]]:
    """The document and the arrays that `to_bytes` was given; ValueError for anything else."""
    file = io.BytesIO(content)
    document, count = json.loads(file.readline())
    arrays = [np.lib.format.read_array(file, allow_pickle=False) for _ in range(count)]
    return document, arrays


def entry_rows(array: npt.NDArray[Any]) -> U64:
    """An array of entries of a transposition table, uint64 (n, 4); ValueError for another one."""
    if array.dtype != np.uint64 or array.shape[1:] != (4,):
        raise ValueError("no entries")
    return array
