"""`pegwise records` and `bounds`, as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegwise.search import certificates
from pegwise.search.certificates import load, shipped_boards
from pegwise.search.certificates.claims import FixedSet, ProvenTrees
from tests.cli.running import Run, refused


def test_prints_the_page(run: Run) -> None:
    out = run("records").text()
    assert out.startswith("# Records\n")
    assert "| 4x6 | 5625 | 4.3403 | 6 | 5 | 5626 |" in out


def test_prints_json(run: Run) -> None:
    document = run("records", "--json").document()
    assert set(document) == {"optima", "goals", "best", "values", "sets"}
    assert all(row["proven"] for row in document["optima"])


def test_the_records_of_one_board(run: Run) -> None:
    status, out, _ = run("records", "5x8")
    assert (status, out.count("\n| 5x8 | ")) == (0, 1)
    document = run("records", "4x6", "--json").document()
    assert {name: len(rows) for name, rows in document.items()} == {
        "optima": 1, "goals": 3, "best": 0, "values": 1, "sets": 1
    }  # fmt: skip
    out = run("records", colors=True).out
    assert max(map(len, out.splitlines())) <= 105
    assert "4x6" in out


def test_sequences_are_written_into_a_folder(run: Run) -> None:
    assert run("records", "--oeis", "new").status == 0
    assert (Path("new") / "total-4xn.txt").read_text().startswith("# Smallest sum")
    Path("file").touch()
    assert "no folder 'file'" in refused(run("records", "--oeis", "file"))


def test_check_counts_what_it_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    few = [rules for rules in shipped_boards(FixedSet) if rules.n_secrets <= 30]
    monkeypatch.setattr(certificates, "shipped_boards", lambda _kind: few)
    answer = run("records", "--check", "--json").document()
    assert (answer["valid"], answer["best"], answer["sets"]) == (True, 0, len(few))
    assert 0 < answer["optima"] <= len(few)
    monkeypatch.setattr(FixedSet, "problems", lambda _claim: ["set confuses all"])
    assert "set of 1x3: set confuses all" in run("records", "--check").text(1)


def test_proves_a_row_again(run: Run) -> None:
    assert run("records", "--prove", "3x4", "-o", "a.optimum", "--json").document()["total"] == 206
    assert load(ProvenTrees, Path("a.optimum")).claim.tree.total == 206


# `pegwise bounds`


def test_bounds_of_the_classic_board(run: Run) -> None:
    out = run("bounds").text()
    lines = out.splitlines()
    assert lines[0] == "4x6: 1,296 codes, 14 marks"
    assert "  exactly    5  Viaud q0              the smallest worst case" in lines
    assert "smallest total 5625: K. Koyama and T. W. Lai" in " ".join(out.split())
    document = run("bounds", "--json").document()
    flaws = document.pop("flaws")
    rows = document.pop("published")
    assert document == {
        "rules": "4x6",
        "codes": 1296,
        "codes_with_repetition": 1296,
        "codes_without_repetition": 360,
        "guesses": 1296,
        "marks": 14,
        "marechal_rastoix": 3,
        "marechal_rastoix_as_printed": 85,
        "information": 4,
        "viaud_q1_eq11": 4,
        "viaud_q1_eq12": 5,
        "viaud_tau2": 256,
        "viaud_tau2_guess": "AABB",
        "viaud_q2": 5,
        "viaud_q0": 5,
        "worst_at_least": 5,
    }
    assert len(flaws) == 2
    assert {"objective", "value", "max_guesses", "guesses", "proven", "source"} == set(rows[0])
    assert 5625 in {row["value"] for row in rows}


@pytest.mark.parametrize(
    "rules", ["3x3,blank", "3x4,distinct", "3x4,distinct-secrets,blank,black", "1x1", "3x4,black"]
)
def test_bounds_with_all_flags(run: Run, rules: str) -> None:
    document = run("bounds", rules, "--json").document()
    assert document["rules"] == rules
    assert document["viaud_q1_eq12"] <= document["viaud_q0"] <= document["viaud_q2"]
    assert run("bounds", rules).status == 0


def test_bounds_of_a_board_too_large_to_list(run: Run) -> None:
    document = run("bounds", "12x20", "--json").document()
    assert document["codes"] == 20**12
    assert document["viaud_q0"] is document["viaud_q2"] is None
    out = run("bounds", "12x20").out
    assert "  at most    ?  Viaud q2              smallest largest part at every turn: too" in out
    assert "  at least  10  Viaud q0              the smallest worst case, not found by a" in out
    assert "cannot read rules '4by6'" in refused(run("bounds", "4by6"))
