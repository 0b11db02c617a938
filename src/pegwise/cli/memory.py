"""Too little memory: one sentence, whatever it has led to."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pegwise.errors import PegwiseError, TooLargeError
from pegwise.kernels.cache import KERNEL_SPACE, space_left

_LOADING: Final = (ImportError, OSError, RuntimeError, SystemError)


@contextmanager
def memory_explained() -> Iterator[None]:
    """Raise TooLargeError in place of whatever too little memory has led to in the block."""
    try:
        yield
    except Exception as error:
        if not lacks_memory(error):
            raise
    else:
        return
    # what the work held is free by now
    raise TooLargeError(
        "memory is used up: give a smaller board or fewer --jobs, or allow more (ulimit -v)"
    )


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
    return loading and not isinstance(error, PegwiseError) and space_left() < KERNEL_SPACE


def _says_so(error: BaseException) -> bool:
    out = isinstance(error, OSError) and error.errno == errno.ENOMEM
    return isinstance(error, MemoryError) or out
