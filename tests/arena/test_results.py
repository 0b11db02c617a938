"""Pairs of strategies, the interval of a mean, results as documents and tables."""

import csv
import io
import math
import statistics
from dataclasses import astuple
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arena import Race, RaceResults
from pegwise.arena.race import turns_csv
from pegwise.arena.results import (
    by_mean,
    duels,
    standings_csv,
)
from pegwise.statistics import interval_of, mean_interval, student
from tests import naive


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 4)),
        min_size=1,
        max_size=30,
    )
)
def test_pairs_against_the_slow_twin(secrets: list[tuple[int, int, int, int]]) -> None:
    *columns, times = zip(*secrets, strict=True)
    depths = {name: np.array(column, np.int32) for name, column in zip("abc", columns, strict=True)}
    pairs = duels(depths, dict.fromkeys(depths, np.array(times, np.int64)))
    assert [(duel.first, duel.second) for duel in pairs] == list(combinations("abc", 2))
    for duel in pairs:
        first = dict(enumerate(depths[duel.first].tolist()))
        second = dict(enumerate(depths[duel.second].tolist()))
        assert naive.duel(first, second, dict(enumerate(times))) == astuple(duel)[2:]
        assert naive.duel(second, first, dict(enumerate(times))) == astuple(duel.exchanged())[2:]


@cache
def results(games: int | None) -> RaceResults:
    strategies = ["knuth:guesses=candidates,then=size", "random:seed=2", "greenwell"]
    return Race("3x4", strategies, games=games, lenient=True).run()


def test_the_document_has_what_the_design_says() -> None:
    document = results(None).document()
    assert (document["rules"], document["secrets"], document["seed"]) == ("3x4", 64, 0)
    assert document["version"] and [skip["strategy"] for skip in document["skipped"]] == [
        "greenwell"
    ]
    options = {s["strategy"]: s["options"] for s in document["results"]}
    assert options == {"knuth": {"guesses": "candidates", "then": "size"}, "random": {"seed": 2}}
    for standing in document["results"]:
        histogram = standing["histogram"]
        assert list(histogram) == [str(k) for k in range(1, standing["worst"] + 1)]
        assert sum(histogram.values()) == 64
        assert standing["total"] == sum(int(k) * won for k, won in histogram.items())
        assert standing["mean"] == standing["total"] / 64
        assert standing["seconds"] > 0 and standing["nodes"] >= 64


def test_standings_as_a_table() -> None:
    races = [results(None), results(50)]
    rows = list(csv.DictReader(io.StringIO(standings_csv(races))))
    standings = [standing for raced in races for standing in raced.standings]
    assert len(rows) == len(standings) == 4
    longest = max(standing.worst for standing in standings)
    for row, standing in zip(rows, standings, strict=True):
        assert (row["strategy"], row["rules"]) == (standing.strategy, "3x4")
        assert int(row["games"]) == standing.secrets
        assert (int(row["total"]), int(row["worst"])) == (standing.total, standing.worst)
        assert float(row["mean"]) == standing.mean
        won = [int(row[f"won_{k}"]) for k in range(1, longest + 1)]
        assert won == [*standing.histogram, *[0] * (longest - standing.worst)]
        interval = [str(end) for end in standing.interval or ("", "")]
        assert [row["mean_from"], row["mean_to"]] == interval
        exact = standing.exact
        assert row["exact_mean"] == ("" if exact is None else str(exact.mean))
    assert standings_csv([]).startswith("rules,seed,games,strategy,total")


def test_results_print_as_a_table_and_give_rows() -> None:
    raced = results(None)
    title, table, *_, skipped = str(raced).split("\n\n")
    assert title.startswith("3x4 ")
    heads, *lines = table.splitlines()
    assert heads.split() == ["strategy", "mean", "total", "worst", "time"]
    assert [line.split()[0] for line in lines] == [s.strategy for s in by_mean(raced.standings)]
    assert "greenwell: " in skipped
    rows = raced.rows()
    assert [row["total"] for row in rows] == [s.total for s in raced.standings]
    assert all(row["mean_from"] is None and row["won_1"] == 1 for row in rows)


def test_turns_as_a_table() -> None:
    whole = Race("2x3", ["first", "knuth"])
    second = Race("3x2", ["knuth", "parts"], games=4, seed=1)
    for entered in (whole, second):
        entered.run()
    rows = list(csv.DictReader(io.StringIO(turns_csv([whole, second]))))
    assert len(rows) == 9 + len(second.draw)
    assert rows[1] == {
        "rules": "2x3",
        "secret": "AB",
        "games": "1",
        "first": str(whole.depths["first"][1]),
        "knuth": str(whole.depths["knuth"][1]),
        "parts": "",
    }
    assert sum(int(row["games"]) for row in rows) == 9 + 4
    assert [row["first"] for row in rows[9:]] == [""] * len(second.draw)


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
    # the formula for many degrees goes on where the other one ends
    assert student(201) < student(200) == pytest.approx(student(201), abs=1e-4)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(lambda h: sum(h) > 1))
def test_an_interval_by_the_usual_formula(histogram: list[int]) -> None:
    games = [k for k, count in enumerate(histogram, 1) for _ in range(count)]
    reach = student(len(games) - 1) * statistics.stdev(games) / math.sqrt(len(games))
    mean = statistics.mean(games)
    assert mean_interval(histogram) == pytest.approx((mean - reach, mean + reach))
    values, times = np.arange(1.0, len(histogram) + 1), np.array(histogram, np.int64)
    assert interval_of(values, times) == pytest.approx((mean - reach, mean + reach))


def test_intervals_of_a_single_game_and_of_games_that_are_alike() -> None:
    assert mean_interval([]) is mean_interval([0, 1]) is None
    assert interval_of(np.ones(1), np.ones(1, np.int64)) is None
    assert mean_interval([0, 0, 7]) == (3, 3)
