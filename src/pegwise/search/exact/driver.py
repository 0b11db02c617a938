"""Exact search of sets of candidates, on one thread or several, and the tree that it proves.

What comes out depends on the game alone: the best guess of every set is the first in an order that
the transposition table does not change. Sets that the table has lost are searched again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.compute.backends import Backend, Threads
from pegwise.compute.pieces import run
from pegwise.errors import InputError, UnknownNameError, check_whole
from pegwise.game import Game
from pegwise.game.hard import required_after, required_before
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import INFINITE, UNLIMITED
from pegwise.kernels.exact.guess import lower_bound
from pegwise.kernels.exact.search import CLAIMS, DONE, ENTER, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact.work import Work, new_work
from pegwise.progress import Progress
from pegwise.search.exact.model import SearchModel, only_candidates, size_bound
from pegwise.search.exact.optimum import Optimum
from pegwise.search.exact.table import TranspositionTable
from pegwise.search.storage import Resumable
from pegwise.strategies import CandidateDecision, Nodes
from pegwise.strategies.one_step import Entropy
from pegwise.trees import Tree
from pegwise.trees.build import build, parts_of, play_on
from pegwise.trees.tree import NodeList
from pegwise.trees.verify import verify

_DEPTHS: Final = 24  # guesses of the stack at first; it is doubled where a search goes deeper
_LARGE_STEP: Final = 1 << 14  # positions between two looks at whether a search is to stop

# positions, or marks, between two moments at which a search of all secrets can be stopped
STEP: Final = 200
STEP_MARKS: Final = 1 << 30

Position = TypeVar("Position")


class SetSearch:
    """Searches one set after another, on one thread. Its stack grows as sets need it.

    Threads may share `table`, and `claims`, uint64 (threads, CLAIMS), when they search the same
    set: then each has its row. Between two sets `board` may get other options.
    """

    def __init__(
        self,
        model: SearchModel,
        table: TranspositionTable,
        *,
        claims: U64 | None = None,
        thread: int = 0,
    ) -> None:
        self.board = model.board
        self.bounds = model.bounds
        self.table = table
        if claims is None:
            claims = np.zeros((1, CLAIMS), np.uint64)
        self.work = new_work(self.board, _DEPTHS, claims, thread)
        self._positions_before = 0
        self._begun: tuple[Any, ...] = ()

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self._positions_before + int(self.work.counters[0])

    @property
    def frame(self) -> Any:
        return self.work.frames[0]

    def begin(
        self,
        codes: I64,
        weights: I64,
        budget: int,
        bound: int = INFINITE,
        required: U64 | None = None,
    ) -> None:
        """Put a set at the bottom of the stack; only a cost below the bound is of interest.

        Codes, int64 (n), have their number of the search; weights, int64 (n), count if the board
        has any. `required`, uint64 (words), is what the turns before require of guesses, where
        rules are hard; nothing if not given.
        """
        if required is None:
            required = np.zeros(self.work.required.shape[1], np.uint64)
        self._begun = codes, weights, budget, bound, required
        begin(self.board, self.work, codes, weights, required, bound, budget)

    def advance(self, positions: int, marks: int = UNLIMITED) -> int:
        """Search on for `positions` positions or `marks` marks at most: `RUNNING` or `DONE`."""
        rows, before = self.table.rows, self.positions
        status = int(advance(self.board, self.bounds, rows, self.work, positions, marks))
        if self.work.me == 0:
            self.table.entered(self.positions - before)
        if status == TOO_DEEP:
            self.deepen()
            self.begin(*self._begun)
            return RUNNING
        return status

    def finish(self, stop: threading.Event | None = None, step: int = _LARGE_STEP) -> int:
        """Search to the end; the best guess, -1 for none. A CancelledError if `stop` is set."""
        marks = UNLIMITED if stop is None else STEP_MARKS
        while self.advance(step, marks) == RUNNING:
            if stop is not None and stop.is_set():
                raise CancelledError
        return int(self.frame["guess"])

    def deepen(self) -> None:
        """Double the stack, and empty it. The table keeps what has been found."""
        self._positions_before = self.positions
        depths = 2 * len(self.work.frames)
        self.work = new_work(self.board, depths, self.work.claims, self.work.me)

    def best_guess(
        self,
        codes: I64,
        weights: I64,
        budget: int,
        *,
        required: U64 | None = None,
        stop: threading.Event | None = None,
        step: int = _LARGE_STEP,
    ) -> int:
        """The best guess for a set that can be solved; all as for `begin` and `finish`."""
        # two secrets that are named only at the end need a question first
        asks = len(codes) == 2 and len(set(self.board.guess_of[codes].tolist())) == 1
        if len(codes) <= 2 and not asks:
            if self.board.labeled:
                turn = min(self.board.start - budget, self.board.steps.shape[1] - 3)
                weights = self.board.steps[weights, turn + 1]
            heavier = codes[int(np.argmax(weights))]
            return int(self.board.guess_of[heavier])
        self.begin(codes, weights, budget, required=required)
        renaming = self.work.renaming
        source, name = renaming.source.copy(), renaming.name.copy()
        guess = self.finish(stop, step)
        if guess < 0:
            raise AssertionError("a part of the best tree has no solution")
        return rename_back(self.board, guess, source, name)


def rename(board: Board, guess: int, source: I64, name: I64) -> int:
    """A guess under other names of pegs and colors; only boards have any."""
    if not board.symmetric:
        return guess
    return _guess_number(board, name[board.symmetry.guesses[guess][source]].tolist())


def rename_back(board: Board, guess: int, source: I64, name: I64) -> int:
    """The guess that `rename` turns into this one."""
    if not board.symmetric:
        return guess
    symmetry, new = board.symmetry, name.tolist()
    colors = symmetry.colors
    digits = [colors] * len(source)
    for peg, image in zip(source.tolist(), symmetry.guesses[guess].tolist(), strict=True):
        if image < symmetry.names:  # no hole
            first = peg * colors if symmetry.names > colors else 0
            digits[peg] = new.index(image % colors, first) - first
    return _guess_number(board, digits)


def _guess_number(board: Board, digits: list[int]) -> int:
    place = 0
    for digit in digits:
        place = place * (board.symmetry.colors + 1) + digit
    return int(board.symmetry.guess_at[place])


# all secrets


@dataclass(frozen=True, slots=True)
class ThreadState:
    """The state of one thread of a search between two steps.

    `bound` is a lower bound on the cost of every tree. `value` and `guess` are cost and first guess
    of the best tree, `INFINITE` and -1 before there is one. `tried` counts the first guesses
    searched, the present one included; `pending` those that wait.
    """

    value: int = INFINITE
    guess: int = -1
    bound: int = 0
    tried: int = 1
    pending: int = 0
    fraction: float = 0.0
    finished: bool = False


class SearchDriver:
    """A search of all secrets under one limit of guesses, that can be left at any step.

    Value and tree are the same for any number of threads, which share the table. Only a cost below
    the bound is of interest.
    """

    def __init__(
        self,
        model: SearchModel,
        table: TranspositionTable,
        limit: int,
        threads: int = 1,
        bound: int = INFINITE,
    ) -> None:
        self.model = model
        self.table = table
        self.limit = limit
        claims = np.zeros((threads, CLAIMS), np.uint64)
        self._searches = [
            SetSearch(model, table, claims=claims, thread=thread) for thread in range(threads)
        ]
        for search in self._searches:
            search.begin(np.arange(len(model.weights)), model.weights, limit, bound)
        self.states = [ThreadState() for _ in self._searches]

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return sum(search.positions for search in self._searches)

    @property
    def best(self) -> ThreadState:
        """The state of the thread that knows the best tree."""
        return min(self.states, key=lambda state: (not state.finished, state.value))

    @property
    def fraction(self) -> float:
        """A rough estimate of the work done, 0 to 1."""
        return max(state.fraction for state in self.states)

    def run(self, tell: Callable[[], None]) -> None:
        """Search to the end, and tell now and then; raising from it stops the threads."""
        if len(self._searches) == 1:
            while self._advance(0) == RUNNING:
                tell()
            return
        threads = Threads(len(self._searches))

        def search(thread: int) -> None:
            try:
                while not threads.stop.is_set() and self._advance(thread) == RUNNING:
                    pass
            finally:
                threads.stop.set()

        run(search, range(threads.workers), threads, report=lambda _step: tell())

    def nodes(self, game: Game) -> Nodes:
        """The nodes of the best tree so far."""
        first = int(self.model.guesses[self.best.guess])
        root = Nodes.of([first], [-1], [0], [False], game.n_marks)
        return best_nodes(self.model, self.table, game, root, self.limit)

    def _advance(self, thread: int) -> int:
        """Search on for some positions, and note the state, which is consistent only now."""
        search = self._searches[thread]
        status = search.advance(STEP, STEP_MARKS)
        work, frame = search.work, search.frame
        entered = status == RUNNING and int(frame["phase"]) != ENTER
        self.states[thread] = ThreadState(
            value=int(frame["best"]),
            guess=int(frame["guess"]),
            bound=int(lower_bound(search.board, search.bounds, work)) if entered else 0,
            tried=int(frame["tried"]),
            pending=int(frame["pending"]),
            fraction=_fraction(work, 0),
            finished=status == DONE,
        )
        return status


def _fraction(work: Work, d: int) -> float:
    """Work done on a set: guesses tried, and of the present one the parts that are solved."""
    frame = work.frames[d]
    tried, pending = int(frame["tried"]), int(frame["pending"])
    inner = 0.0
    if d < int(work.depth[0]):
        parts = work.parts[d]
        listed = work.order[d, : int(frame["parts"])]
        # large parts take longer than in proportion
        sizes = parts["size"][listed].astype(float) ** 2
        still_open = parts["open"][listed] != 0
        inside = _fraction(work, d + 1) if d < 2 else 0.5
        now = float(parts["size"][int(frame["part"])]) ** 2
        solved = float(sizes[~still_open].sum()) + inside * now
        inner = min(1.0, solved / max(float(sizes.sum()), 1.0))
    return (max(tried - 1, 0) + inner) / max(tried + pending, 1)


# trees

Expansion = tuple[int, bool, Iterable[tuple[int, Position]]]
"""A guess by number of the game, whether it may win, and positions by all other marks."""


def tree_nodes(
    root: Position, play: Callable[[Position], Expansion[Position]], game: Game
) -> Nodes:
    """The nodes of a tree from what `play` does in a position, which comes after its parent."""
    nodes, waiting = NodeList(), deque([(-1, 0, root)])
    while waiting:
        parent, mark, position = waiting.popleft()
        guess, may_win, parts = play(position)
        node = nodes.add(parent, mark, guess, wins=may_win)
        waiting.extend((node, number, part) for number, part in parts)
    return nodes.nodes(game)


def best_nodes(
    model: SearchModel,
    table: TranspositionTable,
    game: Game,
    first: Nodes,
    limit: int = UNLIMITED,
) -> Nodes:
    """The nodes of the best tree that begins with some nodes, of all the model's secrets."""
    model = model.options(whole=False, use_history=False, first=-1)
    board, weights = model.board, model.weights
    sets = SetSearch(model, table)
    played = model.guess_at[first.guess].tolist()
    node_at = {
        led: node
        for node, led in enumerate(zip(first.parent.tolist(), first.mark.tolist(), strict=True))
    }

    def play(position: tuple[I64, int, int, U64]) -> Expansion[tuple[I64, int, int, U64]]:
        codes, budget, node, required = position
        if len(codes) == 1:
            return int(game.guess_of_secret[model.secrets[codes[0]]]), True, []
        if node >= 0:
            guess = played[node]
        else:
            guess = sets.best_guess(codes, weights[codes], budget, required=required)
        parts = parts_of(board.by_guess[guess, codes], codes)
        wins = parts.pop(board.winning, None) is not None
        after = []
        for mark, part in parts.items():
            more = required_after(game, required, guess, mark)
            after.append((mark, (part, budget - 1, node_at.get((node, mark), -1), more)))
        return int(model.guesses[guess]), wins, after

    root = node_at.pop((-1, 0), -1)
    whole = np.arange(len(weights))
    return tree_nodes((whole, limit, root, required_before(game)), play, game)


