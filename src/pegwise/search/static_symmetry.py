"""What the symmetry of a board says about sets of guesses, order aside.

Where only black marks are given every peg stands for itself, and its colors are renamed on their
own, as long as a secret may repeat them. A game that is no board has no symmetry that we know.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from pegwise.game import Game, Mastermind
from pegwise.game.game import I32
from pegwise.kernels.static_symmetry import canonical_form, orbits, symmetries

__all__ = ["NoSymmetry", "Symmetry", "symmetry_of"]

_ALL_ORDERS: Final = 6
"""With more pegs only exchanges of two are looked at."""


class NoSymmetry:
    """A game where every guess stands for itself."""

    def __init__(self, n_guesses: int) -> None:
        self._numbers = np.arange(n_guesses, dtype=np.int32)

    def orbits(self, played: Sequence[int]) -> tuple[I32, bool]:  # noqa: ARG002
        """Every guess alone in its orbit."""
        return self._numbers, False

    def form(self, guesses: Sequence[int]) -> bytes:
        """The set in ascending order."""
        return np.sort(np.array(guesses, np.int32)).tobytes()


class Symmetry:
    """Permutations of pegs and names of colors of a board."""

    def __init__(self, game: Mastermind) -> None:
        rules = game.rules
        self.colors = rules.colors
        self.each_peg = rules.black and not rules.secrets_are_distinct
        self.codes: npt.NDArray[np.uint8] = np.minimum(game.guess_codes, rules.colors)
        weights = (rules.colors + 1) ** np.arange(rules.pegs)[::-1]
        self.index = np.zeros((rules.colors + 1) ** rules.pegs, np.int32)
        self.index[self.codes @ weights] = np.arange(len(self.codes))
        self.orders = np.array(_orders(rules.pegs), np.int8)

    def orbits(self, played: Sequence[int]) -> tuple[I32, bool]:
        """The smallest guess that a symmetry makes of each, keeping the guesses played.

        Returns:
            int32 (guesses), and whether there is any symmetry but the identity.
        """
        rows = self.codes[list(played)]
        orders, names = self._symmetries(rows)
        out = np.arange(len(self.codes), dtype=np.int32)
        if not len(orders):
            return out, False
        orbits(self.codes, self.index, orders, names, out)
        return out, True

    def _symmetries(
        self, rows: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """Symmetries that make all those that keep some guesses, the identity left out."""
        pegs = self.orders.shape[1]
        names = np.empty((len(self.orders), pegs, self.colors + 1), np.int8)
        good = np.empty(len(self.orders), np.int64)
        count = symmetries(rows, self.colors, self.orders, self.each_peg, names, good)
        # the identity comes first
        orders, names = self.orders[good[1:count]], names[1:count]
        exchanges = self._exchanges(rows)
        if len(exchanges):
            orders = np.concatenate([orders, np.tile(self.orders[:1], (len(exchanges), 1))])
            names = np.concatenate([names, exchanges])
        return orders, names

    def _exchanges(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
        """Names that exchange two colors not played (at one peg, where each has its own)."""
        pegs = self.orders.shape[1]
        same = np.tile(np.arange(self.colors + 1, dtype=np.int8), (pegs, 1))
        found = []
        groups = [[peg] for peg in range(pegs)] if self.each_peg else [list(range(pegs))]
        for group in groups:
            free = np.setdiff1d(np.arange(self.colors), rows[:, group]).tolist()
            for one, other in itertools.pairwise(free):
                names = same.copy()
                names[group, one], names[group, other] = other, one
                found.append(names)
        return np.array(found, np.int8).reshape(len(found), pegs, self.colors + 1)

    def form(self, guesses: Sequence[int]) -> bytes:
        """The same for sets that symmetries carry into each other, different for others."""
        rows = self.codes[list(guesses)]
        best = np.empty_like(rows)
        canonical_form(rows, self.colors, self.orders, self.each_peg, best)
        return best.tobytes()


def symmetry_of(game: Game) -> Symmetry | NoSymmetry:
    """What is known of the symmetry of a game; weights do not matter."""
    return Symmetry(game) if isinstance(game, Mastermind) else NoSymmetry(game.n_guesses)


def _orders(pegs: int) -> list[list[int]]:
    """Permutations of the pegs, the identity first."""
    if pegs <= _ALL_ORDERS:
        return [list(order) for order in itertools.permutations(range(pegs))]
    found = [list(range(pegs))]
    for one, other in itertools.combinations(range(pegs), 2):
        order = list(range(pegs))
        order[one], order[other] = other, one
        found.append(order)
    return found
