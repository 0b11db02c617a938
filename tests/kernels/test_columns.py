"""Kernels of fixed sets peg by peg, against plain enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.kernels.columns import columns_after, extend
from pegwise.kernels.static import FOUND, REFUTED, STOPPED
from pegwise.search.static.columns import Columns, images_of_columns
from tests import naive


def signs(column: int, guesses: int) -> list[int]:
    return [1 if column >> row & 1 else -1 for row in range(guesses)]


def apart(columns: tuple[int, ...], guesses: int) -> bool:
    return naive.sums_are_apart([signs(column, guesses) for column in columns])


@pytest.mark.parametrize(("guesses", "pegs"), [(2, 4), (3, 4), (4, 4), (4, 5), (4, 6), (5, 6)])
@pytest.mark.parametrize("seed", range(6))
def test_columns_are_completed_where_they_can_be(guesses: int, pegs: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    n_columns = 1 << (guesses - 1)
    given = int(random.integers(1, min(pegs - 1, n_columns + 1)))
    first = sorted(random.choice(n_columns, given, replace=False).tolist())
    while not apart(tuple(first), guesses):
        first = first[:-1]
    chosen, tried = np.zeros(pegs, np.int64), np.zeros(1, np.int64)
    chosen[: len(first)] = first
    status = extend(chosen, len(first), guesses, 0, tried, np.zeros(1, np.int64))
    larger = itertools.combinations(range(first[-1] + 1, n_columns), pegs - len(first))
    possible = any(apart((*first, *more), guesses) for more in larger)
    assert status == (FOUND if possible else REFUTED)
    assert tried[0] > 0
    if possible:
        assert chosen[: len(first)].tolist() == first
        assert (np.diff(chosen) > 0).all()
        assert apart(tuple(chosen.tolist()), guesses)


def orders_and_signs(columns: tuple[int, ...], guesses: int) -> list[list[int]]:
    """All images of some columns, each in ascending order."""
    out = []
    for order in itertools.permutations(range(guesses)):
        for flips in range(1 << guesses):
            image = []
            for column in columns:
                number = sum((column >> row & 1) << order[row] for row in range(guesses)) ^ flips
                image.append(min(number, number ^ ((1 << guesses) - 1)))
            out.append(sorted(image))
    return out


@pytest.mark.parametrize("chosen", [(0,), (0, 1), (0, 3), (0, 1, 2), (0, 1, 6)])
def test_of_images_the_first_is_kept(chosen: tuple[int, ...]) -> None:
    out = np.empty(8, np.int64)
    count = columns_after(np.array(chosen), images_of_columns(4), out)
    assert out[:count].tolist() == [
        column
        for column in range(chosen[-1] + 1, 8)
        if apart((*chosen, column), 4)
        and [*chosen, column] == min(orders_and_signs((*chosen, column), 4))
    ]


def test_it_stops_when_told() -> None:
    chosen, tried = np.zeros(11, np.int64), np.zeros(1, np.int64)
    assert extend(chosen, 1, 7, 100, tried, np.zeros(1, np.int64)) == STOPPED
    assert tried[0] == 100
    assert extend(chosen, 1, 7, 0, tried, np.ones(1, np.int64)) == STOPPED


@pytest.mark.parametrize(
    "rules",
    ["4x2", "4x3,black", "4x2,blank,black", "2x2,distinct,black", "3x2,black"],
)
def test_other_boards_are_searched_guess_by_guess(rules: str) -> None:
    assert Columns.of(board_game(Rules.parse(rules))) is None


def test_a_search_goes_on_from_a_path() -> None:
    columns = Columns.of(board_game(Rules.parse("9x2,black")))
    assert columns is not None
    tasks = list(columns.prefixes(6))
    paths = [task.path for task in tasks]
    assert paths == sorted(set(paths))
    assert [task.fraction for task in tasks] == sorted(task.fraction for task in tasks)
    assert list(columns.prefixes(6, paths[10])) == tasks[10:]
