"""Games with several secrets, played by a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pegwise.errors import StrategyError
from pegwise.game import Parallel, Played, Turn
from pegwise.strategies import Decision, Strategy, label

MAX_GUESSES = 1000  # a strategy that needs more for each secret goes round in circles


def play_parallel(
    strategy: Strategy, game: Parallel, secrets: Sequence[Any], decision: Decision | None = None
) -> Played:
    """The game of a strategy until the last of these secrets is found.

    `decision` is its state before the first guess, which many games may share. StrategyError: it
    seeks one secret only, or does not find all.
    """
    decision = strategy.begin_parallel(game) if decision is None else decision
    turns = Played()
    while game.hidden(turns):
        if len(turns) >= MAX_GUESSES * game.n:
            raise StrategyError(
                "{name} does not find {secrets} of {game} within {most} guesses",
                name=label(strategy),
                secrets=str(secrets),
                game=game.name,
                most=len(turns),
            )
        guess = decision.guess
        turns.append(Turn(guess, game.answer(secrets, turns, guess)))  # type: ignore[arg-type]
        decision = decision.after(turns[-1].mark)
    return turns
