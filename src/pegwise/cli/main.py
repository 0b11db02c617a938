"""The `pegwise` command: its sub-commands, its language, and how it ends."""

from __future__ import annotations

import copy
import gettext
import importlib
import inspect
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn, TextIO, TypeGuard, TypeVar, cast

import click

from pegwise._version import __version__
from pegwise.cli.memory import memory_explained
from pegwise.cli.signals import exit_status, interruptible, stoppable
from pegwise.cli.terminal import (
    HelpContext,
    colored,
    end_without_codes,
    help_width,
    to_stderr,
    tolerate,
    uncolored,
    written,
)
from pegwise.errors import (
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    UnknownNameError,
    system_reason,
)
from pegwise.i18n import (
    LANGUAGES,
    LOCALE,
    SOURCE,
    chosen_by,
    language,
    tr,
    translated,
    trn,
    use,
    write_signs,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

C = TypeVar("C", bound=click.Command)
_LONG: Final = 10.0  # seconds; a shorter command stores little

# by section of the help: a module, imported only when one of its commands is called, and a line
_SECTIONS: Final = {
    Phrase("Play and decode"): {
        "play": ("play", Phrase("You decode; pegwise hides the code.")),
        "solve": ("solve", Phrase("The machine decodes: your code, or one that is given.")),
        "puzzle": ("puzzle", Phrase("A puzzle for every day: which code fits all turns?")),
        "candidates": ("candidates", Phrase("What is still possible after some turns.")),
        "why": ("why", Phrase("Why a guess is played, and what its mark would tell.")),
        "explain": ("mark", Phrase("What some turns tell, step by step.")),
        "mark": ("mark", Phrase("The mark of a guess against a secret.")),
        "review": ("review", Phrase("A played game, turn by turn.")),
        "games": (
            "games",
            Phrase("The games that have a name: rules and words."),
        ),
        "serve": (
            "serve",
            Phrase("The web site: play, decode, review, race and explore in a browser."),
        ),
    },
    Phrase("Compare strategies"): {
        "race": ("race", Phrase("Every chosen strategy against every secret.")),
        "strategies": ("strategies", Phrase("The strategies, with their sources.")),
        "tree": ("tree", Phrase("Build and store the whole tree of a strategy.")),
        "verify": ("tree", Phrase("Check a stored or printed tree against every secret.")),
        "show": ("tree", Phrase("Draw or convert a stored tree.")),
    },
    Phrase("Prove"): {
        "optimal": ("search", Phrase("The best tree of a board, proven.")),
        "value": (
            "proofs",
            Phrase("The value of the game when both sides mix as they should, proven."),
        ),
        "static": (
            "proofs",
            Phrase("The smallest fixed set of guesses that tells all codes apart."),
        ),
        "bounds": (
            "bounds",
            Phrase("How many guesses a board needs: counts, bounds, what is known."),
        ),
        "records": (
            "records",
            Phrase("The table of records, printed and checked from certificates."),
        ),
    },
    Phrase("Set up"): {
        "gaps": ("gaps", Phrase("The practical for a class, with gaps for pupils.")),
        "words": ("words", Phrase("The lists of words that games may be played with.")),
        "storage": (
            "storage",
            Phrase("Stored games, results and searches, with their sizes; cleared by kind."),
        ),
        "compile": ("compile", Phrase("Compile all kernels, so that no later command does.")),
        "completion": ("completion", Phrase("Let the Tab key complete commands.")),
    },
}
_COMMANDS: Final = {name: it for section in _SECTIONS.values() for name, it in section.items()}


class _ClosedPipeError(Exception):
    """Nobody reads standard output any more; click would exit with 1, which means "no"."""


class _LazyGroup(click.Group):
    """A group whose commands are imported when called, so that --help is immediate."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            if cmd_name.startswith("-") or ctx.resilient_parsing:
                return None
            raise UnknownNameError.of("command", cmd_name, _COMMANDS)
        module = importlib.import_module(f"pegwise.cli.{_COMMANDS[cmd_name][0]}")
        command = _localized(cast(click.Command, getattr(module, cmd_name)))
        command.context_class = HelpContext
        hidden = [option for option in command.params if _is_hidden(option)]
        if hidden and not ctx.resilient_parsing:
            n = len(hidden)
            shown = trn("Show {n} more option.", "Show {n} more options.", n)
            command.params.append(
                click.Option(
                    ["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_help_all,
                    help=shown,
                )
            )
        for option in hidden if ctx.resilient_parsing else ():
            option.hidden = False  # the Tab key completes all
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, commands in _SECTIONS.items():
            with formatter.section(tr(title)):
                formatter.write_dl([(name, tr(line)) for name, (_, line) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        commands = [
            CompletionItem(name, help=tr(line))
            for name, (_, line) in _COMMANDS.items()
            if name.startswith(incomplete)
        ]
        # past the group of commands: options of any command
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> object:
        from pegwise.cli.progress import show_aside  # --help waits for nothing

        show_aside()
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ClosedPipeError from error


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: pegwise race 4x6 -s knuth -s entropy",
)
@click.version_option(__version__, prog_name="pegwise")
@click.option(
    "--lang",
    expose_value=False,
    metavar="|".join(LANGUAGES),
    help="The language, instead of that of the system; also after a command.",
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

    RULES are PEGSxCOLORS with flags: 4x6, 4x10,distinct, 5x8,blank, 4x6,black; or a name, as in
    pegwise play number-baseball: pegwise games lists them.
    """
    if ctx.invoked_subcommand is None:
        commands = [(name, tr(_COMMANDS[name][1])) for name in ("play", "solve", "race", "serve")]
        rows = [(f"pegwise {name}", what) for name, what in commands]
        rows.append(("pegwise --help", tr("All commands.")))
        formatter = ctx.make_formatter()
        formatter.write_text(tr("A laboratory for the game of Mastermind. Type one of these:"))
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(rows)
        click.echo(formatter.getvalue(), nl=False)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line; every error is one sentence on standard error."""
    written.clear()
    with stoppable():
        try:
            _main(sys.argv[1:] if arguments is None else arguments)
        finally:
            write_signs(str)  # whatever the command has said them in


def _main(typed: Sequence[str]) -> NoReturn:
    try:
        with interruptible(), memory_explained():
            status = _run_command(typed)
    except PegwiseError as error:
        _end(translated(error), error.exit_status)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        called = [word for word in typed[:1] if word in _COMMANDS]
        command = context.command_path if context else " ".join(["pegwise", *called])
        hint = tr(" (see {command} --help)", command=command)
        if isinstance(error, click.NoSuchOption):
            near = _near(error.option_name, error.possibilities or ())
            error = click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx)
        _end(f"{error.format_message().rstrip('.')}{hint}", 2)
    except (KeyboardInterrupt, click.exceptions.Abort):
        stays = tr("interrupted; what was written stays: {files}", files=", ".join(written))
        _end(stays if written else tr("interrupted; no result was stored"), exit_status())
    except (BrokenPipeError, _ClosedPipeError):
        _discard(sys.stdout)
        sys.exit(0)
    except OSError as error:
        try:
            click.echo()  # fails again where it is standard output that failed
        except OSError:
            _discard(sys.stdout)
            reason = system_reason(error)
            _end(tr("cannot write to standard output: {reason}", reason=reason), 2)
        raise
    sys.exit(status)


def _near(typed: str, options: Iterable[str]) -> list[str]:
    """The options whose names are near to what was typed; click counts the dashes too."""
    from difflib import get_close_matches  # --help waits for no errors

    names = {option.lstrip("-"): option for option in options}
    return [names[name] for name in get_close_matches(typed.lstrip("-"), names)]


def _run_command(arguments: Sequence[str]) -> int:
    """Run a command; the exit status."""
    begun = time.monotonic()
    arguments = _asked_for_help(uncolored(_choose_language(arguments)))
    if sys.stdout is None:
        raise OutputError("standard output is closed")
    try:
        # click returns the status that a command exits with (--help, or exit(1))
        status = _localized(cli).main(
            arguments,
            "pegwise",
            standalone_mode=False,
            color=colored(),
            terminal_width=help_width(),
        )
    except SystemExit as ended:
        status = ended.code
    finally:
        end_without_codes()
        if time.monotonic() - begun > _LONG:
            from pegwise.cli.storage import trim

            trim()
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _asked_for_help(arguments: list[str]) -> list[str]:
    """`help` and `help race` as the options that show help."""
    if arguments[:1] != ["help"]:
        return arguments
    return [*arguments[1:2], "--help"]


def _is_hidden(parameter: click.Parameter) -> TypeGuard[click.Option]:
    return isinstance(parameter, click.Option) and parameter.hidden


def _help_all(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    """Show help with the options that `--help` does not show."""
    if not asked or ctx.resilient_parsing:
        return
    ctx.command.params.remove(parameter)
    for option in filter(_is_hidden, ctx.command.params):
        option.hidden = False
    click.echo(ctx.get_help(), color=ctx.color)
    ctx.exit()


def _discard(stream: TextIO) -> None:
    """Keep the interpreter from writing, at its end, what a stream does not take."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _end(message: str, status: int) -> NoReturn:
    try:
        to_stderr(f"pegwise: {message}")
    except OSError:
        _discard(sys.stderr)
    sys.exit(status)


# language


def _choose_language(arguments: Sequence[str]) -> list[str]:
    """Speak the language of `--lang`, or of the system; the arguments without `--lang`."""
    use(chosen_by(os.environ))
    rest: list[str] = []
    words: Iterator[str] = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif option != "--lang":
            rest.append(word)
        elif (name := value if equals else next(words, None)) is not None:
            use(name)
        else:
            languages = ", ".join(LANGUAGES)
            raise InputError(
                "{option} needs a language: {languages}", option=option, languages=languages
            )
    # click asks `gettext` for its own sentences
    if language() == SOURCE:
        gettext.textdomain("messages")
    else:
        os.environ["LANGUAGE"] = language()
        gettext.bindtextdomain("pegwise", LOCALE)
        gettext.textdomain("pegwise")
        tolerate(sys.stdout, sys.stderr)
    return rest


def _localized(command: C) -> C:
    """A copy of a command with its help in the language that is spoken.

    Click stores the option --help in the command, in the language of its first use: in the copy.
    """
    local = copy.copy(command)
    local.params = [copy.copy(parameter) for parameter in command.params]
    if language() == SOURCE:
        return local
    local.help = tr(inspect.cleandoc(command.help or ""))
    local.epilog = tr(command.epilog or "")
    local.options_metavar = tr("[OPTIONS]")
    if isinstance(local, click.Group):
        local.subcommand_metavar = tr("COMMAND [ARGUMENT]...")
    for parameter in local.params:
        if isinstance(parameter, click.Option) and parameter.help:
            parameter.help = tr(parameter.help)
        if parameter.metavar:
            parameter.metavar = tr(parameter.metavar)
    return local
