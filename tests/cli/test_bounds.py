"""`pegwise bounds`, as typed."""

from __future__ import annotations

import re

import pytest

from tests.cli.running import Run, refused


def test_bounds_of_the_classic_board(run: Run) -> None:
    out = run("bounds").text()
    lines = out.splitlines()
    assert lines[0] == "4x6: 1,296 codes, 14 marks"
    assert "Viaud q0             exactly 5  the smallest worst case" in lines
    assert "1,296    256     46      6      1" in lines
    assert "AAAB AABB AABC ABCD" in lines
    assert "Smallest total 5,625: K. Koyama and T. W. Lai" in " ".join(out.split())
    document = run("bounds", "--json").document()
    flaws = document.pop("flaws")
    rows = document.pop("published")
    assert document == {
        "rules": "4x6",
        "codes": 1296,
        "codes_with_repetition": 1296,
        "codes_without_repetition": 360,
        "guesses": 1296,
        "symmetric": True,
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
        "history": [],
        "viaud_taus": [1296, 256, 46, 6, 1],
        "best_guesses": ["AAAB", "AABB", "AABC", "ABCD"],
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


@pytest.mark.slow
def test_bounds_of_a_board_too_large_to_list(run: Run) -> None:
    document = run("bounds", "12x20", "--json").document()
    assert document["codes"] == 20**12
    assert document["viaud_q0"] is document["viaud_q2"] is None
    out = run("bounds", "12x20").out
    assert re.search("^Viaud q2 +at most [?]  smallest largest part", out, re.M)
    assert re.search("^Viaud q0 +at least 10  the smallest worst case, not found", out, re.M)
    assert "cannot read rules '4by6'" in refused(run("bounds", "4by6"))


def test_bounds_of_what_fits_some_turns(run: Run) -> None:
    document = run("bounds", "4x4", "ABCC=XO", "--json").document()
    assert document["history"] == [{"guess": "ABCC", "mark": "XO"}]
    assert (document["codes"], document["viaud_q0"], document["viaud_taus"][-1]) == (46, 3, 1)
    assert len(document["viaud_taus"]) == 3
    assert document["published"] == []
    # in the notation of the turns
    out = run("bounds", "4x4", "1233=XO").out
    assert out.startswith("4x4 after 1 turn: 46 codes (256 may be guessed), 14 marks\n")
    assert re.search("^Viaud q +exactly 3  the smallest worst case$", out, re.M)
    assert document["best_guesses"]
    assert all(set(guess) <= set("ABCD") for guess in document["best_guesses"])
    one = run("bounds", "2x2", "AA=X", "AB=OO").out
    assert "The one code that fits: 1\nBA\n" in one


def test_bounds_where_no_code_fits(run: Run) -> None:
    status, out, _ = run("bounds", "4x6", "AAAA=XXX", "AAAB=-")
    assert status == 1
    assert "turn 1 (AAAA): with - instead of XXX" in out
    assert run("bounds", "4x6", "AAAA=XXX", "AAAB=-", "--json").status == 1
    assert "a turn is GUESS=MARK" in refused(run("bounds", "AABB", "CCDD=X"))


def test_the_order_of_the_particular_strategy(run: Run) -> None:
    arguments = ["bounds", "4x4", "--tries", "6", "--seed", "2"]
    assert run(*arguments, "--json").document()["orders"] == {"4": 6}
    assert "order 4 in 6 of 6 tries" in run(*arguments).out
    assert "--tries plays whole games" in refused(run("bounds", "3x3", "ABC=X", "--tries", "2"))


@pytest.mark.slow
def test_the_counts_of_a_position_as_the_document_prints_them(run: Run) -> None:
    """docs/viaud.md: one white at the first turn of 4x6."""
    document = run("bounds", "4x6", "AABB=O", "--json").document()
    assert document["viaud_taus"] == [256, 44, 7, 1]
    assert len(document["best_guesses"]) == 564
