"""Bounds on the worst case: as printed, against the plain definitions, and against what is true."""

from collections import Counter
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.game import Mark, Rules, legal_marks, mastermind
from pegwise.progress import Progress
from pegwise.search.certificates.published import Published, published
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.theory import (
    bounds,
    eq11,
    eq12,
    first_guesses,
    information,
    marechal_rastoix,
    smallest_largest_part,
)
from tests import naive
from tests.boards import any_rules, small_rules

# serkangur.freeservers.com; the marks in the order 00, 01, 02, 03, 04, 10, ..., 30, 40
FIRST_GUESSES_4X6 = {
    "1111": [625, 0, 0, 0, 0, 500, 0, 0, 0, 150, 0, 0, 20, 1],
    "1112": [256, 308, 61, 0, 0, 317, 156, 27, 0, 123, 24, 3, 20, 1],
    "1122": [256, 256, 96, 16, 1, 256, 208, 36, 0, 114, 32, 4, 20, 1],
    "1123": [81, 276, 222, 44, 2, 182, 230, 84, 4, 105, 40, 5, 20, 1],
    "1234": [16, 152, 312, 136, 9, 108, 252, 132, 8, 96, 48, 6, 20, 1],
}


# first guesses


def test_first_guesses_of_the_usual_board() -> None:
    rules = Rules.parse("4x6")
    found = {
        first.guess.write("digits"): [first.parts.get(mark, 0) for mark in legal_marks(rules)]
        for first in first_guesses(rules)
    }
    assert found == FIRST_GUESSES_4X6


@settings(max_examples=60)
@given(small_rules(codes=300, largest=6))
def test_parts_are_counted_as_they_are(rules: Rules) -> None:
    secrets = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    guesses = naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)
    classes = {tuple(first.guess): first.parts for first in first_guesses(rules)}
    for guess, parts in classes.items():
        assert parts == Counter(naive.mark(guess, s, black_only=rules.black) for s in secrets)
    # each class once, by its first guess
    assert sorted(classes) == naive.first_of_class(guesses, rules.colors, [])


@settings(max_examples=40)
@given(any_rules().filter(lambda rules: rules.pegs <= 10))
def test_parts_add_up_on_any_board(rules: Rules) -> None:
    for first in first_guesses(rules):
        assert sum(first.parts.values()) == rules.n_secrets
        assert min(first.parts.values()) > 0
        assert set(first.parts) <= set(legal_marks(rules))


def test_the_largest_board() -> None:
    best = smallest_largest_part(Rules(16, 26))
    assert str(best.guess) == "AABBCCDDEEFFGGHI"
    assert sum(best.parts.values()) == 26**16
    assert best.parts[Mark(0, 0)] == 17**16


# bounds from counting


def test_marechal_and_rastoix() -> None:
    # section 2.3: 8 colors, 4 pegs: 4096 codes, 14 marks, log2 12 / 3.8074, so 4
    rules = Rules.parse("4x8")
    found = bounds(rules)
    assert (found.codes, found.marks, found.marechal_rastoix) == (4096, 14, 4)
    assert (found.codes_with_repetition, found.codes_without_repetition) == (4096, 1680)
    # the formula above it lacks the logarithms: 4096 / (720 / 47), so 268
    assert found.marechal_rastoix_as_printed == 268
    # and 4 guesses reach no more than 1 + 13 + 169 + 2197 = 2380 codes
    assert found.information == found.viaud_q1_eq11 == found.viaud_q1_eq12 == 5
    assert (found.viaud_q0, found.viaud_q2) == (6, 6)


@pytest.mark.parametrize(
    ("rules", "codes", "marks", "bound"),
    # their five rules, section 5.1; marks (k + 2)! / (k! 2) - 1
    [
        ("4x6", 1296, 14, 3),
        ("4x8", 4096, 14, 4),
        ("4x8,distinct", 1680, 14, 3),
        ("4x20", 160000, 14, 5),
        ("6x4", 4096, 27, 3),
    ],
)
def test_their_five_rules(rules: str, codes: int, marks: int, bound: int) -> None:
    found = bounds(Rules.parse(rules))
    assert (found.codes, found.marks, found.marechal_rastoix) == (codes, marks, bound)
    assert bound == ceil(log2(codes) / log2(marks))
    assert found.viaud_q0 is None or found.viaud_q0 > bound


