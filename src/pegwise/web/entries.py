"""What is raced: checked and drawn before a race begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pegwise.errors import InputError, TooLargeError
from pegwise.game import Rules

__all__ = ["MAX_GAMES", "MAX_STRATEGIES", "Entry", "prepare"]

MAX_GAMES: Final = 100_000
"""Most games of each strategy."""

MAX_STRATEGIES: Final = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """A race that can be begun.

    Attributes:
        rules: the board.
        games: number of games drawn; None for every secret.
        seed: for the draw and the order of play.
        strategies: texts of the strategies.
        secrets: the secrets in the order of play, packed.
        length: how many games each strategy plays.
    """

    rules: Rules
    games: int | None
    seed: int
    strategies: tuple[str, ...]
    secrets: bytes
    length: int


def prepare(rules: Rules, names: Sequence[str], games: int | None, seed: int) -> Entry:
    """Check what is asked for, and draw; computed in a process of a line.

    Raises:
        InputError, UnknownNameError: a strategy is not known, or given twice.
        TooLargeError: too many secrets; the sentence says what is possible.
    """
    from pegwise.arena import Race
    from pegwise.game import mastermind
    from pegwise.game.game import MAX_LISTED
    from pegwise.strategies import label
    from pegwise.web.played import pack_secrets
    from pegwise.web.racing import order_of, strategy_of

    if not names or len(names) > MAX_STRATEGIES:
        raise InputError(
            "{n_names} strategies: choose 1 to {most}", n_names=len(names), most=MAX_STRATEGIES
        )
    if games is None and rules.n_secrets > MAX_GAMES:
        raise TooLargeError(
            "{rules} has {secrets} secrets, too many to play each of them here (at most "
            "{most}): draw games, 1 to {most} of them",
            rules=rules,
            secrets=rules.n_secrets,
            most=MAX_GAMES,
        )
    strategies = [strategy_of(name, seed) for name in names]
    if rules.n_secrets > MAX_LISTED:
        for strategy in strategies:
            if "unlisted" not in strategy.card.traits:
                raise TooLargeError(
                    "{strategy}: {rules} has {secrets} secrets, too many to list (at most "
                    "{most}) for a strategy that weighs them all",
                    strategy=label(strategy),
                    rules=rules,
                    secrets=rules.n_secrets,
                    most=MAX_LISTED,
                )
    race = Race(mastermind(rules), strategies, games=games, seed=seed)
    order = order_of(race.draw, seed)
    return Entry(
        rules=rules,
        games=games,
        seed=seed,
        strategies=tuple(race.strategies),
        secrets=pack_secrets([race.draw.secret(place) for place in order.tolist()]),
        length=len(order),
    )
