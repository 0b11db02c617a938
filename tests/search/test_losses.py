"""Losses: they add up to the total above the optimum, for all strategies of ours."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pegwise
from pegwise.arena import entrants
from pegwise.errors import InputError, TooLargeError
from pegwise.search.exact.position import position_value
from pegwise.search.losses import losses


@pytest.mark.parametrize(
    "board",
    ["4x4", *(pytest.param(b, marks=pytest.mark.slow) for b in ("3x6", "4x6"))],
)
def test_losses_add_up_to_the_total_above_the_optimum(board: str) -> None:
    least = pegwise.build(board, "optimal").total
    game = pegwise.game_of(board)
    for strategy in entrants(game)[0]:
        if not strategy.plays(game):
            continue
        tree = pegwise.build(game, strategy)
        lost = losses(tree)
        assert lost.total == sum(filter(None, lost.by_turn)) == tree.total - least
        assert lost.mean == lost.total / game.n_secrets
        assert (lost.accounted, lost.games, lost.interval) == (1, None, None)
        assert len(lost.by_turn) == tree.worst
        assert all(loss.cost > 0 for loss in lost.positions)
        assert (lost.best + lost.as_good == pytest.approx(1)) == (lost.total == 0)


@pytest.mark.slow
def test_where_knuth_loses() -> None:
    lost = losses(pegwise.build("4x6", "knuth"))
    assert (lost.total, lost.by_turn) == (176, (77, 33, 66, 0, 0))
    assert 0 < lost.as_good < lost.best < 1
    first = lost.positions[0]
    assert (first.turns, first.guess, first.candidates) == ((), "AABB", 1296)
    assert first.cost == lost.by_turn[0]
    # the cost is that of the exact search
    value = position_value(pegwise.game_of("4x6"), (), pegwise.parse_code("AABB", "4x6"))
    assert value is not None and value.played is not None
    assert value.played - value.total == first.cost
    loss = lost.positions[1]
    left = pegwise.candidates("4x6", loss.turns)
    assert len(left) == loss.candidates
    assert loss.best != loss.guess


def test_the_losses_of_a_position_are_those_of_naive_play() -> None:
    tree = pegwise.build("2x3", "first")
    game = tree.game
    codes = pegwise.candidates("2x3", ())
    rows = [[game.mark_number(game.mark_of(g, s)) for s in codes] for g in codes]

    @cache
    def least(left: frozenset[int]) -> int:
        return min(cost(left, guess) for guess in range(9))

    def cost(left: frozenset[int], guess: int) -> int:
        parts = {mark: frozenset(s for s in left if rows[guess][s] == mark) for mark in rows[guess]}
        parts.pop(game.winning, None)
        if left in parts.values():
            return 1 << 20  # the guess tells nothing
        return len(left) + sum(least(part) for part in parts.values() if part)

    lost = losses(tree)
    assert lost.total == tree.total - least(frozenset(range(9)))
    for loss in lost.positions:
        left = frozenset(codes.index(code) for code in pegwise.candidates("2x3", loss.turns))
        guess, best = (codes.index(pegwise.parse_code(c, "2x3")) for c in (loss.guess, loss.best))
        assert cost(left, best) == least(left) == cost(left, guess) - loss.cost


def test_losses_of_drawn_games() -> None:
    results = pegwise.race("4x4", ["knuth", "optimal"], games=500, seed=2)
    lost, none = results.losses["knuth"], results.losses["optimal"]
    whole = losses(pegwise.build("4x4", "knuth"))
    assert (lost.games, none.total, none.interval) == (500, 0, (0, 0))
    assert lost.interval is not None
    assert lost.interval[0] <= whole.mean <= lost.interval[1]  # by this seed
    assert lost.total == pytest.approx(500 * lost.mean)
    assert sum(filter(None, lost.by_turn)) == pytest.approx(lost.total)
    assert len(lost.turn_intervals) == len(lost.by_turn)
    # every secret in as many games is no draw at all
    game = pegwise.game_of("4x4")
    every = np.arange(game.n_secrets, dtype=np.int32)
    twice = losses(
        pegwise.build("4x4", "knuth"), secrets=every, times=np.full(len(every), 2, np.int64)
    )
    assert twice.total == pytest.approx(2 * whole.total)
    assert twice.positions == whole.positions
    assert (twice.best, twice.as_good, twice.inconsistent) == (
        *(whole.best, whole.as_good, whole.inconsistent),
    )


@pytest.mark.slow
def test_only_the_positions_of_drawn_games_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choix(candidates):\n    return candidates[0]\n")
    results = pegwise.race("3x4", [f"{tmp_path}/mine.py", "first"], games=10, seed=1)
    mine, ours = results.standings
    assert (mine.total, mine.exact) == (ours.total, None)
    assert mine.nodes < ours.nodes
    assert results.identical == (("mine.py", "first"),)
    assert results.losses["mine.py"] == results.losses["first"]
    document = results.document()["results"][0]["losses"]
    assert document["total"] == results.losses["mine.py"].total


@pytest.mark.slow
def test_without_time_the_end_is_accounted_for() -> None:
    tree = pegwise.build("4x7", "knuth")
    lost = losses(tree, seconds=0.0)
    assert 0 < lost.accounted < 1
    assert lost.by_turn[0] is None
    assert lost.by_turn[-1] is not None


def test_what_is_refused() -> None:
    with pytest.raises(InputError):
        losses("knuth")
    with pytest.raises(TooLargeError):
        losses(pegwise.build("5x8", "parts"))
    weighted = pegwise.Mastermind(pegwise.Rules(2, 3), np.arange(9))
    with pytest.raises(InputError):
        losses(pegwise.build(weighted, "knuth"))
