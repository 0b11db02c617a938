"""Pegs exchanged and colors renamed in a whole tree, which gives another strategy as good.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 319.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pegwise.errors import InputError, Phrase, quoted
from pegwise.trees import Tree


def relabel(
    tree: Tree, pegs: Sequence[int] | None = None, colors: Sequence[int] | None = None
) -> Tree:
    """The tree of a board with pegs exchanged and colors renamed in all its guesses.

    An optimal strategy gives others so. Marks stay as they are, and every secret
    takes as many guesses as its image did. Peg k of the new codes is peg `pegs[k]` of the old;
    `colors` are the new colors of the old ones. Holes stay holes.

    Raises:
        InputError: a tree of another game, or of a board with weights; no permutation.
    """
    game = tree.game
    if game.board is None or game.weights is not None:
        raise InputError(
            "pegs and colors of {game} cannot be exchanged: give a plain board", game=game.name
        )
    order = _permutation(Phrase("pegs"), pegs, game.board.pegs)
    names = _permutation(Phrase("colors"), colors, game.board.colors)
    played = game.images(tree.nodes.guess, np.array([*order, *names]))
    nodes = tree.nodes._replace(guess=played.astype(np.int32))
    return Tree(game, nodes, tree.strategy, tree.options)


def _permutation(what: Phrase, numbers: Sequence[int] | None, count: int) -> list[int]:
    permutation = list(range(count) if numbers is None else numbers)
    if sorted(permutation) != list(range(count)):
        raise InputError(
            "{what} {permutation}: give each number from 0 to {count} once",
            what=what,
            permutation=quoted(permutation),
            count=count - 1,
        )
    return permutation
