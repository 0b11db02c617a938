"""Where pegwise keeps what lasts: the user's data directory, or the one that PEGWISE_HOME names."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["home"]


def home() -> Path:
    """The directory; it may not exist yet."""
    if named := os.environ.get("PEGWISE_HOME"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("pegwise", appauthor=False)
