"""Entropy on drawn candidates: exact where all are listed, good where they are not."""

import itertools

import numpy as np
import pytest

from pegwise.arena.draw import draw_games, every_secret, play_draw
from pegwise.errors import ContradictionError, InputError, StrategyError, TooLargeError
from pegwise.game import Code, FiniteGame, Mark, Rules, mark, mastermind, parse_code
from pegwise.knowledge.drawing import Drawn
from pegwise.strategies import load, parse
from pegwise.strategies.sampling import Climber, SampledDecision, Sampling, neighbors, opening
from tests import naive


def uncertain(guess: list[int], codes: list[list[int]]) -> float:
    """Bits still to find after a guess, on average."""
    parts = naive.partition(guess, codes, naive.mark).values()
    return float(sum(len(part) * np.log2(len(part)) for part in parts)) / len(codes)


@pytest.mark.parametrize("board", ["3x4", "4x5,distinct", "4x6", "3x5,black", "5x3"])
def test_the_opening_is_the_best_of_all_guesses(board: str) -> None:
    rules = Rules.parse(board)
    codes = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    every = [list(code) for code in codes]

    def marking(guess: list[int], secret: list[int]) -> tuple[int, int]:
        return naive.mark(guess, secret, black_only=rules.black)

    def left(guess: list[int]) -> float:
        parts = naive.partition(guess, every, marking).values()
        return float(sum(len(part) * np.log2(len(part)) for part in parts))

    assert left(list(opening(rules))) == pytest.approx(min(left(guess) for guess in every))


def test_openings_of_boards_too_large_to_list() -> None:
    found = {b: str(opening(Rules.parse(b))) for b in ("5x8", "6x9", "7x10", "13x13")}
    assert found == {"5x8": "AABCD", "6x9": "AABBCD", "7x10": "AABBCCD", "13x13": "AAABBCCDDEEFF"}


@pytest.mark.parametrize("board", ["3x3", "3x4,distinct", "2x4,blank"])
def test_neighbors(board: str) -> None:
    rules = Rules.parse(board)
    code = [0, 1, 2][: rules.pegs]
    near = neighbors(rules, np.array(code, np.uint8)).tolist()
    expected = []
    for other in itertools.product(range(rules.colors), repeat=rules.pegs):
        differ = [k for k in range(rules.pegs) if other[k] != code[k]]
        swap = len(differ) == 2 and sorted(other) == sorted(code)
        if (len(differ) == 1 or swap) and not (rules.distinct and naive.repeats(other)):
            expected.append(list(other))
    assert near == expected


def test_a_climb_never_goes_down_and_candidates_win_ties() -> None:
    game = mastermind("4x6")
    rng = np.random.Generator(np.random.PCG64(0))
    for _ in range(20):
        codes = game.secret_codes[np.sort(rng.choice(1296, 40, replace=False))]
        known = {code.tobytes() for code in codes}
        weighing = Climber(game, codes, known)
        start, scores = weighing.best(codes)
        best = weighing.climb(codes)[0]
        assert weighing.scores(best[None])[0] <= scores[0]
        rows = [code.tolist() for code in codes]
        assert uncertain(best.tolist(), rows) <= uncertain(start[0].tolist(), rows) + 1e-9
        same = codes[weighing.scores(codes) == weighing.scores(best[None])[0]]
        assert not len(same) or best.tolist() == same[0].tolist()


def test_every_secret_of_the_classic_board() -> None:
    depths, _ = play_draw(load("sampling"), every_secret(mastermind("4x6")))
    assert depths.max() <= 6
    # Neuwirth's criterion on all codes needs 5722 (design); a climb misses little of it
    assert depths.sum() < 5760


def test_every_secret_of_the_super_board() -> None:
    """Best published mean of a program that samples: 5.50 (see docs/large-boards.md)."""
    game = mastermind("5x8")
    depths, _ = play_draw(load("sampling"), every_secret(game))
    assert depths.sum() <= 5.50 * game.n_secrets


