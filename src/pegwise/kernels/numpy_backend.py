"""The results of kernels in plain NumPy, for small games: from a table of marks."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I8, I32, I64, U8, Bools, MarkNumbers, countable, mark_numbers
from pegwise.kernels.cache import count_marks

_CELLS = 1 << 20
"""Marks that are counted at a time: what they need fits in a cache."""


def mark_table(guesses: U8, secrets: U8, colors: int, mark_ids: U8) -> U8:
    """The marks of all guesses against all secrets, uint8 (g, n), from uint8 (..., pegs).

    Values from `colors` on are empty holes of a guess. `mark_ids` are by black and black + white.
    """
    table = np.empty((len(guesses), len(secrets)), np.uint8)
    named = np.arange(colors, dtype=np.uint8)
    own = (guesses[:, :, None] == named).sum(axis=1, dtype=np.uint8)
    counts = np.ascontiguousarray((secrets[:, :, None] == named).sum(axis=1, dtype=np.uint8).T)
    places = np.ascontiguousarray(secrets.T)
    count_marks(table.size)
    step = max(1, _CELLS // max(1, len(secrets)))
    for start in range(0, len(guesses), step):
        block = slice(start, start + step)
        index = np.zeros(table[block].shape, np.uint16)
        for peg, place in enumerate(places):
            index += guesses[block, peg, None] == place
        index *= len(mark_ids)
        for color, count in enumerate(counts):
            index += np.minimum(own[block, color, None], count)
        table[block] = mark_ids.ravel()[index]
    return table


_FEW = 4
"""Candidates so many times fewer than the marks are sorted by mark, and not counted by mark."""

Comparison = Sequence[tuple[I64, bool]]
"""How guesses are compared, first of all and where they tie.

