"""Charts of a race, made with Altair, as SVG, PNG or an interactive page.

vl-convert draws without a browser and a network. Place and label tell strategies apart, never
color alone. Importing the module without the extra `charts` raises MissingExtraError.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from textwrap import wrap
from typing import Any, Final, Literal, NamedTuple, cast
from xml.etree import ElementTree

from pegwise.arena.results import RaceResults, Standing, by_mean
from pegwise.errors import InputError, MissingExtraError, Phrase, quoted
from pegwise.i18n import figure, language, tr
from pegwise.pictures.svg import TONES
from pegwise.telling.race import played, strategy_names

try:
    import altair as alt
    import vl_convert
except ImportError:
    raise MissingExtraError.of("a chart", "charts") from None

AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart | alt.VConcatChart

_VERSION: Final = ".".join(alt.SCHEMA_VERSION.split(".")[:2])  # of Vega-Lite, as Altair writes it
_CLIP: Final = re.compile(r"(id=\"|url\(#)(clip[0-9]+)")
_UNSEEN: Final = re.compile(
    r'<path class="(?:foreground|background)"(?![^>]* fill=)[^>]*/>'
    r'| (?:class|pointer-events)="[^"]*"| opacity="1"'
)
_ROLES: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
_PLACED: Final = re.compile(r' (?:d|transform|x2|y2|width|height)="[^"]*"')
_LONG: Final = re.compile(r"\d+\.\d{3,}")
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:"
)  # Vega compiles its expressions; nothing is fetched
_FIGURES: Final[dict[str, dict[str, Any]]] = {
    "fr": {
        "decimal": ",",
        "thousands": "\u202f",
        "grouping": [3],
        "currency": ["", ""],
        "percent": "\u202f%",
    }
}
"""How a language writes numbers (a locale of d3-format); American where none is named."""

Shade = Literal["light", "dark"]

_SVG: Final = "http://www.w3.org/2000/svg"
_INHERITED: Final = ("fill", "stroke", "font-size", "font-weight", "text-anchor")
ElementTree.register_namespace("", _SVG)

_FONT: Final = "Helvetica Neue, Arial, sans-serif"
_NARROW: Final = 480  # below this width, names stand above their rows
_NAMED: Final = 28  # letters of a name in a line beside a row
_NAMED_ABOVE: Final = 40  # and above it
_COUNTED: Final = 24  # bars narrower than this have no room for a count

_AXIS: Final[dict[str, Any]] = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 400}
_TITLE: Final[dict[str, Any]] = {
    "fontSize": 17,
    "subtitleFontSize": 13,
    "fontWeight": 600,
    "anchor": "start",
    "offset": 16,
    "subtitlePadding": 6,
}
_NAME: Final[dict[str, Any]] = {
    "labelAngle": 0,
    "labelAlign": "left",
    "labelFontSize": 13,
    "labelFontWeight": 600,
    "labelLimit": 220,
    "labelPadding": 12,
    "labelExpr": r"split(datum.label, '\n')",
}


def chart_svg(chart: AnyChart) -> str:
    """The chart as a standalone SVG document.

    What the renderer writes and nobody sees is left out: hidden paths and classes, the font of each
    text again, places of pixels beyond two decimals, and roles in a chart without labels. What all
    children of a group have in common is said once, by the group.
    """
    locale = _FIGURES.get(language())
    spec = chart.to_dict()
    svg = str(vl_convert.vegalite_to_svg(spec, _VERSION, format_locale=locale))
    if not spec["config"]["aria"]:
        svg = _ROLES.sub("", svg)
    svg = _PLACED.sub(lambda m: _LONG.sub(_rounded, m[0]), _UNSEEN.sub("", svg))
    font = f' font-family="{_FONT}"'
    svg = svg.replace(font, "").replace("<svg", f"<svg{font}", 1)
    # the renderer counts clips across drawings; the same chart is to be the same text
    order: dict[str, str] = {}
    svg = _CLIP.sub(lambda m: m[1] + order.setdefault(m[2], f"clip{len(order)}"), svg)
    root = ElementTree.fromstring(svg)  # noqa: S314 (it is the renderer's)
    for group in reversed(list(root.iter(f"{{{_SVG}}}g"))):  # children before their parents
        for name in _INHERITED:
            values = {child.get(name) for child in group}
            if len(group) > 1 and len(values) == 1 and (value := values.pop()) is not None:
                group.set(name, value)
                for child in group:
                    del child.attrib[name]
    return ElementTree.tostring(root, "unicode")


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def race_image(results: RaceResults, shade: Shade, **options: Any) -> str:
    """The chart of a race for `src` of an image; without labels of single bars."""
    return _image(race_chart(results, shade=shade, labelled=False, **options))


def protocol_image(races: Sequence[RaceResults], shade: Shade, **options: Any) -> str:
    """The charts of the races of a protocol for `src` of an image."""
    return _image(protocol_chart(races, shade=shade, labelled=False, **options))


def _image(chart: AnyChart) -> str:
    return f"data:image/svg+xml;base64,{b64encode(chart_svg(chart).encode()).decode()}"


def chart_png(chart: AnyChart, *, scale: float = 2.0) -> bytes:
    """The chart as a PNG picture, `scale` pixels to the unit."""
    locale = _FIGURES.get(language())
    return bytes(
        vl_convert.vegalite_to_png(chart.to_dict(), _VERSION, scale=scale, format_locale=locale)
    )


def chart_html(chart: AnyChart) -> str:
    """The chart as an interactive page that holds its scripts and may ask no network."""
    spec = chart.to_dict()
    title = spec.get("title", {}).get("text", tr("Chart"))
    written = json.dumps(spec).replace("<", "\\u003c")  # so that no name can end the script
    scripts = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", _VERSION)
    actions = {"export": True, "source": False, "compiled": False, "editor": False}
    options: dict[str, Any] = {"mode": "vega-lite", "actions": actions}
    if (locale := _FIGURES.get(language())) is not None:
        options["formatLocale"] = locale
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>body {{ margin: 24px; background: {spec['config']['background']}; }}</style>\n"
        f"<script>{scripts}</script>\n"
        '</head>\n<body>\n<div id="chart"></div>\n'
        f'<script>vegaEmbed("#chart", {written}, {json.dumps(options)});</script>\n'
        "</body>\n</html>\n"
    )


FORMATS: Final[dict[str, Callable[[AnyChart], str | bytes]]] = {
    "html": chart_html,
    "png": chart_png,
    "svg": chart_svg,
}
"""How a chart is written, by the end of the file's name."""


