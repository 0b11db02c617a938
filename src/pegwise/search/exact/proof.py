"""Write the proof that no tree is better, which `trees.lower_bound` checks.

Sets are taken from the largest to the smallest. What guesses of a set cost by counting is not
enough for some guesses: there the exact search raises bounds of parts, small parts first, until the
bound of the set is reached. Each of these parts joins the list, with the bound that was needed, or
raises that of a set that a symmetry carries it into.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pegwise.arrays import I64, MarkNumbers
from pegwise.game import Game
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.claims import ProvenBound, bounds_needed
from pegwise.search.exact.sets import CanonicalForm, SetCosts
from pegwise.trees import Tree
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, LowerBound

_MANY: Final = 20  # guesses that are worth a look for symmetries of their set


@dataclass(slots=True, eq=False)
class _Set:
    """A set of the list."""

    codes: I64
    limit: int
    form: CanonicalForm
    bound: int = 0
    number: int = 0
    references: list[tuple[int, int, _Set, int]] = field(default_factory=list)
    own: list[int] = field(default_factory=list)

    @property
    def key(self) -> tuple[int, bytes]:
        """What tells it from other sets of its size."""
        return self.limit, self.form.key


class _Writer(SetCosts):
    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # sets by size, then by limit and canonical form
        self.sets: defaultdict[int, dict[tuple[int, bytes], _Set]] = defaultdict(dict)
        self.numbers: dict[tuple[int, ...], int] = {}  # of symmetries

    def new(self, codes: I64, limit: int) -> _Set:
        """A set that may join the list."""
        return _Set(codes, limit, self.canonical(codes))

    def number(self, symmetry: tuple[int, ...]) -> int:
        """The number of a symmetry."""
        return self.numbers.setdefault(symmetry, len(self.numbers))

    def symmetry(self, part: _Set, target: _Set) -> int:
        """The number of the symmetry that carries a set into one of the same canonical form."""
        places = part.form.places[np.argsort(target.form.places)]
        names = np.argsort(target.form.names)[part.form.names]
        return self.number((*places.tolist(), *names.tolist()))

    def expand(self, item: _Set) -> None:
        """Put the parts of a set on the list that its bound rests on."""
        checker, codes = self.checker, item.codes
        marks = checker.table[codes]
        least, splits = checker.counting(codes, marks, item.limit)
        costs = np.minimum(checker.weights[codes].sum() + least.sum(axis=0), INFINITE)
        weak = np.flatnonzero(splits & (costs < item.bound))
        if not len(weak):
            item.bound = int(costs[splits].min())
            return
        if len(weak) > _MANY:
            symmetries, classes = self.symmetries(codes)
            item.own = [self.number(symmetry) for symmetry in symmetries]
            weak = weak[classes[weak] == weak]
        # of guesses that make the same parts one is enough
        weak = weak[np.unique(marks[:, weak], axis=1, return_index=True)[1]]
        for guess in weak.tolist():
            missing = item.bound - int(costs[guess])
            for mark, target, symmetry in self.raised(
                item, marks[:, guess], least[:, guess], missing
            ):
                item.references.append((guess, mark, target, symmetry))

    def raised(
        self, item: _Set, marks: MarkNumbers, least: I64, missing: int
    ) -> Iterator[tuple[int, _Set, int]]:
        """Parts of a guess whose bounds are raised until nothing is missing."""
        limit = item.limit - (item.limit != UNLIMITED)
        sizes = np.bincount(marks, minlength=len(least))
        sizes[self.checker.game.winning] = 0
        parts = []
        targets: dict[int, _Set] = {}
        # what is on the list already costs nothing
        for mark in sorted(np.flatnonzero(sizes > 1).tolist(), key=lambda mark: int(sizes[mark])):
            if missing <= 0:
                break
            part = self.new(item.codes[marks == mark], limit)
            parts.append((mark, part))
            target = self.sets[len(part.codes)].get(part.key)
            if target is not None and target.bound > least[mark]:
                missing -= target.bound - int(least[mark])
                targets[mark] = target
        for mark, part in parts:
            if missing <= 0:
                break
            bound = targets[mark].bound if mark in targets else int(least[mark])
            wanted = INFINITE if item.bound == INFINITE else bound + missing
            cost = self.cost(part.codes, limit, wanted)
            if cost > bound and (item.bound < INFINITE or cost == INFINITE):
                targets[mark] = self.sets[len(part.codes)].setdefault(part.key, part)
                targets[mark].bound = max(cost, targets[mark].bound)
                missing -= cost - bound
        for mark, part in parts:
            if mark in targets:
                yield mark, targets[mark], self.symmetry(part, targets[mark])

    def proof(self) -> LowerBound:
        """The list as arrays, small sets first, each bound as high as it can be proven."""
        form = self.canonical(np.arange(1))
        width = len(form.places) + len(form.names)
        items = [item for size in sorted(self.sets) for item in self.sets[size].values()]
        for number, item in enumerate(items):
            item.number = number
        references = [
            (item.number, guess, mark, target.number, symmetry)
            for item in items
            for guess, mark, target, symmetry in item.references
        ]
        own = [(item.number, symmetry) for item in items for symmetry in item.own]
        sizes = [len(item.codes) for item in items]
        proof = LowerBound(
            codes=np.concatenate([np.zeros(0, np.int64), *(item.codes for item in items)]),
            starts=np.cumsum([0, *sizes], dtype=np.int64),
            limits=np.array([item.limit for item in items], np.int64),
            bounds=np.array([item.bound for item in items], np.int64),
            references=np.array(references, np.int64).reshape(-1, 5).T,
            own=np.array(own, np.int64).reshape(-1, 2).T,
            symmetries=np.array([*self.numbers], np.int64).reshape(len(self.numbers), width),
        )
        for item in items:
            while item.references and proof.bounds[item.number] < INFINITE:
                if not self.checker.proves(proof, item.number, proof.bounds[item.number] + 1):
                    break
                proof.bounds[item.number] += 1
        return proof


def prove_bound(
    tree: Tree,
    objective: str = "total",
    max_guesses: int | None = None,
    *,
    report: Report = silent,
) -> ProvenBound:
    """A best tree with the proof that none is better; its `problems` check both.

    Args:
        tree: best by exact search, of any game.
        objective: what was minimised, one of `OBJECTIVES`.
        max_guesses: the limit of that search, None for any number.
        report: receives the sets so far.
    """
    game = tree.game
    writer = _Writer(game)
    for limit, bound in bounds_needed(tree, objective, max_guesses):
        whole = writer.new(np.arange(game.n_secrets), limit)
        whole.bound = bound
        writer.sets[game.n_secrets][whole.key] = whole
    done = 0
    for size in range(game.n_secrets, 1, -1):
        # all that refer to a set are larger
        for item in [*writer.sets[size].values()]:
            writer.expand(item)
            done += 1
            if done % 100 == 0:
                report(Progress(game.n_secrets - size, game.n_secrets, "codes", f"{done} sets"))
    return ProvenBound(tree, objective, max_guesses, writer.proof())
