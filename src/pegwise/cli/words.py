"""`pegwise words`: the lists of words that games may name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pegwise.cli.options import A_FILE, also_option, json_option, print_json
from pegwise.cli.terminal import align, say
from pegwise.errors import InputError
from pegwise.game.words import (
    WordList,
    add_words,
    find_words,
    installed_words,
    read_words,
    remove_words,
)
from pegwise.i18n import figure, tr


@click.command(epilog="Example: pegwise words add animals animals.txt")
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("name", required=False)
@click.argument("file", type=A_FILE, required=False)
@also_option("--guesses")
@json_option
def words(
    action: str, name: str | None, file: Path | None, also: Path | None, as_json: bool
) -> None:
    """List the lists of words, add one, or remove one.

    A list is a text file with a word in each line, all of one length; empty lines and what follows
    # do not count. Its name then stands wherever rules do: pegwise play animals,placed.
    """
    if action == "add":
        if name is None or file is None:
            raise InputError("say what to add: pegwise words add NAME FILE")
        lists = [read_words(file, also, name)]
        path = add_words(lists[0])
        if not as_json:
            say("Added; play with: {command}", command=f"pegwise play {name},placed")
            say("The list is kept in {path}.", path=repr(str(path)))
    elif action == "remove":
        if name is None:
            raise InputError("say what to remove: pegwise words remove NAME")
        remove_words(name)
        lists = []
        if not as_json:
            say("The list {name} is removed.", name=name)
    else:
        lists = [listed for each in installed_words() if (listed := find_words(each))]
        if not as_json:
            _print(lists)
    if as_json:
        print_json({"lists": [_document(listed) for listed in lists]})


def _print(lists: list[WordList]) -> None:
    heads = [tr("name"), tr("digest"), tr("letters"), tr("words"), tr("guesses")]
    rows = [
        [
            listed.name,
            listed.digest,
            str(listed.n_letters),
            figure(len(listed.secrets), ","),
            figure(len(listed.guesses), ","),
        ]
        for listed in lists
    ]
    for cells in align([heads, *rows], (0, 1)):
        click.echo("  ".join(cells).rstrip())


def _document(listed: WordList) -> dict[str, Any]:
    return {
        "name": listed.name,
        "digest": listed.digest,
        "letters": listed.n_letters,
        "words": len(listed.secrets),
        "guesses": len(listed.guesses),
    }