def chart_bytes(chart: AnyChart, form: str) -> bytes:
    """The chart in the form that a file name ends with: `html`, `png` or `svg`."""
    write = FORMATS.get(form.lower().lstrip("."))
    if write is None:
        raise InputError(
            "a chart cannot be written as {form}; known: {forms}",
            form=quoted(form),
            forms=", ".join(sorted(FORMATS)),
        )
    made = write(chart)
    return made.encode() if isinstance(made, str) else made


def race_chart(
    results: RaceResults,
    *,
    shade: Shade = "light",
    width: int = 640,
    titled: bool = True,
    labelled: bool = True,
) -> AnyChart:
    """One histogram of guesses a strategy, smallest mean on top, with a tick at each mean.

    Narrow charts put names above their rows; strategies without a game are left out. A chart may
    carry its title, and a label for screen readers on every bar.
    """
    standings = by_mean(results.standings)
    if not standings:
        raise InputError("there is nothing to draw: the race has no result")
    names = strategy_names(standings)
    frame = _frame(standings, names, width)
    drawn_games = any(standing.interval for standing in standings)
    layers = [*_bars(frame, shade), *_means(frame, shade, intervals=drawn_games)]
    rows = [
        row | {"strategy": name, "lines": frame.lines[name]}
        for rank, (standing, name) in enumerate(zip(standings, names.values(), strict=True))
        for row in _standing_rows(standing, rank)
    ]
    color = _hex("ink", shade)
    header = alt.Header(title=None, labels=not frame.narrow, labelColor=color, **_NAME)
    chart = (
        alt.layer(*layers, data=alt.InlineData(values=rows))
        .properties(width=width, height=frame.height)
        .facet(row=alt.Row("lines:N", sort=list(frame.lines.values()), header=header), spacing=12)
    )
    if titled:
        mean = tr("a tick at each mean")
        if drawn_games:
            mean = tr("a tick at each mean and its 95 % interval")
        wide = tr("{games}; {ticks}", games=played(results), ticks=mean)
        subtitle = [played(results), mean] if frame.narrow else wide
        title = tr("Guesses needed on {rules}", rules=results.rules)
        chart = chart.properties(title=alt.TitleParams(title, subtitle=subtitle))
    return _dressed(chart, shade, labelled=labelled)


_Value = Callable[[Standing], float | None]

_COMPARED: Final[tuple[tuple[Phrase, _Value, str], ...]] = (
    (Phrase("Guesses on average"), lambda standing: standing.mean, ".2f"),
    (Phrase("Guesses at most"), lambda standing: standing.worst, "d"),
    (
        Phrase("Time of a game that is played, in ms"),
        lambda standing: 1000 * standing.played.seconds if standing.played else None,
        ".2f",
    ),
    (
        Phrase("Time to work out the tree, in ms"),
        lambda standing: 1000 * standing.seconds,
        ".1f",
    ),
)
"""Columns of the charts of a protocol: a title, the figure of a standing, and how it is written."""


