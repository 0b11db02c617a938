"""What is kept for later runs: values by key, in a folder; a database may keep them too.

A value is bytes, of a form that its reader checks, and is there as a whole or not at all. No value
is a pickle: reading one runs nothing, whoever has written it.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Final

from pegwise.errors import DamagedError, DataFileError, HomeError, Phrase, system_reason
from pegwise.paths import Block, check_home, unreadable, write_whole

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
    """

    def __init__(self, path: Path, failure: str = Phrase("cannot write {path}: {reason}")) -> None:
        self.path, self._failure = path, failure

    def put(self, key: str, *blocks: Block) -> None:
        write_whole(self.path / key, [*blocks, digest_of(*blocks)], self._failure)

    def read(self, key: str) -> memoryview | None:
        path = self.path / key
        try:
            content = memoryview(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            check_home(error, path)
            raise unreadable(path, system_reason(error)) from error
        value, digest = content[:-_DIGEST], content[-_DIGEST:]
        if digest_of(value) != digest:
            damaged = DamagedError("{path} is damaged", path=repr(str(path)))
            damaged.content = content
            raise damaged
        return value

    def keys(self) -> list[str]:
        if not self.path.is_dir():
            return []
        return [path.name for path in self.path.iterdir() if not path.name.startswith(".")]

    def forget(self, key: str | None = None) -> None:
        for name in self.keys() if key is None else [key]:
            (self.path / name).unlink(missing_ok=True)
        if key is None:
            with suppress(OSError):  # none, or another process keeps a value there now
                self.path.rmdir()
