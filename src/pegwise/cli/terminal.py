"""The terminal: its streams and colors, help and prose."""

from __future__ import annotations

import atexit
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from textwrap import fill
from typing import Final, TextIO

import click

if sys.platform != "win32":
    import fcntl
    import termios

from pegwise.cli.signals import stop_if_asked, suspendable
from pegwise.errors import InputError, PegwiseError
from pegwise.i18n import tr, translated

NO: Final = 1  # exit status: the answer is no
READABLE: Final = 100  # columns; longer lines are hard to read


written: Final[list[str]] = []
"""The files that this command has written so far."""

# streams and colors


def uncolored(arguments: Sequence[str]) -> list[str]:
    """The arguments without `--no-color`, which does what `NO_COLOR` does."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if "--no-color" in arguments[:end]:
        os.environ["NO_COLOR"] = "1"
    return [word for k, word in enumerate(arguments) if k >= end or word != "--no-color"]


def colored() -> bool | None:
    """Whether to color: False with `NO_COLOR` or `TERM=dumb`, None where the output decides."""
    quiet = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if quiet else None


def tolerate(*streams: object) -> None:
    """Replace characters that a stream cannot encode or decode; they are no reason to stop."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper) and stream.errors != "replace":
            stream.reconfigure(errors="replace")


def encodable(text: str) -> bool:
    """Whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return False
    return True


def end_without_codes() -> None:
    """Keep colorama, if Numba has imported it, from resetting colors when Python ends."""
    if (colorama := sys.modules.get("colorama.initialise")) is not None:
        atexit.unregister(colorama.reset_all)


def standard_input() -> TextIO:
    """Standard input, or InputError where it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin


def has_unread_input() -> bool:
    """Whether standard input is a file or a pipe with something that was not read yet.

    Nothing is read, and nothing is waited for: a script may have its own next lines there.
    """
    try:
        number = standard_input().fileno()
        status = os.fstat(number)
        if stat.S_ISREG(status.st_mode):
            return os.lseek(number, 0, os.SEEK_CUR) < status.st_size
        return stat.S_ISFIFO(status.st_mode) and _bytes_in_pipe(number) > 0
    except (InputError, OSError, ValueError):  # closed, or no file of the system
        return False


def _bytes_in_pipe(number: int) -> int:
    """How many bytes of a pipe can be read at once; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    counted = fcntl.ioctl(number, termios.FIONREAD, bytes(4))
    return int.from_bytes(counted, sys.byteorder)


def read_line(prompt: str, *, err: bool) -> str:
    """A line of standard input with its end; '' at the end of the input.

    A terminal offers a history and keys for editing. Other input is shown as it is read.
    """
    stop_if_asked()
    if not standard_input().isatty():
        click.echo(prompt, nl=False, err=err)
        text = standard_input().readline()
        click.echo(text.rstrip(), err=err)
        return text
    typed: Callable[[], str] = str
    with suppress(ImportError):
        import readline  # input() uses it from now on

        typed = readline.get_line_buffer
    if err:
        click.echo(prompt, nl=False, err=True)

    def redraw() -> None:
        click.echo(f"{prompt}{typed()}", nl=False, err=err)

    try:
        with suspendable(redraw):
            return input("" if err else prompt) + "\n"
    except EOFError:
        click.echo(err=err)
        return ""


# help and prose


def completing(names: Callable[[str], Iterable[str]]) -> Callable[..., list[str]]:
    """A function that completes a parameter: the names that begin with what is typed."""
    return lambda _ctx, _param, typed: [name for name in names(typed) if name.startswith(typed)]


def terminal_width(default: int = 80) -> int:
    """Columns of the terminal, or as `COLUMNS` says; without a terminal, the default.

    `shutil` has the same, but imports four compressors first, for which --help would wait.
    """
    with suppress(KeyError, ValueError):
        if (asked := int(os.environ["COLUMNS"])) > 0:
            return asked
    for stream in filter(None, (sys.__stdout__, sys.__stderr__, sys.__stdin__)):
        with suppress(ValueError, OSError):  # closed, or no terminal
            return os.get_terminal_size(stream.fileno()).columns or default
    return default


def help_width() -> int:
    """Columns for help in this terminal."""
    return max(20, min(terminal_width(), READABLE) - 2)


def paragraph(text: str, indent: str = "", following: str | None = None) -> str:
    """A paragraph in lines that fit the terminal, those after the first set in by `following`.

    Lines break at blanks alone: a path or a code stays whole, to be copied.
    """
    return fill(
        text,
        max(20, min(terminal_width(READABLE), READABLE)),
        initial_indent=indent,
        subsequent_indent=indent if following is None else following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def sentence(text: PegwiseError | str) -> str:
    """A translated text as a sentence of its own, with a capital and a full stop."""
    words = translated(text)
    return f"{words[:1].upper()}{words[1:]}."


def say(text: str, /, *, indent: str = "", bold: bool | None = None, **values: object) -> None:
    """Write a translated text with its values on standard output, in lines that fit a terminal."""
    line = indent + tr(text, **values)
    if sys.stdout.isatty():
        above, newline, room = indent.rpartition("\n")
        line = above + newline + paragraph(tr(text, **values), room, f"{room}    ")
    click.secho(line, bold=bold)


def tell(text: str, /, **values: object) -> None:
    """Write a translated text with its values on standard error."""
    to_stderr(tr(text, **values))


def to_stderr(text: str) -> None:
    """Write a text as it is on standard error, in lines that fit a terminal."""
    if sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty():
        text = "\n".join(map(paragraph, text.split("\n")))
    click.echo(text, err=True)


def tell_interrupted(name: object) -> None:
    """Say how to continue work of which a part is stored."""
    tell("Interrupted; the same command continues with {name}.", name=name)


class _Formatter(click.HelpFormatter):
    """Leaves room beside long options in a narrow terminal."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, max(self.width // 3, 12)), col_spacing)


class HelpContext(click.Context):
    """The context of a command with such help."""

    formatter_class = _Formatter
