"""Positions searched side by side: one explorer for each thread, one after the other where free."""

from __future__ import annotations

import hashlib
import pickle
import threading
import zlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import U64
from pegwise.compute import PieceStore, Place, WorkerPool, run_in_steps, set_when_cancelled
from pegwise.game import Game
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.table import learn, new_table, probe, store
from pegwise.search.beam.explorer import (
    Explorer,
    Kernels,
    Level,
    Position,
    cheapest,
    most_promising,
    work_of,
)
from pegwise.search.beam.trees import TINY, as_named, parts_of
from pegwise.search.checkpoint import entries, fingerprint
from pegwise.search.exact.driver import Solver
from pegwise.search.exact.model import Translation, prepare_effort

_WAIT: Final = 0.1


def search_all(
    positions: Sequence[Position],
    costs: list[int | None],
    explorers: Sequence[Explorer],
    number: int,
    left: int,
    *,
    stop: threading.Event,
) -> Generator[float, None, None]:
    """Search positions at a level; closing the generator stops the threads.

    Args:
        positions: in the order in which they are begun.
        costs: receives the cost of each as soon as it is known.
        explorers: one a thread, all of one search.
        number: of the level.
        left: guesses allowed.
        stop: that of the explorers.

    Yields:
        Now and then, what share of the work is done.
    """
    work = [work_of(position) for position in positions]
    failures: list[BaseException] = []
    waiting = iter(range(len(positions)))
    lock = threading.Lock()

    def search(explorer: Explorer) -> None:
        try:
            while True:
                with lock:
                    at = next(waiting, None)
                if at is None:
                    return
                costs[at] = explorer.best_cost(positions[at], number, left)
        except CancelledError:
            return
        except BaseException as error:
            failures.append(error)
            stop.set()

    stop.clear()
    threads = [
        threading.Thread(target=search, args=(explorer,), daemon=True)
        for explorer in explorers[: len(positions)]
    ]
    try:
        for one in threads:
            one.start()
        for one in threads:
            while one.is_alive():
                one.join(_WAIT)
                done = [one for one, cost in zip(work, costs, strict=True) if cost is not None]
                yield sum(done) / sum(work)
    finally:
        stop.set()
        for one in threads:
            one.join()
        stop.clear()
    if failures:
        raise failures[0]


# Pieces of a search for good trees, as other processes and machines work on them.
#
# What a level finds for a position depends on the position and the level alone. So whoever works
# on a piece has a table and a memory of his own, and a piece may be done twice, or never.


@dataclass(frozen=True)
class Packed:
    """A level as it travels, without what it remembers.

    Attributes:
        sign: tells levels apart.
        content: plan, rate and book.
    """

    sign: str
    content: bytes = field(repr=False)


def pack(level: Level) -> Packed:
    """A level made ready to travel."""
    told = pickle.dumps((level.plan, level.rate, dict(level.book)), pickle.HIGHEST_PROTOCOL)
    return Packed(hashlib.sha256(told).hexdigest()[:16], zlib.compress(told))


@dataclass(frozen=True, eq=False)
class Piece:
    """Something to find out about one position.

    Attributes:
        game: what is played.
        identity: tells games and options apart, in words.
        guesses: what may be played, as for the search.
        table_bits: size of the table of whoever works on it.
        levels: levels 1, 2, ... up to that of the stage.
        position: what is searched.
        sign: tells positions apart.
        left: guesses allowed.
        task: find the cost of the position, the guesses to weigh, or what one of them costs.
        number: the level that does it.
        guess: the guess to weigh.
        without: keys of parts that it leaves whose costs do not count.
        rank: the highest is worked on first.
    """

    game: Game = field(repr=False)
    identity: str
    guesses: str
    table_bits: int
    levels: tuple[Packed, ...]
    position: Position = field(repr=False)
    sign: str
    left: int
    task: Literal["cost", "choices", "weigh"]
    number: int
    guess: int = -1
    without: tuple[int, ...] = ()
    rank: int = field(default=0, repr=False)


