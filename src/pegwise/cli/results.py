"""Results of a race as tables in the terminal; plain text where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from itertools import groupby
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pegwise.arena.race import Protocol
from pegwise.arena.results import Duel, RaceResults, Standing, by_mean
from pegwise.errors import Phrase
from pegwise.i18n import figure, tr, translated
from pegwise.pictures.words import duration, played, rules_words_of

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
    with _page() as console:
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
    with _page() as console:
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


@contextmanager
def _page() -> Iterator[Console]:
    """A console to print on; plain text appears at the end, without blanks at the ends of lines."""
    quiet = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    if sys.stdout.isatty() and not quiet:
        yield Console(highlight=False, markup=False, emoji=False)
        return
    if _bars() is _PLAIN_BARS and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    text = StringIO()
    width = shutil.get_terminal_size().columns
    yield Console(file=text, width=width, highlight=False, markup=False, emoji=False)
    click.echo("\n".join(line.rstrip() for line in text.getvalue().splitlines()))


def _bars() -> str:
    """Bars that the output can encode."""
    try:
        f"{_BARS}{_NONE}±".encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return _PLAIN_BARS
    return _BARS


def _heading(results: RaceResults, width: int) -> Text:
    words = rules_words_of(results.rules)
    known = f" ({words})" if words != results.rules else ""
    about = tr("{known}: {played}", known=known, played=played(results))
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
    worst = max(standing.worst for standing in standings)
    drawn = any(standing.interval for standing in standings)
    known = width >= _NARROW and any(standing.exact for standing in standings)
    heads = [tr("strategy"), tr("mean"), "95 %" if drawn else tr("total"), tr("worst")]
    heads += [tr("exact\nmean"), tr("exact\nworst")] if known else []
    rows = [[*_figures(s, drawn=drawn, known=known), duration(s.seconds)] for s in standings]
    heads.append(tr("time"))
    if width < _TIGHT:
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    table = _table(*heads, gap=1 if width < _TIGHT else 2)
    needed = [max(map(len, column)) for column in zip(*rows, strict=True)]
    needed = [max(len(h.split()[-1]), n) for h, n in zip(heads, needed, strict=True)]
    room = min(width - sum(needed) - 2 * len(needed), _SPARK)
    if room < _LEAST_SPARK:
        room = 0
    elif (wide := _bin(worst, room)) > 1:
        table.add_column(f"1-{worst}\n" + tr("by {n}", n=wide), no_wrap=True, vertical="bottom")
    else:
        table.add_column(f"1-{worst}", no_wrap=True, vertical="bottom")
    for rank, (row, standing) in enumerate(zip(rows, standings, strict=True)):
        shape = [spark(standing.histogram, worst, room, _bars())] if room else []
        table.add_row(*map(Text, [*row, *shape]), style="" if rank else "bold green")
    return table


def _figures(standing: Standing, *, drawn: bool, known: bool) -> list[str]:
    cells = [standing.strategy, figure(standing.mean, ".3f")]
    if drawn:
        low, high = standing.interval or (0, 0)
        cells.append(f"±{figure((high - low) / 2, '.3f')}" if standing.interval else "")
    else:
        cells.append(figure(standing.total, ","))
    cells.append(figure(standing.worst, ","))
    if known:
        exact = standing.exact
        cells += [figure(exact.mean, ".3f"), figure(exact.worst, ",")] if exact else ["", ""]
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
    order = [standing.strategy for standing in standings]
    pairs = [
        duel if order.index(duel.first) < order.index(duel.second) else duel.turned()
        for duel in results.duels
    ]
    pairs.sort(key=lambda duel: (order.index(duel.first), order.index(duel.second)))
    title = tr("Pair by pair")
    if len(order) > _ALL_PAIRS:
        pairs = [duel for duel in pairs if duel.first == order[0]]
        title = tr("{strategy} against each (all pairs: --report, --json)", strategy=order[0])
    tight = console.width < _TIGHT
    if tight:
        title = tr("{pairs}: games in which one needs fewer guesses", pairs=title)
    else:
        title = tr(
            "{pairs}: games in which one needs fewer guesses, and how many fewer at most",
            pairs=title,
        )
    console.print(f"\n{title}")
    faster, by, equal = tr("faster"), tr("by"), tr("equal")
    heads = [faster, equal, faster] if tight else [faster, by, equal, faster, by]
    known = tight and len(order) > _ALL_PAIRS  # the title has the first one's name
    first = None if known else tr("first")
    table = _table(first, *heads, gap=1 if tight else 2, least=8 if tight else 10)
    table.add_column(tr("second"), overflow="fold", min_width=8)
    for duel in pairs:
        named = [] if known else [Text(duel.first)]
        table.add_row(*named, *_pair_cells(duel, tight=tight), Text(duel.second))
    console.print(table)


def _pair_cells(duel: Duel, *, tight: bool) -> list[str]:
    first = figure(duel.first_faster, ","), str(duel.first_by_at_most or _NONE)
    second = figure(duel.second_faster, ","), str(duel.second_by_at_most or _NONE)
    equal = figure(duel.ties, ",")
    return [first[0], equal, second[0]] if tight else [*first, equal, *second]


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
    names = dict.fromkeys(s.strategy for results in races for s in results.standings)
    for name in names:
        cells = []
        for results in races:
            found = [show(s) for s in results.standings if s.strategy == name]
            cells.append(found[0] if found else _NONE)
        table.add_row(Text(name), *cells)
    return table
