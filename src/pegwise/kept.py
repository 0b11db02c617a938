"""What is kept for later runs: values by key, in a folder; a database may keep them too.

A value is bytes, of a form that its reader checks, and is there as a whole or not at all. No value
is a pickle: reading one runs nothing, whoever has written it.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pegwise.errors import DamagedError, DataFileError, HomeError, Phrase, system_reason
from pegwise.paths import Block, check_home, home, unreadable, write_whole

_DIGEST: Final = hashlib.sha256().digest_size


class Kept(ABC):
    """Values by key."""

    @abstractmethod
    def put(self, key: str, *blocks: Block) -> None:
        """Keep a value, in place of an earlier one; OutputError if it cannot be kept."""

    @abstractmethod
    def read(self, key: str) -> memoryview | None:
        """A value; None if there is none. DamagedError, or DataFileError if it cannot be read."""

    @abstractmethod
    def keys(self) -> list[str]:
        """The keys of all values, in any order."""

    @abstractmethod
    def forget(self, key: str | None = None) -> None:
        """Remove a value, or all of them."""

    def get(self, key: str) -> memoryview | None:
        """A value; None if there is none, or none that is whole."""
        try:
            return self.read(key)
        except (DataFileError, HomeError):
            return None


def digest_of(*blocks: Block) -> bytes:
    """The SHA-256 of a value."""
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.digest()


class Folder(Kept):
    """Values in the files of a folder, for its user alone: a value, then its SHA-256.

    Args:
        path: the folder; it is made when the first value is kept.
        failure: what is said of a value that cannot be kept.
        digested: whether the SHA-256 is there; not where the form of the values shows damage, and
            other commands read the files too.
    """

    def __init__(
        self,
        path: Path,
        failure: str = Phrase("cannot write {path}: {reason}"),
        *,
        digested: bool = True,
    ) -> None:
        self.path, self._failure, self._digested = path, failure, digested

    def put(self, key: str, *blocks: Block) -> None:
        digest = [digest_of(*blocks)] if self._digested else []
        write_whole(self.path / key, [*blocks, *digest], self._failure)

    def read(self, key: str) -> memoryview | None:
        path = self.path / key
        try:
            content = memoryview(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            check_home(error, path)
            raise unreadable(path, system_reason(error)) from error
        if not self._digested:
            return content
        value, digest = content[:-_DIGEST], content[-_DIGEST:]
        if digest_of(value) != digest:
            damaged = DamagedError("{path} is damaged", path=repr(str(path)))
            damaged.content = content
            raise damaged
        return value

    def changed(self, key: str) -> int | None:
        """When a value was kept, in nanoseconds of the epoch; None if there is none."""
        with suppress(OSError):
            return (self.path / key).stat().st_mtime_ns
        return None

    def keys(self) -> list[str]:
        if not self.path.is_dir():
            return []
        return [path.name for path in self.path.iterdir() if not path.name.startswith(".")]

    def forget(self, key: str | None = None) -> None:
        if key is not None:
            (self.path / key).unlink(missing_ok=True)
        elif self.path.is_dir():
            for path in self.path.iterdir():  # what a killed process was writing, too
                path.unlink(missing_ok=True)
            with suppress(OSError):  # another process keeps a value there now
                self.path.rmdir()


@dataclass(frozen=True)
class Kind:
    """A kind of what is kept among a user's data: a row of `pegwise storage`.

    Attributes:
        about: what it is good for.
        most: bytes that are kept at most; None where something else limits it.
        folders: its folders below the user's data directory; none where it is elsewhere.
        digested: see `Folder`.
    """

    about: Phrase
    most: int | None
    folders: tuple[str, ...] = ()
    digested: bool = True

    def store(self, folder: str = "", data: Path | None = None) -> Folder:
        """The store of this kind, by default its first folder, in `home`."""
        return Folder((data or home()) / (folder or self.folders[0]), digested=self.digested)


GAMES: Final = Kind(Phrase("games played at the terminal"), 256 << 20, ("games",), digested=False)
ANSWERS: Final = Kind(
    Phrase("trees, values and sets that searches have proven"),
    4 << 30,
    ("optimal", "optima", "static", "values"),
    digested=False,
)
CHECKPOINTS: Final = Kind(
    Phrase("interrupted searches, which can be continued"), 4 << 30, ("checkpoints",)
)
MARKS: Final = Kind(Phrase("marks of games in files that took long"), 2 << 30, ("marks",))
PIECES: Final = Kind(
    Phrase("finished pieces of races and trees that were interrupted"), 4 << 30, ("pieces",)
)
TREES: Final = Kind(
    Phrase("trees that the web site has built"), 4 << 30, ("trees",), digested=False
)

KINDS: Final[Mapping[str, Kind]] = {
    "games": GAMES,
    # grow only when one is added
    "words": Kind(Phrase("lists of words that were added"), None, ("words",), digested=False),
    "answers": ANSWERS,
    "checkpoints": CHECKPOINTS,
    "marks": MARKS,
    "pieces": PIECES,
    "trees": TREES,
    # games and rooms are removed by their age
    "site": Kind(Phrase("games, lessons and results of the web site"), None),
    "kernels": Kind(
        Phrase("compiled kernels, of all versions; compiled again when needed"), 512 << 20
    ),
}
"""Whatever is kept."""
