"""The exact search against published totals, a plain solver, and itself under other options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, TooLargeError, UnknownNameError
from pegwise.game import Mastermind, Rules, mastermind
from pegwise.search.exact.optimal import OptimalSearch, Optimum, SearchProgress, find_optimum
from pegwise.trees.verify import verify
from tests import naive


def optimum(rules: str, **options: Any) -> Optimum:
    return find_optimum(mastermind(rules), **options)


def total(rules: str, **options: Any) -> int:
    found = optimum(rules, **options)
    assert found.proven
    assert found.tree is not None
    assert found.lower_bound == found.tree.total
    return found.tree.total


def naive_total(rules: str, **options: Any) -> int | None:
    board = Rules.parse(rules)
    secrets = naive.secrets(board.pegs, board.colors, distinct=board.secrets_are_distinct)
    guesses = naive.guesses(board.pegs, board.colors, distinct=board.distinct, blank=board.blank)
    marks = [[naive.mark(g, s, black_only=board.black) for s in secrets] for g in guesses]
    own = [guesses.index(secret) for secret in secrets]
    return naive.best_total(marks, own, [1] * len(secrets), **options)


# published totals


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("4x6", 5625),  # Koyama and Lai 1993
        ("3x6,distinct", 436),  # fancidev
        ("3x7,distinct", 836),
        ("3x3", 73),  # recomputed by the plain solver below, as the next two are
        ("3x4", 206),
    ],
)
def test_known_totals(rules: str, expected: int) -> None:
    assert total(rules) == expected


@pytest.mark.parametrize("colors", range(3, 16))
def test_two_pegs(colors: int) -> None:
    """Chen and Lin 2004: (8n³ + 51n² - 74n + 48) / 24 for even n, - 80n + 69 for odd n."""
    n = colors
    rest = -74 * n + 48 if n % 2 == 0 else -80 * n + 69
    assert total(f"2x{n}") == (8 * n**3 + 51 * n**2 + rest) // 24


def test_two_pegs_distinct() -> None:
    """Chen and Lin 2004, the expected number for even and odd n times n (n - 1)."""
    for n in range(3, 12):
        top = 4 * n**3 + 21 * n**2 + (-76 * n + 72 if n % 2 == 0 else -82 * n + 105)
        assert total(f"2x{n},distinct") * 12 == top


def test_at_most_five_guesses() -> None:
    found = optimum("4x6", max_guesses=5)
    assert found.tree is not None
    assert (found.tree.total, found.tree.worst) == (5626, 5)
    assert sum(found.tree.histogram()) == 1296


def test_candidates_only() -> None:
    assert total("4x6", guesses="candidates") == 5660
    assert total("3x5", guesses="candidates") == 455


@pytest.mark.parametrize(
    ("guess", "expected"),
    [("1233", 5660), ("1234", 5743), ("1122", 5752), ("1222", 5848), ("1111", 6359)],
)
def test_candidates_only_by_first_guess(guess: str, expected: int) -> None:
    game = mastermind("4x6")
    first = game.guess_number([int(color) - 1 for color in guess])
    found = find_optimum(game, guesses="candidates", first=first)
    assert found.tree is not None
    assert found.tree.total == expected
    assert game.guess(int(found.tree.nodes.guess[0])) == tuple(int(c) - 1 for c in guess)


def test_four_guesses_are_impossible() -> None:
    found = optimum("4x6", max_guesses=4)
    assert found.impossible
    assert found.proven
    assert found.tree is None


def test_worst_case_and_then_total() -> None:
    worst = optimum("4x6", objective="worst")
    assert worst.proven
    assert worst.lower_bound == 5
    assert worst.tree is not None
    assert worst.tree.worst == 5
    both = optimum("4x6", objective="worst-total")
    assert both.tree is not None
    assert (both.tree.worst, both.tree.total) == (5, 5626)
    assert both.lower_bound == 5626


def test_worst_case_within_a_limit() -> None:
    assert optimum("4x6", objective="worst", max_guesses=4).impossible
    assert optimum("4x6", objective="worst-total", max_guesses=4).impossible


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "options", "expected"),
    [
        ("4x7", {}, 11228),
        ("4x8", {}, 20471),
        ("4x8", {"max_guesses": 6}, 20473),
        ("4x10,distinct", {}, 26274),
    ],
)
def test_known_totals_of_large_boards(rules: str, options: dict[str, int], expected: int) -> None:
    assert total(rules, threads=2, **options) == expected


@pytest.mark.slow
def test_bulls_and_cows_need_seven() -> None:
    found = optimum("4x10,distinct", max_guesses=7, threads=2)
    assert found.tree is not None
    assert (found.tree.total, found.tree.worst) == (26274, 7)


# the plain solver


SMALL_BOARDS = """
    2x2 2x3 2x4 2x5 2x6 2x7 3x2 3x3 4x2 1x5 5x1 3x1 2x1
    2x3,black 2x4,black 2x5,black 3x2,black 3x3,black 4x2,black
    2x4,distinct 2x6,distinct 3x4,distinct 3x3,distinct 3x4,distinct,black
    2x3,distinct-secrets 2x4,distinct-secrets 3x3,distinct-secrets
    2x3,blank 2x4,blank 3x2,blank 2x3,distinct,blank 2x3,blank,black
    2x4,distinct,blank,black 3x3,distinct-secrets,blank
