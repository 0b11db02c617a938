"""What users build on is what is stored: names, commands, keys and addresses."""

import difflib
import re

import click
from tools.interface import FILE, interface

import pegwise
from pegwise.cli.main import cli


def test_nothing_changes_unnoticed() -> None:
    """If the change is meant, and `docs/stability.md` allows it: python -m tools.interface."""
    stored, now = FILE.read_text("utf-8").splitlines(), interface().splitlines()
    changes = [*difflib.unified_diff(stored, now, "stored", "now", lineterm="", n=0)]
    assert not changes, "\n".join(["python -m tools.interface stores this:", *changes])


def test_the_list_is_whole() -> None:
    """Every public name, command and page is in it."""
    text = FILE.read_text("utf-8")
    for name in pegwise.__all__:
        assert re.search(rf"^(class )?{name}\b", text, re.MULTILINE), name
    for name in cli.list_commands(click.Context(cli)):
        assert re.search(rf"^{name}\b", text, re.MULTILINE), name
    for page in ("/play", "/puzzle", "/race", "/learn"):
        assert f"\npage {page}\n" in text
    assert "\nrace results[].strategy\n" in text
