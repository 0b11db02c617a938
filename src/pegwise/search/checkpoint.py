"""Checkpoints of an exact search: killed at any moment, it goes on from the last one.

A checkpoint holds what the transposition table knows of all but the smallest sets. A search that
starts with it goes through the same first guesses again, and finds in the table what was done.

The file: a line that names the format, a line of JSON with what is searched and how far it was,
the entries (int64 slots, then four uint64 words each), and at last a SHA-256 of all before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.search.checkpoint_file import (
    CheckpointFile,
    enter,
    entries,
    fingerprint,
    opened,
    own_path,
    same_search,
    signed,
)
from pegwise.search.optimal import OptimalSearch, SearchProgress

__all__ = ["Checkpoint"]

_FORMAT: Final = b"pegwise checkpoint 1\n"


def _identity(search: OptimalSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: game, weights and options that change the answer."""
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "objective": search.objective,
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": search.first,
        "table_bits": search.table_bits,
    }


class Checkpoint(CheckpointFile[OptimalSearch, SearchProgress]):
    """Keeps an exact search in a file while it runs."""

    @staticmethod
    def default_path(search: OptimalSearch) -> Path:
        """A file among the user's data that only the same search uses."""
        return own_path(search.game, _identity(search), "search")

    def content(self, search: OptimalSearch) -> Iterable[bytes | memoryview]:
        """What is searched, how far it was, and the entries of its table."""
        slots, rows = entries(search.table)
        state = {
            "search": _identity(search),
            "limit": search.limit,
            "positions": search.positions,
            "entries": len(slots),
        }
        return signed(_FORMAT, state, slots.data, rows.data)

    def restore(self, search: OptimalSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        state, blocks = opened(self.path, content, _FORMAT)
        same_search(self.path, state["search"], _identity(search))
        count = state["entries"]
        enter(search.table, blocks.take(8 * count), blocks.take(32 * count))
        search.limit = state["limit"]
        search.positions_before = state["positions"]

    def done(self, search: OptimalSearch) -> Phrase:
        """How many positions a search has been through."""
        return Phrase("{n} positions", n=search.positions)
