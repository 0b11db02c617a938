"""Games that a strategy has played in a race, as they grow: packed into pieces, and read again.

The games of a strategy make a tree. A piece holds the nodes that are new since the piece before,
and for every game that ended the node that won it. Nodes are numbered in the order in which they
came; a node comes after its parent.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, U8
from pegwise.game import Code, Mark

__all__ = ["Piece", "Played", "pack_secrets", "unpack_secrets"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What a strategy has played since the piece before.

    Attributes:
        guesses: uint8 (nodes, pegs), the guess of each new node.
        parents: int32 (nodes), the node before; -1 for the root.
        marks: uint8 (nodes, 2), exact and misplaced pegs of the mark that led here.
        wins: int32 (games), the node that won each game, in the order of play.
    """

    guesses: U8
    parents: I32
    marks: U8
    wins: I32

    def to_bytes(self) -> bytes:
        """The piece as it is kept."""
        out = io.BytesIO()
        np.savez_compressed(
            out, guesses=self.guesses, parents=self.parents, marks=self.marks, wins=self.wins
        )
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Piece:
        """The piece that was kept."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return cls(*(arrays[name] for name in ("guesses", "parents", "marks", "wins")))


class Shown(NamedTuple):
    """How far a strategy is shown to have played.

    Attributes:
        games: finished.
        guesses: of these games.
        turns: of the next game that are played already.
    """

    games: int
    guesses: int
    turns: int


class Played:
    """All pieces of a strategy so far.

    Attributes:
        pieces: how many.
        depths: int32 (games), guesses of each game, in the order of play.
    """

    def __init__(self, pieces: Iterable[bytes] = ()) -> None:
        self.pieces = 0
        self._guesses: list[U8] = []
        self._parents: list[I32] = []
        self._marks: list[U8] = []
        self._wins: list[I32] = []
        self.guesses: U8 = np.zeros((0, 1), np.uint8)
        self.parents: I32 = np.zeros(0, np.int32)
        self.marks: U8 = np.zeros((0, 2), np.uint8)
        self.wins: I32 = np.zeros(0, np.int32)
        self.depths: I32 = np.zeros(0, np.int32)
        self._ends: I64 = np.zeros(0, np.int64)
        self.extend(pieces)

    def __len__(self) -> int:
        return len(self.depths)

    def extend(self, pieces: Iterable[bytes]) -> None:
        """Add the pieces that follow."""
        before = self.pieces
        for data in pieces:
            piece = Piece.from_bytes(data)
            self._guesses.append(piece.guesses)
            self._parents.append(piece.parents)
            self._marks.append(piece.marks)
            self._wins.append(piece.wins)
            self.pieces += 1
        if self.pieces == before:
            return
        self.guesses = np.concatenate(self._guesses)
        self.parents = np.concatenate(self._parents)
        self.marks = np.concatenate(self._marks)
        self.wins = np.concatenate(self._wins)
        self.depths = _depths(self.parents)[self.wins]
        self._ends = np.cumsum(self.depths, dtype=np.int64)

    def shown(self, clock: float) -> Shown:
        """What is played once so many guesses are."""
        guesses = int(min(clock, self._ends[-1] if len(self) else 0))
        games = int(np.searchsorted(self._ends, guesses, "right"))
        finished = int(self._ends[games - 1]) if games else 0
        return Shown(games, finished, guesses - finished)

    def histogram(self, games: int) -> list[int]:
        """How many of the first games were won with 1, 2, ... guesses."""
        counts: list[int] = np.bincount(self.depths[:games])[1:].tolist()
        return counts

    def turns(self, game: int) -> list[tuple[str, str]]:
        """The guesses and marks of a game, as letters and pegs."""
        node = int(self.wins[game])
        mark = Mark(self.guesses.shape[1])
        turns = []
        while node >= 0:
            turns.append((str(Code(self.guesses[node].tolist())), str(mark)))
            mark = Mark(*self.marks[node].tolist())
            node = int(self.parents[node])
        return turns[::-1]

    def where(self, depth: int, games: int) -> I64:
        """Which of the first games were won with so many guesses."""
        return np.flatnonzero(self.depths[:games] == depth)


def _depths(parents: I32) -> I32:
    """int32 (nodes), guesses played once each node's guess is; parents come first."""
    depths = np.ones(len(parents), np.int32)
    ancestors = parents.copy()
    while (open_nodes := np.flatnonzero(ancestors >= 0)).size:
        depths[open_nodes] += 1
        ancestors[open_nodes] = parents[ancestors[open_nodes]]
    return depths


def pack_secrets(codes: Sequence[Any]) -> bytes:
    """Secrets of a race in the order of play, as they are kept."""
    return zlib.compress(np.array(codes, np.uint8).tobytes())


def unpack_secrets(data: bytes, pegs: int) -> U8:
    """uint8 (games, pegs), the secrets that were kept."""
    return np.frombuffer(zlib.decompress(data), np.uint8).reshape(-1, pegs)
