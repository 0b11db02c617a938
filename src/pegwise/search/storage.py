"""Files of searches: checkpoints, and archives of several parts.

A checkpoint is a line that names the format, a line of JSON with what is searched and how far it
is, blocks of bytes, and the SHA-256 of all before it. What stands in the JSON and in the blocks is
for each search to say (`Resumable`). A file is replaced as a whole, so that a search that is killed
at any moment continues from the last checkpoint; this is removed when the search has ended.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
import zlib
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.errors import DamagedError, DataFileError, InputError, Phrase
from pegwise.game import Game
from pegwise.kept import CHECKPOINTS, Folder
from pegwise.paths import OUTPUTS
from pegwise.paths import Block as Block
from pegwise.progress import Progress, Report, silent

EVERY: Final = 20.0  # seconds between two checkpoints
_SMALLEST_ENTRY: Final = 6  # smaller sets are searched again sooner than they are read
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MOST_PARTS: Final = 10_000  # more parts in a file are a sign of damage
_LARGEST: Final = 1 << 31  # bytes that the parts of a file may unpack to

DAMAGE = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
"""Errors that reading a damaged file may raise."""

State = dict[str, Any]
Result = TypeVar("Result")


# files and archives


def pack(parts: dict[str, bytes]) -> bytes:
    """A ZIP archive of these parts, by name; the same parts give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compresslevel=9) as archive:
        for name, part in parts.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, part)
    return content.getvalue()


