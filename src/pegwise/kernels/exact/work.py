"""The arrays that one thread of the exact search works in."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from pegwise.arrays import I16, I32, I64, U16, U64, MarkNumbers
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.sets import Masks, Renaming, new_masks, new_renaming
from pegwise.kernels.jit import by_address

Records: TypeAlias = Any  # structured arrays, whose fields type checkers do not know

HISTORY: Final = 31
"""Symmetries that keep the history are used down to this depth."""

_HINTS: Final = 1 << 16

_TILE: Final = 512  # guesses allowed whose marks are gathered at a time

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
        ("width", np.int64),  # guesses searched, the most promising ones; 0 for all
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
    required: U64  # (depths, words), what turns require of guesses, where rules are hard
    required_after: U64  # (words), working space
    allowed: I32  # (depths + 1, guesses), guesses allowed before a frame (all, at the bottom)
    n_allowed: I64  # (depths + 1), how many
    listed_marks: MarkNumbers  # (secrets, guesses of a tile), marks of guesses that are allowed
    listed_parts: U16  # (guesses of a tile), how many parts they make
    places: I64  # (secrets), 0, 1, 2, ...
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


def new_work(board: Board, depths: int, claims: U64, me: int) -> Work:
    """The arrays of one thread."""
    n_guesses, n_secrets = board.by_guess.shape
    marks = board.n_marks
    pegs = board.symmetry.permutations.shape[1]
    names = board.symmetry.names
    turns = HISTORY + 1 if board.symmetric else 1
    rows, tile = (depths, _TILE) if board.limited else (1, 0)
    allowed = np.zeros((rows + 1, n_guesses if board.limited else 0), np.int32)
    allowed[0] = np.arange(allowed.shape[1])
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
        required=np.zeros((rows, board.hard.met.shape[1]), np.uint64),
        required_after=np.zeros(board.hard.met.shape[1], np.uint64),
        allowed=allowed,
        n_allowed=np.full(rows + 1, allowed.shape[1]),
        listed_marks=np.zeros((n_secrets, tile), board.by_guess.dtype),
        listed_parts=np.zeros(tile, np.uint16),
        places=np.arange(n_secrets),
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