def test_viaud() -> None:
    # section 4: 4 by (11) on 4x4, where the particular strategy is of order 4; 4 by (11) and
    # 5 by (12) on 4x6, tau_2(S) = 256, and the particular strategy is of order 5
    small, usual = bounds(Rules.parse("4x4")), bounds(Rules.parse("4x6"))
    assert (small.codes, small.marks) == (256, 14)
    assert (small.viaud_q1_eq11, small.viaud_q0, small.viaud_q2) == (4, 4, 4)
    assert (usual.viaud_q1_eq11, usual.viaud_q1_eq12) == (4, 5)
    assert (usual.viaud_tau2, usual.viaud_tau2_guess.write("digits")) == (256, "1122")
    assert (usual.viaud_q0, usual.viaud_q2) == (5, 5)


@settings(max_examples=200)
@given(st.integers(1, 10**4), st.integers(2, 200))
def test_the_bounds_by_their_inequalities(codes: int, marks: int) -> None:
    pi = marks - 1
    q = eq11(codes, marks)
    assert sum(pi**k for k in range(q)) >= codes
    assert sum(pi**k for k in range(q - 1)) < codes
    k = marechal_rastoix(codes, marks)
    assert marks**k >= codes
    assert k == 0 or marks ** (k - 1) < codes
    assert information(codes, marks) == k + 1 <= q


@settings(max_examples=60)
@given(any_rules().filter(lambda rules: rules.pegs <= 8))
def test_12_is_at_least_as_good_as_11(rules: Rules) -> None:
    # section 3
    marks, part = len(legal_marks(rules)), smallest_largest_part(rules).largest
    assert eq12(rules.n_secrets, part, marks) >= eq11(rules.n_secrets, marks)


@settings(max_examples=30)
@given(small_rules(codes=120, largest=5))
def test_bounds_enclose_the_smallest_worst_case(rules: Rules) -> None:
    found = bounds(rules)
    true = find_optimum(mastermind(rules), objective="worst").lower_bound
    assert found.viaud_q0 == found.worst_at_least == true
    assert found.viaud_q2 is not None
    assert found.information <= found.viaud_q1_eq11 <= found.viaud_q1_eq12 <= true
    assert true <= found.viaud_q2
    assert rules.n_secrets == found.codes
    assert (rules.n_guesses, len(legal_marks(rules))) == (found.guesses, found.marks)


def test_one_code_and_one_peg() -> None:
    one = bounds(Rules(3, 1))
    assert (one.codes, one.information, one.viaud_q1_eq11, one.viaud_q1_eq12) == (1, 1, 1, 1)
    assert one.viaud_q0 == 1
    # two marks: every guess but the last only strikes off one code
    peg = bounds(Rules(1, 9))
    assert (peg.viaud_q1_eq11, peg.viaud_q1_eq12, peg.viaud_q0) == (9, 9, 9)


def test_boards_too_large_to_list() -> None:
    steps: list[Progress] = []
    found = bounds(Rules(12, 12), report=steps.append)
    assert found.codes == 12**12
    assert found.viaud_q2 is found.viaud_q0 is None
    assert not steps
    assert (found.viaud_q1_eq11, found.viaud_q1_eq12, found.worst_at_least) == (8, 9, 9)


def test_a_search_that_takes_too_long_is_left() -> None:
    found = bounds(Rules.parse("4x6,black"))
    assert found.viaud_q0 is None
    assert (found.viaud_q1_eq11, found.worst_at_least) == (6, 7)


# what is published


def small(row: Published) -> bool:
    return row.rules.n_secrets <= 300 and row.proven


@pytest.mark.parametrize(
    "row", [row for row in published() if small(row)], ids=lambda r: f"{r.rules} {r}"
)
def test_published_optima_are_found(row: Published) -> None:
    found = find_optimum(
        mastermind(row.rules),
        objective=row.objective,
        max_guesses=row.max_guesses,
        guesses=row.guesses,
    )
    assert found.proven
    assert found.lower_bound == row.value


def test_what_is_published_has_a_source() -> None:
    rows = published()
    assert len({(row.rules, str(row)) for row in rows}) == len(rows)
    assert all(row.source and row.value > 0 for row in rows)
    usual = {str(row): row.value for row in published(Rules.parse("4x6"))}
    assert usual == {
        "smallest worst case": 5,
        "smallest total": 5625,
        "smallest total, at most 5 guesses": 5626,
        "smallest total, candidates only": 5660,
    }
    assert published(Rules(4, 6, black=True)) == ()
    assert "smallest total known" in {str(row) for row in published(Rules.parse("super"))}
