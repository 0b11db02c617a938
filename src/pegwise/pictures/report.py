"""The report of a race as one page: lanes, chart, counts, pairs of strategies, their cards.

Every text that comes from outside is escaped.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Final

from pegwise.arena.results import Duel, RaceResults, Standing, by_mean
from pegwise.errors import PegwiseError, Phrase
from pegwise.game import Rules
from pegwise.i18n import figure, language, tr, trn
from pegwise.pictures.board import code_svg
from pegwise.pictures.charts import Shade, chart_svg, race_chart
from pegwise.pictures.svg import FONT, custom_properties
from pegwise.pictures.words import duration, played, rules_words_of, strategy_names
from pegwise.strategies import Card

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
        duel if rank.get(duel.first, 0) <= rank.get(duel.second, 0) else duel.turned()
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

    def won(faster: int, slower: int, most: int) -> str:
        number = figure(faster, ",")
        if faster > slower:
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


# The report of a race: one HTML page that holds everything it shows and asks no network.
#
# Every text that comes from outside is escaped; the page forbids itself scripts and any request.

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_NUMBERS: Final = (
    *(Phrase("No"), Phrase("One"), Phrase("Two"), Phrase("Three"), Phrase("Four"), Phrase("Five")),
    *(Phrase("Six"), Phrase("Seven"), Phrase("Eight"), Phrase("Nine"), Phrase("Ten")),
    *(Phrase("Eleven"), Phrase("Twelve")),
)


def race_report(results: RaceResults) -> str:
    """One self-contained HTML page on a race: figures, chart, pairs, cards, how to run it again."""
    standings = by_mean(results.standings)
    names = strategy_names(results.standings)
    title = _title(results, len(standings))
    sections = [_opening(results, standings, names, title)]
    if standings:
        sections += [lanes(standings, names), chart(results), counts(standings, names)]
    if results.duels:
        sections.append(pairs(results, [s.strategy for s in standings], names))
    sections += [cards(standings), _again(results)]
    return _page(f"{title}, {results.rules}", "\n".join(filter(None, sections)), results.version)


def protocol_report(name: str, source: str, races: Sequence[RaceResults]) -> str:
    """Likewise on the races of a protocol: what each strategy needs under each of its rules."""
    finished = [results for results in races if results.standings]
    names = strategy_names(s for results in finished for s in results.standings)
    sections = [
        f'<div class="head"><h1>{escape(name)}</h1><p class="soft">{escape(source)}</p></div>',
        _across(tr("Guesses on average"), finished, names, lambda s: figure(s.mean, ".3f")),
        _across(tr("Guesses at most"), finished, names, lambda s: figure(s.worst, ",")),
        _across(tr("Time"), finished, names, lambda s: duration(s.seconds)),
    ]
    for results in finished:
        words = rules_words_of(results.rules)
        about = tr("{name}: {what}", name=words, what=played(results))
        sections.append(
            f'<section><div class="head"><h2>{escape(results.rules)}</h2><p>{escape(about)}</p>'
            f"</div>{lanes(by_mean(results.standings), names)}</section>"
        )
    once = {s.strategy: s for results in finished for s in results.standings}
    commands = "\n".join(escape(results.command) for results in races)
    sections += [
        cards([*once.values()]),
        f'<section><div class="head"><h2>{tr("Do it again")}</h2></div>'
        f'<pre tabindex="0"><code>{commands}</code></pre></section>',
    ]
    return _page(name, "\n".join(filter(None, sections)), races[0].version)


def _across(
    title: str,
    races: Sequence[RaceResults],
    names: Mapping[str, str],
    show: Callable[[Standing], str],
) -> str:
    """One figure a strategy and race."""
    heads = "".join(f'<th class="num" scope="col">{escape(race.rules)}</th>' for race in races)
    rows = []
    for strategy in dict.fromkeys(s.strategy for race in races for s in race.standings):
        shown = [[show(s) for s in race.standings if s.strategy == strategy] for race in races]
        cells = "".join(f'<td class="num">{cell[0] if cell else "·"}</td>' for cell in shown)
        rows.append(f'<tr><th scope="row">{escape(names[strategy])}</th>{cells}</tr>')
    return f"""<section><div class="head"><h2>{escape(title)}</h2></div>
