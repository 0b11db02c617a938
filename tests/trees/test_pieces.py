"""A tree built in pieces is the tree that one thread builds, however it is cut."""

import importlib
from pathlib import Path

import pytest

from pegwise.compute import Place, Processes, Serial, Threads
from pegwise.errors import StrategyError
from pegwise.game import FiniteGame, Game, mastermind
from pegwise.progress import Progress
from pegwise.strategies import Strategy, load, parse
from pegwise.trees import build
from pegwise.trees.build import TreeTask, build_at, build_in_pieces
from tests.trees.wandering import same_nodes

PIECES = importlib.import_module("pegwise.trees.build")
"""The module, whose name in the package is that of the function."""

SERIAL = Serial()
pytestmark = pytest.mark.usefixtures("home")


def same(strategy: Strategy, game: Game, where: Place = SERIAL) -> None:
    assert same_nodes(build_in_pieces(strategy, game, where), build(strategy, game))


@pytest.mark.parametrize("most", [1, 40])
@pytest.mark.parametrize(
    "name", ["knuth", "entropy:guesses=candidates", "parts:then=minimax", "first", "random:seed=3"]
)
def test_the_same_tree_however_it_is_cut(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", most)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    for board in ("1x1", "2x3", "3x4,distinct", "3x3,blank", "4x3,black"):
        same(parse(name), mastermind(board))


@pytest.mark.parametrize("name", ["knuth", "forget-entropy", "marechal-rastoix-3", "greenwell"])
def test_strategies_that_play_out_a_tree_in_their_own_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 40)
    same(load(name), mastermind("4x6" if name == "greenwell" else "4x5"))


def test_any_finite_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIECES, "SMALL", 2)
    monkeypatch.setattr(PIECES, "PER_WORKER", 10**9)
    words = ["abc", "abd", "bca", "cab", "dad", "add", "bad", "dab"]
    game = FiniteGame(words, lambda g, s: sum(a == b for a, b in zip(g, s, strict=True)))
    same(load("knuth"), game)
    with pytest.raises(StrategyError, match="greenwell"):
        build_in_pieces(load("greenwell"), mastermind("3x4"), SERIAL)


def test_workers_build_the_same_tree() -> None:
    same(load("first"), mastermind("4x6"), Processes(2))
    for name in ("knuth", "parts:guesses=candidates"):
        same(parse(name), mastermind("4x6"), Threads(3))


def test_what_is_finished_is_not_done_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, strategy = mastermind("4x6"), load("parts")
    played: list[TreeTask] = []
    play_task = PIECES.play_task

    def count(task: TreeTask) -> object:
        played.append(task)
        return play_task(task)

    def stop(step: Progress) -> None:
        if step.done > 600:
            raise KeyboardInterrupt

    monkeypatch.setattr(PIECES, "SMALL", 60)
    monkeypatch.setattr(PIECES, "LONG", 1_000)
    monkeypatch.setattr(PIECES, "play_task", count)
    with pytest.raises(KeyboardInterrupt):
        build_at(strategy, game, SERIAL, report=stop)
    before = len(played)
    tree = build_at(strategy, game, SERIAL)
    assert tree.nodes.guess.tolist() == build(strategy, game).nodes.guess.tolist()
    again = len(played) - before
    # nothing remains
    assert not any((home / "pieces").iterdir())
    played.clear()
    build_at(strategy, game, SERIAL)
    assert 0 < again < len(played)


def test_pieces_have_the_names_of_version_0_2_0() -> None:
    turn = TreeTask(load("first"), mastermind("2x3"), (1, 2), (0, 3), 7)
    bundle = TreeTask(load("first"), mastermind("2x3"), (1, 2), (0,), 7, (3, 4))
    assert repr(turn) == "Piece(marks=(0, 3))"
    assert repr(bundle) == "Bundle(piece=Piece(marks=(0,)), marks=(3, 4))"
