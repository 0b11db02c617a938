"""What takes long to work out of the bounds of usual boards: `python -m tools.bounds` stores it.

The commands and the site look it up; `pegwise.search.theory.bounds(board, fresh=True)` works it out
again, and tests compare.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pegwise.search.theory import bounds

__all__ = ["stored"]

_BOARDS: Final = (
    *("4x6", "4x7", "4x8", "5x5", "5x6", "6x4", "5x8", "4x10", "3x10", "4x6,blank"),
    *("4x6,distinct", "4x10,distinct", "3x9,distinct", "3x10,distinct", "4x6,black", "5x5,black"),
)
"""Boards that are sold, or that papers are about."""


def stored() -> dict[str, dict[str, Any]]:
    """The row of each board whose smallest worst case is found."""
    rows: dict[str, dict[str, Any]] = {}
    for board in _BOARDS:
        result = bounds(board, fresh=True)
        best = result.best_guesses
        if result.viaud_q0 is not None:
            rows[board] = {
                "most": result.viaud_q2,
                "worst": result.viaud_q0,
                "taus": result.viaud_taus,
                "best_guesses": None if best is None else [*map(str, best)],
            }
    return rows


if __name__ == "__main__":
    lines = (f"{json.dumps(board)}: {json.dumps(row)}" for board, row in stored().items())
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    Path(str(files("pegwise.search.theory"))).joinpath("bounds.json").write_text(text, "utf-8")