class Found(NamedTuple):
    """What a piece has shown.

    Attributes:
        cost: of the position or of the guess.
        guess: the best one; -1 for none, and where the position was solved exactly.
        choices: the guesses to weigh.
        positions: sets entered.
        memo: cost and guess of the positions that come if all is played so, by key.
        entries: uint64 (n, 4), of the table of exact costs, likewise.
    """

    cost: int
    guess: int
    choices: tuple[int, ...]
    positions: int
    memo: dict[int, tuple[int, int]]
    entries: U64


_NO_ENTRIES: Final[U64] = np.zeros((0, 4), np.uint64)


def known(cost: int, guess: int) -> Found:
    """What is remembered of a position."""
    return Found(cost, guess, (), 0, {}, _NO_ENTRIES)


_lock = threading.Lock()
_kernels: dict[str, Kernels] = {}
"""Those of the game that this process worked on last, by identity."""

_levels: dict[str, Level] = {}
"""Those of the last piece, by sign, with all that they remember."""


def search_piece(piece: Piece) -> Found:
    """Find out what is asked; given up when nobody wants to know any more."""
    kernels, levels = _ready(piece)
    stop = threading.Event()
    explorer = Explorer(kernels, levels, stop)
    position, number, left = piece.position, piece.number, piece.left
    with set_when_cancelled(stop):
        if piece.task == "choices":
            found = explorer.choices(position, number, left)
            guesses = tuple(choice.guess for choice in found)
            return Found(INFINITE, -1, guesses, explorer.positions, {}, _NO_ENTRIES)
        if piece.task == "cost":
            guess = -1
            cost = explorer.best_cost(position, number, left)
        else:
            guess = piece.guess
            choice = explorer.choice(position, guess, left)
            cost = explorer.weigh(position, choice, number, left, piece.without)
        memo: dict[int, tuple[int, int]] = {}
        rows = _NO_ENTRIES
        # what a level below that of the stage has found is not played
        if number == len(piece.levels) and cost < INFINITE:
            memo, rows = _played(explorer, levels[number].memo, piece, guess)
    guess = memo[position.key][1] if position.key in memo else guess
    return Found(cost, guess, (), explorer.positions, memo, rows)


def _ready(piece: Piece) -> tuple[Kernels, Mapping[int, Level]]:
    """The game of a piece and its levels; those of the last one are at hand."""
    with _lock:
        if piece.identity not in _kernels:
            _kernels.clear()
            table = new_table(piece.table_bits)
            _kernels[piece.identity] = prepare_effort(piece.game, piece.guesses, table)[0]
        levels = [_levels.get(packed.sign) or _opened(packed) for packed in piece.levels]
        _levels.clear()
        _levels.update(zip((packed.sign for packed in piece.levels), levels, strict=True))
        return _kernels[piece.identity], dict(enumerate(levels, 1))


def _opened(packed: Packed) -> Level:
    plan, rate, book = pickle.loads(zlib.decompress(packed.content))  # noqa: S301 - our own
    return Level(plan, rate, book)


def _played(
    explorer: Explorer, memo: Mapping[int, tuple[int, int]], piece: Piece, guess: int
) -> tuple[dict[int, tuple[int, int]], U64]:
    """What must be known to play on from the position of a piece, after a guess or the best one.

    Returns:
        Large positions, and entries of the table for those that are solved exactly.
    """
    kernels = explorer.kernels
    board = kernels.board
    solver = Solver(board, kernels.bounds, kernels.table)
    large: dict[int, tuple[int, int]] = {}
    exact: list[tuple[np.uint64, np.uint64, int, int, int]] = []
    at = piece.position
    waiting = [(as_named(at.codes, at.weights, at.key, board), piece.left, guess)]
    while waiting:
        named, left, guess = waiting.pop()
        size = len(named.codes)
        if guess < 0 and named.key in memo:
            large[named.key] = memo[named.key]
            guess = memo[named.key][1]
        elif guess < 0:
            guess = solver.best_guess(named.codes, named.weights, left)
            frame = solver.work.frames[0]
            cost, proven, best = probe(kernels.table, frame["key1"], frame["key2"])
            if proven:
                exact.append((frame["key1"], frame["key2"], cost, best, size))
        if guess >= 0:
            parts = parts_of(explorer, named, guess, left - 1, larger_than=TINY)
            waiting += [(part, left - 1, -1) for _, part in parts if part.key not in piece.without]
    table = new_table(max(4, (4 * len(exact)).bit_length()))
    for key1, key2, cost, best, size in exact:
        store(table, key1, key2, cost, True, best, size)
    return large, entries(table)[1]


