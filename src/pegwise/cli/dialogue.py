"""A game in which a person answers: the prompt, and what may be typed instead of an answer."""

from __future__ import annotations

import contextlib
import difflib
import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

from pegwise.cli.board import Screen
from pegwise.cli.session import Left, Sitting
from pegwise.errors import InputError, PegwiseError, Phrase, quoted
from pegwise.i18n import tr, translated, trn

_PROMPT: Final = "> "

_SHOWN: Final = 40
"""So many codes are shown where no number is given."""

_MOST_SHOWN: Final = 10_000


class Command(NamedTuple):
    """Something that can be typed instead of an answer.

    Attributes:
        usage: how it is typed.
        about: what it does.
        run: does it, given what was typed after its name.
    """

    usage: str
    about: str
    run: Callable[[str], None]

    @property
    def name(self) -> str:
        """What is typed first: the words of the usage that stand for themselves."""
        return " ".join(word for word in self.usage.split() if word.islower())


class Dialogue(Sitting):
    """A game in which a person answers."""

    @abstractmethod
    def show_question(self) -> None:
        """Ask, and say what may be typed."""

    @abstractmethod
    def take_answer(self, text: str) -> None:
        """Take what was typed and is no command.

        Raises:
            PegwiseError: it cannot be taken; says why.
        """

    @abstractmethod
    def own_commands(self) -> Mapping[str, Command]:
        """What may be typed in this kind of game only, by name."""

    def commands(self) -> Mapping[str, Command]:
        """All that may be typed instead of an answer, by name."""
        return {
            **self.own_commands(),
            "left": Command(
                tr("left [N]"), tr("show the codes that are still possible"), self._left
            ),
            "undo": Command(tr("undo"), tr("take the last turn back"), self._undo),
            "save": Command(
                tr("save FILE"), tr("keep the game in this file from now on"), self._save
            ),
            "help": Command(tr("help"), tr("show what may be typed"), self._help),
            "quit": Command(tr("quit"), tr("leave; the game stays saved"), self._quit),
        }

    def names(self) -> str:
        """The commands in a row."""
        return ", ".join(command.name for command in self.commands().values())

    def words(self) -> Mapping[str, Command]:
        """What may be typed, by its names in English and in the language that is spoken."""
        commands = self.commands()
        return {**commands, **{command.name: command for command in commands.values()}}

    def step(self) -> None:
        """Ask, and do what was typed or say why not."""
        self.show_question()
        typed = _ask(self.screen).strip()
        try:
            for name, command in self.words().items():
                if typed.lower() == name or typed.lower().startswith(f"{name} "):
                    command.run(typed[len(name) :].strip())
                    return
            if typed == "?":
                self._help("")
            elif typed:
                self._take_answer(typed)
        except PegwiseError as error:
            self.screen.warn(translated(error))

    def _take_answer(self, typed: str) -> None:
        """Take an answer; where it is none, propose the command that was nearly typed."""
        try:
            self.take_answer(typed)
        except InputError as error:
            near = difflib.get_close_matches(typed.lower(), self.words(), n=1, cutoff=0.7)
            hint = Phrase(" (did you mean {near}?)", near=repr(near[0])) if near else ""
            raise InputError("{error}{hint}", error=error, hint=hint) from None

    def _left(self, rest: str) -> None:
        from pegwise.knowledge import candidates

        shown = read_number(rest, _MOST_SHOWN) if rest else _SHOWN
        total = self.count(self.turns)
        with self.screen.working(tr("listing"), self.rules) as report:
            found = candidates(self.rules, self.turns, shown, report=report)
        if total is None:
            self.screen.say(tr("There are too many codes to count; the first {n}:", n=len(found)))
        else:
            possible = trn("{n:,} code is possible:", "{n:,} codes are possible:", total)
            self.screen.say(possible if total else tr("No code is possible."))
        self.screen.columns([str(code) for code in found])
        if total is not None and total > len(found):
            self.screen.note(tr("... and {n:,} more; for example left 200", n=total - len(found)))

    def _undo(self, rest: str) -> None:
        refuse_rest(rest, "undo")
        if not self.turns:
            raise InputError("there is no turn to take back")
        last = self.turns[-1]
        self.turns = self.turns[:-1]
        self.screen.say(tr("Turn {n}, {turn}, is taken back.", n=len(self.turns) + 1, turn=last))

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("say where: save FILE, for example save mygame.txt")
        if self.saved is not None:
            path = Path(rest).expanduser()
            self.saved.move(path, self.record())
            self.screen.say(
                tr("Saved; from now on every turn is kept in {path}.", path=repr(str(path)))
            )

    def _help(self, rest: str) -> None:
        del rest
        commands = self.commands().values()
        width = max(len(command.usage) for command in commands)
        for command in commands:
            self.screen.beside(f"  {command.usage:{width}}", command.about)

    def _quit(self, rest: str) -> None:
        refuse_rest(rest, "quit")
        raise Left


def _ask(screen: Screen) -> str:
    """What is typed at the prompt.

    Raises:
        Left: end of input.
    """
    try:
        if sys.stdin.isatty():
            return _edited(screen)
        click.echo(_PROMPT, nl=False, err=screen.err)
        text = sys.stdin.readline()
        # as a terminal would have shown it
        screen.say(text.rstrip("\n"))
    except EOFError:
        screen.say()
        text = ""
    if not text:
        raise Left
    return text


def _edited(screen: Screen) -> str:
    """A line from the terminal, with a history and keys for editing where there are."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (input() uses it from now on)
    if not screen.err:
        return input(_PROMPT)
    click.echo(_PROMPT, nl=False, err=True)
    return input()


def read_number(text: str, most: int) -> int:
    """A whole number from 1 to `most`.

    Raises:
        InputError: something else.
    """
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= most):
        raise InputError(
            "{text}: write a whole number from 1 to {most}", text=quoted(text), most=most
        )
    return int(text)


def refuse_rest(rest: str, command: str) -> None:
    """Refuse what was typed after a command that stands alone.

    Raises:
        InputError: quotes it.
    """
    if rest:
        raise InputError(
            "{command} stands alone, without {rest}", command=command, rest=quoted(rest)
        )
