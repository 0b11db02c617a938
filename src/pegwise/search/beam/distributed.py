"""Positions of a beam search side by side: by threads, by processes, or by machines of a cluster.

What a level finds for a position depends on the position and the level alone. So a worker has a
table and a memory of its own, and a task may be done twice, or never.

A task is a position after a first guess. One that is much of the work is cut further: a worker
says which guesses are to be weighed there, and each of these is a task, first for the level below
and then for the level of the stage; a part that is still much of the work is cut again. Costs,
guesses and tree are those of a search by one thread.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import U64, entry_rows, from_bytes, to_bytes
from pegwise.compute.backends import Backend, set_when_cancelled
from pegwise.compute.cache import ResultCache
from pegwise.compute.pieces import run
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.table import learn
from pegwise.progress import Progress
from pegwise.search.beam.trees import facts_to_play
from pegwise.search.beam.worker import BeamLevel, BeamPosition, BeamWorker, beam_model
from pegwise.search.exact.model import SearchModel
from pegwise.search.exact.table import TranspositionTable
from pegwise.search.storage import fingerprint

CUT: Final = 0.02  # positions of a larger share of the work are cut
_GROWTH: Final = 5.0  # how many times longer a level takes than the one below, about
TABLE_BITS: Final = 20  # of the table of each worker

_NO_ENTRIES: Final[U64] = np.zeros((0, 4), np.uint64)


@dataclass(frozen=True)
class PackedLevel:
    """Plan, rate and incumbents of a level as they travel, told apart by a digest."""

    digest: str
    content: bytes = field(repr=False)


def _packed(level: BeamLevel) -> PackedLevel:
    content = pickle.dumps(
        (level.plan, level.rate, dict(level.incumbents)), pickle.HIGHEST_PROTOCOL
    )
    return PackedLevel(hashlib.sha256(content).hexdigest()[:16], zlib.compress(content))


def _unpacked(level: PackedLevel) -> BeamLevel:
    """The level, with an empty memory."""
    return BeamLevel(*pickle.loads(zlib.decompress(level.content)))  # noqa: S301 - our own


@dataclass(frozen=True, eq=False)
class BeamTask:
    """A question about one position for a level: its cost, its choices, or what a guess costs.

    Its `repr` tells tasks apart. `levels` are those up to that of the stage; `without` names parts
    whose costs do not count. The task of highest `rank` is worked on first.
    """

    game: Game = field(repr=False)
    identity: str
    guesses: str
    levels: tuple[PackedLevel, ...]
    position: BeamPosition
    budget: int
    number: int
    kind: Literal["cost", "choices", "weigh"] = "cost"
    guess: int = -1
    without: tuple[int, ...] = ()
    rank: int = field(default=0, repr=False)


class BeamResult(NamedTuple):
    """The result of a task: cost, best guess (or -1), the guesses to weigh, sets entered.

    `memo` and `entries`, uint64 (n, 4), are what is known of the positions that come if all is
    played so: cost and guess by key, and exact costs.
    """

    cost: int
    guess: int = -1
    choices: tuple[int, ...] = ()
    positions: int = 0
    memo: Mapping[int, tuple[int, int]] = {}
    entries: U64 = _NO_ENTRIES

    def to_bytes(self) -> bytes:
        """The result as it is stored."""
        memo = [[key, *value] for key, value in self.memo.items()]
        told = [self.cost, self.guess, self.choices, self.positions, memo]
        return to_bytes(told, self.entries)

    @classmethod
    def from_bytes(cls, value: memoryview) -> BeamResult:
        """The result that was stored."""
        (cost, guess, choices, positions, memo), (rows,) = from_bytes(value)
        by_key = {key: (cost, guess) for key, cost, guess in memo}
        return cls(cost, guess, tuple(choices), positions, by_key, entry_rows(rows))


_lock = threading.Lock()
_models: dict[str, tuple[SearchModel, TranspositionTable]] = {}
"""The model of the game of the last task, with a table of exact costs, by identity."""

_levels: dict[str, BeamLevel] = {}
"""The levels of the last task, by digest, with their memories."""


def search_task(task: BeamTask) -> BeamResult:
    """Answer the question of a task; a CancelledError if it is not needed any more."""
    stop = threading.Event()
    worker = _beam_worker(task, stop)
    position, number, budget = task.position, task.number, task.budget
    guess = task.guess
    with set_when_cancelled(stop):
        if task.kind == "choices":
            choices = worker.choices(position, number, budget)
            guesses = tuple(choice.guess for choice in choices)
            return BeamResult(INFINITE, choices=guesses, positions=worker.positions)
        if task.kind == "cost":
            cost = worker.best_cost(position, number, budget)
        else:
            choice = worker.choice(position, guess, budget)
            cost = worker.weigh(position, choice, number, budget, task.without)
        memo: Mapping[int, tuple[int, int]] = {}
        rows = _NO_ENTRIES
        # what a level below that of the stage has found is not played
        if number == len(task.levels) and cost < INFINITE:
            memo, rows = facts_to_play(worker, number, position, budget, guess, task.without)
    _, guess = memo.get(position.memo_key, (cost, guess))
    return BeamResult(cost, guess, (), worker.positions, memo, rows)


def _beam_worker(task: BeamTask, stop: threading.Event) -> BeamWorker:
    """A worker for a task; game, table and levels of the last task are cached."""
    with _lock:
        if task.identity not in _models:
            _models.clear()
            model = beam_model(task.game, task.guesses)
            _models[task.identity] = model, TranspositionTable(TABLE_BITS)
        levels = [_levels.get(packed.digest) or _unpacked(packed) for packed in task.levels]
        _levels.clear()
        _levels.update(zip((packed.digest for packed in task.levels), levels, strict=True))
        return BeamWorker(*_models[task.identity], dict(enumerate(levels, 1)), stop)


# questions that wait for answers


@dataclass(eq=False)
class _Answer:
    """A result, None until it is found, and the searches that wait for it."""

    result: BeamResult | None = None
    waiting: list[_PositionSearch] = field(default_factory=list)


@dataclass(eq=False)
class _PositionSearch:
    """The search of one position, which goes on once no answer that it waits for is missing."""

    steps: Generator[Sequence[_Answer]]
    answers: Sequence[_Answer] = ()
    missing: int = 0
    step: int = 0


@dataclass(eq=False)
class DistributedBeam:
    """Searches positions at a level, the highest that there is, by workers.

    The beam worker's table and levels learn from every task. `positions` counts the sets that
    workers have entered.
    """

    game: Game
    guesses: str
    beam_worker: BeamWorker
    number: int
    where: Backend
    task_store: ResultCache[BeamResult] | None
    positions: int = 0
    _most: float = 0.0
    _new: list[BeamTask] = field(default_factory=list)
    _sent: dict[BeamTask, _Answer] = field(default_factory=dict)
    _searches: dict[tuple[int, int], tuple[_PositionSearch, _Answer]] = field(default_factory=dict)

    def search(
        self,
        positions: Sequence[BeamPosition],
        costs: list[int | None],
        budget: int,
        share: Callable[[float], None],
    ) -> None:
        """Search positions in any order, noting the cost of each; `share` is told what is done."""
        whole = sum(position.work for position in positions)
        self._most = CUT * whole
        identity = f"effort {__version__} {self.game.name} {fingerprint(self.game)} {self.guesses}"
        levels = [_packed(self.beam_worker.levels[k]) for k in range(1, self.number + 1)]
        common = self.game, identity, self.guesses, tuple(levels)
        answers = [
            self._ask(BeamTask(*common, position, budget, self.number, rank=int(position.work)))
            for position in positions
        ]

        def report(_step: Progress) -> None:
            costs[:] = [a.result.cost if a.result else None for a in answers]
            share(sum(map(self._done, positions, costs)) / whole)

        run(
            search_task,
            self._take_new(),
            self.where,
            report=report,
            store=self.task_store,
            follow=self._follow,
            size=lambda task: task.rank,
        )

    def _follow(self, task: BeamTask, result: BeamResult) -> list[BeamTask]:
        """Learn from a task; the tasks that can be done now."""
        learn(self.beam_worker.table.rows, result.entries)
        self.beam_worker.levels[self.number].memo.update(result.memo)
        self.positions += result.positions
        self._settle(self._sent.pop(task), result)
        return self._take_new()

    def _take_new(self) -> list[BeamTask]:
        tasks, self._new = self._new, []
        return tasks

    def _settle(self, answer: _Answer, result: BeamResult) -> None:
        """Note a result, and go on with all that waits for it."""
        answer.result = result
        for course in answer.waiting:
            course.missing -= 1
            if not course.missing:
                self._go_on(course)

    def _go_on(self, course: _PositionSearch) -> None:
        """Go on with a search until it waits for an answer that is not there."""
        for answers in course.steps:
            course.answers = answers
            course.step += 1
            open_answers = [answer for answer in answers if answer.result is None]
            course.missing = len(open_answers)
            for answer in open_answers:
                answer.waiting.append(course)
            if open_answers:
                return

    def _ask(self, task: BeamTask) -> _Answer:
        """The cost of a position: remembered, searched already, or by a new search."""
        number, key = task.number, task.position.memo_key
        memo = self.beam_worker.levels[number].memo
        if key in memo:
            return _Answer(BeamResult(*memo[key]))
        if (number, key) not in self._searches:
            answer = _Answer()
            course = _PositionSearch(self._search(task, answer))
            self._searches[number, key] = course, answer
            self._go_on(course)
            return answer
        return self._searches[number, key][1]

    def _is_much(self, position: BeamPosition, number: int) -> bool:
        """Whether to cut a position into tasks."""
        if len(position.codes) <= self.beam_worker.levels[number].plan.exact:
            return False
        return position.work / _GROWTH ** (self.number - number) > self._most

    def _done(self, position: BeamPosition, cost: int | None) -> float:
        """How much of the work on a position is done."""
        if cost is not None:
            return position.work
        course, _ = self._searches[self.number, position.memo_key]
        answered = 1 - course.missing / len(course.answers)
        # one step ranks the guesses, and one for each level weighs them: each takes twice as long
        steps = self.number + 1
        step = min(course.step, steps)
        return position.work * ((1 << step - 1) * (1 + answered) - 1) / ((1 << steps) - 1)

    # what is asked

    def _search(self, task: BeamTask, answer: _Answer) -> Generator[Sequence[_Answer]]:
        """Search a position, as one task or as many; as `BeamWorker.cost` goes about it."""
        position, number = task.position, task.number
        level = self.beam_worker.levels[number]
        cost, guess = INFINITE, -1
        if not self._is_much(position, number):
            [result] = yield from self._wait([self._send(task)])
            cost, guess = result.cost, result.guess
        elif task.budget >= 2:
            [result] = yield from self._wait([self._send(replace(task, kind="choices"))])
            rounds = level.rounds(number, position.key, len(result.choices))
            try:
                weighing, places = next(rounds)
                while True:
                    guesses = [result.choices[at] for at in places]
                    costs = yield from self._weigh(replace(task, number=weighing), guesses)
                    weighing, places = rounds.send(costs)
            except StopIteration as end:
                cost, best = end.value
                guess = result.choices[best] if best >= 0 else -1
        if len(position.codes) > level.plan.exact:
            level.memo[position.memo_key] = cost, guess
        del self._searches[number, position.memo_key]
        self._settle(answer, BeamResult(cost, guess))

    def _weigh(
        self, task: BeamTask, guesses: Sequence[int]
    ) -> Generator[Sequence[_Answer], None, list[int]]:
        """Costs of guesses at a level; parts that are much of the work are searched apart."""
        answers: list[_Answer] = []
        places: list[int] = []
        below = replace(task, budget=task.budget - 1)
        for at, guess in enumerate(guesses):
            choice = self.beam_worker.choice(task.position, guess, task.budget)
            parts = self.beam_worker.large_parts(choice, task.number)
            much = [part for part in parts if self._is_much(part, task.number)]
            without = tuple(part.key for part in much)
            answers.append(self._send(replace(task, kind="weigh", guess=guess, without=without)))
            answers += [self._ask(replace(below, position=part)) for part in much]
            places += [at] * (1 + len(much))
        costs = [0] * len(guesses)
        for at, result in zip(places, (yield from self._wait(answers)), strict=True):
            costs[at] = min(costs[at] + result.cost, INFINITE)
        return costs

    def _wait(
        self, answers: Sequence[_Answer]
    ) -> Generator[Sequence[_Answer], None, list[BeamResult]]:
        """The results, once all are there."""
        yield answers
        return [answer.result for answer in answers if answer.result is not None]

    def _send(self, task: BeamTask) -> _Answer:
        self._new.append(task)
        answer = self._sent[task] = _Answer()
        return answer
