"""`pegwise bounds`, as typed."""

import json

import pytest

from tests.cli.running import Run, refused


def test_the_bound_of_marechal_and_rastoix_and_its_flaw(run: Run) -> None:
    status, out, err = run("bounds", "4x8")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "4x8: 4,096 codes, 14 marks"
    assert "  codes with repeated colors allowed 4,096, without 1,680" in lines
    assert "    4  Maréchal & Rastoix    log(codes) / log(marks), rounded up" in lines
    assert "    6  Viaud q0              the smallest worst case" in lines
    said = " ".join(out.split())
    assert "as printed it gives 268, with the logarithms 4." in said
    assert "the least worst case is no less than 5, and by what is known here no less than" in said
    assert "smallest total 20471: github.com/arfst23/Mastermind" in said


def test_json(run: Run) -> None:
    status, out, err = run("bounds", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
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
def test_all_flags(run: Run, rules: str) -> None:
    document = json.loads(run("bounds", rules, "--json").out)
    assert document["rules"] == rules
    assert document["viaud_q1_eq12"] <= document["viaud_q0"] <= document["viaud_q2"]
    assert run("bounds", rules).status == 0


def test_a_board_too_large_to_list(run: Run) -> None:
    document = json.loads(run("bounds", "12x20", "--json").out)
    assert document["codes"] == 20**12
    assert document["viaud_q0"] is document["viaud_q2"] is None
    out = run("bounds", "12x20").out
    assert "    ?  Viaud q2              smallest largest part at every turn: too long" in out
    assert "not found by a short search; at least 10" in out


def test_what_is_no_board_is_refused(run: Run) -> None:
    assert "cannot read rules '4by6'" in refused(run("bounds", "4by6"))
