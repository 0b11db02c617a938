"""Results of finished pieces of long work, stored for a later run of the same work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pegwise.errors import HomeError, Phrase
from pegwise.kept import Folder

R = TypeVar("R")

_FAILURE: Final = Phrase("cannot keep a finished piece in {folder}: {reason}")
_NOT_READ: Final = ArithmeticError, LookupError, RecursionError, TypeError, ValueError


class ResultForm(NamedTuple, Generic[R]):
    """How the result of a piece is written as bytes, and read: `arrays.to_bytes` and `from_bytes`.

    `read` raises ValueError, TypeError or LookupError for other bytes.
    """

    write: Callable[[R], bytes]
    read: Callable[[memoryview], R]


class ResultCache(Generic[R]):
    """Results of pieces in a folder, for a later run of the same work.

    The identity says what is done, by which version; other work has a folder of its own.
    """

    def __init__(self, folder: Path, identity: str, form: ResultForm[R]) -> None:
        self._kept = Folder(folder / hashlib.sha256(identity.encode()).hexdigest()[:16], _FAILURE)
        self._form = form

    @property
    def used(self) -> bool:
        """Whether any result is stored."""
        return bool(self._kept.keys())

    def load(self, piece: Any) -> R:
        """The result of a piece; KeyError if it is not stored, or damaged."""
        value = self._kept.get(key := _key(piece))
        if value is not None:
            with suppress(*_NOT_READ):
                return self._form.read(value)
        raise KeyError(key)

    def save(self, piece: Any, result: R) -> None:
        """Store the result of a piece; the file is there as a whole or not at all.

        Where the user's data directory takes no files, nothing is stored: no later run goes on.
        """
        with suppress(HomeError):
            self._kept.put(_key(piece), self._form.write(result))

    def clear(self) -> None:
        """Remove every result: the work is finished."""
        self._kept.forget()


def _key(piece: Any) -> str:
    """A key for the result of a piece, which its `repr` tells apart."""
    return hashlib.sha256(repr(piece).encode()).hexdigest()[:24]
