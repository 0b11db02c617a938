"""The `pegwise` command: finds its sub-commands when they are asked for, and ends cleanly."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Final, NoReturn, cast

import click
from click.shell_completion import CompletionItem

from pegwise._version import __version__
from pegwise.cli.i18n import localized, speak
from pegwise.cli.terminal import (
    HelpContext,
    colored,
    end_without_codes,
    help_width,
    interruptible,
    stoppable,
    uncolored,
)
from pegwise.errors import PegwiseError, Phrase
from pegwise.i18n import LANGUAGES, tr, translated

INTERRUPTED: Final = 130

# name: (module, one line for --help); modules are imported only when their command is called
_COMMANDS: Final = {
    "race": ("race", Phrase("Every chosen strategy against every secret.")),
    "strategies": ("strategies", Phrase("The strategies, with their sources.")),
    "tree": ("tree", Phrase("Build and store the whole tree of a strategy.")),
    "verify": ("tree", Phrase("Check a stored or printed tree against every secret.")),
    "show": ("tree", Phrase("Draw or convert a stored tree.")),
    "optimal": ("optimal", Phrase("The best tree of a board, proven.")),
    "value": ("value", Phrase("The value of the game when both sides mix as they should, proven.")),
    "records": ("records", Phrase("The table of records, printed and checked from certificates.")),
    "static": ("static", Phrase("The smallest fixed set of guesses that tells all codes apart.")),
    "bounds": ("bounds", Phrase("How many guesses a board needs: counts, bounds, what is known.")),
    "solve": ("solve", Phrase("The machine decodes: your code, or one that is given.")),
    "play": ("play", Phrase("You decode; pegwise hides the code.")),
    "review": ("review", Phrase("A played game, turn by turn.")),
    "candidates": ("candidates", Phrase("What is still possible after some turns.")),
    "serve": (
        "serve",
        Phrase("The web face: play, decode, review, race and explore in a browser."),
    ),
    "bench": ("bench", Phrase("Measure the speed of this machine.")),
    "completion": ("completion", Phrase("Let the Tab key complete commands.")),
}

_SECTIONS: Final = {
    Phrase("Play and decode"): ("play", "solve", "candidates", "review", "serve"),
    Phrase("Compare strategies"): ("race", "strategies", "tree", "verify", "show"),
    Phrase("Prove"): ("optimal", "value", "static", "bounds", "records"),
    Phrase("Set up"): ("bench", "completion"),
}


class _ReaderGoneError(Exception):
    """The reader of standard output has gone; click would end with 1, which says "no"."""


class _Lazy(click.Group):
    """A group whose commands are imported when called, so that --help is immediate."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"pegwise.cli.{_COMMANDS[cmd_name][0]}")
        found = localized(cast(click.Command, getattr(module, cmd_name)))
        found.context_class = HelpContext
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, names in _SECTIONS.items():
            with formatter.section(tr(title)):
                formatter.write_dl([(name, tr(_COMMANDS[name][1])) for name in names])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = [
            CompletionItem(name, help=tr(line))
            for name, (_, line) in _COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # past the group of commands: what any command can be given
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGoneError from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from pegwise.errors import UnknownNameError

            raise UnknownNameError.of("command", args[0], _COMMANDS)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Lazy,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: pegwise race 4x6 -s knuth -s entropy",
)
@click.version_option(__version__, prog_name="pegwise")
@click.option(
    "--lang",
    expose_value=False,
    metavar="|".join(LANGUAGES),
    help="Speak this language, whatever that of the system; also after a command.",
)
@click.option(
    "--no-color",
    is_flag=True,
    expose_value=False,
    help="No colors in the terminal, as with NO_COLOR; also after a command.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A laboratory for the game of Mastermind.

    RULES are PEGSxCOLORS with flags: 4x6, 4x10,distinct, 5x8,blank, 4x6,black; or a name:
    classic, super, bulls-and-cows.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> NoReturn:
    """Run the command line; every error is one sentence on standard error."""
    try:
        end_without_codes()
        arguments = uncolored(speak(sys.argv[1:]))
        # the status that a command leaves with (--help, or exit(1)) comes back as an answer
        with interruptible(), stoppable():
            status = localized(cli).main(
                arguments,
                "pegwise",
                standalone_mode=False,
                color=colored(),
                terminal_width=help_width(),
            )
        sys.stdout.flush()
    except PegwiseError as error:
        _end(translated(error), error.exit_status)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        called = [word for word in sys.argv[1:2] if word in _COMMANDS]
        command = context.command_path if context else " ".join(["pegwise", *called])
        hint = tr(" (see {command} --help)", command=command)
        _end(f"{error.format_message().rstrip('.')}{hint}", 2)
    except (KeyboardInterrupt, click.exceptions.Abort):
        _end(tr("interrupted"), INTERRUPTED)
    except (BrokenPipeError, _ReaderGoneError):
        # the reader has gone; keep the interpreter from complaining at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def _end(message: str, status: int) -> NoReturn:
    click.echo(f"pegwise: {message}", err=True)
    sys.exit(status)
