"""Trees of one game, whose subtrees can be exchanged.

Two trees that play the same guesses after the same marks come to the same *situation*, a set of
candidates, and may go on differently. Any tree's way to go on can then follow any other's way to
come there. Each situation is stored once, with the guesses that the trees play there.
"""

from __future__ import annotations

import numpy as np

from pegwise.arrays import I64
from pegwise.game import Game
from pegwise.trees.tree import NodeList, Tree


class Subtrees:
    """Trees of a game, each of which finds every secret.

    Args:
        game: what is played.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._situations: dict[tuple[int, int], int] = {(-1, 0): 0}  # by move before, and mark
        self._moves: dict[tuple[int, int], int] = {}  # by situation, and guess
        self._wins: list[bool] = []
        self._levels: list[list[int]] = []  # the moves of each depth

    def add(self, tree: Tree) -> None:
        """Add a tree of the same game."""
        move_of: list[int] = []
        nodes, depths = tree.nodes, (tree.node_depths - 1).tolist()
        for parent, mark, guess, wins, depth in zip(
            *(array.tolist() for array in (nodes.parent, nodes.mark, nodes.guess, nodes.wins)),
            depths,
            strict=True,
        ):
            came = (move_of[parent] if depth else -1, mark)
            situation = self._situations.setdefault(came, len(self._situations))
            move = self._moves.setdefault((situation, guess), len(self._moves))
            move_of.append(move)
            if move == len(self._wins):
                self._wins.append(wins)
                if depth == len(self._levels):
                    self._levels.append([])
                self._levels[depth].append(move)

    def best(self, weights: I64) -> Tree:
        """The best tree of all that the pool's trees make by exchanging subtrees.

        Args:
            weights: int64 (n_secrets), what each guess for a secret costs.
        """
        before = np.array(list(self._situations), np.int64)  # (situations, 2)
        played = np.array(list(self._moves), np.int64)  # (moves, 2)
        secrets = np.where(self._wins, self.game.secret_of_guess[played[:, 1]], 0)
        weight = np.where(self._wins, weights[secrets], 0)  # of the candidates at each move
        cost = np.zeros(len(played), np.int64)  # from each move on
        choice = np.zeros(len(before), np.int64)
        for level in map(np.array, reversed(self._levels)):
            cost[level] += weight[level]
            order = level[np.lexsort((level, cost[level], played[level, 0]))]
            situations, first = np.unique(played[order, 0], return_index=True)
            choice[situations] = cheapest = order[first]
            if situations[0] > 0:
                np.add.at(weight, before[situations, 0], weight[cheapest])
                np.add.at(cost, before[situations, 0], cost[cheapest])
        nodes = NodeList()
        node_of = {-1: -1}  # of the moves that are reached
        moves = choice.tolist()
        for (came, mark), move in zip(self._situations, moves, strict=True):
            if came in node_of:
                guess, wins = int(played[move, 1]), self._wins[move]
                node_of[move] = nodes.add(node_of[came], mark, guess, wins=wins)
        return Tree(self.game, nodes.nodes(self.game), "value")
