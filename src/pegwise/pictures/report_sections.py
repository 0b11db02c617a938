"""The sections of the report of a race: lanes, chart, counts, pairs of strategies, their cards.

Every text that comes from outside is escaped.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Final

from pegwise.language import figure, tr
from pegwise.pictures.chart_files import chart_svg
from pegwise.pictures.charts import Shade, race_chart
from pegwise.pictures.order import turned
from pegwise.pictures.words import duration, played

if TYPE_CHECKING:
    from pegwise.arena.results import Duel, RaceResults, Standing
    from pegwise.strategies import Card

__all__ = ["cards", "chart", "counts", "lanes", "pairs"]

_NONE: Final = (
    '<td class="num zero"><span aria-hidden="true">·</span><span class="sr">0</span></td>'
)
_LEAD: Final = ' class="lead"'
_MOST_BARS: Final = 14  # histograms with more bars carry no numbers below them
_OPEN_PAIRS: Final = 15  # more pairs than this are folded away at first


def lanes(standings: list[Standing], names: Mapping[str, str]) -> str:
    """One row a strategy: its means, its worst game, and the shape of its histogram."""
    worst = max(len(s.histogram) for s in standings)
    heads = [(tr("Strategy"), "")]
    heads += [(words, "num") for words in (tr("Mean"), tr("Worst"), tr("Total"), tr("Time"))]
    cells = "".join(
        f'<th role="columnheader" scope="col" class="{kind}">{words}</th>' for words, kind in heads
    )
    needed = tr("Guesses needed")
    cells += f'<th role="columnheader" scope="col" class="num">{needed}</th>'
    rows = "\n".join(
        _lane(standing, names[standing.strategy], worst, lead=k == 0)
        for k, standing in enumerate(standings)
    )
    return f"""<div class="card"><table class="lanes" role="table">
<caption class="sr">{tr("Strategies, smallest mean first")}</caption>
<thead role="rowgroup"><tr role="row">{cells}</tr></thead>
<tbody role="rowgroup">
{rows}
</tbody></table></div>"""


def _lane(standing: Standing, name: str, worst: int, *, lead: bool) -> str:
    by = f"<code>{escape(standing.strategy)}</code>"
    if who := _who(standing.card):
        by += f" · {escape(who)}"
    mean = f'<span class="mean">{figure(standing.mean, ".3f")}</span>'
    worst_cell = figure(standing.worst, ",")
    if standing.interval is not None:
        low, high = standing.interval
        mean += _note(tr("{low:.3f} to {high:.3f}", low=low, high=high))
    if standing.exact is not None:
        mean += _note(tr("exact {mean:.3f}", mean=standing.exact.mean))
        worst_cell += _note(tr("exact {worst:,}", worst=standing.exact.worst))
    return (
        f'<tr role="row"{_LEAD * lead}>'
        f'<th role="rowheader" scope="row">{escape(name)}'
        f'<span class="soft small">{by}</span></th>'
        + _cell(tr("Mean"), mean)
        + _cell(tr("Worst"), worst_cell)
        + _cell(tr("Total"), figure(standing.total, ","))
        + _cell(tr("Time"), duration(standing.seconds))
        + f'<td role="cell" class="shape">{_shape(standing, worst)}</td></tr>'
    )


def _note(words: str) -> str:
    return f'<span class="note">{words}</span>'


def _cell(label: str, content: str) -> str:
    return f'<td role="cell" class="num" data-l="{label}">{content}</td>'


def _shape(standing: Standing, worst: int) -> str:
    """The histogram as small bars, with the same columns for every strategy."""
    games = max(sum(standing.histogram), 1)
    highest = max(standing.histogram, default=1) / games
    many = worst > _MOST_BARS
    bars = []
    for guesses in range(1, worst + 1):
        won = standing.histogram[guesses - 1] if guesses <= len(standing.histogram) else 0
        value = won / games / max(highest, 0.5)
        none = "" if won else ' class="none"'
        bars.append(f'<i{none} style="--v:{value:.3f}">{"" if many else guesses}</i>')
    words = ", ".join(
        tr("{n:,} in {k}", n=won, k=k) for k, won in enumerate(standing.histogram, 1) if won
    )
    label = tr("Games won: {counts}", counts=words)
    return (
        f'<div class="dist{" many" * many}" role="img" aria-label="{label}">{"".join(bars)}</div>'
    )


def chart(results: RaceResults) -> str:
    """The chart for wide and narrow pages, light and dark; the page shows the one that fits."""
    shapes: list[tuple[str, Shade, int]] = [
        ("(max-width: 640px) and (prefers-color-scheme: dark)", "dark", 290),
        ("(max-width: 640px)", "light", 290),
        ("(prefers-color-scheme: dark)", "dark", 740),
    ]
    sources = "".join(
        f'<source media="{media}" srcset="{_picture(results, shade, width)}">'
        for media, shade, width in shapes
    )
    about = tr("{one}; {other}", one=played(results), other=tr("a tick at each mean"))
    words = tr("Histograms of guesses, one a strategy; their numbers stand in the table below.")
    return f"""<section><div class="head"><h2>{tr("Guesses needed")}</h2>
