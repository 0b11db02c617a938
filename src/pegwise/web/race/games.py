"""The games that a strategy has played so far in a race, packed into pieces as they grow."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pegwise.arrays import I32, U8
from pegwise.game import Code, Mark


class GamesPiece(NamedTuple):
    """What a strategy has played since the piece before.

    The games of a strategy make a tree, whose nodes are numbered in the order in which they are
    played; a node comes after its parent.

    Attributes:
        guesses: uint8 (nodes, pegs), the guess of each new node.
        parents: int32 (nodes), the node before; -1 for the root.
        marks: uint8 (nodes, 2), black and white pegs of the mark that led to each node.
        wins: int32 (games), the node that won each game, in the order of play.
    """

    guesses: U8
    parents: I32
    marks: U8
    wins: I32

    def to_bytes(self) -> bytes:
        """The piece as it is stored."""
        out = io.BytesIO()
        np.savez_compressed(out, **self._asdict())
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> GamesPiece:
        """The piece that was stored."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return cls(*(arrays[name] for name in cls._fields))


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


class PlayedGames:
    """All games that a strategy has played so far.

    Attributes:
        n_pieces: number of pieces.
        guesses, parents, marks, wins: the pieces joined (see `GamesPiece`).
        depths: int32 (games), guesses of each game, in the order of play.
    """

    def __init__(self, pieces: Iterable[bytes] = ()) -> None:
        no_guesses, nothing = np.zeros((0, 1), np.uint8), np.zeros(0, np.int32)
        self.n_pieces = 0
        self._joined = GamesPiece(no_guesses, nothing, np.zeros((0, 2), np.uint8), nothing)
        self.extend(pieces)

    def __len__(self) -> int:
        return len(self.depths)

    def extend(self, pieces: Iterable[bytes]) -> None:
        """Add the pieces that follow."""
        new = [GamesPiece.from_bytes(data) for data in pieces]
        if new:
            parts = [self._joined, *new] if self.n_pieces else new
            self._joined = GamesPiece(*map(np.concatenate, zip(*parts, strict=True)))
            self.n_pieces += len(new)
        self.guesses, self.parents, self.marks, self.wins = self._joined
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

    def turns(self, game: int) -> list[tuple[Code, Mark]]:
        """The guesses and marks of a game."""
        node = int(self.wins[game])
        mark = Mark(self.guesses.shape[1])
        turns = []
        while node >= 0:
            turns.append((Code(self.guesses[node].tolist()), mark))
            mark = Mark(*self.marks[node].tolist())
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


def pack_secrets(codes: Sequence[Any]) -> bytes:
    """Secrets of a race in the order of play, as they are stored."""
    return zlib.compress(np.array(codes, np.uint8).tobytes())


@lru_cache(48)
def unpack_secrets(data: bytes, pegs: int) -> U8:
    """uint8 (games, pegs), the secrets that were stored."""
    return np.frombuffer(zlib.decompress(data), np.uint8).reshape(-1, pegs)
