"""`pegwise strategies`: the strategies, with their sources and options."""

from __future__ import annotations

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.errors import UnknownNameError
from pegwise.strategies import cards
from pegwise.strategies.registry import options as options_of
from pegwise.telling.blocks import Items
from pegwise.telling.strategies import card_item


@click.command(epilog="Example: pegwise strategies knuth")
@click.argument("names", nargs=-1, metavar="[ID]...", shell_complete=options.complete_strategies)
@options.json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """The strategies, with authors, year, source and a paragraph each.

    Of strategies that are named, each option is listed too, with its values, its default, and what
    it means; it is written knuth:then=entropy.
    """
    by_id = {card.id: card for card in cards()}
    for name in names:
        if name not in by_id:
            raise UnknownNameError.of("strategy", name, by_id)
    chosen = [by_id[name] for name in names] or list(by_id.values())
    if as_json:
        keys = ("id", "name", "authors", "year", "source", "about", "traits")
        options.print_json(
            [
                {key: getattr(card, key) for key in keys} | {"options": options_of(card.id)}
                for card in chosen
            ]
        )
        return
    screen = Screen()
    for card in chosen:
        show([Items((card_item(card, with_options=bool(names)),))], screen)
        screen.say()
