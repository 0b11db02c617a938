"""The value of a game: what both sides get when both play their best, proven.

The codemaker draws a secret, the codebreaker wants few guesses; both mix. By symmetry the
codemaker needs one weight for each class of secrets. Known trees make a small matrix game, which
is solved exactly and bounds the value from above: the codebreaker can mix those trees, and those
that they make by exchanging subtrees. The exact search answers the codemaker's mixture with the
best tree of all: its cost bounds the value from below, and the tree joins the others. When both
bounds are the same fraction, both mixtures are optimal. (Double oracle: McMahan, Gordon and Blum
2003; docs/value.md describes the rest.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Final, NamedTuple

import numpy as np

from pegwise.errors import (
    InputError,
    Phrase,
    TooLargeError,
    check_whole,
)
from pegwise.game import Game, GameLike, game_of
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.kernels.exact.table import new_table
from pegwise.progress import Progress, Report, run_for, silent
from pegwise.search.certificates.values import GameValue, SecretClasses, Weights, classes_of
from pegwise.search.exact.driver import SearchDriver, best_nodes
from pegwise.search.exact.model import SearchModel, model_of
from pegwise.search.exact.table import TranspositionTable, search_memory, table_bits_for
from pegwise.search.storage import Block, Blocks, Resumable, State, entries
from pegwise.strategies import Nodes
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.subtrees import Subtrees
from pegwise.trees.verify import verify

_ZERO: Final = Fraction(0)


# A matrix game solved exactly. The games have few rows, one for each class of secrets, so that
# exact numbers cost little.


class MatrixSolution(NamedTuple):
    """Optimal mixed strategies of a matrix game: value, probabilities of rows and columns."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_game(
    columns: Sequence[Sequence[Fraction]], tell: Callable[[], None] = lambda: None
) -> MatrixSolution:
    """Solve the game in which row player and column player play i and j for `columns[j][i]` > 0.

    `tell` is called at every pivot: with many rows they take seconds.

    The column player's program is: maximise the sum of y under A y <= 1, y >= 0; its optimum is
    1 / value (Dantzig 1951). Bland's rule keeps it from cycling.
    """
    n, m = len(columns), len(columns[0])
    unit = Fraction(1)
    table = [
        [*(column[i] for column in columns), *(unit if k == i else _ZERO for k in range(m)), unit]
        for i in range(m)
    ]
    prices = [-unit] * n + [_ZERO] * (m + 1)
    basis = [n + i for i in range(m)]
    while (entering := next((j for j in range(n + m) if prices[j] < 0), -1)) >= 0:
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
        tell()
    value = 1 / prices[-1]
    played = [_ZERO] * n
    for i, column in enumerate(basis):
        if column < n:
            played[column] = table[i][-1] * value
    return MatrixSolution(value, tuple(price * value for price in prices[n : n + m]), tuple(played))


def _minus(row: list[Fraction], pivot: list[Fraction], factor: Fraction) -> list[Fraction]:
    if not factor:
        return row
    return [x - factor * y if y else x for x, y in zip(row, pivot, strict=True)]


# The search

MAX_SECRETS: Final = 25_000
_DEEPEST: Final = 1 << 10  # best trees are less deep: costs stay below what counts as infinite
MAX_WEIGHT: Final = INFINITE // 2 // _DEEPEST  # the largest sum of weights that is searched
_LIFT: Final = 16  # all codes of weight 0 together weigh a 16th of one of weight 1
_POOLED: Final = 4 << 10  # bytes of the pool for each secret: 2,838 on 4x8, 4,134 on 5x5
_SMALL: Final = 1 / 32  # sets of so few of all secrets are soon solved anew for other weights


@dataclass(frozen=True, slots=True)
class ValueProgress(Progress):
    """One step of a search for the value; `done` counts trees.

    Attributes:
        lower: the value is at least this; 0 before the first tree.
        upper: the value is at most this; None before the first tree.
        fraction: roughly how much of the present best response is done, 0 to 1.
        expected: roughly how many trees will be needed in all.
    """

    lower: Fraction = Fraction(0)
    upper: Fraction | None = None
    fraction: float = 0.0
    expected: int = 1


