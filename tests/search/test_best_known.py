"""The best trees known, as they come with the program."""

from __future__ import annotations

import dataclasses

import numpy as np

from pegwise.search.certificates.trees import best_rows, check_best, check_best_rows
from pegwise.strategies import Nodes
from pegwise.trees import Tree


def test_every_tree_plays_as_it_says() -> None:
    checked = list(check_best_rows())
    assert checked
    assert all(problems == [] for _, problems in checked)
    for row in best_rows():
        assert row.lower_bound <= row.tree.total
        assert row.document()["proven"] is False


def test_5x8_is_below_what_is_published() -> None:
    row = next(row for row in best_rows() if str(row.rules) == "5x8")
    assert row.tree.total < 179_000
    assert row.standing.startswith("improves 179274")


def test_a_tree_that_plays_otherwise_is_found() -> None:
    row = best_rows()[0]
    nodes = row.tree.nodes
    guess = nodes.guess.copy()
    guess[-1] = guess[0]
    wrong = Tree(row.tree.game, Nodes(guess, *nodes[1:]), "effort")
    assert check_best(dataclasses.replace(row, tree=wrong))
    assert np.array_equal(nodes.parent, wrong.nodes.parent)
