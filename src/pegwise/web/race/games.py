"""The games that a strategy of a race has played, as they are stored and shown."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import F64, I32, U8, U32
from pegwise.game import Code, Mark, PlacedMark, Rules, Word, winning_mark
from pegwise.web.inputs import PlayedTurn

Rows = U8 | U32
"""Codes as they are stored: uint8 (n, pegs), or the letters of words as uint32."""


class GamesPiece(NamedTuple):
    """What a strategy has played since the piece before.

    The games of a strategy make a tree, whose nodes are numbered in the order in which they are
    played; a node comes after its parent.
    """

    guesses: Rows  # (nodes, pegs), the guess of each new node: see `code_rows`
    parents: I32  # (nodes), the node before; -1 for the root
    marks: U8  # (nodes, 2 or pegs), the mark that led to each node: see `mark_rows`
    wins: I32  # (games), the node that won each game, in the order of play
    seconds: F64 = np.zeros(1)  # (1), processor time of all games so far, in a timed race

    def to_bytes(self) -> bytes:
        """The piece as it is stored."""
        out = io.BytesIO()
        np.savez_compressed(out, **self._asdict())
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> GamesPiece:
        """The piece that was stored."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return cls(**arrays)


class Shown(NamedTuple):
    """How far a strategy is shown to have played."""

    games: int  # finished
    guesses: int  # of these games
    turns: int  # of the next game
    seconds: float  # of these games, in a timed race


class EntrantGames:
    """All games that a strategy has played so far: its pieces joined."""

    def __init__(self, pieces: Iterable[bytes] = ()) -> None:
        codes, marks = np.zeros((0, 1), np.uint8), np.zeros((0, 2), np.uint8)
        nothing = np.zeros(0, np.int32)
        self._joined = GamesPiece(codes, nothing, marks, nothing, np.zeros(0))
        self._counts: list[int] = []  # games of each piece
        self.extend(pieces)

    def __len__(self) -> int:
        return len(self.depths)

    @property
    def n_pieces(self) -> int:
        """How many pieces were joined."""
        return len(self._counts)

    def extend(self, pieces: Iterable[bytes]) -> None:
        """Add the pieces that follow."""
        new = [GamesPiece.from_bytes(data) for data in pieces]
        if new:
            parts = [self._joined, *new] if self._counts else new
            self._joined = GamesPiece(*map(np.concatenate, zip(*parts, strict=True)))
            self._counts = [*self._counts, *(len(piece.wins) for piece in new)]
        self.guesses, self.parents, self.marks, self.wins, self._seconds = self._joined
        self.depths = _depths(self.parents)[self.wins]
        self._ends = np.append(0, np.cumsum(self.depths, dtype=np.int64))  # after each game

    @property
    def seconds(self) -> float:
        """Processor time of all games of a timed race."""
        return float(self._seconds[-1]) if self._counts else 0.0

    def shown(self, clock: float, *, timed: bool) -> Shown:
        """What is played once the clock stands at so many guesses, or seconds."""
        if timed:
            played = np.interp(clock, [0.0, *self._seconds], np.cumsum([0, *self._counts]))
            games = int(played)
            return Shown(games, int(self._ends[games]), 0, min(clock, self.seconds))
        guesses = int(min(clock, self._ends[-1]))
        games = int(np.searchsorted(self._ends, guesses, "right")) - 1
        finished = int(self._ends[games])
        return Shown(games, finished, guesses - finished, 0.0)

    def turns(self, game: int, rules: Rules) -> list[PlayedTurn]:
        """The guesses and marks of a game."""
        node = int(self.wins[game])
        mark = winning_mark(rules)
        turns = []
        while node >= 0:
            guess = code_of(rules, self.guesses[node].tolist())
            turns.append(PlayedTurn(guess=str(guess), mark=str(mark)))
            mark = mark_of_row(rules, self.marks[node].tolist())
            node = int(self.parents[node])
        return turns[::-1]


def _depths(parents: I32) -> I32:
    """int32 (nodes), guesses played once each node's guess is; parents come first."""
    depths = np.ones(len(parents), np.int32)
    ancestors = parents.copy()
    while (open_nodes := np.flatnonzero(ancestors >= 0)).size:
        depths[open_nodes] += 1
        ancestors[open_nodes] = parents[ancestors[open_nodes]]
    return depths


def code_rows(rules: Rules, codes: Sequence[Code]) -> Rows:
    """Codes as they are stored."""
    kind: Any = np.uint32 if rules.words else np.uint8
    rows: Rows = np.array(codes, kind).reshape(-1, rules.pegs)
    return rows


def mark_rows(rules: Rules, marks: Sequence[Mark]) -> U8:
    """Marks as they are stored: uint8 (n, 2), black and white; or (n, pegs), the places."""
    return np.array(marks, np.uint8).reshape(-1, rules.pegs if rules.placed else 2)


def code_of(rules: Rules, row: Sequence[int]) -> Code:
    """The code of a row."""
    return Word("".join(map(chr, row))) if rules.words else Code(row)


def mark_of_row(rules: Rules, row: Sequence[int]) -> Mark:
    """The mark of a row."""
    return PlacedMark(row) if rules.placed else Mark(*row)


@lru_cache(8)
def secret_rows(data: bytes, rules: Rules) -> Rows:
    """The secrets of a race in the order of play, from what `worker.prepare` packs."""
    kind: Any = code_rows(rules, []).dtype
    rows: Rows = np.frombuffer(zlib.decompress(data), kind).reshape(-1, rules.pegs)
    return rows
