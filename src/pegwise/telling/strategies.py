"""What is told of strategies: their options, and the table of a game that one has played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pegwise.errors import Phrase
from pegwise.game import Game, Turn
from pegwise.i18n import figure, tr, translated
from pegwise.telling.blocks import Cell, Head, Item, Items, Sentence, Table

if TYPE_CHECKING:
    from pegwise.strategies import Card


_SHEET: Final = 10  # rounds of a sheet that is filled in by hand


def rounds_table(turns: Sequence[Turn], counts: Sequence[int | None], blank: str = "") -> Table:
    """The rounds of a game of a strategy, with the codes left after each and their logarithm.

    `blank` leaves the `numbers`, or `all` cells, to be filled in by hand.
    """
    heads = (
        *map(Head, (tr("Round"), tr("Guess"), tr("Mark"))),
        *(Head(words, "number") for words in (tr("Codes left"), "log₂")),
    )
    rows: list[tuple[Cell, ...]] = []
    for number, (turn, count) in enumerate(zip(turns, counts, strict=True), 1):
        signs = ("", "") if blank == "all" else (turn.guess, turn.mark)
        left = "?" if count is None else figure(count, ",")
        bits = figure(math.log2(count), ".2f") if count else "?"
        rows.append((str(number), *signs, *(("", "") if blank else (left, bits))))
    if blank == "all":
        rows += [(str(number), "", "", "", "") for number in range(len(rows) + 1, _SHEET + 1)]
    return Table(heads, tuple(rows))


def before_words(rules: Game) -> str:
    """How many codes are possible before the first round, and their logarithm."""
    return tr(
        "Before the first round {n:,} codes are possible, which is {bits:.2f} bits.",
        n=rules.n_secrets,
        bits=math.log2(rules.n_secrets),
    )


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
