"""Entropy on drawn candidates: exact where all are listed, good where they are not."""

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pegwise.arena.draw import draw_games, play_draw
from pegwise.errors import ContradictionError, InputError, TooLargeError
from pegwise.game import Code, FiniteGame, Mark, Rules, board_game, parse_code
from pegwise.knowledge.candidates import Drawn
from pegwise.strategies import load, parse
from pegwise.strategies.sampling import (
    Climber,
    Rollout,
    SampledDecision,
    Sampling,
    opening,
)
from pegwise.trees import build
from pegwise.trees.build import play
from tests import naive
from tests.boards import secrets_of


def bits_to_find(guess: list[int], codes: list[list[int]], *, black: bool = False) -> float:
    """Bits still to find after a guess, on average."""
    parts = naive.partition(guess, codes, lambda g, s: naive.mark(g, s, black_only=black)).values()
    return float(sum(len(part) * np.log2(len(part)) for part in parts)) / len(codes)


@pytest.mark.parametrize("board", ["3x4", "4x5,distinct", "3x5,black", "5x3"])
def test_the_opening_is_the_best_of_all_guesses(board: str) -> None:
    rules = Rules.parse(board)
    codes = secrets_of(rules)
    every = [list(code) for code in codes]
    best = min(bits_to_find(guess, every, black=rules.black) for guess in every)
    mine = bits_to_find(list(opening(rules)), every, black=rules.black)
    assert mine == pytest.approx(best)


def test_openings_of_boards_too_large_to_list() -> None:
    openings = {b: str(opening(Rules.parse(b))) for b in ("5x8", "6x9", "7x10", "9x9")}
    assert openings == {"5x8": "AABCD", "6x9": "AABBCD", "7x10": "AABBCCD", "9x9": "AAABBCCDD"}


def test_a_climb_never_goes_down_and_candidates_win_ties() -> None:
    game = board_game(Rules.parse("4x6"))
    rng = np.random.Generator(np.random.PCG64(0))
    for _ in range(10):
        codes = game.secret_codes[np.sort(rng.choice(1296, 40, replace=False))]
        climber = Climber(game, codes, {code.tobytes() for code in codes})
        best = climber.climb(codes)[0]
        assert climber.scores(best[None])[0] <= climber.best(codes)[1][0]
        same = codes[climber.scores(codes) == climber.scores(best[None])[0]]
        assert not len(same) or best.tolist() == same[0].tolist()


# rollout


@pytest.mark.parametrize("board", ["3x4", "4x4,distinct", "5x3", "4x5,distinct"])
def test_what_is_foreseen_is_what_is_played_and_games_played_out_are_no_longer(board: str) -> None:
    game = board_game(Rules.parse(board))
    first = opening(game.rules)
    greedy, ahead = (build(game, Sampling(ahead=n)).depths for n in (0, 10_000))
    marks = game.marks(game.guess_number(first))
    for mark in set(marks.tolist()) - {game.winning}:
        (part,) = np.nonzero(marks == mark)
        # without the first guess
        assert Rollout(game).total(game.secret_codes[part]) == (greedy[part] - 1).sum()
        assert ahead[part].sum() <= greedy[part].sum()
    assert board != "4x5,distinct" or ahead.sum() < greedy.sum()


def test_a_guess_that_wins_or_tells_all() -> None:
    game = board_game(Rules.parse("4x6"))
    two = np.array([[0, 1, 2, 3], [3, 2, 1, 0]], np.uint8)
    assert Rollout(game).best(two) == Code(two[0].tolist())
    # one of these tells the others apart, and may be the secret itself
    told = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]], np.uint8)
    assert Rollout(game).best(told) in {Code([0, 0, 0, 0]), Code([0, 1, 1, 1])}


# games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "games", "total", "published"),
    [
        # Neuwirth's criterion on all codes needs 5722 guesses; a climb misses little of it
        ("4x6", 300, 1325, 5722 / 1296),
        # best means of samplers and evolutionary programs: see docs/large-boards.md
        ("5x8", 60, 334, 5.50),
    ],
)
def test_as_good_as_the_best_published_means(
    board: str, games: int, total: int, published: float
) -> None:
    draw = draw_games(board_game(Rules.parse(board)), games, seed=1)
    depths, _ = play_draw(load("sampling"), draw)
    played = np.repeat(depths, draw.times)
    # so few games tell of a large loss only; of a small one the total does
    assert played.sum() == total
    assert played.mean() < published + 2 * played.std() / np.sqrt(games)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["10x12,distinct", "10x4,black"])
def test_a_game_on_a_board_far_too_large_to_list(board: str) -> None:
    draw = draw_games(board_game(Rules.parse(board)), 1, seed=2)
    depths, _ = play_draw(parse("sampling:keep=2000,sample=300,pool=30"), draw)
    assert 5 < depths[0] < 60


def test_a_time_budget_buys_rounds_of_more_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    choose = SampledDecision.choose

    def noted(self: SampledDecision, drawn: Drawn, times: int) -> Code:
        rounds.append(times)
        return choose(self, drawn, times)

    clock = itertools.count()
    monkeypatch.setattr(SampledDecision, "choose", noted)
    own = SimpleNamespace(monotonic=lambda: float(next(clock)))  # compilation reads the clock too
    monkeypatch.setattr("pegwise.strategies.sampling.time", own)
    game = board_game(Rules.parse("7x7"))
    one_round = parse("sampling:sample=50,pool=20").begin(game).after(Mark(1, 4))
    assert (one_round.guess, rounds) == (one_round.guess, [1])
    rounds.clear()
    # the clock ticks once a round, and a round is begun while a fifth of the time has not gone
    longer = parse("sampling:sample=50,pool=20,seconds=16").begin(game).after(Mark(1, 4))
    assert (len(longer.guess), rounds) == (7, [1, 2, 4, 8])
    rounds.clear()
    # once all candidates are weighed against all, time does not help any more
    thoughtful = Sampling(sample=4, pool=3, ahead=0, seconds=3600)
    few = thoughtful.begin(board_game(Rules.parse("3x4"))).after(Mark(0, 1))
    assert isinstance(few, SampledDecision)
    assert len(few.guess) == 3
    assert rounds[-1] * 3 >= len(few.drawn.codes) > rounds[-2] * 3


def test_contradictions() -> None:
    # where nothing can be listed, the sentence says that there may be none
    rules = Rules(16, 26)
    wide: Any = Sampling(keep=1000, sample=100).begin(board_game(rules))
    with pytest.raises((ContradictionError, TooLargeError), match="16x26"):
        for _ in range(9):
            wide = wide.instead(parse_code("A" * 15 + "B", rules), Mark(2, 0))
            wide = wide.instead(parse_code("A" * 16, rules), Mark(9, 0))
            _ = wide.guess


@pytest.mark.parametrize(
    ("option", "says"),
    [("keep=5", "100 to"), ("sample=1", "2"), ("pool=0", "1"), ("seed=-1", "0")],
)
def test_options_out_of_range(option: str, says: str) -> None:
    with pytest.raises(InputError, match=f"{option}.*{says}"):
        parse(f"sampling:{option}")


def test_other_games_list_their_candidates() -> None:
    game = FiniteGame(range(200), lambda g, s: (s > g) - (s < g), name="halving")
    for secret in (0, 77, 199):
        turns = play(game, "sampling:pool=50", secret)
        assert str(turns[-1].guess) == str(secret)
        # some of the numbers are near the middle
        assert len(turns) <= 12
    assert play(game, "sampling", 77) == play(game, "sampling", 77)
