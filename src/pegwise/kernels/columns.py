"""Sets of guesses for two colors and black marks, peg by peg.

The colors that some guesses show at one peg make a *column* of signs. The guesses get the same
marks from two secrets if the columns of the pegs where the two differ, each with a sign, add up to
zero. A column and its opposite do the same: of m guesses there are 2 ** (m - 1) columns, one for
each number; bit r is the sign of guess r, and the last guess shows one color at all pegs.

Sums of columns are packed: six bits hold the sum of each guess, from the lowest on.
"""

from __future__ import annotations

import numpy as np

from pegwise.arrays import I16, I64, Bools
from pegwise.kernels.jit import Int, kernel, subkernel
from pegwise.kernels.static import FOUND, REFUTED, STOPPED

_BITS = 6  # so ten guesses fit into a packed sum: enough for 16 pegs
_ZERO = 32  # added to each sum, so that none is negative


@subkernel
def _packed(column: Int, guesses: Int) -> Int:
    """A column as a packed sum."""
    total = 0
    for row in range(guesses):
        total += (2 * (column >> row & 1) - 1) << (_BITS * row)
    return total


@subkernel
def _ternary(column: Int, guesses: Int) -> Int:
    """The signs of a column as digits 0 and 1 to the base 3."""
    total = 0
    for row in range(guesses):
        total = 3 * total + (column >> row & 1)
    return total


@subkernel
def _add(column: Int, guesses: Int, sums: I64, n: Int, excluded: Bools, apart: Bools) -> Int:
    """Append all sums with one more column to those of the columns before; returns how many.

    Of a sum and its opposite only one is listed. A column that is a sum is `excluded`, and two
    columns are to stay `apart` whose sum or difference is one: half of it, plus 1 for each guess,
    read to the base 3.
    """
    ones = 0
    for row in range(guesses):
        ones |= 1 << (_BITS * row)
    packed = _packed(column, guesses)
    last = n
    for k in range(2 * n + 1):
        total = packed
        if k < 2 * n:
            total = sums[k >> 1] + packed if k & 1 else sums[k >> 1] - packed
        sums[last] = total
        last += 1
        # the sums of all guesses are odd, or all are even
        if total & 1:
            lanes = total + (_ZERO + 1) * ones
            if lanes & ~(2 * ones) == _ZERO * ones:
                number = 0
                for row in range(guesses):
                    number |= (lanes >> (_BITS * row + 1) & 1) << row
                if number >> (guesses - 1):
                    number ^= (1 << guesses) - 1
                excluded[number] = True
        else:
            lanes = total + (_ZERO + 2) * ones
            if lanes & ~(6 * ones) == _ZERO * ones:
                half, most = 0, 0
                for row in range(guesses):
                    digit = lanes >> (_BITS * row + 1) & 3
                    half = 3 * half + digit
                    most = max(most, digit)
                if most < 3:
                    apart[half] = True
                    apart[len(apart) - 1 - half] = True
    return last


