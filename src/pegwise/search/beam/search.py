"""Good trees of boards that are too large to prove anything about: better the longer it runs.

Stage 0 is the tree of a one-step strategy. Every later stage searches the whole game again, with
more guesses for each position and larger sets solved exactly, and keeps what is better. A stage
depends on the stages before it alone, so its tree is the same for any number of threads and
wherever the search was interrupted. The method is described in docs/search.md.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Final

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import U64
from pegwise.compute.backends import OpenBackend, Threads
from pegwise.compute.cache import ResultCache, ResultForm
from pegwise.compute.pieces import run
from pegwise.errors import Phrase, check_whole
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.progress import Progress, Report, silent
from pegwise.search.beam.distributed import BeamResult, DistributedBeam
from pegwise.search.beam.trees import IncumbentPlays, assemble, incumbent_plays, rates
from pegwise.search.beam.worker import BeamLevel, BeamPosition, BeamWorker, Memo, beam_model, plan
from pegwise.search.exact.driver import SearchProgress, TreeSearch
from pegwise.search.exact.model import SearchModel, check_searched, least_by_size
from pegwise.search.exact.optimum import Optimum
from pegwise.search.exact.table import TranspositionTable, check_memory
from pegwise.search.storage import Block, Blocks, State, entries, fingerprint
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

_FIRST_GUESSES: Final = 3  # where symmetries make many first guesses equal
_FIRST_OF_MANY: Final = 12  # first guesses where no symmetry makes them equal

_WORTH_ANOTHER_LOOK: Final = 0.002  # a first guess this share above the best is tried again
TABLE_BITS: Final = 22  # of the transposition table of a search: 4 million entries

_SMALLEST_STORED: Final = 40  # smaller sets are solved again in no time


@dataclass(frozen=True, slots=True)
class BeamProgress(SearchProgress):
    """One step; `done` and `total` count the positions that the stage searches in turn."""

    stage: int = 0


class BeamSearch(TreeSearch):
    """A search for a good tree of a game, by stages, with the options of `TreeSearch`.

    It goes on until it is left, until `stages` stages have ended, or until a stage has solved the
    whole game exactly (`solved`). `trees` are the best after each stage, of which the first may
    break a limit of guesses; `totals` are those of the first guesses that each stage weighed;
    `memos` hold cost and guess of the positions that each level has searched, by its number.

    Raises:
        InputError: an option out of range.
        TooLargeError: the tables do not fit into memory.
    """

    file_format = b"pegwise effort 1\n"
    file_suffix = "effort"
    options = ("max_guesses", "guesses", "first", "table_bits")

    def __init__(self, game: Game, *, stages: int | None = None, **options: Any) -> None:
        if stages is not None:
            check_whole("stages", stages)
        check_searched(game)
        if game.requirements is not None:
            game.refuse_hard(Phrase("the beam search does not know such games"))
        check_memory(game)
        super().__init__(game, **{"table_bits": TABLE_BITS, **options})
        self.game.refuse_questions(Phrase("the beam search does not know such games"))
        self.where = None if self.where is None else OpenBackend(self.where)
        self.stages = stages
        self.limit = self.max_guesses or UNLIMITED
        self.trees: list[Tree] = []
        self.totals: list[dict[int, int]] = [{}]
        self.memos: dict[int, Memo] = {}
        self.levels: dict[int, BeamLevel] = {}
        self.solved = False
        self.bound = self.size_bound
        self._restored = False  # whether what a checkpoint says of the stage is not yet played out
        self._restored_tree: Tree | None = None  # the best of a checkpoint that says too much
        self._incumbents: dict[int, IncumbentPlays] = {}
        self._beam_workers: list[BeamWorker] = []
        self._stop = threading.Event()
        self._distributed: list[DistributedBeam] = []
        self._done = 0.0
        self._parts: tuple[int, int] = (0, 0)

    @cached_property
    def model(self) -> SearchModel:
        """The game as the kernels read it; it takes most of the memory."""
        return beam_model(self.game, self.guesses)

    # answers

    @property
    def stage(self) -> int:
        """The stage that is running, or comes next."""
        return len(self.trees)

    @property
    def finished(self) -> bool:
        return self.solved or (self.stages is not None and self.stage > self.stages)

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        by_threads = sum(worker.positions for worker in self._beam_workers)
        by_workers = sum(distributed.positions for distributed in self._distributed)
        return self.positions_before + by_threads + by_workers

    @property
    def best(self) -> Tree | None:
        """The tree of the last stage, None when none keeps the limit of guesses."""
        tree = self.trees[-1] if self.trees else None
        return tree if tree is not None and tree.worst <= self.limit else None

    def best_value(self) -> int | None:
        """Total of the best tree so far, with what the present stage has found.

        Of a checkpoint it is that of its trees, until the rest of it has been played out.
        """
        best = self.best
        if best is None or self.solved:
            return None if best is None else best.total
        values = [best.total]
        if self.stage in self._incumbents:
            values.append(self._incumbents[self.stage].improved(self.memos[self.stage]))
        if self._restored_tree is not None:
            values.append(self._restored_tree.total)
        return min([*values, *([] if self._restored else self._totals_now.values())])

    @property
    def _totals_now(self) -> dict[int, int]:
        return self.totals[self.stage] if len(self.totals) > self.stage else {}

    def lower_bound(self) -> int:
        """No tree can be better than this."""
        return self.best.total if self.solved and self.best is not None else self.bound

    def progress(self) -> BeamProgress:
        value = self.best_value()
        done, total = self._parts
        return BeamProgress(
            done,
            total or None,
            "positions",
            "" if value is None else f"best {value}",
            value,
            self.lower_bound(),
            self.positions,
            1.0 if self.finished else self._done,
            self.stage,
        )

    def result(self) -> Optimum:
        """The best tree so far, verified, with what the present stage has added to it."""
        self._begin()
        tree, value = self.best, self.best_value()
        if tree is not None and value is not None and value < tree.total:
            tree = self._tree_of(value)
        return Optimum("total", tree, self.lower_bound(), self.solved, self.positions)

    # checkpoints: trees, costs of positions by level, and exact costs

    @property
    def worth_storing(self) -> bool:
        """Also when it has ended: more stages, or more time, go on from there."""
        return bool(self.trees)

    def state(self) -> tuple[State, list[Block]]:
        # first, so that what is stored besides gives at least this
        value = self.best_value()
        slots, rows = entries(self.table.rows, _SMALLEST_STORED)
        trees = [to_bytes(tree) for tree in self.trees]
        memos = {number: _memo_rows(memo) for number, memo in self.memos.items()}
        state = {
            "positions": self.positions,
            "solved": self.solved,
            "value": value,
            "totals": [list(totals.items()) for totals in self.totals],
            "trees": [len(tree) for tree in trees],
            "memos": {number: len(memo) for number, memo in memos.items()},
            "entries": len(slots),
        }
        if self.table.bits > self.table_bits:
            state["table_bits"] = self.table.bits
        if self.bound > self.size_bound:
            state["bound"] = self.bound
        return state, [slots.data, rows.data, *(memo.data for memo in memos.values()), *trees]

    def restore(self, state: State, blocks: Blocks) -> None:
        table = TranspositionTable(state.get("table_bits", self.table_bits))
        blocks.fill(table.rows, state["entries"])
        memos = {int(number): _memo(blocks.rows(n)) for number, n in state["memos"].items()}
        trees = [from_bytes(bytes(blocks.take(size)), "checkpoint") for size in state["trees"]]
        solved, positions = state["solved"], state["positions"]
        if not trees or not verify(trees[-1]).valid:
            raise ValueError("no tree")
        totals = [{int(guess): int(total) for guess, total in pairs} for pairs in state["totals"]]
        self.table = table
        self.trees = [Tree(self.game, t.nodes, t.strategy, t.options) for t in trees]
        self.totals, self.solved, self.positions_before = totals, solved, positions
        self.memos, self._restored = memos, True
        self.bound = state.get("bound", self.size_bound)

    def summary(self) -> Phrase:
        best = self.best_value()
        if best is None:
            return Phrase("stage {stage}, no tree yet", stage=self.stage)
        return Phrase("stage {stage}, best {best}", stage=self.stage, best=best)

    def forget(self) -> None:
        """Remove the stored tasks: a checkpoint holds what they have shown."""
        self._clear_tasks(self.stage - 1)
        self._clear_tasks(self.stage)

    def _clear_tasks(self, number: int) -> None:
        if (task_store := self._task_store(number)) is not None:
            task_store.clear()

    def _task_store(self, number: int) -> ResultCache[BeamResult] | None:
        """Where the finished tasks of a stage are stored."""
        if self.task_folder is None:
            return None
        game = f"{self.game.name} {fingerprint(self.game)} {self.guesses}"
        options = f"{self.max_guesses} {self.first} stage {number}"
        identity = f"effort {__version__} {game} {options}"
        form = ResultForm(BeamResult.to_bytes, BeamResult.from_bytes)
        return ResultCache(self.task_folder, identity, form)

    # running

    def run(self, report: Report = silent) -> None:
        def tell() -> None:
            report(self.progress())

        self._begin()
        tell()
        with self.where if isinstance(self.where, OpenBackend) else nullcontext():
            while not self.finished:
                self._run_stage(tell)
                tell()

    def _begin(self) -> None:
        if not self.trees:
            self.trees.append(self.one_step_tree())
        if self._restored:
            self._restored = False
            if not self.solved:
                self._play_out()

    def _play_out(self) -> None:
        """Play out the best that a checkpoint says of the stage, and forget it if it says too much.

        An earlier version may have counted what this one does not play.
        """
        self._open_levels()
        best, value = self.best, self.best_value()
        if best is None or value is None or value >= best.total:
            return
        tree = self._tree_of(value)
        if tree.total > value:
            self.memos[self.stage].clear()
            del self.totals[self.stage :]
            self._restored_tree = min(tree, best, key=lambda each: each.total)

    def _tree_of(self, value: int) -> Tree:
        """The tree of the best value so far, if the stage has found it."""
        if self._restored_tree is not None and self._restored_tree.total == value:
            return self._restored_tree
        totals = {total: guess for guess, total in self._totals_now.items()}
        return self._assembled(totals.get(value, -1))

    def _beam_worker(self, thread: int = 0) -> BeamWorker:
        while len(self._beam_workers) <= thread:
            self._beam_workers.append(BeamWorker(self.model, self.table, self.levels, self._stop))
        return self._beam_workers[thread]

    def _open_levels(self) -> BeamLevel:
        """The level of the present stage; it and those below it are made when missing."""
        for number in range(1, self.stage + 1):
            if number not in self.levels:
                before = self.trees[number - 1]
                plays = self._incumbents[number] = incumbent_plays(
                    before, self._beam_worker(), self.limit
                )
                memo = self.memos.setdefault(number, {})
                self.levels[number] = BeamLevel(plan(number), rates(before), plays.guesses, memo)
        return self.levels[self.stage]

    def _run_stage(self, tell: Callable[[], None]) -> None:
        number = self.stage
        level = self._open_levels()
        worker = self._beam_worker()
        root = worker.root(self.limit)
        if len(root.codes) <= level.plan.exact and self.first is None:
            self._search([root], [None], [self.limit], tell)
            self._end_stage(self._assembled(-1, whole=True), solved=True)
            return
        if self.bound == self.size_bound:
            self._raise_bound(root, tell)
        while len(self.totals) <= number:
            self.totals.append({})
        totals = self.totals[number]
        after = {
            guess: worker.after_first(root, guess, self.limit - 1)
            for guess in self._first_guesses(root)
            if guess not in totals
        }
        # the best tree first, from its end, since that is what an early end can use
        plays = self._incumbents[number] if self.where is None else IncumbentPlays()
        positions, budgets = plays.positions[::-1], plays.budgets[::-1]
        positions += [position for several in after.values() for position in several.values()]
        budgets += [self.limit - 1] * (len(positions) - len(budgets))
        costs: list[int | None] = [None] * len(positions)

        def note_totals() -> None:
            start = len(plays.positions)
            for guess, several in after.items():
                of_guess = costs[start : start + len(several)]
                start += len(several)
                if None not in of_guess:
                    totals[guess] = min(root.weight + sum(filter(None, of_guess)), INFINITE)
            tell()

        self._search(positions, costs, budgets, note_totals)
        guess, total = min(totals.items(), key=lambda pair: (pair[1], pair[0]))
        best = self.best
        if total < INFINITE // 2 and (best is None or total < best.total):
            self._end_stage(self._assembled(guess))
        else:
            self._end_stage(self.trees[-1])

    def _raise_bound(self, root: BeamPosition, tell: Callable[[], None]) -> None:
        """Raise the bound of the total, by the sizes of the parts that two guesses leave.

        Without weights only, and where there are few classes of first guesses.
        """
        board, worker = self.model.board, self._beam_worker()
        if board.weighted or (self.first is None and not self.model.symmetric):
            return
        least = least_by_size(self.game, guesses=self.guesses)
        if self.first is None:
            level = self.levels[self.stage]
            guesses = worker.first_guesses(root, level, len(board.by_guess))
        else:
            guesses = self._first_guesses(root)
        totals = []
        for guess in guesses:
            parts = worker.after_first(root, guess, self.limit - 1).values()
            totals.append(root.weight + sum(worker.lower_bound(part, least) for part in parts))
            tell()
        self.bound = max(self.bound, min(totals))

    def _end_stage(self, tree: Tree, *, solved: bool = False) -> None:
        kept, self._restored_tree = self._restored_tree, None
        self.trees.append(tree if kept is None or tree.total <= kept.total else kept)
        # those of this stage stay until they are part of a checkpoint, whoever writes one
        self._clear_tasks(self.stage - 2)
        self.solved = solved
        self._done, self._parts = 0.0, (0, 0)

    def _first_guesses(self, root: BeamPosition) -> list[int]:
        """The first guesses that a stage weighs: those that were nearly best before."""
        if self.first is not None:
            return [int(self.model.guess_at[self.first])]
        before = self.totals[self.stage - 1]
        if not before:
            count = _FIRST_GUESSES if self.model.board.symmetric else _FIRST_OF_MANY
            return self._beam_worker().first_guesses(root, self.levels[self.stage], count)
        near = min(before.values()) * (1 + _WORTH_ANOTHER_LOOK / self.stage)
        best = sorted((total, guess) for guess, total in before.items() if total <= near)
        return [guess for _, guess in best]

    def _search(
        self,
        positions: list[BeamPosition],
        costs: list[int | None],
        budgets: Sequence[int],
        tell: Callable[[], None],
    ) -> None:
        """Search positions by threads or by workers; their costs are noted as they are found."""

        def tell_share(done: float) -> None:
            self._done = done
            self._parts = (len(costs) - costs.count(None), len(costs))
            tell()

        if self.where is None or len(positions) < 2:
            self._by_threads(positions, costs, budgets, tell_share)
        else:
            worker, number, store = self._beam_worker(), self.stage, self._task_store(self.stage)
            distributed = DistributedBeam(
                self.game, self.guesses, worker, number, self.where, store
            )
            self._distributed.append(distributed)
            distributed.search(positions, costs, budgets[0], tell_share)
        tell()

    def _by_threads(
        self,
        positions: list[BeamPosition],
        costs: list[int | None],
        budgets: Sequence[int],
        share: Callable[[float], None],
    ) -> None:
        """Search positions in their order, and tell the share that is done, as workers do."""
        idle: SimpleQueue[BeamWorker] = SimpleQueue()
        for thread in range(self.threads):
            idle.put(self._beam_worker(thread))

        def search(at: int) -> None:
            worker = idle.get()
            try:
                costs[at] = worker.best_cost(positions[at], self.stage, budgets[at])
            except CancelledError:
                return
            finally:
                idle.put(worker)

        whole = sum(position.work for position in positions)

        def report(_step: Progress) -> None:
            pairs = zip(positions, costs, strict=True)
            share(sum(each.work for each, cost in pairs if cost is not None) / whole)

        threads = Threads(self.threads, self._stop)
        run(search, range(len(positions)), threads, report=report)

    def _assembled(self, first: int, *, whole: bool = False) -> Tree:
        """The best tree known, after a first guess weighed to its end, if any."""
        before = None if whole or first >= 0 else self.best
        memo = {} if whole else self.memos.get(self.stage, {})
        # a worker of its own: those of the threads may be at work
        worker = BeamWorker(self.model, self.table, self.levels, self._stop)
        nodes = assemble(self.game, before, memo, first, worker, self.limit)
        return self.verified(nodes, "effort")


def _memo_rows(memo: Memo) -> U64:
    """uint64 (n, 4): both words of the keys, costs, and guesses plus one."""
    low = (1 << 64) - 1
    rows = [(key >> 64, key & low, cost, guess + 1) for key, (cost, guess) in list(memo.items())]
    return np.array(rows, np.uint64).reshape(len(rows), 4)


def _memo(rows: U64) -> Memo:
    return {high << 64 | low: (cost, guess - 1) for high, low, cost, guess in rows.tolist()}
