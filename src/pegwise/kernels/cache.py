"""The cache of compiled kernels, whether a small game needs kernels, and whether they have memory.

This module does not import Numba.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pegwise.errors import MissingExtraError, Phrase

LARGEST = 1 << 24
"""The largest table of marks, in guesses times secrets: 4096 by 4096."""

LOADING: Final = 60_000_000
"""Marks that NumPy counts in the time that it takes to import Numba and load machine code."""

_COMPILING: Final = 5_000_000_000
"""Marks that NumPy counts in the time that it takes to compile the kernels."""

_CALL: Final = 10_000
"""Marks that NumPy counts in the time of a call."""

COMPILER_SPACE: Final = 384 << 20
"""Bytes that Numba, machine code that is kept, and threads that run it may need."""

KERNEL_SPACE: Final = 256 << 20
"""Bytes that a library may need to be loaded, or a kernel to be compiled."""


MOST: Final = 1 << 27
"""The largest table of marks without Numba: more than 4x10, 10,000 by 10,000."""


@dataclass
class Spent:
    """What decides whether this process plays small games by NumPy.

    Attributes:
        counted: the marks that it has counted.
        kernels: whether kernels play in any case.
    """

    counted: int = 0
    kernels: bool = False


spent: Final = Spent()

_compiled: set[str] = set()


@contextmanager
def without_numpy() -> Iterator[None]:
    """Have small games, too, played by kernels within the block."""
    before, spent.kernels = spent.kernels, True
    try:
        yield
    finally:
        spent.kernels = before


@cache
def has_numba() -> bool:
    """Whether Numba is installed, which compiles kernels: not in a browser, nor on musl."""
    from importlib.util import find_spec

    return find_spec("numba") is not None


def check_numba() -> None:
    """Refuse work by kernels, by MissingExtraError, where Numba is not installed."""
    if not has_numba():
        raise MissingExtraError.of_package(Phrase("work by compiled loops"), "numba")


def use_numpy(guesses: int, secrets: int, kernel: str = "marking", pegs: int = 0) -> bool:
    """Whether a game is played from its table of marks by `kernels.numpy_backend`, without kernels.

    This is the one place that decides whether kernels are loaded, or compiled: by the size of the
    game and of the work of this process so far, in marks. A small game is played without them until
    that work has cost what they would have: loading them where they are compiled, else compiling
    them. So it never takes twice the time of the better way (ski rental: Karlin et al. 1988,
    "Competitive snoopy caching"). Without Numba every game of up to `MOST` is played so.
    """
    if not has_numba():
        return guesses * secrets <= MOST
    if spent.kernels or guesses * secrets > LARGEST:
        return False
    return spent.counted <= LOADING or (spent.counted <= _COMPILING and not compiled(kernel, pegs))


def count_marks(number: int) -> None:
    """Add to the marks that are the work of this process; loading kernels is worth `LOADING`."""
    spent.counted += number + _CALL


@cache
def machine_code() -> Path:
    """The folder of compiled kernels: below NUMBA_CACHE_DIR, beside the source, or the user's.

    Its name tells Python, Numba and the sources of kernels apart. Numba looks only at the file of a
    function; but a kernel also holds what it calls.
    """
    import hashlib  # most commands need no kernels
    from importlib.util import find_spec

    source = Path(__file__).parent
    digest = hashlib.blake2b(str(sys.implementation.cache_tag).encode(), digest_size=6)
    numba = find_spec("numba")
    files = [*sorted(source.rglob("*.py")), *([Path(str(numba.origin))] if numba else ())]
    for path in files:
        state = path.stat()
        digest.update(f"{path} {state.st_size} {state.st_mtime_ns}".encode())
    folder = source / "__pycache__"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        folder = Path(named)
    elif not os.access(folder if folder.exists() else source, os.W_OK):
        from platformdirs import user_cache_path

        folder = user_cache_path("pegwise", appauthor=False)
    return folder / f"kernels-{digest.hexdigest()}"


def compiled(kernel: str, pegs: int = 0) -> bool:
    """Whether this machine has compiled kernels of a module before.

    Those of one-step strategies are compiled for each number of pegs: see `note_compiled`.
    """
    pattern = f"{kernel}.{pegs}-pegs" if pegs else f"{kernel}.*"
    if not has_numba():
        return False
    if pattern not in _compiled and any(machine_code().glob(pattern)):
        _compiled.add(pattern)
    return pattern in _compiled


def note_compiled(name: str) -> None:
    """Let other processes know what is compiled: `MODULE.KERNEL.ARGUMENTS`, or `MODULE.N-pegs`."""
    if name not in _compiled:
        _compiled.add(name)
        with suppress(OSError):  # a folder that may not be written
            machine_code().mkdir(parents=True, exist_ok=True)
            (machine_code() / name).touch()


def check_space(needed: int) -> None:
    """Raise MemoryError where less address space than this is left.

    The compiler would end the process, and so would a thread without memory for its own data.
    """
    if space_left() < needed:
        raise MemoryError


def space_left() -> float:
    """Bytes of address space that this process may still take; infinite where nothing limits it."""
    try:
        import resource
    except ImportError:  # a system that does not limit it so
        return float("inf")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    try:
        import psutil

        return float(limit - psutil.Process().memory_info().vms)
    except (MemoryError, ImportError, OSError):
        return 0
