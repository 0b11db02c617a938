"""The program as its users start it: processes that may be stopped, waited for, and never stay."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 900.0
"""Seconds that anything may take on a machine that is busy, before a test fails."""

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
            stdin=subprocess.PIPE,
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


def ended(process: subprocess.Popen[str]) -> tuple[int, str, list[str]]:
    """Exit status, what was printed, and the lines on standard error."""
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    kernels = "Compiling kernels"  # said once on a machine, whatever runs first
    lines = [line for line in err.splitlines() if line and not line.startswith(kernels)]
    return process.returncode, out, lines


def until(look: Callable[[], Any], *processes: subprocess.Popen[str]) -> Any:
    """What a look returns once that is true, while programs run; new kernels may be compiled."""
    end = time.monotonic() + PATIENCE
    while not (seen := look()):
        assert time.monotonic() < end
        assert all(process.poll() is None for process in processes)
        time.sleep(0.01)
    return seen


def pieces(home: Path) -> list[Path]:
    """The finished pieces that are stored in a user's data."""
    return [path for path in home.glob("pieces/*/*") if not path.name.startswith(".")]


class Bomb:
    """What makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.path),)


def bombs(path: Path) -> Iterator[bytes]:
    """Pickles that make a folder at this path, alone and in what else the library reads."""
    for protocol in (0, pickle.HIGHEST_PROTOCOL):
        yield pickle.dumps(Bomb(path), protocol)
    yield b"[null, 1]\n" + b"\x93NUMPY\x01\x00" + _header() + pickle.dumps(Bomb(path))


def _header() -> bytes:
    """The header of an array of objects, whose content is a pickle."""
    text = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }".ljust(117) + b"\n"
    return len(text).to_bytes(2, "little") + text
