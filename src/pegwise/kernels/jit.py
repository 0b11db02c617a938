"""How kernels are compiled, and where their machine code is kept."""

# mypy: disable-error-code="no-untyped-call, untyped-decorator, override, attr-defined"

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import caching, cgutils, codegen, event
from numba.core.datamodel import models, register_default
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, typeof_impl, unbox

from pegwise.kernels import machine_code, on_compile

Function = TypeVar("Function", bound=Callable[..., Any])

Class = TypeVar("Class", bound=type[Any])

Int = Any
"""An integer inside kernels, where Python's and NumPy's are one."""


def kernel(function: Function) -> Function:
    """Compile to machine code at first use; the result is kept on disk for later runs.

    The GIL is released, so that threads run kernels side by side. A kernel must not call itself:
    in Numba 0.68 a recursive function read back from disk crashes.

    It returns numbers, plain tuples of numbers, or nothing; arrays are made by the caller. To hand
    over an array Numba calls Python code, and the class of a named tuple; where KeyboardInterrupt
    is raised there, the process crashes or gets a SystemError.
    """
    return _compiled(function)


def bare(function: Function) -> Function:
    """Like `kernel`, for a function that makes no arrays: it does not count references to any.

    Counting is atomic, and costs more than a short function that is handed many arrays.
    """
    return _compiled(function, _nrt=False)


def part(function: Function) -> Function:
    """Like `bare`, for a function that only kernels call. A call from Python would crash.

    It has no machine code of its own: what needs that takes longer to compile than most parts.
    """
    return _compiled(function, _nrt=False, no_cpython_wrapper=True)


def counted_part(function: Function) -> Function:
    """Like `part`, for a function that makes arrays."""
    return _compiled(function, no_cpython_wrapper=True)


def inlined(function: Function) -> Function:
    """Like `part`, for a short one: its machine code is put where it is called."""
    return _compiled(function, _nrt=False, no_cpython_wrapper=True, forceinline=True)


def _compiled(function: Function, **options: Any) -> Function:
    njit: Any = numba.njit
    compiled = njit(
        nogil=True, boundscheck=False, error_model="numpy", no_cfunc_wrapper=True, **options
    )(function)
    if hasattr(compiled, "enable_caching"):  # not where NUMBA_DISABLE_JIT is set
        compiled._cache = _Cache(function)
        compiled.get_call_template = partial(_without_literals, compiled.get_call_template)
    return cast(Function, compiled)


def _without_literals(resolve: Callable[..., Any], args: Any, kws: Any) -> Any:
    """Compile a function that is called with constants only once, not anew for each of them."""
    return resolve([types.unliteral(argument) for argument in args], kws)


class _Place(caching.InTreeCacheLocator):
    """Where Numba keeps machine code: a folder for each folder of kernels (see `machine_code`)."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        source, ours = Path(file).parent, Path(__file__).parent
        room = source.relative_to(ours) if source.is_relative_to(ours) else source.name
        self._cache_path = str(machine_code() / room)


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes: ClassVar = [_Place]  # type: ignore[misc]


class _Cache(caching.FunctionCache):
    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file: Any
        self._cache_file.save = partial(_save, self._cache_file)


def _save(files: Any, key: Any, data: Any) -> None:
    """Keep what was compiled for some types, in a file with a name of its own.

    Numba counts its files: of two processes that compile a kernel for different types at the same
    time, both would take the same number, and then one runs what is meant for the other.
    """
    number = hashlib.blake2b(repr(key).encode(), digest_size=6).hexdigest()
    name = files._data_name(int(number, 16))
    files._save_data(name, data)
    index = files._load_index()
    index[key] = name
    files._save_index(index)


class _Library(codegen.JITCodeLibrary):
    """The code of a function. That of a `part` is only linked into what calls it.

    Numba optimizes each function together with all that it calls, and makes machine code of it.
    What only kernels call is optimized once, within the kernel that Python calls.
    """

    of_parts: ClassVar = False  # whether a part is being compiled

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._only_linked = _Library.of_parts

    @property
    def codegen(self) -> Any:
        return self if self._only_linked else super().codegen

    def set_env(self, name: str, environment: Any) -> None:
        """As of `codegen`: nothing, since Python does not call a part."""

    def get_pointer_to_function(self, name: str) -> Any:
        return 0 if self._only_linked else super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> Any:
        if self._only_linked:
            return self.serialize_using_bitcode()
        return super().serialize_using_object_code()

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        before, cls.of_parts = cls.of_parts, state[1] == "bitcode"
        try:
            return super()._unserialize(codegen, state)
        finally:
            cls.of_parts = before

    def _optimize_final_module(self) -> None:
        if not self._only_linked:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self._only_linked:
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            super()._finalize_final_module()


cpu_target.target_context.codegen()._library_class = _Library


class _Listener(event.Listener):
    """Counts seconds of compiling, and tells `on_compile` of every kernel before it is compiled."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begun: list[tuple[float, bool]] = []
        self._done = 0
        self._pending: set[str] = set()

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not self._begun:
            self._pending |= {kernel.__name__ for kernel in _called(dispatcher)}
        self._begun.append((time.monotonic(), _Library.of_parts))
        _Library.of_parts = dispatcher.targetoptions.get("no_cpython_wrapper", False)
        for tell in list(on_compile):
            tell(dispatcher.__name__, self._done, max(len(self._pending), self._done + 1))

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        begun, _Library.of_parts = self._begun.pop()
        self._done += 1
        if not self._begun:
            self.seconds += time.monotonic() - begun
            for tell in list(on_compile):
                tell("", self._done, self._done)


