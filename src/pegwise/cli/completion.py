"""`pegwise completion`: the script by which a shell completes commands, strategies and rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem, get_completion_class

from pegwise.errors import InputError, UnknownNameError

SHELLS: Final = ("bash", "zsh", "fish")

_ASKED_BY: Final = "_PEGWISE_COMPLETE"
"""The variable by which click's scripts ask for completions."""


def _shells(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    return [shell for shell in SHELLS if shell.startswith(incomplete)]


def strategy_names(
    ctx: click.Context,  # noqa: ARG001
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """The strategies whose names begin so."""
    from pegwise.strategies import names

    return [CompletionItem(name) for name in names() if name.startswith(incomplete)]


@click.command(epilog='Example: eval "$(pegwise completion bash)"')
@click.argument("shell", required=False, metavar="[bash|zsh|fish]", shell_complete=_shells)
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
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise UnknownNameError.of("shell", shell, SHELLS)
    click.echo(kind(ctx.find_root().command, {}, "pegwise", _ASKED_BY).source())
