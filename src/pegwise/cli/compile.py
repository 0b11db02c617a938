"""`pegwise compile`: kernels, compiled before a command needs them."""

from __future__ import annotations

import sys

import click

from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import exit_status
from pegwise.cli.terminal import say, tell_interrupted
from pegwise.compute.machine import cores
from pegwise.errors import Phrase
from pegwise.i18n import tr
from pegwise.kernels.cache import compiled, machine_code
from pegwise.search.kernels import compile_kernels


@click.command(epilog="Example: pegwise compile")
def compile() -> None:  # noqa: A001
    """Compile all kernels now, so that no later command does.

    Small games need none; proofs and larger boards do. All processors are used.
    """
    if not compiled("exact.search"):
        say("Compiling all kernels takes about a minute on two processors, once on this machine.")
    try:
        with progress_bar(tr("compiling")) as report:
            compile_kernels(cores(), report=report)
    except KeyboardInterrupt:
        tell_interrupted(Phrase("the other kernels"))
        sys.exit(exit_status())
    say("All kernels are compiled: {path}", path=str(machine_code()))
