"""How objects show themselves in a notebook without knowing who draws them.

Objects of lower floors ask `paint` for their picture by kind; the package root says where the
painter of each kind lives. A painter is imported when it is first needed.
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["paint", "register"]

_painters: dict[str, str] = {}


def register(kind: str, painter: str) -> None:
    """Let a function, written `module:function`, paint things of this kind."""
    _painters[kind] = painter


def paint(kind: str, thing: Any) -> str | None:
    """The picture of a thing as text; None, for a plain one, where its kind has no painter."""
    where = _painters.get(kind)
    if where is None:
        return None
    module, _, function = where.partition(":")
    return str(getattr(importlib.import_module(module), function)(thing))
