"""Write the proof that no tree is better, which `trees.lower_bound` checks.

Sets are taken from the largest to the smallest. What guesses of a set cost by counting is not
enough for some guesses: there the exact search raises bounds of parts, small parts first, until the
bound of the set is reached. Each of these parts joins the list, with the bound that was needed, or
raises that of a set that a symmetry carries it into.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from pegwise.arrays import I64, U64, GuessNumber, MarkNumber, MarkNumbers
from pegwise.errors import InputError
from pegwise.game import Game
from pegwise.game.hard import required_after, required_before
from pegwise.kernels.exact import bounds as kernel_bounds
from pegwise.kernels.exact.sets import canonize, new_renaming
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.optima import ProvenOptimum, bounds_needed
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import model_of
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.trees import Tree
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, Checker, LowerBound, join

Turn: TypeAlias = tuple[GuessNumber, MarkNumber]

_MANY: Final = 20  # guesses that are worth a look for symmetries of their set


class _CanonicalForm(NamedTuple):
    """The canonical form of a set, and the symmetry that carries the set to it.

    `names`, int64 (1 or pegs, colors), are those of all pegs, or of each.
    """

    key: bytes
    places: I64
    names: I64

    def to(self, target: _CanonicalForm) -> tuple[I64, I64]:
        """Places and names of the symmetry that carries the set into one of the same key."""
        places = self.places[np.argsort(target.places)]
        return places, _one_after_the_other(places, self.names, np.argsort(target.names, axis=1))


def _one_after_the_other(places: I64, first: I64, second: I64) -> I64:
    """The names that colors get one after the other, if places are exchanged between."""
    if len(first) == 1:
        return second[:, first[0]]
    return second[np.arange(len(second))[:, None], first[places]]


@dataclass(slots=True, eq=False)
class _Set:
    """A set of the list."""

    codes: I64
    limit: int
    form: _CanonicalForm
    required: U64  # by its turns, of guesses (`game.requirements`)
    turns: tuple[Turn, ...] = ()
    bound: int = 0
    number: int = 0
    references: list[tuple[int, int, _Set, int]] = field(default_factory=list)
    own: list[int] = field(default_factory=list)

    @property
    def key(self) -> tuple[int, bytes, bytes]:
        """A key that tells it from other sets of its size."""
        return self.limit, self.form.key, self.required.tobytes()


class _Writer:
    def __init__(self, game: Game, first: GuessNumber | None) -> None:
        self.game = game
        self.checker = Checker(game, first)
        self.model = model_of(game, names_per_peg=True).options(
            whole=False, use_history=False, first=-1
        )
        symmetry = self.model.board.symmetry
        self._search = SetSearch(self.model, TranspositionTable(table_bits_for(game.n_secrets)))
        self._renaming = new_renaming(
            symmetry.permutations.shape[1], symmetry.colors, symmetry.names, symmetry.individualized
        )
        # sets by size, then by limit and canonical form
        self.sets: defaultdict[int, dict[tuple[int, bytes, bytes], _Set]] = defaultdict(dict)
        self.numbers: dict[tuple[int, ...], int] = {}  # of symmetries

    def part(self, item: _Set, codes: I64, limit: int, turn: Turn) -> _Set:
        """The part of a set that a turn makes, which may join the list."""
        required = required_after(self.game, item.required, *turn)
        turns = item.turns
        if not np.array_equal(required, item.required):
            turns = (*turns, turn)
        return _Set(codes, limit, self.canonical(codes), required, turns)

    def looser(self, item: _Set) -> list[_Set]:
        """The same codes after none of its turns, after the first, ..., after all.

        With fewer turns more guesses are allowed: a bound holds for more parts.
        """
        sets, required = [], required_before(self.game)
        for number, turn in enumerate(item.turns):
            sets.append(_Set(item.codes, item.limit, item.form, required, item.turns[:number]))
            required = required_after(self.game, required, *turn)
        return [*sets, item]

    def guesses(self, item: _Set) -> I64:
        """The guesses that are allowed in a set, by number, ascending."""
        if self.game.requirements is not None:
            return np.flatnonzero(self.game.requirements.allowed(item.required))
        if not self.game.free:
            return np.sort(self.game.guess_of_secret[item.codes]).astype(np.int64)
        return np.arange(self.game.n_guesses)

    def number(self, symmetry: tuple[int, ...]) -> int:
        """The number of a symmetry."""
        return self.numbers.setdefault(symmetry, len(self.numbers))

    def expand(self, item: _Set) -> None:
        """Put the parts of a set on the list that its bound rests on."""
        checker, codes, guesses = self.checker, item.codes, self.guesses(item)
        marks = checker.rules.marks(codes, guesses)
        least, splits = checker.counting(codes, guesses, marks, item.limit)
        costs = np.minimum(checker.weights[codes].sum() + least.sum(axis=0), INFINITE)
        weak = np.flatnonzero(splits & (costs < item.bound))
        if not len(weak):
            item.bound = int(costs[splits].min())
            return
        if len(weak) > _MANY:
            symmetries, classes = self.symmetries(codes)
            item.own = [self.number(symmetry) for symmetry in symmetries]
            weak = weak[classes[guesses[weak]] == guesses[weak]]
        if self.game.requirements is None:
            # of guesses that make the same parts one is enough
            weak = weak[np.unique(marks[:, weak], axis=1, return_index=True)[1]]
        for at in weak.tolist():
            missing, guess = item.bound - int(costs[at]), int(guesses[at])
            for mark, part, target in self.raised(item, guess, marks[:, at], least[:, at], missing):
                places, names = part.to(target.form)
                symmetry = self.number((*places.tolist(), *names.ravel().tolist()))
                item.references.append((guess, mark, target, symmetry))

    def raised(
        self, item: _Set, guess: GuessNumber, marks: MarkNumbers, least: I64, missing: int
    ) -> Iterator[tuple[MarkNumber, _CanonicalForm, _Set]]:
        """Parts of a guess whose bounds are raised until nothing is missing, with the sets."""
        limit = item.limit - (item.limit != UNLIMITED)
        sizes = np.bincount(marks, minlength=len(least))
        sizes[self.game.winning] = 0
        parts: list[tuple[MarkNumber, list[_Set]]] = []
        targets: dict[int, _Set] = {}
        # what is on the list already costs nothing
        for mark in sorted(np.flatnonzero(sizes > 1).tolist(), key=lambda mark: int(sizes[mark])):
            if missing <= 0:
                break
            part = self.part(item, item.codes[marks == mark], limit, (guess, mark))
            forms = self.looser(part)
            parts.append((mark, forms))
            listed = self.sets[len(part.codes)]
            for form in forms:
                target = listed.get(form.key)
                bound = targets[mark].bound if mark in targets else int(least[mark])
                if target is not None and target.bound > bound:
                    missing -= target.bound - bound
                    targets[mark] = target
        for mark, forms in parts:
            if missing <= 0:
                break
            part = forms[-1]
            bound = targets[mark].bound if mark in targets else int(least[mark])
            wanted = INFINITE if item.bound == INFINITE else bound + missing
            cost = self.cost(part, wanted)
            if cost > bound and (item.bound < INFINITE or cost == INFINITE):
                part = next(each for each in forms if each is part or self.cost(each, cost) >= cost)
                targets[mark] = self.sets[len(part.codes)].setdefault(part.key, part)
                targets[mark].bound = max(cost, targets[mark].bound)
                missing -= cost - bound
        for mark, forms in parts:
            if mark in targets:
                yield mark, forms[0].form, targets[mark]

    def canonical(self, codes: I64) -> _CanonicalForm:
        """The canonical form of a set; sets of the same key have the same cost."""
        model, board = self.model, self.model.board
        renamed = model.secret_at[codes]
        weights = model.weights[renamed]
        if board.symmetric:
            symmetry = board.symmetry
            digits, number_of = symmetry.secrets, symmetry.secret_at
            canonize(renamed, weights, board.weighted, digits, number_of, self._renaming)
        if board.weighted:
            order = np.argsort(renamed)
            key = renamed[order].tobytes() + weights[order].tobytes()
        else:
            key = np.sort(renamed).tobytes()
        groups = len(self._renaming.named)
        names = self._renaming.name[:-1].reshape(groups, board.symmetry.colors)
        return _CanonicalForm(key, self._renaming.source.copy(), names.copy())

    def cost(self, item: _Set, wanted: int) -> int:
        """A lower bound of the cost of a set: the cost, or as much as is wanted."""
        search, codes, limit = self._search, self.model.secret_at[item.codes], item.limit
        endless = wanted >= INFINITE
        search.board = self.model.board._replace(any_tree=endless)
        search.begin(
            codes,
            self.model.weights[codes],
            kernel_bounds.UNLIMITED if limit == UNLIMITED else limit,
            kernel_bounds.INFINITE if endless else wanted,
            item.required,
        )
        search.finish()
        cost = int(search.frame["best"])
        return INFINITE if cost >= kernel_bounds.INFINITE else min(cost, wanted)

    def symmetries(self, codes: I64) -> tuple[list[tuple[int, ...]], I64]:
        """Symmetries that carry a set into itself, and the classes of guesses that they make."""
        game, board = self.game, self.model.board
        symmetries: list[tuple[int, ...]] = []
        guesses = classes = np.arange(game.n_guesses)
        if game.board is None:
            return symmetries, classes
        own = self.canonical(codes)
        pegs, colors = np.arange(len(own.places)), np.sort(own.names, axis=1)
        rows = [(places, colors) for places in board.symmetry.permutations[1:]]
        for group in range(len(colors)):
            for pair in itertools.combinations(range(colors.shape[1]), 2):
                names = colors.copy()
                names[group, list(pair)] = pair[::-1]
                rows.append((pegs, names))
        for places, names in rows:
            try:
                image = self.checker.carry(codes, np.append(places, names))
            except ValueError:  # it does not keep weights
                continue
            renamed = self.canonical(image)
            if renamed.key != own.key:
                continue
            # to the image, and back by way of the canonical form
            back, again = renamed.to(own)
            row = np.append(places[back], _one_after_the_other(back, names, again))
            carried = game.images(guesses, row)
            if (classes[carried] != classes).any():
                symmetries.append(tuple(row.tolist()))
                classes = join(classes, carried)
        return symmetries, classes

    def proof(self) -> LowerBound:
        """The list as arrays, small sets first, each bound as high as it can be proven."""
        form = self.canonical(np.arange(1))
        width = len(form.places) + form.names.size
        items = [item for size in sorted(self.sets) for item in self.sets[size].values()]
        for number, item in enumerate(items):
            item.number = number
        references = [
            (item.number, guess, mark, target.number, symmetry)
            for item in items
            for guess, mark, target, symmetry in item.references
        ]
        own = [(item.number, symmetry) for item in items for symmetry in item.own]
        turns = [(item.number, *turn) for item in items for turn in item.turns]
        sizes = [len(item.codes) for item in items]
        proof = LowerBound(
            codes=np.concatenate([np.zeros(0, np.int64), *(item.codes for item in items)]),
            starts=np.cumsum([0, *sizes], dtype=np.int64),
            limits=np.array([item.limit for item in items], np.int64),
            bounds=np.array([item.bound for item in items], np.int64),
            references=np.array(references, np.int64).reshape(-1, 5).T,
            own=np.array(own, np.int64).reshape(-1, 2).T,
            symmetries=np.array([*self.numbers], np.int64).reshape(len(self.numbers), width),
            turns=np.array(turns, np.int64).reshape(-1, 3).T,
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
    first: GuessNumber | None = None,
    report: Report = silent,
) -> ProvenOptimum:
    """A best tree with the proof that none is better; its `problems` check both.

    Args:
        tree: best by exact search, of any game.
        objective: what was minimised, one of `OBJECTIVES`.
        max_guesses: the limit of that search, None for any number.
        first: the first guess of that search, by number; None for any.
        report: receives the sets so far.

    Raises:
        InputError: hard rules that are not searched, or a first guess that tells nothing.
    """
    game = tree.game
    if first is not None and len(np.unique(game.marks(first))) == 1:
        raise InputError(
            "{guess} tells nothing of {game}: no certificate is made for it as the first guess",
            guess=game.guess(first),
            game=game.name,
        )
    writer = _Writer(game, first)
    for limit, bound in bounds_needed(tree, objective, max_guesses):
        codes = np.arange(game.n_secrets)
        whole = _Set(codes, limit, writer.canonical(codes), required_before(game), bound=bound)
        writer.sets[game.n_secrets][whole.key] = whole
    done = 0
    for size in range(game.n_secrets, 1, -1):
        # all that refer to a set are larger
        for item in [*writer.sets[size].values()]:
            writer.expand(item)
            done += 1
            if done % 100 == 0:
                report(Progress(game.n_secrets - size, game.n_secrets, "codes", f"{done} sets"))
    return ProvenOptimum(tree, objective, max_guesses, writer.proof(), first=first)
