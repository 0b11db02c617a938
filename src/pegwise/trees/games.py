"""The games that a tree plays, one a secret."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegwise.errors import InputError
from pegwise.trees.tree import Tree

__all__ = ["played"]


def played(tree: Tree) -> npt.NDArray[np.int32]:
    """The nodes of every secret's game.

    Returns:
        int32 (n_secrets, worst): the node of each turn, in the game's order of secrets; -1 after
        the winning turn.

    Raises:
        InputError: the tree does not find every secret.
    """
    nodes, depths = tree.nodes, tree.depths()
    if not depths.all():
        lost = tree.game.secret(int(np.argmin(depths)))
        raise InputError(
            "this tree does not find the secret {lost}, so its games have no end", lost=lost
        )
    wins = np.flatnonzero(nodes.wins)
    at = np.zeros(len(depths), np.int32)
    at[tree.game.secret_of_guess[nodes.guess[wins]]] = wins
    games = np.full((len(depths), int(depths.max())), -1, np.int32)
    # every game is walked backwards from its winning node
    for turn in range(games.shape[1], 0, -1):
        here = depths >= turn
        games[here, turn - 1] = at[here]
        at[here] = nodes.parent[at[here]]
    return games
