"""Tables of a race in the terminal: its results, or what it would take."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pegwise.arena.race import Protocol
from pegwise.arena.results import Duel, RaceResults, Standing, by_mean
from pegwise.cli.board import align
from pegwise.cli.options import check_memory, print_json
from pegwise.cli.terminal import announce_compilation, encodable, page, paragraph
from pegwise.compute.pool import cores
from pegwise.errors import Phrase, TooLargeError
from pegwise.game import Rules
from pegwise.game.game import MAX_LISTED
from pegwise.i18n import figure, tr, translated
from pegwise.pictures.words import duration, played, rules_words_of

if TYPE_CHECKING:
    from pegwise.arena.forecast import Estimate
    from pegwise.strategies import Strategy
_ALL_PAIRS: Final = 4  # of more strategies, only the pairs with the best one are shown
_SPARK: Final = 24
_LEAST_SPARK: Final = 5
_NARROW: Final = 72  # below this width, exact figures beside drawn ones are left out
_TIGHT: Final = 50  # below this one, times and how many guesses are saved at most too
_BARS: Final = "▁▂▃▄▅▆▇█"
_PLAIN_BARS: Final = "_.-:=+*#"
_NONE: Final = "·"


def print_race(results: RaceResults) -> None:
    """Standings, best mean first; games by number of guesses; pairs; who did not race."""
    standings = by_mean(results.standings)
    with page() as console:
        console.print(_heading(results, console.width))
        if standings:
            console.print()
            console.print(_summary(standings, console.width))
            console.print(_verdict(standings))
            console.print("\n" + tr("Games won with 1, 2, ... guesses"))
            for table in _counts(standings, console.width):
                console.print(table)
        if results.duels:
            _print_pairs(results, standings, console)
        _print_skipped(results, console)


def print_protocol(protocol: Protocol, races: Sequence[RaceResults]) -> None:
    """Standings under each of the rules, then means, maxima and times across them."""
    with page() as console:
        console.print(f"{protocol.name} ({protocol.source})")
        for results in races:
            console.print(Text("\n").append(_heading(results, console.width)))
            if standings := by_mean(results.standings):
                console.print(_summary(standings, console.width))
            _print_skipped(results, console)
        finished = [results for results in races if results.standings]
        if len(finished) > 1:
            for title, show in _FIGURES:
                console.print(f"\n{tr(title)}")
                console.print(_across(finished, show))


def spark(histogram: Sequence[int], worst: int, room: int, bars: str = _BARS) -> str:
    """A histogram as one line of bars, from 1 to `worst` guesses; a dot where no game was won.

    Neighbours share a bar where there is no room for all.
    """
    wide = _bin(worst, room)
    counts = [*histogram, *[0] * (worst - len(histogram))]
    bins = [sum(counts[k : k + wide]) for k in range(0, worst, wide)]
    top = max(bins)
    return "".join(bars[(len(bars) * won - 1) // top] if won else _NONE for won in bins)


def _bin(worst: int, room: int) -> int:
    """How many numbers of guesses share a bar."""
    return -(-worst // room)


_FIGURES: Final[tuple[tuple[Phrase, Callable[[Standing], str]], ...]] = (
    (Phrase("Guesses on average"), lambda standing: figure(standing.mean, ".3f")),
    (Phrase("Guesses at most"), lambda standing: figure(standing.worst, ",")),
    (Phrase("Time"), lambda standing: duration(standing.seconds)),
)


def _heading(results: RaceResults, width: int) -> Text:
    words = rules_words_of(results.rules)
    name = f" ({words})" if words != results.rules else ""
    about = tr("{name}: {played}", name=name, played=played(results))
    # broken into lines here, for Rich breaks them between the digits of French numbers too
    heading = Text(click.wrap_text(f"{results.rules}{about}", width))
    heading.stylize("bold", 0, len(results.rules))
    return heading


def _table(name: str | None, *heads: str, gap: int = 2, least: int = 10) -> Table:
    """A table without lines: strategies on the left, unless None, and numbers to the right."""
    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="dim")
    if name is not None:
        table.add_column(name, overflow="fold", min_width=least)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True, vertical="bottom")
    return table


def _summary(standings: Sequence[Standing], width: int) -> Table:
    """Figures and bars; fewer bars where the terminal is narrow."""
    bars = _BARS if encodable(f"{_BARS}{_NONE}±") else _PLAIN_BARS
    worst = max(standing.worst for standing in standings)
    drawn = any(standing.interval for standing in standings)
    exact = width >= _NARROW and any(standing.exact for standing in standings)
    heads = [tr("strategy"), tr("mean"), "95 %" if drawn else tr("total"), tr("worst")]
    heads += [tr("exact\nmean"), tr("exact\nworst")] if exact else []
    rows = [[*_figures(s, drawn=drawn, exact=exact), duration(s.seconds)] for s in standings]
    heads.append(tr("time"))
    if width < _TIGHT:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    table = _table(*heads, gap=1 if width < _TIGHT else 2)
    needed = [max(map(len, column)) for column in zip(*rows, strict=True)]
    needed = [max(len(h.split()[-1]), n) for h, n in zip(heads, needed, strict=True)]
    room = min(width - sum(needed) - 2 * len(needed), _SPARK)
    if room < _LEAST_SPARK:
        room = 0
    else:
        wide = _bin(worst, room)
        note = "\n" + tr("by {n}", n=wide) if wide > 1 else ""
        table.add_column(f"1-{worst}{note}", no_wrap=True, vertical="bottom")
    for rank, (row, standing) in enumerate(zip(rows, standings, strict=True)):
        shape = [spark(standing.histogram, worst, room, bars)] if room else []
        table.add_row(*map(Text, [*row, *shape]), style="" if rank else "bold green")
    return table


def _figures(standing: Standing, *, drawn: bool, exact: bool) -> list[str]:
    cells = [standing.strategy, figure(standing.mean, ".3f")]
    if drawn:
        low, high = standing.interval or (0, 0)
        cells.append(f"±{figure((high - low) / 2, '.3f')}" if standing.interval else "")
    else:
        cells.append(figure(standing.total, ","))
    cells.append(figure(standing.worst, ","))
    if exact:
        proven = standing.exact
        cells += [figure(proven.mean, ".3f"), figure(proven.worst, ",")] if proven else ["", ""]
    return cells


def _verdict(standings: Sequence[Standing]) -> str:
    best = standings[0]
    safest = min(standings, key=lambda s: (s.worst, s.mean))
    return tr(
        "Fewest on average: {best}, {mean:.3f}. Fewest at worst: {safest}, {worst:,}.",
        best=best.strategy,
        mean=best.mean,
        safest=safest.strategy,
        worst=safest.worst,
    )


def _counts(standings: Sequence[Standing], width: int) -> Iterator[Table]:
    """Games by number of guesses, in as many tables as the width needs."""
    worst = max(standing.worst for standing in standings)
    cells = [[figure(won, ",") if won else _NONE for won in s.histogram] for s in standings]
    for row in cells:
        row += [_NONE] * (worst - len(row))
    columns = [max(len(str(k + 1)), *(len(row[k]) for row in cells)) for k in range(worst)]
    room = width - max(10, *(len(standing.strategy) for standing in standings))
    gap = 2 if sum(columns) + 2 * worst <= room else 1
    start = min(next(k for k, cell in enumerate(row) if cell != _NONE) for row in cells)
    while start < worst:
        stop = start + 1
        while stop < worst and sum(columns[start : stop + 1]) + gap * (stop + 1 - start) <= room:
            stop += 1
        table = _table(tr("strategy"), *(str(k + 1) for k in range(start, stop)), gap=gap)
        for standing, row in zip(standings, cells, strict=True):
            if set(row[start:stop]) != {_NONE}:
                table.add_row(Text(standing.strategy), *row[start:stop])
        yield table
        start = stop


def _print_pairs(results: RaceResults, standings: Sequence[Standing], console: Console) -> None:
    order = {standing.strategy: rank for rank, standing in enumerate(standings)}
    best = standings[0].strategy
    pairs = [
        duel if order[duel.first] < order[duel.second] else duel.turned() for duel in results.duels
    ]
    pairs.sort(key=lambda duel: (order[duel.first], order[duel.second]))
    few = len(order) <= _ALL_PAIRS
    title = tr("Pair by pair")
    if not few:
        pairs = [duel for duel in pairs if duel.first == best]
        title = tr("{strategy} against each (all pairs: --report, --json)", strategy=best)
    faster, by, equal = tr("faster"), tr("by"), tr("equal")
    tight = console.width < _TIGHT
    if tight:
        title = tr("{pairs}: games in which one needs fewer guesses", pairs=title)
        heads = [faster, equal, faster]
    else:
        title = tr(
            "{pairs}: games in which one needs fewer guesses, and how many fewer at most",
            pairs=title,
        )
        heads = [faster, by, equal, faster, by]
    console.print(f"\n{title}")
    named = few or not tight  # else the title has the name
    first = tr("first") if named else None
    table = _table(first, *heads, gap=1 if tight else 2, least=8 if tight else 10)
    table.add_column(tr("second"), overflow="fold", min_width=8)
    for duel in pairs:
        name = [Text(duel.first)] if named else []
        table.add_row(*name, *_pair_cells(duel, tight=tight), Text(duel.second))
    console.print(table)


def _pair_cells(duel: Duel, *, tight: bool) -> list[str]:
    first = [figure(duel.first_faster, ","), str(duel.first_by_at_most or _NONE)]
    second = [figure(duel.second_faster, ","), str(duel.second_by_at_most or _NONE)]
    shown = 1 if tight else 2
    return [*first[:shown], figure(duel.ties, ","), *second[:shown]]


def _print_skipped(results: RaceResults, console: Console) -> None:
    """Who did not race, those with the same reason together."""
    if not results.skipped:
        return
    console.print("\n" + tr("Not raced"))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    reasons = sorted(results.skipped, key=lambda pair: pair[1])
    for why, group in groupby(reasons, key=lambda pair: pair[1]):
        table.add_row(Text(", ".join(name for name, _ in group)), Text(translated(why)))
    console.print(table)


def _across(races: Sequence[RaceResults], show: Callable[[Standing], str]) -> Table:
    """One row a strategy, one column a race."""
    heads = [results.rules.replace(",", ",\n").replace("-", "-\n") for results in races]
    table = _table(tr("strategy"), *heads)
    columns = [{s.strategy: show(s) for s in results.standings} for results in races]
    for name in dict.fromkeys(name for column in columns for name in column):
        table.add_row(Text(name), *(column.get(name, _NONE) for column in columns))
    return table


# `pegwise race --dry-run`

_CALIBRATION: Final = ("4x8", "5x7")
_RUNS: Final = 3
_WORKERS: Final = (16, 64, 1024)
_CHECKS: Final = ("5x12", "6x9", "7x7")
_NUMBERED: Final = 2**31 - 1
"""Nodes and guesses of a tree are numbered in 32 bits."""


def show_forecast(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    jobs: int | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Show time and memory of whole trees, by all measured strategies if none is named.

    Raises:
        InputError: the time of a strategy cannot be estimated.
        TooLargeError: the board is too large for any tree, or for the memory allowed.
    """
    from pegwise.arena.forecast import MEASURED, estimate, fit, memory_of

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
        law.seconds(rules, name)  # refuses a strategy that was not measured
    check_memory(memory, memory_of(rules), rules)
    announce_compilation()
    factor = _slowness()
    estimates = [estimate(law, rules, name, _WORKERS, factor=factor) for name in names]
    n_cores = min(jobs or cores(), cores())
    document = _forecast(rules, estimates, factor, n_cores)
    if as_json:
        print_json(document)
        return
    head = tr("here, --jobs {n}", n=jobs) if jobs else tr("all {n} cores here", n=n_cores)
    first, *notes = _forecast_lines(document)
    click.echo(paragraph(first, "", "  "))
    for line in _times(estimates, n_cores, head):
        click.echo(line)
    for note in notes:
        click.echo(paragraph(note, "", "  "))