<p>{escape(about)}</p></div>
<div class="card chart"><picture>{sources}<img src="{_picture(results, "light", 740)}"
alt="{words}">
</picture></div></section>"""


def _picture(results: RaceResults, shade: Shade, width: int) -> str:
    # labels of single bars are dropped: a picture on a page has one description
    drawn = race_chart(results, shade=shade, width=width, titled=False, labelled=False)
    return "data:image/svg+xml;base64," + base64.b64encode(chart_svg(drawn).encode()).decode()


def counts(standings: list[Standing], names: Mapping[str, str]) -> str:
    """Games won by number of guesses, one row a strategy."""
    worst = max(len(s.histogram) for s in standings)
    heads = "".join(f'<th class="num" scope="col">{k}</th>' for k in range(1, worst + 1))
    rows = []
    for standing in standings:
        counts = [*standing.histogram, *[0] * (worst - len(standing.histogram))]
        cells = "".join(
            f'<td class="num">{figure(won, ",")}</td>' if won else _NONE for won in counts
        )
        rows.append(
            f'<tr><th scope="row">{escape(names[standing.strategy])}</th>{cells}'
            f'<td class="num">{figure(standing.total, ",")}</td>'
            f'<td class="num"><b>{figure(standing.mean, ".4f")}</b></td>'
            f'<td class="num">{figure(standing.nodes, ",")}</td></tr>'
        )
    title = tr("All counts")
    return f"""<section><div class="head"><h2>{title}</h2>
<p>{tr("Games won with 1, 2, … guesses; the winning guess counts.")}</p></div>
<div class="wide" tabindex="0" role="region" aria-label="{title}"><table class="data">
<thead><tr><th scope="col">{tr("Strategy")}</th>{heads}
<th class="num" scope="col">{tr("Total")}</th>
<th class="num" scope="col">{tr("Mean")}</th>
<th class="num" scope="col">{tr("Nodes")}</th></tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody></table></div></section>"""


def pairs(results: RaceResults, order: list[str], names: Mapping[str, str]) -> str:
    """Who is faster in how many games, for every two strategies; many are folded away."""
    rank = {strategy: k for k, strategy in enumerate(order)}
    duels = [
        duel if rank.get(duel.first, 0) <= rank.get(duel.second, 0) else turned(duel)
        for duel in results.duels
    ]
    duels.sort(key=lambda duel: (rank.get(duel.first, 0), rank.get(duel.second, 0)))
    rows = [_pair(duel, names) for duel in duels]
    title, faster = tr("Pair by pair"), tr("faster on")
    about = tr(
        "On how many secrets one needs fewer guesses than the other, and by how many at most."
    )
    if results.games is not None:
        about = tr(
            "On how many games one needs fewer guesses than the other, and by how many at most."
        )
    table = f"""<div class="wide" tabindex="0" role="region" aria-label="{title}">
<table class="data pairs"><thead><tr>
<th scope="col">{tr("First")}</th><th class="num" scope="col">{faster}</th>
<th scope="col"><span class="sr">{tr("Shares")}</span></th><th scope="col">{faster}</th>
<th scope="col">{tr("Second")}</th><th class="num" scope="col">{tr("equal on")}</th></tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody></table></div>"""
    if len(rows) > _OPEN_PAIRS:
        summary = tr("Show all {n} pairs", n=len(rows))
        table = f"<details><summary>{summary}</summary>{table}</details>"
    return f"""<section><div class="head"><h2>{title}</h2>
<p>{about}</p></div>
{table}</section>"""


def _pair(duel: Duel, names: Mapping[str, str]) -> str:
    games = max(duel.first_faster + duel.second_faster + duel.ties, 1)
    shares = "".join(
        f'<i style="--v:{100 * won / games:.1f}%"></i>'
        for won in (duel.first_faster, duel.second_faster)
    )

    def won(faster: int, other: int, most: int) -> str:
        number = figure(faster, ",")
        if faster > other:
            number = f'<span class="won">{number}</span>'
        up_to = tr("by up to {n}", n=most)
        return number + (f' <span class="soft small">{up_to}</span>' if faster else "")

    first = won(duel.first_faster, duel.second_faster, duel.first_by_at_most)
    second = won(duel.second_faster, duel.first_faster, duel.second_by_at_most)
    ties = figure(duel.ties, ",")
    return (
        f'<tr><th scope="row">{escape(names[duel.first])}</th><td class="num">{first}</td>'
        f'<td><div class="split" aria-hidden="true">{shares}</div></td><td>{second}</td>'
        f'<th scope="row">{escape(names[duel.second])}</th><td class="num soft">{ties}</td></tr>'
    )


def cards(standings: list[Standing]) -> str:
    """One card a strategy; the same strategy with other options shares it."""
    labels: dict[Card, list[str]] = {}
    for standing in standings:
        labels.setdefault(standing.card, []).append(standing.strategy)
    if not labels:
        return ""
    items = []
    for card, names in labels.items():
        ids = ", ".join(f"<code>{escape(name)}</code>" for name in names)
        who = f'<p class="soft small">{escape(_who(card))}</p>' if _who(card) else ""
        source = f'<p class="soft small">{escape(tr(card.source))}</p>' if card.source else ""
        items.append(
            f'<li class="card"><h3>{escape(tr(card.name))}</h3><p class="small">{ids}</p>{who}'
            f"<p>{escape(tr(card.about))}</p>{source}</li>"
        )
    return (
        f'<section><div class="head"><h2>{tr("The strategies")}</h2></div>'
        f'<ul class="cards">{"".join(items)}</ul></section>'
    )


def _who(card: Card) -> str:
    return ", ".join(filter(None, [tr(card.authors), str(card.year) if card.year else ""]))
