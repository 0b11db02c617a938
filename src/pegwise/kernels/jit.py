"""How kernels are compiled, and who is told when that happens."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import event
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

Int = Any
"""An integer inside kernels, where Python's and NumPy's are one."""


def kernel(function: Function) -> Function:
    """Compile to machine code at first use; the result is kept on disk for later runs.

    The GIL is released, so that threads run kernels side by side. A kernel must not call itself:
    in Numba 0.68 a recursive function read back from disk crashes.
    """
    return _compiled(function)


def bare(function: Function) -> Function:
    """Like `kernel`, for a function that makes no arrays: it does not count references to any.

    Counting is atomic, and costs more than a short function that is handed many arrays.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: Function, **options: Any) -> Function:
    compile_later = numba.njit(
        cache=True, nogil=True, boundscheck=False, error_model="numpy", **options
    )
    compiled = compile_later(function)
    # Numba keys what it keeps by the file of the function alone; but a kernel also holds what it
    # calls, and its types may have moved, so that the sources as a whole become part of the name
    store = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if store is not None and hasattr(store, "_index_name"):
        base = store._index_name.removesuffix(".nbi")
        store.__init__(store._cache_path, f"{base}-{_sources()}", store._source_stamp)
        store.save = partial(_save, store)
    return cast(Function, compiled)


def _save(store: Any, key: Any, data: Any) -> None:
    """Keep what was compiled for some types, in a file with a name of its own.

    Numba counts its files: of two processes that compile a kernel for different types at the same
    time, both would take the same number, and then one runs what is meant for the other.
    """
    number = hashlib.blake2b(repr(key).encode(), digest_size=6).hexdigest()
    name = store._data_name(int(number, 16))
    store._save_data(name, data)
    kept = store._load_index()
    kept[key] = name
    store._save_index(kept)


@cache
def _sources() -> str:
    """A short hash of all kernel sources."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def inlined(function: Function) -> Function:
    """Like `kernel`, for a part of one: its body is put where it is called.

    Arrays are then not passed by value, which costs more than a short body does.
    """
    return cast(
        Function,
        numba.njit(nogil=True, boundscheck=False, error_model="numpy", inline="always")(function),
    )


class _Listener(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        if self.tell is not None:
            tell, self.tell = self.tell, None
            tell()

    def on_end(self, event: Any) -> None:
        pass


def on_first_compile(tell: Callable[[], None]) -> None:
    """Call `tell` once, just before the first kernel that is not yet on disk is compiled."""
    event.register("numba:compile", _Listener(tell))  # type: ignore[no-untyped-call]


def _popcount(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _fetch_add(typing_context: Any, counter: Any, amount: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.atomic_rmw("add", array.data, arguments[1], "monotonic")

    return types.int64(counter, types.int64), generate


popcount: Callable[[Any], Any] = cast(Any, intrinsic(_popcount))
"""Number of bits set in a uint64, as int64; for use inside kernels."""

fetch_add: Callable[[Any, int], int] = cast(Any, intrinsic(_fetch_add))
"""Add to element 0 of an int64 array atomically, return the value before; inside kernels."""
