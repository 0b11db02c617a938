"""The nodes of a strategy's tree, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from pegwise.arrays import I32, Bools, MarkNumbers, mark_numbers


class Nodes(NamedTuple):
    """A strategy played out against every secret: one node a guess, in breadth-first order.

    The children of a node follow those of the node before, by number of their mark.

    Attributes:
        guess: int32 (n), number of the guess played.
        parent: int32 (n), the node before; -1 for the root, which is node 0.
        mark: (n), number of the mark that led here; 0 for the root.
        wins: bool (n), whether the guess is a candidate here, so that it may be the secret.
    """

    guess: I32
    parent: I32
    mark: MarkNumbers
    wins: Bools

    @classmethod
    def of(
        cls,
        guess: Sequence[int],
        parent: Sequence[int],
        mark: Sequence[int],
        wins: Sequence[bool],
        n_marks: int,
    ) -> Nodes:
        """Nodes from lists, of a game with `n_marks` marks."""
        return cls(
            np.array(guess, np.int32),
            np.array(parent, np.int32),
            mark_numbers(mark, n_marks),
            np.array(wins, np.bool_),
        )

    @classmethod
    def join(cls, pieces: Iterable[tuple[int, int, Nodes]]) -> Nodes:
        """Several trees as one, breadth first.

        Args:
            pieces: of each the node before its root, the mark that leads to its root, and its
                nodes. The node before is counted through all pieces in their order; it is -1 for
                the root of the whole tree.
        """
        joined: list[Nodes] = []
        start = 0
        for before, led, nodes in pieces:
            parent, mark = nodes.parent + np.int32(start), nodes.mark.copy()
            parent[0], mark[0] = before, led
            joined.append(nodes._replace(parent=parent, mark=mark))
            start += len(nodes.guess)
        return cls(*map(np.concatenate, zip(*joined, strict=True))).breadth_first()

    def breadth_first(self) -> Nodes:
        """This tree with its nodes, which may have any order, in the order of `Nodes`."""
        children = np.argsort(self.parent, kind="stable")
        starts = np.searchsorted(self.parent[children], np.arange(len(children) + 1))
        levels = [np.flatnonzero(self.parent < 0)]
        while len(level := levels[-1]):
            counts = starts[level + 1] - starts[level]
            rank = np.repeat(np.arange(len(level)), counts)
            gaps = starts[level] - (np.cumsum(counts) - counts)
            below = children[np.arange(len(rank)) + gaps[rank]]
            levels.append(below[np.lexsort((self.mark[below], rank))])
        order = np.concatenate(levels)
        place = np.full(len(order) + 1, -1, np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        return Nodes(
            self.guess[order], place[self.parent[order]], self.mark[order], self.wins[order]
        )