def protocol_chart(
    races: Sequence[RaceResults],
    title: str = "",
    *,
    shade: Shade = "light",
    width: int = 760,
    labelled: bool = True,
) -> AnyChart:
    """Grouped bars of means, of longest games and of times: a group a race, a bar a strategy.

    The time is that of games that were played one by one; that of working out the trees stands
    in only where none were played. Strategies keep one order and one tone in all groups, and wide
    charts have the figure on every bar.

    Raises:
        InputError: no race has a result.
    """
    finished = [results for results in races if results.standings]
    if not finished:
        raise InputError("there is nothing to draw: the race has no result")
    names = strategy_names(standing for results in finished for standing in results.standings)
    charts = [_grouped(finished, names, compared, shade, width) for compared in _COMPARED[:3]]
    if charts[2] is None:
        charts[2] = _grouped(finished, names, _COMPARED[3], shade, width)
    rows = [chart for chart in charts if chart is not None]
    whole = alt.vconcat(*rows, spacing=28).resolve_scale(color="shared")
    if title:
        whole = whole.properties(title=alt.TitleParams(title, subtitle=[played(finished[0])]))
    return _dressed(whole, shade, labelled=labelled)


def _grouped(
    races: Sequence[RaceResults],
    names: dict[str, str],
    compared: tuple[Phrase, _Value, str],
    shade: Shade,
    width: int,
) -> AnyChart | None:
    """One chart of grouped bars; None where no standing has the figure."""
    title, value, form = compared
    rows = [
        {"rules": results.rules, "strategy": names[standing.strategy], "value": number}
        | {"written": figure(number, form)}
        for results in races
        for standing in results.standings
        if (number := value(standing)) is not None
    ]
    if not rows:
        return None
    order = list(dict.fromkeys(names.values()))
    bar = width / (len(races) * (len(order) + 1))
    tones = [
        _between(_hex("accent", shade), _hex("wash", shade), k, len(order))
        for k in range(len(order))
    ]
    legend = alt.Legend(
        title=None,
        orient="top",
        columns=1 if width < _NARROW else 3,
        labelFontSize=12,
        labelColor=_hex("ink", shade),
        labelLimit=width,
        symbolType="square",
        columnPadding=48,
    )
    axis = alt.Axis(
        title=None,
        labelAngle=0,
        labelExpr="split(datum.label, /[,-]/)",
        ticks=False,
        domainColor=_hex("line", shade),
        labelLimit=int(width / len(races)),
    )
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("rules:N", sort=None, axis=axis, scale=alt.Scale(paddingInner=0.25)),
        xOffset=alt.XOffset("strategy:N", sort=order),
        y=alt.Y(
            "value:Q",
            title=None,
            stack=False,
            axis=alt.Axis(domain=False, ticks=False, gridColor=_hex("line", shade), tickCount=5),
        ),
        tooltip=[
            alt.Tooltip("rules:N", title=tr("rules")),
            alt.Tooltip("strategy:N", title=tr("strategy")),
            alt.Tooltip("written:N", title=tr(title)),
        ],
    )
    bars = base.mark_bar(cornerRadiusEnd=2, stroke=_hex("accent", shade), strokeWidth=0.75).encode(
        color=alt.Color(
            "strategy:N", sort=order, scale=alt.Scale(domain=order, range=tones), legend=legend
        )
    )
    layers = [bars]
    if bar >= _COUNTED:
        layers.append(
            base.mark_text(dy=-7, fontSize=11, color=_hex("soft", shade)).encode(text="written:N")
        )
    heading = alt.TitleParams(
        tr(title), fontSize=12 if width < _NARROW else 14, offset=8, color=_hex("ink", shade)
    )
    return alt.layer(*layers).properties(width=width, height=190, title=heading)


