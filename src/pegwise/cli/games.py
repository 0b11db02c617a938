"""`pegwise games`: the games that have a name."""

from __future__ import annotations

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.terminal import say
from pegwise.game import NAMED_GAMES
from pegwise.i18n import tr, translated
from pegwise.telling.blocks import Head, Table


@click.command(epilog="Example: pegwise games --json")
@options.json_option
def games(as_json: bool) -> None:
    """List the games that have a name: their rules, a turn as an example, where they are played.

    A name can be used wherever RULES can: pegwise play bagels, pegwise candidates jotto CRANE=2.
    Marks are then read and written in the words of the game. Games on lists of words, such as
    fallout, are played with another list by --words FILE.
    """
    if as_json:
        document = [
            {
                "name": name,
                "rules": game.rules,
                "title": game.title,
                "example": game.example,
                "where": game.where,
            }
            for name, game in NAMED_GAMES.items()
        ]
        options.print_json({"games": document})
        return
    rows = [
        (
            name,
            "-" if game.rules == name else game.rules,
            game.example,
            tr("{name}: {what}", name=translated(game.title), what=translated(game.where)),
        )
        for name, game in NAMED_GAMES.items()
    ]
    heads = (
        *map(Head, (tr("name"), tr("rules"), tr("a turn"))),
        Head(tr("where it is played"), "prose"),
    )
    show([Table(heads, tuple(rows))], Screen())
    say("To play one: pegwise play {name}", name="number-baseball")
