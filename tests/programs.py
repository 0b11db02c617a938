"""The program as its users start it: processes that may be stopped, waited for, and never stay."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Start = Callable[..., "subprocess.Popen[str]"]
"""Starts `pegwise` with these arguments, its data in a folder of its own, or in `home`."""


@contextmanager
def programs(folder: Path) -> Iterator[Start]:
    """What starts programs, with data in this folder; none of them stays when this is left."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, home: Path = folder) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "pegwise", *arguments],
            env=os.environ | {"PEGWISE_HOME": str(home), "PEGWISE_LANG": "en"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()
