"""A matrix game solved exactly: the simplex method on fractions.

The games here have few rows, a row for each class of secrets, so that exact numbers cost little
and no floating point has to be trusted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Final, NamedTuple

from pegwise.arrays import U64
from pegwise.errors import InputError, PegwiseError
from pegwise.game import Game, GameLike, Mastermind, as_game
from pegwise.hooks import paint
from pegwise.progress import Progress, Report, silent
from pegwise.search.value.response import MAX_WEIGHT, BestResponse, Classes, classes_of
from pegwise.trees import Tree


class Solution(NamedTuple):
    """Optimal mixed strategies of a matrix game.

    Attributes:
        value: what the row player wins on average.
        rows: probability of each row; whatever column is played, at least `value` is won.
        columns: probability of each column; whatever row is played, at most `value` is won.
    """

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_game(columns: Sequence[Sequence[Fraction]]) -> Solution:
    """Solve the game in which the row player wins `columns[j][i]` for row i and column j.

    With all entries positive, the column player's program is: maximise the sum of y under
    A y <= 1, y >= 0; its optimum is 1 / value (Dantzig 1951). Bland's rule keeps it from cycling.

    Args:
        columns: at least one, all of the same length of at least 1; all entries positive.
    """
    n, m = len(columns), len(columns[0])
    one, zero = Fraction(1), Fraction(0)
    table = [
        [*(column[i] for column in columns), *(one if k == i else zero for k in range(m)), one]
        for i in range(m)
    ]
    prices = [-one] * n + [zero] * (m + 1)
    basis = [n + i for i in range(m)]
    while True:
        entering = next((j for j in range(n + m) if prices[j] < 0), -1)
        if entering < 0:
            break
        row = min(
            (i for i in range(m) if table[i][entering] > 0),
            key=lambda i: (table[i][-1] / table[i][entering], basis[i]),
        )
        pivot = table[row][entering]
        table[row] = [x / pivot for x in table[row]]
        for i in range(m):
            if i != row:
                table[i] = _minus(table[i], table[row], table[i][entering])
        prices = _minus(prices, table[row], prices[entering])
        basis[row] = entering
    value = 1 / prices[-1]
    played = [zero] * n
    for i, column in enumerate(basis):
        if column < n:
            played[column] = table[i][-1] * value
    return Solution(value, tuple(price * value for price in prices[n : n + m]), tuple(played))


def _minus(row: list[Fraction], other: list[Fraction], factor: Fraction) -> list[Fraction]:
    if not factor:
        return row
    return [x - factor * y if y else x for x, y in zip(row, other, strict=True)]


# The value of the game: what both sides get when both play their best, proven.
#
# The codemaker draws a secret, the codebreaker wants few guesses; both mix. By symmetry the
# codemaker needs one weight for each class of secrets. Known trees make a small matrix game, which
# is solved exactly and bounds the value from above: the codebreaker can mix those trees. The exact
# search answers the codemaker's mixture with the best tree of all: its cost bounds the value from
# below, and the tree joins the others. When both bounds are the same fraction, both mixtures are
# optimal. (Double oracle: McMahan, Gordon and Blum 2003; docs/value.md tells the rest.)

Weights = tuple[int, ...]

_STEPS: Final = (Fraction(1, 10), Fraction(3, 10), Fraction(3, 5))
"""How far to step from the best weights towards those of the program, before all the way."""

_SCALE: Final = 24
"""Weights on the way are rounded to so many steps: small ones search faster."""

_LIFT: Final = 16


@dataclass(frozen=True)
class Answer:
    """The best tree against some weights.

    Attributes:
        weights: one for each class, without a common factor.
        cost: guesses over all secrets, each counted by its weight: the least of any tree.
        totals: guesses of the tree over the secrets of each class.
        tree: the tree.
    """

    weights: Weights
    cost: int
    totals: tuple[int, ...]
    tree: Tree


@dataclass(frozen=True, slots=True)
class ValueProgress(Progress):
    """One step of a search for the value; `done` counts trees.

    Attributes:
        lower: the value is at least this; 0 before the first tree.
        upper: the value is at most this; None before the first tree.
        fraction: a rough estimate of how much of the present best response is done, 0 to 1.
        expected: a rough estimate of the trees that will be needed in all.
    """

    lower: Fraction = Fraction(0)
    upper: Fraction | None = None
    fraction: float = 0.0
    expected: int = 1


@dataclass(frozen=True)
class GameValue:
    """Bounds on the value of a game, with a certificate of each.

    Attributes:
        game: what is played.
        classes: of its secrets.
        weights: of the codemaker, one for each class: against them no tree costs less than
            `cost`, proven by exact search.
        cost: guesses over all secrets, each counted by its weight.
        mixture: of the codebreaker: trees with probabilities. Pegs and colors are to be
            exchanged at random before a tree is played.
        positions: sets entered by all searches.
    """

    game: Game
    classes: Classes
    weights: Weights
    cost: int
    mixture: tuple[tuple[Fraction, Tree], ...]
    positions: int = 0

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

    def class_means(self) -> tuple[Fraction, ...]:
        """Expected guesses of the codebreaker's mixture for a secret of each class."""
        totals = [self.classes.means(self.classes.totals(tree)) for _, tree in self.mixture]
        return tuple(
            sum((p * means[k] for (p, _), means in zip(self.mixture, totals, strict=True)), _NONE)
            for k in range(len(self.classes))
        )

    def write(self, bound: Fraction) -> str:
        """A bound as guesses over weights, such as 5600/1290, where it is a multiple of that."""
        weight = self.classes.weight(self.weights)
        guesses = bound * weight
        return f"{guesses}/{weight}" if guesses.denominator == 1 else str(bound)

    def _repr_html_(self) -> str | None:
        return paint("value", self)


