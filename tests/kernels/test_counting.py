"""Halves of codes beyond what small boards reach: many states, and pairs of more than 64 bits."""

import itertools
import random

import numpy as np
import pytest

from pegwise.kernels.counting import LIMB, Half, MarkBounds, content_tree, extend, join

ANYTHING = 10**6


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
