"""All strategies by name: those of this package, and any that other packages register.

Another package registers a strategy through the entry-point group `pegwise.strategies`: the
entry's name is the id, its object a class (or any callable with a `card`) that takes the options
as keyword arguments. Names of this package cannot be taken over.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, cast

from pegwise.errors import (
    InputError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    StrategyError,
    UnknownNameError,
    quoted,
)
from pegwise.strategies.base import Card, Option, Strategy

__all__ = ["cards", "load", "names", "parse"]

GROUP: Final = "pegwise.strategies"

_KINDS: Final = {
    bool: Phrase("True or False"),
    int: Phrase("a whole number"),
    str: Phrase("a text"),
}

_OURS: Final = {
    "first": "simple:First",
    "random": "simple:Random",
    "knuth": "one_step:Knuth",
    "irving": "one_step:Irving",
    "entropy": "one_step:Entropy",
    "parts": "one_step:Parts",
    "forget-entropy": "forget:ForgetEntropy",
    "forget-minimax": "forget:ForgetMinimax",
    "marechal-rastoix-1": "marechal_rastoix:MarechalRastoix1",
    "marechal-rastoix-2": "marechal_rastoix:MarechalRastoix2",
    "marechal-rastoix-3": "marechal_rastoix:MarechalRastoix3",
    "constraint": "constraint:Constraint",
    "greenwell": "greenwell:Greenwell",
    "sampling": "sampling:Sampling",
}


def names() -> list[str]:
    """Every id, ours first."""
    return [*_OURS, *sorted(_theirs())]


def cards() -> list[Card]:
    """The card of every strategy that can be loaded, ours first.

    A strategy whose package is broken is left out here; `load` says what is wrong with it.
    """
    found = []
    for name in names():
        try:
            found.append(cast(Card, _factory(name).card))  # type: ignore[attr-defined]
        except (StrategyError, MissingExtraError):
            continue
    return found


def load(name: str, **options: Option) -> Strategy:
    """The strategy of this id, with options.

    Raises:
        UnknownNameError: no such strategy, or no such option; the nearest one is proposed.
        InputError: an option's value is not allowed.
        StrategyError: a registered strategy cannot be loaded.
    """
    if name not in names():
        raise UnknownNameError.of("strategy", name, names())
    factory = _factory(name)
    known = _options(factory)
    for key, value in options.items():
        if key not in known:
            raise UnknownNameError.of(
                Phrase("option of strategy {name}:", name=repr(name)), key, known or ["(none)"]
            )
        if type(known[key]) in _KINDS and type(value) is not type(known[key]):
            kind = _KINDS[type(known[key])]
            raise InputError(
                "{key}={value} of strategy {name}: give {kind}",
                key=key,
                value=quoted(value),
                name=repr(name),
                kind=kind,
            )
    if name in _OURS:
        return cast(Strategy, factory(**options))
    try:
        strategy = factory(**options)
    except PegwiseError:
        raise
    except Exception as error:
        raise StrategyError(
            "strategy {name} is registered but fails: {error}", name=repr(name), error=error
        ) from error
    if not isinstance(strategy, Strategy):
        raise StrategyError("strategy {name} is registered but has no 'begin'", name=repr(name))
    return strategy


def parse(text: str) -> Strategy:
    """The strategy written as `id` or `id:option=value,option=value`.

    Raises:
        InputError: malformed, or as `load`.
    """
    name, _, rest = text.strip().partition(":")
    if name not in names():
        raise UnknownNameError.of("strategy", name, names())
    known = _options(_factory(name))
    options: dict[str, Option] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        where = Phrase("{part} in strategy {text}", part=quoted(part), text=quoted(text))
        if not equals:
            raise InputError("{where}: write option=value", where=where)
        if key in options:
            raise InputError("{where}: this option is given twice", where=where)
        options[key] = _value(value, known.get(key), where)
    return load(name, **options)


def _theirs() -> Mapping[str, EntryPoint]:
    found = [entry for entry in entry_points(group=GROUP) if entry.name not in _OURS]
    # of two entries with one name the last counts: ours that stand above this floor come last
    found.sort(key=lambda entry: entry.value.startswith("pegwise."))
    return {entry.name: entry for entry in found}


@cache
def _factory(name: str) -> Callable[..., Any]:
    if name in _OURS:
        module, _, attribute = _OURS[name].partition(":")
        found = getattr(importlib.import_module(f"pegwise.strategies.{module}"), attribute)
        return cast(Callable[..., Any], found)
    try:
        factory = _theirs()[name].load()
    except MissingExtraError:
        raise
    except Exception as error:
        raise StrategyError(
            "strategy {name} is registered but does not load: {error}", name=repr(name), error=error
        ) from error
    card = getattr(factory, "card", None)
    if not isinstance(card, Card) or not callable(factory):
        raise StrategyError(
            "strategy {name} is registered but is no class with a card", name=repr(name)
        )
    if card.id != name:
        raise StrategyError(
            "strategy {name} is registered but its card says {id}",
            name=repr(name),
            id=repr(card.id),
        )
    return cast(Callable[..., Any], factory)


def _options(factory: Callable[..., Any]) -> dict[str, Any]:
    """Option names with their default values, from the signature."""
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def _value(text: str, default: Any, where: str) -> Option:
    if isinstance(default, bool):
        if text.lower() in {"true", "yes", "1"}:
            return True
        if text.lower() in {"false", "no", "0"}:
            return False
        raise InputError("{where}: write true or false", where=where)
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise InputError("{where}: write a whole number", where=where) from None
    return text
