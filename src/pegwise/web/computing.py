"""What is computed in the processes of a `work.Line`: plain functions of plain values."""

from __future__ import annotations

__all__ = ["warm"]


def warm() -> None:
    """Load what most questions need, so that the first one is answered at once."""
    from pegwise.coach import Adviser, default_strategy
    from pegwise.game import Rules, parse_turn

    rules = Rules()
    Adviser(default_strategy(rules), rules).propose([parse_turn("AABB=X", rules)])
