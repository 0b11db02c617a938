"""Whether the terminal shows colors: not with `--no-color`, `NO_COLOR` or `TERM=dumb`."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

__all__ = ["colored", "end_without_codes", "uncolored"]

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


def end_without_codes() -> None:
    """Keep colorama, where it is installed, from ending every run with a code for the terminal.

    Numba starts it, and it resets colors at the end even of runs that show none.
    """
    with suppress(ImportError):
        vars(importlib.import_module("colorama.initialise"))["atexit_done"] = True
