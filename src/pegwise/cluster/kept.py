"""Finished pieces on disk, so that work that was stopped goes on."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

from pegwise.errors import OutputError, system_reason
from pegwise.files import replacing

__all__ = ["Kept"]


class Kept:
    """Finished pieces in a folder, for a later run of the same work.

    Args:
        folder: where; made when the first piece is kept.
        identity: what is done, by which version, in words; other work has other files.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        sign = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self.folder = folder / sign

    def load(self, piece: Any) -> Any:
        """The result of a piece; KeyError if it is not kept, or damaged."""
        path = self._path(piece)
        try:
            data = path.read_bytes()
        except OSError:
            raise KeyError(path.name) from None
        sign, body = data[:32], data[32:]
        if hashlib.sha256(body).digest() != sign:
            raise KeyError(path.name)
        return pickle.loads(body)  # noqa: S301 - our own file, whole

    def save(self, piece: Any, result: Any) -> None:
        """Keep the result of a piece; the file is there as a whole or not at all.

        Raises:
            OutputError: it cannot be written.
        """
        path = self._path(piece)
        body = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with replacing(path) as beside:
                beside.write_bytes(hashlib.sha256(body).digest() + body)
        except OSError as error:
            raise OutputError(
                "cannot keep a finished piece in {folder}: {reason}",
                folder=repr(str(self.folder)),
                reason=system_reason(error),
            ) from None

    def forget(self) -> None:
        """Remove every piece: the work is finished."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)
            self.folder.rmdir()

    def _path(self, piece: Any) -> Path:
        return self.folder / hashlib.sha256(repr(piece).encode()).hexdigest()[:24]
