"""The strategies and the boards that they play, as it is computed."""

from __future__ import annotations

from typing import Any

from pegwise.errors import PegwiseError, UnknownNameError
from pegwise.game import Rules

__all__ = ["card", "cards"]


def cards(rules: Rules | None) -> list[dict[str, Any]]:
    """The cards of all strategies as `schemas.CardView`.

    Args:
        rules: tell of each strategy whether it plays these; None for no such question.
    """
    from pegwise.strategies import registry

    return [_document(card.id, rules) for card in registry.cards()]


def card(name: str, rules: Rules | None) -> dict[str, Any]:
    """One of them.

    Raises:
        UnknownNameError: there is no such strategy.
    """
    from pegwise.strategies import registry

    if name not in registry.names():
        raise UnknownNameError.of("strategy", name, registry.names())
    return _document(name, rules)


def _document(name: str, rules: Rules | None) -> dict[str, Any]:
    from pegwise.strategies import load

    strategy = load(name)
    about = strategy.card
    plays, why_not = None, None
    if rules is not None:
        from pegwise.game import mastermind
        from pegwise.strategies import is_slow

        game = mastermind(rules)
        try:
            if not is_slow(strategy, game):
                strategy.begin(game)
                plays = True
        except PegwiseError as error:
            plays, why_not = False, f"{error}."
    return {
        "id": about.id,
        "name": about.name,
        "authors": about.authors,
        "year": about.year,
        "source": about.source,
        "about": about.about,
        "traits": sorted(about.traits),
        "plays": plays,
        "why_not": why_not,
    }
