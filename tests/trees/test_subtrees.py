"""Trees that exchange subtrees, against plain enumeration."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.trees import Tree, build, verify
from pegwise.trees.subtrees import Subtrees
from tests import naive
from tests.trees.wandering import Wandering

SECRETS = 9


@pytest.fixture(scope="module")
def trees() -> list[Tree]:
    """Of each of the nine first guesses there are some."""
    return [build(board_game(Rules.parse("2x3")), Wandering(seed)) for seed in range(60)]


def nested(tree: Tree, node: int = 0) -> tuple[int, bool, dict[int, Any]]:
    after = {int(tree.nodes.mark[child]): nested(tree, child) for child in tree.children(node)}
    return int(tree.nodes.guess[node]), bool(tree.nodes.wins[node]), after


@pytest.mark.slow
@given(weights=st.lists(st.integers(0, 50), min_size=SECRETS, max_size=SECRETS))
def test_the_best_exchange(trees: list[Tree], weights: list[int]) -> None:
    """Of any number of trees, and of one tree that is added twice."""
    pool = Subtrees(trees[0].game)
    for number, tree in enumerate([trees[0], *trees]):
        pool.add(tree)
        if number in (0, 1, 5, 20, 60):
            best = pool.best(np.array(weights))
            assert verify(best).valid
            added = [nested(tree) for tree in trees[: max(number, 1)]]
            least = naive.best_exchange(added, weights)
            assert (int(best.depths @ weights), sum(weights)) == least
    alone = min(int(tree.depths @ weights) for tree in trees)
    assert least[0] <= alone
