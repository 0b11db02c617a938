"""`pegwise compile`: kernels, compiled before a command needs them."""

from __future__ import annotations

import click

from pegwise.cli.progress import progress_bar
from pegwise.cli.terminal import say
from pegwise.compute.machine import cores
from pegwise.i18n import tr
from pegwise.kernels.cache import machine_code
from pegwise.search.kernels import compile_kernels


@click.command(epilog="Example: pegwise compile")
def compile() -> None:  # noqa: A001
    """Compile all kernels now, so that no later command does.

    Small games need none; proofs and larger boards do. All processors are used.
    """
    with progress_bar(tr("compiling")) as report:
        compile_kernels(cores(), report=report)
    say("All kernels are compiled: {path}", path=str(machine_code()))
