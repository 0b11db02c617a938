"""The search for the smallest fixed set, against enumeration and published sizes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, board_game, game_of
from pegwise.progress import run_until
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.static.search import StaticSearch, find_static
from pegwise.search.storage import Blocks
from tests import naive
from tests.boards import small_rules

CUBES = (1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8)


def smallest(rules: str, **options: Any) -> int:
    """Size of the smallest set, which must be proven and right."""
    answer = find_static(rules, **options)
    assert answer.proven
    assert answer.size is not None
    assert answer.problems() == []
    return answer.size


@pytest.mark.slow
@given(small_rules(codes=30, largest=5))
def test_agrees_with_trying_every_set(rules: Rules) -> None:
    game = board_game(rules)
    guesses = [tuple(code) for code in game.guess_codes.tolist()]
    secrets = [tuple(code) for code in game.secret_codes.tolist()]
    if rules.n_secrets * 2 > 27 and rules.black:  # too many sets to try
        return
    marking = partial(naive.mark, black_only=rules.black)
    assert smallest(str(rules)) == naive.fewest_fixed(guesses, secrets, marking)


@pytest.mark.parametrize("seed", range(10))
def test_any_finite_game(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(1, 3, (14, 9))
    table[np.arange(9), np.arange(9)] = 0
    game = FiniteGame(range(9), table, range(14), name="random")
    answer = find_static(game, threads=1 + seed % 2)
    fewest = naive.fewest_fixed(range(14), range(9), lambda guess, secret: table[guess][secret])
    assert answer.proven
    assert answer.size == fewest


@pytest.mark.parametrize(
    ("sizes", "source"),
    [
        (
            {"2x2": 2, **{f"2x{colors}": -(-2 * colors // 3) for colors in range(3, 11)}},
            "W. Goddard, Static Mastermind, 2003: two thirds of the colors, rounded up",
        ),
        pytest.param(
            {f"{pegs}x2,black": n for pegs, n in enumerate([1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8], 1)},
            "OEIS A303735, the metric dimension of cubes",
            marks=pytest.mark.slow,
        ),
        (
            {f"3x{colors},black": 3 * colors // 2 for colors in range(2, 6)},
            "G. Jäger and F. Drewes, SAGT 2018: three halves of the colors, rounded down",
        ),
        (
            {f"2x{colors},black": (4 * colors - 2) // 3 for colors in range(3, 8)},
            "the metric dimension of the square of a complete graph",
        ),
    ],
)
def test_published_sizes(sizes: dict[str, int], source: str) -> None:
    assert {rules: smallest(rules) for rules in sizes} == sizes, source


@pytest.mark.slow
def test_five_guesses_on_five_colors_and_four_are_impossible() -> None:
    assert smallest("4x5", threads=2) == 5


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("2x8", 6),
        ("3x6", 5),
        ("4x4", 4),
        ("3x4,black", 6),
        ("8x2,black", 6),
        ("4x5,distinct", 5),
        ("3x3,blank", 3),
    ],
)
def test_exhaustion_alone_finds_them_too(rules: str, size: int) -> None:
    """Where sets exist, none of the cuts of the search loses all of them."""
    search = StaticSearch(game_of(rules))
    # a useless set, and a search that is past its local part
    search.best, search.refuting = tuple(range(search.game.n_guesses)), 1
    search.run()
    assert search.result().proven
    assert search.result().size == size


def test_asked_whether_so_many_are_enough() -> None:
    assert find_static("3x5", size=5).size in range(6)
    refuted = find_static("3x5", size=3)
    assert refuted.lower_bound == 4
    assert len(refuted.guesses) >= 4
    assert find_static("3x5", size=1).lower_bound > 1


def test_large_boards_begin_with_the_bound_of_smaller_ones() -> None:
    """What 4x6 needs with holes in the guesses, 4x8 needs too; small boards are proven anew."""
    large, small = StaticSearch(game_of("4x8")), StaticSearch(game_of("4x6"))
    for search in (large, small):
        assert run_until(search.run, lambda _: True)
    assert large.lower_bound >= 6
    assert small.lower_bound == 3


def test_small_cases() -> None:
    game = board_game(Rules.parse("5x1"))
    assert find_static(game) == FixedSet(game, (), 0, 0)
    weighted = Mastermind(Rules(2, 4), [1] * 15 + [9])
    assert find_static(weighted).size == 3


@pytest.mark.slow
def test_threads_and_seeds_change_no_size() -> None:
    answers = [find_static("3x6", threads=threads) for threads in (1, 2, 3)]
    # how many sets are tried depends on which pairs a thread has met before
    assert len({(answer.numbers, answer.proven) for answer in answers}) == 1
    assert smallest("3x6", seed=5) == 5


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_left_early_it_has_a_set_and_a_bound(threads: int) -> None:
    search = StaticSearch(game_of("3x8"), threads=threads)
    assert run_until(search.run, lambda step: step.lower_bound == 6 and step.fraction > 0)
    answer = search.result()
    assert not search.finished
    assert (answer.lower_bound, answer.proven) == (6, False)
    assert answer.numbers is not None
    assert answer.problems() == []


@pytest.mark.slow
def test_a_small_set_of_more_pegs_than_are_published_is_seen_soon() -> None:
    answer = find_static("14x2,black", size=9)
    assert (answer.size, answer.problems()) == (9, [])


def test_a_checkpoint_from_before_columns_keeps_the_set_but_not_the_path() -> None:
    search, later = StaticSearch(game_of("9x2,black")), StaticSearch(game_of("9x2,black"))
    assert run_until(search.run, lambda step: step.lower_bound == 6 and bool(search.path))
    state, _ = search.state()
    later.restore(state, Blocks(b""))
    assert later.path == search.path
    del state["peg_by_peg"]
    later.restore(state, Blocks(b""))
    assert (later.path, later.best, later.refuting) == ((), search.best, 6)


def test_refuses_what_is_out_of_range_or_too_large() -> None:
    wrong: tuple[dict[str, Any], ...] = ({"guesses": -1}, {"guesses": "3"}, {"threads": 0})
    for options in wrong:
        with pytest.raises(InputError):
            StaticSearch(game_of("3x3"), **options)
    with pytest.raises(TooLargeError, match="5x8"):
        StaticSearch(game_of("5x8"))