_NONE: Final = Fraction(0)


class ValueSearch:
    """A search for the value of a game, that can be left at any step and keeps its bounds.

    Args:
        game: what is played, without weights.
        threads: how many search side by side; the answer is the same for any number.

    Raises:
        InputError: the game has weights: then the codemaker has no choice.
        TooLargeError: a game too large to search.
    """

    def __init__(self, game: GameLike, *, threads: int = 1) -> None:
        game = as_game(game)
        if game.weights is not None:
            raise InputError(
                "{game} has weights: its secrets are drawn already, and the codemaker has "
                "nothing to choose",
                game=game.name,
            )
        self.game = game
        self.classes = classes_of(game)
        self.response = BestResponse(game, self.classes, threads=threads)
        self.answers: dict[Weights, Answer] = {}
        self.asked: Weights | None = None
        self.best: Answer | None = None
        self.solution: Solution | None = None
        self.finished = False
        self._table: tuple[Weights, U64] | None = None
        self._pool: list[Answer] = []
        self._columns: list[tuple[Fraction, ...]] = []

    def restore(
        self, known: tuple[Answer, ...], table: tuple[Weights, U64] | None, positions: int
    ) -> None:
        """Go on from what another search has found, before this one begins.

        Args:
            known: its answers, which are not searched again.
            table: what its best response in work already knew, with its weights.
            positions: sets that it entered.
        """
        self.answers = {answer.weights: answer for answer in known}
        self._table = table
        self.response.positions = positions

    def __iter__(self) -> Iterator[ValueProgress]:
        """Search, and say now and then how far."""
        classes = len(self.classes)
        yield from self._ask((1,) * classes)
        if classes > 1 and isinstance(self.game, Mastermind):
            # often best on boards, where the first class is that of single colors
            yield from self._ask((0,) + (1,) * (classes - 1))
        self.solution = solve_game(self._columns)
        while self.lower() < self.solution.value:
            yield self._progress()
            yield from self._improve(self.solution)
            self.solution = solve_game(self._columns)
        self.finished = True
        yield self._progress()

    def _improve(self, solution: Solution) -> Generator[ValueProgress, None, None]:
        """Find a tree that the program lacks, or weights that prove its value."""
        upper, wanted = solution.value, solution.rows
        for step in _STEPS:
            risen = True
            while risen:
                risen = yield from self._ask(self._towards(wanted, step))
                if self._reduces(wanted, upper) or self.lower() == upper:
                    return
        weights = self._whole(wanted)
        for asked in dict.fromkeys((_lifted(weights, self.classes), weights)):
            if self.classes.weight(asked) > MAX_WEIGHT:
                continue
            yield from self._ask(asked)
            if self._reduces(wanted, upper) or self.lower() == upper:
                return
        raise PegwiseError(
            "internal error: the value of {game} is between {lower} and {upper}, and no "
            "weights within reach bring them together",
            game=self.game.name,
            lower=self.lower(),
            upper=upper,
        )

    def _ask(self, weights: Weights) -> Generator[ValueProgress, None, bool]:
        """Answer weights; whether the lower bound has risen is returned."""
        weights = _primitive(weights)
        if weights not in self.answers:
            table = None
            if self._table is not None and self._table[0] == weights:
                table = self._table[1]
            self._table = None
            self.asked = weights
            with closing(self.response.steps(weights, table)) as steps:
                for _ in steps:
                    yield self._progress()
            cost, tree = self.response.answer(weights)
            self.asked = None
            self.answers[weights] = Answer(weights, cost, self.classes.totals(tree), tree)
        return self._take(self.answers[weights])

    def _take(self, answer: Answer) -> bool:
        """Put an answer into the program; whether the lower bound has risen."""
        if all(answer.totals != other.totals for other in self._pool):
            self._pool.append(answer)
            self._columns.append(self.classes.means(answer.totals))
        risen = self._bound(answer) > self.lower()
        if risen:
            self.best = answer
        return risen

    def _reduces(self, wanted: tuple[Fraction, ...], upper: Fraction) -> bool:
        """Whether the newest tree does better against the wanted weights than all before."""
        return sum((q * mean for q, mean in zip(wanted, self._columns[-1], strict=True)), _NONE) < (
            upper
        )

    def _towards(self, wanted: tuple[Fraction, ...], step: Fraction) -> Weights:
        """Weights part of the way from the best ones, rounded to small whole numbers.

        A weight is at most halved or doubled: classes are of very different sizes, and weights
        that are far apart make a search slow.
        """
        start = self.best.weights if self.best else (1,) * len(wanted)
        total = self.classes.weight(start)
        even = Fraction(1, self.game.n_secrets)
        moved = []
        for weight, q, size in zip(start, wanted, self.classes.sizes, strict=True):
            share = Fraction(weight, total)
            goal = (1 - step) * share + step * q / size
            moved.append(min(max(goal, share / 2), 2 * share or even))
        heaviest = max(moved)
        return _primitive(tuple(round(_SCALE * x / heaviest) for x in moved))

    def _whole(self, wanted: tuple[Fraction, ...]) -> Weights:
        """The wanted probabilities of classes as whole weights of secrets."""
        each = [q / size for q, size in zip(wanted, self.classes.sizes, strict=True)]
        scale = lcm(*(x.denominator for x in each))
        return _primitive(tuple(int(x * scale) for x in each))

    # what is known

    def _bound(self, answer: Answer) -> Fraction:
        return Fraction(answer.cost, self.classes.weight(answer.weights))

    def lower(self) -> Fraction:
        """The value is at least this."""
        return self._bound(self.best) if self.best else _NONE

    def result(self) -> GameValue | None:
        """The bounds so far, with their certificates; None before the first tree."""
        if self.best is None:
            return None
        solution = solve_game(self._columns)
        mixture = tuple(
            (probability, answer.tree)
            for probability, answer in zip(solution.columns, self._pool, strict=True)
            if probability
        )
        return GameValue(
            self.game,
            self.classes,
            self.best.weights,
            self.best.cost,
            mixture,
            self.response.positions,
        )

    def _progress(self) -> ValueProgress:
        upper = self.solution.value if self.solution else None
        return ValueProgress(
            len(self.answers),
            None,
            "trees",
            f"{float(self.lower()):.6f} to {float(upper):.6f}" if upper else "",
            self.lower(),
            upper,
            1.0 if self.finished else self.response.fraction,
            # measured: two to three trees a class
            max(len(self.answers) + (not self.finished), 3 * len(self.classes) - 2),
        )


def find_value(game: GameLike, *, threads: int = 1, report: Report = silent) -> GameValue:
    """The value of a game, proven.

    Args:
        game: what is played, without weights.
        threads: how many search side by side.
        report: is told of every step.

    Raises:
        InputError: as `ValueSearch`.
        TooLargeError: likewise.
    """
    game = as_game(game)
    search = ValueSearch(game, threads=threads)
    for step in search:
        report(step)
    found = search.result()
    if found is None or not found.proven:
        raise PegwiseError(
            "internal error: the search for the value of {game} has no end", game=game.name
        )
    return found


def _primitive(weights: Weights) -> Weights:
    """The same weights without a common factor."""
    common = gcd(*weights)
    return tuple(weight // common for weight in weights)


def _lifted(weights: Weights, classes: Classes) -> Weights:
    """Nearly the same weights, none of them 0.

    A best tree against weights of 0 may play anyhow on the codes that have them.
    """
    absent = sum(size for w, size in zip(weights, classes.sizes, strict=True) if not w)
    return tuple(w * _LIFT * absent if w else 1 for w in weights) if absent else weights