def _forecast(
    rules: Rules, estimates: Sequence[Estimate], factor: float, n_cores: int
) -> dict[str, Any]:
    """Estimates with what they rest on, as a JSON document."""
    from pegwise.arena.forecast import DATE, MEASURED, error_factor, memory_of, predict
    from pegwise.compute.memory import available_memory

    needed, free = memory_of(rules), available_memory()
    return {
        "rules": str(rules),
        "secrets": rules.n_secrets,
        "listed": max(rules.n_guesses, rules.n_secrets) <= MAX_LISTED,
        "cores": n_cores,
        "strategies": [
            {
                "strategy": tree.strategy,
                "seconds": tree.seconds,
                "here": tree.seconds / n_cores,
                "workers": {str(n): seconds for n, seconds in tree.workers.items()},
            }
            for tree in estimates
        ],
        "memory": needed,
        "free": free,
        "enough": free is None or needed <= free,
        "measured": DATE,
        "factor": factor,
        "within": error_factor(MEASURED),
        "pegs_measured": rules.pegs <= max(tree.rules.pegs for tree in MEASURED),
        "checks": [
            {
                "rules": str(tree.rules),
                "strategy": tree.strategy,
                "seconds": tree.seconds,
                "foretold": predict(MEASURED, tree),
            }
            for tree in MEASURED
            if str(tree.rules) in _CHECKS and tree.strategy == estimates[0].strategy
        ],
    }


