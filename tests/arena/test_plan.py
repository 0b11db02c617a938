"""Plans of whole trees against what was measured, and against how a tree is cut."""

import csv
from pathlib import Path

import pytest

from pegwise.arena.plan import memory_of, plan
from pegwise.errors import TooLargeError
from pegwise.game import Rules, board_game, game_of
from pegwise.strategies import load
from pegwise.trees.build import TreePieces

RECORDED = Path(__file__).parent.parent / "data" / "measured-trees.csv"


def test_recorded_memory_is_estimated_within_a_tenth() -> None:
    with RECORDED.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["mib"]]
    assert len(rows) > 2
    for row in rows:
        told = memory_of(game_of(Rules.parse(row["rules"]))) / 2**20
        assert told == pytest.approx(float(row["mib"]), rel=0.1), row


def test_pieces_are_those_that_a_tree_is_cut_into() -> None:
    document = plan(game_of("5x8"), ["parts"], jobs=2)
    for row in document["pieces"]:
        pieces = TreePieces(load("parts"), board_game(Rules.parse("5x8")), row["workers"])
        assert row["largest"] == pieces.most
        assert row["least"] * pieces.most >= 8**5


def test_a_board_too_large_for_any_tree_is_refused() -> None:
    with pytest.raises(TooLargeError):
        plan(game_of("13x13"), ["parts"], jobs=1)