@dataclass(frozen=True)
class Answer:
    """The best tree against some weights, one for each class, without a common factor.

    `cost` counts its guesses over all secrets by their weights; `totals` are those of each class.
    No tree has a smaller mean than `bound` against these weights.
    """

    weights: Weights
    cost: int
    totals: tuple[int, ...]
    tree: Tree
    bound: Fraction

    @classmethod
    def of(cls, weights: Weights, tree: Tree, classes: SecretClasses) -> Answer:
        """The answer that a tree is."""
        totals = classes.totals(tree)
        cost = sum(w * total for w, total in zip(weights, totals, strict=True))
        return cls(weights, cost, totals, tree, Fraction(cost, classes.weight(weights)))


def value_memory(game: Game) -> int:
    """Bytes that a search for the value of a game takes, with kernels compiled, estimated."""
    if game.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{game} has {secrets:,} secrets, too many for the value of the game (at most {most:,})",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_SECRETS,
        )
    return search_memory(game) + (_POOLED * game.n_secrets if len(classes_of(game)) > 1 else 0)


class ValueSearch(Resumable[GameValue | None]):
    """A search for the value of a game, which can be stopped at any step and keeps its bounds.

    Args:
        game: what is played, without weights.
        threads: how many search side by side; the answer is the same for any number.

    Raises:
        InputError: the game has weights: then the codemaker has no choice.
        TooLargeError: a game too large to search.
    """

    file_format = b"pegwise value checkpoint 2\n"
    file_suffix = "value-search"
    finished = False

    def __init__(self, game: Game, *, threads: int = 1) -> None:
        if game.weights is not None:
            raise InputError(
                "{game} has weights: its secrets are drawn already, and the codemaker has "
                "nothing to choose",
                game=game.name,
            )
        game.refuse_questions(Phrase("its value is not searched"))
        if game.requirements is not None:
            game.refuse_hard(Phrase("its value is not searched"))
        check_whole("threads", threads, 1)
        value_memory(game)
        self.game = game
        self.classes = classes_of(game)
        self.threads = threads
        self.table_bits = table_bits_for(game.n_secrets)
        self.table: TranspositionTable | None = None
        self.positions = 0
        self.answers: dict[Weights, Answer] = {}
        self.asked: Weights | None = None
        self.best: Answer | None = None
        self.solution: MatrixSolution | None = None
        # weights are the same within a class, so every symmetry of the game holds
        model = model_of(game, names_per_peg=len(self.classes) == 1)
        self._model = model.options(whole=True, use_history=model.symmetric)
        self._driver: SearchDriver | None = None
        self._restored: tuple[Weights, TranspositionTable] | None = None
        self._pool = Subtrees(game)
        self._columns: dict[tuple[int, ...], Tree] = {}  # by the totals of the classes
        self._mixture: tuple[tuple[Fraction, Tree], ...] = ()  # of the last solution
        self._taken: set[Weights] = set()

    def run(self, report: Report = silent) -> None:
        def tell() -> None:
            report(self._progress())

        classes = len(self.classes)
        self._ask((1,) * classes, tell)
        if classes > 1 and self.game.board is not None:
            # often best on boards, where the first class is that of single colors
            self._ask((0,) + (1,) * (classes - 1), tell)
        self.solution = self._solve(tell)
        while self.lower() < self.solution.value:
            tell()
            self._improve(self.solution, tell)
            self.solution = self._solve(tell)
        self.finished = True
        tell()

    def _solve(self, tell: Callable[[], None]) -> MatrixSolution:
        """Solve the program of all trees that the subtrees of the answers make.

        Trees enter it one after another, as long as they improve the solution: the best of the
        pool, or else this one with its small sets solved anew, for the weights of the solution.
        """
        upper: Fraction | None = None
        while True:
            solution = solve_game(list(map(self.classes.means, self._columns)), tell)
            played = dict(zip(self._columns, solution.columns, strict=True))
            self._mixture = tuple((q, self._columns[totals]) for totals, q in played.items() if q)
            if upper is None or solution.value < upper:
                # the pool has the others
                upper = solution.value
                self._columns = {t: self._columns[t] for t, q in played.items() if q}
            tell()
            weights = self._in_reach(self._lifted(self._whole(solution.rows)))
            tree = self._pool.best(self.classes.spread(weights))
            if not self._enters(tree, solution):
                tree = self._solved_anew(tree, weights)
                if not self._enters(tree, solution):
                    return solution
                self._pool.add(tree)

    def _enters(self, tree: Tree, solution: MatrixSolution) -> bool:
        """Add a tree to the program if it improves the solution; returns whether it does."""
        totals = self.classes.totals(tree)
        means = zip(solution.rows, self.classes.means(totals), strict=True)
        improves = sum((q * mean for q, mean in means), _ZERO) < solution.value
        if improves:
            self._columns[totals] = tree
        return improves

    def _solved_anew(self, tree: Tree, weights: Weights) -> Tree:
        """A tree with the best play for some weights in all its small sets."""
        nodes, large = tree.nodes, tree.node_sizes > _SMALL * self.game.n_secrets
        number = np.append(np.cumsum(large) - 1, -1)  # of the root -1 stays -1
        parents = number[nodes.parent[large]].astype(np.int32)
        first = Nodes(nodes.guess[large], parents, nodes.mark[large], nodes.wins[large])
        table = TranspositionTable(self.table_bits)
        solved = best_nodes(self._weighted(weights), table, self.game, first)
        return Tree(self.game, solved, "value")

    def _improve(self, solution: MatrixSolution, tell: Callable[[], None]) -> None:
        """Find a tree that the program lacks, or prove its value."""
        weights = self._in_reach(self._whole(solution.rows))
        self._ask(weights, tell)
        improves = self._enters(self.answers[weights].tree, solution)
        if not improves and self.lower() < solution.value:
            raise AssertionError(
                f"{self.game}: the value is between {self.lower()} and {solution.value}, and no "
                "weights within reach bring them together"
            )

    def _ask(self, weights: Weights, tell: Callable[[], None]) -> None:
        """Answer weights."""
        if weights not in self.answers:
            for earlier in list(self.answers):  # of a checkpoint
                self._take(earlier)
            self.answer(weights, tell)
        self._take(weights)

    def answer(self, weights: Weights, tell: Callable[[], None]) -> None:
        """Add the best tree against some weights to `answers`, by exact search; it is verified.

        Raises:
            AssertionError: the tree does not verify; then there is a mistake in this program.
        """
        asked, table = self._restored or (None, None)
        if table is None or asked != weights:
            table = TranspositionTable(self.table_bits)
        self.table, self.asked, self._restored = table, weights, None
        unit = weights[0] if len(set(weights)) == 1 else 1
        driver = SearchDriver(self._weighted(weights), self.table, UNLIMITED, self.threads)
        self._driver = driver
        driver.run(tell)
        self.positions += driver.positions
        tree = Tree(self.game, driver.nodes(self.game), "value")
        self._driver = self.table = self.asked = None
        answer = Answer.of(weights, tree, self.classes)
        played = verify(tree)
        if not played.valid or answer.cost != driver.best.value * unit:
            raise AssertionError(
                f"{self.game}: the best response costs {answer.cost}, the search said "
                f"{driver.best.value * unit}: {played}"
            )
        self.answers[weights] = answer

    def _take(self, weights: Weights) -> None:
        """Put an answer into the program."""
        if weights in self._taken:
            return
        self._taken.add(weights)
        answer = self.answers[weights]
        self._pool.add(answer.tree)
        self._columns.setdefault(answer.totals, answer.tree)
        if answer.bound > self.lower():
            self.best = answer

    def _whole(self, rows: tuple[Fraction, ...]) -> Weights:
        """Probabilities of classes as whole weights of secrets, without a common factor."""
        each = [q / size for q, size in zip(rows, self.classes.sizes, strict=True)]
        scale = lcm(*(x.denominator for x in each))
        whole = [int(x * scale) for x in each]
        common = gcd(*whole)
        return tuple(weight // common for weight in whole)

    def _lifted(self, weights: Weights) -> Weights:
        """Nearly the same, none 0: a tree may play anyhow on codes that have weight 0."""
        absent = sum(size for w, size in zip(weights, self.classes.sizes, strict=True) if not w)
        return tuple(w * _LIFT * absent if w else 1 for w in weights) if absent else weights

    def _in_reach(self, weights: Weights) -> Weights:
        """Nearly the same, with a sum that can be searched."""
        weight = self.classes.weight(weights)
        if weight <= MAX_WEIGHT:
            return weights
        return tuple(-(-w * MAX_WEIGHT // (2 * weight)) for w in weights)

    def _weighted(self, weights: Weights) -> SearchModel:
        """The model with some weights; equal ones are those of the model itself."""
        if len(set(weights)) == 1:
            return self._model
        return self._model.weighted(self.classes.spread(weights))

    def lower(self) -> Fraction:
        """The value is at least this."""
        return self.best.bound if self.best else _ZERO

    def result(self) -> GameValue | None:
        """The bounds so far, with their certificates; None before the first tree."""
        if self.best is None:
            return None
        weights, cost = self.best.weights, self.best.cost
        # before the first program is solved, the best tree is played alone
        mixture = self._mixture or ((Fraction(1), self.best.tree),)
        return GameValue(self.game, self.classes, weights, cost, mixture, self.positions)

    # checkpoints: the answers so far, and the table of the best response that is searched

    def identity(self) -> State:
        return {"game": self.game.name}

    def file_name(self) -> str:
        return f"{self.game.name}.{self.file_suffix}"

    def state(self) -> tuple[State, list[Block]]:
        answers = list(self.answers.values())
        trees = [to_bytes(answer.tree) for answer in answers]
        table = self.table if self.asked is not None else None
        slots, rows = entries(new_table(0) if table is None else table.rows)
        state = {
            "answers": [{"weights": a.weights, "cost": a.cost} for a in answers],
            "trees": [len(tree) for tree in trees],
            "positions": self.positions,
            "asked": None if table is None else self.asked,
            "table_bits": self.table_bits if table is None else table.bits,
            "entries": len(slots),
        }
        return state, [*trees, slots.data, rows.data]

    def restore(self, state: State, blocks: Blocks) -> None:
        answers: dict[Weights, Answer] = {}
        for stored, size in zip(state["answers"], state["trees"], strict=True):
            tree = from_bytes(bytes(blocks.take(size)), "checkpoint")
            weights = tuple(int(weight) for weight in stored["weights"])
            answer = answers[weights] = Answer.of(weights, tree, self.classes)
            if tree.game.name != self.game.name or answer.cost != stored["cost"]:
                raise ValueError("a tree does not cost what is said")
        table = None
        if state["asked"] is not None and state["entries"]:
            asked = tuple(int(weight) for weight in state["asked"])
            table = asked, TranspositionTable(int(state["table_bits"]))
            blocks.fill(table[1].rows, state["entries"])
        self.positions = int(state["positions"])
        self.answers, self._restored = answers, table

    def summary(self) -> Phrase:
        return Phrase("trees: {n}", n=len(self.answers))

    def _progress(self) -> ValueProgress:
        upper = self.solution.value if self.solution else None
        return ValueProgress(
            len(self.answers),
            None,
            "trees",
            f"{float(self.lower()):.6f} to {float(upper):.6f}" if upper else "",
            self.lower(),
            upper,
            float(self.finished) if self._driver is None else self._driver.fraction,
            # measured: about as many trees as classes
            max(len(self.answers) + (not self.finished), len(self.classes)),
        )


def find_value(
    game: GameLike, *, threads: int = 1, seconds: float | None = None, report: Report = silent
) -> GameValue:
    """The value of a game without weights, proven; `report` is told of every step.

    With `seconds` it stops after so much time, but not before the first tree: the answer may then
    be bounds that do not meet (`proven` is False).

    Raises:
        InputError, TooLargeError: as `ValueSearch`.

    Examples:
        >>> pegwise.find_value("2x4").value
        Fraction(45, 16)
    """
    search = ValueSearch(game_of(game), threads=threads)
    run_for(search.run, seconds, report, lambda: search.best is not None)
    value = search.result()
    if value is None or not (value.proven or seconds is not None):
        raise AssertionError(f"{search.game}: the search for the value has no end")
    return value


def check_value(value: GameValue, *, report: Report = silent) -> list[str]:
    """Problems of a value, a sentence each; its lower bound is searched again."""
    problems = value.problems(report)
    search = ValueSearch(value.game)
    last = Progress(len(value.mixture), len(value.mixture), "trees")
    search.answer(value.weights, partial(report, last))
    cost = search.answers[value.weights].cost
    if cost != value.cost:
        problems.append(
            Phrase(
                "the best tree against the codemaker's weights costs {cost}, not {claimed}",
                cost=cost,
                claimed=value.cost,
            )
        )
    return problems
