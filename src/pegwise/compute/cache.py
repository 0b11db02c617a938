"""Results of finished pieces of long work, stored for a later run of the same work."""

from __future__ import annotations

import hashlib
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

from pegwise.errors import HomeError, Phrase
from pegwise.paths import without_digest, write_digested


class ResultCache:
    """Results of pieces in a folder, for a later run of the same work.

    The identity says what is done, by which version; other work has other files.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = folder / hashlib.sha256(identity.encode()).hexdigest()[:16]

    @property
    def used(self) -> bool:
        """Whether any result is stored."""
        return self.folder.is_dir() and any(self.folder.iterdir())

    def load(self, piece: Any) -> Any:
        """The result of a piece; KeyError if it is not stored, or damaged."""
        path = self._path(piece)
        # a class may have another name in the version that stored it
        with suppress(OSError, ValueError, AttributeError, ImportError):
            return pickle.loads(without_digest(path.read_bytes()))  # noqa: S301 - our own file
        raise KeyError(path.name)

    def save(self, piece: Any, result: Any) -> None:
        """Store the result of a piece; the file is there as a whole or not at all.

        Where the user's data directory takes no files, nothing is stored: no later run goes on.
        """
        body = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        failure = Phrase("cannot keep a finished piece in {folder}: {reason}")
        with suppress(HomeError):
            write_digested(self._path(piece), [body], failure)

    def clear(self) -> None:
        """Remove every result: the work is finished."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)
            with suppress(OSError):  # another process of the same work stores a piece there now
                self.folder.rmdir()

    def _path(self, piece: Any) -> Path:
        return self.folder / hashlib.sha256(repr(piece).encode()).hexdigest()[:24]
