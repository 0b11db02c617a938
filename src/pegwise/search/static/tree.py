"""The search tree below all sets of m guesses, up to symmetry, cut into tasks.

A node is a set of guesses and the guesses that may still be added. Some pair of secrets is not
separated yet, so one of its separators must be added; where symmetries keep the node's guesses as
they are, one separator of each orbit stands for all (orbital branching). When it has been
refuted, its whole orbit is allowed no more: a set with any of them is a mirror image of one that
was tried. A node whose set is the image of an earlier node's is left out: that one was refuted
with more guesses allowed, or without those that were refuted even before.

Nodes that lack two guesses, or three where no symmetry is left, are tasks for the kernel. Which
tasks there are does not depend on the order in which they end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Final

import numpy as np

from pegwise.arrays import I8, I32, I64, U8, U16, U64, mark_numbers
from pegwise.errors import TooLargeError
from pegwise.game import Game, Mastermind
from pegwise.kernels.exact.board import permutations
from pegwise.kernels.pairs import (
    HARDEST,
    HardPairs,
    bit_planes,
    drop_separated,
    hardest_pairs,
    new_pool,
    sort_pairs,
)
from pegwise.kernels.symmetry import canonical_form, orbits, symmetries
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.files import shipped, shipped_certificates
from pegwise.search.certificates.sets import FixedSet, ProvenSet
from pegwise.trees.lower_bound import join
from pegwise.trees.set_bound import Branchings, SetChecker, proves_for

MAX_EXHAUSTED: Final = 8_000  # with more secrets their pairs fill the memory
_ALL_ORDERS: Final = 6  # with more pegs only exchanges of two are looked at


class NoSymmetry:
    """A game without symmetries, such as one that is not a board."""

    def __init__(self, n_guesses: int) -> None:
        self._numbers = np.arange(n_guesses, dtype=np.int32)

    def orbits(self, played: Sequence[int]) -> tuple[I32, bool]:  # noqa: ARG002
        """Every guess alone in its orbit."""
        return self._numbers, False

    def canonical_key(self, guesses: Sequence[int]) -> bytes:
        """The set in ascending order."""
        return np.sort(np.array(guesses, np.int32)).tobytes()


class BoardSymmetry:
    """Permutations of pegs and names of colors of a board; weights do not matter.

    Where only black marks are given every peg stands for itself, and its colors are renamed on
    their own, as long as a secret may repeat them.
    """

    def __init__(self, game: Mastermind) -> None:
        rules = game.rules
        self.colors = rules.colors
        self.each_peg = rules.black and not rules.secrets_are_distinct
        self.codes: U8 = np.minimum(game.guess_codes, rules.colors)
        weights = (rules.colors + 1) ** np.arange(rules.pegs)[::-1]
        self.index = np.zeros((rules.colors + 1) ** rules.pegs, np.int32)
        self.index[self.codes @ weights] = np.arange(len(self.codes))
        self.orders = permutations(rules.pegs, _ALL_ORDERS).astype(np.int8)
        self.same = np.tile(np.arange(rules.colors + 1, dtype=np.int8), (rules.pegs, 1))

    def orbits(self, played: Sequence[int]) -> tuple[I32, bool]:
        """The smallest image of each guess that keeps those played; whether symmetries exist."""
        orders, names = self.keeping(played)
        out = np.arange(len(self.codes), dtype=np.int32)
        if not len(orders):
            return out, False
        orbits(self.codes, self.index, orders, names, out)
        return out, True

    def keeping(self, played: Sequence[int]) -> tuple[I8, I8]:
        """Symmetries that make all those that keep the guesses played, without the identity."""
        rows = self.codes[list(played)]
        orders, names = symmetries(rows, self.orders, self.colors, each_peg=self.each_peg)
        exchanges = self._exchanges(rows)
        # the identity comes first
        same = self.orders[:1].repeat(len(exchanges), axis=0)
        return np.concatenate([orders[1:], same]), np.concatenate([names[1:], exchanges])

    def _exchanges(self, rows: U8) -> I8:
        """Names that exchange two colors not played (at one peg, where each has its own)."""
        pegs = self.orders.shape[1]
        exchanges = []
        for group in [[peg] for peg in range(pegs)] if self.each_peg else [list(range(pegs))]:
            played = set(rows[:, group].ravel().tolist())
            free = (color for color in range(self.colors) if color not in played)
            for first, second in itertools.pairwise(free):
                names = self.same.copy()
                names[group, first], names[group, second] = second, first
                exchanges.append(names)
        return np.array(exchanges, np.int8).reshape(-1, *self.same.shape)

    def canonical_key(self, guesses: Sequence[int]) -> bytes:
        """A key of a set of guesses, equal for sets that symmetries carry into each other."""
        rows = self.codes[list(guesses)]
        best = np.empty_like(rows)
        canonical_form(rows, self.colors, self.orders, self.each_peg, best)
        return best.tobytes()


# Nodes and tasks

TaskPath = tuple[int, ...]

_ONE: Final = np.uint64(1)

_THREE_BELOW: Final = 2500  # with more guesses a task lacks two, never three: it would take minutes
_NO_PAIRS: Final = np.empty((0, 2), np.int32)
_LOOK: Final = 4096  # pairs that tell a strong separator from a weak one
_MOST_FORMS: Final = 2_000_000  # sets that are remembered; later ones may be tried twice


@dataclass(frozen=True, slots=True)
class Task:
    """A node, also as work for the kernel.

    `path` tells which child was taken at each level; paths grow from task to task. `pairs` of
    secrets, int32 (n, 2), were not separated before the last guess, if `by` is it, or by all (-1);
    the kernel has its own, and is given none. `allowed` are bits of the guesses that may be added.
    `fraction` and `share` of the tree lie before the task and below it, roughly.
    """

    path: TaskPath
    chosen: tuple[int, ...]
    pairs: I32
    by: int
    allowed: U64
    fraction: float
    share: float


class Prepared:
    """Tables of a game for the search; parts are made when they are first needed."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def marks(self) -> U8 | U16:
        """All marks by number, (guesses, secrets)."""
        # one width of marks for almost all games: kernels are compiled once
        return mark_numbers(self.game.table, self.game.n_marks)

    @cached_property
    def symmetry(self) -> BoardSymmetry | NoSymmetry:
        """The symmetries of the game."""
        game = self.game
        return BoardSymmetry(game) if isinstance(game, Mastermind) else NoSymmetry(game.n_guesses)

    @cached_property
    def everything(self) -> U64:
        """Bits of all guesses."""
        bits = np.zeros(64 * -(-self.game.n_guesses // 64), np.uint8)
        bits[: self.game.n_open_guesses] = 1
        return np.packbits(bits, bitorder="little").view(np.uint64)

    @cached_property
    def planes(self) -> U64:
        """The marks as bit planes (see `kernels.pairs`)."""
        return bit_planes(self.marks, len(self.everything))

    @cached_property
    def pairs(self) -> I32:
        """All pairs of secrets, hardest first: int32 (n, 2)."""
        n = self.game.n_secrets
        pairs = np.empty((n * (n - 1) // 2, 2), np.int32)
        sort_pairs(self.planes, self.everything, pairs)
        return pairs

    def new_pool(self) -> HardPairs:
        """A pool of pairs for the kernel, with hard ones in it; each thread has its own."""
        places = np.linspace(0, min(len(self.pairs), 100 * HARDEST) - 1, HARDEST).astype(np.int64)
        return new_pool(self.planes, self.pairs[np.unique(places)])


def elements(bits: U64) -> I64:
    """The numbers in a set, ascending."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))


def tasks(prepared: Prepared, size: int, start: TaskPath = ()) -> Iterator[Task]:
    """All tasks from a path on that together refute every set of `size` guesses, at least two."""
    root = Task((), (), prepared.pairs, -1, prepared.everything, 0.0, 1.0)
    yield from Branching(prepared, size).below(root, start)


class Branching:
    """Walks the tree, and remembers the sets that it has met."""

    def __init__(self, prepared: Prepared, size: int) -> None:
        self.prepared = prepared
        self.size = size
        self.seen: set[bytes] = set()

    def below(self, node: Task, start: TaskPath) -> Iterator[Task]:
        lacking = self.size - len(node.chosen)
        orbits, symmetric = self.prepared.symmetry.orbits(node.chosen)
        three = not symmetric and self.prepared.game.n_guesses <= _THREE_BELOW
        whole = lacking == 2 or (lacking == 3 and three)
        hardest = None if whole else self.hardest(node, orbits)
        if hardest is None:
            yield replace(node, pairs=_NO_PAIRS)
            return
        children = self.children(node, orbits, hardest[1])
        allowed = node.allowed
        share = node.share / max(len(children), 1)
        for index, guess in enumerate(children):
            inner = without(allowed, np.array([guess]))
            allowed = without(allowed, np.flatnonzero(orbits == orbits[guess]))
            before = bool(start) and index < start[0]
            chosen = (*node.chosen, guess)
            if not self._is_new(chosen) or before:
                continue
            fraction = node.fraction + index * share
            child = Task((*node.path, index), chosen, node.pairs, guess, inner, fraction, share)
            if lacking == 3:
                yield replace(child, pairs=_NO_PAIRS)
            else:
                further = start[1:] if start and index == start[0] else ()
                yield from self.below(self.narrowed(child), further)

    def hardest(self, node: Task, orbits: I32 | I64) -> tuple[int, I64] | None:
        """One of the hardest pairs, with its separators in as few orbits as possible.

        None if no pair is left.
        """
        masks = np.empty((HARDEST, len(node.allowed)), np.uint64)
        p = self.prepared
        count = hardest_pairs(p.planes, node.pairs, node.allowed, masks)
        if count == 0:
            return None
        sizes = np.unpackbits(masks[:count].view(np.uint8), axis=1).sum(axis=1, dtype=np.int32)
        # of pairs with as many separators the first; then the one with the fewest orbits
        first = np.argsort(sizes, kind="stable")[:32]
        return min(
            ((int(k), elements(masks[k])) for k in first),
            key=lambda pair: len(np.unique(orbits[pair[1]])),
        )

    def children(self, node: Task, orbits: I32 | I64, separators: I64) -> list[int]:
        """One separator of each orbit, those first that leave the fewest pairs."""
        heads = np.unique(orbits[separators])
        marks = self.prepared.marks[heads]
        first, second = node.pairs[:_LOOK].T
        together = (marks[:, first] == marks[:, second]).sum(axis=1)
        order = np.argsort(together, kind="stable")
        return [int(guess) for guess in heads[order]]

    def _is_new(self, guesses: tuple[int, ...]) -> bool:
        """Whether no image of this set was met before."""
        key = self.prepared.symmetry.canonical_key(guesses)
        if key in self.seen:
            return False
        if len(self.seen) < _MOST_FORMS:
            self.seen.add(key)
        return True

    def narrowed(self, node: Task) -> Task:
        """The node with only the pairs that its last guess leaves."""
        pairs = np.empty_like(node.pairs)
        count = drop_separated(self.prepared.marks, node.by, node.pairs, pairs)
        return replace(node, pairs=pairs[:count].copy(), by=-1)


def without(bits: U64, numbers: I64) -> U64:
    """A set without some numbers."""
    out = bits.copy()
    np.bitwise_and.at(out, numbers >> 6, ~(_ONE << (numbers & 63).astype(np.uint64)))
    return out


# The proof that no fewer guesses tell all secrets apart, which `trees.set_bound` checks: the tree
# down to the sets that lack three guesses. The sets that are images of earlier ones are not left
# out, so that the checker need not compare them.

MOST_SETS: Final = 1_000_000  # sets of guesses in a proof; to check them takes an hour or more


class _Writer(Branching):
    """Walks the tree, and notes its branchings.

    Args:
        game: what is played.
        most: the number of guesses that is refuted.
        report: told how much is done.
    """

    def __init__(self, game: Game, most: int, report: Report) -> None:
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
            raise AssertionError(f"{self.size} guesses are enough for {self.prepared.game}")
        pair, separators = hardest
        children = self.children(node, classes, separators)
        self.above.append((parent, place))
        self.pairs.append((int(node.pairs[pair, 0]), int(node.pairs[pair, 1])))
        self.lists.append(children)
        self.sets += len(children)
        if self.sets > MOST_SETS:
            raise TooLargeError(
                "the proof that {n} guesses are too few for {game} has more than {most:,} sets of "
                "guesses: it is not written",
                n=self.size,
                game=self.prepared.game.name,
                most=MOST_SETS,
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
        classes, symmetry = self.checker.alike, self.prepared.symmetry
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


def check_proof(game: Game) -> None:
    """Refuse, by TooLargeError, a game whose fixed sets are too long to prove for a checker."""
    stored = None if game.board is None else shipped(FixedSet, game)
    _board_of_proof(game, inf if stored is None else stored.claim.lower_bound)


def sets_of_smaller_boards(game: Game) -> list[FixedSet]:
    """The stored sets of the smaller boards whose bounds hold for a game."""
    stored = [certificate.claim for certificate in shipped_certificates(FixedSet)]
    smaller = [fixed for fixed in stored if fixed.game.n_secrets < game.n_secrets]
    return [fixed for fixed in smaller if proves_for(fixed.game, game)]


def _board_of_proof(game: Game, guesses: float) -> Game:
    """The smallest board whose proof is enough and that is known to need this number of guesses."""
    boards = [fixed.game for fixed in sets_of_smaller_boards(game) if fixed.lower_bound >= guesses]
    game = min([*boards, game], key=lambda board: board.n_secrets)
    if game.n_secrets > MAX_EXHAUSTED:
        raise TooLargeError(
            "{game} has {n:,} secrets, and proofs of fixed sets are written up to {most:,}: none "
            "is written",
            game=game.name,
            n=game.n_secrets,
            most=MAX_EXHAUSTED,
        )
    return game


def prove_set(fixed: FixedSet, *, report: Report = silent) -> ProvenSet:
    """A smallest fixed set with the proof that none is smaller; its `problems` check both.

    Args:
        fixed: proven by search.
        report: told how much is done.

    Raises:
        TooLargeError: the proof would be too large.
    """
    board = _board_of_proof(fixed.game, fixed.lower_bound)
    writer = _Writer(board, fixed.lower_bound - 1, report)
    if writer.branches(()):
        p = writer.prepared
        writer.branch(Task((), (), p.pairs, -1, p.everything, 0.0, 1.0))
    return ProvenSet(fixed, board, writer.proof())
