"""`pegwise words`: the lists of words that games may be played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.terminal import say
from pegwise.errors import DataFileError, InputError
from pegwise.game import WordList
from pegwise.game.words import add_words, find_words, installed_words, remove_words
from pegwise.i18n import figure, tr
from pegwise.telling.blocks import Table, heads


@click.command(epilog="Example: pegwise words add animals animals.txt")
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("name", required=False, metavar="[NAME]")
@click.argument("file", type=options.A_FILE, required=False, metavar="[FILE]")
@options.also_option()
@options.length_option()
@options.force_option
@options.json_option
def words(
    action: str,
    name: str | None,
    file: Path | None,
    also: Path | None,
    length: int | None,
    as_json: bool,
) -> None:
    """List the lists of words, add one, or remove one.

    A list is a text file of words of one length, set apart by blanks, commas or line ends; what
    follows # does not count. FILE may be - for standard input, or english or french for the words
    of the system. The name of the list can be used wherever rules can: pegwise play animals,placed.
    """
    if action == "add":
        if name is None or file is None:
            raise InputError("say what to add: pegwise words add NAME FILE")
        lists = [options.read_list(file, also, name, length=length)]
        if name in installed_words() and not _is_installed(lists[0]):
            options.check_replaced(repr(name))
        path = add_words(lists[0])
    elif action == "remove":
        if name is None:
            raise InputError("say what to remove: pegwise words remove NAME")
        remove_words(name)
        lists = []
    else:
        lists = [listed for each in installed_words() if (listed := find_words(each))]
    documents: list[dict[str, Any]] = [
        {
            "name": each.name,
            "digest": each.digest,
            "letters": each.n_letters,
            "words": len(each.secrets),
            "guesses": len(each.guesses),
        }
        for each in lists
    ]
    if as_json:
        options.print_json({"lists": documents})
    elif action == "add":
        say("Added; play with: {command}", command=f"pegwise play {name},placed")
        say("The list is kept in {path}.", path=repr(str(path)))
    elif action == "remove":
        say("The list {name} is removed.", name=name)
    else:
        titles = tr("name"), tr("digest"), tr("letters"), tr("words"), tr("guesses")
        rows = tuple(
            tuple(figure(cell, ",") if isinstance(cell, int) else cell for cell in each.values())
            for each in documents
        )
        show([Table(heads(*titles, words=(0, 1)), rows)], Screen())
        say(
            "The Wordle of the New York Times takes 14,855 guesses. No license allows passing them "
            "on; with files of your own: {command}",
            command="pegwise words add nyt HIDDEN --also GUESSES",
        )


def _is_installed(words: WordList) -> bool:
    """Whether this list is the installed one of its name; a damaged one is not."""
    try:
        installed = find_words(words.name)
    except DataFileError:
        return False
    return installed is not None and installed.digest == words.digest
