"""Classes of secrets that the symmetries of a game carry into each other.

A codebreaker who exchanges pegs and renames colors at random before playing finds every secret
of a class with the same expected number of guesses. So an optimal codemaker may choose a class
and draw any secret of it with the same chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from pegwise.game import Game, Mastermind
from pegwise.game.game import I64
from pegwise.trees import Tree

__all__ = ["Classes", "classes_of"]


@dataclass(frozen=True)
class Classes:
    """The secrets of a game by class.

    Attributes:
        number: int64 (n_secrets), the class of each secret.
        first: the first secret of each class, by number; classes are in this order.
        sizes: number of secrets of each class.
    """

    number: I64
    first: tuple[int, ...]
    sizes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.sizes)

    def totals(self, tree: Tree) -> tuple[int, ...]:
        """Guesses of a tree over all secrets of each class; of a tree that verifies."""
        depths = tree.depths().astype(np.int64)
        sums = np.zeros(len(self), np.int64)
        np.add.at(sums, self.number, depths)
        return tuple(sums.tolist())

    def means(self, totals: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Expected guesses for a secret of each class."""
        return tuple(Fraction(t, size) for t, size in zip(totals, self.sizes, strict=True))

    def spread(self, weights: tuple[int, ...]) -> I64:
        """int64 (n_secrets): the weight of every secret, from one for each class."""
        spread: I64 = np.array(weights, np.int64)[self.number]
        return spread

    def weight(self, weights: tuple[int, ...]) -> int:
        """Sum of the weights of all secrets."""
        return sum(w * size for w, size in zip(weights, self.sizes, strict=True))

    def cost(self, weights: tuple[int, ...], totals: tuple[int, ...]) -> int:
        """Guesses over all secrets, each counted by its weight."""
        return sum(w * total for w, total in zip(weights, totals, strict=True))


def classes_of(game: Game) -> Classes:
    """The classes of a game.

    On a board two secrets are alike when an exchange of pegs and a renaming of colors carries
    one into the other: when the numbers of pegs of their colors are the same. Where only black
    marks are given and guesses are free, colors may be renamed on each peg by itself, and all
    secrets are alike. Of other games no symmetry is known: every secret is a class.
    """
    if not isinstance(game, Mastermind):
        signs: npt.NDArray[Any] = np.arange(game.n_secrets)[:, None]
    else:
        rules, codes = game.rules, game.secret_codes
        if rules.secrets_are_distinct or rules.black:
            signs = np.zeros((len(codes), 1), np.uint8)
        else:
            counts = np.stack([(codes == color).sum(1) for color in range(rules.colors)], axis=1)
            signs = np.sort(counts, axis=1)[:, ::-1]
    _, first, inverse = np.unique(signs, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    number = rank[inverse.reshape(-1)].astype(np.int64)
    return Classes(
        number, tuple(first[order].tolist()), tuple(np.bincount(number).astype(int).tolist())
    )