Each time int64, worth of a part by its size, or by its weight if secrets have weights (less is
better), and whether worths are added up; else the largest counts.
"""


def _part_sizes(
    rows: MarkNumbers, offset: I64, n_marks: int, n_sets: int = 1, weights: I64 | None = None
) -> I64:
    """How often each row has each mark in each set: int64 (g, sets, n_marks).

    `offset`, int64 (n), is the number of the set of each column, times the number of marks;
    `weights`, int64 (n), tell how often each column counts.
    """
    bins = n_sets * n_marks
    cells = rows + countable(np.arange(len(rows))[:, None] * bins + offset)
    every = None if weights is None else np.tile(weights, len(rows))
    # sums of weights are whole numbers, which a double holds exactly
    sizes = np.bincount(cells.ravel(), every, len(rows) * bins).astype(np.int64, copy=False)
    return sizes.reshape(-1, n_sets, n_marks)


def _score(sizes: I64, worth: I64, additive: bool) -> I64:
    """The worth of parts, added up or the largest of them: int64 (...), sizes int64 (..., marks).

    An empty part is worth 0, and no part is worth less where the largest counts.
    """
    worths = worth[sizes]
    total: I64 = worths.sum(axis=-1) if additive else worths.max(axis=-1)
    return total


def scores(
    table: MarkNumbers,
    candidates: I32,
    n_marks: int,
    worth: I64,
    additive: bool,
    weights: I64 | None = None,
) -> I64:
    """The score of every row of a table on some of its columns, by their weights: int64 (rows)."""
    out = np.empty(len(table), np.int64)
    offset = np.zeros(len(candidates), np.int64)
    few = weights is None and _FEW * len(candidates) <= n_marks
    step = max(1, _CELLS // max(len(candidates), 1 if few else n_marks))
    for start in range(0, len(table), step):
        rows = table[start : start + step, candidates]
        if few:
            out[start : start + step] = _score_of_few(rows, worth, additive)
            continue
        sizes = _part_sizes(rows, offset, n_marks, weights=weights)[:, 0]
        out[start : start + step] = _score(sizes, worth, additive)
    count_marks(len(table) * len(candidates))
    return out


def _score_of_few(rows: MarkNumbers, worth: I64, additive: bool) -> I64:
    """The score of each row of marks, (g, n), where most marks do not occur: int64 (g)."""
    g, n = rows.shape
    ordered = np.sort(rows, axis=1)
    starts = np.ones((g, n + 1), np.bool_)  # where a part starts; the last column ends the row
    starts[:, 1:-1] = ordered[:, 1:] != ordered[:, :-1]
    (places,) = np.nonzero(starts.ravel())
    sizes = np.diff(places, append=places[-1] + 1)
    worths = np.where(places % (n + 1) == n, 0, worth[sizes])
    rows_at = np.searchsorted(places, np.arange(g) * (n + 1))
    total: I64 = (np.add if additive else np.maximum).reduceat(worths, rows_at)
    return total


class Sets(NamedTuple):
    """Sets of candidates, each of which gets a guess."""

    secrets: Any  # (n, ...), the candidates by number or code, set by set, ascending in each
    start: I64  # (sets + 1), where each set begins, and n


class MarkTable(NamedTuple):
    """A game as its marks."""

    marks: MarkNumbers  # (guesses, secrets), marks by number
    guess_of_secret: I32  # (secrets), the row that wins
    n_marks: int
    winning: int  # number of the winning mark
    outsiders: Bools  # (guesses), which may be played though they are no candidate
    weights: I64 | None = None  # (secrets), how often each is hidden; None when all are alike
    rank: I64 | None = None  # (guesses), the least is played where scores tie; None: see `choose`
    questions: int = 0  # if not 0, only the first guesses are played until one candidate is left


def choose(table: MarkTable, candidates: I32, comparison: Comparison) -> int:
    """The guess of least score; ties by second score, then a candidate, then the lowest number.

    Where guesses have a rank, ties go by it alone. The candidates, int32 (n), are ascending; n is
    at least 1.
    """
    sets = Sets(candidates, np.array([0, len(candidates)]))
    return int(_choices(table, sets, comparison)[0])


def grow(
    table: MarkTable,
    candidates: I32,
    comparison: Callable[[int], Comparison],
    opening: int | None = None,
) -> tuple[I32, I32, MarkNumbers, Bools]:
    """Play from a set of candidates, as for `choose`, on until each is found.

    `comparison` tells how the guesses of each level are compared, from level 0; the first guess is
    the opening, by number, if there is one. Guesses, parents, marks and wins of all nodes are
    returned, as in `strategies.Nodes`.
    """

    def play(level: int, sets: Sets, _above: I64, _led: I64) -> tuple[I32, MarkNumbers]:
        if opening is not None and level == 0:
            guess = np.array([opening], np.int32)
        else:
            guess = _choices(table, sets, comparison(level))
        marks: MarkNumbers = table.marks[
            np.repeat(guess, countable(np.diff(sets.start))), sets.secrets
        ]
        return guess, marks

    return grow_by_level(candidates, table.n_marks, table.winning, play)


def grow_by_level(
    secrets: I32 | U8,
    n_marks: int,
    winning: int,
    play: Callable[[int, Sets, I64, I64], tuple[I32, MarkNumbers]],
) -> tuple[I32, I32, MarkNumbers, Bools]:
    """Play on until each secret is found, all nodes of a level at once; nodes as in `grow`.

    Secrets are (n, ...), by number or code. `play` gets a level, from 0, and its sets; and of each
    set, int64, its place in the level before and the mark that led to it. It gives the guess of
    each set and the mark of each secret.
    """
    levels: list[tuple[I32, I64, I64, Bools]] = []
    sets = Sets(secrets, np.array([0, len(secrets)]))
    above, led = np.full(1, -1, np.int64), np.zeros(1, np.int64)
    before = nodes = 0
    while len(sets.secrets):
        guess, marks = play(len(levels), sets, above, led)
        node = np.repeat(np.arange(len(guess)), countable(np.diff(sets.start)))
        won = marks == winning
        wins = np.zeros(len(guess), np.bool_)
        wins[node[won]] = True
        levels.append((guess, before + above, led, wins))
        before, nodes = nodes, nodes + len(guess)
        # what is still open, by node and mark
        key = (node * n_marks + marks)[~won]
        order = np.argsort(key, kind="stable")
        key = key[order]
        (first,) = np.nonzero(np.diff(key, prepend=-1))
        above, led = np.divmod(key[first], n_marks)
        sets = Sets(sets.secrets[~won][order], np.append(first, len(key)))
    guesses, parents, mark, wins = map(np.concatenate, zip(*levels, strict=True))
    return guesses, parents.astype(np.int32), mark_numbers(mark, n_marks), wins


def _choices(table: MarkTable, sets: Sets, comparison: Comparison) -> I32:
    """The guess of each set: int32 (sets)."""
    sizes = np.diff(sets.start)
    rows = table.guess_of_secret[sets.secrets]
    guess = np.full(len(sizes), -1, np.int32)
    # a candidate that tells all others apart is best by every criterion; a weight of 0 makes ties
    ordered = table.weights is None and table.rank is None and not table.questions
    few = sizes[sizes <= (table.n_marks if ordered else 1)]
    for size in np.flatnonzero(np.bincount(countable(few))).tolist():
        (which,) = np.nonzero(sizes == size)
        columns = sets.start[which, None] + np.arange(size)
        guess[which] = _telling_apart(table, rows[columns], sets.secrets[columns])
    (open_sets,) = np.nonzero(guess < 0)
    small = sizes[open_sets] <= _few(table)
    batches = _batches(open_sets[small], sizes), _batches(open_sets[~small], sizes)
    for which in itertools.chain(*batches):
        columns = np.concatenate([np.arange(*sets.start[k : k + 2]) for k in which.tolist()])
        guess[which] = _best(table, sets.secrets[columns], rows[columns], sizes[which], comparison)
    return guess


def _telling_apart(table: MarkTable, rows: I32, secrets: I32) -> I32:
    """The lowest row that tells all candidates of its set apart, or -1: int32 (sets).

    Sets are int32 (sets, n): the candidates, and their rows.
    """
    size = secrets.shape[1]
    if size <= 2:
        return np.asarray(rows.min(axis=1), np.int32)
    marks = np.sort(table.marks[rows[:, :, None], secrets[:, None, :]], axis=2)
    count_marks(marks.size)
    apart = (marks[:, :, 1:] != marks[:, :, :-1]).all(axis=2)
    none = np.iinfo(np.int32).max
    lowest = np.where(apart, rows, none).min(axis=1)
    return np.where(lowest == none, -1, lowest).astype(np.int32)


def _batches(which: I64, sizes: I64) -> Iterator[I64]:
    """The sets in groups of at most 64, and of few candidates where there are several."""
    start = 0
    while start < len(which):
        together = np.searchsorted(np.cumsum(sizes[which[start : start + 64]]), 512, "right")
        yield which[start : start + max(1, int(together))]
        start += max(1, int(together))


def _best(table: MarkTable, secrets: I32, own: I32, sizes: I64, comparison: Comparison) -> I32:
    """The best guess of each set, int32 (sets), from candidates set by set and their rows `own`."""
    node = np.repeat(np.arange(len(sizes)), countable(sizes))
    if table.questions:
        rows, place = np.arange(table.questions), own[:0]  # no candidate is named
    elif table.outsiders.all():
        rows = np.arange(len(table.marks))
        place = own
    else:
        eligible = table.outsiders.copy()
        eligible[own] = True
        rows = np.flatnonzero(eligible)
        place = np.searchsorted(rows, own).astype(np.int32)
    possible = np.zeros((len(rows), len(sizes)), np.bool_)
    possible[place, node[: len(place)]] = True
    tied = possible | table.outsiders[rows, None]
    for score in _scores(table, rows, secrets, node, len(sizes), comparison):
        score[~tied] = np.iinfo(np.int64).max
        tied = score == score.min(axis=0)
    if table.rank is not None:
        worst = np.iinfo(np.int64).max
        best = np.where(tied, table.rank[rows, None], worst).argmin(axis=0)
        return np.asarray(rows[best], np.int32)
    winners = tied & possible
    best = np.where(winners.any(axis=0), winners.argmax(axis=0), tied.argmax(axis=0))
    return np.asarray(rows[best], np.int32)


def _scores(
    table: MarkTable, rows: I64, secrets: I32, node: I64, n_sets: int, comparison: Comparison
) -> I64:
    """Scores of some rows on each set: int64 (criteria, rows, sets)."""
    offset = node * table.n_marks
    out = np.empty((len(comparison), len(rows), n_sets), np.int64)
    weights = None if table.weights is None else table.weights[secrets]
    own = np.split(np.arange(len(node)), np.flatnonzero(np.diff(node)) + 1)
    few = max(map(len, own)) <= _few(table)
    cells = len(secrets) // 8 if few else max(len(secrets), n_sets * table.n_marks)
    step = max(1, _CELLS // max(1, cells))
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        if len(rows) == len(table.marks):
            marks = table.marks[block].take(secrets, axis=1)
        else:
            marks = table.marks[rows[block, None], secrets]
        if few:
            columns = mark_numbers(np.ascontiguousarray(marks.T), table.n_marks)
            for number, places in enumerate(own):
                before = _before(columns[places[0] : places[-1] + 1])
                for score, criterion in zip(out, comparison, strict=True):
                    score[block, number] = _score_few(before, *criterion)
        else:
            sizes = _part_sizes(marks, offset, table.n_marks, n_sets, weights)
            for score, criterion in zip(out, comparison, strict=True):
                score[block] = _score(sizes, *criterion)
    count_marks(len(rows) * len(secrets))
    return out


def _few(table: MarkTable) -> int:
    """The largest sets for which comparing candidates takes less time than counting all marks."""
    return min(table.n_marks // 4, 64) if table.n_marks > 64 and table.weights is None else 0


def _before(columns: MarkNumbers) -> U8:
    """How many of the candidates before each one have its mark; (n, g) marks, n below 256."""
    before = np.zeros(columns.shape, np.uint8)
    for at in range(1, len(columns)):
        np.sum(columns[:at] == columns[at], axis=0, dtype=np.uint8, out=before[at])
    return before


def _score_few(before: U8, worth: I64, additive: bool) -> I64:
    """int64 (g): scores of guesses, from what each candidate adds to its part."""
    if not additive:
        return np.asarray(worth[1:][before.max(axis=0)], np.int64)
    return np.asarray(np.diff(worth)[before].sum(axis=0), np.int64)


# Classes of guesses that color and position symmetry make equal (see `kernels.symmetry`).

MAX_RENAMINGS: Final = 50_000
"""Renamings of played colors beyond this number are not tried: 8 different colors have 8!."""

Block = tuple[int, ...]
"""The colors of a peg in every guess played."""


class Symmetries(NamedTuple):
    """The permutations of pegs and colors that leave the guesses played as they are.

    A renaming has a new name for every color, -1 for one never played; the hole, last, is itself.
    """

    block_of: I8  # (pegs), number of the block of each peg; a block's pegs may be exchanged
    free: I8  # the colors never played, ascending; they may be exchanged
    renamings: I8  # (g, colors + 1), the identity first
    sources: I8  # (g, blocks), for every block the one whose pegs go to it


def symmetries(played: U8, colors: int) -> Symmetries:
    """The symmetries after some guesses, uint8 (k, pegs), k from 0."""
    columns: list[Block] = [
        tuple(column) for column in np.minimum(played, colors).T.astype(int).tolist()
    ]
    blocks = list(dict.fromkeys(columns))
    every = _extend(blocks, Counter(columns), [], {colors: colors})
    # few colors moved first: they tell most codes from the first of their class
    ordered = sorted(
        itertools.islice(every, MAX_RENAMINGS),
        key=lambda pair: sum(old != new for old, new in pair[0].items()),
    )
    renamings = np.full((len(ordered), colors + 1), -1, np.int8)
    sources = np.empty((len(ordered), len(blocks)), np.int8)
    for row, (names, targets) in enumerate(ordered):
        renamings[row, list(names)] = list(names.values())
        sources[row, targets] = range(len(blocks))
    return Symmetries(
        np.array([blocks.index(column) for column in columns], np.int8),
        np.setdiff1d(np.arange(colors), played).astype(np.int8),
        renamings,
        sources,
    )


def _extend(
    blocks: list[Block], sizes: Counter[Block], targets: list[int], names: dict[int, int]
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Send the next block to every free one that agrees with the names given so far."""
    if len(targets) == len(blocks):
        yield names, targets
        return
    block = blocks[len(targets)]
    for number, target in enumerate(blocks):
        if number in targets or sizes[target] != sizes[block]:
            continue
        longer = dict(names)
        # as blocks go to different blocks, colors get different names
        if all(longer.setdefault(old, new) == new for old, new in zip(block, target, strict=True)):
            yield from _extend(blocks, sizes, [*targets, number], longer)


