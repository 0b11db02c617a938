"""What lower floors ask of upper ones: tables that the package root fills in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

painters: dict[str, Callable[[], Callable[[Any], str | None]]] = {}
"""What imports the function that draws an object for a notebook, by kind of object."""

strategies: dict[str, Callable[[], Any]] = {}
"""What imports the class of a strategy, by name of the strategy."""


def paint(kind: str, thing: Any) -> str | None:
    """The picture of an object as text, or None where nothing draws its kind."""
    return painters[kind]()(thing) if kind in painters else None
