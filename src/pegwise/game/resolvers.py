"""Games that a text names besides boards and lists of words: modules of higher layers know them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from pegwise.game.table import TextTable
from pegwise.hooks import resolvers


class Resolver(Protocol):
    """What a module of `hooks.resolvers` has."""

    def names_game(self, text: str) -> bool:
        """Whether a text can only be meant as the name of a game, whether there is one or not."""
        ...

    def game_named(self, text: str) -> tuple[TextTable, str] | None:
        """The game that a text names, and the flags behind it; None where it names none.

        RulesError: it names one that cannot be had.
        """
        ...


def _resolvers() -> Iterator[Resolver]:
    for module in resolvers:
        yield cast(Resolver, import_module(module))


def names_game(text: str) -> bool:
    """Whether a text can only be meant as the name of a game that is no board and no list."""
    return any(resolver.names_game(text) for resolver in _resolvers())


def game_named(text: str) -> tuple[TextTable, str] | None:
    """The game that a text names, and the flags behind it; errors as `Resolver.game_named`."""
    for resolver in _resolvers():
        if (game := resolver.game_named(text)) is not None:
            return game
    return None
