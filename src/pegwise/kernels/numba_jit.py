"""How kernels are compiled, and where their machine code is kept.

Numba is used by what it offers to all, but for the flags that `_flag` tries.
"""

# mypy: disable-error-code="no-untyped-call, untyped-decorator"
# ruff: noqa: E402 - Numba is imported where it has memory

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar, cast

from pegwise.kernels.cache import (
    COMPILER_SPACE,
    KERNEL_SPACE,
    LOADING,
    check_space,
    count_marks,
    machine_code,
    note_compiled,
)

check_space(COMPILER_SPACE)

import numba
import numpy as np
from filelock import FileLock
from numba import types
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from pegwise.hooks import hooks
from pegwise.progress import Progress

count_marks(LOADING)  # this process has Numba now: the kernels that are compiled cost it no more

Function = TypeVar("Function", bound=Callable[..., Any])

Class = TypeVar("Class", bound=type[Any])

Int = Any
"""An integer inside kernels, where Python's and NumPy's are one."""


def _make_folder() -> bool:
    """Make the folder of machine code; whether it may be written."""
    with suppress(OSError):
        machine_code().mkdir(parents=True, exist_ok=True)
    return os.access(machine_code(), os.W_OK)


_KEPT: Final = _make_folder()


def _flag(name: str, value: bool) -> dict[str, bool]:
    """A flag of `njit` that Numba does not document; nothing where this version refuses it."""
    note = f"flag-{name}"
    if not (machine_code() / note).exists():
        try:
            numba.njit(**{name: value})(_nothing).compile(())
        except Exception:  # whatever a version may raise
            return {}
        note_compiled(note)
    return {name: value}


def _nothing() -> None:
    pass


# Machine code does the same without these flags, but takes longer to make, or to run: `_nrt` counts
# references to arrays, atomically, in functions that make none; the wrappers are for calls from C,
# and from Python, which nobody makes of a function that only kernels call.
_NO_COUNTS: Final = _flag("_nrt", False)
_NO_C: Final = _flag("no_cfunc_wrapper", True)
_NO_PYTHON: Final = _flag("no_cpython_wrapper", True)
_INLINED: Final = _flag("forceinline", True)


def kernel(function: Function) -> Function:
    """Compile to machine code at first use; the result is kept on disk for later runs.

    The GIL is released, so that threads run kernels side by side. A kernel must not call itself:
    in Numba 0.68 a recursive function read back from disk crashes.

    It returns numbers, plain tuples of numbers, or nothing; arrays are made by the caller. To hand
    over an array Numba calls Python code, and the class of a named tuple; where KeyboardInterrupt
    is raised there, the process crashes or gets a SystemError.
    """
    return cast(Function, Kernel(_compiled(function)))


def kernel_without_counts(function: Function) -> Function:
    """Like `kernel`, for a function that makes no arrays: it does not count references to any.

    Counting is atomic, and costs more than a short function that is handed many arrays.
    """
    return cast(Function, Kernel(_compiled(function, **_NO_COUNTS)))


def subkernel(function: Function) -> Function:
    """Like `kernel_without_counts`, for a function that only kernels call."""
    return cast(Function, _compiled(function, **_NO_COUNTS, **_NO_PYTHON))


def array_subkernel(function: Function) -> Function:
    """Like `subkernel`, for a function that makes arrays."""
    return cast(Function, _compiled(function, **_NO_PYTHON))


def inlined(function: Function) -> Function:
    """Like `subkernel`, for a short function: its machine code is put where it is called."""
    return cast(Function, _compiled(function, **_NO_COUNTS, **_NO_PYTHON, **_INLINED))


