"""A game as the exact search reads it.

Codes are renumbered for the search: by largest color, then in numeric order, holes lowest. So the
guesses that are worth trying against a set in canonical form, whose colors come first, stand at
the front.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from pegwise.arrays import I16, I32, I64, U8, U64, MarkNumbers
from pegwise.kernels.jit import by_address


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
class HardRules(NamedTuple):
    """What turns require of later guesses (`game.requirements`); all arrays are empty without."""

    signs: U8  # (guesses, pegs)
    places: U8  # (marks, pegs), marks by place
    met: U64  # (guesses, words), the conditions that a guess meets
    colors: int


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
    hard: HardRules
    limited: bool  # whether turns limit the guesses after them, by these rules
    whole: bool  # whether the set at the bottom is that of all secrets
    # whether symmetries that keep the history are used: only from the whole set, and only with
    # weights that they keep
    use_history: bool
    first: int  # the first guess, -1 when it is free
    any_tree: bool  # whether the first tree that keeps the limit is enough
    width: int  # guesses searched for a large set, the most promising ones; 0 for all


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
