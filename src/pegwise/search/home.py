"""Where what lasts is kept: the user's data directory, or the folder that PEGWISE_HOME names."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["home"]


def home() -> Path:
    """The folder; it need not exist yet."""
    named = os.environ.get("PEGWISE_HOME")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("pegwise", appauthor=False)
