"""`pegwise records`, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegwise.search.certificates import sets as static_sets
from pegwise.search.certificates import trees as store
from pegwise.search.certificates import values as value_store
from pegwise.search.certificates.published import shipped_boards
from pegwise.search.certificates.trees import load_record
from tests.cli.running import Run, refused


def test_prints_the_page(run: Run) -> None:
    status, out, _ = run("records")
    assert status == 0
    assert out.startswith("# Records\n")
    assert "| 4x6 | 5625 | 4.3403 | 6 | 5 | 5626 |" in out


def test_prints_json(run: Run) -> None:
    status, out, _ = run("records", "--json")
    assert status == 0
    document = json.loads(out)
    assert set(document) == {"optima", "best", "values", "sets"}
    assert all(row["proven"] for row in document["optima"])


def test_check_counts_what_it_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = shipped_boards("optima", ".optimum")
    few = [rules for rules in boards if rules.n_secrets <= 30]
    monkeypatch.setattr(store, "shipped_boards", lambda *which: few)
    monkeypatch.setattr(value_store, "shipped_boards", lambda *which: few[:3])
    monkeypatch.setattr(static_sets, "_shipped", lambda: ())
    status, out, _ = run("records", "--check", "--json")
    assert status == 0
    answer = json.loads(out)
    assert (answer["valid"], answer["optima"]) == (True, len(few))
    monkeypatch.setattr(store, "check_record", lambda record: ["tree plays badly"])
    status, out, _ = run("records", "--check")
    assert status == 1
    assert "tree plays badly" in out


def test_proves_a_row_again(run: Run) -> None:
    status, out, _ = run("records", "--prove", "3x4", "-o", "a.optimum", "--json")
    assert status == 0
    assert json.loads(out)["total"] == 206
    assert load_record(Path("a.optimum")).total == 206


def test_refuses_what_does_not_go_together(run: Run) -> None:
    assert "--prove" in refused(run("records", "-o", "a.optimum"))
    assert "one of them" in refused(run("records", "--check", "--prove", "3x3"))
    assert "5x9" in refused(run("records", "--prove", "5x9"))
