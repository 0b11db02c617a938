"""The best tree of a game, proven: smallest total, smallest worst case, or one after the other.

`OptimalSearch` is an iterator of `SearchProgress` that can be left at any step and then still
gives its best tree and a lower bound. `find_optimum` runs one to its end. The method is described
in docs/search.md.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack, overload

import numpy as np

from pegwise.arrays import U64
from pegwise.compute import Place
from pegwise.errors import (
    InputError,
    PegwiseError,
    Phrase,
    TooLargeError,
    UnknownNameError,
    check_threads,
)
from pegwise.game import Game, GameLike, as_game
from pegwise.kernels.exact.board import new_table
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.progress import Progress, Report, silent
from pegwise.search.exact.driver import SearchDriver, ThreadState
from pegwise.search.exact.model import model_of, size_bound, table_bits_for
from pegwise.search.exact.spread import DistributedSearch
from pegwise.search.storage import Block, Blocks, Resumable, State, check_options, entries
from pegwise.strategies import Nodes
from pegwise.strategies.one_step import Entropy
from pegwise.trees import Tree
from pegwise.trees.build import build, play_on
from pegwise.trees.verify import verify

OBJECTIVES: Final = ("total", "worst", "worst-total")

MAX_SECRETS: Final = 25_000  # games with more would take weeks
_FALLBACK_AFTER: Final = 1500  # positions after which a one-step strategy makes the first tree


@dataclass(frozen=True, slots=True)
class SearchProgress(Progress):
    """One step of an exact search; `done` and `total` count first guesses.

    Attributes:
        value: what the best tree so far reaches, None before the first one.
        lower_bound: what no tree can be below.
        positions: sets entered so far.
        fraction: a rough estimate of the work done, 0 to 1.
    """

    value: int | None = None
    lower_bound: int = 0
    positions: int = 0
    fraction: float = 0.0


@dataclass(frozen=True, slots=True)
class Optimum:
    """The answer of a search.

    Attributes:
        objective: what was minimised, one of `OBJECTIVES`.
        tree: the best tree, verified by the plain marking; None if there is none (`impossible`)
            or none yet.
        lower_bound: no tree has a smaller total (a smaller worst case for objective `worst`).
        proven: the search ended, so that the tree is best, or that there is none.
        positions: sets entered.
    """

    objective: str
    tree: Tree | None
    lower_bound: int
    proven: bool
    positions: int

    @property
    def impossible(self) -> bool:
        """No tree keeps the limit of guesses, proven."""
        return self.proven and self.tree is None


class TreeSearch(Resumable[Optimum]):
    """What searches for a tree, with or without proof, have in common.

    Args:
        game: what is played; its weights count.
        max_guesses: no secret may need more; None for any number.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number; None to choose it.
        threads: how many search side by side; the tree is the same for any number.
        where: processes or a cluster that do most of the work; the tree stays the same.
        task_folder: where their finished tasks are stored, so that a run that is killed goes on;
            None to store none.
        table_bits: the transposition table has 2**table_bits entries of 32 bytes.

    Raises:
        InputError: an option out of range.
    """

    objective = "total"

    def __init__(
        self,
        game: Game,
        *,
        table_bits: int,
        max_guesses: int | None = None,
        guesses: str = "all",
        first: int | None = None,
        threads: int = 1,
        where: Place | None = None,
        task_folder: Path | None = None,
    ) -> None:
        self.game = game
        if guesses not in ("all", "candidates"):
            raise UnknownNameError.of("set of guesses", guesses, ["all", "candidates"])
        if max_guesses is not None and max_guesses < 1:
            raise InputError(
                "at most {max_guesses} guesses: write a whole number from 1",
                max_guesses=max_guesses,
            )
        check_threads(threads)
        if first is not None and guesses == "candidates" and game.secret_of_guess[first] < 0:
            raise InputError(
                "{guess} is no candidate, and only candidates are played", guess=game.guess(first)
            )
        self.max_guesses = max_guesses
        self.guesses = guesses
        self.first = first
        self.threads = threads
        self.where = where
        self.task_folder = task_folder
        self.table_bits = table_bits
        self.table: U64 = new_table(table_bits)
        self.size_bound = size_bound(game, guesses=guesses)
        self.positions_before = 0

    def one_step_tree(self) -> Tree:
        """The tree of the strategy `entropy`, after any first guess; it may break the limit."""
        game, strategy, first = self.game, Entropy(guesses=self.guesses, weighted=False), self.first
        if first is None:
            tree = build(strategy, game, threads=self.threads)
            return self.verified(tree.nodes, strategy.card.id)
        marks = game.marks(first)
        wins = bool((marks == game.winning).any())
        branches = [(-1, 0, Nodes.of([first], [-1], [0], [wins], game.n_marks))]
        for mark in np.unique(marks).tolist():
            if mark != game.winning:
                decision = strategy.begin(game).instead(game.guess(first), game.mark(mark))
                nodes = play_on(decision, game, decision.candidates, strategy.card.id)
                branches.append((0, mark, nodes))
        return self.verified(Nodes.join(branches), strategy.card.id)

    def verified(
        self, nodes: Nodes, strategy: str, *, limit: int = UNLIMITED, total: int | None = None
    ) -> Tree:
        """A tree with the options of the search, checked by the plain marking.

        Raises:
            PegwiseError: the tree does not verify; then there is a mistake in this program.
        """
        options: dict[str, str | int | bool] = {}
        if self.max_guesses is not None:
            options["max_guesses"] = self.max_guesses
        if self.guesses != "all":
            options["guesses"] = self.guesses
        tree = Tree(self.game, nodes, strategy, options)
        verified = verify(tree)
        if not verified.valid or verified.worst > limit or total not in (None, verified.total):
            raise PegwiseError(
                "internal error: the tree found for {game} has total {total} and worst case "
                "{worst}{said}{problem}",
                game=self.game.name,
                total=verified.total,
                worst=verified.worst,
                said="" if total is None else Phrase(", but the search said {value}", value=total),
                problem="".join(f"; {problem}" for problem in verified.problems[:1]),
            )
        return tree


class OptimalSearch(TreeSearch):
    """A search for the best tree of a game.

    Args:
        game: what is played: a game, whose weights count, or the rules of a board.
        objective: `total` for the smallest total, `worst` for the smallest worst case,
            `worst-total` for the smallest total among trees of smallest worst case.
        options: as for `TreeSearch`.

    Raises:
        InputError: an option out of range.
        TooLargeError: more than `MAX_SECRETS` secrets, or too much memory.
    """

    file_format = b"pegwise checkpoint 1\n"
    file_suffix = "search"
    options = ("objective", "max_guesses", "guesses", "first", "table_bits")
    finished = False

    def __init__(self, game: GameLike, *, objective: str = "total", **options: Any) -> None:
        if objective not in OBJECTIVES:
            raise UnknownNameError.of("objective", objective, OBJECTIVES)
        game = as_game(game)
        if game.n_secrets > MAX_SECRETS:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many for exact search (at most {most:,})",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_SECRETS,
            )
        super().__init__(game, **{"table_bits": table_bits_for(game.n_secrets), **options})
        self.objective = objective
        model = model_of(game, guesses=self.guesses)
        self.model = model.options(
            any_tree=objective == "worst",
            whole=True,
            use_history=model.symmetric,
            first=-1 if self.first is None else int(model.guess_at[self.first]),
        )
        # guesses allowed: all, or one at first where the least worst case is searched
        most = min(self.max_guesses or game.n_secrets, game.n_secrets)
        self._most_guesses = most
        self.limit = 1
        if objective == "total":
            self.limit = most if most < game.n_secrets else UNLIMITED
        self._running: SearchDriver | DistributedSearch | None = None
        self._fallback: Tree | None = None
        self._tried_fallback = False

    # running

    def __iter__(self) -> Iterator[SearchProgress]:
        """Search, and report progress. Closing the iterator stops the threads."""
        while not self.finished:
            with closing(self._search_limit()) as steps:
                for _ in steps:
                    if self._best is None and self.positions > _FALLBACK_AFTER:
                        self._make_fallback()
                    yield self._progress()
        yield self._progress()

    def _search_limit(self) -> Generator[None]:
        """Search with the present limit; raise it where that was too low."""
        self.positions_before, self._running = self.positions, None
        driver = SearchDriver(self.model, self.table, self.limit, self.threads)
        distributed = None
        if self.where is not None:
            distributed = DistributedSearch(self.game, driver, self.where, self.task_folder)
            self._running = distributed
            yield from distributed.steps()
            self.positions_before = self.positions
        self._running = driver
        yield from driver.steps()
        if distributed is not None:
            distributed.forget()
        solved = driver.best.guess >= 0
        if solved or self.objective == "total" or self.limit >= self._most_guesses:
            self.finished = True
        else:
            self.limit += 1

    # checkpoints: the table, in which a search finds what another has done

    def state(self) -> tuple[State, list[Block]]:
        slots, rows = entries(self.table)
        state = {"limit": self.limit, "positions": self.positions, "entries": len(slots)}
        return state, [slots.data, rows.data]

    def restore(self, state: State, blocks: Blocks) -> None:
        self.limit, self.positions_before = state["limit"], state["positions"]
        blocks.fill(self.table, state["entries"])

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

    def _make_fallback(self) -> None:
        """Make the tree of a one-step strategy, once, if it keeps the limit."""
        if self._tried_fallback:
            return
        self._tried_fallback = True
        tree = self.one_step_tree()
        if self.max_guesses is None or tree.worst <= self.max_guesses:
            self._fallback = tree

    def best_value(self) -> int | None:
        """Total (worst case for objective `worst`) of the best tree so far."""
        best, fallback = self._best, self._fallback
        if self.objective == "worst":
            return self.limit if best else fallback.worst if fallback else None
        if fallback is None or (best and self.objective == "worst-total"):
            return best.value if best else None
        return min(best.value, fallback.total) if best else fallback.total

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        if self.objective == "worst":
            return self.limit
        best = self._best
        if self.finished:
            return best.value if best else 0
        least = self.size_bound
        # that some tree keeps this limit is not known before the first one
        if self._driver and (self.objective == "total" or best):
            least = max([least, *(state.bound for state in self._driver.states)])
        return least if least < INFINITE // 2 else 0

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
            self._make_fallback()
        tree = None if self.finished else self._fallback
        best = self._best
        limited = self.objective == "worst-total"
        if self._driver and best and (tree is None or limited or best.value <= tree.total):
            tree = self.verified(
                self._driver.nodes(self.game),
                "optimal" if self.objective == "total" else "optimal-worst",
                limit=self.limit,
                # the first tree that keeps a limit depends on what the table holds
                total=None if self.model.board.any_tree else best.value,
            )
        return Optimum(self.objective, tree, self.lower_bound(), self.finished, self.positions)


class _Options(TypedDict, total=False):
    objective: str
    guesses: str
    first: int | None
    threads: int
    where: Place | None
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
def find_optimum(game: GameLike, *, report: Report = silent, **options: Any) -> Optimum:
    """The best tree of a game, proven; `report` is told of every step.

    The options are those of `OptimalSearch`, and its errors too.
    """
    check_options(options, OptimalSearch, TreeSearch)
    search = OptimalSearch(game, **options)
    for step in search:
        report(step)
    return search.result()
