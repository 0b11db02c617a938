"""Candidates drawn without listing them: only candidates, all where few, evenly where many."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import InputError, MarkError
from pegwise.game import Code, Mark, Rules, Turn, game_of, mark
from pegwise.kernels import cache, drawing
from pegwise.knowledge import candidates
from pegwise.knowledge.candidates import Drawn, build_candidates, meet_candidates
from pegwise.reading import check_turns
from tests import naive
from tests.boards import histories, secrets_of

CLASSIC = Rules(4, 6)


def chance(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def fits(code: list[int], turns: list[Turn], rules: Rules) -> bool:
    if rules.secrets_are_distinct and naive.repeats(code):
        return False
    return all(naive.mark(g, code, black_only=rules.black) == tuple(m) for g, m in turns)


@pytest.mark.slow
@given(histories(codes=400), st.integers(1, 30), st.integers(0, 99))
def test_what_is_drawn_fits(drawn: tuple[Rules, list[Turn]], keep: int, seed: int) -> None:
    rules, turns = drawn
    expected = [list(code) for code in secrets_of(rules) if fits(list(code), turns, rules)]
    codes, complete = build_candidates(rules, turns, chance())
    assert complete  # few are all built, in numeric order
    assert codes.tolist() == expected
    built, complete = build_candidates(rules, turns, chance(seed), keep=keep)
    met, never = meet_candidates(rules, turns, chance(seed), most=keep, steps=500)
    for codes in (built, met):
        assert len(codes) <= keep
        assert codes.tolist() == [list(c) for c in sorted(set(map(tuple, codes.tolist())))]
        assert all(code in expected for code in codes.tolist())
    assert not never
    assert not complete or len(built) == len(expected)


def unevenness(times: Counter[tuple[int, ...]], cells: list[tuple[int, ...]]) -> float:
    """Chi-square of the counts against equal chances, as a number of standard deviations."""
    n = sum(times.values())
    expected = n / len(cells)
    chi: float = sum((times[cell] - expected) ** 2 for cell in cells) / expected
    degrees = len(cells) - 1
    # Wilson and Hilferty 1931: the cube root is nearly normal
    spread = 2 / (9 * degrees)
    return float((chi / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


@pytest.mark.parametrize("walk", [False, True])
@pytest.mark.parametrize(
    ("board", "turns"),
    [
        ("4x8,distinct", ["ABCD=OO", "BAEF=O"]),
        *(
            pytest.param(*row, marks=pytest.mark.slow)
            for row in [
                ("5x6", ["ABCDE=XOO", "BBCFF=XO", "ADAAD=O"]),
                ("4x6,black", ["ABCD=X", "ABEF=X", "CAFE=X"]),
            ]
        ),
    ],
)
def test_what_is_built_or_met_is_drawn_evenly(board: str, turns: list[str], walk: bool) -> None:
    rules = Rules.parse(board)
    history = check_turns(turns, game_of(rules))
    expected = [tuple(code) for code in candidates(rules, history)]
    assert 30 < len(expected) < 120
    times: Counter[tuple[int, ...]] = Counter()
    rng = chance(1 + walk)
    # enough partial codes for equal chances, yet far fewer than all
    keep = max(12, len(expected) // 3)
    for _ in range((5 if walk else 20) * len(expected)):
        if walk:
            codes, _ = meet_candidates(rules, history, rng, most=20, steps=10_000)
        else:
            codes, complete = build_candidates(rules, history, rng, keep=keep)
            assert not complete
        if len(codes):  # one is looked at
            times[tuple(codes[rng.integers(len(codes))].tolist())] += 1
    assert set(times) <= set(expected)
    assert unevenness(times, expected) < 6


def test_no_walk_starts_where_no_code_is_allowed() -> None:
    # three colors stay for four pegs that must differ
    rules = Rules(4, 7, distinct_secrets=True)
    turns = [Turn(Code([c] * 4), Mark(0, 0)) for c in range(4)]
    assert not len(meet_candidates(rules, turns, chance(), most=5).codes)
    assert build_candidates(rules, turns, chance()).complete


def test_the_largest_board_late_in_a_game() -> None:
    """Peg by peg nearly every start is a dead end here; a walk still meets candidates."""
    rules = Rules(16, 26)
    rng = chance(4)
    secret = Code(rng.integers(0, 26, 16).tolist())
    turns: list[Turn] = []
    for _ in range(12):
        guess = Code(rng.integers(0, 26, 16).tolist())
        turns.append(Turn(guess, mark(guess, secret)))
    codes, _ = meet_candidates(rules, turns, chance(5), most=50)
    assert len(codes)
    assert all(fits(code, turns, rules) for code in codes.tolist())


@given(histories())
def test_without_numba_the_same_codes_are_built(position: tuple[Rules, list[Turn]]) -> None:
    rules, history = position

    def drawn() -> list[Drawn]:
        return [build_candidates(rules, history, chance(), keep=keep) for keep in (9, 50_000)]

    with cache.without_numpy():
        built = drawn()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "has_numba", lambda: False)
        with cache.without_numpy():
            plain = drawn()
    for one, other in zip(built, plain, strict=True):
        assert one.complete == other.complete
        assert np.array_equal(one.codes, other.codes)


def test_refusals() -> None:
    with pytest.raises(InputError, match="keep=0: give a whole number from 1"):
        build_candidates(CLASSIC, [], chance(), keep=0)
    with pytest.raises(MarkError):
        build_candidates(CLASSIC, [(Code([0, 1, 2, 3]), (3, 1))], chance())
