"""Pieces of an exact search, as other processes and machines work on them.

A piece asks what some guesses are worth against one set of candidates. Whoever works on it has a
transposition table of his own, and hands back what it has learned: facts about sets, true
wherever they are used. So a piece may be done twice, or never.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import I32, I64, U64
from pegwise.compute import PieceStore, Place, run_in_steps, set_when_cancelled
from pegwise.game import Game
from pegwise.kernels.exact.board import Board, Work, new_work
from pegwise.kernels.exact.bounds import INFINITE, Bounds
from pegwise.kernels.exact.guess import next_guess
from pegwise.kernels.exact.search import CLAIMS, DONE, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact.table import learn, new_table, store
from pegwise.search.checkpoint import entries, fingerprint
from pegwise.search.exact.driver import Runner
from pegwise.search.exact.model import bounds_of, prepare

_DEPTHS: Final = 16
_STEP: Final = 1 << 9
"""Sets that are entered before it is asked whether somebody still waits."""

_TABLE_BITS: Final = 16
_LARGE_TABLE_BITS: Final = 20


@dataclass(frozen=True)
class Piece:
    """Some guesses against one set of candidates.

    Attributes:
        game: what is played.
        identity: tells games and options apart, in words.
        candidates_only: whether only candidates are played.
        any_tree: whether the first tree that keeps the limit is enough.
        codes: the candidates, int32, by number of the search.
        sign: tells sets of candidates apart.
        guesses: what is searched, in this order, by number of the search.
        bound: only a smaller cost is of interest.
        left: guesses allowed.
        whole: whether these are all secrets, so that the board's symmetries hold.
    """

    game: Game = field(repr=False)
    identity: str
    candidates_only: bool
    any_tree: bool
    codes: bytes = field(repr=False)
    sign: str
    guesses: tuple[int, ...]
    bound: int
    left: int
    whole: bool = False


class Learned(NamedTuple):
    """What a piece has shown.

    Attributes:
        cost: the least cost that a guess of the piece has, or its bound.
        guess: that guess, -1 if none is below the bound.
        positions: sets entered.
        entries: uint64 (n, 4), of the transposition table.
    """

    cost: int
    guess: int
    positions: int
    entries: U64


class _Ready(NamedTuple):
    """A game made ready to be searched."""

    board: Board
    bounds: Bounds
    weights: I64
    symmetric: bool


_last: dict[str, _Ready] = {}
"""The game that this process worked on last, by identity."""


def search_piece(piece: Piece) -> Learned:
    """Search the guesses of a piece one after the other."""
    ready = _ready(piece)
    codes = np.frombuffer(piece.codes, np.int32).astype(np.int64)
    table = new_table(_LARGE_TABLE_BITS if piece.whole else _TABLE_BITS)
    depths = _DEPTHS
    claims = np.zeros((1, CLAIMS), np.uint64)
    work = new_work(ready.board, depths, claims, 0)
    best, best_guess, positions = piece.bound, -1, 0
    unwanted = threading.Event()
    with set_when_cancelled(unwanted):
        for guess in piece.guesses:
            # the set stays as it is, so that the number of the guess keeps its meaning
            board = ready.board._replace(
                whole=True, use_history=piece.whole and ready.symmetric, first=guess
            )
            while True:
                before = int(work.counters[0])
                begin(board, work, codes, ready.weights[codes], best, piece.left)
                status = RUNNING
                while status == RUNNING and not unwanted.is_set():
                    status = int(advance(board, ready.bounds, table, work, _STEP))
                positions += int(work.counters[0]) - before
                if status != TOO_DEEP:
                    break
                depths *= 2
                work = new_work(ready.board, depths, claims, 0)
            if status == RUNNING:
                raise CancelledError
            if work.frames[0]["guess"] >= 0:
                best, best_guess = int(work.frames[0]["best"]), guess
                if piece.any_tree:
                    break
    return Learned(best, best_guess, positions, entries(table)[1])


def _ready(piece: Piece) -> _Ready:
    """The game of a piece; that of the last one is at hand."""
    if piece.identity not in _last:
        board, translation, symmetric = prepare(piece.game)
        board = board._replace(candidates_only=piece.candidates_only, any_tree=piece.any_tree)
        bounds = bounds_of(piece.game, candidates_only=piece.candidates_only)
        _last.clear()
        _last[piece.identity] = _Ready(board, bounds, translation.weights, symmetric)
    return _last[piece.identity]


# An exact search whose work is done by others: processes, or the machines of a cluster.
#
# The search itself goes through its guesses in an order that its table does not change (see
# docs/search.md). So others may fill the table, in any order, and value and tree stay what they
# are. Bounds are shared coarsely: what the best guess of a set is worth is known before its other
# guesses are handed out, some at first and then the rest, each time with the best bound so far.

_SMALL_GAME: Final = 2_000
"""Games of fewer secrets are searched before others could begin."""

_SMALL_SET: Final = 150
"""Smaller sets are left to the search itself."""

_FIRST_FEW: Final = 8
"""Guesses that are searched before the many others, for a better bound."""

_PIECES: Final = 64
"""Pieces that the other guesses of a set are cut into."""

_ROUND: Final = 0.3
"""Share of the open candidates of a first guess that one round looks at."""

_CLAIMED: Final = 24
"""The kernels heed claims on sets of so many candidates."""

_NOBODY: Final = np.zeros((1, CLAIMS), np.uint64)


@dataclass
class _Set:
    """Candidates after the first guess and its mark, as the kernels name them.

    Attributes:
        work: stands where the guesses of the set are chosen.
        bound: only a smaller cost is of interest; what the best guess so far costs.
    """

    work: Work
    bound: int

    @property
    def frame(self) -> Any:
        """The frame of the set."""
        return self.work.frames[1]

    def codes(self) -> I32:
        """The candidates."""
        start, size = int(self.frame["offset"]), int(self.frame["size"])
        codes: I32 = self.work.codes[1, start : start + size].astype(np.int32)
        return codes


class Piecework:
    """Fills the table of a search, by pieces.

    Args:
        game: what is played.
        board: the same, with the options of the search.
        bounds: lower bounds.
        table: transposition table of the search.
        weights: int64 (secrets), by number of the search.
        limit: guesses allowed.
        where: who works.
        folder: where finished pieces are kept until all are done; None to keep none.

    Attributes:
        positions: sets that others have entered so far.
        fraction: of the present round, how much is done, 0 to 1.
    """

    def __init__(
        self,
        game: Game,
        board: Board,
        bounds: Bounds,
        table: U64,
        weights: I64,
        limit: int,
        *,
        where: Place,
        folder: Path | None,
    ) -> None:
        self.game = game
        self.board = board
        self.bounds = bounds
        self.table = table
        self.weights = weights
        self.limit = limit
        self.where = where
        options = f"{board.candidates_only} {board.any_tree} {board.first}"
        self.identity = f"search {__version__} {game.name} {fingerprint(game)} {options}"
        self.kept = None if folder is None else PieceStore(folder, f"{self.identity} {limit}")
        self.positions = 0
        self.fraction = 0.0

    def steps(self) -> Iterator[None]:
        """Work until the search itself would find most of its answers at hand.

        Raises:
            WorkersLost: the workers are gone.
            OutputError: a finished piece cannot be kept.
        """
        root = self._root(INFINITE, -1) if self.game.n_secrets >= _SMALL_GAME else None
        if root is None:
            return
        first = int(root.frames[0]["trying"])
        yield from self._search(self._sets(first, INFINITE, 1.0, set()))
        runner = Runner(
            self.board._replace(first=first), self.bounds, self.table, self.weights, self.limit, 1
        )
        for _ in runner.steps():
            yield
        self.positions += runner.positions
        best = runner.best
        bound = best.value if best.guess >= 0 else INFINITE
        if self.board.first < 0 and not (best.guess >= 0 and self.board.any_tree):
            yield from self._search_others(root, first, bound)

    def forget(self) -> None:
        """Remove what is kept: the search has used it."""
        if self.kept is not None:
            self.kept.clear()

    def _search_others(self, root: Work, first: int, bound: int) -> Iterator[None]:
        """Show of all first guesses but one that they are not better."""
        root.frames[0]["best"] = bound
        others = []
        while (guess := int(next_guess(self.board, self.bounds, root, 0))) >= 0:
            if guess != first:
                others.append(guess)
        if len(others) > _PIECES:
            # a game without symmetries: as many first guesses as codes
            everything = np.arange(self.game.n_secrets, dtype=np.int32)
            pieces = [
                self._piece(everything, tuple(others[k::_PIECES]), bound, self.limit, whole=True)
                for k in range(_PIECES)
            ]
            yield from self._do(pieces)
            return
        looked_at: set[tuple[int, int]] = set()
        while sets := [
            found for guess in others for found in self._sets(guess, bound, _ROUND, looked_at)
        ]:
            yield from self._search(sets)

    def _root(self, bound: int, first: int, claims: U64 = _NOBODY) -> Work | None:
        """The search just before it would enter the parts of a first guess; None if it ended."""
        board = self.board if first < 0 else self.board._replace(first=first)
        work = new_work(board, _DEPTHS, claims, 0)
        begin(board, work, np.arange(self.game.n_secrets), self.weights, bound, self.limit)
        status = advance(board, self.bounds, self.table, work, 1)
        return None if status == DONE or work.depth[0] == 0 else work

    def _sets(
        self, first: int, bound: int, share: float, looked_at: set[tuple[int, int]]
    ) -> list[_Set]:
        """Sets that a first guess leaves open, small ones first, up to a share of their codes.

        Those looked at before are left out, and these are noted.
        """
        root = self._root(bound, first)
        if root is None:
            return []
        parts, frame = root.parts[0], root.frames[0]
        shown = [int(mark) for mark in root.order[0, : int(frame["parts"])]]
        still_open = [mark for mark in shown if parts[mark]["open"]]
        new = [mark for mark in still_open if (first, mark) not in looked_at]
        wanted = share * sum(int(parts[mark]["size"]) for mark in new)
        found: list[_Set] = []
        codes = 0
        for mark in new:
            if codes >= wanted:
                break
            codes += int(parts[mark]["size"])
            looked_at.add((first, mark))
            if parts[mark]["size"] >= _SMALL_SET:
                others = [int(parts[other]["key1"]) for other in still_open if other != mark]
                entered = self._entered(first, bound, mark, others)
                found += [entered] if entered is not None else []
        return found

    def _entered(self, first: int, bound: int, mark: int, others: Sequence[int]) -> _Set | None:
        """A set of a first guess, entered; None if it is solved at once."""
        # the search goes where nobody else is said to be
        claims = np.zeros((1 + -(-len(others) // CLAIMS), CLAIMS), np.uint64)
        claims[1:].flat[: len(others)] = others
        work = self._root(bound, first, claims)
        if work is None:
            return None
        board, root = self.board._replace(first=first), work.frames[0]
        # claims on the smallest sets do not count: they are searched on the way
        while work.depth[0] < 2 or int(root["part"]) != mark:
            on_the_way = int(root["part"]) == mark or work.parts[0, root["part"]]["size"] < _CLAIMED
            if work.depth[0] == 0 or not on_the_way:
                return None
            if advance(board, self.bounds, self.table, work, 1) == DONE:
                return None
        return _Set(work, int(work.frames[1]["best"]))

    def _search(self, sets: Sequence[_Set]) -> Iterator[None]:
        """Show what sets cost, or that they cost no less than their bounds."""
        yield from self._narrow(sets, [[int(found.frame["trying"])] for found in sets])
        yield from self._narrow(sets, [self._next(found, _FIRST_FEW) for found in sets])
        yield from self._narrow(sets, [self._next(found) for found in sets])
        for found in sets:
            # no guess is better: a fact that the search itself would find again
            key1, key2 = found.frame["key1"], found.frame["key2"]
            size = int(found.frame["size"])
            if found.bound < INFINITE // 2 and not self.board.any_tree:
                store(self.table, key1, key2, found.bound, False, -1, size)

    def _next(self, found: _Set, most: int = INFINITE) -> list[int]:
        """The next guesses of a set that may be below its bound."""
        if self.board.any_tree and found.bound < INFINITE // 2:
            return []
        found.frame["best"] = found.bound
        guesses: list[int] = []
        while len(guesses) < most:
            guess = int(next_guess(self.board, self.bounds, found.work, 1))
            if guess < 0:
                break
            guesses.append(guess)
        return guesses

    def _narrow(
        self, sets: Sequence[_Set], guesses: Sequence[list[int]]
    ) -> Generator[None, None, None]:
        """Search guesses of sets, side by side, and lower the bounds of the sets."""
        pieces: list[Piece] = []
        owners: list[_Set] = []
        for found, wanted in zip(sets, guesses, strict=True):
            codes, left = found.codes(), int(found.frame["left"])
            for k in range(min(_PIECES, len(wanted))):
                pieces.append(self._piece(codes, tuple(wanted[k::_PIECES]), found.bound, left))
                owners.append(found)
        learned = yield from self._do(pieces)
        for found, told in zip(owners, learned, strict=True):
            found.bound = min(found.bound, told.cost)

    def _piece(
        self, codes: I32, guesses: tuple[int, ...], bound: int, left: int, *, whole: bool = False
    ) -> Piece:
        content = codes.tobytes()
        return Piece(
            game=self.game,
            identity=self.identity,
            candidates_only=self.board.candidates_only,
            any_tree=self.board.any_tree,
            codes=content,
            sign=hashlib.sha256(content).hexdigest()[:16],
            guesses=guesses,
            bound=bound,
            left=left,
            whole=whole,
        )

    def _do(self, pieces: Sequence[Piece]) -> Generator[None, None, list[Learned]]:
        """Let pieces be worked on, and learn from them."""
        steps = run_in_steps(search_piece, pieces, self.where, store=self.kept)
        try:
            while True:
                step = next(steps)
                self.fraction = step.done / max(step.total or 0, 1)
                yield
        except StopIteration as end:
            found: list[Learned] = end.value
        finally:
            steps.close()
        for learned in found:
            learn(self.table, learned.entries)
            self.positions += learned.positions
        return found
