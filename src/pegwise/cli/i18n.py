"""The language of the command line: that of the user's system, or of `--lang`."""

from __future__ import annotations

import copy
import gettext
import inspect
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TypeVar

import click

from pegwise.errors import InputError, PegwiseError, Phrase
from pegwise.i18n import LANGUAGES, LOCALE, SOURCE, chosen_by, language, tr, translated, use

_OPTION = "--lang"
_OPTIONS = Phrase("[OPTIONS]")
_SUBCOMMAND = Phrase("COMMAND [ARGUMENT]...")

C = TypeVar("C", bound=click.Command)


def speak(arguments: Sequence[str]) -> list[str]:
    """Speak the language that the user wants, and give back the arguments without `--lang`.

    Raises:
        UnknownNameError: `--lang` names no language that there is.
        InputError: `--lang` stands last, without a language.
    """
    use(chosen_by(os.environ))
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif name != _OPTION:
            rest.append(word)
        elif (wanted := value if equals else next(words, None)) is not None:
            use(wanted)
        else:
            known = ", ".join(LANGUAGES)
            raise InputError("{option} needs a language: {known}", option=_OPTION, known=known)
    _tell_others(language())
    return rest


def localized(command: C) -> C:
    """A command with its help in the language that is spoken."""
    if language() == SOURCE:
        return command
    found = copy.copy(command)
    found.help = tr(inspect.cleandoc(command.help or ""))
    found.epilog = tr(command.epilog or "")
    found.options_metavar = tr(_OPTIONS)
    if hasattr(found, "_help_option"):
        found._help_option = None  # click keeps it once it was made, in the language of then
    if isinstance(found, click.Group):
        found.subcommand_metavar = tr(_SUBCOMMAND)
    found.params = [_parameter(parameter) for parameter in command.params]
    return found


def sentence(said: PegwiseError | str) -> str:
    """What is said as a sentence of its own: with a capital, and a full stop."""
    text = translated(said)
    return f"{text[:1].upper()}{text[1:]}."


def _parameter(parameter: click.Parameter) -> click.Parameter:
    found = copy.copy(parameter)
    if isinstance(found, click.Option) and found.help:
        found.help = tr(found.help)
    if found.metavar:
        found.metavar = tr(found.metavar)
    return found


def _tell_others(name: str) -> None:
    """Let click, which asks `gettext`, find its sentences in our catalogue, or in none."""
    if name == SOURCE:
        gettext.textdomain("messages")
        return
    os.environ["LANGUAGE"] = name
    gettext.bindtextdomain("pegwise", str(LOCALE))
    gettext.textdomain("pegwise")
    for stream in (sys.stdout, sys.stderr):
        # a terminal that has not all signs of a language shows the others
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
