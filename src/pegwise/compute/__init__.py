"""Where work runs: this machine, its processes, or a Dask cluster.

`Race(where=...)` and `find_optimum(where=...)` take `Processes(4)`, or
`Cluster("tcp://10.0.0.1:8786")`. Both are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pegwise.compute.backends import Cluster as Cluster
    from pegwise.compute.backends import Processes as Processes

__all__ = ["Cluster", "Processes"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pegwise.compute' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("pegwise.compute.backends"), name)
    return value
