"""Strategies from whatever people hand over: a name, an object, a class, or a plain function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import getdoc
from typing import Any

from pegwise.errors import InputError, quoted
from pegwise.game import Game
from pegwise.strategies.base import Card, Option, Strategy
from pegwise.strategies.registry import parse

__all__ = ["Chooses", "OfFunction", "StrategyLike", "as_strategy"]

Chooses = Callable[[Any, tuple[tuple[Any, Any], ...]], Any]
"""A function that, given a game and the turns so far, says what to play."""

StrategyLike = Strategy | type[Strategy] | Chooses | str
"""What `as_strategy` makes a strategy of."""


class OfFunction:
    """The strategy that plays what a function says.

    Args:
        function: given a game and the turns so far, a tuple of (guess, mark), the guess to play;
            the same one whenever it is asked the same.
    """

    def __init__(self, function: Chooses) -> None:
        self.function = function
        self.options: Mapping[str, Option] = {}

    @cached_property
    def card(self) -> Card:
        """A card with the name of the function and what it says of itself."""
        name = getattr(self.function, "__name__", type(self.function).__name__).strip("<>_")
        about = getdoc(self.function) if hasattr(self.function, "__name__") else None
        return Card(name.replace("_", "-"), about=" ".join((about or "").split()))

    def begin(self, game: Game) -> _Turns:
        """No turn yet."""
        return _Turns(self.function, game, ())


@dataclass(frozen=True)
class _Turns:
    """The turns so far, after which the function chooses."""

    function: Chooses
    game: Game
    history: tuple[tuple[Any, Any], ...]

    @cached_property
    def guess(self) -> Any:
        return self.function(self.game, self.history)

    def after(self, mark: Any) -> _Turns:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> _Turns:
        return _Turns(self.function, self.game, (*self.history, (guess, mark)))


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
    if isinstance(strategy, Strategy) and isinstance(strategy.card, Card):
        return strategy
    if callable(strategy) and not hasattr(strategy, "begin"):
        return OfFunction(strategy)
    raise InputError(
        "{value} is no strategy: give a name such as 'knuth', an object with a Card as 'card' "
        "and a method 'begin', or a function of a game and the turns so far",
        value=quoted(strategy),
    )
