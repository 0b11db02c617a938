"""Exact search by others: the same tree, whoever works, and finished pieces that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegwise.compute import Processes, Serial
from pegwise.game import Mastermind, Rules, mastermind
from pegwise.kernels.exact.table import learn, new_table, probe, store
from pegwise.search.checkpoint import entries
from pegwise.search.exact import spread as piecework
from pegwise.search.exact.optimal import OptimalSearch, Optimum
from pegwise.search.exact.spread import Piece, search_piece
from pegwise.trees.store import to_bytes


@pytest.fixture(autouse=True)
def small_games_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piecework, "_SMALL_GAME", 200)
    monkeypatch.setattr(piecework, "_SMALL_SET", 20)


def ended(search: OptimalSearch) -> Optimum:
    for _ in search:
        pass
    assert search.finished
    return search.result()


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("4x6", {}),
        ("4x6", {"objective": "worst-total"}),
        ("4x6", {"objective": "worst"}),
        ("4x6", {"guesses": "candidates"}),
        ("4x6", {"first": 7}),
        ("3x6,black", {"max_guesses": 8}),
        ("3x9,distinct", {}),
        ("3x7,blank", {}),
    ],
)
def test_same_tree_by_pieces(rules: str, options: dict[str, Any]) -> None:
    game = mastermind(rules)
    alone = ended(OptimalSearch(game, **options))
    search = OptimalSearch(game, where=Serial(), **options)
    by_pieces = ended(search)
    assert by_pieces.proven
    assert by_pieces.lower_bound == alone.lower_bound
    assert alone.tree is not None
    assert by_pieces.tree is not None
    assert to_bytes(by_pieces.tree) == to_bytes(alone.tree)


def test_same_tree_with_weights_that_break_symmetry() -> None:
    weights = np.random.default_rng(3).integers(0, 9, 256)
    game = Mastermind(Rules(4, 4), weights)
    alone, by_pieces = (ended(OptimalSearch(game, where=where)) for where in (None, Serial()))
    assert alone.tree is not None
    assert by_pieces.tree is not None
    assert to_bytes(by_pieces.tree) == to_bytes(alone.tree)


def test_what_is_impossible_stays_so() -> None:
    assert ended(OptimalSearch(mastermind("4x6"), max_guesses=4, where=Serial())).impossible


def test_processes_do_the_work_and_a_stopped_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = mastermind("4x6")
    expected = ended(OptimalSearch(game)).tree
    search = OptimalSearch(game, where=Processes(2), kept=tmp_path / "pieces")
    steps = iter(search)
    while not list((tmp_path / "pieces").glob("*/*")):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert search.result().tree is not None
    assert not search.result().proven
    kept = len(list((tmp_path / "pieces").glob("*/[!.]*")))
    again: list[int] = []

    def counted(piece: Piece) -> Any:
        again.append(1)
        return search_piece(piece)

    monkeypatch.setattr(piecework, "search_piece", counted)
    resumed = ended(OptimalSearch(game, where=Serial(), kept=tmp_path / "pieces"))
    assert resumed.tree is not None
    assert expected is not None
    assert to_bytes(resumed.tree) == to_bytes(expected)
    whole = len(again)
    again.clear()
    ended(OptimalSearch(game, where=Serial()))
    assert whole == len(again) - kept
    assert list((tmp_path / "pieces").iterdir()) == []


def test_learning_keeps_every_fact() -> None:
    rng = np.random.default_rng(5)
    keys = rng.integers(1, 2**63, (200, 2), dtype=np.uint64)
    small, large = new_table(12), new_table(14)
    for k, (key1, key2) in enumerate(keys):
        store(small, key1, key2, 3 * k, k % 2 == 0, k if k % 2 == 0 else -1, 6 + k)
    store(large, keys[0, 0], keys[0, 1], 1, False, -1, 6)  # less than is learned
    store(large, keys[1, 0], keys[1, 1], 500, True, 77, 7)  # more than is learned
    learn(large, entries(small)[1])
    assert probe(large, *keys[0]) == (0, True, 0)
    assert probe(large, *keys[1]) == (500, True, 77)
    for k in range(2, 200):
        guess = k if k % 2 == 0 else -1
        assert probe(large, *keys[k]) == (3 * k, k % 2 == 0, guess)
