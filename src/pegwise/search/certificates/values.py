"""Claims of the value of a game, with a strategy of each side that reaches it.

A codebreaker who exchanges pegs and renames colors at random before playing finds every secret
of a class with the same expected number of guesses. So an optimal codemaker may choose a class
and draw any secret of it with the same chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I64, countable
from pegwise.errors import Phrase, StrategyError
from pegwise.game import Game, Rules, board_game
from pegwise.hooks import Drawable
from pegwise.progress import Progress, Report, silent
from pegwise.search.certificates.claims import (
    Certificate,
    Document,
    Figure,
    Parts,
    check_format,
    count,
    heading,
    made,
    tree_of,
    tree_problems,
)
from pegwise.trees import Tree
from pegwise.trees.store import to_bytes

_ZERO: Final = Fraction(0)
_PROGRAM: Final = "pegwise "  # before the version in files of this kind

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
        np.add.at(sums, self.number, tree.depths.astype(np.int64))
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
    codes = board_game(rules).secret_codes
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
        number,
        tuple(first[order].tolist()),
        tuple(np.bincount(countable(number)).astype(int).tolist()),
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

    Examples:
        >>> value = pegwise.find_value("2x4")
        >>> value.value, value.codemaker()
        (Fraction(45, 16), {'AA': 1, 'AB': 1})
    """

    title: ClassVar = Phrase("a value")
    part: ClassVar = "value.json"
    folder: ClassVar = "values"
    suffix: ClassVar = ".value"
    table: ClassVar = ""

    game: Game
    classes: SecretClasses = field(repr=False)
    weights: Weights = field(repr=False)
    cost: int
    mixture: tuple[tuple[Fraction, Tree], ...] = field(repr=False)
    positions: int = 0
    stated: Fraction | None = None

    @property
    def lower(self) -> Fraction:
        """A lower bound: the codemaker's weights make every codebreaker need it on average."""
        return Fraction(self.cost, self.classes.weight(self.weights))

    @property
    def upper(self) -> Fraction:
        """The codebreaker's mixture needs no more on average, whatever is hidden."""
        return max(self.class_means())

    @property
    def value(self) -> Fraction:
        """The value of the game, in guesses; StrategyError where it is not proven yet."""
        if not self.proven:
            raise StrategyError(
                "the value is not proven: it is between {lower} and {upper}",
                lower=self.lower,
                upper=self.upper,
            )
        return self.lower

    def document(self) -> Document:
        """Both bounds, and the weights of the codemaker."""
        return {
            "rules": self.game,
            "value": self.write(self.lower),
            "lower": self.lower,
            "upper": self.upper,
            "proven": self.proven,
            "codemaker": self.codemaker(),
            "positions": self.positions,
        }

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
        """Problems of the mixture of trees; one of them, that its bound is not the codemaker's."""
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
            problems += tree_problems(Phrase("tree {n}", n=number), tree)
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

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        figures = {
            "value": self.write(self.lower),
            "codemaker": self.codemaker(),
            "cost": self.cost,
            "codebreaker": [str(probability) for probability, _ in self.mixture],
            "positions": self.positions,
        }
        document = heading(certificate, figures)
        document["program"] = f"{_PROGRAM}{certificate.program}"
        trees = enumerate((tree for _, tree in self.mixture), 1)
        return document, {f"{number}.tree": to_bytes(tree) for number, tree in trees}

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        check_format(document)
        game = board_game(Rules.parse(document["rules"]))
        classes = classes_of(game)
        stored_weights = document["codemaker"]
        weights = tuple(count(stored_weights[str(game.secret(first))]) for first in classes.first)
        if not any(weights) or len(stored_weights) != len(weights):
            raise ValueError("weights do not fit the classes")
        mixture = tuple(
            (Fraction(probability), tree_of(parts[f"{number}.tree"], game.name))
            for number, probability in enumerate(document["codebreaker"], 1)
        )
        if not mixture:
            raise ValueError("no trees")
        cost, positions = count(document["cost"]), count(document["positions"])
        stated = Fraction(document["value"]) if "value" in document else None
        claim = cls(game, classes, weights, cost, mixture, positions, stated)
        program = document["program"].removeprefix(_PROGRAM)
        return Certificate(claim, **made({**document, "program": program}))