@kernel
def columns_after(chosen: I64, images: I16, out: I64) -> Int:
    """Write the columns that may come after some; returns how many.

    Columns are chosen in ascending order, from column 0 on. Sets that symmetries carry into each
    other are equally good: of them the one that comes first is kept. The guesses may be exchanged,
    and the colors of a guess too, so that any of the columns becomes column 0.

    Args:
        chosen: int64 (n), columns, ascending.
        images: int16 (orders, columns), where each order of the guesses carries each column.
        out: int64 (columns), receives the columns.
    """
    n_columns = images.shape[1]
    guesses = 1
    while 1 << (guesses - 1) < n_columns:
        guesses += 1
    n = len(chosen)
    sums = np.empty((3**n + 1) // 2, np.int64)
    excluded = np.zeros(n_columns, np.bool_)
    apart = np.zeros(3**guesses, np.bool_)
    size = 0
    for column in chosen:
        size = _add(column, guesses, sums, size, excluded, apart)
    columns = np.empty(n + 1, np.int64)
    columns[:n] = chosen
    image = np.empty(n + 1, np.int64)
    count = 0
    for column in range(chosen[-1] + 1, n_columns):
        columns[n] = column
        if not excluded[column] and _is_first(columns, images, image):
            out[count] = column
            count += 1
    return count


@subkernel
def _is_first(columns: I64, images: I16, image: I64) -> Int:
    """Whether no image of some columns, in ascending order, comes before them."""
    n = len(columns)
    for first in range(n):
        for order in range(len(images)):
            # each image is put into its place; the smallest one is column 0, that of `first`
            for k in range(n):
                column = images[order, columns[k] ^ columns[first]]
                place = k
                while place > 0 and image[place - 1] > column:
                    image[place] = image[place - 1]
                    place -= 1
                image[place] = column
            for k in range(n):
                if image[k] != columns[k]:
                    if image[k] < columns[k]:
                        return False
                    break
    return True


@subkernel
def _core(graph: Bools, columns: I64, n: Int, least: Int) -> Int:
    """Keep the columns that go with at least so many of those kept; returns how many."""
    while True:
        size = 0
        for k in range(n):
            degree = 0
            for neighbor in range(n):
                degree += graph[columns[k], columns[neighbor]]
            columns[size] = columns[k]
            size += degree >= least
        if size == n:
            return n
        n = size


@kernel
def extend(chosen: I64, length: int, guesses: int, most: int, tried: I64, stop: I64) -> Int:
    """Whether some columns can be completed: `FOUND`, `REFUTED`, or `STOPPED` when told so.

    Columns that may still be added pairwise make a graph, and are to be a clique in it.

    Args:
        chosen: int64 (pegs), begins with the columns given, ascending; receives the others. At
            least two are lacking, and those added are larger.
        length: number of columns given, at least one.
        guesses: number of guesses, at most ten.
        most: stop after so many sets of columns; 0 for none.
        tried: int64 (1), to which the number of sets tried is added.
        stop: int64 (1), with something else than 0 as soon as the search is to stop.
    """
    pegs = len(chosen)
    n_columns = 1 << (guesses - 1)
    ternary = np.empty(n_columns, np.int64)
    for column in range(n_columns):
        ternary[column] = _ternary(column, guesses)
    ones = (3**guesses - 1) // 2
    sums = np.empty((3 ** (pegs - 2) + 1) // 2, np.int64)
    sizes = np.zeros(pegs, np.int64)
    excluded = np.zeros(n_columns, np.bool_)
    apart = np.zeros((pegs, 3**guesses), np.bool_)
    graphs = np.zeros((pegs, n_columns, n_columns), np.bool_)
    nodes = np.empty((pegs, n_columns), np.int64)
    counts = np.zeros(pegs, np.int64)
    nexts = np.zeros(pegs, np.int64)
    limit = tried[0] + most
    n = length
    for k in range(length):
        sizes[n] = _add(chosen[k], guesses, sums, sizes[n], excluded, apart[n])
    for column in range(chosen[length - 1] + 1, n_columns):
        nodes[n, counts[n]] = column
        counts[n] += not excluded[column]
    entering = True
    while n >= length:
        lacking = pegs - n
        graph = graphs[n]
        if entering:
            if stop[0] != 0 or (most and tried[0] >= limit):
                return STOPPED
            tried[0] += 1
            entering = False
            for k in range(counts[n]):
                for m in range(k):
                    first, second = ternary[nodes[n, k]], ternary[nodes[n, m]]
                    free = not (apart[n, first + second] or apart[n, first - second + ones])
                    graph[nodes[n, k], nodes[n, m]] = free
                    graph[nodes[n, m], nodes[n, k]] = free
            counts[n] = _core(graph, nodes[n], counts[n], lacking - 1)
            nexts[n] = 0
        if counts[n] - nexts[n] < lacking:
            n -= 1
            continue
        column = nodes[n, nexts[n]]
        nexts[n] += 1
        further = 0
        for k in range(nexts[n], counts[n]):
            nodes[n + 1, further] = nodes[n, k]
            further += graph[column, nodes[n, k]]
        chosen[n] = column
        if lacking == 2:
            if further > 0:
                chosen[n + 1] = nodes[n + 1, 0]
                return FOUND
            continue
        counts[n + 1] = _core(graph, nodes[n + 1], further, lacking - 2)
        if counts[n + 1] >= lacking - 1:
            apart[n + 1] = apart[n]
            sizes[n + 1] = _add(column, guesses, sums, sizes[n], excluded, apart[n + 1])
            n += 1
            entering = True
    return REFUTED
