"""Pieces of a search for good trees, as other processes and machines work on them.

What a level finds for a position depends on the position and the level alone. So whoever works
on a piece has a table and a memory of his own, and a piece may be done twice, or never.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

import numpy as np

from pegwise.cluster import while_wanted
from pegwise.game import Game
from pegwise.kernels.exact_bounds import INFINITE
from pegwise.kernels.exact_table import U64, new_table, probe, store
from pegwise.search.checkpoint_file import entries
from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import Kernels, Level, Position
from pegwise.search.effort_named import TINY, as_named, parts_of
from pegwise.search.extract import Solver
from pegwise.search.prepared import prepare_effort

__all__ = ["Found", "Packed", "Piece", "known", "pack", "search_piece"]


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
    with while_wanted(stop):
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
