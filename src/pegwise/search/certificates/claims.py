"""What is claimed of a board, how the claim was made, and its check by the plain marking.

There are six kinds of claims: trees that are proven best (`ProvenTrees`), a best tree with the
proof that none is better (`ProvenBound`), the best tree known (`BestTree`), the value of the game
(`GameValue`), a fixed set of guesses (`FixedSet`), and one with the proof that none is smaller
(`ProvenSet`).

The check shares no code with what it checks: this module uses neither kernels nor searches. It
plays trees and sets against every secret. That nothing better exists is repeated by the searches,
or follows from a proof that is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pegwise._version import __version__
from pegwise.arrays import I64
from pegwise.errors import Phrase
from pegwise.game import Code, Game, Rules, all_secrets, mastermind
from pegwise.plugins import Drawable
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.published import Published, published, published_figure, reported
from pegwise.trees import Tree
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, Checker, LowerBound
from pegwise.trees.set_bound import Branchings, SetChecker, proves_for
from pegwise.trees.verify import verify

Figure = tuple[str, int | Fraction]
"""What a claim says of an objective (see `Published`)."""


class Claim(Protocol):
    """What every kind of claim has."""

    title: ClassVar[Phrase]
    """Its kind, in words."""

    @property
    def game(self) -> Game: ...

    @property
    def figure(self) -> Figure:
        """What is compared with what others have published."""

    def problems(self) -> list[str]:
        """What is wrong with the claim, a sentence each, by the plain marking."""


ClaimT = TypeVar("ClaimT", bound=Claim)


@dataclass(frozen=True)
class Certificate(Generic[ClaimT]):
    """A claim and how it was made.

    Attributes:
        claim: what can be checked.
        seconds: processor time of the search; 0 when not known.
        megabytes: largest memory of the process, in MiB; 0 when not known.
        date: when, as YYYY-MM-DD.
        program: the version that made it.
        method: how, or which command repeats it.
    """

    claim: ClaimT
    seconds: float = 0.0
    megabytes: int = 0
    date: str = ""
    program: str = __version__
    method: str = ""

    @property
    def rules(self) -> Rules:
        return Rules.parse(self.claim.game.name)

    @property
    def proof(self: Certificate[ProvenTrees]) -> ProvenTrees:
        """The claim of a proven optimum."""
        return self.claim

    @property
    def total(self: Certificate[ProvenTrees]) -> int:
        """The smallest total."""
        return self.claim.tree.total

    @property
    def least_worst(self: Certificate[ProvenTrees]) -> int:
        """The smallest worst case."""
        return self.claim.limited.worst

    @property
    def published(self) -> Published | None:
        """The figure that others have published for the same question."""
        return published_figure(self.rules, self.claim.figure[0])

    @property
    def standing(self) -> str:
        """`confirms`, `corrects` or `improves` with the published source.

        Where no figure was found, `reported` with a source that was not read, or `new`.
        """
        row = self.published
        if row is None:
            unread = reported(self.rules) if self.claim.figure[0] == "total" else None
            return "new" if unread is None else f"reported {unread}"
        source = row.source
        if source.startswith("github") and isinstance(self.claim, ProvenTrees):
            source = source.partition(",")[0]
        if row.value == self.claim.figure[1]:
            return f"confirms {source}"
        return f"{'corrects' if row.proven else 'improves'} {row.value}, {source}"


def _tree_problems(name: Phrase, tree: Tree) -> list[str]:
    return [Phrase("{tree}: {text}", tree=name, text=text) for text in verify(tree).problems[:1]]


class _OfTree:
    """A claim of a smallest total."""

    tree: Tree

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def figure(self) -> Figure:
        return "total", self.tree.total


@dataclass(frozen=True)
class ProvenTrees(_OfTree):
    """Two trees that exhaustive search has proven best.

    Attributes:
        tree: smallest total.
        limited: smallest worst case, and of those the smallest total; may be the same tree.
        positions: sets entered by both searches.
    """

    title: ClassVar = Phrase("an optimum")

    tree: Tree
    limited: Tree
    positions: int

    def problems(self) -> list[str]:
        problems = _tree_problems(Phrase("tree of the smallest total"), self.tree)
        if self.limited is not self.tree:
            problems += _tree_problems(Phrase("tree of the smallest worst"), self.limited)
        problems += [
            Phrase(
                "{what}: {figure}, but {value} is published ({source})",
                what=row.words,
                figure=figure,
                value=row.value,
                source=row.source,
            )
            for row in published(Rules.parse(self.game.name))
            if row.proven and (figure := self._answer(row)) not in (None, row.value)
        ]
        return problems

    def _answer(self, row: Published) -> int | None:
        """The figure of the same question; None for a question that the trees do not answer."""
        if row.guesses != "all":
            return None
        if row.objective == "worst":
            return self.limited.worst
        if row.max_guesses is None:
            return self.tree.total
        return self.limited.total if row.max_guesses == self.limited.worst else None


@dataclass(frozen=True)
class ProvenBound(_OfTree):
    """A best tree, with the proof that none is better.

    Attributes:
        tree: the tree.
        objective: `total`, `worst` or `worst-total`.
        max_guesses: no tree that needs more guesses was asked for; None for any number.
        proof: see `trees.lower_bound`.
        positions: sets entered by the search for the tree; 0 when not known.
    """

    title: ClassVar = Phrase("an optimum with its proof")

    tree: Tree
    objective: str
    max_guesses: int | None
    proof: LowerBound
    positions: int = 0

    def problems(self, report: Report = silent) -> list[str]:
        problems = _tree_problems(Phrase("tree"), self.tree) + self.bound_problems()
        return problems or _proof_problems(self, report)

    def checker(self) -> Checker:
        return Checker(self.game)

    @property
    def sets(self) -> int:
        return len(self.proof.bounds)

    def bound_problems(self) -> list[str]:
        """What is wrong with the proof as a whole, before its sets are checked."""
        tree, most = self.tree, self.max_guesses
        problems: list[str] = []
        if malformed := self.proof.malformed(tree.game):
            return [malformed]
        if most is not None and tree.worst > most:
            problems.append(Phrase("the tree needs {n} guesses, more than allowed", n=tree.worst))
        whole = np.flatnonzero(np.diff(self.proof.starts) == tree.game.n_secrets)
        limits, bounds = self.proof.limits[whole], self.proof.bounds[whole]
        for limit, bound in bounds_needed(tree, self.objective, most):
            if not ((limits >= limit) & (bounds >= bound)).any():
                what = Phrase("at most {n} guesses are not enough", n=limit)
                if bound != INFINITE:
                    what = Phrase("no total is under {total}", total=bound)
                problems.append(Phrase("it does not prove that {what}", what=what))
        return problems


def _proof_problems(claim: ProvenBound | ProvenSet, report: Report) -> list[str]:
    """What is wrong with the parts of a proof."""
    checker: Any = claim.checker()
    problems = []
    for number in range(claim.sets):
        problems.append(checker.problem(claim.proof, number))
        report(Progress(number + 1, claim.sets, "sets"))
    return [problem for problem in problems if problem is not None]


def bounds_needed(tree: Tree, objective: str, most: int | None) -> list[tuple[int, int]]:
    """The limits and bounds to be proven for all secrets, so that a tree is best.

    Args:
        tree: it verifies, and needs `most` guesses or fewer.
        objective: `total`, `worst` or `worst-total`.
        most: guesses that a tree may need, None for any number.
    """
    if tree.game.n_secrets == 1:
        return []
    total = (tree.worst if objective == "worst-total" else most or UNLIMITED, tree.total)
    worst = (tree.worst - 1, INFINITE)
    return {"total": [total], "worst": [worst], "worst-total": [worst, total]}[objective]


@dataclass(frozen=True)
class ProvenGoal(_OfTree):
    """A tree that exhaustive search has proven best for another objective than the total.

    Attributes:
        tree: the tree.
        objective: `fewest-at-worst`, `total-fewest`, or `within:N`.
        histogram: how many secrets are said to be found with 1, 2, ... guesses.
        positions: sets entered by the search.
    """

    title: ClassVar = Phrase("an optimum of another goal")

    tree: Tree
    objective: str
    histogram: tuple[int, ...]
    positions: int

    def problems(self) -> list[str]:
        problems = _tree_problems(Phrase("tree"), self.tree)
        if not problems and verify(self.tree).histogram != self.histogram:
            problems.append(Phrase("the tree finds other numbers of secrets by guesses"))
        return problems


@dataclass(frozen=True)
class BestTree(_OfTree):
    """The best tree known of a board whose smallest total and worst case are not both proven.

    Attributes:
        tree: the tree.
        lower_bound: no tree has a smaller total, proven.
    """

    title: ClassVar = Phrase("a best tree known")

    tree: Tree
    lower_bound: int

    def problems(self) -> list[str]:
        return list(verify(self.tree).problems[:1])


# The value of a game.
#
# A codebreaker who exchanges pegs and renames colors at random before playing finds every secret
# of a class with the same expected number of guesses. So an optimal codemaker may choose a class
# and draw any secret of it with the same chance.

Weights = tuple[int, ...]


@dataclass(frozen=True)
class SecretClasses:
    """The secrets of a game by class: symmetries carry those of a class into each other.

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
        sums = np.zeros(len(self), np.int64)
        np.add.at(sums, self.number, tree.depths().astype(np.int64))
        return tuple(sums.tolist())

    def means(self, totals: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Expected guesses for a secret of each class."""
        return tuple(Fraction(t, size) for t, size in zip(totals, self.sizes, strict=True))

    def spread(self, weights: Weights) -> I64:
        """int64 (n_secrets): the weight of every secret, from one for each class."""
        return np.array(weights, np.int64)[self.number]

    def weight(self, weights: Weights) -> int:
        """Sum of the weights of all secrets."""
        return sum(w * size for w, size in zip(weights, self.sizes, strict=True))


def color_counts(rules: Rules) -> I64:
    """int64 (n_secrets, colors): how often each secret of a board has its colors, ascending."""
    codes = mastermind(rules).secret_codes
    return np.sort([(codes == color).sum(axis=1) for color in range(rules.colors)], axis=0).T


def classes_of(game: Game) -> SecretClasses:
    """The classes of a game.

    On a board two secrets are alike when an exchange of pegs and a renaming of colors carries
    one into the other: when the numbers of pegs of their colors are the same. Where only black
    marks are given and guesses are free, colors may be renamed on each peg by itself, and all
    secrets are alike. Of other games no symmetry is known: every secret is a class.
    """
    if game.board is None:
        shapes: npt.NDArray[Any] = np.arange(game.n_secrets)[:, None]
    elif game.board.secrets_are_distinct or game.board.black:
        shapes = np.zeros((game.n_secrets, 1), np.uint8)
    else:
        shapes = color_counts(game.board)
    _, first, inverse = np.unique(shapes, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    number = rank[inverse.reshape(-1)].astype(np.int64)
    return SecretClasses(
        number, tuple(first[order].tolist()), tuple(np.bincount(number).astype(int).tolist())
    )


@dataclass(frozen=True)
class GameValue(Drawable):
    """Bounds on the value of a game, with a strategy of each side that reaches them.

    Attributes:
        game: what is played.
        classes: of its secrets.
        weights: of the codemaker, one for each class: against them no tree costs less than
            `cost`, proven by exact search.
        cost: guesses over all secrets, each counted by its weight.
        mixture: of the codebreaker: trees with probabilities. Pegs and colors are to be
            exchanged at random before a tree is played.
        positions: sets entered by all searches.
        stated: the value that a file states beside weights and cost; None if it states none.
    """

    title: ClassVar = Phrase("a value")

    game: Game
    classes: SecretClasses
    weights: Weights
    cost: int
    mixture: tuple[tuple[Fraction, Tree], ...]
    positions: int = 0
    stated: Fraction | None = None

    @property
    def lower(self) -> Fraction:
        """The codemaker's weights make every codebreaker need so many guesses on average."""
        return Fraction(self.cost, self.classes.weight(self.weights))

    @property
    def upper(self) -> Fraction:
        """The codebreaker's mixture needs no more on average, whatever is hidden."""
        return max(self.class_means())

    @property
    def proven(self) -> bool:
        """Both bounds are equal: this is the value, and both mixtures are optimal."""
        return self.lower == self.upper

    @property
    def figure(self) -> Figure:
        return "value", self.lower

    def class_means(self) -> tuple[Fraction, ...]:
        """Expected guesses of the codebreaker's mixture for a secret of each class."""
        means = [self.classes.means(self.classes.totals(tree)) for _, tree in self.mixture]
        return tuple(
            sum((p * tree[k] for (p, _), tree in zip(self.mixture, means, strict=True)), _ZERO)
            for k in range(len(self.classes))
        )

    def codemaker(self) -> dict[str, int]:
        """The weight of a secret of each class, by the first code of the class."""
        names = [str(self.game.secret(first)) for first in self.classes.first]
        return dict(zip(names, self.weights, strict=True))

    def write(self, bound: Fraction) -> str:
        """A bound as guesses over weights, such as 5600/1290, where it is a multiple of that."""
        weight = self.classes.weight(self.weights)
        guesses = bound * weight
        return f"{guesses}/{weight}" if guesses.denominator == 1 else str(bound)

    def problems(self, report: Report = silent) -> list[str]:
        """What is wrong with the mixture of trees, and whether its bound is the codemaker's."""
        probabilities = [probability for probability, _ in self.mixture]
        problems: list[str] = []
        if self.stated not in (None, self.lower):
            problems.append(
                Phrase(
                    "it states the value {stated}, but its weights and cost give {lower}",
                    stated=self.stated,
                    lower=self.lower,
                )
            )
        if min(probabilities) < 0 or sum(probabilities) != 1:
            problems.append(Phrase("the probabilities of the trees do not add up to 1"))
        for number, (_, tree) in enumerate(self.mixture, 1):
            problems += _tree_problems(Phrase("tree {n}", n=number), tree)
            report(Progress(number, len(self.mixture), "trees"))
        if not problems and not self.proven:
            problems.append(
                Phrase(
                    "the codebreaker's mixture needs up to {upper} guesses, the codemaker's "
                    "weights claim {lower}",
                    upper=self.upper,
                    lower=self.lower,
                )
            )
        return problems


_ZERO: Final = Fraction(0)


# Fixed sets of guesses.

_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Confused:
    """Two secrets that a set of guesses does not tell apart.

    Attributes:
        first: number of a secret.
        second: number of another that gets the same marks.
        answers: how many different answers the set gets in all.
    """

    first: int
    second: int
    answers: int


def confused(game: Game, guesses: Sequence[int]) -> Confused | None:
    """The first two secrets that some guesses, by number, confuse; None if all are told apart.

    Raises:
        TooLargeError: too many secrets to list.
    """
    secrets = all_secrets(game)
    labels = np.zeros(len(secrets), np.int64)
    for guess in guesses:
        marks = np.concatenate(
            [
                game.mark_pairs(np.full(len(block), guess, np.int32), block)
                for block in np.array_split(secrets, -(-len(secrets) // _BLOCK))
            ]
        )
        joint = labels * game.n_marks + marks
        labels = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    answers = int(labels.max()) + 1
    if answers == len(secrets):
        return None
    order = np.argsort(labels, kind="stable")
    same = np.flatnonzero(labels[order[1:]] == labels[order[:-1]])
    # order is stable, so that of each class the smallest secret comes first
    first = same[np.argmin(order[same])]
    return Confused(int(order[first]), int(order[first + 1]), answers)


@dataclass(frozen=True)
class FixedSet:
    """A set of guesses that tells all secrets of a game apart.

    Attributes:
        game: what is played.
        guesses: by number, in the order in which they are best played; None if there is no set
            of the size asked for, or none so far.
        lower_bound: no set has fewer guesses, proven.
        positions: sets of guesses tried.
    """

    title: ClassVar = Phrase("a fixed set")

    game: Game
    guesses: tuple[int, ...] | None
    lower_bound: int
    positions: int

    @property
    def size(self) -> int | None:
        return None if self.guesses is None else len(self.guesses)

    @property
    def proven(self) -> bool:
        return self.size == self.lower_bound

    @property
    def codes(self) -> tuple[Code, ...]:
        return tuple(self.game.guess(number) for number in self.guesses or ())

    @property
    def figure(self) -> Figure:
        return "fixed set", len(self.guesses or ())

    def problems(self) -> list[str]:
        pair = confused(self.game, self.guesses or ())
        if pair is None:
            return []
        first, second = self.game.secret(pair.first), self.game.secret(pair.second)
        return [Phrase("does not tell {first} from {second}", first=first, second=second)]


@dataclass(frozen=True)
class ProvenSet:
    """A smallest fixed set, with the proof that none is smaller.

    Attributes:
        fixed: the set.
        board: the game that the proof is about: that of the set, or one with fewer pegs.
        proof: see `trees.set_bound`.
    """

    title: ClassVar = Phrase("a fixed set with its proof")

    fixed: FixedSet
    board: Game
    proof: Branchings

    @property
    def game(self) -> Game:
        return self.fixed.game

    @property
    def figure(self) -> Figure:
        return self.fixed.figure

    @property
    def sets(self) -> int:
        """Number of branchings of the proof, at least 1."""
        return max(1, len(self.proof.parents))

    def problems(self, report: Report = silent) -> list[str]:
        problems = self.fixed.problems() + self.bound_problems()
        return problems or _proof_problems(self, report)

    def checker(self) -> SetChecker:
        return SetChecker(self.board, self.fixed.lower_bound - 1)

    def bound_problems(self) -> list[str]:
        """What is wrong with the proof as a whole, before its branchings are checked."""
        if not self.fixed.proven:
            return [Phrase("it claims no set to be smallest")]
        if not proves_for(self.board, self.game):
            return [
                Phrase(
                    "a proof for {board} is none for {game}",
                    board=self.board.name,
                    game=self.game.name,
                )
            ]
        malformed = self.proof.malformed(self.board)
        return [] if malformed is None else [malformed]
