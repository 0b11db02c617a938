"""`pegwise games`: the games that have a name."""

from __future__ import annotations

import click

from pegwise.cli import options
from pegwise.cli.terminal import beside, say
from pegwise.game import NAMED_GAMES
from pegwise.i18n import tr, translated


@click.command(epilog="Example: pegwise games --json")
@options.json_option
def games(as_json: bool) -> None:
    """List the games that have a name: their rules, a turn as an example, where they are played.

    A name stands wherever RULES do: pegwise play bagels, pegwise candidates jotto CRANE=2. Marks
    are then written in the words of the game, and read in them too. Games on lists of words, such
    as fallout, are played with another list by --words FILE.
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
    rows = [[tr("name"), tr("rules"), tr("a turn"), tr("where it is played")]]
    for name, game in NAMED_GAMES.items():
        own = "-" if game.rules == name else game.rules
        where = tr("{name}: {what}", name=translated(game.title), what=translated(game.where))
        rows.append([name, own, game.example, where])
    click.echo(beside(rows, (0, 1, 2)))
    say("To play one: pegwise play {name}", name="number-baseball")
