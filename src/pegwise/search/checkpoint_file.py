"""What the checkpoints of all long searches share: whose they are, where they lie, when they go.

What a checkpoint holds is for each search to say.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from pegwise.errors import DataFileError, InputError, OutputError, Phrase, system_reason
from pegwise.game import Game
from pegwise.game.game import I64
from pegwise.home import home
from pegwise.kernels.exact_table import U64
from pegwise.search.archive import write_whole

__all__ = [
    "EVERY",
    "Keeper",
    "Resumable",
    "Stopwatch",
    "damaged",
    "entries",
    "fingerprint",
    "keep",
    "kept_while",
    "opened",
    "own_path",
    "read",
    "resumed",
    "same_search",
    "set_aside",
    "signed",
]

EVERY: Final = 20.0
"""Seconds between two checkpoints."""

_SMALLEST: Final = 6
"""Smaller sets are solved again sooner than they are read."""

T = TypeVar("T")
Step = TypeVar("Step", covariant=True)


class Resumable(Protocol[Step]):
    """A long search: an iterator of steps that may be left at any of them."""

    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""

    def __iter__(self) -> Iterator[Step]: ...


Search = TypeVar("Search", contravariant=True)


class Keeper(Protocol[Search]):
    """Reads the state of searches of some kind from a file."""

    path: Path

    def load(self, search: Search) -> bool:
        """Put the kept state into a search that has not begun; False when there is none."""


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


def keep(path: Path, blocks: Iterable[bytes | memoryview]) -> None:
    """Write a checkpoint; the file is replaced as a whole.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        write_whole(path, blocks)
    except OutputError as error:
        raise OutputError(
            "cannot write the checkpoint {path}: {reason}",
            path=repr(str(path)),
            reason=error.phrase.values["reason"],
        ) from error


def read(path: Path) -> bytes | None:
    """The content of a checkpoint, None when there is none.

    Raises:
        DataFileError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DataFileError(
            "cannot read the checkpoint {path}: {reason}",
            path=repr(str(path)),
            reason=system_reason(error),
        ) from error


def signed(
    name: bytes, state: dict[str, Any], *blocks: bytes | memoryview
) -> Iterator[bytes | memoryview]:
    """A checkpoint: a line that names its format, one of JSON, blocks, and a digest of it all."""
    digest = hashlib.sha256()
    for block in (name + json.dumps(state).encode() + b"\n", *blocks):
        digest.update(block)
        yield block
    yield digest.digest()


def opened(path: Path, content: bytes, name: bytes) -> tuple[dict[str, Any], bytes, int]:
    """The state of a checkpoint, its content without the digest, and where its blocks begin.

    Raises:
        DataFileError: it is damaged, or of another format.
    """
    body, digest = content[:-32], content[-32:]
    if not body.startswith(name) or hashlib.sha256(body).digest() != digest:
        raise damaged(path)
    line = body.index(b"\n", len(name))
    return json.loads(body[len(name) : line]), body, line + 1


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


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so that it is neither used nor overwritten; the new name."""
    number, aside = 1, path.with_name(f"{path.name}.damaged")
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    path.rename(aside)
    return aside


def resumed(search: Search, keeper: Keeper[Search], done: Callable[[], Phrase]) -> Phrase:
    """Put what is kept into a search; a sentence on what happened, or "".

    A damaged file is set aside.

    Args:
        search: has not begun.
        keeper: its file.
        done: how much the search has done, in words.

    Raises:
        InputError: the checkpoint belongs to another search.
        DataFileError: it cannot be read.
    """
    try:
        found = keeper.load(search)
    except DataFileError as error:
        if not keeper.path.is_file():
            raise
        aside = set_aside(keeper.path)
        return Phrase(
            "{error}; it is kept as {name} and the search begins anew",
            error=error,
            name=repr(aside.name),
        )
    if not found:
        return Phrase("")
    return Phrase(
        "going on from the checkpoint {path} ({done})", path=repr(str(keeper.path)), done=done()
    )


def kept_while(
    search: Resumable[T], save: Callable[[], None], path: Path, every: float = EVERY
) -> Generator[T]:
    """Run a search, keeping it in a file now and then, and when it is left early.

    The file goes when the search has finished.

    Args:
        search: what to run.
        save: writes its state.
        path: the file.
        every: seconds between two checkpoints.
    """
    last = time.monotonic()
    steps = iter(search)
    try:
        for step in steps:
            yield step
            if time.monotonic() - last >= every:
                save()
                last = time.monotonic()
    finally:
        steps.close()  # type: ignore[attr-defined]
        if search.finished:
            path.unlink(missing_ok=True)
        else:
            save()
