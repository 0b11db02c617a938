"""The search tree below all sets of m guesses for two colors and black marks, peg by peg.

A set of guesses is chosen as its columns (`kernels.columns`): one for each peg, in ascending order,
up to symmetry. No column, and no pair of columns, may be a sum of those chosen before.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from pegwise.arrays import I16, I64
from pegwise.game import Game, Mastermind, board_game
from pegwise.kernels.columns import columns_after, extend
from pegwise.kernels.static import FOUND

_LEAST_PEGS: Final = 4  # smaller boards need no search by columns
_QUICK: Final = 5_000  # sets of columns tried for each way to begin, before any proof


@dataclass(frozen=True, slots=True)
class Prefix:
    """The first columns of a set, which a task completes.

    They are also its path in the tree. `fraction` of the tree lies before the task, roughly.
    """

    game: Mastermind
    path: tuple[int, ...]
    fraction: float = 0.0

    def complete(self, guesses: int, tried: I64, stop: I64, most: int = 0) -> list[int] | None:
        """Guesses, by number, with these first columns; None if there are none.

        At most `most` sets of columns are tried, or all if it is 0; `tried` counts them.
        """
        length = len(self.path)
        chosen = np.zeros(self.game.rules.pegs, np.int64)
        chosen[:length] = self.path
        if extend(chosen, length, guesses, most, tried, stop) != FOUND:
            return None
        codes = (chosen >> np.arange(guesses)[:, None] & 1).astype(np.uint8)
        return [int(guess) for guess in self.game.guess_numbers(codes)]


@dataclass(frozen=True, slots=True)
class Columns:
    """A board whose sets of guesses are searched peg by peg."""

    game: Mastermind

    @staticmethod
    def of(game: Game) -> Columns | None:
        """The columns of a game; None if they are no columns of signs, or too few to search."""
        rules = game.board
        if rules is None:
            return None
        signs = rules.black and rules.colors == 2 and not rules.blank
        if not signs or rules.secrets_are_distinct or rules.pegs < _LEAST_PEGS:
            return None
        return Columns(board_game(rules))

    @property
    def memory(self) -> int:
        """Bytes that a search takes, estimated: sums of columns, and images of columns."""
        pegs = self.game.rules.pegs
        refuted = pegs // 2 + 1  # as many guesses as are refuted, from 12 pegs on
        sums: int = 3 ** (pegs - 2)
        return 8 * sums + 4 * math.factorial(refuted) * (1 << (refuted - 1))

    def prefixes(self, guesses: int, start: tuple[int, ...] = ()) -> Iterator[Prefix]:
        """All tasks from a path on that together refute every set of this many guesses."""
        length = max(1, min(guesses - 1, self.game.rules.pegs - 2))
        images, out = images_of_columns(guesses), np.empty(1 << (guesses - 1), np.int64)

        def below(node: Prefix, share: float) -> Iterator[Prefix]:
            n = len(node.path)
            if n == length:
                yield node
                return
            after = out[: columns_after(np.array(node.path), images, out)].tolist()
            part = share / max(len(after), 1)
            for index, column in enumerate(after):
                path = (*node.path, column)
                if path >= start[: n + 1]:
                    yield from below(Prefix(self.game, path, node.fraction + index * part), part)

        return below(Prefix(self.game, (0,)), 1.0)

    def quick_set(self, guesses: int, tried: I64, stop: I64) -> list[int] | None:
        """So many guesses that are enough, by number. None proves nothing: the search is short."""
        for differing in range(1, guesses // 2 + 1):
            prefix = Prefix(self.game, (0, (1 << differing) - 1))
            if chosen := prefix.complete(guesses, tried, stop, _QUICK):
                return chosen
        return None


@lru_cache(maxsize=1)
def images_of_columns(guesses: int) -> I16:
    """Where each order of the guesses carries each column: int16 (orders, columns)."""
    columns = np.arange(1 << (guesses - 1), dtype=np.int16)
    signs = columns[:, None] >> np.arange(guesses, dtype=np.int16) & 1
    orders = np.array(list(itertools.permutations(range(guesses))), np.int8)
    images: I16 = np.zeros((len(orders), len(columns)), np.int16)
    for row in range(guesses):
        images |= (signs << row)[:, orders[:, row]].T
    # of a column and its opposite the one without the last sign is listed
    np.minimum(images, images ^ np.int16((1 << guesses) - 1), out=images)
    return images
