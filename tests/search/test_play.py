"""The strategies `optimal` and `optimal-worst`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pegwise.errors import StrategyError
from pegwise.game import FiniteGame, mastermind
from pegwise.search import players as play
from pegwise.search.players import Optimal, OptimalWorst, keep, stored_path
from pegwise.strategies import load
from pegwise.trees import build
from pegwise.trees.verify import verify


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    monkeypatch.setattr(play, "shipped_record", lambda rules: None)  # see test_records.py
    play._tree.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "total", "worst"), [("optimal", 5625, 6), ("optimal-worst", 5626, 5)]
)
def test_plays_the_proven_tree(name: str, total: int, worst: int) -> None:
    tree = build(load(name), mastermind("4x6"))
    assert (tree.total, tree.worst) == (total, worst)
    assert verify(tree).valid


def test_is_pure_and_goes_guess_by_guess() -> None:
    game = mastermind("3x4")
    decision = load("optimal").begin(game)
    for secret in (game.secret(5), game.secret(60)):
        state, turns = decision, 0
        while state.guess != secret:
            state = state.after(game.mark_of(state.guess, secret))
            turns += 1
        assert turns < 5


def test_the_tree_is_kept_and_read_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = mastermind("3x4")
    first = Optimal().tree(game)
    assert stored_path(game, "total").is_file()
    play._tree.cache_clear()
    monkeypatch.setattr(play, "find_optimum", None)  # must not be called
    again = Optimal().tree(game)
    assert again.total == first.total == 206


def test_a_damaged_tree_is_computed_again() -> None:
    game = mastermind("3x4")
    path = stored_path(game, "worst-total")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"nonsense")
    tree = OptimalWorst().tree(game)
    assert tree.worst == 4
    assert path.read_bytes() != b"nonsense"


def test_large_boards_need_the_command_first() -> None:
    with pytest.raises(StrategyError, match="pegwise optimal 4x9' first"):
        Optimal().begin(mastermind("4x9"))
    with pytest.raises(StrategyError, match="--objective worst-total"):
        OptimalWorst().begin(mastermind("5x6"))


def test_a_tree_put_there_by_the_command_is_played() -> None:
    from pegwise.search.exact.optimal import find_optimum

    game = mastermind("3x5")
    path = keep(game, find_optimum(game))
    assert path == stored_path(game, "total")
    assert keep(game, find_optimum(game, objective="worst")) is None


def test_plays_any_finite_game() -> None:
    game = FiniteGame(range(9), lambda guess, secret: (guess > secret) - (guess < secret))
    tree = build(Optimal(), game)
    assert tree.total == 1 + 2 * 2 + 4 * 3 + 2 * 4
