"""Strategies from objects of somebody's own, which inherit from nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self, cast

from pegwise.game import Game
from pegwise.progress import Report, silent
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.explanation import Explanation, WeighedTable, Write
from pegwise.strategies.nodes import Nodes
from pegwise.strategies.options import Option

Chooses = Callable[[Any, Any], Any]
"""A function that, given a game and the turns so far, says what to play."""

ChoosesCandidate = Callable[[list[list[int]]], Any]
"""A function that chooses from the candidates, lists of colors numbered from 1."""


class StrategyObject(Protocol):
    """An object that is no `Strategy`, but has what every strategy must have.

    Of the other methods of `Strategy`, and those of `Decision` for what `begin` returns, it may
    have any.
    """

    @property
    def card(self) -> Card: ...

    def begin(self, game: Game) -> Any:
        """An object with a `guess` and a method `after`."""


@dataclass(frozen=True)
class HistoryDecision(Decision):
    """The turns so far, after which a function of game and turns chooses the guess.

    Attributes:
        choose: that function.
        game: what is played.
        history: a guess and its mark each.
    """

    choose: Chooses
    game: Any
    history: tuple[tuple[Any, Any], ...] = ()

    @cached_property
    def guess(self) -> Any:
        return self.choose(self.game, self.history)

    def after(self, mark: Any) -> Self:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Self:
        return replace(self, history=(*self.history, (guess, mark)))


class AdaptedStrategy(Strategy):
    """An object with a `card` and `begin` as a strategy; what else it has is used too.

    Attributes:
        adapted: the object.
    """

    def __init__(self, adapted: StrategyObject) -> None:
        self.adapted = adapted
        self.options: Mapping[str, Option] = own(adapted, "options") or {}

    @property
    def card(self) -> Card:
        return self.adapted.card

    def begin(self, game: Game) -> Decision:
        return adapted_decision(self.adapted.begin(game))

    @property
    def compiles(self) -> bool:
        return own(self.adapted, "compile") is not None

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        method = own(self.adapted, "compile")
        return method(game, threads=threads, report=report) if method else None

    def at_hand(self, game: Game) -> bool:
        method = own(self.adapted, "at_hand")
        return bool(method and method(game))

    def plays(self, game: Game) -> bool:
        method = own(self.adapted, "plays")
        return bool(method(game)) if method else super().plays(game)


@dataclass(frozen=True, eq=False)
class AdaptedDecision(Decision):
    """An object with a `guess` and `after` as a decision.

    Attributes:
        adapted: the object.
    """

    adapted: Any

    @property
    def guess(self) -> Any:
        return self.adapted.guess

    def after(self, mark: Any) -> Decision:
        return adapted_decision(self.adapted.after(mark))

    def instead(self, guess: Any, mark: Any) -> Decision | None:
        method = own(self.adapted, "instead")
        following = method(guess, mark) if method else None
        return None if following is None else adapted_decision(following)

    def grow(self) -> Nodes | None:
        method = own(self.adapted, "grow")
        return method() if method else None

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        method = own(self.adapted, "explain")
        if method is None:
            return super().explain(mark, write=write)
        return cast(Explanation, method(mark, write=write))

    def weighed(self) -> WeighedTable | None:
        method = own(self.adapted, "weighed")
        return method() if method else None


def adapted_decision(decision: Any) -> Decision:
    """A decision as it is, or an object that has what every decision must have, as one."""
    # `isinstance` on a class asks for no guess, which may take long to choose
    return decision if isinstance(decision, Decision) else AdaptedDecision(decision)


def own(thing: object, name: str) -> Any:
    """An optional attribute of an object of somebody's own; None where it has none."""
    return getattr(thing, name, None)
