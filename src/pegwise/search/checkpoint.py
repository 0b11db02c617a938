"""Checkpoints of an exact search: killed at any moment, it goes on from the last one.

A checkpoint holds what the transposition table knows of all but the smallest sets. A search that
starts with it goes through the same first guesses again, and finds in the table what was done.

The file: a line that names the format, a line of JSON with what is searched and how far it was,
the entries (int64 slots, then four uint64 words each), and at last a SHA-256 of all before it.
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
from pegwise.search.optimal import OptimalSearch, SearchProgress

__all__ = ["Checkpoint", "default_path", "identity", "resume", "search_with_checkpoint"]

_FORMAT: Final = b"pegwise checkpoint 1\n"
_SMALLEST: Final = 6
"""Smaller sets are solved again sooner than they are read."""


def identity(search: OptimalSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: game, weights and options that change the answer."""
    return {
        "game": search.game.name,
        "marks": _fingerprint(search.game),
        "objective": search.objective,
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": search.first,
        "effort": search.effort,
        "table_bits": search.table_bits,
    }


def _fingerprint(game: Game) -> str:
    """A digest of sizes, some rows of marks, and weights: tells games of the same name apart."""
    digest = hashlib.sha256(f"{game.n_guesses} {game.n_secrets} {game.n_marks}".encode())
    for guess in np.linspace(0, game.n_guesses - 1, min(game.n_guesses, 64)).astype(int).tolist():
        digest.update(game.marks(guess).astype(np.uint16).tobytes())
    if game.weights is not None:
        digest.update(np.asarray(game.weights, np.int64).tobytes())
    return digest.hexdigest()


def default_path(search: OptimalSearch) -> Path:
    """A file among the user's data that only the same search uses."""
    text = json.dumps(identity(search), sort_keys=True)
    sign = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = "".join(c if c.isalnum() else "-" for c in search.game.name)
    return home() / "checkpoints" / f"{name}-{sign}.search"


class Checkpoint:
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = 20.0) -> None:
        self.path = path
        self.every = every

    def save(self, search: OptimalSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
        table = search.table
        sizes = (table[:, 3] & np.uint64(0xFFFFFFFF)).astype(np.int64)
        slots = np.nonzero(sizes >= _SMALLEST)[0].astype(np.int64)
        state = {
            "search": identity(search),
            "limit": search.limit,
            "positions": search.positions,
            "entries": len(slots),
        }
        head = _FORMAT + json.dumps(state).encode() + b"\n"
        digest = hashlib.sha256(head)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
            beside = Path(name)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(head)
                    for block in (slots, np.ascontiguousarray(table[slots])):
                        file.write(block.data)
                        digest.update(block.data)
                    file.write(digest.digest())
                beside.replace(self.path)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(
                "cannot write the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=system_reason(error),
            ) from error

    def load(self, search: OptimalSearch) -> bool:
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
        body, digest = content[:-32], content[-32:]
        if not body.startswith(_FORMAT) or hashlib.sha256(body).digest() != digest:
            raise DataFileError("the checkpoint {path} is damaged", path=repr(str(self.path)))
        line = body.index(b"\n", len(_FORMAT))
        state = json.loads(body[len(_FORMAT) : line])
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
                other=other or Phrase("other weights or marks"),
            )
        count = state["entries"]
        start = line + 1
        slots = np.frombuffer(body, np.int64, count, start)
        rows = np.frombuffer(body, np.uint64, 4 * count, start + 8 * count).reshape(count, 4)
        search.table[slots] = rows
        search.limit = state["limit"]
        search.positions_before = state["positions"]
        return True

    def set_aside(self) -> Path:
        """Rename a damaged file, so that it is neither used nor overwritten; the new name."""
        aside = self.path.with_name(self.path.name + ".damaged")
        number = 1
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
        self.path.rename(aside)
        return aside


def resume(search: OptimalSearch, checkpoint: Checkpoint) -> str:
    """Put what a checkpoint knows into a search; a sentence on what happened, or "".

    Raises:
        InputError: the checkpoint belongs to another search.
        DataFileError: it cannot be read.
    """
    try:
        found = checkpoint.load(search)
    except DataFileError as error:
        if not checkpoint.path.exists():
            raise
        aside = checkpoint.set_aside()
        return f"{error}; it is kept as {aside.name!r} and the search begins anew"
    if not found:
        return ""
    return f"going on from the checkpoint {str(checkpoint.path)!r} ({search.positions} positions)"


def search_with_checkpoint(
    search: OptimalSearch, checkpoint: Checkpoint
) -> Iterator[SearchProgress]:
    """Run a search, keeping it in a file now and then, and when it is left early.

    The file goes when the search ends.
    """
    last = time.monotonic()
    steps = iter(search)
    ended = False
    try:
        for step in steps:
            yield step
            if time.monotonic() - last >= checkpoint.every:
                checkpoint.save(search)
                last = time.monotonic()
        ended = True
    finally:
        steps.close()  # type: ignore[attr-defined]
        if ended:
            checkpoint.path.unlink(missing_ok=True)
        else:
            checkpoint.save(search)
