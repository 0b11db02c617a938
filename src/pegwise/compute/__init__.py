"""Where pieces of long work run: in this process, in others of this machine, or on a Dask cluster.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. Results come in the order of the pieces, whoever made them. So what is
put together from them is the same on one process and on many machines.
"""

from pegwise.compute.place import (
    Cluster,
    Place,
    Processes,
    Serial,
    Threads,
    WorkerPool,
    WorkersLost,
    place,
    set_when_cancelled,
)
from pegwise.compute.run import PieceStore, run, run_in_steps

__all__ = [
    "Cluster",
    "PieceStore",
    "Place",
    "Processes",
    "Serial",
    "Threads",
    "WorkerPool",
    "WorkersLost",
    "place",
    "run",
    "run_in_steps",
    "set_when_cancelled",
]
