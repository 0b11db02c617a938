"""The kernels with compiled loops that light commands may need: each is imported at its first use.

Numba takes longer to import than most commands take.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pegwise.kernels import drawing as drawing
    from pegwise.kernels import marking as marking
    from pegwise.kernels import onestep as onestep
    from pegwise.kernels import symmetry as symmetry


def __getattr__(name: str) -> Any:
    if name in ("drawing", "marking", "onestep", "symmetry"):
        module = globals()[name] = import_module(f"pegwise.kernels.{name}")
        return module
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
