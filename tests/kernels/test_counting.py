"""Halves of codes: their states, their contents as a tree, and pairs that fit, by trying all."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arrays import U8
from pegwise.kernels.counting import LIMB, Half, MarkBounds, content_tree, extend, fitting, join

ANYTHING = 10**6


def bounds_of(draw: random.Random, colors: int, turns: int, pegs: int, *, once: bool) -> MarkBounds:
    """Random guesses with random marks; the last one is open."""
    guesses = [[draw.randrange(colors) for _ in range(pegs)] for _ in range(turns)]
    need = np.array([[g.count(c) for c in range(colors)] for g in guesses], np.uint8)
    blacks, commons = [], []
    for _ in range(turns - 1):
        common = draw.randrange(pegs + 1)
        blacks.append([draw.randrange(common + 1)] * 2)
        commons.append([common] * 2)
    caps = np.ones(colors, np.uint8) if once else need.max(axis=0)
    return MarkBounds(
        caps=caps,
        once=once,
        need=need,
        blacks=np.array([*blacks, [0, pegs]], np.uint8),
        commons=np.array([*commons, [0, pegs]], np.uint8),
    )


def commons_of(content: U8, bounds: MarkBounds) -> list[int]:
    """What codes of this content have in common with each guess."""
    return [int(np.minimum(content, row).sum()) for row in bounds.need]


def within(values: list[int], limits: U8, more: int = 0) -> bool:
    """Whether all values can be in their intervals once at most so much more is added."""
    return all(
        v <= high and v + more >= low
        for v, (low, high) in zip(values, limits.tolist(), strict=True)
    )


def random_contents(draw: random.Random, bounds: MarkBounds, pegs: int) -> U8:
    """Some contents of half codes, ascending, none twice."""
    contents = set()
    for _ in range(draw.randrange(1, 30)):
        content = [0] * len(bounds.caps)
        for _ in range(draw.randrange(pegs + 1)):
            color = draw.randrange(len(content))
            content[color] = min(content[color] + 1, int(bounds.caps[color]))
        contents.add(tuple(content))
    return np.array(sorted(contents), np.uint8)


@given(
    st.randoms(use_true_random=False), st.integers(1, 4), st.integers(1, 3), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_states_are_those_of_all_half_codes(
    draw: random.Random, colors: int, turns: int, once: bool, other: bool
) -> None:
    pegs, half = 6, 3
    bounds = bounds_of(draw, colors, turns, pegs, once=once)
    kinds = colors + other
    hits = np.array(
        [[[draw.random() < 0.3 for _ in range(turns)] for _ in range(kinds)] for _ in range(half)],
        np.uint8,
    )
    hits[:, colors:] = 0
    states = np.zeros((1, colors + turns), np.uint8)
    numbers: dict[tuple[int, ...], int] = {(): 0}  # the state of each half code
    for peg in range(half):
        before, remaining = states, pegs - peg - 1
        become, states = extend(before, hits[peg], bounds, remaining, ANYTHING)
        assert len(np.unique(states, axis=0)) == len(states)
        longer = {}
        for (begun, number), kind in itertools.product(numbers.items(), range(kinds)):
            state = before[number].copy()
            twice = once and kind < colors and state[kind]
            if kind < colors:
                state[kind] = min(state[kind] + 1, bounds.caps[kind])
            state[colors:] += hits[peg, kind]
            possible = (
                not twice
                and within(state[colors:].tolist(), bounds.blacks, remaining)
                and within(commons_of(state[:colors], bounds), bounds.commons, remaining)
            )
            target = int(become[number, kind])
            assert (target >= 0) == possible
            if possible:
                assert states[target].tolist() == state.tolist()
                longer[*begun, kind] = target
        numbers = longer
        assert set(numbers.values()) == set(range(len(states)))


def test_many_states_are_kept_apart() -> None:
    # 12 colors that all count, 5 pegs: every multiset is a state
    need = np.full((1, 12), 5, np.uint8)
    anything = np.array([[0, 12]], np.uint8)
    bounds = MarkBounds(np.full(12, 5, np.uint8), False, need, anything, anything)
    states = np.zeros((1, 13), np.uint8)
    for _ in range(5):
        become, states = extend(states, np.zeros((12, 1), np.uint8), bounds, 7, ANYTHING)
    assert len(states) == 4368  # 16 choose 5
    assert len(np.unique(states, axis=0)) == 4368
    assert set(become.ravel().tolist()) == set(range(4368))
    stopped = extend(states, np.zeros((12, 1), np.uint8), bounds, 7, 1000)[1]
    assert 1000 < len(stopped) < 12376


@given(st.randoms(use_true_random=False), st.integers(1, 5))
def test_contents_come_back_from_their_tree(draw: random.Random, colors: int) -> None:
    bounds = bounds_of(draw, colors, 3, 6, once=False)
    contents = random_contents(draw, bounds, 4)
    nodes = content_tree(contents)
    path = [np.zeros(colors, np.uint8)]
    rows = []
    for number, (color, count, level, row, behind) in enumerate(nodes.tolist()):
        path = path[: max(level, 1)]
        if level:
            assert path[-1][color:].sum() == 0  # colors ascend
            path.append(path[-1].copy())
            path[-1][color] = count
        if row >= 0:
            assert path[-1].tolist() == contents[row].tolist()
            rows.append(row)
        inside = [k for k in range(number + 1, len(nodes)) if nodes[k, 2] <= level]
        assert behind == (inside[0] if inside else len(nodes))
    assert rows == list(range(len(contents)))


@given(st.randoms(use_true_random=False), st.integers(1, 5), st.integers(1, 3), st.booleans())
def test_contents_that_fit_are_all_found(
    draw: random.Random, colors: int, turns: int, once: bool
) -> None:
    pegs, half = 8, 4
    bounds = bounds_of(draw, colors, turns, pegs, once=once)
    contents = random_contents(draw, bounds, half)
    nodes = content_tree(contents)
    rows = np.zeros(len(contents), np.int32)
    commons = np.zeros(len(contents), np.uint8)
    for content in random_contents(draw, bounds, half):
        n_rows = fitting(content, nodes, bounds, half, rows, commons)
        expected = {}
        for row, second in enumerate(contents):
            together = commons_of(content + second, bounds)
            if within(together, bounds.commons) and not (once and (content & second).any()):
                expected[row] = together[-1]
        assert dict(zip(rows[:n_rows].tolist(), commons[:n_rows].tolist(), strict=True)) == expected
        assert rows[:n_rows].tolist() == sorted(expected)


@pytest.mark.parametrize("weight", [1, 26**8])
def test_pairs_are_counted_beyond_64_bits(weight: int) -> None:
    """One content on each side; keys 0 to 3, several states of one key."""
    draw = random.Random(7)
    pegs = 16
    anything = np.array([[0, pegs]], np.uint8)
    need = np.array([[2]], np.uint8)
    bounds = MarkBounds(np.array([2], np.uint8), False, need, anything, anything)
    sides = []
    for _ in range(2):
        states = sorted((draw.randrange(4), draw.randrange(3)) for _ in range(9))
        keys, blacks = (np.array(column) for column in zip(*states, strict=True))
        weights = np.array([weight - draw.randrange(weight) for _ in states], np.int64)
        half = Half(
            np.array([[1]], np.uint8),
            np.array([0, 9], np.int32),
            keys.astype(np.int32),
            blacks.astype(np.uint8),
            weights,
        )
        sides.append(half)
    first, two = sides
    counts = np.zeros((pegs + 1, pegs + 1, pegs + 1, 2), np.int64)
    alive = np.zeros(9, np.bool_)
    join(0, 1, first, two, content_tree(two.contents), bounds, 8, counts, alive)
    expected: dict[int, int] = {}
    for a, b in itertools.product(range(9), repeat=2):
        if first.keys[a] == two.keys[b]:
            black = int(first.open_blacks[a] + two.open_blacks[b])
            expected[black] = expected.get(black, 0) + int(first.weights[a]) * int(two.weights[b])
    sums = {
        black: (int(upper) << LIMB) + int(lower)
        for black, (upper, lower) in enumerate(counts[2, 2])
        if upper or lower
    }
    assert sums == expected
    assert (weight == 1) == (max(expected.values()) < 2**63)
    assert alive.tolist() == [key in set(two.keys.tolist()) for key in first.keys.tolist()]
