"""Forget's decoder against every secret: what `trees.build` would play out, in seconds.

The opening, and positions with more candidates than a table of marks holds, are played move by
move; below them a kernel grows what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.errors import ContradictionError
from pegwise.game import Mastermind
from pegwise.game.game import I32, I64, check_listed
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import Nodes
from pegwise.strategies.forget import Endgame, OpeningMove

__all__ = ["play_out"]

U8 = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]


class _Piece(NamedTuple):
    """A part of the tree: its first node, and what follows up to where other pieces begin.

    Attributes:
        codes: uint8 (n, pegs), guesses.
        parent: int64 (n), the node before within the piece; -1 for the first.
        mark: uint8 (n).
        wins: bool (n).
    """

    codes: U8
    parent: I64
    mark: U8
    wins: Bools


def play_out(first: OpeningMove, *, threads: int = 1, report: Report = silent) -> Nodes | None:
    """The nodes of a strategy, from its first move; None where candidates are only sampled.

    Raises:
        TooLargeError: too many codes to list.
    """
    game = first.game
    check_listed(game.name, game.n_guesses)
    pieces: list[_Piece] = []
    roots: list[tuple[int, int]] = []  # of each piece: the node before its first one, the mark
    nodes = found = 0

    def add(piece: _Piece, parent: int, mark: int) -> None:
        nonlocal nodes, found
        pieces.append(piece)
        roots.append((parent, mark))
        nodes += len(piece.mark)
        found += int(piece.wins.sum())
        report(Progress(found, game.n_secrets, "secrets"))

    # positions not yet played out: the node and the mark that lead to them, and the move
    small: list[tuple[int, int, Endgame]] = []
    level: list[tuple[int, int, OpeningMove | Endgame]] = [(-1, 0, first)]
    while level:
        following: list[tuple[int, int, OpeningMove | Endgame]] = []
        for parent, mark, move in level:
            if isinstance(move, Endgame) and not move.complete:
                return None
            if isinstance(move, Endgame) and move.tabled:
                small.append((parent, mark, move))
                continue
            following += ((nodes, led, after) for led, after in _after(move))
            add(_single(move), parent, mark)
        level = following
    with ThreadPoolExecutor(max_workers=max(threads, 1)) as workers:
        run = workers.map if threads > 1 else map
        grown = run(_grown, (move for _, _, move in small))
        for (parent, mark, _), piece in zip(small, grown, strict=True):
            add(piece, parent, mark)
    return _joined(game, pieces, roots)


def _after(move: OpeningMove | Endgame) -> Iterator[tuple[int, OpeningMove | Endgame]]:
    """Every mark that the guess can get, but the winning one, and the state after it."""
    game = move.game
    for number in range(game.winning):
        try:
            yield number, move.after(game.mark(number))
        except ContradictionError:
            continue


def _single(move: OpeningMove | Endgame) -> _Piece:
    """One guess alone."""
    guess = move.guess
    if isinstance(move, Endgame):
        wins = bool((move.candidates == guess).all(axis=1).any())
    else:
        repeats = len(set(guess)) < len(guess)
        wins = not (repeats and move.game.rules.secrets_are_distinct) and all(
            move.game.judge(turn.guess, guess) == turn.mark for turn in move.opening.turns
        )
    codes = np.array([guess], np.uint8)
    return _Piece(codes, np.full(1, -1), np.zeros(1, np.uint8), np.array([wins]))


def _grown(move: Endgame) -> _Piece:
    """Everything that follows a position with a table of marks."""
    from pegwise.kernels.forget import grow

    pool, strategy = move.pool, move.strategy
    guess = len(move.turns) + 1
    leads = [
        move.lead or strategy.lead_at(k) for k in range(guess, max(guess, strategy.switch) + 1)
    ]
    minimax = np.array([lead == "minimax" for lead in leads])
    n = len(pool.codes)
    table = replace(pool).table  # of a copy, so that it is freed: there are thousands
    tree = grow(table, n, pool.game.n_marks, strategy.worth, minimax)
    unplayed = np.array(pool.unplayed, np.uint8).reshape(-1, pool.codes.shape[1])
    codes = np.concatenate([pool.codes, unplayed])[tree.row]
    return _Piece(codes, tree.parent.astype(np.int64), tree.mark, tree.wins)


def _joined(game: Mastermind, pieces: list[_Piece], roots: list[tuple[int, int]]) -> Nodes:
    """All pieces as one tree, breadth first, children by number of mark."""
    codes = np.concatenate([piece.codes for piece in pieces])
    mark = np.concatenate([piece.mark for piece in pieces])
    wins = np.concatenate([piece.wins for piece in pieces])
    parent = np.empty(len(codes), np.int64)
    begin = 0
    for piece, (before, led) in zip(pieces, roots, strict=True):
        end = begin + len(piece.mark)
        parent[begin:end] = piece.parent + begin
        parent[begin], mark[begin] = before, led
        begin = end
    order, place = _breadth_first(parent, mark)
    above = parent[order]
    return Nodes(
        _guess_numbers(game, codes[order]),
        np.where(above < 0, -1, place[above]).astype(np.int32),
        mark[order],
        wins[order],
    )


def _breadth_first(parent: I64, mark: U8) -> tuple[I64, I64]:
    """The nodes in breadth-first order, and the place of each node in it, int64 (nodes) each."""
    n = len(parent)
    by_parent = np.argsort(parent, kind="stable")
    starts = np.searchsorted(parent[by_parent], np.arange(n + 1))
    place = np.empty(n, np.int64)
    levels = [np.zeros(1, np.int64)]
    placed = 0
    while len(levels[-1]):
        level = levels[-1]
        place[level] = np.arange(placed, placed + len(level))
        placed += len(level)
        # positions in `by_parent` of the children of every node of this level
        counts = starts[level + 1] - starts[level]
        ends = np.cumsum(counts)
        offsets = np.repeat(starts[level] - (ends - counts), counts)
        children = by_parent[offsets + np.arange(ends[-1])]
        levels.append(children[np.lexsort((mark[children], place[parent[children]]))])
    return np.concatenate(levels), place


def _guess_numbers(game: Mastermind, codes: U8) -> I32:
    """int32 (n): numbers of codes, uint8 (n, pegs), in the list of guesses."""
    weights = (game.rules.colors + 1) ** np.arange(game.rules.pegs, dtype=np.int64)[::-1]
    listed = np.minimum(game.guess_codes, game.rules.colors).astype(np.int64) @ weights
    return np.searchsorted(listed, codes.astype(np.int64) @ weights).astype(np.int32)
