"""The marks of a game in a file: as a process writes them, and kept for later runs.

They are kept under a digest of the file, and hold as long as the files that it read are the same.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import I64, U16
from pegwise.game.marked import MarkedList
from pegwise.paths import home, replacing

MARKS: Final = "marks.npz"
"""The file that the process of a game writes."""


@dataclass(frozen=True)
class Marked:
    """Secrets, guesses and marks as texts, the table of marks, and the files that were read.

    `table` is uint16 (guesses, secrets), `weights` int64 (secrets) or None.
    """

    texts: tuple[list[str], list[str], list[str]]
    table: U16
    weights: I64 | None
    questions: int
    files: dict[str, str]  # digests by path

    @classmethod
    def load(cls, path: Path) -> Marked:
        """Read what `write` has written; OSError, ValueError, KeyError or BadZipFile for damage."""
        with np.load(path, allow_pickle=False) as arrays:
            told = json.loads(arrays["texts"].tobytes().decode())
            secrets, guesses, marks, questions, files = told
            table = arrays["table"]
            return cls((secrets, guesses, marks), table, arrays.get("weights"), questions, files)

    def write(self, path: Path) -> None:
        """Write it into a file."""
        texts = json.dumps([*self.texts, self.questions, self.files]).encode()
        arrays: dict[str, Any] = {"texts": np.frombuffer(texts, np.uint8), "table": self.table}
        if self.weights is not None:
            arrays["weights"] = self.weights
        np.savez(path, allow_pickle=False, **arrays)

    def listed(self, name: str) -> MarkedList:
        """The game, called so."""
        return MarkedList.of_table(name, self.texts, self.table, self.weights, self.questions)


@dataclass(frozen=True)
class MarksStore:
    """Where the marks of one version of a file are kept."""

    path: Path

    @classmethod
    def of(cls, path: Path, source: str, wanted: tuple[str, str]) -> MarksStore:
        """The place for the game of this name and these options."""
        identity = json.dumps([__version__, str(path), source, *wanted])
        return cls(home() / "marks" / f"{hashlib.sha256(identity.encode()).hexdigest()[:16]}.npz")

    def load(self) -> Marked | None:
        """The marks; None where there are none, they are damaged, or what was read is new."""
        with suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
            marked = Marked.load(self.path)
            if all(file_digest(name) == digest for name, digest in marked.files.items()):
                return marked
        return None

    def keep(self, written: Path) -> bool:
        """Keep a file of marks, where the user's data directory takes files; whether it does."""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.path) as beside:
                shutil.move(written, beside)
            return True
        return False


def file_digest(name: str) -> str:
    """A digest of a file; empty for none."""
    with suppress(OSError), Path(name).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
    return ""
