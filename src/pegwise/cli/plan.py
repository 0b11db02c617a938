"""`pegwise race --dry-run`: what whole trees would need, and nothing is played."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pegwise.arena.plan import memory_of, plan
from pegwise.cli import options
from pegwise.cli.terminal import align, paragraph
from pegwise.compute.machine import cores
from pegwise.game import Rules
from pegwise.game.game import MAX_LISTED
from pegwise.i18n import figure, tr
from pegwise.strategies import Strategy


def show_plan(
    rules: Rules, strategies: Sequence[Strategy], resources: options.Resources, *, as_json: bool
) -> None:
    """Show memory and pieces of whole trees; errors as `plan`, and for more than --memory."""
    options.check_memory(resources.memory, memory_of(rules), rules)
    names = [strategy.card.id for strategy in strategies]
    document = plan(rules, names, jobs=resources.jobs or cores())
    if as_json:
        options.print_json(document)
        return
    notes = [
        tr("{rules}: {n:,} secrets; nothing is played", rules=rules, n=rules.n_secrets),
        tr("memory: {n} GiB, and at most as much for each worker", n=_gib(document["memory"])),
    ]
    if document["enough"]:
        free = _gib(document["free"])
        notes.append(tr("this machine has {free} GiB free, which is enough", free=free))
    else:
        notes.append(
            tr(
                "this machine has {free} GiB free, which is not enough: take one with {n} GiB",
                free=_gib(document["free"]),
                n=_gib(document["memory"] + 2**30),
            )
        )
    if not document["listed"]:
        notes.append(
            tr(
                "boards of more than {most:,} codes are not listed: draw games instead (--games N)",
                most=MAX_LISTED,
            )
        )
    notes.append(
        tr("A tree in pieces: at least so many, of at most so many secrets, by number of workers.")
    )
    for note in notes:
        click.echo(paragraph(note, "", "  "))
    rows = [[tr("workers"), tr("pieces"), tr("secrets")]]
    rows += [
        [figure(row[key], ",") for key in ("workers", "least", "largest")]
        for row in document["pieces"]
    ]
    click.echo("\n".join("  ".join(row) for row in align(rows, [])))


def _gib(size: int) -> str:
    return figure(size / 2**30, ",.1f")
