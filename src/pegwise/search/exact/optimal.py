"""The best tree of a game, proven: smallest total, smallest worst case, or another goal.

`OptimalSearch` is an iterator of `SearchProgress` that can be left at any step and then still
gives its best tree and a lower bound. `find_optimum` runs one to its end. The method is described
in docs/search.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack, overload

import numpy as np

from pegwise.compute.backends import Backend
from pegwise.errors import InputError, PegwiseError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import GameLike, as_game
from pegwise.kernels.exact.bounds import INFINITE, LARGEST, UNLIMITED
from pegwise.progress import Report, silent
from pegwise.search.exact.driver import (
    Optimum,
    SearchDriver,
    SearchProgress,
    ThreadState,
    TreeSearch,
)
from pegwise.search.exact.goals import Goal
from pegwise.search.exact.model import model_of
from pegwise.search.exact.spread import DistributedSearch
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.search.storage import Block, Blocks, State, check_options, entries
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes

OBJECTIVES: Final = ("total", "worst", "worst-total", "fewest-at-worst", "total-fewest")

MAX_SECRETS: Final = 25_000  # games with more would take weeks
_RATIO: Final = 16  # between the costs of a secret at a guess and at the one before
_FALLBACK_AFTER: Final = 1500  # positions after which a one-step strategy makes the first tree


class OptimalSearch(TreeSearch):
    """A search for the best tree of a game.

    Args:
        game: what is played: a game, whose weights count, or the rules of a board.
        objective: `total` for the smallest total, `worst` for the smallest worst case,
            `worst-total` for the smallest total among trees of smallest worst case,
            `fewest-at-worst` for the fewest secrets at the smallest worst case, then the smallest
            total, `total-fewest` for the smallest total, then the fewest secrets at the last
            guess, at the one before, and so on; or a goal.
        effort: to look for a good tree without proof: so many times, with 1, 2, 4, ... guesses for
            each large set; 0 to do it until it is stopped; None to prove the best tree.
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

    def __init__(
        self,
        game: GameLike,
        *,
        objective: str | Goal = "total",
        start: Tree | None = None,
        effort: int | None = None,
        **options: Any,
    ) -> None:
        self.goal = objective if isinstance(objective, Goal) else None
        if self.goal is None and objective not in OBJECTIVES:
            raise UnknownNameError.of("objective", str(objective), OBJECTIVES)
        game = as_game(game)
        if game.n_secrets > MAX_SECRETS:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many for exact search (at most {most:,})",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_SECRETS,
            )
        super().__init__(game, **{"table_bits": table_bits_for(game.n_secrets), **options})
        self.objective = str(objective) if self.goal is None else self.goal.name
        if effort is not None and self.goal is None:
            raise InputError("{objective} has no search of so many passes", objective=objective)
        if self.goal is not None and self.where is not None:
            raise InputError(
                "objective {objective}: a cluster cannot help; leave it out",
                objective=self.objective,
            )
        self._plain_model = model_of(game, guesses=self.guesses, own_names=True)
        # guesses allowed: all, or one at first where the least worst case is searched; a tree needs
        # at most one for each secret, after a first one that may tell nothing
        longest = game.n_secrets + (self.first is not None)
        most = min(self.max_guesses or longest, longest)
        self._most_guesses = most
        self._raises = objective in ("worst", "worst-total", "fewest-at-worst")
        self.limit = 1 if self._raises else most if most < longest else UNLIMITED
        # a second stage goes on from the best tree of the first one, which is the fallback
        self.stage, self._ratio = 0, _RATIO
        self.effort, self.width = effort, 0 if effort is None else 1
        self._running: SearchDriver | DistributedSearch | None = None
        self._fallback: Tree | None = None
        self._set_model()
        self._start = start if self._raises else None
        if start is not None and not self._raises:
            self._end_stage(start)

    # stages

    def _set_model(self) -> None:
        """Take the costs of the present stage; `unit` of them are 1 in what users see."""
        game, before, guess = self.game, self._fallback, self.limit + 1 - self.stage
        weight = game.n_secrets if game.weights is None else int(game.weights.sum())
        most = weight * min(self.limit, game.n_secrets)  # totals differ by less
        by_weight, by_secret = np.ones((1, 1), np.int64), np.zeros(1, np.int64)
        classes, self.unit = None, 1
        if self.goal is not None:
            classes = self.goal.classes
            then_total = classes is None
            self.unit = most + 1 if then_total else 1
            by_weight = self.goal.steps * self.unit + then_total
            most = (int(self.goal.steps.sum(1).max()) * weight + 1) * self.unit
        elif self.stage and self.objective == "fewest-at-worst":
            self.unit = most + 1
            by_secret = np.array([0] * (self.limit - 1) + [self.unit], np.int64)
            most = (game.n_secrets + 1) * self.unit
        elif self.stage and before is not None and self.objective == "total-fewest":
            # later guesses count much more than earlier ones, and the total most of all
            levels = range(self.limit - guess + 1)
            counted = [self._ratio**level for level in levels]
            self.unit = self._ratio ** len(levels)
            by_secret = np.diff([0] * guess + counted)
            by_weight *= self.unit
            most = 2 * before.total * self.unit
        if most >= LARGEST:
            raise TooLargeError("{game}: such costs are too large to add up", game=game.name)
        model = self._plain_model
        if self.goal is not None or self.unit > 1:
            model = model.with_steps(game, by_weight, by_secret, classes, self.limit)
        self.model = model.options(
            any_tree=self._raises and not self.stage,
            whole=True,
            use_history=model.symmetric,
            width=self.width,
            first=-1 if self.first is None else int(model.guess_at[self.first]),
        )

    def _end_stage(self, tree: Tree) -> None:
        """Go on from a best tree of this stage, or end with it."""
        before, guess = self._fallback, self.limit + 1 - self.stage
        counts = tree.histogram()[guess:]
        if self._raises:
            # a tree of the smallest total that keeps the limit is the best of those that do
            at_once = tree is self._start and self.objective != "fewest-at-worst"
            self.finished = self.stage == 1 or at_once
        elif not self.stage or before is None:
            self.limit = tree.worst
            self.finished = self.limit < self._earliest
        elif (tree.total, counts) == (before.total, before.histogram()[guess:]):
            self.finished = guess == self._earliest
        else:  # what was smallest before did not count enough
            self._ratio *= _RATIO
            tree, self.stage = before, self.stage - 1
        self._fallback = tree
        if not self.finished:
            self.stage += 1
            # that some set cannot be solved in time remains true, whatever is searched for
            rows = self.table.rows
            rows[rows[:, 2] >> np.uint64(1) < np.uint64(INFINITE)] = 0
            self._set_model()

    def _end_pass(self, driver: SearchDriver) -> None:
        """Go on with twice as many guesses for each set."""
        if driver.best.guess >= 0:
            tree, before = self._tree(driver), self._fallback
            if before is None or self.model.cost(tree) < self.model.cost(before):
                self._fallback = tree
        self.finished = (
            self.width == 1 << (self.effort or 0) >> 1 or self.width > self.game.n_guesses
        )
        self.width *= 2
        self.table.rows[:] = 0
        self._set_model()
        self._running = None
        self.positions_before += driver.positions

    @property
    def _earliest(self) -> int:
        """The numbers of secrets by guess from here on tell the others, with the total."""
        return 3 if self.game.weights is None else 2

    # running

    def __iter__(self) -> Iterator[SearchProgress]:
        """Search, and report progress. Closing the iterator stops the threads."""
        while not self.finished:
            with closing(self._search_limit()) as steps:
                for _ in steps:
                    if self._best is None and self.positions > _FALLBACK_AFTER:
                        self._fallback = self._fallback or self._one_step
                    yield self._progress()
        yield self._progress()

    def _search_limit(self) -> Generator[None]:
        """Search with the present limit; raise it where that was too low."""
        self.positions_before, self._running = self.positions, None
        if self._start is not None and not self.stage and self.limit >= self._start.worst:
            self.limit = self._start.worst
            self._end_stage(self._start)
            return
        driver = SearchDriver(self.model, self.table, self.limit, self.threads)
        distributed = None
        if self.where is not None and (not self.stage or self.objective == "worst-total"):
            distributed = DistributedSearch(self.game, driver, self.where, self.task_folder)
            self._running = distributed
            yield from distributed.steps()
            self.positions_before = self.positions
        self._running = driver
        yield from driver.steps()
        if distributed is not None:
            distributed.forget()
        solved = driver.best.guess >= 0
        if self.width:
            self._end_pass(driver)
            return
        if solved and self.objective not in ("total", "worst") and self.goal is None:
            self._end_stage(self._tree(driver))
        elif solved or not self._raises or self.limit >= self._most_guesses:
            self.finished = True
        else:
            self.limit += 1

    # checkpoints: the table, in which a search finds what another has done

    def state(self) -> tuple[State, list[Block]]:
        slots, rows = entries(self.table.rows)
        state = {"limit": self.limit, "positions": self.positions, "entries": len(slots)}
        blocks: list[Block] = [slots.data, rows.data]
        if self.table.bits > self.table_bits:
            state["table_bits"] = self.table.bits
        if (self.stage or self.width) and self._fallback is not None:
            blocks.append(to_bytes(self._fallback))
            state |= {"stage": self.stage, "ratio": self._ratio, "tree": len(blocks[-1])}
            state["width"] = self.width
        return state, blocks

    def identity(self) -> State:
        # what a search without proof remembers is not true for others
        return super().identity() | ({"effort": True} if self.width else {})

    def restore(self, state: State, blocks: Blocks) -> None:
        # all is read before anything is changed: a damaged checkpoint leaves the search as it was
        table = TranspositionTable(state.get("table_bits", self.table_bits))
        blocks.fill(table.rows, state["entries"])
        limit, positions = state["limit"], state["positions"]
        if "stage" in state:
            stage, ratio, width = state["stage"], state["ratio"], state["width"]
            tree = from_bytes(bytes(blocks.take(state["tree"])), "checkpoint")
            self._fallback = self.verified(tree.nodes, tree.strategy)
            self.stage, self._ratio, self.width = stage, ratio, width
        self.limit, self.positions_before = limit, positions
        self.table = table
        self._set_model()

    def summary(self) -> Phrase:
        return Phrase("{n} positions", n=self.positions)

    # answers

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self.positions_before + (self._running.positions if self._running else 0)

    @property
    def _driver(self) -> SearchDriver | None:
        return self._running if isinstance(self._running, SearchDriver) else None

    @property
    def _best(self) -> ThreadState | None:
        """What the kernels know of their best tree, None before the first one."""
        best = self._driver.best if self._driver else None
        return best if best is not None and best.guess >= 0 else None

    @cached_property
    def _one_step(self) -> Tree | None:
        """The tree of a one-step strategy, if it keeps the limit."""
        tree = self.one_step_tree()
        return tree if self.max_guesses is None or tree.worst <= self.max_guesses else None

    def best_value(self) -> int | None:
        """What the best tree so far reaches of the objective."""
        best, fallback = self._best, self._fallback
        if self.objective == "worst":
            return self.limit if best else fallback.worst if fallback else None
        if self.objective == "fewest-at-worst" and not self.stage:
            return None
        if self.objective == "total-fewest" and self.stage and fallback is not None:
            return fallback.total
        costs = [best.value] if best else []
        if fallback is not None and not (best and self._raises and not self.stage):
            costs.append(self.model.cost(fallback))
        return self._figure(min(costs)) if costs else None

    def _figure(self, cost: int) -> int:
        """A cost as users see it."""
        return cost // self.unit + (0 if self.goal is None else self.goal.offset)

    def lower_bound(self) -> int:
        """No tree can be better than this (see `Optimum`)."""
        if self.objective == "worst":
            return self.limit
        if self.width:
            return self._figure(0)
        if self.objective == "total-fewest" and self.stage and self._fallback is not None:
            return self._fallback.total
        if self.finished:
            return self.best_value() or 0
        if self.objective == "fewest-at-worst" and not self.stage:
            return 1
        least = self.size_bound if self.unit == 1 else 0
        # the search for any tree that keeps a limit says nothing of totals
        if self._driver and (not self._raises or self.stage):
            least = max([least, *(state.bound for state in self._driver.states)])
        return self._figure(least if least < INFINITE // 2 else 0)

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
            PegwiseError: the tree does not verify; then there is a mistake in this program.
        """
        if not self.finished:
            self._fallback = self._fallback or self._one_step
        tree, best, driver = self._fallback, self._best, self._driver
        raised = self._raises and not self.stage  # before that, the fallback may break the limit
        better = best and (tree is None or raised or best.value <= self.model.cost(tree))
        if driver and better and not (self.finished and self.stage):
            tree = self._tree(driver)
        proven = self.finished and not self.width
        return Optimum(self.objective, tree, self.lower_bound(), proven, self.positions)

    def _tree(self, driver: SearchDriver) -> Tree:
        """The best tree of the kernels."""
        endings = {"total": "", "worst-total": "-worst", "total-fewest": "-fewest"}
        ending = endings.get(self.objective, f"-{self.objective.partition(':')[0]}")
        tree = self.verified(driver.nodes(self.game), f"optimal{ending}", limit=self.limit)
        # the first tree that keeps a limit depends on what the table holds
        exact = not (self.model.board.any_tree or self.width)
        if exact and self.model.cost(tree) != driver.best.value:
            raise PegwiseError(
                "internal error: the tree of {game} costs {cost}, but the search said {value}",
                game=self.game.name,
                cost=self.model.cost(tree),
                value=driver.best.value,
            )
        return tree


class _Options(TypedDict, total=False):
    objective: str | Goal
    start: Tree | None
    guesses: str
    first: int | None
    threads: int
    where: Backend | None
    task_folder: Path | None
    table_bits: int


if TYPE_CHECKING:

    class _OptimumWithTree(Optimum):
        tree: Tree


@overload
def find_optimum(
    game: GameLike, *, report: Report = ..., **options: Unpack[_Options]
) -> _OptimumWithTree: ...
@overload
def find_optimum(
    game: GameLike, *, max_guesses: int | None, report: Report = ..., **options: Unpack[_Options]
) -> Optimum: ...
def find_optimum(
    game: GameLike,
    *,
    max_guesses: int | None = None,
    report: Report = silent,
    **options: Unpack[_Options],
) -> Optimum:
    """The best tree of a game, proven; errors are those of `OptimalSearch`.

    Args:
        game: rules of a board, or a game.
        max_guesses: no secret may need more; the answer may then be that there is no tree.
        report: is told of every step; raising from it stops the search.
        options: `objective`, one of `OBJECTIVES` or a `Goal`; `start`, a tree to begin with;
            `guesses`, "all" or "candidates", what may be played; `first`, the number of the first
            guess; `threads`; `where`, such as `pegwise.compute.Cluster("tcp://10.0.0.1:8786")`;
            `task_folder`, where finished tasks of a cluster are kept; `table_bits`, the logarithm
            of the size of the table.
    """
    check_options(options, OptimalSearch, TreeSearch)
    search = OptimalSearch(game, max_guesses=max_guesses, **options)
    for step in search:
        report(step)
    return search.result()
