"""Forget's decoder: candidates built peg by peg, the most discriminating code, whole subtrees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.jit import kernel

U8 = npt.NDArray[np.uint8]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Subtree(NamedTuple):
    """What is played from a set of candidates on, breadth first, children by number of mark.

    Attributes:
        row: int32 (nodes), row of the mark table that is played.
        parent: int32 (nodes), the node before; -1 for the root, which is node 0.
        mark: uint8 (nodes), number of the mark that led here.
        wins: bool (nodes), whether the row is a candidate here.
    """

    row: I32
    parent: I32
    mark: U8
    wins: Bools


@kernel
def reachable(
    partial: U8,
    peg: int,
    colors: U8,
    guesses: U8,
    needs: I64,
    blacks: I64,
    commons: I64,
    once: bool,
    out: Bools,
) -> None:
    """Which colors can stand at a peg before codes whose later pegs are filled.

    A color can stand there if every mark is still reachable: each of the `peg` holes left adds
    at most one black, and at most one color in common.

    Args:
        partial: uint8 (n, pegs - 1 - peg), the colors of the pegs after `peg`.
        peg: the peg to fill.
        colors: uint8 (c), colors that are not proven absent.
        guesses: uint8 (turns, pegs).
        needs: int64 (turns, 26), how often each guess has each color.
        blacks: int64 (turns).
        commons: int64 (turns), black + white; -1 where that is not known.
        once: no color comes twice in a code.
        out: bool (c, n), receives whether that color fits before that code.
    """
    turns = len(guesses)
    black = np.zeros(turns, np.int64)
    common = np.zeros(turns, np.int64)
    for code in range(len(partial)):
        seen = np.zeros(26, np.int64)
        black[:] = 0
        common[:] = 0
        for k in range(partial.shape[1]):
            color = np.int64(partial[code, k])
            for turn in range(turns):
                black[turn] += guesses[turn, peg + 1 + k] == color
                common[turn] += seen[color] < needs[turn, color]
            seen[color] += 1
        for c in range(len(colors)):
            color = np.int64(colors[c])
            fits = not (once and seen[color] > 0)
            for turn in range(turns):
                b = black[turn] + (guesses[turn, peg] == color)
                s = common[turn] + (seen[color] < needs[turn, color])
                fits &= b <= blacks[turn] <= b + peg
                fits &= commons[turn] < 0 or s <= commons[turn] <= s + peg
            out[c, code] = fits


@kernel
def best_row(
    table: U8, left: I32, first_extra: int, n_marks: int, worth: I64, minimax: bool
) -> int:
    """The row that splits the candidates best; among equals, the first in the order weighed.

    Weighed are the candidates left, in order, then the rows from `first_extra` on.

    Args:
        table: uint8 (rows, first_extra), marks by number; row k < first_extra is candidate k.
        left: int32 (n), the candidates left; n at least 1.
        first_extra: number of candidates of the table.
        n_marks: number of marks.
        worth: int64 (n + 1 or more), n log2 n by n, scaled to whole numbers.
        minimax: the smallest largest part first and the most information second; else the reverse.
    """
    n = len(left)
    sizes = np.zeros(n_marks, np.int64)
    best = -1
    best_first = np.int64(0)
    best_second = np.int64(0)
    for k in range(n + len(table) - first_extra):
        row = int(left[k]) if k < n else first_extra + k - n
        sizes[:] = 0
        for candidate in left:
            sizes[table[row, candidate]] += 1
        largest = np.int64(0)
        unknown = np.int64(0)  # what stays uncertain: the entropy is log2 n less its mean
        for size in sizes:
            largest = max(largest, size)
            unknown += worth[size]
        if k < n and largest == 1:
            return row  # every part is one candidate: no other row is better
        first, second = (largest, unknown) if minimax else (unknown, largest)
        if best < 0 or first < best_first or (first == best_first and second < best_second):
            best, best_first, best_second = row, first, second
    return best


@kernel
def grow(table: U8, first_extra: int, n_marks: int, worth: I64, minimax: Bools) -> Subtree:
    """Play every candidate of a table out.

    Args:
        table: as in `best_row`, and the next two.
        first_extra: number of candidates.
        n_marks: number of marks; the last one wins.
        worth: int64 (first_extra + 1 or more).
        minimax: bool (levels), the leading criterion of each guess; the last one stays.
    """
    winning = n_marks - 1
    # a guess that cannot win is played only where it splits: fewer of them than candidates
    most = 2 * first_extra
    rows = np.empty(most, np.int32)
    parents = np.empty(most, np.int32)
    marks = np.empty(most, np.uint8)
    wins = np.zeros(most, np.bool_)
    starts = np.empty(most, np.int64)
    sizes = np.empty(most, np.int64)
    here = np.arange(first_extra).astype(np.int32)
    there = np.empty(first_extra, np.int32)
    counts = np.empty(n_marks, np.int64)
    parents[0], marks[0], starts[0], sizes[0] = -1, 0, 0, first_extra
    first, last, level = 0, 1, 0
    nodes = 1
    while first < last:
        place = 0
        leads = minimax[min(level, len(minimax) - 1)]
        for node in range(first, last):
            left = here[starts[node] : starts[node] + sizes[node]]
            row = best_row(table, left, first_extra, n_marks, worth, leads)
            rows[node] = row
            counts[:] = 0
            for candidate in left:
                counts[table[row, candidate]] += 1
            wins[node] = counts[winning] > 0
            for mark in range(winning):
                size = counts[mark]
                counts[mark] = place  # from here on, where the next one of this part goes
                if size > 0:
                    parents[nodes], marks[nodes] = node, mark
                    starts[nodes], sizes[nodes] = place, size
                    nodes += 1
                    place += size
            for candidate in left:
                mark = table[row, candidate]
                if mark != winning:
                    there[counts[mark]] = candidate
                    counts[mark] += 1
        here, there = there, here
        first, last, level = last, nodes, level + 1
    return Subtree(rows[:nodes], parents[:nodes], marks[:nodes], wins[:nodes])
