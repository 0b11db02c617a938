"""`pegwise strategies`: the cards."""

from __future__ import annotations

import click

from pegwise.cli.completion import strategy_names
from pegwise.cli.options import json_option, print_json
from pegwise.cli.terminal import paragraph
from pegwise.i18n import tr


@click.command(epilog="Example: pegwise strategies knuth")
@click.argument("names", nargs=-1, metavar="[ID]...", shell_complete=strategy_names)
@json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """The strategies, with authors, year, source and a paragraph each."""
    from pegwise.errors import UnknownNameError
    from pegwise.strategies import cards

    known = {card.id: card for card in cards()}
    for name in names:
        if name not in known:
            raise UnknownNameError.of("strategy", name, known)
    chosen = [known[name] for name in names] or list(known.values())
    if as_json:
        print_json(
            [
                {
                    "id": card.id,
                    "name": card.name,
                    "authors": card.authors,
                    "year": card.year,
                    "source": card.source,
                    "about": card.about,
                    "traits": sorted(card.traits),
                }
                for card in chosen
            ]
        )
        return
    for card in chosen:
        head = paragraph(f"{card.id}  {tr(card.name)}", following="    ")
        click.echo(click.style(card.id, bold=True) + head.removeprefix(card.id))
        year = f", {card.year}" if card.year else ""
        about = f"{tr(card.authors)}{year}. {tr(card.source)}."
        click.echo(paragraph(about, "  "))
        click.echo(paragraph(tr(card.about), "  ") + "\n")
