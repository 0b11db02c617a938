"""Count the codes that fit marks, from two halves: exact where codes are too many to list.

Half a code matters only by its *state*: its content (how often it has each color, as far as some
guess tells) and its blacks with each guess. `extend` adds one peg to all states of a half; states
that coincide become one, and those from which some mark is out of reach are dropped.

Two halves make a code that fits when their blacks add up, guess by guess, and their contents
together have as much in common with each guess as its mark says. What a code has in common with a
guess is the sum over colors of min(in the code, in the guess). Once the first half is taken out
of the guess, this is a sum over the second half alone. So the contents of the second half are
tried as a tree of colors, and a branch that has too much, or can no longer have enough, is passed
over whole.

Marks are intervals: blacks and commons from a lowest to a highest. The last guess may be left
open in this way, to count codes by the mark that it would get.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.kernels.jit import kernel, subkernel

LIMB = 20
"""Bits of the lower limb of a sum: 26**16 codes do not fit into 64 bits."""


class MarkBounds(NamedTuple):
    """The constraints of T guesses, with S colors in all, on a code."""

    caps: U8  # (S), occurrences of each color that are told apart; more count as so many
    once: bool  # whether no color may come twice in a code
    need: U8  # (T, S), occurrences of each color in each guess
    blacks: U8  # (T, 2), fewest and most blacks
    commons: U8  # (T, 2), fewest and most pegs in common


class Half(NamedTuple):
    """The M states of half a code, grouped by their N contents.

    A state of one half and one of the other have the same key when their blacks add up to those
    of the marks.
    """

    contents: U8  # (N, S), ascending
    first: I32  # (N + 1), first state of each content
    keys: I32  # (M), ascending within a content
    open_blacks: U8  # (M), blacks with the last guess
    weights: I64  # (M), how many half codes have this state, at most 26**8


def extend(states: U8, hits: U8, bounds: MarkBounds, to_come: int, most: int) -> tuple[I32, U8]:
    """Add one peg, of every kind, to every state.

    Args:
        states: uint8 (n, S + T), distinct: contents, then blacks.
        hits: uint8 (kinds, T), 1 where a guess has this kind of peg in this place. Kinds 0 to
            S - 1 are the colors of the guesses; kind S, if any, is any other color.
        to_come: pegs of the whole code that are still to come.
        most: stop when there are more new states than this.

    Returns:
        int32 (n, kinds), the new state that each one becomes, -1 where some mark is out of reach;
        and the new states, uint8 (m, S + T), distinct (more than `most` rows: stopped early).
    """
    become = np.full((len(states), len(hits)), -1, np.int32)
    # and one more, which is written before it is known to be new
    new_states = np.empty((min(become.size, most + 1) + 1, states.shape[1]), np.uint8)
    m = _extend(states, hits, bounds, to_come, most, become, new_states)
    return become, new_states[:m].copy()


@kernel
def _extend(
    states: U8,
    hits: U8,
    bounds: MarkBounds,
    to_come: int,
    most: int,
    become: I32,
    new_states: U8,
) -> int:
    """Write what `extend` returns; the number of new states is returned."""
    n, width = states.shape
    kinds, turns = hits.shape
    colors = width - turns
    slots = np.full(1024, -1, np.int32)
    m = 0
    for i in range(n):
        for kind in range(kinds):
            if bounds.once and kind < colors and states[i, kind]:
                continue
            # the new state is written behind those found, and stays there if it is new
            for k in range(width):
                new_states[m, k] = states[i, k]
            if kind < colors and new_states[m, kind] < bounds.caps[kind]:
                new_states[m, kind] += 1
            for turn in range(turns):
                new_states[m, colors + turn] += hits[kind, turn]
            if not _can_fit(new_states[m], bounds, to_come):
                continue
            slot = _slot(new_states[m], new_states, slots)
            if slots[slot] < 0:
                slots[slot] = m
                m += 1
            become[i, kind] = slots[slot]
            if m > most:
                return m
            if 4 * m == len(slots):
                slots = np.full(8 * m, -1, np.int32)
                for k in range(m):
                    slots[_slot(new_states[k], new_states, slots)] = k
    return m


@subkernel
def _can_fit(state: U8, bounds: MarkBounds, to_come: int) -> bool:
    """Whether each mark, taken alone, can still be reached."""
    turns, colors = bounds.need.shape
    for turn in range(turns):
        black = state[colors + turn]
        if black > bounds.blacks[turn, 1] or black + to_come < bounds.blacks[turn, 0]:
            return False
        common = 0
        for color in range(colors):
            common += min(state[color], bounds.need[turn, color])
        if common > bounds.commons[turn, 1] or common + to_come < bounds.commons[turn, 0]:
            return False
    return True


@subkernel
def _slot(state: U8, states: U8, slots: I32) -> np.int64:
    """Where a state is in a hash table, or the empty slot where it belongs."""
    mask = len(slots) - 1
    mixed = np.uint64(0)
    for k in range(len(state)):
        mixed = (mixed ^ np.uint64(state[k])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed >> np.uint64(20)) & mask
    while slots[slot] >= 0:
        same = True
        for k in range(len(state)):
            same = same and states[slots[slot], k] == state[k]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


def content_tree(contents: U8) -> I32:
    """Contents as a tree in which each node adds one color.

    Args:
        contents: uint8 (N, S), distinct, ascending, of at most 16 pegs each.

    Returns:
        int32 (nodes, 5), in preorder: color (-1 for the root), how often, level, the content
        that is complete here (or -1), and the first node behind this branch.
    """
    nodes = np.empty((1 + np.count_nonzero(contents), 5), np.int32)
    return nodes[: _fill_tree(contents, nodes)].copy()


@kernel
def _fill_tree(contents: U8, nodes: I32) -> int:
    """Write what `content_tree` returns; the number of nodes is returned."""
    n, colors = contents.shape
    path = np.zeros(colors + 1, np.int32)
    nodes[0, 0], nodes[0, 1], nodes[0, 2], nodes[0, 3] = -1, 0, 0, -1
    size, level = 1, 0
    for i in range(n):
        same = 0
        while i and contents[i, same] == contents[i - 1, same]:
            same += 1
        # a node stays open while its color is one of those that are the same as before
        while nodes[path[level], 0] >= same:
            nodes[path[level], 4] = size
            level -= 1
        for color in range(same, colors):
            if contents[i, color]:
                level += 1
                path[level] = size
                nodes[size, 0] = color
                nodes[size, 1] = contents[i, color]
                nodes[size, 2] = level
                nodes[size, 3] = -1
                size += 1
        nodes[path[level], 3] = i
    for k in range(level + 1):
        nodes[path[k], 4] = size
    return size


@kernel
def fitting(
    content: U8, nodes: I32, bounds: MarkBounds, pegs: int, rows: I32, open_commons: U8
) -> int:
    """Find the contents of the second half that go with one of the first; how many is returned.

    Args:
        content: uint8 (S), of the first half.
        nodes: the contents of the second half, as a tree.
        pegs: pegs of the second half.
        rows: int32 (N), receives the contents that go with it, ascending.
        open_commons: uint8 (N), receives what both together have in common with the last guess.
    """
    turns, colors = bounds.need.shape
    # what each guess still wants of each color; and of this color and all behind it
    room = np.zeros((turns, colors), np.int64)
    behind = np.zeros((turns, colors + 1), np.int64)
    sums = np.zeros((colors + 1, turns), np.int64)
    used = np.zeros(colors + 1, np.int64)
    for turn in range(turns):
        for color in range(colors - 1, -1, -1):
            common = min(content[color], bounds.need[turn, color])
            sums[0, turn] += common
            room[turn, color] = bounds.need[turn, color] - common
            behind[turn, color] = behind[turn, color + 1] + room[turn, color]
    n_rows = 0
    i = 0
    while i < len(nodes):
        color, count, level = nodes[i, 0], nodes[i, 1], nodes[i, 2]
        possible = True
        complete = nodes[i, 3] >= 0
        if level:
            used[level] = used[level - 1] + count
            possible = not (bounds.once and content[color])
        for turn in range(turns):
            if level:
                sums[level, turn] = sums[level - 1, turn] + min(count, room[turn, color])
            common = sums[level, turn]
            more = min(pegs - used[level], behind[turn, color + 1])
            if common > bounds.commons[turn, 1] or common + more < bounds.commons[turn, 0]:
                possible = False
            if not possible:
                break
            complete = complete and common >= bounds.commons[turn, 0]
        if possible and complete:
            rows[n_rows] = nodes[i, 3]
            open_commons[n_rows] = sums[level, turns - 1]
            n_rows += 1
        i = i + 1 if possible else nodes[i, 4]
    return n_rows


@kernel
def join(
    start: int,
    stop: int,
    half: Half,
    second: Half,
    nodes: I32,
    bounds: MarkBounds,
    pegs: int,
    counts: I64,
    alive: Bools,
) -> None:
    """Count the codes whose first half has one of the contents from `start` to before `stop`.

    The second half has its contents as a tree, too, and so many pegs.

    Args:
        counts: int64 (P + 1, P + 1, P + 1, 2) for codes of P pegs; to each sum, by pegs told
            apart, by common and by black with the last guess, in two limbs, is added.
        alive: bool (M), set for the states of the first half that have a second half.
    """
    rows = np.empty(len(second.contents), np.int32)
    open_commons = np.empty(len(second.contents), np.uint8)
    for i in range(start, stop):
        n_rows = fitting(half.contents[i], nodes, bounds, pegs, rows, open_commons)
        for k in range(n_rows):
            told = 0
            for color in range(len(bounds.caps)):
                told += half.contents[i, color] + second.contents[rows[k], color]
            _add(half, i, second, rows[k], counts[told, open_commons[k]], alive)


@subkernel
def _add(half: Half, i: int, second: Half, row: int, sums: I64, alive: Bools) -> None:
    """Add up the pairs of states, of one content in each half, that have the same key."""
    a, b = half.first[i], second.first[row]
    while a < half.first[i + 1] and b < second.first[row + 1]:
        if half.keys[a] < second.keys[b]:
            a += 1
        elif half.keys[a] > second.keys[b]:
            b += 1
        else:
            match = b
            while match < second.first[row + 1] and second.keys[match] == half.keys[a]:
                black = half.open_blacks[a] + second.open_blacks[match]
                # no product reaches 2**63: weights are at most 26**8, and split into limbs
                upper, lower = half.weights[a] >> LIMB, half.weights[a] & ((1 << LIMB) - 1)
                lower = lower * second.weights[match] + sums[black, 1]
                sums[black, 0] += upper * second.weights[match] + (lower >> LIMB)
                sums[black, 1] = lower & ((1 << LIMB) - 1)
                match += 1
            alive[a] = True
            a += 1
