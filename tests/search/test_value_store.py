"""Certificates of values: stored, read again, checked, and refused when they are wrong."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pegwise.errors import DataFileError, StrategyError
from pegwise.game import Rules, mastermind
from pegwise.knowledge.codemaker import draw_secret
from pegwise.search.archive import pack, unpack
from pegwise.search.certificates import values as value_store
from pegwise.search.certificates.values import (
    StoredValue,
    certificate,
    check_value,
    check_value_rows,
    keep_value,
    load_value,
    save_value,
    shipped,
    stored_value,
    value_rows,
)
from pegwise.search.players import draw_optimal_secret, optimal_weights
from pegwise.search.value.search import GameValue, find_value

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(scope="module")
def small() -> GameValue:
    return find_value(mastermind("3x4"))


def test_stored_and_read_again(small: GameValue, tmp_path: Path) -> None:
    made = StoredValue(small, 1.25, 90, "2026-11-21")
    save_value(made, tmp_path / "a.value")
    found = load_value(tmp_path / "a.value")
    assert (found.seconds, found.megabytes, found.date) == (1.25, 90, "2026-11-21")
    assert (found.value.weights, found.value.cost) == (small.weights, small.cost)
    assert certificate(found) == certificate(made)
    assert check_value(found.value) == []
    assert found.value.proven


def test_damage_is_found(small: GameValue, tmp_path: Path) -> None:
    content = certificate(StoredValue(small))
    path = tmp_path / "a.value"
    for cut in range(0, len(content), len(content) // 20):
        path.write_bytes(content[:cut])
        with pytest.raises(DataFileError):
            load_value(path)
    with pytest.raises(DataFileError, match="cannot read"):
        load_value(tmp_path / "none.value")
    parts = unpack(content, "a")
    document = json.loads(parts["value.json"])
    for key, wrong in [
        ("format", 2),
        ("rules", "3x99"),
        ("rules", "3x5"),
        ("codemaker", {"AAA": 1}),
        ("codemaker", {**document["codemaker"], "AAA": -1}),
        ("codemaker", []),
        ("codebreaker", []),
        ("codebreaker", ["1/0", "1", "1"]),
        ("cost", 1.5),
        ("seconds", "soon"),
    ]:
        changed = {**parts, "value.json": json.dumps({**document, key: wrong}).encode()}
        path.write_bytes(pack(changed))
        with pytest.raises(DataFileError, match="no whole certificate"):
            load_value(path)


def test_wrong_claims_are_found(small: GameValue) -> None:
    (first, tree), *others = small.mixture
    shifted = replace(small, mixture=((first + 1, tree), *others))
    assert check_value(shifted) == ["the probabilities of the trees do not add up to 1"]
    alone = replace(small, mixture=((Fraction(1), tree),))
    assert "the codebreaker's mixture needs up to" in check_value(alone)[0]
    (said, searched) = check_value(replace(small, cost=small.cost + 1))
    assert "claim" in said
    assert searched == (
        f"the best tree against the codemaker's weights costs {small.cost}, not {small.cost + 1}"
    )
    uniform = replace(small, weights=(1,) * len(small.weights))
    assert len(check_value(uniform)) == 2


def test_values_that_come_with_the_program() -> None:
    rows = value_rows()
    assert len(rows) >= 30
    assert len({row.rules for row in rows}) == len(rows)
    table = {str(row.rules): row for row in rows}
    classic = table["4x6"]
    assert classic.value == "5600/1290"
    assert "Wiener" in classic.confirms
    assert classic.codemaker == {"AAAA": 0, "AAAB": 1, "AABB": 1, "AABC": 1, "ABCD": 1}
    assert not classic.uniform
    assert not table["4x7"].confirms
    assert table["3x7"].uniform
    for row in rows:
        assert row.mean == pytest.approx(float(Fraction(row.value)))
        assert row.seconds > 0


def test_quick_ones_hold() -> None:
    checked = list(check_value_rows(seconds=0.25))
    assert [problems for _, problems, _ in checked if problems] == []
    assert sum(searched for _, _, searched in checked) >= 10
    assert not all(searched for _, _, searched in checked)


def test_kept_among_the_users_data(
    small: GameValue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_store, "shipped", lambda _rules: None)
    rules = Rules(3, 4)
    assert stored_value(rules) is None
    path = keep_value(StoredValue(small, 2.0))
    assert path is not None
    found = stored_value(rules)
    assert found is not None
    assert (found.seconds, found.value.cost) == (2.0, small.cost)
    path.write_bytes(b"nonsense")
    assert stored_value(rules) is None
    unproven = replace(small, cost=small.cost - 1)
    assert keep_value(StoredValue(unproven)) is None


def test_the_optimal_codemaker_draws_by_its_weights() -> None:
    rules = Rules(4, 6)
    drawn = [draw_optimal_secret(rules, seed) for seed in range(400)]
    assert drawn == [draw_optimal_secret(rules, seed) for seed in range(400)]
    assert all(len(set(secret)) > 1 for secret in drawn)
    kinds = Counter(len(set(secret)) for secret in drawn)
    # of 1290 codes 360 have four colors and 720 have three
    assert abs(kinds[4] - 400 * 360 / 1290) < 40
    assert abs(kinds[3] - 400 * 720 / 1290) < 50
    weights = optimal_weights(mastermind(rules))
    assert (weights == 0).sum() == 6
    assert int(weights.sum()) == 1290


def test_where_secrets_are_alike_nothing_is_stored() -> None:
    for rules in (Rules(6, 9, distinct=True), Rules(5, 8, black=True)):
        assert draw_optimal_secret(rules, 5) == draw_secret(rules, 5)


def test_unknown_mixtures_are_found_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shipped(Rules(3, 4, blank=True)) is None
    first = draw_optimal_secret(Rules(3, 4, blank=True), 1)
    assert stored_value(Rules(3, 4, blank=True)) is not None
    assert draw_optimal_secret(Rules(3, 4, blank=True), 1) == first
    with pytest.raises(StrategyError, match="run 'pegwise value 5x8' first"):
        draw_optimal_secret(Rules(5, 8), 1)