# what searches for a tree have in common


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


@dataclass(kw_only=True, eq=False, repr=False)
class TreeSearch(Resumable[Optimum]):
    """A search for a tree, with or without proof.

    Args:
        game: what is played; its weights count.
        max_guesses: no secret may need more; None for any number.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number; None to choose it.
        threads: how many search side by side; the tree is the same for any number.
        where: processes or a cluster that do most of the work; the tree stays the same.
        task_folder: where their finished tasks are stored, so that a run that is killed goes on;
            None to store none.
        table_bits: the transposition table begins with 2**table_bits entries of 32 bytes.

    Raises:
        InputError: an option out of range.
    """

    game: Game = field(kw_only=False)
    max_guesses: int | None = None
    guesses: str = "all"
    first: int | None = None
    threads: int = 1
    where: Backend | None = None
    task_folder: Path | None = None
    table_bits: int
    objective = "total"

    def __post_init__(self) -> None:
        if only_candidates(self.game, self.guesses):
            self.guesses = "candidates"
        game, first, only = self.game, self.first, self.guesses == "candidates"
        if not only and self.guesses != "all":
            raise UnknownNameError.of("set of guesses", self.guesses, ["all", "candidates"])
        most = self.max_guesses
        if most is not None:
            check_whole("max_guesses", most, 1)
        if first is not None:
            check_whole("first", first, 0, game.n_guesses - 1)
        check_whole("threads", self.threads, 1)
        if (only and game.n_open_guesses < game.n_guesses) or game.names_too_early(
            first or 0, game.n_secrets
        ):
            raise InputError(
                "{game}: guesses are questions until one secret is left, so none can be a "
                "candidate",
                game=game.name,
            )
        if first is not None and only and game.secret_of_guess[first] < 0:
            raise InputError(
                "{guess} is not a candidate, and only candidates are played",
                guess=game.guess(first),
            )
        self.table = TranspositionTable(self.table_bits)
        self.size_bound = size_bound(game, guesses=self.guesses)
        self.positions_before = 0

    def one_step_tree(self) -> Tree:
        """The tree of the strategy `entropy`, after any first guess; it may break the limit."""
        game, strategy, first = self.game, Entropy(guesses=self.guesses, weighted=False), self.first
        if first is None:
            tree = build(game, strategy, threads=self.threads)
            return self.verified(tree.nodes, strategy.card.id)
        marks = game.marks(first)
        wins = bool((marks == game.winning).any())
        branches = [(-1, 0, Nodes.of([first], [-1], [0], [wins], game.n_marks))]
        for mark in np.unique(marks).tolist():
            if mark != game.winning:
                some = np.flatnonzero(marks == mark).astype(np.int32)
                decision = CandidateDecision(strategy, game, some, ((first, mark),))
                nodes = play_on(decision, game, some, strategy.card.id)
                branches.append((0, mark, nodes))
        return self.verified(Nodes.join(branches), strategy.card.id)

    def verified(self, nodes: Nodes, strategy: str, *, limit: int = UNLIMITED) -> Tree:
        """A tree with the options of the search, checked by the plain marking.

        Raises:
            AssertionError: the tree does not verify; then there is a mistake in this program.
        """
        options: dict[str, str | int | bool] = {}
        if self.max_guesses is not None:
            options["max_guesses"] = self.max_guesses
        if self.guesses != "all":
            options["guesses"] = self.guesses
        tree = Tree(self.game, nodes, strategy, options)
        verified = verify(tree)
        if not verified.valid or verified.worst > limit:
            raise AssertionError(f"{self.game}: the tree does not verify: {verified}")
        return tree
