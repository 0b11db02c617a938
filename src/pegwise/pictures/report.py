"""The report of a race: one HTML page that holds everything it shows and asks no network.

Every text that comes from outside is escaped; the page forbids itself scripts and any request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from pegwise.errors import PegwiseError, Phrase
from pegwise.game import Rules
from pegwise.language import figure, language, tr, trn
from pegwise.pictures.board import code_svg
from pegwise.pictures.order import by_mean
from pegwise.pictures.report_sections import cards, chart, counts, lanes, pairs
from pegwise.pictures.theme import FONT, custom_properties
from pegwise.pictures.words import duration, played, rules_words_of, strategy_names

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults, Standing

__all__ = ["protocol_report", "race_report"]

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
        cells = "".join(f'<td class="num">{one[0] if one else "·"}</td>' for one in shown)
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
    known = f", {escape(words)}" if words != results.rules else ""
    parts = [
        f'<div class="head"><h1>{escape(title)}</h1>',
        f'<div class="rules">{_colors(results.rules)}<span><b>{escape(results.rules)}</b>{known}'
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
