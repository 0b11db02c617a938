"""The search for the smallest fixed set, against enumeration and published sizes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, mastermind
from pegwise.search.certificates.claims import FixedSet, confused
from pegwise.search.static.search import StaticSearch, find_static
from pegwise.search.static.tree import Prepared, tasks
from tests import naive
from tests.boards import small_rules


def smallest(rules: str, **options: Any) -> int:
    """Size of the smallest set, which must be proven and right."""
    found = find_static(mastermind(rules), **options)
    assert found.proven
    assert found.guesses is not None
    assert confused(mastermind(rules), found.guesses) is None
    assert found.size is not None
    return found.size


@given(small_rules(codes=30, largest=5))
@settings(max_examples=60)
def test_agrees_with_trying_every_set(rules: Rules) -> None:
    game = mastermind(rules)
    guesses = [tuple(code) for code in game.guess_codes.tolist()]
    secrets = [tuple(code) for code in game.secret_codes.tolist()]
    if rules.n_secrets * 2 > 27 and rules.black:  # too many sets to try
        return
    marking = partial(naive.mark, black_only=rules.black)
    assert smallest(str(rules)) == naive.fewest_fixed(guesses, secrets, marking)


@pytest.mark.parametrize("seed", range(15))
def test_any_finite_game(seed: int) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(1, 3, (14, 9))
    table[np.arange(9), np.arange(9)] = 0
    game = FiniteGame(range(9), table, range(14), name="random")
    found = find_static(game, threads=1 + seed % 2)
    fewest = naive.fewest_fixed(range(14), range(9), lambda guess, secret: table[guess][secret])
    assert found.proven
    assert found.size == fewest


@pytest.mark.parametrize("colors", range(3, 14))
def test_two_pegs(colors: int) -> None:
    """W. Goddard, Static Mastermind, 2003: two thirds of the colors, rounded up."""
    assert smallest(f"2x{colors}") == -(-2 * colors // 3)


def test_two_pegs_and_two_colors() -> None:
    assert smallest("2x2") == 2


def test_two_colors_and_black_marks() -> None:
    """OEIS A303735, the metric dimension of cubes."""
    assert [smallest(f"{pegs}x2,black") for pegs in range(1, 8)] == [1, 2, 3, 4, 4, 5, 6]


@pytest.mark.parametrize("colors", range(2, 6))
def test_three_pegs_and_black_marks(colors: int) -> None:
    """G. Jäger and F. Drewes, SAGT 2018: three halves of the colors, rounded down."""
    assert smallest(f"3x{colors},black") == 3 * colors // 2


@pytest.mark.parametrize("colors", range(3, 8))
def test_two_pegs_and_black_marks(colors: int) -> None:
    """The metric dimension of the square of a complete graph."""
    assert smallest(f"2x{colors},black") == (4 * colors - 2) // 3


def test_six_guesses_on_the_classic_board_and_five_are_impossible() -> None:
    assert smallest("4x6", threads=2) == 6


@pytest.mark.parametrize(
    ("rules", "size"),
    [("2x8", 6), ("3x6", 5), ("4x4", 4), ("3x4,black", 6), ("4x5,distinct", 5), ("3x3,blank", 3)],
)
def test_exhaustion_alone_finds_them_too(rules: str, size: int) -> None:
    """Where sets exist, none of the cuts of the search loses all of them."""
    search = StaticSearch(mastermind(rules))
    # a useless set, and a search that is past its local part
    search.best, search.refuting = tuple(range(search.game.n_guesses)), 1
    for _ in search:
        pass
    assert search.result().proven
    assert search.result().size == size


def test_asked_whether_so_many_are_enough() -> None:
    yes = find_static(mastermind("3x5"), guesses=5)
    assert yes.size is not None
    assert yes.size <= 5
    no = find_static(mastermind("3x5"), guesses=3)
    assert no.lower_bound == 4
    assert no.size is not None
    assert no.size >= 4
    assert find_static(mastermind("3x5"), guesses=1).lower_bound > 1


def test_one_code_needs_no_guess() -> None:
    assert find_static(mastermind("5x1")) == FixedSet(mastermind("5x1"), (), 0, 0)


def test_threads_and_seeds_change_no_size() -> None:
    found = [find_static(mastermind("3x7"), threads=threads) for threads in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert smallest("3x7", seed=5) == 6


def test_left_early_it_keeps_a_set_and_a_bound() -> None:
    search = StaticSearch(mastermind("3x9"))
    for step in search:
        if step.lower_bound == 7 and step.fraction > 0:
            search.stop()
    found = search.result()
    assert not search.finished
    assert not found.proven
    assert found.lower_bound == 7
    assert found.guesses is not None
    assert confused(search.game, found.guesses) is None


def test_closed_early_it_keeps_them_too() -> None:
    search = StaticSearch(mastermind("3x9"), threads=2)
    for step in search:
        if step.lower_bound == 7:
            break
    found = search.result()
    assert (found.lower_bound, found.proven) == (7, False)
    assert not search.stopped


def test_tasks_go_on_where_they_stopped() -> None:
    prepared = Prepared(mastermind("3x7"))
    every = [task.path for task in tasks(prepared, 5)]
    assert every == sorted(every)
    assert len(every) > 100
    for start in (every[0], every[40], every[-1]):
        later = [task.path for task in tasks(prepared, 5, start)]
        assert later[0] == start
        # images of sets before the start are forgotten, so that some may come again
        assert set(later) >= {path for path in every if path >= start}


def test_fractions_grow() -> None:
    fractions = [task.fraction for task in tasks(Prepared(mastermind("3x6")), 4)]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] < 1


def test_refuses_what_is_out_of_range_or_too_large() -> None:
    with pytest.raises(InputError, match="-1 guesses: write a whole number from 0"):
        StaticSearch(mastermind("3x3"), guesses=-1)
    with pytest.raises(InputError, match="0 threads"):
        StaticSearch(mastermind("3x3"), threads=0)
    with pytest.raises(TooLargeError, match="5x8 has 32,768 secrets"):
        StaticSearch(mastermind("5x8"))


def test_weights_do_not_matter() -> None:
    game = Mastermind(Rules(2, 4), [1] * 15 + [9])
    assert find_static(game).size == 3
