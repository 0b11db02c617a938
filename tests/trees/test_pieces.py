"""A tree built in pieces is the tree that one thread builds, however it is cut."""

import importlib

import numpy as np
import pytest

from pegwise.compute import Processes, Serial, Threads
from pegwise.errors import StrategyError
from pegwise.game import FiniteGame, mastermind
from pegwise.progress import Progress
from pegwise.strategies import Strategy, load, parse
from pegwise.trees import build
from pegwise.trees.build import build_at, build_in_pieces
from tests.strategies.test_contract import words

PIECES = importlib.import_module("pegwise.trees.build")
"""The module, whose name in the package is that of the function."""


@pytest.fixture(autouse=True)
def _at_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path_factory.mktemp("home")))


def same(strategy: Strategy, game: object, where: Serial | Processes | Threads = Serial()) -> None:  # noqa: B008
    one, cut = build(strategy, game), build_in_pieces(strategy, game, where)  # type: ignore[arg-type]
    for mine, other in zip(one.nodes, cut.nodes, strict=True):
        assert mine.dtype == other.dtype
        assert np.array_equal(mine, other)


@pytest.mark.parametrize("most", [1, 3, 40, 10_000])
@pytest.mark.parametrize(
    "name",
    [
        "knuth",
        "entropy:guesses=candidates",
        "parts:then=minimax",
        "irving",
        "first",
        "random:seed=3",
    ],
)
def test_the_same_tree_however_it_is_cut(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", most)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    for board in ("1x1", "2x3", "3x4", "3x4,distinct", "3x3,blank", "4x3,black"):
        same(parse(name), mastermind(board))


@pytest.mark.parametrize("name", ["knuth", "forget-entropy", "marechal-rastoix-3", "greenwell"])
def test_strategies_that_play_out_a_tree_in_their_own_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 100)
    same(load(name), mastermind("4x6"))


def test_any_finite_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 2)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    same(load("knuth"), words())


def test_processes_build_the_same_tree() -> None:
    same(load("entropy"), mastermind("5x6"), Processes(2))


def test_threads_build_the_same_tree() -> None:
    for name in ("knuth", "entropy", "parts:guesses=candidates"):
        same(parse(name), mastermind("5x6"), Threads(3))


@pytest.mark.parametrize("where", [Serial(), Processes(2)])
def test_a_tree_that_takes_long_goes_on_where_it_was_stopped(
    where: Serial | Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, strategy = mastermind("5x6"), load("irving")
    whole = build(strategy, game)
    monkeypatch.setattr(PIECES, "LONG", 5_000)

    def stop(step: Progress) -> None:
        if step.done > 4_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_at(strategy, game, where, report=stop)
    seen: list[int] = []
    tree = build_at(strategy, game, where, report=lambda step: seen.append(step.done))
    assert seen[0] > 3_000
    assert seen[-1] == game.n_secrets
    assert tree.nodes.guess.tolist() == whole.nodes.guess.tolist()


def test_what_is_finished_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, strategy = mastermind("4x6"), load("parts")
    whole = build(strategy, game)
    seen: list[int] = []

    def stop(step: Progress) -> None:
        seen.append(step.done)
        if step.done > 600:
            raise KeyboardInterrupt

    monkeypatch.setattr(PIECES, "SMALL", 60)
    with pytest.raises(KeyboardInterrupt):
        build_in_pieces(strategy, game, Serial(), report=stop)
    played: list[object] = []
    real = PIECES.play_task

    def count(task: object) -> object:
        played.append(task)
        return real(task)

    monkeypatch.setattr(PIECES, "play_task", count)
    tree = build_in_pieces(strategy, game, Serial(), report=lambda step: seen.append(step.done))
    assert tree.nodes.guess.tolist() == whole.nodes.guess.tolist()
    again = len(played)
    assert seen[-1] == 1296
    # nothing is left behind
    played.clear()
    build_in_pieces(strategy, game, Serial())
    assert 0 < again < len(played)


def test_a_strategy_that_fails_is_named() -> None:
    with pytest.raises(StrategyError, match="greenwell"):
        build_in_pieces(load("greenwell"), mastermind("3x4"), Serial())


def test_a_finite_game_travels() -> None:
    game = FiniteGame(["a", "b", "c"], lambda guess, secret: guess == secret, name="letters")
    assert build_in_pieces(load("first"), game, Serial()).total == 6