# A search for good trees whose work is done by others: processes, or the machines of a cluster.
#
# A piece is a position after a first guess. One that is much of the work is cut further: others
# say which guesses are to be weighed there, and each of these is a piece, first for the level below
# and then for the level of the stage; a part that is still much of the work is cut again. Costs,
# guesses and tree are those of a search by one thread.

_CUT: Final = 0.02
"""Positions of a larger share of the work are cut."""

_GROWTH: Final = 5.0
"""How many times longer a level takes than the one below, about."""

_SHARES: Final = (0.0, 0.02, 0.6, 1.0)
"""How much of a position that is cut is done before its first step, and after each."""

_TABLE_BITS: Final = 20
"""Of the table of each worker."""


class _Wanted(NamedTuple):
    """The cost of a position at a level.

    Attributes:
        position: it.
        number: of the level.
        left: guesses allowed.
        rank: the highest is worked on first.
    """

    position: Position
    number: int
    left: int
    rank: int


_Steps = Generator[Sequence[_Wanted | Piece], list[Found], tuple[int, int]]
"""What is asked about a position, what is answered, and at last its cost and best guess."""


@dataclass(eq=False)
class _Task:
    """A position that is searched.

    Attributes:
        wanted: its cost; None for all positions together.
        steps: what is asked next.
        asking: tasks that wait for the cost, and the places of their questions.
        answers: to what is asked in this step, None as long as one is not known.
        step: how many there have been.
    """

    wanted: _Wanted | None
    steps: _Steps
    asking: list[tuple[_Task, int]] = field(default_factory=list)
    answers: list[Found | None] = field(default_factory=list)
    step: int = 0


