"""The secrets of a race, drawn with the chances that the game says; and playing only those."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.arena.draw import (
    Draw,
    draw_games,
    every_secret,
    play_draw,
    plays_everything,
)
from pegwise.compute.backends import Threads
from pegwise.game import Mastermind, Rules, board_game
from pegwise.strategies import load, parse
from pegwise.trees import build
from pegwise.trees.build import play
from tests import naive
from tests.boards import any_rules, codes_of, small_rules
from tests.strategies.test_contract import words


@pytest.mark.parametrize("rules", ["2x3", "3x4,distinct", "16x26", "10x20,distinct"])
def test_the_same_seed_draws_the_same(rules: str) -> None:
    first, second, another = (
        draw_games(board_game(Rules.parse(rules)), 500, seed) for seed in (7, 7, 8)
    )
    assert first.digest == second.digest != another.digest
    assert np.array_equal(first.secrets, second.secrets)


@given(small_rules(), st.integers(1, 2000), st.integers(0, 2**70))
def test_drawn_secrets_are_different_and_count_up(rules: Rules, games: int, seed: int) -> None:
    draw = draw_games(board_game(rules), games, seed)
    assert draw.listed
    assert draw.games == games == draw.times.sum()
    assert (draw.times > 0).all()
    assert (np.diff(draw.secrets) > 0).all()
    assert 0 <= draw.secrets[0] <= draw.secrets[-1] < rules.n_secrets


def test_weights_are_chances() -> None:
    # 1000 each, five standard deviations
    assert (
        abs(draw_games(board_game(Rules.parse("2x10")), 100_000, seed=1).times - 1000).max() < 160
    )
    game = Mastermind(Rules(2, 3), weights=[0, 1, 0, 3, 0, 0, 4, 0, 0])
    draw = draw_games(game, 80_000, seed=3)
    assert draw.secrets.tolist() == [1, 3, 6]
    assert draw.times == pytest.approx([10_000, 30_000, 40_000], rel=0.03)


@pytest.mark.parametrize(
    "rules", ["16x26", "16x26,distinct-secrets", "10x20,distinct", "12x12,blank", "9x9,black"]
)
def test_codes_of_boards_too_large_to_list(rules: str) -> None:
    game = board_game(Rules.parse(rules))
    draw = draw_games(game, 26_000, seed=5)
    assert not draw.listed
    codes = [draw.secret(k) for k in range(0, len(draw), 20)]
    assert codes == sorted(set(codes))
    for code in codes:
        game.rules.alphabet.check(code, secret=True)
    assert draw.times.sum() == 26_000
    # all colors have the same chance in every hole
    expected = 26_000 / game.rules.colors
    for column in draw.secrets.T:
        counts = np.bincount(column, draw.times, game.rules.colors)
        assert abs(counts - expected).max() < 5.5 * expected**0.5


@pytest.mark.slow
def test_pairs_of_different_colors_have_the_same_chance() -> None:
    draw = draw_games(board_game(Rules.parse("10x11,distinct")), 110_000, seed=1)
    pairs: Counter[tuple[int, int]] = Counter()
    for code, times in zip(draw.secrets.tolist(), draw.times.tolist(), strict=True):
        pairs[code[0], code[-1]] += times
    assert len(pairs) == 110
    # five standard deviations
    assert all(abs(count - 1000) < 160 for count in pairs.values())


@given(any_rules(), st.data())
def test_marks_are_those_of_the_definition(rules: Rules, data: st.DataObject) -> None:
    game = board_game(rules)
    draw = draw_games(game, 40, seed=data.draw(st.integers(0, 5)))
    guess = data.draw(codes_of(rules))
    if draw.listed and rules.n_guesses > 10_000:
        return  # a kernel's marks are tested where it stands
    which = np.arange(0, len(draw), 2)
    for k, number in zip(which.tolist(), draw.marks(guess, which).tolist(), strict=True):
        expected = naive.mark(guess, draw.secret(k), black_only=rules.black)
        assert game.mark(number) == expected


@pytest.mark.parametrize("name", ["first", "random:seed=3", "knuth", "marechal-rastoix-2"])
@pytest.mark.parametrize("rules", ["3x4", "2x3,blank", "3x5,distinct-secrets", "words"])
def test_playing_a_draw_is_like_the_whole_tree(name: str, rules: str) -> None:
    if rules == "words" and name.startswith("marechal"):
        return  # plays boards only
    game, strategy = words() if rules == "words" else board_game(Rules.parse(rules)), parse(name)
    tree = build(game, strategy)
    depths, nodes = play_draw(strategy, every_secret(game))
    assert depths.tolist() == tree.depths.tolist()
    assert nodes == len(tree)
    few = draw_games(game, 10, seed=1)
    depths, nodes = play_draw(strategy, few)
    assert depths.tolist() == tree.depths[few.secrets].tolist()
    assert nodes <= len(tree)


@pytest.mark.slow
def test_pieces_are_played_as_the_whole(home: Path) -> None:
    draw = draw_games(board_game(Rules.parse("4x6")), 3000, seed=2)
    for strategy in (load("first"), load("marechal-rastoix-1")):
        whole, pieces = play_draw(strategy, draw), play_draw(strategy, draw, Threads(2))
        assert pieces[0].tolist() == whole[0].tolist()
        assert pieces[1] == whole[1]


@pytest.mark.parametrize("rules", ["9x9", "10x20,distinct-secrets", "12x8,blank", "16x26"])
def test_playing_boards_too_large_to_list(rules: str) -> None:
    game, strategy = board_game(Rules.parse(rules)), load("marechal-rastoix-3")
    draw = draw_games(game, 3, seed=2)
    depths, nodes = play_draw(strategy, draw)
    secrets = map(draw.secret, range(len(draw)))
    assert depths.tolist() == [len(play(game, strategy, secret)) for secret in secrets]
    assert depths.max() < nodes <= depths.sum()


@pytest.mark.parametrize(
    ("name", "rules", "games", "everything"),
    [
        ("first", "4x6", 10, True),
        ("first", "5x8", 10, False),
        ("first", "5x8", 32768, True),
        ("knuth", "5x8", 10, True),
        ("marechal-rastoix-1", "4x20", 10, True),
        ("marechal-rastoix-1", "6x9", 10, False),
        ("marechal-rastoix-1", "6x9", 10**6, True),
        ("constraint", "4x6", 10, False),
        ("constraint", "4x6", 2000, True),
    ],
)
def test_when_every_secret_is_played(name: str, rules: str, games: int, everything: bool) -> None:
    numbers, times = np.zeros(1, np.int32), np.ones(1, np.int64)
    draw = Draw(board_game(Rules.parse(rules)), games, numbers, times)
    assert plays_everything(load(name), draw) == everything
    assert plays_everything(load(name), Draw(draw.game, None, numbers, times))
