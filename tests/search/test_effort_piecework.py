"""Good trees by others: the same trees, whoever works, and finished pieces that are kept."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegwise.compute import Processes, Serial
from pegwise.game import FiniteGame, Game, Mastermind, Rules, mastermind
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.search import begin
from pegwise.kernels.exact.table import probe
from pegwise.search.beam import explorer as effort_levels
from pegwise.search.beam import search as effort
from pegwise.search.beam import spread as effort_piecework
from pegwise.search.beam.search import EffortSearch
from pegwise.search.beam.spread import Piece, search_piece
from pegwise.search.beam.trees import TINY
from pegwise.search.exact.driver import Solver
from pegwise.search.resume import EffortCheckpoint
from pegwise.trees.store import to_bytes


@pytest.fixture(autouse=True)
def hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make boards of a few hundred secrets large, with few guesses weighed."""

    def plan(number: int) -> effort_levels.Plan:
        return effort_levels.Plan(60, 1 if number == 1 else 2 * number, number)

    monkeypatch.setattr(effort, "plan", plan)


def searched(game: Game, stages: int = 3, **options: Any) -> EffortSearch:
    """A search that has gone through its stages."""
    search = EffortSearch(game, stages=stages, **options)
    for _ in search:
        pass
    assert search.finished
    return search


def trees(search: EffortSearch) -> list[bytes]:
    return [to_bytes(tree) for tree in search.trees]


def weighted() -> Game:
    return Mastermind(Rules(4, 5), np.random.default_rng(3).integers(0, 9, 625))


def finite() -> Game:
    table = np.random.default_rng(5).integers(0, 6, (400, 400))
    np.fill_diagonal(table, 6)
    return FiniteGame(range(400), table)


GAMES: list[tuple[Game, dict[str, Any]]] = [
    (mastermind("4x6"), {}),
    (mastermind("4x6"), {"max_guesses": 6}),
    (mastermind("4x6"), {"guesses": "candidates"}),
    (mastermind("4x6"), {"first": 7}),
    (mastermind("4x5,black"), {}),
    (mastermind("4x7,distinct"), {}),
    (mastermind("3x8,blank"), {}),
    (mastermind("4x5"), {"max_guesses": 3}),  # impossible
    (weighted(), {}),
    (finite(), {}),
]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_same_trees_by_pieces(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effort_piecework, "_CUT", 0.001)
    alone = searched(game, **options)
    by_pieces = searched(game, where=Serial(), **options)
    assert by_pieces.totals == alone.totals
    assert trees(by_pieces) == trees(alone)
    assert by_pieces.result().lower_bound == alone.result().lower_bound
    # what a stage has found is what its tree costs
    best = alone.trees[0].total if alone.trees[0].worst <= alone.limit else None
    for totals, tree in zip(alone.totals[1:], alone.trees[1:], strict=True):
        found = min(totals.values())
        best = found if best is None else min(best, found)
        assert tree.total == best or tree.worst > alone.limit


def test_same_trees_however_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    game = mastermind("4x6")
    alone = searched(game)
    for cut in (0.05, 1.0):
        monkeypatch.setattr(effort_piecework, "_CUT", cut)
        assert trees(searched(game, where=Serial())) == trees(alone)


def test_a_game_that_is_solved_whole() -> None:
    search = searched(mastermind("2x7"), where=Serial())
    assert search.solved
    assert trees(search) == trees(searched(mastermind("2x7")))


def test_what_others_have_found_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree is put together from what came back: the workers' tables are their own."""
    solved: list[bool] = []

    def looked_up(solver: Solver, codes: Any, weights: Any, left: int) -> int:
        if len(codes) > TINY:
            begin(solver.board, solver.work, codes, weights, INFINITE, left)
            frame = solver.work.frames[0]
            solved.append(bool(probe(solver.table, frame["key1"], frame["key2"])[1]))
        return best_guess(solver, codes, weights, left)

    search = EffortSearch(mastermind("4x6"), stages=2, where=Serial())
    for step in search:
        if step.stage == 2 and step.total and step.done == step.total:
            break
    best_guess = Solver.best_guess
    monkeypatch.setattr(Solver, "best_guess", looked_up)
    tree = search.result().tree
    assert tree is not None
    assert tree.total == min(search.totals[2].values())
    assert len(solved) > 10
    assert all(solved)


def test_processes_do_the_work_and_a_stopped_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(effort_piecework, "_CUT", 0.02)
    game = mastermind("4x6")
    folder = tmp_path / "pieces"
    expected = searched(game)
    search = EffortSearch(game, stages=3, where=Processes(2), kept=folder)
    checkpoint = EffortCheckpoint(tmp_path / "a.effort", every=0.0)
    steps = checkpoint.run(search)
    while search.stage < 2 or not list(folder.glob("*/*")):
        next(steps)
    steps.close()
    value = search.best_value()
    found = search.result().tree
    assert found is not None
    assert found.total == value
    stage = search.stage
    kept = len(list(folder.glob("*/[!.]*")))
    assert kept

    asked: list[Piece] = []

    def counted(piece: Piece) -> Any:
        asked.append(piece)
        return search_piece(piece)

    monkeypatch.setattr(effort_piecework, "search_piece", counted)
    again = EffortSearch(game, stages=3, where=Serial(), kept=folder)
    assert checkpoint.load(again)
    assert again.stage == stage
    for _ in checkpoint.run(again):
        pass
    assert trees(again) == trees(expected)
    assert again.totals == expected.totals
    again.forget()
    assert list(folder.iterdir()) == []
    done = len(asked)
    asked.clear()
    searched(game, where=Serial())
    assert done < len(asked)


def test_pieces_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Piece] = []

    def travelled(piece: Piece) -> Any:
        sent = pickle.dumps(piece)
        assert len(sent) < 100_000  # nothing of what levels remember goes along
        asked.append(pickle.loads(sent))
        return search_piece(asked[-1])

    monkeypatch.setattr(effort_piecework, "search_piece", travelled)
    search = searched(mastermind("4x6"), where=Serial())
    assert trees(search) == trees(searched(mastermind("4x6")))
    assert {piece.task for piece in asked} == {"cost", "choices", "weigh"}
    assert len({repr(piece) for piece in asked}) == len(asked)  # by which they are kept


def test_a_search_without_pieces_to_do_ends(tmp_path: Path) -> None:
    """All is remembered: the last stage was broken off at its very end."""
    game = mastermind("4x6")
    search = EffortSearch(game, stages=2)
    for step in search:
        if step.stage == 2 and step.total and step.done == step.total:
            break
    path = tmp_path / "a.effort"
    EffortCheckpoint(path).save(search)
    again = EffortSearch(game, stages=2, where=Serial())
    EffortCheckpoint(path).load(again)
    again.totals[2].clear()
    for _ in again:
        pass
    assert trees(again) == trees(searched(game, 2))
