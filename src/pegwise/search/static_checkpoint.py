"""Checkpoints of a search for fixed sets: killed at any moment, it goes on from the last one.

Which tasks there are is always the same, so a checkpoint is small: the best set, the bound, and
where in the tree the first task stands that is not refuted. It is a JSON file that holds a digest
of its own content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.search.checkpoint_file import (
    CheckpointFile,
    damaged,
    fingerprint,
    own_path,
    same_search,
)
from pegwise.search.static import confused
from pegwise.search.static_search import StaticProgress, StaticSearch

__all__ = ["StaticCheckpoint"]

_FORMAT: Final = "pegwise static checkpoint 1"
"""It changes with the order of the search tree too: paths of another tree mean nothing."""


def _identity(search: StaticSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: the game, and what is asked."""
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "guesses": search.asked,
        "seed": search.seed,
    }


class StaticCheckpoint(CheckpointFile[StaticSearch, StaticProgress]):
    """Keeps a search for fixed sets in a file while it runs."""

    @staticmethod
    def default_path(search: StaticSearch) -> Path:
        """A file among the user's data that only the same search uses."""
        return own_path(search.game, _identity(search), "static")

    def content(self, search: StaticSearch) -> Iterable[bytes]:
        """What is searched, how far it was, and a digest of both."""
        state = _state(search, self.watch.seconds)
        return [json.dumps({**state, "sha256": _digest(state)}).encode()]

    def restore(self, search: StaticSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        try:
            state = json.loads(content)
            sound = state.pop("sha256") == _digest(state) and state["format"] == _FORMAT
            sound = sound and state.keys() == _state(search, 0.0).keys()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise damaged(self.path)
        same_search(self.path, state["search"], _identity(search))
        if state["best"] is not None and confused(search.game, state["best"]) is None:
            search.best = tuple(state["best"])
        search.lower_bound = state["lower_bound"]
        search.refuting = state["refuting"]
        search.path = tuple(state["path"])
        search.positions = state["positions"]
        self.watch.add(state["seconds"])

    def done(self, search: StaticSearch) -> Phrase:
        """How many sets a search has tried."""
        return Phrase("{n} sets tried", n=search.positions)


def _state(search: StaticSearch, seconds: float) -> dict[str, Any]:
    """What is kept of a search."""
    return {
        "format": _FORMAT,
        "search": _identity(search),
        "best": None if search.best is None else list(search.best),
        "lower_bound": search.lower_bound,
        "refuting": search.refuting,
        "path": list(search.path),
        "positions": search.positions,
        "seconds": round(seconds, 2),
    }


def _digest(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
