"""`pegwise records`, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegwise.search.certificates import files
from pegwise.search.certificates.files import load, shipped_boards
from pegwise.search.certificates.optima import ProvenTrees
from pegwise.search.certificates.sets import FixedSet
from tests.cli.running import Run


@pytest.mark.slow
def test_prints_the_page(run: Run) -> None:
    out = run("records").text()
    assert out.startswith("# Records\n")
    assert "| 4x6 | 5,625 | 4.3403 | 6 | 5 | 5,626 |" in out


@pytest.mark.slow
def test_the_page_fits_a_terminal(run: Run) -> None:
    out = run("records", colors=True).out
    assert max(map(len, out.splitlines())) <= 105
    assert "4x6" in out


def test_the_records_of_one_board(run: Run) -> None:
    status, out, _ = run("records", "5x8")
    assert (status, out.count("\n| 5x8 | ")) == (0, 1)
    document = run("records", "4x6", "--json").document()
    assert {name: len(rows) for name, rows in document.items()} == {
        "optima": 1, "goals": 3, "best": 0, "values": 1, "sets": 1
    }  # fmt: skip
    assert all(row["proven"] for row in document["optima"])


def test_check_counts_what_it_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [rules for rules in shipped_boards(FixedSet) if rules.n_secrets <= 30]
    monkeypatch.setattr(files, "shipped_boards", lambda _kind: few)
    answer = run("records", "--verify", "--json").document()
    assert (answer["valid"], answer["best"], answer["sets"]) == (True, 0, len(few))
    assert 0 < answer["optima"] <= len(few)
    monkeypatch.setattr(FixedSet, "problems", lambda _claim: ["set confuses all"])
    assert "set of 1x3: set confuses all" in run("records", "--verify").text(1)


def test_proves_a_row_again(run: Run) -> None:
    assert run("records", "--prove", "3x4", "-o", "a.optimum", "--json").document()["total"] == 206
    assert load(ProvenTrees, Path("a.optimum")).claim.tree.total == 206
