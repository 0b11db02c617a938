"""What the exact search knows of a game, and the arrays that it works in.

Codes are renumbered for the search: by largest color, then in numeric order, holes lowest. So the
guesses that are worth trying against a set in canonical form, whose colors come first, stand at
the front.
"""

from __future__ import annotations

import itertools
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from pegwise.arrays import I16, I32, I64, U16, U64, MarkNumbers
from pegwise.kernels.exact.sets import Masks, Renaming, new_masks, new_renaming
from pegwise.kernels.jit import Int, by_address, kernel_without_counts, mix, subkernel

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
        ("symmetries", np.int64),  # permutations that keep the set; 0 if they tell nothing
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
    twins: I64  # (depths, names), the first color of the class of each color
    twin_before: I64  # (depths, names), the color before it in its class, or -1
    next_twin: I64  # (depths, names), the color after it, or -1
    renamed: I64  # (HISTORY + 1, marks, HISTORY + 1), the same for each part
    # (HISTORY + 1, permutations, names + 1), new color names of the symmetries that keep the
    # history, and the permutation
    groups: I16
    first_free: I64  # (HISTORY + 1, pegs), the first color that the history has not played there
    member: I64  # (guesses or secrets), working space for sets, 0 between calls
    heads: I32  # (names, pegs), the first code with a color at a peg, or -1
    chains: I32  # (guesses or secrets, pegs), the next code with the same color there, or -1
    images: I64  # (names), working space for renamings, -1 between calls
    upcoming: I64  # (names), the next color of each class, itself between calls
    renamed_pegs: I64  # (pegs), working space
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
        twins=np.zeros((depths, names), np.int64),
        twin_before=np.zeros((depths, names), np.int64),
        next_twin=np.zeros((depths, names), np.int64),
        renamed=np.zeros((turns, marks, turns), np.int64),
        groups=np.zeros((turns, len(board.symmetry.permutations), names + 1), np.int16),
        first_free=np.zeros((turns, pegs), np.int64),
        member=np.zeros(max(n_guesses, n_secrets), np.int64),
        heads=np.zeros((names, pegs), np.int32),
        chains=np.zeros((max(n_guesses, n_secrets) if names else 0, pegs), np.int32),
        images=np.full(names, -1, np.int64),
        upcoming=np.arange(names),
        renamed_pegs=np.zeros(pegs, np.int64),
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


# Symmetries that keep the set: one guess of each class needs to be tried. Twins are colors that may
# be exchanged; there are also permutations of pegs that keep the guesses played so far.

_SMALL: Final = 16
"""Permutations are not worth the trouble for deeper sets with fewer codes."""


@subkernel
def find_symmetries(
    board: Board, work: Work, d: Int, codes: I64, digits: I16, number_of: I32, use_history: bool
) -> None:
    """Find the symmetries of the set of frame d, which `is_first_of_class` uses.

    `codes`, int64 (n), have the same twins; `digits` and `number_of` are as for `rename_code`.
    """
    frame = work.frames[d]
    frame.symmetries = 0
    if board.symmetric:
        twins = _find_twins(board, work, d, codes, digits, number_of)
        count = _keep_history(board, work, d) if use_history else 1
        frame.symmetries = count if count > 1 or twins else 0


