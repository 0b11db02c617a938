"""How many parts every guess makes of a set, for all guesses at once.

The marks of one secret under all guesses stand in a row of bytes. With at most 32 or 64 marks the
rows of the candidates are turned into bits and joined, one word for each guess, and the bits are
counted; the compiler makes vector code of both loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pegwise.kernels.exact_table import Int
from pegwise.kernels.jit import bare, popcount

__all__ = ["count_parts", "most_parts_inside", "new_masks"]

U16 = npt.NDArray[np.uint16]
I64 = npt.NDArray[np.int64]


def _bit(word: Any) -> Callable[..., Any]:
    """An intrinsic for 1 << mark in a word of this type; Numba would widen it to 64 bits."""

    def typing(typing_context: Any, mark: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            wide = ir.IntType(word.bitwidth)
            if mark.bitwidth > word.bitwidth:
                shift = builder.trunc(arguments[0], wide)
            elif mark.bitwidth < word.bitwidth:
                shift = builder.zext(arguments[0], wide)
            else:
                shift = arguments[0]
            return builder.shl(ir.Constant(wide, 1), shift)

        return word(mark), generate

    return cast(Callable[..., Any], intrinsic(typing))


def _count_bits(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.trunc(builder.ctpop(arguments[0]), ir.IntType(16))

    return types.uint16(word), generate


_bit32 = _bit(types.uint32)
_bit64 = _bit(types.uint64)
_count_bits16 = cast(Callable[..., Any], intrinsic(_count_bits))


def new_masks(n_marks: int, n_guesses: int) -> tuple[Any, Any]:
    """Working space for `count_parts`: uint32 and uint64 (n_guesses), of which one is empty.

    Both are empty with more than 64 marks.
    """
    few = n_guesses if n_marks <= 32 else 0
    more = n_guesses if 32 < n_marks <= 64 else 0
    return np.zeros(few, np.uint32), np.zeros(more, np.uint64)


@bare
def _join32(by_secret: Any, codes: I64, n_guesses: Int, masks: Any, counts: U16) -> None:
    done = len(codes) & 3
    if done == 0:
        done = 4
    row0 = by_secret[codes[0]]
    if done == 1:
        for g in range(n_guesses):
            masks[g] = _bit32(row0[g])
    elif done == 2:
        row1 = by_secret[codes[1]]
        for g in range(n_guesses):
            masks[g] = _bit32(row0[g]) | _bit32(row1[g])
    elif done == 3:
        row1 = by_secret[codes[1]]
        row2 = by_secret[codes[2]]
        for g in range(n_guesses):
            masks[g] = _bit32(row0[g]) | _bit32(row1[g]) | _bit32(row2[g])
    else:
        done = 0
        masks[:n_guesses] = 0
    # four rows at a time: the words are read and written once
    for i in range(done, len(codes), 4):
        row0 = by_secret[codes[i]]
        row1 = by_secret[codes[i + 1]]
        row2 = by_secret[codes[i + 2]]
        row3 = by_secret[codes[i + 3]]
        for g in range(n_guesses):
            masks[g] |= _bit32(row0[g]) | _bit32(row1[g]) | _bit32(row2[g]) | _bit32(row3[g])
    for g in range(n_guesses):
        counts[g] = _count_bits16(masks[g])


@bare
def _join64(by_secret: Any, codes: I64, n_guesses: Int, masks: Any, counts: U16) -> None:
    masks[:n_guesses] = 0
    done = len(codes) & 1
    if done:
        row0 = by_secret[codes[0]]
        for g in range(n_guesses):
            masks[g] = _bit64(row0[g])
    for i in range(done, len(codes), 2):
        row0 = by_secret[codes[i]]
        row1 = by_secret[codes[i + 1]]
        for g in range(n_guesses):
            masks[g] |= _bit64(row0[g]) | _bit64(row1[g])
    for g in range(n_guesses):
        counts[g] = _count_bits16(masks[g])


@bare
def _distinct(row: Any, codes: I64, last_seen: I64, stamp: Int) -> Int:
    """Number of different marks of one guess."""
    parts = 0
    for code in codes:
        mark = row[code]
        if last_seen[mark] != stamp:
            last_seen[mark] = stamp
            parts += 1
    return parts


@bare
def count_parts(
    by_secret: Any,
    by_guess: Any,
    codes: I64,
    n_guesses: Int,
    masks32: Any,
    masks64: Any,
    last_seen: I64,
    counts: U16,
) -> Int:
    """Write the number of parts that each guess makes of the codes; the largest is returned.

    Args:
        by_secret: (secrets, guesses), marks.
        by_guess: (guesses, secrets), the same.
        codes: int64 (n), the set, n at least 1.
        n_guesses: only the first so many guesses are looked at.
        masks32: see `new_masks`.
        masks64: likewise.
        last_seen: int64 (marks), working space for games with more marks.
        counts: uint16 (guesses), receives the numbers.
    """
    if len(masks32):
        _join32(by_secret, codes, n_guesses, masks32, counts)
    elif len(masks64):
        _join64(by_secret, codes, n_guesses, masks64, counts)
    else:
        last_seen[:] = -1
        for g in range(n_guesses):
            counts[g] = _distinct(by_guess[g], codes, last_seen, g)
    most = np.uint16(0)
    for g in range(n_guesses):
        most = max(most, counts[g])
    return np.int64(most)


@bare
def most_parts_inside(by_guess: Any, guess_of: I64, codes: I64) -> Int:
    """Most parts that a code of the set makes of it; for at most 64 marks.

    Args:
        by_guess: (guesses, secrets), marks.
        guess_of: int64 (secrets), the guess that is a secret.
        codes: int64 (n), the set.
    """
    most = np.int64(0)
    for a in codes:
        row = by_guess[guess_of[a]]
        mask = np.uint64(0)
        for b in codes:
            mask |= _bit64(row[b])
        most = max(most, popcount(mask))
        if most == len(codes):
            break
    return most
