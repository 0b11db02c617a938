"""Results as JSON: the one encoder of what commands print and addresses of the site answer."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

from pegwise.errors import Sign
from pegwise.game import Game, Rules, Turn


def encoded(value: Any) -> Any:
    """A value by what JSON has: texts, numbers, lists, objects.

    A result is an object of its fields, or of what its method `document` returns, where its keys
    are others. Codes, marks and games are texts, as they are typed; a turn has its guess and its
    mark. Fractions are numbers, and what has no order is sorted.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Turn):
        return {"guess": encoded(value.guess), "mark": encoded(value.mark)}
    if isinstance(value, Sign | Game | Rules):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): encoded(each) for key, each in value.items()}
    if isinstance(value, Set):
        return sorted(map(encoded, value))
    if isinstance(value, list | tuple):
        return [encoded(each) for each in value]
    if hasattr(value, "document"):
        return encoded(value.document())
    return {each.name: encoded(getattr(value, each.name)) for each in fields(value)}
