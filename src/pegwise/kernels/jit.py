"""The decorators and functions that kernels are written with.

Numba compiles kernels. Where it is not installed, calling one raises MissingExtraError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pegwise.kernels.cache import check_numba, has_numba

if TYPE_CHECKING or has_numba():
    from pegwise.kernels.numba_jit import Int as Int
    from pegwise.kernels.numba_jit import Kernel as Kernel
    from pegwise.kernels.numba_jit import array_subkernel as array_subkernel
    from pegwise.kernels.numba_jit import bit as bit
    from pegwise.kernels.numba_jit import by_address as by_address
    from pegwise.kernels.numba_jit import called_by as called_by
    from pegwise.kernels.numba_jit import fetch_add as fetch_add
    from pegwise.kernels.numba_jit import inlined as inlined
    from pegwise.kernels.numba_jit import kernel as kernel
    from pegwise.kernels.numba_jit import kernel_without_counts as kernel_without_counts
    from pegwise.kernels.numba_jit import mix as mix
    from pegwise.kernels.numba_jit import popcount as popcount
    from pegwise.kernels.numba_jit import popcount16 as popcount16
    from pegwise.kernels.numba_jit import subkernel as subkernel
else:
    Int = Any

    def kernel(_function):
        """A kernel that nothing compiles: a call raises MissingExtraError."""

        def refuse(*_arguments):
            check_numba()

        return refuse

    array_subkernel = inlined = kernel_without_counts = subkernel = kernel
    bit = fetch_add = mix = popcount = popcount16 = kernel(None)

    def by_address(kind):
        """The class itself."""
        return kind
