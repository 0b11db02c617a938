"""The permutations that carry one strategy into another.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 319: an optimal strategy gives others, by one permutation of the colors, or of the places, in
all codes. Marks stay as they are, so every secret takes as many guesses as its image did.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import HOLE, Code, Mastermind
from pegwise.trees import Tree

__all__ = ["relabel"]


def relabel(
    tree: Tree, pegs: Sequence[int] | None = None, colors: Sequence[int] | None = None
) -> Tree:
    """The tree with pegs exchanged and colors renamed in all its guesses.

    Args:
        tree: a tree of a board.
        pegs: peg k of the new codes is peg `pegs[k]` of the old; as they stand when None.
        colors: the new color of each old one; unchanged when None. Holes stay holes.

    Raises:
        InputError: a tree of another game, or of a board with weights; no permutation.
    """
    game = tree.game
    if not isinstance(game, Mastermind) or game.weights is not None:
        raise InputError(
            "pegs and colors of {game} cannot be exchanged: give a plain board", game=game.name
        )
    order = _permutation(Phrase("pegs"), pegs, game.rules.pegs)
    names = [*_permutation(Phrase("colors"), colors, game.rules.colors)]
    names += range(len(names), HOLE + 1)
    played = game.guess_codes[tree.nodes.guess][:, order]
    images = np.array(names, np.uint8)[played]
    numbers = [game.guess_number(Code(image)) for image in images.tolist()]
    nodes = tree.nodes._replace(guess=np.array(numbers, np.int32))
    return Tree(game, nodes, tree.strategy, tree.options)


def _permutation(what: Phrase, given: Sequence[int] | None, count: int) -> list[int]:
    permutation = list(range(count) if given is None else given)
    if sorted(permutation) != list(range(count)):
        raise InputError(
            "{what} {permutation}: give each number from 0 to {count} once",
            what=what,
            permutation=quoted(permutation),
            count=count - 1,
        )
    return permutation
