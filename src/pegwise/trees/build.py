"""Play a strategy out against every secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pegwise.errors import StrategyError
from pegwise.game import Game, GameLike, all_secrets, as_game
from pegwise.game.game import I32
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Compiles,
    Decision,
    Nodes,
    Strategy,
    StrategyLike,
    as_strategy,
    blaming,
    label,
    options_of,
)
from pegwise.trees.tree import Tree

__all__ = ["MAX_DEPTH", "build", "play_on"]

MAX_DEPTH = 1000
"""A strategy that needs more guesses than this is taken to go round in circles."""

_STEPS = 200  # of the progress, as seen by who watches


def build(
    strategy: StrategyLike, game: GameLike, *, threads: int = 1, report: Report = silent
) -> Tree:
    """The tree of a strategy on a game.

    Args:
        strategy: what plays: a strategy, its name, or a function (see `as_strategy`).
        game: what is played: a game, or the rules of a board.
        threads: for strategies that compile themselves; the tree is the same for any number.
        report: is told of secrets found.

    Raises:
        StrategyError: the strategy cannot play this game, plays a code that is no guess of it,
            takes marks for impossible that a secret gives, or never finds some secret.
    """
    strategy, game = as_strategy(strategy), as_game(game)
    with blaming(strategy, game):
        nodes = None
        if isinstance(strategy, Compiles):
            nodes = strategy.compile(game, threads=threads, report=report)
        if nodes is None:
            nodes = play_out(strategy, game, report=report)
    return Tree(game, nodes, strategy.card.id, options_of(strategy))


def play_out(strategy: Strategy, game: Game, *, report: Report = silent) -> Nodes:
    """The nodes of any strategy, decision by decision."""
    return play_on(strategy.begin(game), game, all_secrets(game), label(strategy), report=report)


def play_on(
    decision: Decision, game: Game, left: I32, name: str, *, report: Report = silent
) -> Nodes:
    """The nodes from a decision on, faster where it can play itself out.

    Args:
        decision: what is played first.
        game: on which game.
        left: int32 (n), the secrets that are still possible.
        name: of the strategy, for errors.
        report: is told of secrets found.

    Raises:
        CodeError: a guess that the game does not have.
        ContradictionError: the strategy takes marks for impossible that a secret gives.
        StrategyError: some secret is never found.
    """
    # not by isinstance, which would ask for the guess: growing finds it anyway
    grow: Callable[[], Nodes | None] = getattr(decision, "grow", lambda: None)
    if (nodes := grow()) is not None:
        return nodes
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    found = told = 0
    level: list[tuple[int, int, Decision, I32]] = [(-1, 0, decision, left)]
    for _depth in range(MAX_DEPTH):
        following: list[tuple[int, int, Decision, I32]] = []
        for parent, mark, here, candidates in level:
            guess = game.guess_number(here.guess)
            node = len(guesses)
            guesses.append(guess)
            parents.append(parent)
            marks.append(mark)
            numbers = game.marks(guess, candidates)
            order = np.argsort(numbers, kind="stable")
            present, starts = np.unique(numbers[order], return_index=True)
            won = False
            for number, part in zip(
                present.tolist(), np.split(candidates[order], starts[1:]), strict=True
            ):
                if number == game.winning:
                    won = True
                    found += 1
                else:
                    following.append((node, number, here.after(game.mark(number)), part))
            wins.append(won)
            if found * _STEPS // len(left) > told:
                told = found * _STEPS // len(left)
                report(Progress(found, len(left), "secrets"))
        report(Progress(found, len(left), "secrets"))
        if not following:
            return Nodes(
                np.array(guesses, np.int32),
                np.array(parents, np.int32),
                np.array(marks, np.uint8) if game.n_marks <= 256 else np.array(marks, np.uint16),
                np.array(wins, np.bool_),
            )
        level = following
    raise StrategyError(
        "{name} does not find {lost} of {game} within {most} guesses",
        name=name,
        lost=_lost(game, level),
        game=game.name,
        most=MAX_DEPTH,
    )


def _lost(game: Game, level: list[tuple[int, int, Any, I32]]) -> str:
    return str(game.secret(int(level[0][3][0])))