def first_of_classes(codes: U8, colors: int, played: U8) -> Bools:
    """Mark the numerically first code of each class, as `symmetry.representatives`: bool (n).

    Classes are joined along generators of the group of symmetries.
    """
    group = symmetries(played, colors)
    weights = (colors + 1) ** np.arange(codes.shape[1], dtype=np.int64)[::-1]
    plain = np.minimum(codes, colors)
    keys = plain @ weights
    images = [np.searchsorted(keys, image @ weights) for image in _images(plain, group)]
    first = np.arange(len(codes))
    while True:
        joined = first
        for image in images:
            joined = np.minimum(joined, joined[image])
        joined = joined[joined]
        if (joined == first).all():
            return np.equal(first, np.arange(len(codes)))
        first = joined


def _images(codes: U8, group: Symmetries) -> Iterator[npt.NDArray[Any]]:
    """The codes under exchanges of two pegs, of two free colors, and under all renamings."""
    pegs = np.arange(codes.shape[1])
    own = np.arange(group.renamings.shape[1])
    members = [pegs[group.block_of == block] for block in range(group.sources.shape[1])]
    for block in members:
        for first, second in itertools.pairwise(block.tolist()):
            order = pegs.copy()
            order[[first, second]] = second, first
            yield codes[:, order]
    for first, second in itertools.pairwise(group.free.tolist()):
        names = own.copy()
        names[[first, second]] = second, first
        yield names[codes]
    for renaming, source in zip(group.renamings, group.sources, strict=True):
        order = pegs.copy()
        for block, origin in enumerate(source.tolist()):
            order[members[block]] = members[origin]
        names = np.where(renaming < 0, own, renaming)
        yield names[codes[:, order]]
