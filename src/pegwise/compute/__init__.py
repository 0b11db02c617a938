"""Where work runs: this machine, its processes, or a Dask cluster."""
