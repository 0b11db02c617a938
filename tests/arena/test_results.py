"""Pairs of strategies, and results as documents and tables."""

import csv
import io
import json
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arena import Duel, Race, RaceResults, race
from pegwise.arena.protocols import from_document, standings_csv, to_document, turns_csv
from pegwise.arena.results import duels
from pegwise.errors import DataFileError
from pegwise.game import mastermind
from pegwise.strategies import load, parse
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
    found = duels(depths, np.array(times, np.int64))
    assert [(duel.first, duel.second) for duel in found] == list(combinations("abc", 2))
    counted = dict(enumerate(times))
    for duel in found:
        first = dict(enumerate(depths[duel.first].tolist()))
        second = dict(enumerate(depths[duel.second].tolist()))
        assert naive.duel(first, second, counted) == (
            duel.first_faster,
            duel.second_faster,
            duel.ties,
            duel.first_by_at_most,
            duel.second_by_at_most,
        )


def test_minimax_and_entropy_each_win_somewhere() -> None:
    # Forget: entropy proves better in some cases and minimax in others; which in how many is
    # determined by the rule for ties
    results = race(mastermind("4x6"), [load("knuth"), load("entropy")])
    assert results.duels == (Duel("knuth", "entropy", 308, 378, 610, 3, 3),)
    knuth, entropy = results.standings
    assert knuth.total - entropy.total == 5801 - 5722
    assert knuth.worst < entropy.worst


def test_forgets_own_comparison() -> None:
    # edition of 2026: 223 secrets of 4x6 are faster by entropy, 195 by minimax, each by at most 3;
    # these are one run, where rounding decides between equal codes (see docs/forget.md)
    (duel,) = race(mastermind("4x6"), [load("forget-entropy"), load("forget-minimax")]).duels
    assert duel == Duel("forget-entropy", "forget-minimax", 209, 183, 904, 2, 3)


def guess(criterion: str, codes: list[naive.Code], left: Sequence[naive.Code]) -> naive.Code:
    chosen: naive.Code = naive.one_step(criterion, codes, left, naive.mark)
    return chosen


@pytest.mark.parametrize("rules", [(2, 4), (3, 3), (3, 4)])
def test_minimax_against_entropy_by_the_slow_twin(rules: tuple[int, int]) -> None:
    codes = naive.secrets(*rules)
    minimax, entropy = (
        naive.depths(partial(guess, criterion, codes), codes, naive.mark)
        for criterion in ("minimax", "entropy")
    )
    (duel,) = race(mastermind("{}x{}".format(*rules)), [load("knuth"), load("entropy")]).duels
    expected = naive.duel(minimax, entropy, dict.fromkeys(codes, 1))
    assert expected == (
        duel.first_faster,
        duel.second_faster,
        duel.ties,
        duel.first_by_at_most,
        duel.second_by_at_most,
    )


def results(games: int | None) -> RaceResults:
    strategies = [parse("knuth:guesses=candidates,then=size"), load("random", seed=2)]
    found = Race(mastermind("3x4"), strategies, games=games, skipped=[("slow", "too slow")])
    return found.run()


@pytest.mark.parametrize("games", [None, 1, 50])
def test_a_document_gives_back_the_results(games: int | None) -> None:
    found = results(games)
    assert from_document(json.loads(json.dumps(to_document(found)))) == found


def test_the_document_has_what_the_design_says() -> None:
    document = to_document(results(None))
    assert document.keys() >= {"version", "rules", "secrets", "seed", "results"}
    assert (document["rules"], document["secrets"], document["seed"]) == ("3x4", 64, 0)
    first, second = document["results"]
    assert (first["strategy"], first["options"]) == (
        "knuth",
        {"guesses": "candidates", "then": "size"},
    )
    assert (second["strategy"], second["options"]) == ("random", {"seed": 2})
    for one in (first, second):
        histogram = one["histogram"]
        assert list(histogram) == [str(k) for k in range(1, one["worst"] + 1)]
        assert sum(histogram.values()) == 64
        assert one["total"] == sum(int(k) * won for k, won in histogram.items())
        assert one["mean"] == one["total"] / 64
        assert one["seconds"] > 0
        assert one["nodes"] >= 64


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: [],
        lambda document: None,
        lambda document: "race",
        lambda document: {},
        lambda document: document.pop("rules") and document,
        lambda document: document | {"results": [{}]},
        lambda document: document | {"results": 5},
        lambda document: document | {"duels": [{"first": "a"}]},
        lambda document: document | {"skipped": [["a", "b"]]},
        lambda document: document | {"results": [document["results"][0] | {"card": {}}]},
        lambda document: document | {"results": [document["results"][0] | {"histogram": {}}]},
    ],
)
def test_what_is_no_document(spoil: Any) -> None:
    with pytest.raises(DataFileError, match="no document of a race"):
        from_document(spoil(to_document(results(None))))


def test_standings_as_a_table() -> None:
    races = [results(None), results(50)]
    rows = list(csv.DictReader(io.StringIO(standings_csv(races))))
    standings = [standing for found in races for standing in found.standings]
    assert len(rows) == len(standings) == 4
    longest = max(standing.worst for standing in standings)
    for row, standing in zip(rows, standings, strict=True):
        assert row["strategy"] == standing.strategy
        assert row["rules"] == "3x4"
        assert int(row["games"]) == standing.secrets
        assert (int(row["total"]), int(row["worst"])) == (standing.total, standing.worst)
        assert float(row["mean"]) == standing.mean
        won = [int(row[f"won_{k}"]) for k in range(1, longest + 1)]
        assert won == [*standing.histogram, *[0] * (longest - standing.worst)]
        if standing.interval is None:
            assert row["mean_from"] == row["mean_to"] == ""
        else:
            assert (float(row["mean_from"]), float(row["mean_to"])) == standing.interval
        if standing.exact is None:
            assert row["exact_mean"] == row["exact_total"] == row["exact_worst"] == ""
        else:
            assert float(row["exact_mean"]) == standing.exact.mean


def test_no_standings_as_a_table() -> None:
    assert standings_csv([]).startswith("rules,seed,games,strategy,total")


def test_turns_as_a_table() -> None:
    whole = Race(mastermind("2x3"), [load("first"), load("knuth")])
    other = Race(mastermind("3x2"), [load("knuth"), load("parts")], games=4, seed=1)
    for found in (whole, other):
        found.run()
    rows = list(csv.DictReader(io.StringIO(turns_csv([whole, other]))))
    assert len(rows) == 9 + len(other.draw)
    assert rows[1] == {
        "rules": "2x3",
        "secret": "AB",
        "games": "1",
        "first": str(whole.depths["first"][1]),
        "knuth": str(whole.depths["knuth"][1]),
        "parts": "",
    }
    assert sum(int(row["games"]) for row in rows) == 9 + 4
    assert [row["first"] for row in rows[9:]] == [""] * len(other.draw)
