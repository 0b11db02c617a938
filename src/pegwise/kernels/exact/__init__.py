"""What the exact search knows of a game, and the arrays that it works in.

Codes are renumbered for the search: by largest color, then in numeric order, holes lowest. So the
guesses that are worth trying against a set in canonical form, whose colors come first, stand at
the front.
"""

from __future__ import annotations

import itertools
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from pegwise.arrays import I16, I32, I64, U16, U64, Bools, MarkNumbers
from pegwise.kernels.exact.sets import Masks, Renaming, new_masks, new_renaming
from pegwise.kernels.jit import Int, bare, by_address, part

Records: TypeAlias = Any  # structured arrays, whose fields type checkers do not know

HISTORY: Final = 31
"""Symmetries that keep the history are used down to this depth."""

_HINTS: Final = 1 << 16

FRAME: Final = np.dtype(
    [
        ("phase", np.int64),  # what is done next here
        ("offset", np.int64),  # where the candidates stand
        ("size", np.int64),  # how many
        ("present", np.int64),  # number of colors that come in them
        ("budget", np.int64),  # guesses left
        ("turn", np.int64),  # the column of `steps` of the next guess
        ("after", np.int64),  # likewise of the guess after it
        ("own", np.int64),  # what the next guess costs
        ("bound", np.int64),  # only a smaller cost matters
        ("best", np.int64),  # smallest cost so far, `bound` at first
        ("guess", np.int64),  # guess of that cost, -1 at first
        ("floor", np.int64),  # smallest lower bound of the guesses given up
        ("row", np.int64),  # row of bounds
        ("most", np.int64),  # most parts of any guess
        ("next_inside", np.int64),  # candidates with so many parts are looked at next
        ("next_any", np.int64),  # other guesses, likewise
        ("pending", np.int64),  # guesses in the heap
        ("tried", np.int64),  # guesses searched
        ("trying", np.int64),  # the guess being searched
        ("total", np.int64),  # its cost from below
        ("parts", np.int64),  # its parts but for the winning one
        ("part", np.int64),  # the part being searched
        ("symmetries", np.int64),  # of the history; 0 when not used
        ("capacity", np.int64),  # no part with more codes can be solved in time
        ("key1", np.uint64),
        ("key2", np.uint64),
    ]
)
"""A set being searched."""

PART: Final = np.dtype(
    [
        ("start", np.int64),
        ("size", np.int64),
        ("filled", np.int64),
        ("cost", np.int64),  # lower bound, or the cost when closed
        ("open", np.int64),
        ("present", np.int64),
        ("raw1", np.uint64),
        ("raw2", np.uint64),
        ("key1", np.uint64),
        ("key2", np.uint64),
    ]
)
"""A part of the candidates under the guess being searched."""


@by_address
class Symmetry(NamedTuple):
    """The codes of a board by their colors; all arrays are empty for other games."""

    secrets: I16  # (secrets, pegs), names of their colors
    guesses: I16  # (guesses, pegs), likewise; a hole is the number of names
    secret_at: I32  # ((colors + 1) ** pegs), number of a secret by its digits
    guess_at: I32  # likewise
    permutations: I64  # (permutations, pegs), the identity first
    colors: int
    # `colors`, or, where only black marks are given, as many for each peg, whose colors change
    # their names without those of the others
    names: int
    individualized: int  # most colors that a canonical form tells from those like them
    distinct: bool  # whether no guess repeats a color


@by_address
class Board(NamedTuple):
    """A game as the search reads it; it never changes.

    A secret that is not found before a guess adds a step to the cost. Weights multiply the steps,
    or are labels: the rows of `steps`. Only the whole set, at the bottom, is not put in canonical
    form: it has the symmetries of the board.
    """

    by_guess: MarkNumbers  # (guesses, secrets), marks
    by_secret: MarkNumbers  # (secrets, guesses), the same
    guess_of: I64  # (secrets), the guess that is a secret
    n_marks: int
    winning: int  # the winning mark
    usable: I64  # (colors + 2), guesses to try against a set with so many colors
    draws: U64  # (secrets, 2), numbers that keys are summed from
    # (labels, turns + 2), at least 1, by the first, second, ... guess; the last three columns,
    # which are equal, hold for all later guesses; one row, unless there are labels
    steps: I64
    order: I64  # (turns + 2, labels), labels by their steps, the largest first
    start: int  # the budget of the first guess of the game
    symmetry: Symmetry
    symmetric: bool  # whether sets are put in canonical form
    weighted: bool  # whether secrets have weights
    labeled: bool  # whether these are labels
    candidates_only: bool  # whether only candidates are played
    whole: bool  # whether the set at the bottom is that of all secrets
    # whether symmetries that keep the history are used: only from the whole set, and only with
    # weights that they keep
    use_history: bool
    first: int  # the first guess, -1 when it is free
    any_tree: bool  # whether the first tree that keeps the limit is enough
    width: int  # guesses searched for a large set, the most promising ones; 0 for all


