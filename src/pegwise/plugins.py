"""Functions of upper floors that lower ones call: variables that the package root fills in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

show: Callable[[], Callable[[Any], str | None]] | None = None
"""Imports the function that draws an object for a notebook."""

losses: Callable[[], Callable[..., Any]] | None = None
"""Imports the function that takes a tree apart against best play."""

strategies: list[str] = []
"""The packages whose modules hold our own strategies, the cheapest to import first."""

resolvers: list[str] = []
"""The modules that know games by other names than boards and lists of words have."""

marking_shown: Callable[[str], AbstractContextManager[Any]] | None = None
"""Shows how far the game of a file, which is named, is marked."""


def picture(thing: Any) -> str | None:
    """How an object looks in a notebook; None where nothing draws it."""
    return show()(thing) if show else None


class Drawable:
    """Shows itself in a notebook as a picture."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return picture(self)