def _forecast_lines(document: dict[str, Any]) -> Iterator[str]:
    """The document in prose: the board first."""
    needed, free = document["memory"], document["free"]
    yield tr(
        "{rules}: {n:,} secrets; nothing is played", rules=document["rules"], n=document["secrets"]
    )
    yield tr("memory: {n} GiB, and at most as much for each worker", n=_gib(needed))
    if not document["enough"]:
        yield tr(
            "this machine has {free} GiB free, which is not enough: take one with {n} GiB",
            free=_gib(free),
            n=_gib(needed + 2**30),
        )
    elif free is not None:
        yield tr("this machine has {free} GiB free, which is enough", free=_gib(free))
    if not document["listed"]:
        yield tr(
            "boards of more than {most:,} codes are not listed: draw games instead (--games N)",
            most=MAX_LISTED,
        )
    yield tr(
        "from boards measured on {date}; this machine takes {factor} times as long",
        date=document["measured"],
        factor=figure(document["factor"], ".2f"),
    )
    for check in document["checks"]:
        yield tr(
            "{rules}: measured {seconds}, predicted from smaller boards {predicted}",
            rules=check["rules"],
            seconds=_time(check["seconds"]),
            predicted=_time(check["foretold"]),
        )
    yield tr(
        "every measured board was predicted from smaller ones within a factor of {factor}",
        factor=figure(math.ceil(document["within"] * 10) / 10, ".1f"),
    )
    if not document["pegs_measured"]:
        yield tr("no board of so many pegs was measured: it may be many times more or less")