def _compiled(function: Callable[..., Any], **flags: bool) -> Any:
    """A dispatcher of Numba that keeps its machine code in the folder of kernels.

    Numba reads its setting when a function is decorated. Functions of others keep theirs.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(machine_code())
    try:
        decorate = numba.njit(cache=_KEPT, nogil=True, error_model="numpy", **_NO_C, **flags)
        return decorate(function)
    finally:
        numba.config.CACHE_DIR = before


# What Python calls.

_preparing = threading.Lock()
_LOOK: Final = 0.2  # seconds between two reports


class Kernel:
    """A function that Python calls and kernels call, compiled for each kind of arguments.

    Numba numbers the files of a function, and two processes that compile it for different
    arguments at the same time would take the same number: then one runs what is meant for the
    other. So compiling waits for a lock, and Numba compiles at no other time.
    """

    def __init__(self, dispatcher: Any) -> None:
        self.dispatcher = dispatcher
        self.__name__: str = dispatcher.__name__
        self.__doc__ = dispatcher.__doc__
        self.py_func = getattr(dispatcher, "py_func", dispatcher)
        self.kinds: set[tuple[type, ...]] = set()  # of the arguments so far

    @property
    def signatures(self) -> list[Any]:
        """The types of the arguments that it is compiled for."""
        return list(self.dispatcher.signatures)

    def __call__(self, *arguments: Any) -> Any:
        # of a number, Numba would make one of another kind, had it nothing else
        if tuple(map(type, arguments)) in self.kinds:
            try:
                return self.dispatcher(*arguments)
            except TypeError:  # not compiled for such arrays: nothing has been done
                pass
        self.compile(*arguments)
        return self.dispatcher(*arguments)

    def compile(self, *arguments: Any) -> None:
        """Compile for such arguments, or load what is kept."""
        if not hasattr(self.dispatcher, "py_func"):  # where NUMBA_DISABLE_JIT is set
            return
        kinds = tuple(map(numba.typeof, arguments))
        called_with = tuple(map(type, arguments))
        module = self.py_func.__module__.removeprefix("pegwise.kernels.")
        digest = hashlib.blake2b(repr(kinds).encode(), digest_size=6).hexdigest()
        note = f"{module}.{self.__name__}.{digest}"
        if (machine_code() / note).exists():
            self._compile(kinds, called_with)
            return
        check_space(KERNEL_SPACE)

        def work() -> None:
            with _lock(module):
                self._compile(kinds, called_with)
            note_compiled(note)

        _in_thread(self, work)

    def _compile(self, kinds: tuple[Any, ...], called_with: tuple[type, ...]) -> None:
        """Let Numba compile this kernel and those that it calls; from then on it may not."""
        kernels = [kernel for kernel in called_by(self) if isinstance(kernel, Kernel)]
        with _preparing:
            before = [kernel.kinds for kernel in kernels]
            for kernel in kernels:
                kernel.kinds = set()  # other threads that call it wait
                kernel.dispatcher.disable_compile(False)
            try:
                self.dispatcher.compile(kinds)
            finally:
                for kernel, kinds_before in zip(kernels, before, strict=True):
                    kernel.kinds = kinds_before
                    if kernel.signatures:
                        kernel.dispatcher.disable_compile()
            self.kinds.add(called_with)


@typeof_impl.register(Kernel)
def _typeof_kernel(kernel: Kernel, context: Any) -> Any:
    return typeof_impl(kernel.dispatcher, context)


def called_by(kernel: Any) -> list[Any]:
    """A kernel, and all kernels and subkernels that it calls."""
    called: list[Any] = []
    pending = [kernel]
    while pending:
        function = pending.pop()
        if not any(function is other for other in called):
            called.append(function)
            code, values = function.py_func.__code__, function.py_func.__globals__
            named = [values.get(name) for name in code.co_names]
            pending += [value for value in named if hasattr(value, "py_func")]
    return called


@contextmanager
def _lock(module: str) -> Iterator[None]:
    """Keep other processes from compiling kernels of the same folder, or of a module beside them.

    Of other folders, kernels call only what is compiled for one kind of arguments.
    """
    if not _KEPT:
        yield
        return
    with FileLock(machine_code() / f"lock-{module.partition('.')[0]}"):
        yield


def _in_thread(kernel: Kernel, work: Callable[[], None]) -> None:
    """Compile in a thread of its own, and tell how many functions are compiled.

    What the report raises leaves the thread alone: an exception within the compiler, as that of
    Ctrl-C, would break it, or be lost.
    """
    functions = called_by(kernel)
    before = sum(len(function.signatures) for function in functions)
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # the thread that waits raises it
            errors.append(error)

    with hooks.aside("compiling", kernel.__name__) as report:
        report(Progress(0, len(functions), "kernels"))
        compiler = threading.Thread(target=run)
        compiler.start()
        while compiler.is_alive():
            compiler.join(_LOOK)
            done = sum(len(function.signatures) for function in functions) - before
            report(Progress(min(done, len(functions) - 1), len(functions), "kernels"))
    if errors:
        raise errors[0]


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    """Number of bits set in a uint64, as int64; for use inside kernels."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def bit(typing_context: Any, words: Any, mark: Any) -> Any:  # noqa: ARG001
    """1 << mark in the type of these words, or this word; Numba would widen it to 64 bits."""
    word = getattr(words, "dtype", words)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        shift = context.cast(builder, arguments[1], mark, word)
        return builder.shl(context.get_constant(word, 1), shift)

    return word(words, mark), generate


