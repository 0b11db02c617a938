"""Pieces of an exact search, as other processes and machines work on them.

A piece asks what some guesses are worth against one set of candidates. Whoever works on it has a
transposition table of his own, and hands back what it has learned: facts about sets, true
wherever they are used. So a piece may be done twice, or never.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from pegwise.cluster import while_wanted
from pegwise.game import Game
from pegwise.game.game import I64
from pegwise.kernels.exact import CLAIMS, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact_board import Board, new_work
from pegwise.kernels.exact_bounds import Bounds
from pegwise.kernels.exact_table import U64, new_table
from pegwise.search.checkpoint_file import entries
from pegwise.search.prepared import bounds_of, prepare

__all__ = ["Learned", "Piece", "search_piece"]

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
    with while_wanted(unwanted):
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
