"""The secrets of a race: every one, or drawn with the chances that the game says."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arena.draw import MAX_GAMES, Coded, Numbered, draw_games, every_secret
from pegwise.errors import CodeError, InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind, Rules, check_code, mastermind
from tests import naive
from tests.boards import any_rules, codes_of, small_rules

LARGE = ["16x26", "16x26,distinct-secrets", "10x20,distinct", "12x12,blank", "9x9,black"]


def test_every_secret_once() -> None:
    draw = every_secret(mastermind("3x4"))
    assert draw.games is None
    assert [str(draw.secret(k)) for k in range(3)] == ["AAA", "AAB", "AAC"]
    assert draw.numbers.tolist() == list(range(64))
    assert draw.times.tolist() == [1] * 64


def test_every_secret_of_a_board_too_large() -> None:
    with pytest.raises(TooLargeError, match=r"9x9 has 387,420,489 secrets.*--games N"):
        every_secret(mastermind("9x9"))


@pytest.mark.parametrize("rules", ["2x3", "3x4,distinct", "4x6"])
def test_the_same_seed_draws_the_same(rules: str) -> None:
    game = mastermind(rules)
    one, two, other = (draw_games(game, 500, seed) for seed in (7, 7, 8))
    assert isinstance(one, Numbered)
    assert isinstance(two, Numbered)
    assert isinstance(other, Numbered)
    assert one.numbers.tolist() == two.numbers.tolist()
    assert one.times.tolist() == two.times.tolist()
    assert (one.numbers.tolist(), one.times.tolist()) != (
        other.numbers.tolist(),
        other.times.tolist(),
    )


@given(small_rules(), st.integers(1, 2000), st.integers(0, 2**70))
def test_drawn_secrets_are_different_and_count_up(rules: Rules, games: int, seed: int) -> None:
    draw = draw_games(mastermind(rules), games, seed)
    assert isinstance(draw, Numbered)
    assert draw.games == games == draw.times.sum()
    assert (draw.times > 0).all()
    assert (np.diff(draw.numbers) > 0).all()
    assert 0 <= draw.numbers[0] <= draw.numbers[-1] < rules.n_secrets


def test_all_secrets_have_the_same_chance() -> None:
    draw = draw_games(mastermind("2x10"), 100_000, seed=1)
    assert len(draw) == 100
    # 1000 each, five standard deviations
    assert abs(draw.times - 1000).max() < 160


def test_weights_are_chances() -> None:
    game = Mastermind(Rules(2, 3), weights=[0, 1, 0, 3, 0, 0, 4, 0, 0])
    draw = draw_games(game, 80_000, seed=3)
    assert isinstance(draw, Numbered)
    assert draw.numbers.tolist() == [1, 3, 6]
    assert draw.times == pytest.approx([10_000, 30_000, 40_000], rel=0.03)


@pytest.mark.parametrize("rules", LARGE)
def test_codes_of_boards_too_large_to_list(rules: str) -> None:
    game = mastermind(rules)
    draw = draw_games(game, 2000, seed=5)
    assert isinstance(draw, Coded)
    codes = [draw.secret(k) for k in range(len(draw))]
    assert codes == sorted(set(codes))
    assert draw.times.sum() == 2000
    for code in codes:
        check_code(code, game.rules, secret=True)
    again = draw_games(game, 2000, seed=5)
    assert isinstance(again, Coded)
    assert again.codes.tolist() == draw.codes.tolist()


@pytest.mark.parametrize("rules", ["16x26", "16x26,distinct-secrets", "10x20,distinct"])
def test_all_colors_have_the_same_chance_in_every_hole(rules: str) -> None:
    game = mastermind(rules)
    draw = draw_games(game, 26_000, seed=2)
    assert isinstance(draw, Coded)
    expected = 26_000 / game.rules.colors
    for column in draw.codes.T:
        counts = np.bincount(column, draw.times, game.rules.colors)
        assert abs(counts - expected).max() < 5.5 * expected**0.5


def test_pairs_of_different_colors_have_the_same_chance() -> None:
    draw = draw_games(mastermind("10x11,distinct"), 110_000, seed=1)
    assert isinstance(draw, Coded)
    pairs: Counter[tuple[int, int]] = Counter()
    for code, times in zip(draw.codes.tolist(), draw.times.tolist(), strict=True):
        pairs[code[0], code[-1]] += times
    assert len(pairs) == 110
    # five standard deviations
    assert all(abs(count - 1000) < 160 for count in pairs.values())


@given(any_rules(), st.data())
def test_marks_are_those_of_the_definition(rules: Rules, data: st.DataObject) -> None:
    game = mastermind(rules)
    draw = draw_games(game, 40, seed=data.draw(st.integers(0, 5)))
    guess = data.draw(codes_of(rules))
    if isinstance(draw, Numbered) and rules.n_guesses > 10_000:
        return  # a kernel's marks are tested where it stands
    which = np.arange(0, len(draw), 2)
    for k, number in zip(which.tolist(), draw.marks(guess, which).tolist(), strict=True):
        expected = naive.mark(guess, draw.secret(k), black_only=rules.black)
        assert game.mark(number) == expected


def test_marks_of_what_is_no_guess() -> None:
    draw = draw_games(mastermind("12x12"), 10)
    with pytest.raises(CodeError):
        draw.marks((12,) * 12, np.arange(3))


def test_other_games() -> None:
    game = FiniteGame(["ab", "cd", "ef"], lambda guess, secret: guess == secret)
    draw = draw_games(game, 9, seed=4)
    assert {draw.secret(k) for k in range(len(draw))} <= {"ab", "cd", "ef"}
    marks = draw.marks("cd", np.arange(len(draw)))
    assert [game.mark(m) for m in marks] == [draw.secret(k) == "cd" for k in range(len(draw))]


@pytest.mark.parametrize(("games", "seed"), [(0, 0), (-1, 0), (MAX_GAMES + 1, 0), (5, -1)])
def test_numbers_out_of_range(games: int, seed: int) -> None:
    with pytest.raises(InputError, match=str(games if seed == 0 else seed)):
        draw_games(mastermind("2x2"), games, seed)
