"""Checkpoints of an exact search: killed at any moment, it goes on from the last one.

A checkpoint holds what the transposition table knows of all but the smallest sets. A search that
starts with it goes through the same first guesses again, and finds in the table what was done.

The file: a line that names the format, a line of JSON with what is searched and how far it was,
the entries (int64 slots, then four uint64 words each), and at last a SHA-256 of all before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.errors import Phrase
from pegwise.search.checkpoint_file import (
    EVERY,
    entries,
    fingerprint,
    keep,
    kept_while,
    opened,
    own_path,
    read,
    resumed,
    same_search,
    signed,
)
from pegwise.search.optimal import OptimalSearch, SearchProgress

__all__ = ["Checkpoint", "default_path", "identity", "resume", "search_with_checkpoint"]

_FORMAT: Final = b"pegwise checkpoint 1\n"


def identity(search: OptimalSearch) -> dict[str, Any]:
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


def default_path(search: OptimalSearch) -> Path:
    """A file among the user's data that only the same search uses."""
    return own_path(search.game, identity(search), "search")


class Checkpoint:
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every

    def save(self, search: OptimalSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
        slots, rows = entries(search.table)
        state = {
            "search": identity(search),
            "limit": search.limit,
            "positions": search.positions,
            "entries": len(slots),
        }
        keep(self.path, signed(_FORMAT, state, slots.data, rows.data))

    def load(self, search: OptimalSearch) -> bool:
        """Put a kept state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged; it is left as it is.
            InputError: it belongs to another search.
        """
        content = read(self.path)
        if content is None:
            return False
        state, body, start = opened(self.path, content, _FORMAT)
        same_search(self.path, state["search"], identity(search))
        count = state["entries"]
        slots = np.frombuffer(body, np.int64, count, start)
        rows = np.frombuffer(body, np.uint64, 4 * count, start + 8 * count).reshape(count, 4)
        search.table[slots] = rows
        search.limit = state["limit"]
        search.positions_before = state["positions"]
        return True


def resume(search: OptimalSearch, checkpoint: Checkpoint) -> Phrase:
    """Put what a checkpoint knows into a search; a sentence on what happened, or "".

    Raises:
        InputError: the checkpoint belongs to another search.
        DataFileError: it cannot be read.
    """
    return resumed(search, checkpoint, lambda: Phrase("{n} positions", n=search.positions))


def search_with_checkpoint(
    search: OptimalSearch, checkpoint: Checkpoint
) -> Iterator[SearchProgress]:
    """Run a search, keeping it in a file now and then, and when it is left early.

    The file goes when the search ends.
    """
    return kept_while(search, lambda: checkpoint.save(search), checkpoint.path, checkpoint.every)
