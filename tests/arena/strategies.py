"""Strategies that break what a strategy promises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Game
from pegwise.strategies import Card, Decision, Nodes, load
from pegwise.trees import build

FAILURES = {
    "refuses": "refuses cannot play",
    "crashes-first": "strategy 'crashes-first' fails: ZeroDivisionError",
    "crashes-later": "strategy 'crashes-later' fails: ZeroDivisionError",
    "cheats": "cheats fails on 2x3: .*position 1",
    "stubborn": "stubborn does not find [A-C]+ of 2x3 within 1000 guesses",
    "confused": "confused fails on 2x3: no secret",
}


@dataclass
class Bad:
    """Plays the first code and then does what its name says; also the state after some turns."""

    name: str
    turns: int = 0

    @property
    def card(self) -> Card:
        return Card(self.name)

    def begin(self, game: Game) -> Decision:
        if self.name == "refuses":
            raise StrategyError(f"refuses cannot play {game.name}")
        if self.name == "crashes-first":
            raise ZeroDivisionError
        return self

    @property
    def guess(self) -> Any:
        return (9, 9) if self.turns and self.name == "cheats" else (0, 0)

    def after(self, mark: Any) -> Decision:
        if self.name == "crashes-later":
            raise ZeroDivisionError
        if self.name == "confused":
            raise ContradictionError("no secret gives this")
        return Bad(self.name, self.turns + 1)


class Losing:
    """Compiles itself to a tree without the last of its branches."""

    card = Card("losing")

    def begin(self, game: Game) -> Decision:
        return load("first").begin(game)

    def compile(self, game: Game, *, threads: int = 1, report: Any = None) -> Nodes:
        guess, parent, mark, wins = build(load("first"), game).nodes
        return Nodes(guess[:-1], parent[:-1], mark[:-1], wins[:-1])