@subkernel
def _find_twins(board: Board, work: Work, d: Int, codes: I64, digits: I16, number_of: I32) -> bool:
    """Find the classes of colors whose exchange keeps the set; whether there are any."""
    colors, names = board.symmetry.colors, board.symmetry.names
    twins, next_twin, last = work.twins[d], work.next_twin[d], work.upcoming
    cells, member, chains, heads = work.renaming.cells, work.member, work.chains, work.heads
    offset = work.frames[d].offset
    cells[:] = 0
    heads[:] = -1
    for i in range(len(codes)):
        code = codes[i]
        weight = work.weights[d, offset + i] if board.weighted else np.int64(0)
        member[code] = weight + 1
        term = mix(np.uint64(weight + 1))
        for peg in range(digits.shape[1]):
            name = digits[code, peg]
            if name < names:
                cells[name, peg] += term
                chains[code, peg] = heads[name, peg]
                heads[name, peg] = code
    are_any = False
    for name in range(names):
        twins[name] = name
        next_twin[name] = -1
        work.twin_before[d, name] = -1
        for first in range(name // colors * colors, name):
            if twins[first] == first and _are_twins(board, work, name, first, digits, number_of):
                twins[name] = first
                next_twin[last[first]] = name
                work.twin_before[d, name] = last[first]
                last[first] = name
                are_any = True
                break
    for code in codes:
        member[code] = 0
    for name in range(names):
        last[name] = name
    return are_any


@subkernel
def _are_twins(board: Board, work: Work, name: Int, twin: Int, digits: I16, number_of: I32) -> bool:
    """Whether an exchange of two colors keeps the set, whose codes `work.member` tells."""
    cells, member, pegs = work.renaming.cells, work.member, digits.shape[1]
    colors, names = board.symmetry.colors, board.symmetry.names
    for peg in range(pegs):
        if cells[name, peg] != cells[twin, peg]:
            return False
    for chain in range(pegs):
        code = np.int64(work.heads[name, chain])
        while code >= 0:
            place = np.int64(0)
            for peg in range(pegs):
                color: Int = np.int64(digits[code, peg])
                if color == name:
                    color = twin
                elif color == twin:
                    color = name
                if color == names:
                    color = colors
                elif names > colors:
                    color -= peg * colors
                place = place * (colors + 1) + color
            if member[number_of[place]] != member[code]:
                return False
            code = np.int64(work.chains[code, chain])
    return True


@subkernel
def _keep_history(board: Board, work: Work, d: Int) -> Int:
    """Find the permutations of pegs, with renamings of colors, that keep the guesses played.

    Their number is returned; the first one is the identity.
    """
    if d > HISTORY or (d >= 2 and work.frames[d].size < _SMALL):
        return 1
    symmetry = board.symmetry
    digits, colors, names = symmetry.guesses, symmetry.colors, symmetry.names
    pegs = digits.shape[1]
    used = work.images
    for turn in range(d):
        for peg in range(pegs):
            played = digits[work.history[d, turn], peg]
            if played < names:
                used[played] = 0
    for peg in range(pegs):
        free: Int = np.int64(peg * colors if names > colors else 0)
        while free < names - 1 and used[free] == 0:
            free += 1
        work.first_free[d, peg] = free
    count: Int = np.int64(0)
    for number in range(len(symmetry.permutations)):
        permutation = symmetry.permutations[number]
        name_of = work.groups[d, count]
        name_of[:] = -1
        used[:] = -1
        fits = True
        for turn in range(d):
            guess = work.history[d, turn]
            for peg in range(pegs):
                old = digits[guess, permutation[peg]]
                new = digits[guess, peg]
                if old == names or new == names:
                    fits = old == new
                elif name_of[old] < 0:
                    fits = used[new] < 0
                    name_of[old] = new
                    used[new] = 0
                else:
                    fits = name_of[old] == new
                if not fits:
                    break
            if not fits:
                break
        if fits:
            name_of[names] = number
            count += 1
    used[:] = -1
    return count


@subkernel
def is_first_of_class(board: Board, work: Work, d: Int, guess: Int) -> bool:
    """Whether no symmetry of the set makes the guess smaller."""
    symmetry = board.symmetry
    digits, colors, names = symmetry.guesses, symmetry.colors, symmetry.names
    pegs = digits.shape[1]
    # the colors of a class come in order
    for peg in range(pegs):
        name: Int = np.int64(digits[guess, peg])
        before = work.twin_before[d, name] if name < names else np.int64(-1)
        if before >= 0:
            earlier = 0
            while earlier < peg and digits[guess, earlier] != before:
                earlier += 1
            if earlier == peg:
                return False
    images, upcoming, renamed = work.images, work.upcoming, work.renamed_pegs
    for number in range(1, work.frames[d].symmetries):
        name_of = work.groups[d, number]
        permutation = symmetry.permutations[name_of[names]]
        place = np.int64(0)
        for peg in range(pegs):
            digit: Int = np.int64(colors)
            name = np.int64(digits[guess, permutation[peg]])
            if name < names:
                # colors never played are twins, all of them or those of a peg
                if name_of[name] >= 0:
                    name = np.int64(name_of[name])
                elif names > colors:
                    name = work.first_free[d, peg]
                if images[name] < 0:
                    first = work.twins[d, name]
                    images[name] = upcoming[first]
                    upcoming[first] = work.next_twin[d, upcoming[first]]
                digit = images[name] - peg * colors if names > colors else images[name]
            renamed[peg] = name
            place = place * (colors + 1) + digit
        for name in renamed:
            if name < names:
                images[name] = -1
                upcoming[work.twins[d, name]] = work.twins[d, name]
        if symmetry.guess_at[place] < guess:
            return False
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


@kernel_without_counts
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


@kernel_without_counts
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


@kernel_without_counts
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
