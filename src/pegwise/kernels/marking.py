"""Marks from bit signatures of codes, and how well guesses split candidates by their marks.

A code of `pegs` colors has two signatures of pegs x colors bits, in 64-bit words:

- *places*: bit `color * pegs + peg` is set where that peg has that color. Two codes share as many
  bits as the guess has blacks.
- *counts*: bit `color * pegs + k` is set where the code has more than k pegs of that color. Two
  codes share as many bits as they have colors in common, places aside: black + white.

An empty hole sets no bit. The kernels look the number of a mark up in `mark_ids`, uint8 (pegs + 1,
pegs + 1), by black and by black + white.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, U64, Bools
from pegwise.kernels.jit import Int, inlined, kernel, popcount, subkernel


class Signatures(NamedTuple):
    """Bit signatures of n codes."""

    places: U64  # (n, words)
    counts: U64  # (n, words)


def signatures(codes: U8, colors: int) -> Signatures:
    """The signatures of codes, uint8 (n, pegs); values from `colors` on are empty holes."""
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


@inlined
def signature_mark(
    guesses: Signatures, guess: Int, secrets: Signatures, secret: Int, mark_ids: U8
) -> Int:
    """Number of the mark of a guess against a secret."""
    black = np.int64(0)
    common = np.int64(0)
    for word in range(secrets.places.shape[1]):
        black += popcount(guesses.places[guess, word] & secrets.places[secret, word])
        common += popcount(guesses.counts[guess, word] & secrets.counts[secret, word])
    return np.int64(mark_ids[black, common])


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
    """Write the marks of a guess against chosen secrets, int32 (m), to `out`, uint8 (m).

    Signatures are arrays of their own, of the guess uint64 (words): Python often calls this for
    few secrets, and takes longer to hand on a named tuple.
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
def mark_table(guesses: Signatures, secrets: Signatures, mark_ids: U8, out: U8) -> None:
    """Write the marks of all guesses against all secrets: `out` is uint8 (guesses, secrets)."""
    guess_places, guess_counts = guesses
    places, counts = secrets
    everyone = np.arange(len(places)).astype(np.int32)
    for guess in range(len(guess_places)):
        mark_many(
            guess_places[guess], guess_counts[guess], places, counts, everyone, mark_ids, out[guess]
        )