@pytest.mark.parametrize(
    ("board", "games", "published"),
    [
        ("6x9", 300, 6.37),
        ("6x10", 150, 6.85),
        ("7x10", 60, 7.37),
    ],
)
def test_as_good_as_the_best_published_means(board: str, games: int, published: float) -> None:
    """Best means of samplers and evolutionary programs: see docs/large-boards.md."""
    draw = draw_games(mastermind(board), games, seed=1)
    depths, _ = play_draw(load("sampling"), draw)
    played = np.repeat(depths, draw.times)
    error = played.std() / np.sqrt(games)
    assert played.mean() < published + 2 * error


@pytest.mark.parametrize("board", ["13x13", "16x26", "10x12,distinct", "12x4,black"])
def test_a_game_on_a_board_far_too_large_to_list(board: str) -> None:
    game = mastermind(board)
    draw = draw_games(game, 1, seed=2)
    depths, _ = play_draw(parse("sampling:keep=20000"), draw)
    assert 5 < depths[0] < 40


def test_the_same_seed_plays_the_same_and_another_one_differs() -> None:
    game = mastermind("8x12")
    turn = Mark(2, 3)
    guesses = [
        [parse(f"sampling:seed={seed}").begin(game).after(turn).guess for _ in range(2)]
        for seed in (0, 1)
    ]
    assert guesses[0][0] == guesses[0][1]
    assert guesses[1][0] == guesses[1][1]
    assert guesses[0][0] != guesses[1][0]


def test_a_time_budget_buys_rounds_of_more_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    choose = SampledDecision._choose

    def noted(self: SampledDecision, drawn: Drawn, times: int) -> Code:
        rounds.append(times)
        return choose(self, drawn, times)

    clock = itertools.count()
    monkeypatch.setattr(SampledDecision, "_choose", noted)
    monkeypatch.setattr("pegwise.strategies.sampling.time.monotonic", lambda: float(next(clock)))
    game = mastermind("9x9")
    one_round = parse("sampling:sample=50,pool=20").begin(game).after(Mark(1, 4))
    assert (one_round.guess, rounds) == (one_round.guess, [1])
    rounds.clear()
    # the clock ticks once a round, and a round is begun while a fifth of the time has not gone
    longer = parse("sampling:sample=50,pool=20,seconds=16").begin(game).after(Mark(1, 4))
    assert (len(longer.guess), rounds) == (9, [1, 2, 4, 8])
    rounds.clear()
    # once all candidates are weighed against all, time does not help any more
    thoughtful = Sampling(sample=4, pool=3, ahead=0, seconds=3600)
    few = thoughtful.begin(mastermind("3x4")).after(Mark(0, 1))
    assert len(few.guess) == 3
    assert rounds[-1] * 3 >= len(few.drawn.codes) > rounds[-2] * 3


def test_it_goes_on_from_other_guesses() -> None:
    rules = Rules(9, 9)
    secret = parse_code("ABACADAEF", rules)
    state = Sampling().begin(mastermind(rules))
    for text in ("ABCDEFGHI", "AABBCCDDE"):
        guess = parse_code(text, rules)
        state = state.instead(guess, mark(guess, secret))
    for _ in range(20):
        guess = state.guess
        if guess == secret:
            return
        state = state.after(mark(guess, secret))
    pytest.fail("not found")


def test_contradictions() -> None:
    game = mastermind("4x6")
    state = load("sampling").begin(game)
    with pytest.raises(ContradictionError, match="no secret of 4x6"):
        for _ in range(9):
            state = state.after(Mark(0, 0))
            _ = state.guess
    # where nothing can be listed, the sentence says that there may be none
    wide = Sampling().begin(mastermind("16x26"))
    with pytest.raises((ContradictionError, TooLargeError), match="16x26"):
        for _ in range(9):
            wide = wide.instead(parse_code("A" * 15 + "B", Rules(16, 26)), Mark(2, 0))
            wide = wide.instead(parse_code("A" * 16, Rules(16, 26)), Mark(9, 0))
            _ = wide.guess


def test_refusals() -> None:
    with pytest.raises(StrategyError, match="words is not a board"):
        load("sampling").begin(FiniteGame(["a", "b"], lambda g, s: g == s, name="words"))
    for text, message in {
        "sampling:keep=5": "keep=5: write a number from 100 to",
        "sampling:sample=1": "sample=1: write a number from 2",
        "sampling:pool=0": "pool=0: write a number from 1",
        "sampling:seed=-1": "seed=-1: write a number from 0",
    }.items():
        with pytest.raises(InputError, match=message):
            parse(text)