"""


@pytest.mark.parametrize("rules", SMALL_BOARDS.split())
def test_agrees_with_plain_solver(rules: str) -> None:
    assert total(rules) == naive_total(rules)


LARGER_BOARDS = """
    3x4 4x3 3x4,black 4x3,black 2x7,black 2x7,distinct 2x7,distinct,black 3x5,distinct
"""


@pytest.mark.slow
@pytest.mark.parametrize("rules", LARGER_BOARDS.split())
def test_agrees_with_plain_solver_on_larger_boards(rules: str) -> None:
    assert total(rules) == naive_total(rules)


@pytest.mark.parametrize("rules", ["2x4", "3x3", "2x4,distinct", "3x3,black", "2x3,blank"])
@pytest.mark.parametrize("most", [2, 3, 4])
def test_limits_agree_with_plain_solver(rules: str, most: int) -> None:
    expected = naive_total(rules, most=most)
    found = optimum(rules, max_guesses=most)
    assert found.proven
    assert (None if found.tree is None else found.tree.total) == expected


@pytest.mark.parametrize("rules", ["2x4", "3x3", "2x5,distinct", "3x3,black"])
def test_candidates_agree_with_plain_solver(rules: str) -> None:
    assert total(rules, guesses="candidates") == naive_total(rules, candidates_only=True)


# weights


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=16, max_size=16), st.booleans())
def test_weights_on_a_board(weights: list[int], by_class: bool) -> None:
    """Any weights, and weights that symmetries keep (doubles against the rest)."""
    game = mastermind("2x4")
    if by_class:
        doubles = [len(set(game.secret(number))) == 1 for number in range(16)]
        weights = [weights[0] if double else weights[1] for double in doubles]
    weights[0] += not any(weights)
    marks = [
        [game.mark_of(g, s) for s in map(game.secret, range(16))]
        for g in map(game.guess, range(16))
    ]
    found = find_optimum(Mastermind(game.rules, weights))
    assert found.tree is not None
    assert found.tree.total == naive.best_total(marks, list(range(16)), weights)


def test_equal_weights_change_nothing() -> None:
    found = find_optimum(Mastermind(Rules(3, 5), [7] * 125))
    assert found.tree is not None
    assert found.tree.total == 7 * total("3x5")


# threads, orders, interruption


@pytest.mark.parametrize("rules", ["3x7", "4x5", "3x8,distinct", "3x4,black"])
def test_threads_change_neither_value_nor_tree(rules: str) -> None:
    alone, together = optimum(rules), optimum(rules, threads=3)
    assert alone.tree is not None
    assert together.tree is not None
    for mine, theirs in zip(alone.tree.nodes, together.tree.nodes, strict=True):
        assert np.array_equal(mine, theirs)


def test_tree_does_not_depend_on_the_table() -> None:
    small = optimum("4x5", table_bits=6)
    large = optimum("4x5", table_bits=18)
    assert small.tree is not None
    assert large.tree is not None
    for mine, theirs in zip(small.tree.nodes, large.tree.nodes, strict=True):
        assert np.array_equal(mine, theirs)


def test_interrupted_search_keeps_best_tree_and_bound() -> None:
    search = OptimalSearch(mastermind("4x7"))
    steps = iter(search)
    seen: list[SearchProgress] = [next(steps) for _ in range(12)]
    steps.close()  # type: ignore[attr-defined]
    answer = search.result()
    assert not answer.proven
    assert answer.tree is not None
    assert verify(answer.tree).valid
    assert 10_000 < answer.lower_bound <= 11228 <= answer.tree.total
    assert seen[-1].value is not None
    assert seen[-1].lower_bound <= 11228 <= seen[-1].value
    assert seen[-1].positions > seen[0].positions
    assert 0 <= seen[-1].fraction <= 1


def test_search_left_at_once_has_a_tree() -> None:
    search = OptimalSearch(mastermind("4x6"))
    steps = iter(search)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    answer = search.result()
    assert not answer.proven
    assert answer.tree is not None
    assert answer.lower_bound <= 5625 <= answer.tree.total


@pytest.mark.parametrize("objective", ["worst", "worst-total"])
def test_interrupted_worst_case_has_a_tree_and_a_bound(objective: str) -> None:
    search = OptimalSearch(mastermind("4x7"), objective=objective)
    steps = iter(search)
    for _ in range(3):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    answer = search.result()
    assert not answer.proven
    assert answer.tree is not None
    if objective == "worst":
        assert answer.lower_bound <= 6 <= answer.tree.worst
    else:
        assert 9_000 < answer.lower_bound <= answer.tree.total


def test_bounds_close_in_on_the_optimum() -> None:
    steps = list(OptimalSearch(mastermind("3x9")))
    bounds = [step.lower_bound for step in steps]
    assert max(bounds) == bounds[-1] == steps[-1].value
    assert steps[-1].fraction == 1


def test_effort_gives_a_tree_without_proof() -> None:
    found = optimum("4x7", effort=1)
    assert not found.proven
    assert found.tree is not None
    assert 11228 <= found.tree.total < 11500
    assert found.lower_bound <= 11228


# refusals


def test_refuses_bad_options() -> None:
    game = mastermind("3x3")
    with pytest.raises(UnknownNameError, match="worst-total"):
        OptimalSearch(game, objective="worst-tot")
    with pytest.raises(UnknownNameError, match="candidates"):
        OptimalSearch(game, guesses="some")
    with pytest.raises(InputError, match="0 guesses"):
        OptimalSearch(game, max_guesses=0)
    with pytest.raises(InputError, match="0 threads"):
        OptimalSearch(game, threads=0)


def test_refuses_a_first_guess_that_is_no_candidate() -> None:
    game = mastermind("3x3,distinct-secrets")
    first = game.guess_number((0, 0, 1))
    with pytest.raises(InputError, match="AAB"):
        OptimalSearch(game, guesses="candidates", first=first)


def test_refuses_boards_too_large() -> None:
    with pytest.raises(TooLargeError, match=r"5x8 has 32,768 secrets.*--effort"):
        OptimalSearch(mastermind("5x8"))


def test_refuses_weights_too_large() -> None:
    with pytest.raises(TooLargeError, match="weights"):
        OptimalSearch(Mastermind(Rules(3, 3), [10**9] * 27))