def _called(dispatcher: Any) -> set[Any]:
    """A kernel, and all kernels that it calls."""
    called: set[Any] = set()
    pending = [dispatcher]
    while pending:
        kernel = pending.pop()
        if kernel in called:
            continue
        called.add(kernel)
        function = kernel.py_func
        names = function.__code__.co_names
        values = [function.__globals__.get(name) for name in names]
        pending += [value for value in values if hasattr(value, "py_func")]
    return called


_listener = _Listener()
event.register("numba:compile", _listener)


def seconds_compiling() -> float:
    """Seconds that this process has spent on compiling kernels."""
    return _listener.seconds


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


@part
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


class _Record(types.Type):
    """A named tuple that stands in memory and does not change."""

    def __init__(self, fields: Any) -> None:
        self.fields = fields
        digest = hashlib.blake2b(repr(fields).encode(), digest_size=6).hexdigest()
        super().__init__(f"{fields.instance_class.__name__}_{digest}")


class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, record: _Record) -> None:
        values = manager.lookup(record.fields).get_value_type()
        super().__init__(manager, record, values.as_pointer())


register_default(_Record)(_RecordModel)


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = _Record

    def generic_resolve(self, record: _Record, name: str) -> Any:
        return record.fields[record.fields.fields.index(name)]


@lower_getattr_generic(_Record)
def _read(context: Any, builder: Any, record: _Record, address: Any, name: str) -> Any:
    index = record.fields.fields.index(name)
    value = _load(builder, cgutils.gep_inbounds(builder, address, 0, index))
    return impl_ret_borrowed(context, builder, record.fields[index], value)


def _load(builder: Any, address: Any) -> Any:
    """What stands at an address, leaf by leaf: the optimizer may take each of them as constant."""
    kind = address.type.pointee
    if isinstance(kind, ir.LiteralStructType | ir.ArrayType):
        value = ir.Constant(kind, ir.Undefined)
        for index in range(len(kind)):
            inner = _load(builder, cgutils.gep_inbounds(builder, address, 0, index))
            value = builder.insert_value(value, inner, index)
        return value
    leaf = builder.load(address)
    leaf.set_metadata("invariant.load", builder.module.add_metadata([]))
    return leaf


@unbox(_Record)
def _unbox(record: _Record, value: Any, context: Any) -> Any:
    # counted references to arrays would never be given back
    borrowing = context.context.subtarget(enable_nrt=False).get_python_api(context.builder)
    native = borrowing.to_native_value(record.fields, value)
    address = cgutils.alloca_once_value(context.builder, native.value)
    return NativeValue(address, is_error=native.is_error, cleanup=native.cleanup)


def by_address(kind: Class) -> Class:
    """Let kernels get the named tuples of a class by address, read-only, as Python made them.

    Their arrays are borrowed for the call: a kernel must not return them, nor slices of them.
    """

    @typeof_impl.register(kind)
    def typeof(value: Any, context: Any) -> Any:
        return _Record(types.NamedTuple([typeof_impl(field, context) for field in value], kind))

    return kind
