"""`pegwise serve` as a process, as a user starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["run_serve"]


def run_serve(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command with arguments, until it ends."""
    return subprocess.run(
        [sys.executable, "-m", "pegwise", "serve", *arguments],
        env=os.environ | {"PEGWISE_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
