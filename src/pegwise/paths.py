"""The folder of what pegwise keeps for a user, and files that appear as a whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SHARED: Final = 0o666
"""Permissions of a file that others may use as far as the user's mask lets them."""

_PRIVATE: Final = 0o600


def home() -> Path:
    """The user's data directory, or the one that PEGWISE_HOME names; it may not exist yet."""
    if named := os.environ.get("PEGWISE_HOME"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("pegwise", appauthor=False)


def new_beside(path: Path, permissions: int = _PRIVATE) -> Path:
    """A new empty file in the folder of `path`, by default for its user alone, or OSError."""
    beside = path.parent / f".pegwise.{secrets.token_hex(8)}"
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, permissions))
    return beside


@contextmanager
def replacing(path: Path, permissions: int = _PRIVATE) -> Iterator[Path]:
    """A new file to fill, which takes the place of `path` at the end of the block.

    If it cannot be filled or put in place (OSError), it is removed, and `path` stays as it is.
    """
    beside = new_beside(path, permissions)
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
