"""Classes of guesses under symmetry, against all permutations by brute force."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import Code, Rules, list_guesses, mastermind, parse_code
from pegwise.kernels import plain
from pegwise.kernels.symmetry import representatives
from tests import naive
from tests.boards import guesses_of


def played_array(codes: list[naive.Code], pegs: int) -> np.ndarray:
    return np.array(codes, np.uint8).reshape(len(codes), pegs)


def firsts(rules: Rules, *played: str) -> list[str]:
    codes = list_guesses(rules)
    history = played_array([parse_code(text, rules) for text in played], rules.pegs)
    return [str(Code(row)) for row in codes[representatives(codes, rules.colors, history)].tolist()]


def test_first_guesses_and_those_after() -> None:
    # Knuth (1976) considers just these five
    assert firsts(Rules(4, 6)) == ["AAAA", "AAAB", "AABB", "AABC", "ABCD"]
    assert firsts(Rules(2, 2, blank=True)) == ["AA", "AB", "A.", ".."]
    # A and B change places with their pegs, C-F are never played
    assert firsts(Rules(2, 6), "AB") == ["AA", "AB", "AC", "BA", "BC", "CC", "CD"]


SIZES = [(1, 1), (1, 8), (2, 7), (3, 3), (4, 6), (5, 4), (5, 8), (6, 2), (7, 4), (8, 2), (8, 1)]


@pytest.mark.parametrize(("pegs", "colors"), SIZES)
def test_before_any_guess_a_class_is_a_pattern_of_counts(pegs: int, colors: int) -> None:
    codes = list_guesses(Rules(pegs, colors))
    marked = representatives(codes, colors, played_array([], pegs))
    patterns = Counter(tuple(sorted(Counter(row).values())) for row in codes[marked].tolist())
    assert set(patterns.values()) == {1}
    assert len(patterns) == len(partitions(pegs, colors))


def partitions(total: int, parts: int, largest: int | None = None) -> list[tuple[int, ...]]:
    """All ways to write a number as a sum of at most `parts` numbers, largest first."""
    if total == 0:
        return [()]
    if parts == 0:
        return []
    return [
        (head, *rest)
        for head in range(1, min(total, largest or total) + 1)
        for rest in partitions(total - head, parts - 1, head)
    ]


@st.composite
def boards_and_guesses(draw: st.DrawFn) -> tuple[Rules, list[naive.Code]]:
    sizes = [
        (pegs, colors)
        for pegs in range(1, 7)
        for colors in range(1, 9)
        if math.factorial(pegs) * math.factorial(colors) <= 20_000 and (colors + 1) ** pegs <= 4000
    ]
    pegs, colors = draw(st.sampled_from(sizes))
    distinct = draw(st.booleans()) and colors >= pegs
    rules = Rules(pegs, colors, distinct=distinct, blank=draw(st.booleans()))
    codes = st.sampled_from(mastermind(rules).guess_codes.tolist()).map(tuple)
    return rules, draw(st.lists(codes, max_size=3))


@given(boards_and_guesses())
def test_same_classes_as_all_permutations(case: tuple[Rules, list[naive.Code]]) -> None:
    rules, played = case
    codes = list_guesses(rules)
    marked = representatives(codes, rules.colors, played_array(played, rules.pegs))
    expected = naive.first_of_class(guesses_of(rules), rules.colors, played)
    assert [tuple(row) for row in codes[marked].tolist()] == expected


def test_with_too_many_renamings_the_first_of_a_class_is_still_marked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = list_guesses(Rules(4, 5))
    played = np.array([[0, 1, 2, 3]], np.uint8)
    exact = representatives(codes, 5, played)
    monkeypatch.setattr(plain, "MAX_RENAMINGS", 3)
    fewer = representatives(codes, 5, played)
    assert exact.sum() < fewer.sum() < len(codes)
    assert fewer[exact].all()
