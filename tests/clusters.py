"""A Dask scheduler and its workers as processes of their own, over TCP."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.programs import PATIENCE

__all__ = ["Machines"]


class Machines:
    """A Dask scheduler, and workers that are added to it.

    Args:
        folder: what they write is kept there.
        before: where Python looks for packages before it looks elsewhere.
        tls: Dask's settings of certificates, a file: they speak TLS.
    """

    def __init__(
        self, folder: Path, before: Path | None = None, *, tls: Path | None = None
    ) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.settings = {} if tls is None else {"DASK_CONFIG": str(tls)}
        self.path = [str(before), *sys.path] if before is not None else sys.path
        self.address = ""
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter"),
            *("--scheduler-file", str(file)),
            *(() if tls is None else ("--protocol", "tls")),
        )
        end = time.monotonic() + PATIENCE
        while not self.address:
            assert time.monotonic() < end
            time.sleep(0.02)
            if file.exists() and (text := file.read_text()):
                self.address = text.partition('"address": "')[2].partition('"')[0]

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **self.settings} | {
            "PYTHONPATH": os.pathsep.join(self.path),
            "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "0",
        }
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + what, *arguments],
                cwd=self.folder,
                env=environment,
                stdout=log,
                stderr=log,
            )

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker of one thread; it joins when it is ready."""
        worker = self._start(
            "worker",
            self.address,
            *("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"),
        )
        self.workers.append(worker)
        return worker

    def worker_address(self) -> str:
        """Of the worker that has joined first."""
        end = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < end
            _, joined, rest = (self.folder / "log").read_text().partition("Start worker at:")
            if joined and "Registered to:" in rest:
                return rest.split()[0]
            time.sleep(0.02)

    def close(self) -> None:
        """Kill them all."""
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()
