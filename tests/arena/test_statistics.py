"""The interval of a mean, against tables and against the usual formula."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arena import race
from pegwise.arena.results import mean_interval, student
from pegwise.errors import InputError
from pegwise.game import mastermind
from pegwise.strategies import load


@pytest.mark.parametrize(
    ("freedom", "t"),
    [
        # Student's t for 95 %, both sides, as every table has it
        *((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228)),
        *((20, 2.086), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980), (10**6, 1.960)),
    ],
)
def test_student_by_the_table(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=5e-4)


def test_student_at_other_confidences() -> None:
    assert student(10, 0.9) == pytest.approx(1.812, abs=5e-4)
    assert student(7, 0.99) == pytest.approx(3.499, abs=5e-4)


def test_the_two_formulas_for_student_meet() -> None:
    assert student(200) == pytest.approx(student(201), abs=1e-4)
    assert student(200) > student(201)


@pytest.mark.parametrize(("freedom", "confidence"), [(0, 0.95), (5, 0), (5, 1)])
def test_student_out_of_range(freedom: int, confidence: float) -> None:
    with pytest.raises(InputError):
        student(freedom, confidence)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(lambda h: sum(h) > 1))
def test_an_interval_by_the_usual_formula(histogram: list[int]) -> None:
    games = [k for k, count in enumerate(histogram, 1) for _ in range(count)]
    reach = student(len(games) - 1) * statistics.stdev(games) / math.sqrt(len(games))
    interval = mean_interval(histogram)
    assert interval is not None
    mean = statistics.mean(games)
    assert interval == pytest.approx((mean - reach, mean + reach))


@pytest.mark.parametrize("histogram", [[], [0, 1]])
def test_a_single_game_has_no_interval(histogram: list[int]) -> None:
    assert mean_interval(histogram) is None


def test_games_that_are_all_alike() -> None:
    assert mean_interval([0, 0, 7]) == (3, 3)


def test_the_interval_holds_the_mean_as_often_as_it_says() -> None:
    game, strategy = mastermind("3x4"), load("knuth")
    held = 0
    for seed in range(1000):
        standing = race(game, [strategy], games=25, seed=seed).standings[0]
        assert standing.interval is not None
        assert standing.exact is not None
        low, high = standing.interval
        held += low <= standing.exact.mean <= high
    # 95 %, give or take four standard deviations of 1000 trials
    assert 922 <= held <= 978