class EffortPiecework:
    """Searches positions at a level, elsewhere.

    Args:
        game: what is played.
        guesses: `all` or `candidates`.
        explorer: of this thread; its table and its levels learn from every piece.
        number: of the level, the highest that there is.
        where: who works.
        kept: where finished pieces are kept; None to keep none.

    Attributes:
        positions: sets that others have entered so far.
    """

    def __init__(
        self,
        game: Game,
        guesses: str,
        explorer: Explorer,
        number: int,
        *,
        where: Place,
        kept: PieceStore | None,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.explorer = explorer
        self.number = number
        self.where = where
        self.kept = kept
        self.identity = f"effort {__version__} {game.name} {fingerprint(game)} {guesses}"
        self.positions = 0
        self._packed = tuple(pack(explorer.levels[below]) for below in range(1, number + 1))
        self._most = 0.0
        self._tasks: dict[tuple[int, int], _Task] = {}
        self._owners: dict[Piece, tuple[_Task, int]] = {}

    def search(
        self, positions: Sequence[Position], costs: list[int | None], left: int
    ) -> Generator[float, None, None]:
        """Search positions.

        Args:
            positions: in any order.
            costs: receives the cost of each as soon as it is known.
            left: guesses allowed.

        Yields:
            Now and then, what share of the work is done.

        Raises:
            WorkersLost: the workers are gone.
            OutputError: a finished piece cannot be kept.
        """
        work = [work_of(position) for position in positions]
        whole = sum(work)
        self._most = _CUT * whole
        wanted = [
            _Wanted(position, self.number, left, int(size))
            for position, size in zip(positions, work, strict=True)
        ]
        everything = _Task(None, _ask(wanted))
        steps = run_in_steps(
            search_piece,
            self._go_on(everything),
            self.where,
            store=self.kept,
            follow=self._follow,
            size=lambda piece: piece.rank,
        )
        try:
            for _ in steps:
                costs[:] = [None if one is None else one.cost for one in everything.answers]
                yield sum(map(self._done, wanted, costs)) / whole
        finally:
            steps.close()

    def _follow(self, piece: Piece, found: Found) -> Iterable[Piece]:
        """Learn from a piece; what is to be done now that it is done."""
        learn(self.explorer.kernels.table, found.entries)
        self.explorer.levels[self.number].memo.update(found.memo)
        self.positions += found.positions
        return self._answer(*self._owners.pop(piece), found)

    # who waits for what

    def _go_on(self, task: _Task) -> list[Piece]:
        """Let a task go on with the answers it has; the pieces that are to be done now."""
        try:
            answers = [one for one in task.answers if one is not None]
            questions = task.steps.send(answers) if answers else next(task.steps)
        except StopIteration as end:
            return self._finish(task, *end.value)
        task.step += 1
        task.answers = [None] * len(questions)
        pieces: list[Piece] = []
        for k, question in enumerate(questions):
            if isinstance(question, Piece):
                self._owners[question] = task, k
                pieces.append(question)
            else:
                pieces += self._look_for(question, task, k)
        return pieces

    def _answer(self, task: _Task, k: int, answer: Found) -> list[Piece]:
        task.answers[k] = answer
        return [] if None in task.answers else self._go_on(task)

    def _look_for(self, wanted: _Wanted, task: _Task, k: int) -> list[Piece]:
        """Find a cost for a task: remembered, searched for another one already, or by a new one."""
        position, number, _, _ = wanted
        found = self.explorer.levels[number].memo.get(position.key)
        if found is not None:
            return self._answer(task, k, known(*found))
        other = self._tasks.get((number, position.key))
        if other is not None:
            other.asking.append((task, k))
            return []
        steps = self._cut(wanted) if self._is_much(position, number) else self._alone(wanted)
        new = self._tasks[number, position.key] = _Task(wanted, steps, [(task, k)])
        return self._go_on(new)

    def _finish(self, task: _Task, cost: int, guess: int) -> list[Piece]:
        if task.wanted is None:
            return []
        position, number, _, _ = task.wanted
        level = self.explorer.levels[number]
        if len(position.codes) > level.plan.exact:
            level.memo[position.key] = cost, guess
        del self._tasks[number, position.key]
        return [
            piece for asking in task.asking for piece in self._answer(*asking, known(cost, guess))
        ]

    def _is_much(self, position: Position, number: int) -> bool:
        """Whether a position is to be cut."""
        if len(position.codes) <= self.explorer.levels[number].plan.exact:
            return False
        above = self.number - number
        return work_of(position) / _GROWTH**above > self._most

    def _done(self, wanted: _Wanted, cost: int | None) -> float:
        """How much of the work on a position is done."""
        if cost is not None:
            return work_of(wanted.position)
        task = self._tasks[wanted.number, wanted.position.key]
        answered = 1 - task.answers.count(None) / len(task.answers)
        before, after = _SHARES[min(task.step, len(_SHARES) - 1) - 1 :][:2]
        return work_of(wanted.position) * (before + answered * (after - before))

    # what is asked

    def _alone(self, wanted: _Wanted) -> _Steps:
        """A position as one piece."""
        [found] = yield [self._piece(wanted, wanted.number, "cost")]
        return found.cost, found.guess

    def _cut(self, wanted: _Wanted) -> _Steps:
        """A position as many pieces, side by side; as `Explorer.cost` goes about it."""
        position, number, left, _ = wanted
        if left < 2:
            return INFINITE, -1
        level = self.explorer.levels[number]
        [looked] = yield [self._piece(wanted, number, "choices")]
        guesses = looked.choices
        in_book = position.key in level.book
        width = level.plan.width + in_book
        if number > 1 and len(guesses) > width:
            costs = yield from self._weigh(wanted, guesses, number - 1)
            guesses = tuple(guesses[at] for at in most_promising(costs, width, known=in_book))
        costs = yield from self._weigh(wanted, guesses, number)
        return cheapest(costs, guesses)

    def _weigh(
        self, wanted: _Wanted, guesses: Sequence[int], number: int
    ) -> Generator[Sequence[_Wanted | Piece], list[Found], list[int]]:
        """What guesses cost at a level; the parts that are much of the work are asked for apart."""
        position, _, left, rank = wanted
        questions: list[_Wanted | Piece] = []
        whose: list[int] = []
        for at, guess in enumerate(guesses):
            choice = self.explorer.choice(position, guess, left)
            parts = self.explorer.large_parts(choice, number)
            much = [part for part in parts if self._is_much(part, number)]
            without = tuple(part.key for part in much)
            questions.append(self._piece(wanted, number, "weigh", guess, without))
            questions += [_Wanted(part, number, left - 1, rank) for part in much]
            whose += [at] * (1 + len(much))
        costs = [0] * len(guesses)
        for at, answer in zip(whose, (yield questions), strict=True):
            costs[at] = min(costs[at] + answer.cost, INFINITE)
        return costs

    def _piece(
        self,
        wanted: _Wanted,
        number: int,
        task: Literal["cost", "choices", "weigh"],
        guess: int = -1,
        without: tuple[int, ...] = (),
    ) -> Piece:
        position = wanted.position
        key = f"{position.key:032x} {np.packbits(position.allowed).tobytes().hex()}"
        return Piece(
            game=self.game,
            identity=self.identity,
            guesses=self.guesses,
            table_bits=_TABLE_BITS,
            levels=self._packed,
            position=position,
            sign=hashlib.sha256(key.encode()).hexdigest()[:16],
            left=wanted.left,
            task=task,
            number=number,
            guess=guess,
            without=without,
            rank=wanted.rank,
        )


def _ask(wanted: Sequence[_Wanted]) -> _Steps:
    """All positions at once."""
    yield wanted
    return 0, -1


# Who searches the positions of a stage: threads of this process, or others elsewhere.


class Crew:
    """Searches positions.

    Args:
        game: what is played.
        guesses: `all` or `candidates`.
        table: of exact costs.
        levels: the levels from 1 on, by number.
        threads: how many search side by side.
        where: processes or a cluster that search instead.
        folder: where those keep finished pieces, None to keep none.
        options: tells searches of the game apart, in words.
    """

    def __init__(
        self,
        game: Game,
        guesses: str,
        table: U64,
        levels: Mapping[int, Level],
        *,
        threads: int,
        where: Place | None,
        folder: Path | None,
        options: str,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.table = table
        self.levels = levels
        self.threads = threads
        self._workers = None if where is None else WorkerPool(where)
        self._folder = folder
        self._options = options
        self._explorers: list[Explorer] = []
        self._stop = threading.Event()
        self._elsewhere: list[EffortPiecework] = []

    @cached_property
    def prepared(self) -> tuple[Kernels, Translation, bool]:
        """What the kernels know of the game, and whether its symmetries may be used at the top."""
        return prepare_effort(self.game, self.guesses, self.table)

    def explorer(self, thread: int = 0) -> Explorer:
        """That of a thread."""
        while len(self._explorers) <= thread:
            self._explorers.append(Explorer(self.prepared[0], self.levels, self._stop))
        return self._explorers[thread]

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        here = sum(explorer.positions for explorer in self._explorers)
        return here + sum(work.positions for work in self._elsewhere)

    def called(self) -> AbstractContextManager[object]:
        """Those elsewhere stay from one stage to the next within this, and are then sent home."""
        return self._workers or nullcontext()

    def search(
        self, positions: list[Position], costs: list[int | None], number: int, left: int
    ) -> Generator[float, None, None]:
        """Search positions; closing the generator stops the work.

        Args:
            positions: in the order in which they are begun here.
            costs: receives the cost of each as soon as it is known.
            number: of the level.
            left: guesses allowed.

        Yields:
            Now and then, what share of the work is done.

        Raises:
            WorkersLost: those elsewhere are gone.
            OutputError: what they have found cannot be kept.
        """
        if self._workers is None or len(positions) < 2:
            explorers = [self.explorer(thread) for thread in range(self.threads)]
            return search_all(positions, costs, explorers, number, left, stop=self._stop)
        work = EffortPiecework(
            self.game,
            self.guesses,
            self.explorer(),
            number,
            where=self._workers,
            kept=self._kept(number),
        )
        self._elsewhere.append(work)
        return work.search(positions, costs, left)

    def forget(self, number: int) -> None:
        """Remove the finished pieces of a stage."""
        if (kept := self._kept(number)) is not None:
            kept.clear()

    def _kept(self, number: int) -> PieceStore | None:
        if self._folder is None:
            return None
        game = f"{self.game.name} {fingerprint(self.game)} {self.guesses} {self._options}"
        return PieceStore(self._folder, f"effort {__version__} {game} stage {number}")
