"""Whether the terminal shows colors: not with `--no-color`, `NO_COLOR` or `TERM=dumb`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

__all__ = ["colored", "uncolored"]

_OPTION: Final = "--no-color"


def uncolored(arguments: Sequence[str]) -> list[str]:
    """The arguments without `--no-color`, which asks for what `NO_COLOR` asks for."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if _OPTION in arguments[:end]:
        os.environ["NO_COLOR"] = "1"
    return [word for k, word in enumerate(arguments) if k >= end or word != _OPTION]


def colored() -> bool | None:
    """What click is told: False for no color; None to look whether the output is a terminal."""
    quiet = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if quiet else None