@by_address
class Work(NamedTuple):
    """The arrays of one thread, `depths` frames deep."""

    frames: Records  # FRAME (depths), sets being searched
    parts: Records  # PART (depths, marks), by mark
    order: I64  # (depths, marks), marks of the parts, small parts first
    codes: I64  # (depths, secrets), candidates
    weights: I64  # (depths, secrets), their weights or labels; one column when there are none
    counts: U16  # (depths, guesses), number of parts; the highest bit marks candidates
    heap: I64  # (depths, guesses, 4), guesses by (bound, order, number), with a better bound
    terms: U64  # (depths, secrets, 2), terms of keys
    tally: I64  # (depths, labels), how many candidates have each label, when there are any
    tallies: I64  # (marks, labels), the same for the parts of a guess
    history: I64  # (HISTORY + 1, HISTORY + 1), guesses played, as the set names them
    present: I64  # (depths, pegs), colors of the candidates, where pegs have their own names
    renamed: I64  # (HISTORY + 1, marks, HISTORY + 1), the same for each part
    # (HISTORY + 1, permutations, names + 1), new color names of the symmetries that keep the
    # history, and the permutation
    groups: I16
    free: Bools  # (HISTORY + 1, names), names that the history has not played
    names: I64  # (names), working space
    group: I64  # (guesses), guesses that are weighed together
    sizes: I64  # (marks), sizes of parts
    hashes: U64  # (marks, 2), raw keys of parts
    costs: I64  # (marks), lower bounds of parts, when there are weights
    layer_counts: U16  # (guesses), number of parts of the heaviest candidates
    last_seen: I64  # (marks), working space
    masks: Masks
    hint_keys: U64  # (hints, 2), raw keys of parts
    hints: I64  # (hints), lower bounds of their costs
    renaming: Renaming  # working space of `canonize`
    claims: U64  # (threads, CLAIMS), keys of the large sets that threads are searching
    me: int  # the row of `claims` of this thread
    counters: I64  # (2), positions, and marks counted in parts of guesses
    depth: I64  # (1), the frame in work


def permutations(pegs: int, most: int = 7) -> I64:
    """int64 (n, pegs): permutations of the pegs that symmetries are made of, the identity first.

    With more pegs than `most` these are only exchanges of two pegs.
    """
    if pegs <= most:
        return np.array(list(itertools.permutations(range(pegs))), np.int64)
    rows = [list(range(pegs))]
    for first, second in itertools.combinations(range(pegs), 2):
        exchange = list(range(pegs))
        exchange[first], exchange[second] = second, first
        rows.append(exchange)
    return np.array(rows, np.int64)


def new_work(board: Board, depths: int, claims: U64, me: int) -> Work:
    """The arrays of one thread."""
    n_guesses, n_secrets = board.by_guess.shape
    marks = board.n_marks
    pegs = board.symmetry.permutations.shape[1]
    names = board.symmetry.names
    turns = HISTORY + 1 if board.symmetric else 1
    return Work(
        frames=np.zeros(depths, FRAME),
        parts=np.zeros((depths, marks), PART),
        order=np.zeros((depths, marks), np.int64),
        codes=np.zeros((depths, n_secrets), np.int64),
        weights=np.ones((depths, n_secrets if board.weighted else 1), np.int64),
        counts=np.zeros((depths, n_guesses), np.uint16),
        heap=np.zeros((depths, n_guesses, 4), np.int64),
        terms=np.zeros((depths, n_secrets, 2), np.uint64),
        tally=np.zeros((depths, len(board.steps)), np.int64),
        tallies=np.zeros((marks, len(board.steps)), np.int64),
        history=np.zeros((turns, turns), np.int64),
        present=np.zeros((depths, pegs), np.int64),
        renamed=np.zeros((turns, marks, turns), np.int64),
        groups=np.zeros((turns, len(board.symmetry.permutations), names + 1), np.int16),
        free=np.zeros((turns, names), np.bool_),
        names=np.zeros(max(names, 1), np.int64),
        group=np.zeros(n_guesses, np.int64),
        sizes=np.zeros(marks, np.int64),
        hashes=np.zeros((marks, 2), np.uint64),
        costs=np.zeros(marks, np.int64),
        layer_counts=np.zeros(n_guesses if board.weighted else 1, np.uint16),
        last_seen=np.zeros(marks, np.int64),
        masks=new_masks(marks, n_guesses),
        hint_keys=np.zeros((_HINTS, 2), np.uint64),
        hints=np.zeros(_HINTS, np.int64),
        renaming=new_renaming(pegs, board.symmetry.colors, names, board.symmetry.individualized),
        claims=claims,
        me=me,
        counters=np.zeros(2, np.int64),
        depth=np.zeros(1, np.int64),
    )


