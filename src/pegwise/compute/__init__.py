"""Where pieces of long work run: in this process, in others of this machine, or on a Dask cluster.

Work is a plain function of a piece, and a piece may run more than once: a worker that dies costs
only the pieces that it had. Results come in the order of the pieces, whoever made them. So what is
put together from them is the same on one process and on many machines.
"""

from pegwise.compute.place import Cluster as Cluster
from pegwise.compute.place import Place as Place
from pegwise.compute.place import Processes as Processes
from pegwise.compute.place import Serial as Serial
from pegwise.compute.place import Threads as Threads
from pegwise.compute.place import WorkerPool as WorkerPool
from pegwise.compute.place import WorkersLost as WorkersLost
from pegwise.compute.place import place as place
from pegwise.compute.place import set_when_cancelled as set_when_cancelled
from pegwise.compute.run import PieceStore as PieceStore
from pegwise.compute.run import run as run
from pegwise.compute.run import run_in_steps as run_in_steps
