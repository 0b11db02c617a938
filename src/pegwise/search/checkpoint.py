"""What the checkpoints of all long searches share: whose they are, where they lie, when they go.

What a checkpoint holds, and in which format, is for each search to say.
"""

from __future__ import annotations

import hashlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.errors import DataFileError, InputError, OutputError, Phrase, system_reason
from pegwise.game import Game
from pegwise.paths import home
from pegwise.search.archive import write_whole

EVERY: Final = 20.0
"""Seconds between two checkpoints."""

_SMALLEST: Final = 6
"""Smaller sets are solved again sooner than they are read."""


class Resumable(Protocol):
    """A long search: an iterator of steps that may be left at any of them."""

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""

    def __iter__(self) -> Iterator[Any]: ...


Search = TypeVar("Search", bound=Resumable)
Step = TypeVar("Step")


class Stopwatch:
    """Processor time of a search, earlier runs of it included."""

    def __init__(self) -> None:
        self._begun = time.process_time()

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        return time.process_time() - self._begun

    def add(self, seconds: float) -> None:
        """Count what an earlier run took."""
        self._begun -= seconds


class CheckpointFile(ABC, Generic[Search, Step]):
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.

    Attributes:
        watch: processor time of the search, with that of earlier runs where the file tells it.
    """

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self.watch = Stopwatch()

    # what is for each search to say

    @staticmethod
    @abstractmethod
    def default_path(search: Search) -> Path:
        """A file among the user's data that only the same search uses."""

    @abstractmethod
    def content(self, search: Search) -> Iterable[bytes | memoryview]:
        """The state of a search, as the blocks of a file."""

    @abstractmethod
    def restore(self, search: Search, content: bytes) -> None:
        """Put the content of the file into a search that has not begun.

        Raises:
            DataFileError: it is damaged; the search is left as it is.
            InputError: it belongs to another search.
        """

    @abstractmethod
    def done(self, search: Search) -> Phrase:
        """How much a search has done, in words."""

    # the same for all

    def save(self, search: Search) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
        try:
            write_whole(self.path, self.content(search))
        except OutputError as error:
            raise OutputError(
                "cannot write the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=error.phrase.values["reason"],
            ) from error

    def load(self, search: Search) -> bool:
        """Put a kept state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged, or cannot be read; it is left as it is.
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
        self.restore(search, content)
        return True

    def resume(self, search: Search) -> Phrase:
        """Put what is kept into a search; a sentence on what happened, or "".

        A damaged file is renamed, so that it is neither used nor overwritten.

        Raises:
            InputError: the file belongs to another search.
            DataFileError: it cannot be read.
        """
        try:
            found = self.load(search)
        except DataFileError as error:
            if not self.path.is_file():
                raise
            aside = _set_aside(self.path)
            return Phrase(
                "{error}; it is kept as {name} and the search begins anew",
                error=error,
                name=repr(aside.name),
            )
        if not found:
            return Phrase("")
        return Phrase(
            "going on from the checkpoint {path} ({done})",
            path=repr(str(self.path)),
            done=self.done(search),
        )

    def run(self, search: Search) -> Generator[Step]:
        """Go through a search, keeping it in the file now and then, and when it is left."""
        last = time.monotonic()
        steps = iter(search)
        try:
            for step in steps:
                yield step
                if time.monotonic() - last >= self.every:
                    self.save(search)
                    last = time.monotonic()
        finally:
            steps.close()  # type: ignore[attr-defined]
            self.leave(search)

    def leave(self, search: Search) -> None:
        """Keep a search that is left early; the file goes when the search has finished."""
        if search.finished:
            self.path.unlink(missing_ok=True)
        else:
            self.save(search)


def fingerprint(game: Game) -> str:
    """A digest of sizes, some rows of marks, and weights: tells games of the same name apart."""
    digest = hashlib.sha256(f"{game.n_guesses} {game.n_secrets} {game.n_marks}".encode())
    for guess in np.linspace(0, game.n_guesses - 1, min(game.n_guesses, 64)).astype(int).tolist():
        digest.update(game.marks(guess).astype(np.uint16).tobytes())
    if game.weights is not None:
        digest.update(np.asarray(game.weights, np.int64).tobytes())
    return digest.hexdigest()


def own_path(game: Game, identity: dict[str, Any], kind: str) -> Path:
    """A file among the user's data that only the same search uses."""
    text = json.dumps(identity, sort_keys=True)
    sign = hashlib.sha256(text.encode()).hexdigest()[:16]
    name = "".join(c if c.isalnum() else "-" for c in game.name)
    return home() / "checkpoints" / f"{name}-{sign}.{kind}"


def signed(
    name: bytes, state: dict[str, Any], *blocks: bytes | memoryview
) -> Iterator[bytes | memoryview]:
    """A checkpoint: a line that names its format, one of JSON, blocks, and a digest of it all."""
    digest = hashlib.sha256()
    for block in (name + json.dumps(state).encode() + b"\n", *blocks):
        digest.update(block)
        yield block
    yield digest.digest()


class Blocks:
    """The blocks of a checkpoint, taken one after the other."""

    def __init__(self, content: memoryview) -> None:
        self._left = content

    def take(self, size: int) -> memoryview:
        """The next so many bytes."""
        block, self._left = self._left[:size], self._left[size:]
        return block


def opened(path: Path, content: bytes, name: bytes) -> tuple[dict[str, Any], Blocks]:
    """What has been `signed`: the state and the blocks.

    Raises:
        DataFileError: it is damaged, or of another format.
    """
    body, digest = content[:-32], content[-32:]
    if not body.startswith(name) or hashlib.sha256(body).digest() != digest:
        raise damaged(path)
    line = body.index(b"\n", len(name))
    return json.loads(body[len(name) : line]), Blocks(memoryview(body)[line + 1 :])


def damaged(path: Path) -> DataFileError:
    """The error that says so."""
    return DataFileError("the checkpoint {path} is damaged", path=repr(str(path)))


def same_search(path: Path, kept: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Compare what a checkpoint says it is of with the search that wants it.

    Raises:
        InputError: it belongs to another search; says in what they differ.
    """
    if kept == wanted:
        return
    other = ", ".join(
        f"{key} {kept.get(key)!r} instead of {wanted[key]!r}"
        for key in wanted
        if kept.get(key) != wanted[key] and key != "marks"
    )
    raise InputError(
        "the checkpoint {path} belongs to another search ({other}); name another file or remove it",
        path=repr(str(path)),
        other=other or Phrase("other weights or marks"),
    )


def entries(table: U64, smallest: int = _SMALLEST) -> tuple[I64, U64]:
    """What is worth keeping of a transposition table: int64 slots (n), uint64 entries (n, 4)."""
    sizes = (table[:, 3] & np.uint64(0xFFFFFFFF)).astype(np.int64)
    slots = np.flatnonzero(sizes >= smallest).astype(np.int64)
    return slots, np.ascontiguousarray(table[slots])


def rows_of(content: bytes | memoryview) -> U64:
    """Rows of four words from their bytes: uint64 (n, 4), not to be written to."""
    return np.frombuffer(content, np.uint64).reshape(-1, 4)


def enter(table: U64, slots: bytes | memoryview, rows: bytes | memoryview) -> None:
    """Put kept `entries`, as their bytes, into a transposition table of the same size."""
    table[np.frombuffer(slots, np.int64)] = rows_of(rows)


def _set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it is neither used nor overwritten; the new name."""
    number, aside = 1, path.with_name(f"{path.name}.damaged")
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    path.rename(aside)
    return aside
