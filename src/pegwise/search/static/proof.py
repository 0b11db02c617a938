"""Write the proof that no fewer guesses tell all secrets apart, which `trees.set_bound` checks.

It is the search tree of `static.tree` down to the sets that lack three guesses. The sets that are
images of earlier ones are not left out, so that the checker need not compare them.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final, cast

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import PegwiseError, TooLargeError
from pegwise.game import FiniteGame, Mastermind
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.claims import FixedSet, ProvenSet
from pegwise.search.static.tree import BoardSymmetry, Branching, Prepared, Task, elements, without
from pegwise.trees.lower_bound import join
from pegwise.trees.set_bound import Branchings, SetChecker

_MOST_SETS: Final = 1_000_000
"""Sets of guesses in a proof; checking so many takes about an hour."""


class _Writer(Branching):
    """Walks the tree, and notes its branchings.

    Args:
        game: what is played.
        most: the number of guesses that is refuted.
        report: told how much is done.
    """

    def __init__(self, game: Mastermind | FiniteGame, most: int, report: Report) -> None:
        super().__init__(Prepared(game), most)
        self.report = report
        self.checker = SetChecker(game, most)
        self.above: list[tuple[int, int]] = []
        self.pairs: list[tuple[int, int]] = []
        self.lists: list[list[int]] = []
        self.own: list[tuple[int, int]] = []
        self.symmetries: dict[bytes, int] = {}
        self.sets = 0

    def branches(self, chosen: tuple[int, ...]) -> bool:
        """Whether a set needs a branching, and is not refuted without."""
        if self.size - len(chosen) <= 2:
            return False
        return not self.checker.too_few([*chosen], np.ones(0, np.bool_), np.zeros((2, 0), np.int64))

    def branch(self, node: Task, parent: int = 0, place: int = 0) -> None:
        """Note the branching of a set, and those below it."""
        number, allowed = len(self.lists), node.allowed
        classes = self._classes(node, number)
        free = np.isin(np.arange(len(classes)), elements(allowed))
        allowed = without(allowed, np.flatnonzero(np.isin(classes, classes[~free])))
        hardest = self.hardest(replace(node, allowed=allowed), classes)
        if hardest is None:
            raise PegwiseError(
                "internal error: {n} guesses are enough for {game}",
                n=self.size,
                game=self.prepared.game.name,
            )
        pair, separators = hardest
        children = self.children(node, classes, separators)
        self.above.append((parent, place))
        self.pairs.append((int(node.pairs.first[pair]), int(node.pairs.second[pair])))
        self.lists.append(children)
        self.sets += len(children)
        if self.sets > _MOST_SETS:
            raise TooLargeError(
                "the proof that {n} guesses are too few for {game} has more than {most:,} sets of "
                "guesses: it is not written",
                n=self.size,
                game=self.prepared.game.name,
                most=_MOST_SETS,
            )
        share = node.share / max(len(children), 1)
        for index, guess in enumerate(children):
            chosen = (*node.chosen, guess)
            if self.branches(chosen):
                fraction = node.fraction + index * share
                child = Task((), chosen, node.pairs, guess, allowed, fraction, share)
                self.branch(self.narrowed(child), number, index)
            allowed = without(allowed, np.flatnonzero(classes == classes[guess]))
        total = round(self.sets / (node.fraction + node.share))
        self.report(Progress(self.sets, total, "sets"))

    def _classes(self, node: Task, number: int) -> I64:
        """The classes of guesses beside a set, with the symmetries that make them noted."""
        classes, symmetry = np.arange(self.prepared.game.n_guesses), self.prepared.symmetry
        if not isinstance(symmetry, BoardSymmetry):
            return classes
        for order, names in zip(*symmetry.keeping(node.chosen), strict=True):
            row = np.concatenate([order, names[:, : symmetry.colors].reshape(-1)]).astype(np.int64)
            images = self.checker.images(row.tobytes())
            if (classes[images] != classes).any():
                classes = join(classes, images)
                symmetry_number = self.symmetries.setdefault(row.tobytes(), len(self.symmetries))
                self.own.append((number, symmetry_number))
        return classes

    def proof(self) -> Branchings:
        """The branchings as arrays."""
        rows = [np.frombuffer(row, np.int64) for row in self.symmetries]
        above = np.array(self.above, np.int64).reshape(-1, 2)
        symmetry = self.prepared.symmetry
        pegs, colors = 0, 0
        if isinstance(symmetry, BoardSymmetry):
            pegs, colors = symmetry.orders.shape[1], symmetry.colors
        return Branchings(
            parents=above[:, 0],
            places=above[:, 1],
            pairs=np.array(self.pairs, np.int64).reshape(-1, 2),
            guesses=np.array(list(itertools.chain.from_iterable(self.lists)), np.int64),
            starts=np.cumsum([0, *map(len, self.lists)], dtype=np.int64),
            own=np.array(self.own, np.int64).reshape(-1, 2).T,
            symmetries=np.array(rows, np.int64).reshape(len(rows), pegs + pegs * colors),
        )


def prove_set(fixed: FixedSet, *, report: Report = silent) -> ProvenSet:
    """A smallest fixed set with the proof that none is smaller; its `problems` check both.

    Args:
        fixed: proven by search.
        report: told how much is done.

    Raises:
        TooLargeError: the proof would be too large.
    """
    game = cast("Mastermind | FiniteGame", fixed.game)
    writer = _Writer(game, fixed.lower_bound - 1, report)
    if writer.branches(()):
        p = writer.prepared
        writer.branch(Task((), (), p.pairs, -1, p.everything, 0.0, 1.0))
    return ProvenSet(fixed, writer.proof())
