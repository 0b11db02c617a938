"""All strategies by name: those of this package, and any that other packages register.

Another package registers a strategy through the entry-point group `pegwise.strategies`: the
entry's name is the id, its object a class (or any callable with a `card`) that takes the options
as keyword arguments. Names of this package cannot be taken over.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Any, Final, cast

from pegwise import hooks
from pegwise.errors import (
    InputError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    StrategyError,
    UnknownNameError,
    quoted,
)
from pegwise.game import Game
from pegwise.strategies.base import Card, HistoryDecision, Option, Strategy

GROUP: Final = "pegwise.strategies"

_KINDS: Final = {
    bool: Phrase("True or False"),
    int: Phrase("a whole number"),
    str: Phrase("a text"),
}

_TRUTHS: Final = {
    **dict.fromkeys(("true", "yes", "1"), True),
    **dict.fromkeys(("false", "no", "0"), False),
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
    "constraint": "simple:Constraint",
    "greenwell": "simple:Greenwell",
    "sampling": "sampling:Sampling",
}


def names() -> list[str]:
    """Every id, ours first."""
    return [*_OURS, *sorted({*hooks.strategies, *_theirs()})]


def cards() -> list[Card]:
    """The card of every strategy that can be loaded, ours first.

    A strategy whose package is broken is left out here; `load` says what is wrong with it.
    """
    loaded = []
    for name in names():
        with suppress(StrategyError, MissingExtraError):
            loaded.append(cast(Card, _factory(name).card))  # type: ignore[attr-defined]
    return loaded


def is_ours(strategy: Strategy) -> bool:
    """Whether a strategy is one of this package, as registered under its id."""
    name = strategy.card.id
    return _is_ours(name) and type(strategy) is _factory(name)


def load(name: str, /, **options: Option) -> Strategy:
    """The strategy of this id, with options.

    Raises:
        UnknownNameError: no such strategy, or no such option; the nearest one is proposed.
        InputError: an option's value is not allowed.
        StrategyError: a registered strategy cannot be loaded.
    """
    factory = _factory(name)
    parameters = _options(factory)
    for key, value in options.items():
        if key not in parameters:
            raise UnknownNameError.of(
                Phrase("option of strategy {name}:", name=repr(name)), key, parameters or ["(none)"]
            )
        kind = type(parameters[key].default)
        word = isinstance(value, str) and _takes_words(parameters[key])
        if kind in _KINDS and type(value) is not kind and not word:
            raise InputError(
                "{key}={value} of strategy {name}: give {kind}",
                key=key,
                value=quoted(value),
                name=repr(name),
                kind=_KINDS[kind],
            )
    try:
        strategy = factory(**options)
    except PegwiseError:
        raise
    except Exception as error:
        if _is_ours(name):
            raise
        raise StrategyError(
            "strategy {name} is registered but fails: {error}", name=repr(name), error=error
        ) from error
    if not hasattr(strategy, "begin"):
        raise StrategyError("strategy {name} is registered but has no 'begin'", name=repr(name))
    return cast(Strategy, strategy)


def parse(text: str, seed: int = 0) -> Strategy:
    """The strategy written as `id` or `id:option=value,option=value`.

    The seed is for a strategy that draws and has none of its own; 0 for none.
    """
    name, _, rest = text.strip().partition(":")
    parameters = _options(_factory(name))
    options: dict[str, Option] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        where = Phrase("{part} in strategy {text}", part=quoted(part), text=quoted(text))
        if not equals:
            raise InputError("{where}: write option=value", where=where)
        if key in options:
            raise InputError("{where}: this option is given twice", where=where)
        options[key] = value
        if (option := parameters.get(key)) and not (value.isalpha() and _takes_words(option)):
            options[key] = _value(value, option.default, where)
    strategy = load(name, **options)
    if seed and "random" in strategy.card.traits and "seed" not in options:
        return load(name, **options, seed=seed)
    return strategy


def _is_ours(name: str) -> bool:
    return name in _OURS or name in hooks.strategies


def _theirs() -> Mapping[str, EntryPoint]:
    entries = entry_points(group=GROUP)
    return {entry.name: entry for entry in entries if not _is_ours(entry.name)}


@cache
def _factory(name: str) -> Callable[..., Any]:
    """The class of a strategy, or what else makes it."""
    if name in _OURS:
        return cast(Callable[..., Any], resolve_name(f"pegwise.strategies.{_OURS[name]}"))
    if name in hooks.strategies:
        return cast(Callable[..., Any], hooks.strategies[name]())
    entry = _theirs().get(name)
    if entry is None:
        raise UnknownNameError.of("strategy", name, names())
    try:
        factory: Callable[..., Any] = entry.load()
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
    return factory


def _options(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The options by name, from the signature."""
    parameters = inspect.signature(factory).parameters
    return {name: p for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY}


def _takes_words(option: inspect.Parameter) -> bool:
    """Whether an option is a number or a word such as `all`."""
    return str(option.annotation) == "int | str"


def _value(text: str, default: Any, where: str) -> Option:
    if isinstance(default, bool):
        if text.lower() not in _TRUTHS:
            raise InputError("{where}: write true or false", where=where)
        return _TRUTHS[text.lower()]
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise InputError("{where}: write a whole number", where=where) from None
    return text


# Strategies from whatever people hand over: a name, an object, a class, or a plain function.

Chooses = Callable[[Any, tuple[tuple[Any, Any], ...]], Any]
"""A function that, given a game and the turns so far, says what to play."""

StrategyLike = Strategy | type[Strategy] | Chooses | str
"""What `as_strategy` makes a strategy of."""


@dataclass(frozen=True, eq=False)
class OfFunction:
    """The strategy that plays what a function says.

    Attributes:
        function: given a game and the turns so far, a tuple of (guess, mark), the guess to play;
            the same one whenever it is asked the same.
    """

    function: Chooses

    @cached_property
    def card(self) -> Card:
        """A card with the name of the function and what it says of itself."""
        name = getattr(self.function, "__name__", type(self.function).__name__).strip("<>_")
        about = inspect.getdoc(self.function) if hasattr(self.function, "__name__") else None
        return Card(name.replace("_", "-"), about=" ".join((about or "").split()))

    def begin(self, game: Game) -> HistoryDecision:
        return HistoryDecision(self.function, game)


def as_strategy(strategy: StrategyLike) -> Strategy:
    """A strategy as it is; or that of a name with options, a class, or a function.

    Args:
        strategy: any object with a `card` and `begin`, or its class; a text such as `knuth` or
            `knuth:then=entropy`; or a function of a game and the turns so far that returns the
            guess to play.

    Raises:
        InputError: none of these; or as `parse`.
    """
    if isinstance(strategy, str):
        return parse(strategy)
    if isinstance(strategy, type) and hasattr(strategy, "begin"):
        strategy = strategy()
    if hasattr(strategy, "begin"):
        if isinstance(getattr(strategy, "card", None), Card):
            return cast(Strategy, strategy)
    elif callable(strategy):
        return OfFunction(strategy)
    raise InputError(
        "{value} is no strategy: give a name such as 'knuth', an object with a Card as 'card' "
        "and a method 'begin', or a function of a game and the turns so far",
        value=quoted(strategy),
    )
