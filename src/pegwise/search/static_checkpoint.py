"""Checkpoints of a search for fixed sets: killed at any moment, it goes on from the last one.

Which tasks there are is always the same, so a checkpoint is small: the best set, the bound, and
where in the tree the first task stands that is not refuted. It is a JSON file that holds a digest
of its own content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.search.checkpoint_file import (
    EVERY,
    Stopwatch,
    damaged,
    fingerprint,
    keep,
    kept_while,
    own_path,
    read,
    resumed,
    same_search,
)
from pegwise.search.static import confused
from pegwise.search.static_search import StaticProgress, StaticSearch

__all__ = ["StaticCheckpoint", "default_path", "search_with_checkpoint"]

_FORMAT: Final = "pegwise static checkpoint 1"
"""It changes with the order of the search tree too: paths of another tree mean nothing."""


def identity(search: StaticSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: the game, and what is asked."""
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "guesses": search.asked,
        "seed": search.seed,
    }


def default_path(search: StaticSearch) -> Path:
    """A file among the user's data that only the same search uses."""
    return own_path(search.game, identity(search), "static")


class StaticCheckpoint:
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self.watch = Stopwatch()

    def save(self, search: StaticSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
        state = _state(search, self.watch.seconds)
        keep(self.path, [json.dumps({**state, "sha256": _digest(state)}).encode()])

    def load(self, search: StaticSearch) -> bool:
        """Put a kept state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged; it is left as it is.
            InputError: it belongs to another search.
        """
        content = read(self.path)
        if content is None:
            return False
        try:
            state = json.loads(content)
            sound = state.pop("sha256") == _digest(state) and state["format"] == _FORMAT
            sound = sound and state.keys() == _state(search, 0.0).keys()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise damaged(self.path)
        same_search(self.path, state["search"], identity(search))
        if state["best"] is not None and confused(search.game, state["best"]) is None:
            search.best = tuple(state["best"])
        search.lower_bound = state["lower_bound"]
        search.refuting = state["refuting"]
        search.path = tuple(state["path"])
        search.positions = state["positions"]
        self.watch.add(state["seconds"])
        return True

    def resume(self, search: StaticSearch) -> Phrase:
        """Put what is kept into a search; a sentence on what happened, or "".

        A damaged file is renamed, so that it is neither used nor overwritten.

        Raises:
            InputError: the checkpoint belongs to another search.
            DataFileError: it cannot be read.
        """
        return resumed(search, self, lambda: Phrase("{n} sets tried", n=search.positions))


def _state(search: StaticSearch, seconds: float) -> dict[str, Any]:
    """What is kept of a search."""
    return {
        "format": _FORMAT,
        "search": identity(search),
        "best": None if search.best is None else list(search.best),
        "lower_bound": search.lower_bound,
        "refuting": search.refuting,
        "path": list(search.path),
        "positions": search.positions,
        "seconds": round(seconds, 2),
    }


def _digest(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


def search_with_checkpoint(
    search: StaticSearch, checkpoint: StaticCheckpoint
) -> Iterator[StaticProgress]:
    """Run a search, keeping it in a file now and then, and when it is left early.

    The file goes when the search ends.
    """
    return kept_while(search, lambda: checkpoint.save(search), checkpoint.path, checkpoint.every)
