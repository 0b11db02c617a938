"""The marks of a game in a file: as a process writes them, and kept for later runs.

They are kept under a digest of the file, and hold as long as the files that it read are the same.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import I64, U16, from_bytes, to_bytes
from pegwise.errors import OutputError
from pegwise.game.table import TextTable
from pegwise.kept import MARKS, Folder

WRITTEN: Final = "marks"
"""The file that the process of a game writes."""


@dataclass(frozen=True)
class FileMarks:
    """Secrets, guesses and marks as texts, the table of marks, and the files that were read.

    `table` is uint16 (guesses, secrets), `weights` int64 (secrets) or None.
    """

    texts: tuple[list[str], list[str], list[str]]
    table: U16
    weights: I64 | None
    questions: int
    files: dict[str, str]  # digests by path

    @classmethod
    def from_bytes(cls, value: bytes | memoryview) -> FileMarks:
        """Read what `to_bytes` has written; ValueError, TypeError or LookupError for others."""
        (secrets, guesses, marks, questions, files), (table, *weights) = from_bytes(value)
        shape = len(guesses), len(secrets)
        if table.dtype != np.uint16 or table.shape != shape or table.max(initial=0) >= len(marks):
            raise ValueError("no table of these marks")
        own = weights[0] if weights else None
        return cls((secrets, guesses, marks), table, own, questions, files)

    def to_bytes(self) -> bytes:
        """The whole as bytes."""
        weights = [] if self.weights is None else [self.weights]
        return to_bytes([*self.texts, self.questions, self.files], self.table, *weights)

    def listed(self, name: str) -> TextTable:
        """The game, called so."""
        return TextTable.of_table(name, self.texts, self.table, self.weights, self.questions)


@dataclass(frozen=True)
class MarksStore:
    """Where the marks of one version of a file are kept."""

    key: str
    folder: Folder

    @classmethod
    def of(cls, path: Path, source: str, wanted: tuple[str, str]) -> MarksStore:
        """The place for the game of this name and these options."""
        identity = json.dumps([__version__, str(path), source, *wanted])
        key = hashlib.sha256(identity.encode()).hexdigest()[:16]
        return cls(key, MARKS.store())

    def load(self) -> FileMarks | None:
        """The marks; None where there are none, they are damaged, or a file has changed."""
        if (value := self.folder.get(self.key)) is not None:
            with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                marked = FileMarks.from_bytes(value)
                if all(file_digest(name) == digest for name, digest in marked.files.items()):
                    return marked
        return None

    def keep(self, value: bytes) -> bool:
        """Keep marks as bytes, where the user's data directory takes files; whether it does."""
        with suppress(OutputError):
            self.folder.put(self.key, value)
            return True
        return False


def file_digest(name: str) -> str:
    """A digest of a file; empty for none."""
    with suppress(OSError), Path(name).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