@intrinsic
def popcount16(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
    """Number of bits set in a word of any width, as uint16; for use inside kernels."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return context.cast(builder, builder.ctpop(arguments[0]), word, types.uint16)

    return types.uint16(word), generate


@intrinsic
def fetch_add(typing_context: Any, counter: Any, amount: Any) -> Any:  # noqa: ARG001
    """Add to element 0 of an int64 array atomically, return the value before; inside kernels."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.atomic_rmw("add", array.data, arguments[1], "monotonic")

    return types.int64(counter, types.int64), generate


@subkernel
def mix(word: np.uint64) -> np.uint64:
    """A word whose every bit depends on every bit of this one.

    SplitMix64 (Steele, Lea and Flood 2014).
    """
    word = (word + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(29)
    word *= np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    return word


# Named tuples that kernels get by address. Passed by value, each of their arrays is seven arguments
# of every function that it is handed to, which takes long to compile.


class _Record(types.NamedTuple):
    """The type of a named tuple that stands in memory and does not change."""

    def __init__(self, fields: Any, kind: type[Any]) -> None:
        super().__init__(fields, kind)
        digest = hashlib.blake2b(repr(fields).encode(), digest_size=6).hexdigest()
        self.name = f"{kind.__name__}_{digest}"
        self.values = types.Tuple(fields)


@register_model(_Record)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, record: _Record) -> None:
        values = manager.lookup(record.values).get_value_type()
        super().__init__(manager, record, values.as_pointer())


@lower_getattr_generic(_Record)
def _read(context: Any, builder: Any, record: _Record, address: Any, name: str) -> Any:
    index = record.fields.index(name)
    numbers = [context.get_constant(types.int32, number) for number in (0, index)]
    value = _load(context, builder, builder.gep(address, numbers, inbounds=True))
    if context.enable_nrt:
        context.nrt.incref(builder, record.types[index], value)
    return value


def _load(context: Any, builder: Any, address: Any) -> Any:
    """Read the value at an address, leaf by leaf: the optimizer may take each as constant."""
    kind = address.type.pointee
    if hasattr(kind, "__len__"):  # of several elements
        value = kind(None)
        for index in range(len(kind)):
            numbers = [context.get_constant(types.int32, number) for number in (0, index)]
            inner = _load(context, builder, builder.gep(address, numbers, inbounds=True))
            value = builder.insert_value(value, inner, index)
        return value
    leaf = builder.load(address)
    leaf.set_metadata("invariant.load", builder.module.add_metadata([]))
    return leaf


@unbox(_Record)
def _unbox(record: _Record, value: Any, context: Any) -> Any:
    native = context.unbox(record.values, value)
    address = context.builder.alloca(native.value.type)
    context.builder.store(native.value, address)

    def clean_up() -> None:
        if native.cleanup is not None:
            native.cleanup()
        if context.context.enable_nrt:
            context.context.nrt.decref(context.builder, record.values, native.value)

    return NativeValue(address, is_error=native.is_error, cleanup=clean_up)


def by_address(kind: Class) -> Class:
    """Let kernels get the named tuples of a class by address, read-only, as Python made them.

    Their arrays are borrowed for the call: a kernel must not return them, nor slices of them.
    """

    @typeof_impl.register(kind)
    def typeof(value: Any, context: Any) -> Any:
        return _Record([typeof_impl(field, context) for field in value], kind)

    return kind
