"""Guesses weighed by the lower bounds of their parts, and kept in a heap, the best first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.kernels.exact_bounds import weighted_least
from pegwise.kernels.exact_evaluate import salt
from pegwise.kernels.exact_table import Int
from pegwise.kernels.jit import bare, inlined

__all__ = ["drop_first", "hint_of", "keep_hint", "weigh", "weigh_weighted"]

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]


@inlined
def hint_of(hint_keys: U64, hints: I64, raw1: np.uint64, raw2: np.uint64) -> Int:
    """A lower bound kept for a part, 0 for none."""
    slot = np.int64(raw1 & np.uint64(len(hints) - 1))
    found = hint_keys[slot, 0] == raw1 and hint_keys[slot, 1] == raw2
    return hints[slot] if found else np.int64(0)


@inlined
def keep_hint(hint_keys: U64, hints: I64, raw1: np.uint64, raw2: np.uint64, cost: Int) -> None:
    """Keep a lower bound for a part, over whatever stood there."""
    slot = np.int64(raw1 & np.uint64(len(hints) - 1))
    hint_keys[slot, 0] = raw1
    hint_keys[slot, 1] = raw2
    hints[slot] = cost


@bare
def weigh(
    frame: Any,
    group: I64,
    least: Int,
    by_guess: Any,
    winning: Int,
    codes: I64,
    table: I64,
    terms: U64,
    sizes: I64,
    hashes: U64,
    hint_keys: U64,
    hints: I64,
    heap: I64,
) -> None:
    """Put the guesses of a group on the heap, but for those whose parts cost too much.

    Args:
        frame: FRAME.
        group: int64, the guesses.
        least: a lower bound on their costs.
        by_guess: (guesses, secrets), marks.
        winning: the winning mark.
        codes: int64 (n), the candidates.
        table: int64, lower bounds of parts by size.
        terms: uint64 (n, 2), terms of keys.
        sizes: int64 (marks), working space.
        hashes: uint64 (marks, 2), likewise.
        hint_keys: see `Work`.
        hints: likewise.
        heap: int64 (guesses, 4).
    """
    n = len(codes)
    extra = salt(frame.left - 1)
    best, capacity, floor, pending = frame.best, frame.capacity, frame.floor, frame.pending
    for guess in group:
        row = by_guess[guess]
        sizes[:] = 0
        for code in codes:
            sizes[row[code]] += 1
        is_candidate = sizes[winning]
        sizes[winning] = 0
        bound = np.int64(n)
        squares = np.int64(0)
        largest = np.int64(0)
        for size in sizes:
            bound += table[size]
            squares += size * size
            largest = max(largest, size)
        if largest > capacity or largest == n:
            continue
        bound = max(bound, least)
        if bound >= best:
            floor = min(floor, bound)
            continue
        for mark in range(len(sizes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = 0
        for i in range(n):
            mark = row[codes[i]]
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        better = bound
        for mark in range(len(sizes)):
            if sizes[mark] > 2:
                hint = hint_of(hint_keys, hints, hashes[mark, 0], hashes[mark, 1])
                better += max(hint - table[sizes[mark]], np.int64(0))
        if better >= best:
            floor = min(floor, better)
            continue
        _push(heap, pending, bound, squares * 2 - is_candidate, guess, better)
        pending += 1
    frame.floor = floor
    frame.pending = pending


@bare
def weigh_weighted(
    frame: Any,
    group: I64,
    least: Int,
    by_guess: Any,
    winning: Int,
    codes: I64,
    weights: I64,
    total: Int,
    terms: U64,
    histogram: I64,
    hashes: U64,
    hint_keys: U64,
    hints: I64,
    heap: I64,
) -> None:
    """The same with weights.

    Args:
        frame: FRAME.
        group: int64, the guesses.
        least: a lower bound on their costs.
        by_guess: (guesses, secrets), marks.
        winning: the winning mark.
        codes: int64 (n), the candidates.
        weights: int64 (n), their weights.
        total: sum of the weights.
        terms: uint64 (n, 2), terms of keys.
        histogram: int64 (marks, 3), working space: size, weight, heaviest weight.
        hashes: uint64 (marks, 2), working space.
        hint_keys: see `Work`.
        hints: likewise.
        heap: int64 (guesses, 4).
    """
    n = len(codes)
    extra = salt(frame.left - 1)
    lightest, most = frame.lightest, frame.most
    for guess in group:
        row = by_guess[guess]
        histogram[:] = 0
        for mark in range(len(hashes)):
            hashes[mark, 0] = extra
            hashes[mark, 1] = 0
        for i in range(n):
            mark = row[codes[i]]
            part = histogram[mark]
            part[0] += 1
            part[1] += weights[i]
            part[2] = max(part[2], weights[i])
            hashes[mark, 0] += terms[i, 0]
            hashes[mark, 1] += terms[i, 1]
        is_candidate = histogram[winning, 0]
        histogram[winning, 0] = 0
        bound = total
        better = total
        squares = np.int64(0)
        largest = np.int64(0)
        for mark in range(len(hashes)):
            size = histogram[mark, 0]
            if size:
                cost = weighted_least(histogram[mark, 1], size, histogram[mark, 2], lightest, most)
                hint = hint_of(hint_keys, hints, hashes[mark, 0], hashes[mark, 1])
                bound += cost
                better += max(cost, hint)
                squares += size * size
                largest = max(largest, size)
        if largest > frame.capacity or largest == n:
            continue
        bound = max(bound, least)
        better = max(better, bound)
        if better >= frame.best:
            frame.floor = min(frame.floor, better)
            continue
        _push(heap, frame.pending, bound, squares * 2 - is_candidate, guess, better)
        frame.pending += 1


@bare
def _before(heap: I64, a: Int, b: Int) -> bool:
    for key in range(3):
        if heap[a, key] != heap[b, key]:
            return bool(heap[a, key] < heap[b, key])
    return False


@bare
def _swap(heap: I64, a: Int, b: Int) -> None:
    for key in range(4):
        heap[a, key], heap[b, key] = heap[b, key], heap[a, key]


@bare
def _push(heap: I64, count: Int, bound: Int, order: Int, guess: Int, better: Int) -> None:
    heap[count, 0] = bound
    heap[count, 1] = order
    heap[count, 2] = guess
    heap[count, 3] = better
    child = count
    while child > 0 and _before(heap, child, (child - 1) >> 1):
        _swap(heap, child, (child - 1) >> 1)
        child = (child - 1) >> 1


@bare
def drop_first(heap: I64, last: Int) -> None:
    """Take the first entry away; `last` is where the last one stands."""
    _swap(heap, 0, last)
    parent = 0
    while 2 * parent + 1 < last:
        child = 2 * parent + 1
        if child + 1 < last and _before(heap, child + 1, child):
            child += 1
        if not _before(heap, child, parent):
            break
        _swap(heap, child, parent)
        parent = child
