"""Who races when nobody is named."""

from __future__ import annotations

from pegwise.errors import MissingExtraError, Phrase, StrategyError
from pegwise.game import Game
from pegwise.strategies import Strategy, is_slow, load, names

__all__ = ["entrants"]


def entrants(game: Game, seed: int = 0) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """Every registered strategy that is not slow on a game.

    Args:
        game: what they race on.
        seed: for those that draw.

    Returns:
        The strategies; and the ids of the others, each with the reason.
    """
    found: list[Strategy] = []
    left_out: list[tuple[str, str]] = []
    for name in names():
        try:
            strategy = load(name)
            if "random" in strategy.card.traits and seed:
                strategy = load(name, seed=seed)
        except (StrategyError, MissingExtraError) as error:
            left_out.append((name, error.phrase))
            continue
        if is_slow(strategy, game):
            left_out.append((name, Phrase("slow; name it to let it race: -s {name}", name=name)))
        else:
            found.append(strategy)
    return found, left_out