def _between(first: str, last: str, k: int, n: int) -> str:
    """The tone of this index of `n` from one to another."""
    share = k / (n - 1) if n > 1 else 0.0
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(last[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


class _Frame(NamedTuple):
    """Measures of a row, in pixels: name (where narrow), tick of the mean, counts, bars."""

    width: int
    height: float
    tick: float
    bar: float
    worst: int
    highest: float
    narrow: bool
    lines: dict[str, str]  # every name as it is broken into lines


def _frame(standings: list[Standing], names: dict[str, str], width: int) -> _Frame:
    worst = max(len(standing.histogram) for standing in standings)
    tallest = max(max(standing.histogram) / sum(standing.histogram) for standing in standings)
    narrow = width < _NARROW
    room = _NAMED_ABOVE if narrow else _NAMED
    lines = {name: "\n".join(wrap(name, room)) for name in names.values()}
    further = max(text.count("\n") for text in lines.values())
    tick = 28.0 + 16 * further if narrow else 6.0
    height = tick + 66
    bar = max(2.0, min(56.0, width / worst - 6))
    highest = tallest * height / (height - tick - 26)
    return _Frame(width, height, tick, bar, worst, highest, narrow, lines)


def _bars(frame: _Frame, shade: Shade) -> list[alt.Chart]:
    """A base line, bars, and their counts where they have room."""
    every = 1 if frame.worst <= 16 else 2 if frame.worst <= 32 else -(-frame.worst // 16)
    axis = alt.Axis(
        title=tr("guesses"),
        values=list(range(every, frame.worst + 1, every)),
        format="d",
        grid=False,
        domain=False,
        ticks=False,
        labelPadding=6,
    )
    scale = alt.Scale(domain=[0.5, frame.worst + 0.5], nice=False, zero=False)
    bars = alt.Chart().encode(
        x=alt.X("guesses:Q", scale=scale, axis=axis),
        y=alt.Y("share:Q", axis=None, stack=False, scale=alt.Scale(domain=[0, frame.highest])),
    )
    color = alt.condition(
        "datum.rank == 0", alt.value(_hex("accent", shade)), alt.value(_hex("edge", shade))
    )
    tooltip = [
        alt.Tooltip("strategy:N", title=tr("strategy")),
        alt.Tooltip("guesses:Q", title=tr("guesses")),
        alt.Tooltip("games:Q", title=tr("games"), format=","),
        alt.Tooltip("share:Q", title=tr("share"), format=".1%"),
    ]
    layers = [
        _once()
        .mark_rule(color=_hex("line", shade))
        .encode(x=alt.value(0), x2=alt.value(frame.width), y=alt.value(frame.height)),
        bars.mark_bar(size=frame.bar).encode(color=color, tooltip=tooltip),
    ]
    if frame.bar >= _COUNTED:
        layers.append(
            bars.transform_filter("datum.games > 0")
            .mark_text(dy=-7, fontSize=11, color=_hex("soft", shade))
            .encode(text=alt.Text("games:Q", format=","))
        )
    return layers


def _means(frame: _Frame, shade: Shade, *, intervals: bool) -> list[alt.Chart]:
    """The mean as tick and number, with its interval where games were drawn, and the name."""
    ink = _hex("ink", shade)
    bold: dict[str, Any] = {"align": "left", "fontSize": 13, "fontWeight": 600, "color": ink}
    at_mean = _once().encode(x=alt.X("mean:Q"))
    layers = [
        at_mean.mark_rule(strokeWidth=2.5, color=ink).encode(
            y=alt.value(frame.tick - 7),
            y2=alt.value(frame.tick + 7),
            tooltip=[
                alt.Tooltip("strategy:N", title=tr("strategy")),
                alt.Tooltip("mean:Q", title=tr("mean"), format=".4f"),
            ],
        ),
        at_mean.mark_text(dx=6, **bold).encode(y=alt.value(frame.tick), text="average:N"),
    ]
    if intervals:
        layers.append(
            _once()
            .transform_filter("isValid(datum.low)")
            .mark_rule(strokeWidth=4, opacity=0.35, color=ink)
            .encode(x=alt.X("low:Q"), x2="high:Q", y=alt.value(frame.tick))
        )
    if frame.narrow:
        layers.append(
            _once()
            .mark_text(baseline="top", limit=frame.width, lineBreak="\n", lineHeight=16, **bold)
            .encode(x=alt.value(0), y=alt.value(0), text="lines:N")
        )
    return layers


def _once() -> alt.Chart:
    """A layer that draws once for a strategy, not for each bar."""
    return alt.Chart().transform_filter("datum.guesses == 1")


def _standing_rows(standing: Standing, rank: int) -> list[dict[str, Any]]:
    games = sum(standing.histogram)
    low, high = standing.interval or (None, None)
    return [
        {
            "rank": rank,
            "guesses": guesses,
            "games": won,
            "share": won / games,
            "mean": standing.mean,
            "average": figure(standing.mean, ".3f"),  # Vega would round halves up
            "low": low,
            "high": high,
        }
        for guesses, won in enumerate(standing.histogram, 1)
    ]


def _hex(tone: str, shade: Shade) -> str:
    return TONES[tone].light if shade == "light" else TONES[tone].dark


def _dressed(chart: AnyChart, shade: Shade, *, labelled: bool = True) -> AnyChart:
    """The chart in the look of pegwise."""
    ink, soft = _hex("ink", shade), _hex("soft", shade)
    dressed = chart.configure(
        background=_hex("card", shade),
        font=_FONT,
        padding=16,
        aria=labelled,
        view={"stroke": None},
        axis=_AXIS | {"labelColor": soft, "titleColor": soft},
        title=_TITLE | {"color": ink, "subtitleColor": soft},
    )
    return cast(AnyChart, dressed)
