"""Classes of guesses under symmetry, against all permutations by brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import Code, Rules, board_game, list_guesses, parse_code
from pegwise.kernels import numpy_backend
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


@pytest.mark.parametrize(
    ("board", "classes"), [("5x8", 7), ("7x4", 11), ("8x2", 5), ("8x1", 1), ("1x8", 1)]
)
def test_before_any_guess_a_class_is_a_way_to_share_pegs_out(board: str, classes: int) -> None:
    # OEIS A026820: partitions of the number of pegs into at most as many parts as colors
    assert len(firsts(Rules.parse(board))) == classes


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
    codes = st.sampled_from(board_game(rules).guess_codes.tolist()).map(tuple)
    return rules, draw(st.lists(codes, max_size=3))


@pytest.mark.slow
@given(boards_and_guesses())
def test_same_classes_as_all_permutations(case: tuple[Rules, list[naive.Code]]) -> None:
    rules, played = case
    codes = list_guesses(rules)
    arguments = codes, rules.colors, played_array(played, rules.pegs)
    marked = representatives(*arguments)
    assert np.array_equal(numpy_backend.first_of_classes(*arguments), marked)
    expected = naive.first_of_class(guesses_of(rules), rules.colors, played)
    assert [tuple(row) for row in codes[marked].tolist()] == expected


def test_with_too_many_renamings_the_first_of_a_class_is_still_marked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = list_guesses(Rules(4, 5))
    played = np.array([[0, 1, 2, 3]], np.uint8)
    exact = representatives(codes, 5, played)
    monkeypatch.setattr(numpy_backend, "MAX_RENAMINGS", 3)
    fewer = representatives(codes, 5, played)
    assert exact.sum() < fewer.sum() < len(codes)
    assert fewer[exact].all()