def unpack(content: bytes, name: str) -> dict[str, bytes]:
    """The parts of an archive; a DataFileError calls it `name`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _LARGEST:
                raise DataFileError("{name} is damaged: it claims to be too large", name=repr(name))
            return {part.filename: archive.read(part) for part in parts}
    except DataFileError:
        raise
    # what a damaged archive makes the library raise is not told in its documentation
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, EOFError, zlib.error) as error:
        raise DataFileError("{name} is damaged, or not a certificate", name=repr(name)) from error


def fingerprint(game: Game) -> str:
    """A digest of sizes, some rows of marks, and weights: tells games of the same name apart."""
    digest = hashlib.sha256(f"{game.n_guesses} {game.n_secrets} {game.n_marks}".encode())
    for guess in np.linspace(0, game.n_guesses - 1, min(game.n_guesses, 64)).astype(int).tolist():
        digest.update(game.marks(guess).astype(np.uint16).tobytes())
    if game.weights is not None:
        digest.update(np.asarray(game.weights, np.int64).tobytes())
    return digest.hexdigest()


# checkpoints


_UNWRITTEN: Final = Phrase("cannot write the checkpoint {path}: {reason}")


class Blocks:
    """The blocks of a checkpoint, read one after the other."""

    def __init__(self, content: bytes | memoryview) -> None:
        self._content = memoryview(content)
        self._at = 0

    def take(self, size: int) -> memoryview:
        """The next `size` bytes."""
        self._at += size
        return self._content[self._at - size : self._at]

    def rows(self, count: int) -> U64:
        """The next `count` rows: uint64 (count, 4), not to be written to."""
        return np.frombuffer(self.take(32 * count), np.uint64).reshape(-1, 4)

    def fill(self, table: U64, count: int) -> None:
        """Put the next `count` slots and entries into a transposition table of the same size."""
        slots = np.frombuffer(self.take(8 * count), np.int64)
        table[slots] = self.rows(count)


def entries(table: U64, smallest: int = _SMALLEST_ENTRY) -> tuple[I64, U64]:
    """Entries of a transposition table worth storing: int64 slots (n), uint64 entries (n, 4)."""
    sizes = table[:, 3] & np.uint64(0xFFFFFFFF)
    slots = np.flatnonzero(sizes >= np.uint64(smallest)).astype(np.int64)
    return slots, np.ascontiguousarray(table[slots])


class Resumable(ABC, Generic[Result]):
    """A long search, which may be left at any step, and go on later.

    `file_format` is the first line of its checkpoints and `file_suffix` ends their names. `options`
    are attributes that change the answer.
    """

    file_format: ClassVar[bytes]
    file_suffix: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()
    game: Any

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the search has ended."""

    @abstractmethod
    def run(self, report: Report = silent) -> None:
        """Search to the end; raising from the report leaves it."""

    @abstractmethod
    def result(self) -> Result:
        """The best answer so far."""

    @abstractmethod
    def state(self) -> tuple[State, list[Block]]:
        """The state that a checkpoint holds, and blocks of bytes beside it."""

    @abstractmethod
    def restore(self, state: State, blocks: Blocks) -> None:
        """Go on from a state, before the search begins; with one of `DAMAGE` not at all."""

    @abstractmethod
    def summary(self) -> Phrase:
        """How much has been done, in words."""

    @property
    def worth_storing(self) -> bool:
        """Whether there is something to go on from."""
        return not self.finished

    def identity(self) -> State:
        """Values that a checkpoint must agree with: game, weights and options."""
        options = {name: getattr(self, name) for name in self.options}
        return {"game": self.game.name, "marks": fingerprint(self.game), **options}

    def file_name(self) -> str:
        """The name of a checkpoint that only the same search uses."""
        text = json.dumps(self.identity(), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        name = "".join(c if c.isalnum() else "-" for c in self.game.name)
        return f"{name}-{digest}.{self.file_suffix}"

    @classmethod
    def read_state(cls, value: memoryview) -> tuple[State, Blocks]:
        """The state and the blocks of a checkpoint; one of `DAMAGE` if it is none."""
        body, start = bytes(value), len(cls.file_format)
        if not body.startswith(cls.file_format):
            raise ValueError("no checkpoint of such a search")
        end = body.index(b"\n", start)
        return json.loads(body[start:end]), Blocks(memoryview(body)[end + 1 :])


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Checkpoint:
    """Stores a search in a file while it runs, once in `every` seconds."""

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self._kept = Folder(path.parent, _UNWRITTEN)
        self._begun = time.process_time()

    @staticmethod
    def default_path(search: Resumable[Any]) -> Path:
        """A file among the user's data."""
        return CHECKPOINTS.store().path / search.file_name()

    def note_output(self, path: Path) -> None:
        """Remember a file as the unfinished search has written it; OutputError if it cannot be."""
        written = self._written() | {str(path.absolute()): _digest_of(path)}
        self._kept.put(self._outputs, json.dumps(written).encode())

    def wrote(self, path: Path) -> bool:
        """Whether a file is still as the unfinished search has written it."""
        digest = self._written().get(str(path.absolute()))
        return digest is not None and path.is_file() and digest == _digest_of(path)

    def _written(self) -> dict[str, str]:
        """The digests of the files that the unfinished search has written, by path."""
        value = self._kept.get(self._outputs)
        with suppress(*DAMAGE):
            return dict(json.loads(bytes(value or b"")))
        return {}

    @property
    def _outputs(self) -> str:
        return self.path.name + OUTPUTS

    @property
    def seconds(self) -> float:
        """Processor time of the search, with that of earlier runs where the file tells it."""
        return time.process_time() - self._begun

    def save(self, search: Resumable[Any]) -> None:
        """Write the state of a search; an OutputError leaves an earlier file as it is."""
        state, blocks = search.state()
        state = {"search": search.identity(), **state, "seconds": round(self.seconds, 2)}
        head = search.file_format + json.dumps(state).encode() + b"\n"
        self._kept.put(self.path.name, head, *blocks)

    def load(self, search: Resumable[Any]) -> bool:
        """Put a stored state into a search that has not begun; False when there is none.

        Raises:
            DataFileError: the file is damaged, or cannot be read; it is left as it is.
            InputError: it is no checkpoint, or belongs to another search.
        """
        try:
            value = self._kept.read(self.path.name)
        except DamagedError as error:
            if not error.content:  # an empty file, as mktemp makes it
                return False
            raise self._unusable(search, error.content) from error
        if value is None:
            return False
        identity = search.identity()
        try:
            state, blocks = search.read_state(value)
            stored, seconds = state["search"], float(state.get("seconds", 0))
            if stored == identity:
                search.restore(state, blocks)
            differences = [
                f"{key} {stored.get(key)!r} instead of {value!r}"
                for key, value in identity.items()
                if stored.get(key) != value and key != "marks"
            ]
        except DAMAGE as error:
            raise self._unusable(search, value) from error
        if stored != identity:
            raise InputError(
                "the checkpoint {path} belongs to another search ({difference}); name another file "
                "or remove it",
                path=repr(str(self.path)),
                difference=", ".join(differences) or Phrase("other weights or marks"),
            )
        self._begun -= seconds
        return True

    def _unusable(self, search: Resumable[Any], content: memoryview) -> InputError:
        """That a file is no checkpoint of such a search, or is damaged."""
        path, start = repr(str(self.path)), search.file_format.rstrip(b"0123456789\n")
        if content[: len(start)] != start:
            return InputError(
                "{path} is not a checkpoint of such a search; name another file or remove it",
                path=path,
            )
        return DataFileError("the checkpoint {path} is damaged", path=path)

    def resume(self, search: Resumable[Any]) -> Phrase:
        """Put what is stored into a search; a sentence that says so, or "".

        A damaged file is renamed, so that it is neither used nor overwritten.

        Raises:
            InputError: the file is no checkpoint, or belongs to another search.
            DataFileError: it cannot be read.
        """
        try:
            if not self.load(search):
                return Phrase("")
        except DataFileError as error:
            if not self.path.is_file():
                raise
            number, aside = 1, self.path.with_name(f"{self.path.name}.damaged")
            while aside.exists():
                number += 1
                aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
            self.path.rename(aside)
            return Phrase(
                "{error}; it is kept as {name} and the search begins anew",
                error=error,
                name=repr(aside.name),
            )
        return Phrase(
            "resumed from the checkpoint {path} ({done})",
            path=repr(str(self.path)),
            done=search.summary(),
        )

    def run(self, search: Resumable[Any], report: Report = silent) -> None:
        """Run a search, and store it now and then, and when it is left."""
        try:
            self.run_open(search, report)
        finally:
            self.leave(search)

    def run_open(self, search: Resumable[Any], report: Report) -> None:
        """Run a search, and store it now and then."""
        last, pause = time.monotonic(), self.every

        def tell(step: Progress) -> None:
            nonlocal last, pause
            report(step)
            if (now := time.monotonic()) - last >= pause:
                self.save(search)
                last = time.monotonic()
                pause = self.every * max(1.0, last - now)  # large ones take seconds

        search.run(tell)

    def leave(self, search: Resumable[Any], *, keep: bool = False) -> None:
        """Store a search that is left; remove the file of one that has ended, unless it is kept."""
        if keep or search.worth_storing:
            self.save(search)
        else:
            self.clear()

    def clear(self) -> None:
        """Remove the file, and the one beside it: the search has ended."""
        self._kept.forget(self.path.name)
        self._kept.forget(self._outputs)
