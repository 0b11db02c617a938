"""The best tree of a game, proven: smallest total, smallest worst case, or another goal.

`OptimalSearch` reports each `SearchProgress`; it can be left at any step and then still
gives its best tree and a lower bound. `find_optimum` runs one to its end. The method is described
in docs/search.md.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from pegwise.arrays import GuessNumber
from pegwise.compute.backends import Backend
from pegwise.errors import InputError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import Game, GameLike, game_of
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.progress import Report, run_for, silent
from pegwise.search.exact.costs import (
    RATIO,
    Costs,
    any_tree,
    fewest_at_limit,
    fewest_late_secrets,
    of_goal,
    totals,
)
from pegwise.search.exact.distributed import DistributedSearch
from pegwise.search.exact.driver import (
    SearchDriver,
    SearchProgress,
    ThreadState,
    TreeSearch,
)
from pegwise.search.exact.goals import Goal
from pegwise.search.exact.model import model_of
from pegwise.search.exact.optimum import Optimum
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.search.storage import Block, Blocks, State, entries
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes

OBJECTIVES: Final = ("total", "worst", "worst-total", "fewest-at-worst", "total-fewest")

MAX_SECRETS: Final = 25_000  # games with more would take weeks
_FALLBACK_AFTER: Final = 1500  # positions after which a one-step strategy makes the first tree


class Stage(NamedTuple):
    """Where a search goes on: see `Costs`; limit 0 for the one that an objective begins with."""

    number: int = 0
    limit: int = 0
    ratio: int = RATIO
    width: int = 0


class OptimalSearch(TreeSearch):
    """A search for the best tree of a game.

    Args:
        game: what is played; its weights count.
        objective: `total` for the smallest total, `worst` for the smallest worst case,
            `worst-total` for the smallest total among trees of smallest worst case,
            `fewest-at-worst` for the fewest secrets at the smallest worst case, then the smallest
            total, `total-fewest` for the smallest total, then the fewest secrets at the last
            guess, at the one before, and so on; or a goal.
        start: for `total-fewest` and `worst-total` a tree of the smallest total, which is not
            searched then.
        options: as for `TreeSearch`.

    Raises:
        InputError: an option out of range.
        TooLargeError: more than `MAX_SECRETS` secrets, or too much memory.
    """

    file_format = b"pegwise checkpoint 1\n"
    file_suffix = "search"
    options = ("objective", "max_guesses", "guesses", "first", "table_bits")
    finished = False
    proves: ClassVar = True
    """Whether the tree is best once the search has ended."""

    def __init__(
        self,
        game: Game,
        *,
        objective: str | Goal = "total",
        start: Tree | None = None,
        **options: Any,
    ) -> None:
        self.goal = objective if isinstance(objective, Goal) else None
        if self.goal is None and objective not in OBJECTIVES:
            raise UnknownNameError.of("objective", str(objective), OBJECTIVES)
        if game.n_secrets > MAX_SECRETS:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many for exact search (at most {most:,})",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_SECRETS,
            )
        super().__init__(game, **{"table_bits": table_bits_for(game.n_secrets), **options})
        self.objective = str(objective) if self.goal is None else self.goal.name
        if self.goal is not None and self.where is not None:
            raise InputError(
                "objective {objective}: a cluster cannot help; leave it out",
                objective=self.objective,
            )
        if self.where is not None and game.requirements is not None:
            raise InputError(
                "{game}: a cluster cannot help with 'hard'; leave it out", game=game.name
            )
        self._plain_model = model_of(game, guesses=self.guesses, names_per_peg=True)
        # a tree needs at most one guess for each secret, after a first one that may tell nothing
        longest = game.n_secrets + (self.first is not None)
        self._most_guesses = min(self.max_guesses or longest, longest)
        self.limit = self._most_guesses if self._most_guesses < longest else UNLIMITED
        self._running: SearchDriver | DistributedSearch | None = None
        self._start = start
        # the best tree of what has been minimised so far, or that of a one-step strategy
        self.fallback: Tree | None = None
        self._begin(Stage())

    # what is minimised, one after the other

    def costs_from(self, begun: Stage) -> Generator[Costs, Tree | None, None]:
        """The costs to be minimised, from a stage on.

        Each is answered by its best tree, or by None if no tree keeps its limit.
        """
        if self.goal is not None:
            tree = yield of_goal(self.game, self.goal, self.limit)
            self.fallback = tree or self.fallback
        elif self.objective == "total":
            tree = yield totals(self.game, self.limit)
            self.fallback = tree or self.fallback
        elif self.objective == "total-fewest":
            yield from self._total_then_fewest(begun)
        else:
            yield from self._smallest_worst(begun)

    def _smallest_worst(self, begun: Stage) -> Generator[Costs, Tree | None, None]:
        """Any tree under one limit after the other, then what is smallest under the least one."""
        limit = begun.limit or 1
        while not begun.number:
            start = self._start
            # a tree of the smallest total that keeps the limit is the best of those that do
            if start is not None and limit >= start.worst:
                self.limit = limit = start.worst
                self.fallback = start
                self.leave_driver()
                if self.objective == "worst-total":
                    return
                break
            tree = yield any_tree(self.game, limit)
            if tree is not None:
                self.fallback = tree
                break
            if limit >= self._most_guesses:
                return
            limit += 1
        if self.objective == "worst-total":
            self.fallback = (yield totals(self.game, limit, stage=1)) or self.fallback
        elif self.objective == "fewest-at-worst":
            self.fallback = (yield fewest_at_limit(self.game, limit)) or self.fallback

    def _total_then_fewest(self, begun: Stage) -> Generator[Costs, Tree | None, None]:
        """The total, then the numbers of secrets at the last guess, at the one before, ..."""
        best = self.fallback if begun.number else self._start
        if best is None:
            best = yield totals(self.game, self.limit)
            if best is None:
                return
        self.fallback, limit = best, begun.limit if begun.number else best.worst
        ratio = begun.ratio
        for guess in range(limit + 1 - max(begun.number, 1), self._earliest - 1, -1):
            while True:
                tree = yield fewest_late_secrets(best, guess, limit, ratio)
                if tree is None or _agree(tree, best, guess):
                    break
                ratio *= RATIO  # it was too small for the later guesses to decide
            self.fallback = best = tree or best

    def _begin(self, stage: Stage) -> None:
        """Go on with the costs of a stage."""
        self._answers = self.costs_from(stage)
        first = next(self._answers, None)
        self.finished = first is None
        self._use(first or totals(self.game, self.limit))

    def _go_on(self, tree: Tree | None) -> None:
        """Go on with the costs that come after the present ones, which have led to a tree."""
        try:
            costs = self._answers.send(tree)
        except StopIteration:
            self.finished = True
            return
        rows = self.table.rows
        if costs.width:
            rows[:] = 0
        elif not costs.any_tree:
            # that some set cannot be solved in time remains true, whatever is searched for
            rows[rows[:, 2] >> np.uint64(1) < np.uint64(INFINITE)] = 0
        self._use(costs)

    def _use(self, costs: Costs) -> None:
        self.model = costs.model(self.game, self._plain_model, self.first)
        if self.model.board.labeled:
            what = Phrase(
                "its weights cannot be combined with the objective {objective}",
                objective=self.objective,
            )
            self.game.refuse_questions(what)
        self.costs, self.limit = costs, costs.limit

    @property
    def _earliest(self) -> int:
        """The numbers of secrets by guess from here on tell the others, with the total."""
        return 3 if self.game.weights is None else 2

    # running

    def run(self, report: Report = silent) -> None:
        def tell() -> None:
            # where turns limit the guesses after them, the search itself is faster
            wanted = self.game.requirements is None and self.positions > _FALLBACK_AFTER
            if self._best_thread is None and wanted:
                self.fallback = self.fallback or self._one_step
            report(self._progress())

        while not self.finished:
            self.minimise(tell)
        report(self._progress())

    def leave_driver(self) -> None:
        """Keep the number of positions of the search that has ended, and no more of it."""
        self.positions_before, self._running = self.positions, None

    def minimise(self, tell: Callable[[], None]) -> None:
        """Search for the best tree of the present costs, and go on to the next."""
        self.leave_driver()
        bound = self.costs.bound
        driver = SearchDriver(self.model, self.table, self.limit, self.threads, bound)
        distributed = None
        if self.where is not None and (not self.stage or self.objective == "worst-total"):
            distributed = DistributedSearch(self.game, driver, self.where, self.task_folder)
            self._running = distributed
            distributed.run(tell)
            self.positions_before = self.positions
        self._running = driver
        driver.run(tell)
        if distributed is not None:
            distributed.forget()
        self._go_on(self._tree(driver) if driver.best.guess >= 0 else None)

    # checkpoints: the table, in which a search finds what another has done

    def state(self) -> tuple[State, list[Block]]:
        slots, rows = entries(self.table.rows)
        state = {"limit": self.limit, "positions": self.positions, "entries": len(slots)}
        blocks: list[Block] = [slots.data, rows.data]
        if self.table.bits > self.table_bits:
            state["table_bits"] = self.table.bits
        costs = self.costs
        if (costs.stage or costs.width) and self.fallback is not None:
            blocks.append(to_bytes(self.fallback))
            state |= {"stage": costs.stage, "ratio": costs.ratio, "tree": len(blocks[-1])}
            state["width"] = costs.width
        return state, blocks

    def restore(self, state: State, blocks: Blocks) -> None:
        # all is read before anything is changed: a damaged checkpoint leaves the search as it was
        table = TranspositionTable(state.get("table_bits", self.table_bits))
        blocks.fill(table.rows, state["entries"])
        stage, positions = Stage(limit=state["limit"]), state["positions"]
        if "stage" in state:
            stage = Stage(state["stage"], state["limit"], state["ratio"], state["width"])
            tree = from_bytes(bytes(blocks.take(state["tree"])), "checkpoint")
            self.fallback = self.verified(tree.nodes, tree.strategy)
        self.positions_before = positions
        self.table = table
        self._begin(stage)

    def summary(self) -> Phrase:
        return Phrase("{n} positions", n=self.positions)

    # answers

    @property
    def stage(self) -> int:
        """Which of the costs are being minimised, or were the last (see `Costs`)."""
        return self.costs.stage

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self.positions_before + (self._running.positions if self._running else 0)

    @property
    def _driver(self) -> SearchDriver | None:
        return self._running if isinstance(self._running, SearchDriver) else None

    @property
    def _best_thread(self) -> ThreadState | None:
        """State of the thread with the best tree, None before the first one."""
        best = self._driver.best if self._driver else None
        return best if best is not None and best.guess >= 0 else None

    @cached_property
    def _one_step(self) -> Tree | None:
        """The tree of a one-step strategy, if it keeps the limit."""
        tree = self.one_step_tree()
        return tree if self.max_guesses is None or tree.worst <= self.max_guesses else None

    def best_value(self) -> int | None:
        """Value of the best tree so far, in the unit of the objective."""
        best, fallback = self._best_thread, self.fallback
        if self.objective == "worst":
            return self.limit if best else fallback.worst if fallback else None
        if self.objective == "fewest-at-worst" and not self.stage:
            return None
        if self.objective == "total-fewest" and self.stage and fallback is not None:
            return fallback.total
        costs = [best.value] if best else []
        if fallback is not None and not (best and self.costs.any_tree):
            costs.append(self.model.cost(fallback))
        return self.figure(min(costs)) if costs else None

    def figure(self, cost: int) -> int:
        """A cost as users see it."""
        return cost // self.costs.unit + (0 if self.goal is None else self.goal.offset)

    def lower_bound(self) -> int:
        """No tree can be better than this (see `Optimum`)."""
        if self.objective == "worst":
            return self.limit
        if self.objective == "total-fewest" and self.stage and self.fallback is not None:
            return self.fallback.total
        if self.finished:
            return self.best_value() or 0
        if self.objective == "fewest-at-worst" and not self.stage:
            return 1
        least = self.size_bound if self.costs.unit == 1 else 0
        # the search for any tree that keeps a limit says nothing of totals
        if self._driver and not self.costs.any_tree:
            least = max([least, *(state.bound for state in self._driver.states)])
        return self.figure(least if least < INFINITE // 2 else 0)

    def _progress(self) -> SearchProgress:
        states = self._driver.states if self._driver else [ThreadState(tried=0)]
        value = self.best_value()
        return SearchProgress(
            max(max(state.tried - 1, 0) for state in states),
            max(state.tried + state.pending for state in states) or None,
            "first guesses",
            "" if value is None else f"best {value}",
            value,
            self.lower_bound(),
            self.positions,
            1.0 if self.finished or self._running is None else self._running.fraction,
        )

    def result(self) -> Optimum:
        """The best tree so far, verified, and whether it is proven best.

        Raises:
            AssertionError: the tree does not verify; then there is a mistake in this program.
        """
        if not self.finished:
            self.fallback = self.fallback or self._one_step
        tree, best, driver = self.fallback, self._best_thread, self._driver
        if driver and best and not self.finished:
            # the fallback may break the limit of any tree
            worse = tree is None or self.costs.any_tree or best.value <= self.model.cost(tree)
            tree = self._tree(driver) if worse else tree
        proven = self.finished and self.proves
        return Optimum(self.objective, tree, self.lower_bound(), proven, self.positions)

    def _tree(self, driver: SearchDriver) -> Tree:
        """The best tree of the kernels."""
        endings = {"total": "", "worst-total": "-worst", "total-fewest": "-fewest"}
        ending = endings.get(self.objective, f"-{self.objective.partition(':')[0]}")
        tree = self.verified(driver.nodes(self.game), f"optimal{ending}", limit=self.limit)
        # the first tree that keeps a limit depends on what the table holds
        exact = not (self.costs.any_tree or self.costs.width)
        if exact and self.model.cost(tree) != driver.best.value:
            cost, value = self.model.cost(tree), driver.best.value
            raise AssertionError(f"{self.game}: the tree costs {cost}, the search said {value}")
        return tree


def _agree(tree: Tree, best: Tree, guess: int) -> bool:
    """Whether two trees have the same total, and as many secrets at each guess after this one."""
    same_total = tree.total == best.total
    return same_total and tree.histogram[guess:] == best.histogram[guess:]


def find_optimum(
    game: GameLike,
    *,
    objective: str | Goal = "total",
    max_guesses: int | None = None,
    guesses: str = "all",
    first: GuessNumber | Sequence[int] | str | None = None,
    start: Tree | None = None,
    threads: int = 1,
    where: Backend | None = None,
    task_folder: Path | None = None,
    table_bits: int | None = None,
    seconds: float | None = None,
    report: Report = silent,
) -> Optimum:
    """The best tree of a game, proven; errors are those of `OptimalSearch`.

    Args:
        game: rules of a board, or a game.
        objective: one of `OBJECTIVES`, or a `Goal`.
        max_guesses: no secret may need more; the answer may then be that there is no tree.
        guesses: "all" or "candidates", what may be played.
        first: the first guess, or its number.
        start: a tree to begin with.
        threads: how many search side by side; the tree is the same for any number.
        where: such as `pegwise.compute.Cluster("tcp://10.0.0.1:8786")`.
        task_folder: where finished tasks of a cluster are kept.
        table_bits: the logarithm of the size of the table.
        seconds: the time of the search, apart from that of its tables; its answer is then what it
            has (`proven` may be False, and `best` None). None for as long as it takes.
        report: is told of every step; raising from it stops the search.

    Examples:
        >>> optimum = pegwise.find_optimum("3x4")
        >>> optimum.total, optimum.proven
        (206, True)
    """
    game = game_of(game)
    number = first if first is None or isinstance(first, int) else game.guess_number(first)
    search = OptimalSearch(
        game,
        objective=objective,
        start=start,
        max_guesses=max_guesses,
        guesses=guesses,
        first=number,
        threads=threads,
        where=where,
        task_folder=task_folder,
        **({} if table_bits is None else {"table_bits": table_bits}),
    )
    run_for(search.run, seconds, report)
    return search.result()
