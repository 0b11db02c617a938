"""The simulation of many workers, by hand and within its bounds; pieces make up the whole."""

import math

import pytest
from benchmarks.scaling import Timed, dealt, pieces, sampled
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.strategies import load

FIRST = Timed(100, 1.0, -1)


def test_pieces_dealt_by_hand() -> None:
    # the second is the largest, but known only when the small one before it is done
    timed = [FIRST, Timed(10, 3.0, 0), Timed(9, 2.0, 0), Timed(50, 4.0, 2), Timed(1, 1.0, 0)]
    plan = dealt(timed, 0.5, 2)
    # one worker: 3 then 1 second; the other: 2 then 4
    assert plan["seconds"] == 0.5 + 1 + 6
    assert plan["work"] == 11
    assert plan["busy"] == pytest.approx(11 / 15)
    assert (plan["largest"], plan["first turn"], plan["pieces"]) == (4, 1, 5)
    # as they come, where there is room for all
    assert dealt(timed, 0.0, 3)["seconds"] == 1 + 2 + 4


@given(st.data(), st.integers(1, 20))
def test_nobody_waits_while_there_is_work(data: st.DataObject, workers: int) -> None:
    seconds = data.draw(st.lists(st.floats(0, 1e3), min_size=1, max_size=40))
    timed = [FIRST, *(Timed(round(s), s, 0) for s in seconds)]
    plan = dealt(timed, 0.0, workers)
    # Graham (1966): whatever the order
    assert plan["seconds"] <= 1 + math.fsum(seconds) / workers + max(seconds) + 1e-6
    assert plan["seconds"] >= 1 + max(max(seconds), math.fsum(seconds) / workers) - 1e-6
    assert plan["busy"] <= 1 + 1e-9
    assert dealt(timed, 0.0, 1)["seconds"] == pytest.approx(1 + math.fsum(seconds))


@pytest.mark.slow
def test_every_secret_is_in_one_piece() -> None:
    game = board_game(Rules.parse("4x7"))
    timed = pieces(load("first"), game, 16)
    after = {piece.after for piece in timed}
    bundles = [piece.size for number, piece in enumerate(timed) if number not in after]
    # but those that a turn finds
    assert game.n_secrets - len(after) <= sum(bundles) <= game.n_secrets
    assert max(bundles) <= max(500, game.n_secrets // 256)
    told: list[str] = []
    large = board_game(Rules.parse("6x6"))
    some = sampled(load("first"), large, 64, 2, 3, told.append)
    after = {piece.after for piece in some}
    ends = [piece.size for number, piece in enumerate(some) if number not in after]
    # those of the third level are made up from turns that were played, of about their size
    assert sum(ends) == pytest.approx(large.n_secrets, rel=0.1)
    assert all(piece.after < number for number, piece in enumerate(some))
    assert min(piece.seconds for piece in some) > 0
    assert told[0].startswith("level 0: 1 turns")
