"""Good trees of boards that are too large to prove anything about: better the longer it runs.

Stage 0 is the tree of a one-step strategy. Every later stage searches the whole game again, with
more guesses for each position and larger sets solved exactly, and keeps what is better. A stage
depends on the stages before it alone, so its tree is the same for any number of threads and
wherever the search was interrupted. The method is described in docs/search.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.arrays import U64
from pegwise.compute import Place
from pegwise.errors import InputError, PegwiseError
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.table import new_table
from pegwise.kernels.exact.weigh import UNLIMITED
from pegwise.search.beam.explorer import Explorer, Level, Position, plan
from pegwise.search.beam.spread import Crew
from pegwise.search.beam.trees import Book, assemble, first_tree, make_book, rates
from pegwise.search.exact.model import least_total
from pegwise.search.exact.optimal import Optimum, SearchProgress
from pegwise.search.memory import check_memory
from pegwise.strategies import Nodes
from pegwise.trees import Tree
from pegwise.trees.verify import verify

_FIRST_GUESSES: Final = 3
_WORTH_ANOTHER_LOOK: Final = 0.002
_TABLE_BITS: Final = 22


@dataclass(frozen=True, slots=True)
class EffortProgress(SearchProgress):
    """One step; `done` and `total` count positions after the first guesses of the stage.

    Attributes:
        stage: which is running.
    """

    stage: int = 0


class EffortSearch:
    """A search for a good tree of a game.

    Args:
        game: what is played; its weights count.
        stages: how many stages to go through; None to go on until it is left, or until a stage
            has solved the whole game exactly.
        max_guesses: no secret may need more; None for any number.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number, when it is given.
        threads: how many search side by side.
        where: processes or a cluster that search instead; the tree stays the same.
        kept: a folder for the finished pieces of those, None to keep none.
        table_bits: size of the table of exact costs, 2**table_bits entries of 32 bytes.

    Raises:
        InputError: an option out of range.
        TooLargeError: a game that does not fit into memory.
    """

    objective = "total"

    def __init__(
        self,
        game: Game,
        *,
        stages: int | None = None,
        max_guesses: int | None = None,
        guesses: str = "all",
        first: int | None = None,
        threads: int = 1,
        where: Place | None = None,
        kept: Path | None = None,
        table_bits: int = _TABLE_BITS,
    ) -> None:
        if stages is not None and stages < 0:
            raise InputError("{stages} stages: write a whole number from 0", stages=stages)
        if threads < 1:
            raise InputError("{threads} threads: write a whole number from 1", threads=threads)
        if max_guesses is not None and max_guesses < 1:
            raise InputError(
                "at most {max_guesses} guesses: write a whole number from 1",
                max_guesses=max_guesses,
            )
        if first is not None and guesses == "candidates" and game.secret_of_guess[first] < 0:
            raise InputError(
                "{guess} is no candidate, and only candidates are played", guess=game.guess(first)
            )
        check_memory(game)
        self.game = game
        self.stages = stages
        self.max_guesses = max_guesses
        self.guesses = guesses
        self.first = first
        self.threads = threads
        self.limit = UNLIMITED if max_guesses is None else max_guesses
        self.table: U64 = new_table(table_bits)
        self.trees: list[Tree] = []
        """The best tree after each stage; with a limit of guesses the first ones may break it."""
        self.totals: list[dict[int, int]] = [{}]
        """What each stage has found for the first guesses that it weighed."""
        self.levels: dict[int, Level] = {}
        self._kept: dict[int, dict[int, tuple[int, int]]] = {}
        self.solved = False
        self.positions_before = 0
        self._books: dict[int, Book] = {}
        self._value_kept: int | None = None
        self._crew = Crew(
            game,
            guesses,
            self.table,
            self.levels,
            threads=threads,
            where=where,
            folder=kept,
            options=f"{max_guesses} {first}",
        )
        self._done = 0.0
        self._parts: tuple[int, int] = (0, 0)

    # what is known

    @property
    def stage(self) -> int:
        """The stage that is running, or comes next."""
        return len(self.trees)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.solved or (self.stages is not None and self.stage > self.stages)

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self.positions_before + self._crew.positions

    @property
    def best(self) -> Tree | None:
        """The tree of the last stage, None when none keeps the limit of guesses."""
        tree = self.trees[-1] if self.trees else None
        return tree if tree is not None and tree.worst <= self.limit else None

    def best_value(self) -> int | None:
        """Total of the best tree so far, with what the present stage has found."""
        best = self.best
        if best is None or self.solved:
            return None if best is None else best.total
        found = [best.total]
        book = self._books.get(self.stage)
        if book is not None:
            found.append(book.improved(self._memo))
        elif self._value_kept is not None:
            found.append(self._value_kept)
        found += [total for total in self._totals_now.values() if total < INFINITE // 2]
        return min(found)

    @property
    def _memo(self) -> dict[int, tuple[int, int]]:
        level = self.levels.get(self.stage)
        return level.memo if level else {}

    @property
    def _totals_now(self) -> dict[int, int]:
        return self.totals[self.stage] if len(self.totals) > self.stage else {}

    @cached_property
    def _least(self) -> int:
        return least_total(self.game, candidates_only=self.guesses == "candidates")

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        if self.solved and self.best is not None:
            return self.best.total
        least = self._least
        return least if least < INFINITE // 2 else 0

    def progress(self) -> EffortProgress:
        """How far the search is."""
        value = self.best_value()
        return EffortProgress(
            self._parts[0],
            self._parts[1] or None,
            "positions",
            "" if value is None else f"best {value}",
            value,
            self.lower_bound(),
            self.positions,
            1.0 if self.finished else self._done,
            self.stage,
        )

    def result(self) -> Optimum:
        """The best tree so far, verified, with what the present stage has added to it.

        Raises:
            PegwiseError: the tree does not verify; then there is a mistake in this program.
        """
        if not self.trees:
            self._begin()
        if self._value_kept is not None and not self.solved:
            # perhaps left before it began again: what an earlier run has found counts
            self._open_levels()
        tree = self.best
        value = self.best_value()
        if tree is not None and value is not None and value < tree.total:
            totals = {total: guess for guess, total in self._totals_now.items()}
            tree = self._verified(self._assembled(totals.get(value, -1)))
        return Optimum("total", tree, self.lower_bound(), self.solved, self.positions)

    # to be kept and to go on

    def memos(self) -> dict[int, dict[int, tuple[int, int]]]:
        """Cost and guess of the positions that each level has searched, by number of the level."""
        return {**self._kept, **{number: level.memo for number, level in self.levels.items()}}

    def restore(
        self,
        trees: list[Tree],
        totals: list[dict[int, int]],
        memos: dict[int, dict[int, tuple[int, int]]],
        *,
        solved: bool,
        positions: int,
        value: int | None,
    ) -> None:
        """Go on from what another search has found, before this one begins."""
        self.trees = [Tree(self.game, tree.nodes, tree.strategy, tree.options) for tree in trees]
        self.totals = totals
        self._kept = memos
        self.solved = solved
        self.positions_before = positions
        self._value_kept = value

    def forget(self) -> None:
        """Remove the finished pieces that are kept: a checkpoint holds what they have shown."""
        for number in (self.stage - 1, self.stage):
            self._crew.forget(number)

    # running

    def __iter__(self) -> Iterator[EffortProgress]:
        """Search, and say now and then how far. Closing the iterator stops the work."""
        if not self.trees:
            self._begin()
        yield self.progress()
        with self._crew.called():
            while not self.finished:
                yield from self._run_stage()
                yield self.progress()

    def _begin(self) -> None:
        """Stage 0."""
        tree = first_tree(self.game, guesses=self.guesses, first=self.first, threads=self.threads)
        self.trees.append(self._verified(tree.nodes, tree.strategy))

    def _level(self, number: int) -> Level:
        """A level, made when it is first asked for."""
        if number not in self.levels:
            translation = self._crew.prepared[1]
            before = self.trees[number - 1]
            book = make_book(before, self._crew.explorer(), translation, self.limit)
            memo = self._kept.get(number, {})
            self.levels[number] = Level(plan(number), rates(before), book.guesses, memo)
            self._books[number] = book
        return self.levels[number]

    def _open_levels(self) -> Level:
        """The level of the present stage; those below it are made as well."""
        return [self._level(number) for number in range(1, self.stage + 1)][-1]

    def _run_stage(self) -> Iterator[EffortProgress]:
        number = self.stage
        level = self._open_levels()
        explorer = self._crew.explorer()
        kernels, translation, symmetric = self._crew.prepared
        everything = np.arange(self.game.n_secrets)
        weights = translation.weights if kernels.board.weighted else np.ones(1, np.int64)
        root = explorer.root(everything, weights, self.limit, classes=symmetric)
        if len(everything) <= level.plan.exact and self.first is None:
            yield from self._search([root], [None], number, self.limit)
            self._end_stage(self._assembled(-1, whole=True), solved=True)
            return
        while len(self.totals) <= number:
            self.totals.append({})
        totals = self.totals[number]
        parts = {
            guess: explorer.after_first(root, guess, self.limit - 1, classes=symmetric)
            for guess in self._first_guesses(explorer, root, number)
            if guess not in totals
        }
        positions = [part for several in parts.values() for part in several]
        costs: list[int | None] = [None] * len(positions)
        for step in self._search(positions, costs, number, self.limit - 1):
            found = iter(costs)
            for guess, several in parts.items():
                theirs = [cost for cost in islice(found, len(several)) if cost is not None]
                if len(theirs) == len(several):
                    totals[guess] = min(root.weight + sum(theirs), INFINITE)
            yield step
        guess, total = min(totals.items(), key=lambda pair: (pair[1], pair[0]))
        best = self.best
        if total < INFINITE // 2 and (best is None or total < best.total):
            self._end_stage(self._assembled(guess))
        else:
            self._end_stage(None)

    def _end_stage(self, nodes: Nodes | None, *, solved: bool = False) -> None:
        tree = self.trees[-1] if nodes is None else self._verified(nodes)
        self.trees.append(tree)
        # those of this stage stay until they are part of a checkpoint, whoever keeps one
        self._crew.forget(self.stage - 2)
        self.solved = solved
        self._value_kept = None
        self._done, self._parts = 0.0, (0, 0)

    def _first_guesses(self, explorer: Explorer, root: Position, number: int) -> list[int]:
        """The first guesses that a stage weighs: those that were nearly best before."""
        if self.first is not None:
            return [int(self._crew.prepared[1].guess_at[self.first])]
        known = self.totals[number - 1] if number > 1 else {}
        if not known:
            return explorer.first_guesses(root, self.levels[number], _FIRST_GUESSES)
        near = min(known.values()) * (1 + _WORTH_ANOTHER_LOOK / number)
        best = sorted((total, guess) for guess, total in known.items() if total <= near)
        return [guess for _, guess in best]

    def _search(
        self, positions: list[Position], costs: list[int | None], number: int, left: int
    ) -> Iterator[EffortProgress]:
        """Search positions; their costs are noted as they become known."""
        shares = self._crew.search(positions, costs, number, left)
        try:
            for self._done in shares:
                self._parts = (len(costs) - costs.count(None), len(costs))
                yield self.progress()
        finally:
            shares.close()
        yield self.progress()

    # trees

    def _assembled(self, first: int, *, whole: bool = False) -> Nodes:
        """The nodes of the best tree known: after a first guess of this stage, or of the last.

        Args:
            first: a first guess that this stage has weighed to its end, -1 for none.
            whole: the game has been solved exactly.
        """
        explorer = self._crew.explorer()
        translation = self._crew.prepared[1]
        before = None if whole or first >= 0 else self.best
        memo = {} if whole else self._memo
        return assemble(before, memo, first, explorer, translation, self.limit)

    def _verified(self, nodes: Nodes, strategy: str = "effort") -> Tree:
        options: dict[str, str | int | bool] = {}
        if self.max_guesses is not None:
            options["max_guesses"] = self.max_guesses
        if self.guesses != "all":
            options["guesses"] = self.guesses
        tree = Tree(self.game, nodes, strategy, options)
        verified = verify(tree)
        if not verified.valid:
            raise PegwiseError(
                "internal error: the tree found for {game} does not verify; {problem}",
                game=self.game.name,
                problem=verified.problems[0],
            )
        return tree