@kernel
def mark_rows(guesses: U8, secrets: U8, mark_ids: U8, out: U8) -> None:
    """Write the mark of each guess against the secret of the same row, all uint8 (n, pegs).

    Colors are below 32; an empty hole is a color that no secret has.
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


# How well guesses split some candidates.


@inlined
def _score(sizes: I64, worth: I64, additive: bool) -> Int:
    """The worth of the parts of these sizes, added up, or the largest of them."""
    score: Int = np.int64(0)
    first = True
    for size in sizes:
        if size > 0:
            if additive:
                score += worth[size]
            elif first or worth[size] > score:
                score = worth[size]
            first = False
    return score


@kernel
def score_codes(
    guesses: Signatures,
    candidates: Signatures,
    mark_ids: U8,
    n_marks: int,
    worth: I64,
    additive: bool,
    out: I64,
) -> None:
    """Write the score of each guess: the worth of its parts, added up, or the largest of them.

    `worth` is int64 (n + 1 or more), of a part by its size; less is better.
    """
    sizes = np.zeros(n_marks, np.int64)
    for guess in range(len(guesses.places)):
        sizes[:] = 0
        for candidate in range(len(candidates.places)):
            sizes[signature_mark(guesses, guess, candidates, candidate, mark_ids)] += 1
        out[guess] = _score(sizes, worth, additive)


@subkernel
def splitter(secrets: I32, signatures: Signatures, mark_ids: U8, seen: U64) -> Int:
    """Place of the first secret that gets a different mark from each of them, -1 for none.

    No guess does better. `seen` is uint64 (4), scratch.
    """
    for i in range(len(secrets)):
        seen[:] = 0
        split = True
        for secret in secrets:
            mark = signature_mark(signatures, secrets[i], signatures, secret, mark_ids)
            bit = np.uint64(1) << np.uint64(mark & 63)
            if seen[mark >> 6] & bit:
                split = False
                break
            seen[mark >> 6] |= bit
        if split:
            return i
    return -1


# Forget's decoder: the most discriminating row of a table of marks, and whole subtrees.


@kernel
def best_row(
    table: U8, candidates: I32, first_extra: int, n_marks: int, worth: I64, minimax: bool
) -> int:
    """The row that splits the candidates best; among equals, the first in the order weighed.

    Weighed are the candidates, rows in order, then the rows from `first_extra` on. The table holds
    marks by number, uint8 (rows, first_extra); row k < first_extra is candidate k. `worth`, int64
    (n + 1 or more), is n log2 n by n, scaled to whole numbers. `minimax` puts the smallest largest
    part first and the most information second; else the reverse.
    """
    n = len(candidates)
    sizes = np.zeros(n_marks, np.int64)
    best = -1
    best_first = np.int64(0)
    best_second = np.int64(0)
    for k in range(n + len(table) - first_extra):
        row = int(candidates[k]) if k < n else first_extra + k - n
        sizes[:] = 0
        for candidate in candidates:
            sizes[table[row, candidate]] += 1
        largest = np.int64(0)
        uncertain = np.int64(0)  # the entropy is log2 n less its mean
        for size in sizes:
            largest = max(largest, size)
            uncertain += worth[size]
        if k < n and largest == 1:
            return row  # every part is one candidate: no other row is better
        first, second = (largest, uncertain) if minimax else (uncertain, largest)
        if best < 0 or first < best_first or (first == best_first and second < best_second):
            best, best_first, best_second = row, first, second
    return best


def grow_table(
    table: U8, first_extra: int, n_marks: int, worth: I64, minimax: Bools
) -> tuple[I32, I32, U8, Bools]:
    """Play every candidate of a table out; all as for `best_row`, and the last mark wins.

    `minimax`, bool (levels), tells the leading criterion of each guess; the last one stays. Rows,
    parents, marks and wins of all nodes are returned, as in `strategies.Nodes`.
    """
    # a guess that cannot win is played only where it splits: fewer of them than candidates
    most = 2 * first_extra
    rows = np.empty(most, np.int32)
    parents = np.empty(most, np.int32)
    marks = np.empty(most, np.uint8)
    wins = np.zeros(most, np.bool_)
    nodes = _grow(table, first_extra, n_marks, worth, minimax, rows, parents, marks, wins)
    return rows[:nodes], parents[:nodes], marks[:nodes], wins[:nodes]


@kernel
def _grow(
    table: U8,
    first_extra: int,
    n_marks: int,
    worth: I64,
    minimax: Bools,
    rows: I32,
    parents: I32,
    marks: U8,
    wins: Bools,
) -> int:
    """Write what `grow_table` returns; the number of nodes is returned."""
    winning = n_marks - 1
    most = len(rows)
    starts = np.empty(most, np.int64)
    sizes = np.empty(most, np.int64)
    # the candidates of the open nodes, node by node, of this level and of the next
    level = np.arange(first_extra).astype(np.int32)
    following = np.empty(first_extra, np.int32)
    counts = np.empty(n_marks, np.int64)
    parents[0], marks[0], starts[0], sizes[0] = -1, 0, 0, first_extra
    first, last, depth = 0, 1, 0
    nodes = 1
    while first < last:
        place = 0
        leads = minimax[min(depth, len(minimax) - 1)]
        for node in range(first, last):
            candidates = level[starts[node] : starts[node] + sizes[node]]
            row = best_row(table, candidates, first_extra, n_marks, worth, leads)
            rows[node] = row
            counts[:] = 0
            for candidate in candidates:
                counts[table[row, candidate]] += 1
            wins[node] = counts[winning] > 0
            for mark in range(winning):
                size = counts[mark]
                counts[mark] = place  # from now on, where the next candidate of this part goes
                if size > 0:
                    parents[nodes], marks[nodes] = node, mark
                    starts[nodes], sizes[nodes] = place, size
                    nodes += 1
                    place += size
            for candidate in candidates:
                mark = table[row, candidate]
                if mark != winning:
                    following[counts[mark]] = candidate
                    counts[mark] += 1
        level, following = following, level
        first, last, depth = last, nodes, depth + 1
    return nodes
