"""Files of several parts, as ZIP archives: the same parts give the same bytes, damage is found."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pegwise.errors import DataFileError, OutputError, system_reason
from pegwise.paths import replacing

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MOST_PARTS: Final = 10_000
_LARGEST: Final = 1 << 31


def pack(parts: dict[str, bytes]) -> bytes:
    """The content of a file with these parts, by name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compresslevel=9) as archive:
        for name, part in parts.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, part)
    return content.getvalue()


def unpack(content: bytes, name: str) -> dict[str, bytes]:
    """The parts of a file; errors call it `name`.

    Raises:
        DataFileError: it is damaged, truncated or foreign.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_PARTS or sum(entry.file_size for entry in entries) > _LARGEST:
                raise DataFileError("{name} is damaged: it claims to be too large", name=repr(name))
            return {entry.filename: archive.read(entry) for entry in entries}
    except DataFileError:
        raise
    # what a damaged archive makes the library raise is not told in its documentation
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, EOFError, zlib.error) as error:
        raise DataFileError(
            "{name} is damaged or foreign: {error}", name=repr(name), error=error
        ) from error


def read_whole(path: Path, most: int = -1) -> bytes:
    """The content of a file, or its first bytes.

    Raises:
        DataFileError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise DataFileError(
            "cannot read {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
        ) from error


def write_whole(path: Path, blocks: Iterable[bytes | memoryview]) -> None:
    """Write a file from blocks, or leave the one that is there as it is.

    Raises:
        OutputError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as beside, beside.open("wb") as file:
            file.writelines(blocks)
    except OSError as error:
        raise OutputError(
            "cannot write {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
        ) from error
