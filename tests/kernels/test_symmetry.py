"""Classes of guesses under symmetry, against all permutations by brute force."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import HOLE, Code, Rules, list_guesses, mastermind, parse_code
from pegwise.kernels import plain
from pegwise.kernels.symmetry import representatives
from tests import naive


def played_array(codes: list[naive.Code], pegs: int) -> np.ndarray:
    return np.array(codes, np.uint8).reshape(len(codes), pegs)


def firsts(rules: Rules, *played: str) -> list[str]:
    codes = list_guesses(rules)
    history = played_array([parse_code(text, rules) for text in played], rules.pegs)
    return [str(Code(row)) for row in codes[representatives(codes, rules.colors, history)].tolist()]


def test_first_guesses_of_the_classic_board() -> None:
    # Knuth (1976) considers just these five
    assert firsts(Rules(4, 6)) == ["AAAA", "AAAB", "AABB", "AABC", "ABCD"]


def test_first_guesses_with_holes() -> None:
    assert firsts(Rules(2, 2, blank=True)) == ["AA", "AB", "A.", ".."]


def test_played_colors_are_renamed_with_the_pegs() -> None:
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
    plain = naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)
    expected = naive.first_of_class(plain, rules.colors, played)
    assert [tuple(row) for row in codes[marked].tolist()] == expected


@pytest.mark.parametrize(("pegs", "colors"), SIZES)
def test_no_sampled_symmetry_makes_a_marked_code_smaller(pegs: int, colors: int) -> None:
    # larger boards, where all permutations are too many: a sample of those that fix the guess
    random = np.random.default_rng(1000 * pegs + colors)
    codes = list_guesses(Rules(pegs, colors))
    guess = tuple(random.integers(0, colors, pegs).tolist())
    marked = representatives(codes, colors, played_array([guess], pegs))
    assert marked[0] and marked.sum() >= 1
    fixing = [
        (order, rename)
        for _ in range(300)
        for order in [tuple(random.permutation(pegs).tolist())]
        if (rename := completed(guess, order, colors, random)) is not None
    ]
    for row in codes[marked].tolist():
        for order, rename in fixing:
            assert naive.image(tuple(row), order, rename) >= tuple(row)


def completed(
    guess: naive.Code, order: tuple[int, ...], colors: int, random: np.random.Generator
) -> dict[int, int] | None:
    """A renaming that undoes a permutation of the pegs of a guess, if there is one."""
    rename: dict[int, int] = {HOLE: HOLE}
    for old, new in zip((guess[peg] for peg in order), guess, strict=True):
        if rename.setdefault(old, new) != new:
            return None
    free = [color for color in range(colors) if color not in rename.values()]
    rest = [color for color in range(colors) if color not in rename]
    random.shuffle(free)
    return rename | dict(zip(rest, free, strict=True))


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
