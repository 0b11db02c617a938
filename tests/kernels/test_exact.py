"""The parts of the exact search, each against a plain formulation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import FiniteGame, Game, board_game
from pegwise.game.rules import Rules
from pegwise.kernels.exact.beam import rank
from pegwise.kernels.exact.bounds import build_bounds, spread, weighted_after
from pegwise.kernels.exact.sets import canonize, new_renaming, rename_code
from pegwise.kernels.exact.table import NOT_FOUND, new_table, probe, store
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import model_of
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.exact.table import TranspositionTable
from tests import naive

NO_WEIGHTS = np.zeros(1, np.int64)


# canonical form


def canonical(rules: str, codes: list[int], weights: list[int] | None = None) -> list[Any]:
    symmetry = (
        board := model_of(board_game(Rules.parse(rules)), names_per_peg=True).board
    ).symmetry
    pegs = symmetry.secrets.shape[1]
    renaming = new_renaming(pegs, symmetry.colors, symmetry.names, symmetry.individualized)
    array = np.array(codes, np.int64)
    present = canonize(
        array,
        NO_WEIGHTS if weights is None else np.array(weights, np.int64),
        weights is not None,
        board.symmetry.secrets,
        board.symmetry.secret_at,
        renaming,
    )
    back = [
        rename_code(code, board.symmetry.secrets, board.symmetry.secret_at, renaming)
        for code in codes
    ]
    assert back == array.tolist()
    return [present, *sorted(zip(array.tolist(), weights or [1] * len(codes), strict=True))]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["4x5", "4x5,black"])
@given(st.data())
def test_canonical_form_is_an_image_of_the_set(rules: str, data: st.DataObject) -> None:
    """Where only black marks are given, the colors of each peg have names of their own."""
    board = model_of(board_game(Rules.parse(rules))).board
    codes = data.draw(st.lists(st.integers(0, 624), min_size=1, max_size=4, unique=True))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(codes), max_size=len(codes)))
    order = tuple(data.draw(st.permutations(range(4))))
    black = "black" in rules
    names = [data.draw(st.permutations(range(5))) for _ in range(4 if black else 1)] * 4
    digits = board.symmetry.secrets
    number = {tuple(code.tolist()): k for k, code in enumerate(digits)}
    moved = [
        number[tuple(new[digits[k, peg]] for peg, new in zip(order, names, strict=False))]
        for k in codes
    ]
    mine, theirs = canonical(rules, codes), canonical(rules, moved)
    places = digits[codes].T if black else digits[codes].reshape(1, -1)
    assert mine[0] == theirs[0] == max(len(set(place.tolist())) for place in places)
    # refinement does not settle every tie; the parts that guesses make are always the same
    assert profile(board, codes) == profile(board, [code for code, _ in mine[1:]])
    assert canonical(rules, codes, weights)[0] == mine[0]


@given(st.data())
def test_colors_that_are_alike_are_told_apart(data: st.DataObject) -> None:
    """The colors of some first pegs and of some second ones: what wrong guesses leave."""
    colors = st.sets(st.integers(0, 7), min_size=2)
    first, second = data.draw(colors), data.draw(colors)
    digits = model_of(board_game(Rules.parse("2x8,distinct,black"))).board.symmetry.secrets
    number = {tuple(code.tolist()): k for k, code in enumerate(digits)}
    codes = [number[a, b] for a in first for b in second if a != b]
    name = data.draw(st.permutations(range(8)))
    moved = [number[name[b], name[a]] for a in first for b in second if a != b]
    assert canonical("2x8,distinct,black", codes) == canonical("2x8,distinct,black", moved)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["3x5", "3x5,distinct", "3x4,black", "3x4,blank"])
@given(st.data())
def test_one_guess_of_those_that_are_alike_is_ranked(rules: str, data: st.DataObject) -> None:
    """Sets that a permutation of names leaves as they are have many exchanges that keep them."""
    model = model_of(board_game(Rules.parse(rules)), names_per_peg=True)
    board = model.board
    work, symmetry = SetSearch(model, TranspositionTable(4)).work, board.symmetry
    allowed = [data.draw(st.sets(st.integers(0, 3), min_size=1)) for _ in range(3)]
    own = symmetry.names > symmetry.colors
    inside = [
        all(int(name) - own * peg * symmetry.colors in allowed[peg] for peg, name in enumerate(row))
        for row in symmetry.secrets
    ]
    codes = np.flatnonzero(inside)[: data.draw(st.integers(2, 60))]
    if len(codes) < 2:
        return
    guesses = np.empty(len(board.by_guess), np.int64)
    colors = board.symmetry.colors
    count = rank(
        *(board, work, codes, NO_WEIGHTS, colors, np.zeros(0, np.bool_)),
        *(np.arange(len(codes) + 1), len(guesses), guesses, np.empty(len(guesses), np.int64)),
    )
    groups = [range(first, first + colors) for first in range(0, symmetry.names, colors)]
    codes_of = {tuple(row) for row in symmetry.secrets[codes].tolist()}
    number = {tuple(row): k for k, row in enumerate(symmetry.guesses.tolist())}
    first = {
        k
        for guess, k in number.items()
        if k == min(number[other] for other in naive.alike(guess, codes_of, groups))
        and len(set(board.by_guess[k, codes].tolist())) > 1
    }
    usable = board.usable[colors]
    assert set(guesses[:count].tolist()) == {k for k in first if k < usable}


def profile(board: Any, codes: list[int]) -> list[tuple[int, ...]]:
    """Sizes of parts of all guesses."""
    marks = board.by_guess[:, codes]
    return sorted(tuple(sorted(np.unique(row, return_counts=True)[1].tolist())) for row in marks)


# parts


def random_game(n_marks: int) -> FiniteGame:
    table = np.random.default_rng(n_marks).integers(1, n_marks, (700, 100))
    np.fill_diagonal(table, 0)
    return FiniteGame(range(100), table, range(700))


@pytest.mark.parametrize(
    "game",
    [
        board_game(Rules.parse("4x5")),
        board_game(Rules.parse("7x2")),
        *map(random_game, [3, 32, 33, 64, 65, 250]),
    ],
)
def test_parts_are_counted(game: Game) -> None:
    """The kernel that ranks guesses leaves behind how many parts each of them makes."""
    model = model_of(game)
    board, work = model.board, SetSearch(model, TranspositionTable(4)).work
    everything = np.ones(game.n_guesses, np.bool_)
    best, score = np.empty(1, np.int64), np.empty(1, np.int64)
    for size in (1, 2, 3, 4, 7, 40, 90):
        codes = np.random.default_rng(size).permutation(100)[:size].astype(np.int64)
        rate = np.arange(size + 1)
        rank(board, work, codes, np.ones(1, np.int64), 0, everything, rate, 1, best, score)
        expected = [len(set(row.tolist())) for row in board.by_guess[:, codes]]
        assert work.counts[0].tolist() == expected


@pytest.mark.parametrize("seed", range(12))
def test_parts_that_candidates_make_bound_the_cost(seed: int) -> None:
    """More than 64 marks, few of them for each guess; nothing but the bounds is at stake."""
    table = np.random.default_rng(seed).integers(0, 3, (24, 9)) + 3 * np.arange(24)[:, None]
    table[range(9), range(9)] = 100
    game = FiniteGame(range(9), table, range(24))
    assert game.n_marks > 64
    expected = naive.best_total(table.tolist(), list(range(9)), [1] * 9)
    assert find_optimum(game).tree.total == expected


# table


def test_table_keeps_the_best_that_is_known() -> None:
    table = new_table(4)
    key1, key2 = np.uint64(12345), np.uint64(678)
    assert probe(table, key1, key2)[0] == NOT_FOUND
    store(table, key1, key2, 10, False, -1, 5)
    assert probe(table, key1, key2) == (10, False, -1)
    store(table, key1, key2, 8, False, -1, 5)
    assert probe(table, key1, key2) == (10, False, -1)
    store(table, key1, key2, 12, True, 7, 5)
    store(table, key1, key2, 11, False, -1, 5)
    assert probe(table, key1, key2) == (12, True, 7)
    assert probe(table, key2, key1)[0] == NOT_FOUND
    assert probe(table, key1, np.uint64(679))[0] == NOT_FOUND


def test_small_positions_make_room() -> None:
    table = new_table(4)
    for number, size in enumerate([9, 3, 8, 7, 6]):
        store(table, np.uint64(16 * number), np.uint64(number), size, True, 0, size)
    costs = [probe(table, np.uint64(16 * k), np.uint64(k))[0] for k in range(5)]
    assert costs == [9, NOT_FOUND, 8, 7, 6]


def test_entries_of_two_writers_at_once_are_not_found() -> None:
    table = new_table(4)
    key1, key2 = np.uint64(1), np.uint64(2)
    store(table, key1, key2, 10, True, 3, 5)
    mine = table.copy()
    table[:] = 0
    store(table, key1, key2, 11, False, -1, 5)
    for words in itertools.product([False, True], repeat=4):
        mixed = np.where(np.array(words), mine, table)
        if len(set(words)) == 2:
            assert probe(mixed, key1, key2)[0] == NOT_FOUND


# bounds


def spreads(count: int, parts: int, most: int) -> Iterator[list[int]]:
    """The sizes of at most so many parts of at most so many codes, the largest first."""
    if count == 0:
        yield []
    elif parts:
        for size in range(min(count, most), 0, -1):
            yield from ([size, *rest] for rest in spreads(count - size, parts - 1, size))


def cheapest_spread(
    least: list[int], count: int, parts: int, outside: tuple[int, ...] = (18,) * 7
) -> int:
    """The least cost of codes in at most so many parts, by trying all sizes."""
    return min(
        (
            sum(least[size] for size in sizes)
            for sizes in spreads(count, parts, count)
            if all(sum(sizes[k:]) <= outside[k] for k in range(1, len(sizes)))
        ),
        default=10**6,
    )


@pytest.mark.parametrize("outside", [(18,) * 7, (18, 9, 3, 1, 1, 1), (18, 12, 8, 4, 2, 1)])
@pytest.mark.parametrize(("inside", "most"), [(2, 2), (2, 3), (3, 3), (3, 2), (4, 6), (2, 6)])
def test_bounds_are_below_every_way_to_spread(
    inside: int, most: int, outside: tuple[int, ...]
) -> None:
    bounds = build_bounds(6, 18, outside)
    outside += (0,) * 7
    row = bounds.row[bounds.level[inside], bounds.level[most]]
    least = [0, 1]
    for n in range(2, 19):
        own = n + cheapest_spread(least, n - 1, inside - 1, outside)
        wide = n + cheapest_spread([*least, 10**6], n, most, outside)
        least.append(min(own, wide))
        assert bounds.least[0, row, n] <= least[n]
    for parts in range(1, 7):
        for count in range(19):
            bound = spread(bounds.minorant[0, row], bounds.outside, count, parts)
            assert bound <= cheapest_spread(least, count, parts, outside)


@given(
    st.lists(st.integers(0, 12), min_size=1, max_size=6),
    st.integers(1, 14),
    st.integers(1, 6),
)
def test_a_spread_is_the_cheapest_where_costs_are_convex(
    rests: list[int], count: int, parts: int
) -> None:
    """But for what is lost where sizes would have to be broken numbers."""
    outside = (14, *sorted(rests, reverse=True))
    bounds = build_bounds(6, 14, outside)
    least = [n * n for n in range(17)]
    minorant = np.array([1024 * cost for cost in least])
    cheapest = cheapest_spread(least, count, parts, outside + (0,) * 7)
    assert cheapest - 2 < spread(minorant, bounds.outside, count, parts) <= cheapest


def depths(first: int, parts: int, most: int, count: int) -> list[int]:
    """The depths of codes in a tree as flat as can be: `parts` parts, then `most` each."""
    flat = [1] * first
    width, depth = parts - first, 2
    while len(flat) < count:
        flat += [depth] * (first + width - len(flat))
        width, depth = width * most, depth + 1
    return flat[:count]


@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=12),
    st.integers(2, 4),
    st.integers(2, 4),
    st.booleans(),
)
def test_weighted_bounds_are_below_flat_trees(
    weights: list[int], parts: int, most: int, inside: bool
) -> None:
    parts = min(parts, most)
    heaviest_first = sorted(weights, reverse=True)
    flat = depths(int(inside), parts, most, len(weights))
    cost = sum(w * d for w, d in zip(heaviest_first, flat, strict=True))
    bounds = build_bounds(most + 1, len(weights))
    minorant = bounds.minorant[0, bounds.row[bounds.level[most + 1], bounds.level[most]]]
    assert (
        weighted_after(np.array(heaviest_first), 1, minorant, bounds.outside, inside, parts) <= cost
    )