def _slowness() -> float:
    """How many times as long as the machine that measured this one takes now."""
    from pegwise.arena.forecast import MEASURED, speed
    from pegwise.strategies import load
    from pegwise.trees import build

    knuth = load("knuth")
    recorded: dict[Rules, float] = {}
    taken: dict[Rules, float] = {}
    for tree in MEASURED:
        if tree.strategy != "knuth" or str(tree.rules) not in _CALIBRATION:
            continue
        build(knuth, tree.rules)
        runs = []
        for _ in range(_RUNS):
            begun = time.process_time()
            build(knuth, tree.rules)
            runs.append(time.process_time() - begun)
        recorded[tree.rules], taken[tree.rules] = tree.seconds, min(runs)
    return speed(recorded, taken)


def _times(estimates: Sequence[Estimate], n_cores: int, head: str) -> list[str]:
    """Times side by side where the terminal has room for them, else below each other."""
    heads = [tr("strategy"), tr("one core"), head]
    heads += [tr("{n} workers", n=n) for n in _WORKERS]
    rows = [heads]
    for tree in estimates:
        times = [tree.seconds, tree.seconds / n_cores, *tree.workers.values()]
        rows.append([tree.strategy, *map(_time, times)])
    lines = ["  ".join(cells) for cells in align(rows, [0])]
    if len(lines[0]) + 2 <= shutil.get_terminal_size().columns:
        return lines
    return [
        line
        for name, *times in rows[1:]
        for line in (name, *(f"  {h}: {t}" for h, t in zip(heads[1:], times, strict=True)))
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
    return figure(size / 2**30, ",.1f")