<div class="wide" tabindex="0" role="region" aria-label="{escape(title)}"><table class="data">
<thead><tr><th scope="col">{tr("Strategy")}</th>{heads}</tr></thead>
<tbody>
{chr(10).join(rows)}
</tbody></table></div></section>"""


def _page(title: str, body: str, version: str) -> str:
    style = files("pegwise.pictures").joinpath("report.css").read_text("utf-8")
    made = tr(
        "Made by pegwise {version}. This page stands alone: it holds its charts and asks no "
        "network for anything.",
        version=version,
    )
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(title)} · pegwise</title>
<style>
:root {{
{custom_properties(dark=False)}
}}
@media (prefers-color-scheme: dark) {{ :root {{
{custom_properties(dark=True)}
}} }}
{style}
body {{ font-family: {FONT}; }}
</style>
</head>
<body>
<header class="top"><span class="brand"><i></i><i></i>pegwise</span>
<span class="soft small">{tr("Report of a race")}</span></header>
<main>
{body}
</main>
<footer>{escape(made)}</footer>
</body>
</html>
"""


def _title(results: RaceResults, number: int) -> str:
    against = tr("every secret")
    if results.games is not None:
        against = trn("{n:,} drawn game", "{n:,} drawn games", results.games)
    return trn(
        "{words} strategy, {against}",
        "{words} strategies, {against}",
        number,
        words=_NUMBERS[number] if number < len(_NUMBERS) else figure(number, ","),
        against=against,
    )


def _opening(
    results: RaceResults, standings: list[Standing], names: Mapping[str, str], title: str
) -> str:
    words = rules_words_of(results.rules)
    in_words = f", {escape(words)}" if words != results.rules else ""
    parts = [
        f'<div class="head"><h1>{escape(title)}</h1>',
        f'<div class="rules">{_colors(results.rules)}<span><b>{escape(results.rules)}</b>{in_words}'
        "</span></div></div>",
    ]
    if standings:
        best = standings[0]
        safest = min(standings, key=lambda s: (s.worst, s.mean))
        stats = [
            (
                figure(best.mean, ".3f"),
                tr("guesses on average, by {name}", name=names[best.strategy]),
            ),
            (figure(safest.worst, ","), tr("at worst, by {name}", name=names[safest.strategy])),
            (figure(results.secrets, ","), tr("secrets")),
        ]
        if results.games is not None:
            drawn = tr("games drawn with seed {seed}", seed=results.seed)
            stats.append((figure(results.games, ","), drawn))
        stats.append((duration(sum(s.seconds for s in standings)), tr("to play them all")))
        cells = "".join(f"<div><b>{escape(a)}</b>{escape(b)}</div>" for a, b in stats)
        parts.append(f'<div class="stats">{cells}</div>')
    else:
        stopped = tr("The race was stopped before any strategy had finished.")
        parts.append(f"<p>{stopped}</p>")
    return "".join(parts)


def _colors(name: str) -> str:
    """The colors of a board as pegs; nothing for another game."""
    try:
        rules = Rules.parse(name)
    except PegwiseError:
        return ""
    return code_svg(range(rules.colors), size=22)


def _again(results: RaceResults) -> str:
    secrets = trn("{n:,} secret", "{n:,} secrets", results.secrets)
    facts = [
        (tr("Program"), f"pegwise {results.version}"),
        (tr("Rules"), f"{results.rules} ({secrets})"),
        (tr("Played"), played(results)),
        (tr("Seed"), str(results.seed)),
    ]
    for strategy, why in results.skipped:
        facts.append((tr("Not raced"), tr("{name}: {what}", name=strategy, what=why)))
    listed = "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in facts)
    same = tr("The same version, rules and seed give the same result, apart from the times.")
    return f"""<section><div class="head"><h2>{tr("Do it again")}</h2></div>
<p>{same}</p>
<pre tabindex="0"><code>{escape(results.command)}</code></pre>
<dl class="facts small">{listed}</dl></section>"""
