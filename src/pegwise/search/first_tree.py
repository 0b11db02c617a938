"""A tree at once, by looking one step ahead: what a search for a better one begins with."""

from __future__ import annotations

import numpy as np

from pegwise.game import Game
from pegwise.game.game import all_secrets
from pegwise.strategies import Nodes
from pegwise.strategies.one_step import Entropy, Weighing
from pegwise.trees import Tree
from pegwise.trees.build import build, play_on

__all__ = ["first_tree"]


def first_tree(game: Game, *, guesses: str, first: int | None, threads: int) -> Tree:
    """The tree of the strategy `entropy`, after any first guess.

    Args:
        game: what is played.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number; None for that of the strategy.
        threads: the tree is the same for any number.
    """
    strategy = Entropy(guesses=guesses)
    if first is None:
        return build(strategy, game, threads=threads)
    secrets = all_secrets(game)
    given = game.marks(first, secrets)
    pieces: list[tuple[int, Nodes]] = []
    for mark in np.unique(given).tolist():
        if mark != game.winning:
            left = secrets[given == mark]
            decision = Weighing(strategy, game, left, (first,))
            pieces.append((mark, play_on(decision, game, left, strategy.card.id)))
    wins = bool((given == game.winning).any())
    return Tree(game, _join(first, wins, pieces), strategy.card.id, strategy.options)


def _join(first: int, wins: bool, pieces: list[tuple[int, Nodes]]) -> Nodes:
    """The nodes of a guess and of what follows after each mark, breadth first."""
    depths: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    parents = []
    begin = 1
    for _, nodes in pieces:
        depth = np.zeros(len(nodes.guess), np.int64)
        for node in range(1, len(depth)):
            depth[node] = depth[nodes.parent[node]] + 1
        depths.append(depth)
        parents.append(np.where(nodes.parent < 0, 0, nodes.parent + begin))
        begin += len(depth)
    # within a level, pieces and their nodes keep their order
    order = np.argsort(np.concatenate([[-1], *depths]), kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    parent = np.concatenate([[-1], *parents])[order]
    parent[1:] = place[parent[1:]]
    marks = [np.concatenate([[mark], nodes.mark[1:]]) for mark, nodes in pieces]
    all_marks = np.concatenate([[0], *marks])[order]
    wide = bool(pieces) and pieces[0][1].mark.dtype == np.uint16
    return Nodes(
        np.concatenate([[first], *(nodes.guess for _, nodes in pieces)])[order].astype(np.int32),
        parent.astype(np.int32),
        all_marks.astype(np.uint16) if wide else all_marks.astype(np.uint8),
        np.concatenate([[wins], *(nodes.wins for _, nodes in pieces)])[order].astype(np.bool_),
    )
