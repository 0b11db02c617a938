"""The folder of what pegwise keeps for a user, and files that appear as a whole or not at all."""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from pegwise.errors import DataFileError, HomeError, OutputError, Phrase, quoted, system_reason

SHARED: Final = 0o666
"""Permissions of a file that others may use as far as the user's mask lets them."""

OUTPUTS: Final = ".outputs"
"""The suffix of the file beside a checkpoint that says what the search has written."""

_PRIVATE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700

TREE_SUFFIXES: Final = {
    ".tree": "tree",
    ".txt": "viaud",
    ".viaud": "viaud",
    ".irving": "irving",
    ".csv": "csv",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
}
"""The format of a tree by the suffix of its file."""

Block = bytes | memoryview

IN_USE: Final = Phrase(
    "another process of pegwise works on {path}: wait until it has ended, or stop it"
)


def home() -> Path:
    """The user's data directory, or the one that PEGWISE_HOME names; it may not exist yet.

    A HomeError if nothing can be looked up in it.
    """
    if named := os.environ.get("PEGWISE_HOME"):
        folder = Path(named)
    else:
        from platformdirs import user_data_path

        folder = user_data_path("pegwise", appauthor=False)
    try:
        (folder / "words").stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # a name that is too long, a directory of another user
        raise _home_error(error, folder) from error
    return folder


def outputs_of(checkpoint: Path) -> Path:
    """The file beside a checkpoint that says which files the unfinished search has written."""
    return checkpoint.with_name(f"{checkpoint.name}{OUTPUTS}")


_NO_FOLDER: Final = {
    *(errno.ENOTDIR, errno.EEXIST, errno.EACCES, errno.EPERM, errno.EROFS),
    errno.ENOENT,  # a directory that cannot be made, as in /proc
}


def check_home(error: OSError, path: Path) -> None:
    """Raise an OutputError that names the user's data directory if `path` fails because of it."""
    if error.errno in _NO_FOLDER and path.is_relative_to(home()):
        raise _home_error(error, home()) from error


def make_folder(folder: Path) -> None:
    """Make a directory and those above it that are missing, for the user alone; OSError if not."""
    for each in reversed([folder, *folder.parents]):
        if not each.is_dir():
            each.mkdir(_PRIVATE_FOLDER, exist_ok=True)


def make_home(folder: Path) -> None:
    """Make this data directory if it is missing; an OutputError if it takes no files."""
    try:
        make_folder(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _home_error(error, folder) from error


def _home_error(error: OSError, folder: Path) -> HomeError:
    return HomeError(
        "no data can be kept in {folder} ({reason}): set PEGWISE_HOME to a directory that you may "
        "write to",
        folder=repr(str(folder)),
        reason=system_reason(error),
    )


def read_whole(path: Path, most: int = -1) -> bytes:
    """The content of a file, or its first bytes; a DataFileError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = system_reason(error) if isinstance(error, OSError) else Phrase("it is not a path")
        raise unreadable(path, reason) from error


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most `most` bytes; a DataFileError if it is none.

    It is in UTF-8, or in UTF-16 if it begins with the byte order mark, as Windows writes it.
    """
    data = read_whole(path, most + 1)
    if len(data) > most:
        raise unreadable(path, Phrase("it has more than {most:,} bytes", most=most))
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable(path, Phrase("it is not text in UTF-8")) from error


def unreadable(path: Path, reason: Phrase) -> DataFileError:
    """An error that says why a file cannot be read."""
    return DataFileError("cannot read {path}: {reason}", path=quoted(str(path)), reason=reason)


@contextmanager
def locked(path: Path, refusal: str = IN_USE) -> Iterator[None]:
    """Hold a file for this process; an OutputError that says `refusal` if another one holds it.

    A process may hold a file several times. Where no data can be kept, nothing is held.
    """
    from filelock import FileLock, Timeout

    name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:16]
    folder = home() / "locks"
    lock = FileLock(folder / f"{name}.lock", is_singleton=True)
    try:
        make_folder(folder)
        lock.acquire(blocking=False)
    except Timeout:
        raise OutputError(str(refusal), path=repr(str(path))) from None
    except OSError:
        yield
        return
    try:
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):  # some systems keep what is open
                Path(lock.lock_file).unlink()
        lock.release()


def new_beside(path: Path, permissions: int = _PRIVATE) -> Path:
    """A new empty file in the folder of `path`, by default for its user alone, or OSError."""
    beside = path.parent / f".pegwise.{os.urandom(8).hex()}"
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


def write_whole(
    path: Path,
    blocks: Iterable[Block],
    failure: str = Phrase("cannot write {path}: {reason}"),
    *,
    shared: bool = False,
) -> None:
    """Write a file from blocks, or leave it as it is, with an OutputError that says `failure`.

    If the file is not to be shared, it is for its user alone, and its folder is made.
    """
    try:
        if not shared:
            make_folder(path.parent)
        with replacing(path, SHARED if shared else _PRIVATE) as beside, beside.open("wb") as file:
            file.writelines(blocks)
    except OSError as error:
        check_home(error, path)
        values = {"path": repr(str(path)), "folder": repr(str(path.parent))}
        raise OutputError(str(failure), **values, reason=system_reason(error)) from error
