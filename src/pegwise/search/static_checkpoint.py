"""Checkpoints of a search for fixed sets: killed at any moment, it goes on from the last one.

Which tasks there are is always the same, so a checkpoint is small: the best set, the bound, and
where in the tree the first task stands that is not refuted. It is a JSON file that holds a digest
of its own content.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.errors import DataFileError, InputError, OutputError, Phrase, system_reason
from pegwise.game import Game
from pegwise.home import home
from pegwise.search.static import confused
from pegwise.search.static_search import StaticProgress, StaticSearch

__all__ = ["StaticCheckpoint", "default_path", "search_with_checkpoint"]

_FORMAT: Final = "pegwise static checkpoint 1"
"""It changes with the order of the search tree too: paths of another tree mean nothing."""


def identity(search: StaticSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: the game, and what is asked."""
    return {
        "game": search.game.name,
        "marks": _fingerprint(search.game),
        "guesses": search.asked,
        "seed": search.seed,
    }


def _fingerprint(game: Game) -> str:
    digest = hashlib.sha256(f"{game.n_guesses} {game.n_secrets} {game.n_marks}".encode())
    for guess in np.linspace(0, game.n_guesses - 1, min(game.n_guesses, 64)).astype(int).tolist():
        digest.update(game.marks(guess).astype(np.uint16).tobytes())
    return digest.hexdigest()


def default_path(search: StaticSearch) -> Path:
    """A file among the user's data that only the same search uses."""
    text = json.dumps(identity(search), sort_keys=True)
    sign = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = "".join(c if c.isalnum() else "-" for c in search.game.name)
    return home() / "checkpoints" / f"{name}-{sign}.static"


class StaticCheckpoint:
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = 20.0) -> None:
        self.path = path
        self.every = every
        self._before = 0.0
        self._begun = time.process_time()

    @property
    def seconds(self) -> float:
        """Processor time of the search so far, earlier runs included."""
        return self._before + time.process_time() - self._begun

    def save(self, search: StaticSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
        state = _state(search, self.seconds)
        content = json.dumps({**state, "sha256": _digest(state)}).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            beside = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                beside.replace(self.path)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(
                "cannot write the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=system_reason(error),
            ) from error

    def load(self, search: StaticSearch) -> bool:
        """Put a kept state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged; it is left as it is.
            InputError: it belongs to another search.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise DataFileError(
                "cannot read the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=system_reason(error),
            ) from error
        try:
            state = json.loads(content)
            sound = state.pop("sha256") == _digest(state) and state["format"] == _FORMAT
            sound = sound and state.keys() == _state(search, 0.0).keys()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise DataFileError("the checkpoint {path} is damaged", path=repr(str(self.path)))
        kept, wanted = state["search"], identity(search)
        if kept != wanted:
            other = ", ".join(
                f"{key} {kept.get(key)!r} instead of {wanted[key]!r}"
                for key in wanted
                if kept.get(key) != wanted[key] and key != "marks"
            )
            raise InputError(
                "the checkpoint {path} belongs to another search ({other}); name another file "
                "or remove it",
                path=repr(str(self.path)),
                other=other or Phrase("other marks"),
            )
        if state["best"] is not None and confused(search.game, state["best"]) is None:
            search.best = tuple(state["best"])
        search.lower_bound = state["lower_bound"]
        search.refuting = state["refuting"]
        search.path = tuple(state["path"])
        search.positions = state["positions"]
        self._before = state["seconds"]
        return True

    def resume(self, search: StaticSearch) -> str:
        """Put what is kept into a search; a sentence on what happened, or "".

        A damaged file is renamed, so that it is neither used nor overwritten.

        Raises:
            InputError: the checkpoint belongs to another search.
            DataFileError: it cannot be read.
        """
        try:
            found = self.load(search)
        except DataFileError as error:
            if not self.path.is_file():
                raise
            aside = self._free_name()
            self.path.rename(aside)
            return f"{error}; it is kept as {aside.name!r} and the search begins anew"
        if not found:
            return ""
        return f"going on from the checkpoint {str(self.path)!r} ({search.positions} sets tried)"

    def _free_name(self) -> Path:
        aside = self.path.with_name(self.path.name + ".damaged")
        number = 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
        return aside


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
    last = time.monotonic()
    steps = iter(search)
    try:
        for step in steps:
            yield step
            if time.monotonic() - last >= checkpoint.every:
                checkpoint.save(search)
                last = time.monotonic()
    finally:
        steps.close()  # type: ignore[attr-defined]
        if search.finished:
            checkpoint.path.unlink(missing_ok=True)
        else:
            checkpoint.save(search)