# Symmetries that keep the guesses played so far: one guess of each class needs to be tried.

_SMALL: Final = 16
"""Deeper sets with fewer codes are not worth the trouble."""


@part
def keep_history(board: Board, work: Work, d: Int) -> None:
    """Find the permutations of pegs, with renamings of colors, that keep the guesses played."""
    frame = work.frames[d]
    frame.symmetries = 0
    if not board.use_history or d > HISTORY or (d >= 2 and frame.size < _SMALL):
        return
    digits = board.symmetry.guesses
    colors = board.symmetry.names
    pegs = digits.shape[1]
    used, free = work.names, work.free[d]
    free[:] = True
    n_free = colors
    for turn in range(d):
        for peg in range(pegs):
            played = digits[work.history[d, turn], peg]
            if played < colors and free[played]:
                free[played] = False
                n_free -= 1
    count = 0
    for number in range(len(board.symmetry.permutations)):
        permutation = board.symmetry.permutations[number]
        name = work.groups[d, count]
        name[:] = -1
        used[:] = 0
        fits = True
        for turn in range(d):
            guess = work.history[d, turn]
            for peg in range(pegs):
                old = digits[guess, permutation[peg]]
                new = digits[guess, peg]
                if old == colors or new == colors:
                    fits = old == new
                elif name[old] < 0:
                    fits = used[new] == 0
                    name[old] = new
                    used[new] = 1
                else:
                    fits = name[old] == new
                if not fits:
                    break
            if not fits:
                break
        if fits:
            name[colors] = number
            count += 1
    # the identity alone tells nothing
    frame.symmetries = count if count > 1 or n_free > 1 else 0


@part
def is_first_of_class(board: Board, work: Work, d: Int, guess: Int) -> bool:
    """Whether no symmetry that keeps the history makes the guess smaller."""
    symmetry = board.symmetry
    digits = symmetry.guesses
    colors, names = symmetry.colors, symmetry.names
    free = work.free[d]
    extra = work.names
    for number in range(work.frames[d].symmetries):
        name = work.groups[d, number]
        permutation = symmetry.permutations[name[names]]
        extra[:] = -1
        next_free = 0
        place = np.int64(0)
        for peg in range(digits.shape[1]):
            first = peg * colors if names > colors else 0
            if next_free < first:
                next_free = first
            color: Int = np.int64(digits[guess, permutation[peg]])
            if color == names:
                color = colors
            else:
                new = name[color]
                if new < 0:
                    # colors never played take the first free names, in order
                    if extra[color] < 0:
                        while not free[next_free]:
                            next_free += 1
                        extra[color] = next_free
                        next_free += 1
                    new = extra[color]
                color = new - first
            if names > colors:
                color = min(color, work.present[d, peg])
            place = place * (colors + 1) + color
        if symmetry.guess_at[place] < guess:
            return False
    return True


@part
def count_present(board: Board, work: Work, d: Int) -> None:
    """Write how many colors the candidates have at each peg, where pegs have their own names."""
    frame, present = work.frames[d], work.present[d]
    present[:] = 0
    for i in range(frame.offset, frame.offset + frame.size):
        for peg in range(len(present)):
            digit = board.symmetry.secrets[work.codes[d, i], peg] - peg * board.symmetry.colors
            present[peg] = max(present[peg], digit + 1)


