"""`pegwise race --dry-run`: what a whole race would take, on this machine and on others."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.options import check_fits, print_json
from pegwise.cli.terminal import announce_compilation, paragraph
from pegwise.compute.pool import cores
from pegwise.errors import TooLargeError
from pegwise.game import Rules
from pegwise.game.game import MAX_LISTED
from pegwise.i18n import figure, tr

if TYPE_CHECKING:
    from pegwise.arena.forecast import Estimate
    from pegwise.strategies import Strategy
_CALIBRATION: Final = ("4x8", "5x7")
_RUNS: Final = 3
_WORKERS: Final = (16, 64, 1024)
_CHECKS: Final = ("5x12", "6x9", "7x7")
_GIB: Final = 2**30
_NUMBERED: Final = 2**31 - 1
"""Nodes and guesses of a tree are numbered in 32 bits."""


def show_plan(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    jobs: int | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Tell time and memory of whole trees; nothing of them is played.

    Args:
        rules: the board.
        strategies: whose trees; when there are none, every one whose time can be told.
        jobs: how much would run at once here; None for all cores.
        memory: bytes that a race may take here, None for any number.
        as_json: one JSON document instead of a table.

    Raises:
        InputError: the time of a strategy cannot be told beforehand.
        TooLargeError: the board is too large for any tree, or for the memory allowed.
    """
    from pegwise.arena.forecast import (
        DATE,
        MEASURED,
        error_factor,
        estimate,
        fit,
        memory_of,
        predict,
    )
    from pegwise.compute.memory import available_memory

    if max(rules.n_guesses, rules.n_secrets) > _NUMBERED:
        raise TooLargeError(
            "a tree of {rules} would have more nodes than can be numbered ({most:,}): "
            "draw games instead (--games N)",
            rules=rules,
            most=_NUMBERED,
        )
    law = fit(MEASURED)
    names = [strategy.card.id for strategy in strategies] or list(law.strategies)
    for name in names:
        law.seconds(rules, name)
    needed, free = memory_of(rules), available_memory()
    check_fits(memory, needed, rules)
    announce_compilation()
    factor = _factor()
    here = min(jobs or cores(), cores())
    told = [estimate(law, rules, name, _WORKERS, factor=factor) for name in names]
    listed = max(rules.n_guesses, rules.n_secrets) <= MAX_LISTED
    checks = [
        (one, predict(MEASURED, one))
        for one in MEASURED
        if str(one.rules) in _CHECKS and one.strategy == names[0]
    ]
    within = error_factor(MEASURED)
    known = rules.pegs <= max(one.rules.pegs for one in MEASURED)
    if as_json:
        print_json(
            {
                "rules": str(rules),
                "secrets": rules.n_secrets,
                "listed": listed,
                "cores": here,
                "strategies": [_document(one, here) for one in told],
                "memory": needed,
                "free": free,
                "enough": free is None or needed <= free,
                "measured": DATE,
                "factor": factor,
                "within": within,
                "pegs_measured": known,
                "checks": [
                    {
                        "rules": str(one.rules),
                        "strategy": one.strategy,
                        "seconds": one.seconds,
                        "foretold": seconds,
                    }
                    for one, seconds in checks
                ],
            }
        )
        return

    def say(text: str) -> None:
        click.echo(paragraph(text, "", "  "))

    say(tr("{rules}: {n:,} secrets; nothing is played", rules=rules, n=rules.n_secrets))
    head = tr("here, --jobs {n}", n=jobs) if jobs else tr("all {n} cores here", n=here)
    for line in _table(told, here, head):
        click.echo(line)
    say(tr("memory: {n} GiB, and at most as much for each worker", n=_gib(needed)))
    if free is not None and needed > free:
        say(
            tr(
                "this machine has {free} GiB free, which is not enough: take one with {n} GiB",
                free=_gib(free),
                n=_gib(needed + _GIB),
            )
        )
    elif free is not None:
        say(tr("this machine has {free} GiB free, which is enough", free=_gib(free)))
    if not listed:
        say(
            tr(
                "boards of more than {most:,} codes are not listed: draw games instead (--games N)",
                most=MAX_LISTED,
            )
        )
    say(
        tr(
            "from boards measured on {date}; this machine takes {factor} times as long",
            date=DATE,
            factor=figure(factor, ".2f"),
        )
    )
    for one, seconds in checks:
        say(
            tr(
                "{rules}: measured {seconds}, foretold from smaller boards {told}",
                rules=one.rules,
                seconds=_time(one.seconds),
                told=_time(seconds),
            )
        )
    say(
        tr(
            "every measured board was foretold from smaller ones within a factor of {factor}",
            factor=figure(math.ceil(within * 10) / 10, ".1f"),
        )
    )
    if not known:
        say(tr("no board of so many pegs was measured: it may be many times more or less"))


def _factor() -> float:
    """How many times as long as the machine that measured this one takes now."""
    from pegwise.arena.forecast import MEASURED, speed
    from pegwise.strategies import load
    from pegwise.trees import build

    knuth = load("knuth")
    recorded: dict[Rules, float] = {}
    found: dict[Rules, float] = {}
    for one in MEASURED:
        if one.strategy != "knuth" or str(one.rules) not in _CALIBRATION:
            continue
        build(knuth, one.rules)
        runs = []
        for _ in range(_RUNS):
            start = time.process_time()
            build(knuth, one.rules)
            runs.append(time.process_time() - start)
        recorded[one.rules], found[one.rules] = one.seconds, min(runs)
    return speed(recorded, found)


def _document(one: Estimate, here: int) -> dict[str, Any]:
    workers = {str(n): seconds for n, seconds in one.workers.items()}
    return {
        "strategy": one.strategy,
        "seconds": one.seconds,
        "here": one.seconds / here,
        "workers": workers,
    }


def _table(told: Sequence[Estimate], here: int, head: str) -> list[str]:
    """Strategies below each other, times side by side where the terminal has room for them."""
    heads = [tr("strategy"), tr("one core"), head]
    heads += [tr("{n} workers", n=n) for n in _WORKERS]
    rows = [heads]
    for one in told:
        times = [one.seconds, one.seconds / here, *one.workers.values()]
        rows.append([one.strategy, *map(_time, times)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) > shutil.get_terminal_size().columns:
        return [
            line
            for name, *times in rows[1:]
            for line in (
                name,
                *(f"  {head}: {said}" for head, said in zip(heads[1:], times, strict=True)),
            )
        ]
    return [
        "  ".join(
            cell.ljust(width) if not k else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _time(seconds: float) -> str:
    """A time of two figures: more would promise too much."""
    for size, unit in ((86_400, tr("d")), (3_600, tr("h")), (60, tr("min"))):
        if seconds >= 2 * size:
            return f"{_rounded(seconds / size)} {unit}"
    if seconds < 0.001:
        return tr("under 1 ms")
    return f"{_rounded(1000 * seconds)} ms" if seconds < 1 else f"{_rounded(seconds)} s"


def _rounded(value: float) -> str:
    return figure(value, ".2g" if value < 99 else ",.0f")


def _gib(size: int) -> str:
    return figure(size / _GIB, ",.1f")
