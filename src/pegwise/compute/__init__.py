"""Where pieces of long work run: here, in processes of this machine, or on a Dask cluster.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. Results are handed over in the order of the pieces, whoever made
them, so that what is put together from them is the same on one process and on many machines.
"""

from pegwise.compute.place import (
    Cluster,
    Here,
    Place,
    Processes,
    Staying,
    Threads,
    WorkersLost,
    place,
    while_wanted,
)
from pegwise.compute.run import Kept, run, run_in_steps

__all__ = [
    "Cluster",
    "Here",
    "Kept",
    "Place",
    "Processes",
    "Staying",
    "Threads",
    "WorkersLost",
    "place",
    "run",
    "run_in_steps",
    "while_wanted",
]
