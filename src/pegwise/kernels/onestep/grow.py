"""Grow the whole tree of a one-step strategy, level by level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, U32, Bools
from pegwise.kernels.cache import note_compiled
from pegwise.kernels.jit import Int, array_subkernel, by_address, fetch_add, kernel, subkernel
from pegwise.kernels.marking import signature_mark, splitter
from pegwise.kernels.onestep.board import BoardArrays
from pegwise.kernels.onestep.lookahead import Lookahead
from pegwise.kernels.onestep.weigh import weigh


@by_address
class Growth(NamedTuple):
    """The tree so far, of a game of S secrets; the first four as in `strategies.Nodes`."""

    guess: I32  # (2 S)
    parent: I32  # (2 S)
    mark: U8  # (2 S)
    wins: Bools  # (2 S)
    secrets: I32  # (S), the secrets of this level's open nodes, node by node
    next_secrets: I32  # (S), those of the next level
    marks: U8  # (S), scratch
    nodes: I64  # (1), number of nodes
    n_won: I64  # (1), number of secrets that some node wins


class Level(NamedTuple):
    """Open nodes of one level: those with more than one candidate, which have to choose."""

    start: I32  # (open), where the candidates of each begin in `Growth.secrets`
    size: I32  # (open), how many they are
    used: U32  # (open), set of the colors played before
    node: I32  # (open), number of the node
    parts: I32  # (open, marks), sizes of its parts once the guess is chosen
    order: I64  # (open), in which order they are taken
    next: I64  # (1), the first in that order that nobody works on


def make_root(candidates: I32, marks: int, used: int = 0) -> tuple[Growth, Level]:
    """A tree of one node, the root, and its first level: open unless it has one candidate.

    `used` is the set of the colors played before.
    """
    n = len(candidates)
    growth = Growth(
        guess=np.zeros(2 * n, np.int32),
        parent=np.empty(2 * n, np.int32),
        mark=np.zeros(2 * n, np.uint8),
        wins=np.zeros(2 * n, np.bool_),
        secrets=candidates.copy(),
        next_secrets=np.empty(n, np.int32),
        marks=np.empty(n, np.uint8),
        nodes=np.ones(1, np.int64),
        n_won=np.zeros(1, np.int64),
    )
    growth.parent[0] = -1
    growth.wins[0] = growth.n_won[0] = n == 1
    level = _level(min(n - 1, 1), marks)
    level.start[:] = level.node[:] = 0
    level.size[:], level.used[:] = n, used
    return growth, level


def _level(size: Int, marks: Int) -> Level:
    """A level with room for a number of open nodes, in the order of their numbers."""
    return Level(
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(size, np.uint32),
        np.empty(size, np.int32),
        np.zeros((size, marks), np.int32),
        np.arange(size),
        np.zeros(1, np.int64),
    )


_make_level = array_subkernel(_level)


@subkernel
def _partition(growth: Growth, level: Level, at: Int, guess: Int, board: BoardArrays) -> None:
    """Sort the candidates of an open node by their mark for a guess, to `next_secrets`.

    A part keeps its order. The sizes of the parts go to row `at` of `parts`.
    """
    secrets, next_secrets, marks = growth.secrets, growth.next_secrets, growth.marks
    guesses, signatures = board.guess_signatures, board.secret_signatures
    parts, mark_ids = level.parts, board.mark_ids
    start: Int = np.int64(level.start[at])
    stop: Int = start + np.int64(level.size[at])
    for j in range(start, stop):
        mark = signature_mark(guesses, guess, signatures, secrets[j], mark_ids)
        marks[j] = mark
        parts[at, mark] += 1
    # count down from the end of each part, so that the sizes are all that is needed
    last = parts.shape[1] - 1
    end = start
    for mark in range(last + 1):
        end += parts[at, mark]
        parts[at, mark] = end
    for j in range(stop - 1, start - 1, -1):
        mark = marks[j]
        parts[at, mark] -= 1
        next_secrets[parts[at, mark]] = secrets[j]
    for mark in range(last):
        parts[at, mark] = parts[at, mark + 1] - parts[at, mark]
    parts[at, last] = stop - parts[at, last]


@subkernel
def _choose(growth: Growth, level: Level, classes: Bools, look: Lookahead) -> None:
    """Choose for open nodes of a level until none is left; any number of threads may do so."""
    board, seen = look.board, look.scratch.seen
    secrets, starts, sizes, order = growth.secrets, level.start, level.size, level.order
    most_parts = level.parts.shape[1]
    while True:
        turn = fetch_add(level.next, 1)
        if turn >= len(order):
            return
        at = order[turn]
        start: Int = np.int64(starts[at])
        size: Int = np.int64(sizes[at])
        splits: Int = np.int64(-1)
        if size == 2:
            splits = np.int64(0)
        elif size <= most_parts:
            candidates = secrets[start : start + size]
            splits = splitter(candidates, board.secret_signatures, board.mark_ids, seen)
        if splits >= 0:
            guess = np.int64(board.number[board.secret_slot[secrets[start + splits]]])
        else:
            candidates = secrets[start : start + size]
            guess = weigh(candidates, level.used[at], classes, look)
        growth.guess[level.node[at]] = guess
        _partition(growth, level, at, np.int64(board.slot[guess]), board)


@array_subkernel
def _close(
    growth: Growth, level: Level, members: U32, group: I32, slot: I32, number: I32, secret_slot: I32
) -> Level:
    """Make the nodes that follow a level; those with more than one candidate are the next level.

    The last arrays are those of the board, which would have this compiled for each number of pegs.
    """
    marks = level.parts.shape[1]
    winning = marks - 1
    still_open = 0
    for at in range(len(level.node)):
        for mark in range(winning):
            if level.parts[at, mark] > 1:
                still_open += 1
    following = _make_level(still_open, marks)
    node = growth.nodes[0]
    n_won = growth.n_won[0]
    opened = 0
    for at in range(len(level.node)):
        start = level.start[at]
        parent = level.node[at]
        used = level.used[at] | members[group[slot[growth.guess[parent]]]]
        for mark in range(winning):
            size = level.parts[at, mark]
            if size == 0:
                continue
            growth.parent[node] = parent
            growth.mark[node] = mark
            if size == 1:
                growth.guess[node] = number[secret_slot[growth.next_secrets[start]]]
                growth.wins[node] = True
                n_won += 1
            else:
                following.start[opened] = start
                following.size[opened] = size
                following.used[opened] = used
                following.node[opened] = node
                opened += 1
            node += 1
            start += size
        if level.parts[at, winning]:
            growth.wins[parent] = True
            n_won += 1
    growth.nodes[0] = node
    growth.n_won[0] = n_won
    growth.secrets[:] = growth.next_secrets
    return following


def grow(growth: Growth, level: Level, classes: Bools, look: Lookahead, levels: int) -> Level:
    """Grow a tree by some levels, or to its end, on this thread; return the level reached.

    `classes` are the guesses to look at on the first of these levels. With no levels the open nodes
    only get their guesses; any number of threads may do so, before one of them grows the tree.
    """
    # half of the secrets at most are more than one to a node
    following = _level(len(growth.secrets) // 2, level.parts.shape[1]) if levels else level
    size = _grow(growth, level, classes, look, levels, following)
    note_compiled(f"onestep.grow.{len(look.board.pegs)}-pegs")
    if not levels:
        return level
    return Level._make([*(field[:size] for field in following[:-1]), following.next])


@kernel
def _grow(
    growth: Growth, level: Level, classes: Bools, look: Lookahead, levels: Int, following: Level
) -> Int:
    """Grow a tree, write the level reached to `following`, and return its number of nodes."""
    board = look.board
    if levels == 0:
        _choose(growth, level, classes, look)
    for _ in range(levels):
        if len(level.node) == 0:
            break
        _choose(growth, level, classes, look)
        classes = np.zeros(0, np.bool_)
        level = _close(
            growth, level, board.members, board.group, board.slot, board.number, board.secret_slot
        )
    if levels > 0:
        for at in range(len(level.node)):
            following.start[at] = level.start[at]
            following.size[at] = level.size[at]
            following.used[at] = level.used[at]
            following.node[at] = level.node[at]
    return len(level.node)