@part
def has_first_absent(board: Board, work: Work, d: Int, guess: Int) -> bool:
    """Whether no color comes at a peg but those of the candidates and the first absent one."""
    symmetry = board.symmetry
    for peg in range(symmetry.guesses.shape[1]):
        name = symmetry.guesses[guess, peg]
        digit = symmetry.colors if name == symmetry.names else name - peg * symmetry.colors
        if digit > work.present[d, peg]:
            return False
    return True


@part
def absent_in_order(board: Board, guess: Int, present: Int) -> bool:
    """Whether colors that no candidate has come in ascending order, each once."""
    digits = board.symmetry.guesses
    expected = present
    for peg in range(digits.shape[1]):
        color = digits[guess, peg]
        if present <= color < board.symmetry.colors:
            if color != expected:
                return False
            expected += 1
    return True


# The transposition table.

WAYS: Final = 4
"""Neighboring slots where an entry may stand."""

NOT_FOUND: Final = -1

_TIE_1: Final = np.uint64(0xD6E8FEB86659FD93)
_TIE_2: Final = np.uint64(0xA0761D6478BD642F)
_32: Final = np.uint64(32)
_1: Final = np.uint64(1)


def new_table(bits: Int) -> U64:
    """An empty table of 2**bits slots, 32 bytes each: uint64 (2**bits + WAYS - 1, 4)."""
    return np.zeros(((1 << bits) + WAYS - 1, 4), np.uint64)


@bare
def probe(table: U64, key1: np.uint64, key2: np.uint64) -> tuple[Int, bool, Int]:
    """What is known of a position.

    Returns:
        Its cost or a lower bound of it (`NOT_FOUND` when absent), whether that is the cost, and
        the best guess then.
    """
    start = np.int64(key1 & np.uint64(len(table) - WAYS))
    for slot in range(start, start + WAYS):
        data1 = table[slot, 2]
        data2 = table[slot, 3]
        if (
            table[slot, 0] ^ data1 ^ data2 * _TIE_1 == key1
            and table[slot, 1] ^ data2 ^ data1 * _TIE_2 == key2
            and data2 != np.uint64(0)
        ):
            return np.int64(data1 >> _1), data1 & _1 != np.uint64(0), np.int64(data2 >> _32) - 1
    return NOT_FOUND, False, -1


@bare
def store(
    table: U64, key1: np.uint64, key2: np.uint64, cost: Int, exact: bool, guess: Int, size: Int
) -> None:
    """Keep the cost of a position, or a lower bound of it, over an entry that says less.

    The guess is the best one of an exact cost, else -1. The size, at least 1, is the number of
    candidates: of several entries the smallest position goes.
    """
    start = np.int64(key1 & np.uint64(len(table) - WAYS))
    victim: Int = start
    smallest = np.int64(1) << 62
    for slot in range(start, start + WAYS):
        data1 = table[slot, 2]
        data2 = table[slot, 3]
        same1 = table[slot, 0] ^ data1 ^ data2 * _TIE_1 == key1
        same2 = table[slot, 1] ^ data2 ^ data1 * _TIE_2 == key2
        if same1 and same2 and data2 != np.uint64(0):
            if data1 & _1 != np.uint64(0) or (not exact and np.int64(data1 >> _1) >= cost):
                return
            victim = slot
            break
        entry_size = np.int64(data2 & np.uint64(0xFFFFFFFF))
        if entry_size < smallest:
            smallest = entry_size
            victim = slot
    data1 = np.uint64(cost) << _1 | np.uint64(exact)
    data2 = np.uint64(guess + 1) << _32 | np.uint64(size)
    table[victim, 0] = key1 ^ data1 ^ data2 * _TIE_1
    table[victim, 1] = key2 ^ data2 ^ data1 * _TIE_2
    table[victim, 2] = data1
    table[victim, 3] = data2


@bare
def learn(table: U64, entries: U64) -> None:
    """Store whole entries of another table, uint64 (n, 4), of any size."""
    for row in range(len(entries)):
        data1 = entries[row, 2]
        data2 = entries[row, 3]
        key1 = entries[row, 0] ^ data1 ^ data2 * _TIE_1
        key2 = entries[row, 1] ^ data2 ^ data1 * _TIE_2
        cost, guess = np.int64(data1 >> _1), np.int64(data2 >> _32) - 1
        size = np.int64(data2 & np.uint64(0xFFFFFFFF))
        store(table, key1, key2, cost, data1 & _1 != np.uint64(0), guess, size)
