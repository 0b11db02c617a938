"""Losses: they add up to the total above the optimum, for all strategies of ours."""

import numpy as np
import pytest

import pegwise
from pegwise.arena import entrants
from pegwise.errors import InputError, TooLargeError
from pegwise.search.exact.position import position_value
from pegwise.search.losses import losses


@pytest.mark.parametrize("board", ["3x6", "4x4", "4x6"])
def test_losses_add_up_to_the_total_above_the_optimum(board: str) -> None:
    least = pegwise.build("optimal", board).total
    game = pegwise.mastermind(board)
    for strategy in entrants(game)[0]:
        if not strategy.plays(game):
            continue
        tree = pegwise.build(strategy, game)
        lost = losses(tree)
        assert lost.total == sum(lost.by_turn) == tree.total - least
        assert len(lost.by_turn) == tree.worst
        assert all(loss.cost > 0 for loss in lost.positions)
        assert (lost.best == 1) == (lost.total == 0)


def test_where_knuth_loses() -> None:
    lost = losses(pegwise.build("knuth", "4x6"))
    assert (lost.total, lost.by_turn[3:]) == (176, (0, 0))
    first = lost.positions[0]
    assert (first.turns, first.guess, first.candidates) == ((), "AABB", 1296)
    assert first.cost == lost.by_turn[0]
    # the cost is that of the exact search
    value = position_value(pegwise.Rules(4, 6), (), pegwise.parse_code("AABB", "4x6"))
    assert value is not None and value.played is not None
    assert value.played - value.total == first.cost
    loss = lost.positions[1]
    left = pegwise.candidates("4x6", loss.turns)
    assert len(left) == loss.candidates
    assert loss.best != loss.guess


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="is no tree"):
        losses("knuth")  # type: ignore[arg-type]
    with pytest.raises(TooLargeError, match="losses are worked out for at most 1,296"):
        losses(pegwise.build("first", "4x7"))
    weighted = pegwise.Mastermind(pegwise.Rules(2, 3), np.arange(9))
    with pytest.raises(InputError, match="leave out the weights"):
        losses(pegwise.build("knuth", weighted))
