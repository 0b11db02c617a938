"""What is told of strategies: their options, and why they play what they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pegwise.errors import Phrase
from pegwise.i18n import translated

if TYPE_CHECKING:
    pass


def option_rows(name: str) -> list[tuple[str, str, str]]:
    """The options of a strategy: each as its default is typed, what it means, and its values."""
    from pegwise.strategies.registry import options

    unknown = Phrase("its package does not say what it means")
    return [
        (
            f"{option.name}={option.written}",
            translated(Phrase(option.meaning) if option.meaning else unknown),
            translated(option.allowed),
        )
        for option in options(name)
    ]
