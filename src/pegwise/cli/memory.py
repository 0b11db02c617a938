"""Too little memory: one sentence, whatever it has led to."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pegwise.errors import PegwiseError, TooLargeError

_TIGHT: Final = 256 << 20
"""Bytes that a library may need to be loaded, or a kernel to be compiled."""

_COMPILER: Final = 384 << 20
"""Bytes that Numba, machine code that is kept, and threads that run it may need."""

_LOADING: Final = (ImportError, OSError, RuntimeError, SystemError)


@contextmanager
def memory_explained() -> Iterator[None]:
    """Raise TooLargeError in place of whatever too little memory has led to in the block."""
    finder = _SpaceForCompiler()
    sys.meta_path.insert(0, finder)
    try:
        yield
    except Exception as error:
        if not lacks_memory(error):
            raise
    else:
        return
    finally:
        sys.meta_path.remove(finder)
    # what the work held is free by now
    raise TooLargeError(
        "memory is used up: give a smaller board or fewer --jobs, or allow more (ulimit -v)"
    )


class _SpaceForCompiler:
    """Finds no module, but raises MemoryError where the compiler is imported without space for it.

    The C library ends a process in which a thread has no memory for its own data.
    """

    def find_spec(self, fullname: str, *_more: object) -> None:
        if fullname == "llvmlite" and space_left() < _COMPILER:
            raise MemoryError


def lacks_memory(error: BaseException) -> bool:
    """Whether an error is one of too little memory, by what it is or what led to it.

    A library that cannot be loaded, or a thread that cannot be started, counts as one where hardly
    any address space is left.
    """
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        # an error raised "from None" has another reason than the error before it
        before = None if cause.__suppress_context__ else cause.__context__
        cause = cause.__cause__ or before
    if any(map(_says_so, chain)):
        return True
    loading = any(isinstance(each, _LOADING) for each in chain)
    return loading and not isinstance(error, PegwiseError) and space_left() < _TIGHT


def _says_so(error: BaseException) -> bool:
    out = isinstance(error, OSError) and error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or out


def check_space(*_compiling: object) -> None:
    """Raise MemoryError where too little address space is left to compile a kernel.

    The compiler would end the process.
    """
    if space_left() < _TIGHT:
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
