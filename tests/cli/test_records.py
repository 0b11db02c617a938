"""`pegwise records`, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pegwise.search import certificates
from pegwise.search.certificates import load, shipped_boards
from pegwise.search.certificates.claims import FixedSet, ProvenTrees
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
    few = [rules for rules in shipped_boards(FixedSet) if rules.n_secrets <= 30]
    monkeypatch.setattr(certificates, "shipped_boards", lambda _kind: few)
    status, out, _ = run("records", "--check", "--json")
    assert status == 0
    answer = json.loads(out)
    assert (answer["valid"], answer["best"], answer["sets"]) == (True, 0, len(few))
    assert 0 < answer["optima"] <= len(few)
    monkeypatch.setattr(FixedSet, "problems", lambda _claim: ["set confuses all"])
    status, out, _ = run("records", "--check")
    assert status == 1
    assert "set of 1x3: set confuses all" in out


def test_proves_a_row_again(run: Run) -> None:
    status, out, _ = run("records", "--prove", "3x4", "-o", "a.optimum", "--json")
    assert status == 0
    assert json.loads(out)["total"] == 206
    assert load(ProvenTrees, Path("a.optimum")).claim.tree.total == 206


def test_refuses_what_does_not_go_together(run: Run) -> None:
    assert "--prove" in refused(run("records", "-o", "a.optimum"))
    assert "one of them" in refused(run("records", "--check", "--prove", "3x3"))
    assert "5x9" in refused(run("records", "--prove", "5x9"))
