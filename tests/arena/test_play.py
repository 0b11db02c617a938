"""Playing only drawn secrets, against the whole tree and against games played one by one."""

import numpy as np
import pytest

from pegwise.arena.draw import Coded, Draw, Numbered, draw_games, every_secret
from pegwise.arena.play import play_draw, plays_everything
from pegwise.errors import StrategyError
from pegwise.game import FiniteGame, Mark, Mastermind, mastermind
from pegwise.progress import Progress
from pegwise.strategies import Strategy, load, parse
from pegwise.trees import build
from tests import naive
from tests.arena.strategies import FAILURES, Bad


@pytest.mark.parametrize("name", ["first", "random:seed=3", "knuth", "marechal-rastoix-2"])
@pytest.mark.parametrize("rules", ["3x4", "2x3,blank", "3x5,distinct-secrets"])
def test_like_the_whole_tree(name: str, rules: str) -> None:
    game, strategy = mastermind(rules), parse(name)
    tree = build(strategy, game)
    draw = every_secret(game)
    depths, nodes = play_draw(strategy, draw)
    assert depths.tolist() == tree.depths().tolist()
    assert nodes == len(tree)
    few = draw_games(game, 10, seed=1)
    assert isinstance(few, Numbered)
    depths, nodes = play_draw(strategy, few)
    assert depths.tolist() == tree.depths()[few.numbers].tolist()
    assert nodes <= len(tree)


@pytest.mark.parametrize("rules", ["9x9", "10x20,distinct-secrets", "12x8,blank", "16x26"])
def test_boards_too_large_to_list(rules: str) -> None:
    game, strategy = mastermind(rules), load("marechal-rastoix-3")
    draw = draw_games(game, 6, seed=2)
    assert isinstance(draw, Coded)
    depths, nodes = play_draw(strategy, draw)
    assert depths.tolist() == [turns(strategy, game, draw, k) for k in range(len(draw))]
    assert depths.max() < nodes <= depths.sum()


def turns(strategy: Strategy, game: Mastermind, draw: Draw, k: int) -> int:
    """Guesses in one game, marked by hand."""
    secret, decision = draw.secret(k), strategy.begin(game)
    played = 1
    while decision.guess != secret:
        decision = decision.after(Mark(*naive.mark(decision.guess, secret)))
        played += 1
    return played


def test_other_games() -> None:
    words = ["abc", "abd", "bca", "cab", "dad", "add", "bad", "dab"]
    game = FiniteGame(words, lambda g, s: sum(a == b for a, b in zip(g, s, strict=True)))
    depths, nodes = play_draw(load("entropy"), every_secret(game))
    tree = build(load("entropy"), game)
    assert (depths.tolist(), nodes) == (tree.depths().tolist(), len(tree))


@pytest.mark.parametrize("name", sorted(FAILURES.keys() - {"refuses", "crashes-first"}))
def test_strategies_that_break_their_contract(name: str) -> None:
    draw = draw_games(mastermind("2x3"), 100, seed=1)
    kind = ZeroDivisionError if name == "crashes-later" else StrategyError
    with pytest.raises(kind, match=None if name == "crashes-later" else FAILURES[name]):
        play_draw(Bad(name), draw)


def test_progress_reaches_the_end() -> None:
    steps: list[Progress] = []
    play_draw(load("first"), draw_games(mastermind("4x6"), 5000, seed=1), report=steps.append)
    done = [step.done for step in steps]
    assert done == sorted(set(done))
    assert len(done) <= 200
    assert done[-1] == steps[-1].total


def test_stopped_from_outside() -> None:
    def stop(_step: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_draw(load("first"), every_secret(mastermind("3x4")), report=stop)


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
    times = np.ones(1, np.int64)
    draw = Numbered(mastermind(rules), games, np.zeros(1, np.int32), times)
    assert plays_everything(load(name), draw) == everything
    assert plays_everything(load(name), Numbered(draw.game, None, draw.numbers, times))
