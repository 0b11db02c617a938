"""What is told of strategies: their options, and why they play what they play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pegwise.errors import Phrase
from pegwise.i18n import tr, translated
from pegwise.telling.blocks import Item, Items, Sentence

if TYPE_CHECKING:
    from pegwise.strategies import Card


def credit(card: Card) -> str:
    """The authors of a strategy and the year: `Donald E. Knuth, 1976`."""
    return ", ".join(filter(None, [tr(card.authors), str(card.year or "")]))


def card_item(card: Card, *, with_options: bool) -> Item:
    """A strategy with its source and a paragraph, and its options if they are wished."""
    told = [credit(card), tr(card.source)]  # one of others may say neither
    source = " ".join(f"{part}." for part in told if part)
    below: list[str | Item] = [*filter(None, [source, tr(card.about)])]
    if with_options:
        for block in options_told(card.id):
            below += block.items if isinstance(block, Items) else [block.text]
    return Item(f"{card.id}  {tr(card.name)}", tuple(below))


def options_told(name: str) -> Iterator[Items | Sentence]:
    """The options of a strategy: each as its default is typed, what it means, and its values."""
    rows = option_rows(name)
    if not rows:
        yield Sentence(tr("It has no options."), "note")
        return
    yield Items(
        tuple(
            Item(default, (meaning, tr("values: {allowed}", allowed=allowed)))
            for default, meaning, allowed in rows
        )
    )


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
