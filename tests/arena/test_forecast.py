"""Estimates of times and memory against recorded ones."""

import csv
from pathlib import Path

import pytest

from pegwise.arena.forecast import (
    MEASURED,
    Measured,
    error_factor,
    estimate,
    fit,
    memory_of,
)
from pegwise.errors import InputError
from pegwise.game import Rules

RECORDED = Path(__file__).parent.parent / "data" / "measured-trees.csv"
WITHIN = 1.6
"""The factor within which every recorded time is estimated."""


def recorded() -> list[dict[str, str]]:
    """Recorded measurements: rules, strategy, seconds and, of some, MiB at most."""
    with RECORDED.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_recorded_times_are_estimated_within_the_stated_factor() -> None:
    law = fit(MEASURED)
    rows = recorded()
    assert len(rows) > 20
    for row in rows:
        told = law.seconds(Rules.parse(row["rules"]), row["strategy"])
        assert 1 / WITHIN < told / float(row["seconds"]) < WITHIN, row


def test_recorded_memory_is_estimated_within_a_tenth() -> None:
    rows = [row for row in recorded() if row["mib"]]
    assert len(rows) > 2
    for row in rows:
        told = memory_of(Rules.parse(row["rules"])) / 2**20
        assert told == pytest.approx(float(row["mib"]), rel=0.1), row


def test_a_law_is_found_again() -> None:
    boards = [Rules.parse(board) for board in ("3x4", "4x6", "5x5", "5x8", "6x4", "6x9")]

    def seconds(rules: Rules, strategy: str) -> float:
        slower = 3.0 if strategy == "b" else 1.0
        return float(1e-8 * rules.n_secrets**1.5 * 1.2**rules.pegs * slower)

    law = fit(Measured(rules, name, seconds(rules, name)) for rules in boards for name in "ab")
    for board in ("4x4", "7x10"):
        rules = Rules.parse(board)
        for name in "ab":
            assert law.seconds(rules, name) == pytest.approx(seconds(rules, name), rel=1e-6)


def test_what_cannot_be_told_is_refused() -> None:
    with pytest.raises(InputError, match="0 measurements are too few"):
        fit([])
    with pytest.raises(InputError, match="3 measurements are too few"):
        fit(MEASURED[:3])
    with pytest.raises(InputError, match=r"'?first'? cannot be told beforehand.*knuth"):
        fit(MEASURED).seconds(Rules.parse("4x6"), "first")


def test_more_workers_take_less() -> None:
    law, rules = fit(MEASURED), Rules.parse("7x10")
    times = [estimate(law, rules, "knuth", workers) for workers in (1, 16, 64, 1024)]
    assert times == sorted(times, reverse=True)
    assert times[0] == law.seconds(rules, "knuth")


def test_the_largest_error_is_found() -> None:
    boards = [Rules.parse(board) for board in ("3x4", "4x4", "5x3", "4x5", "5x4", "4x6")]
    trees = [Measured(rules, "a", rules.n_secrets * 1e-6) for rules in boards]
    trees.sort(key=lambda tree: tree.rules.n_secrets)
    assert error_factor(trees) == pytest.approx(1, rel=1e-6)
    late = trees[-1]._replace(seconds=trees[-1].seconds * 4)
    assert error_factor([*trees[:-1], late]) == pytest.approx(4, rel=1e-6)
    assert 1 < error_factor(MEASURED) < WITHIN
    with pytest.raises(InputError, match="1 measurements are too few"):
        error_factor(MEASURED[:1])
