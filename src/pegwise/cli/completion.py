"""`pegwise completion`: the Tab key completes commands, strategies and rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from pegwise.cli.terminal import completing
from pegwise.errors import InputError, UnknownNameError

SHELLS: Final = ("bash", "zsh", "fish")


@click.command(epilog='Example: eval "$(pegwise completion bash)"')
@click.argument(
    "shell",
    required=False,
    metavar="[bash|zsh|fish]",
    shell_complete=completing(lambda _typed: SHELLS),
)
@click.pass_context
def completion(ctx: click.Context, shell: str | None) -> None:
    """Print the script that completes commands, strategies and rules at the Tab key.

    Without a name it is for the shell that you use. To have it in every shell, put the line of
    the example into ~/.bashrc, or with zsh into ~/.zshrc; for fish, write the script to
    ~/.config/fish/completions/pegwise.fish.
    """
    if shell is None:
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in SHELLS:
            raise InputError("cannot tell your shell: write pegwise completion bash, zsh or fish")
    script = get_completion_class(shell) if shell in SHELLS else None
    if script is None:
        raise UnknownNameError.of("shell", shell, SHELLS)
    # click's scripts ask for completions by this variable
    program = ctx.find_root().command
    click.echo(script(program, {}, "pegwise", "_PEGWISE_COMPLETE").source())
