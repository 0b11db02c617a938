"""Charts of a race as SVG, as PNG, or as a page that tells the figures of each bar.

Place and label tell strategies apart, never color alone. PNG needs the extra `charts`.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from textwrap import wrap
from typing import Any, Final, Literal, NamedTuple, cast

from pegwise.arena.results import RaceResults, Standing, by_mean
from pegwise.errors import InputError, MissingExtraError, Phrase, quoted
from pegwise.i18n import figure, language, tr, trn
from pegwise.pictures.svg import (
    TONES,
    Drawing,
    document,
    element,
    rect,
    rule,
    text,
    text_width,
    tone,
)
from pegwise.telling.race import figure_words, played, strategy_names

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"  # nothing is fetched

Shade = Literal["light", "dark"]

_PAD: Final = 16.0
_NARROW: Final = 480  # below this width, names stand above their rows
_NAMED: Final = 28  # letters of a name in a line beside a row
_NAMED_ABOVE: Final = 40  # and above it
_COUNTED: Final = 24  # bars narrower than this have no room for a count
_NAME: Final = 13  # size of a name
_LABEL: Final = 12  # size of the numbers of an axis
_COUNT: Final = 11  # size of a count
_TALL: Final = 190.0  # a chart of grouped bars
_MOST_STEPS: Final = 7  # of an axis


def race_image(results: RaceResults, shade: Shade, **options: Any) -> str:
    """The chart of a race for `src` of an image; without labels of single bars."""
    return _image(race_chart(results, shade=shade, labelled=False, **options))


def protocol_image(races: Sequence[RaceResults], shade: Shade, **options: Any) -> str:
    """The charts of the races of a protocol for `src` of an image."""
    return _image(protocol_chart(races, shade=shade, labelled=False, **options))


def _image(chart: Drawing) -> str:
    return f"data:image/svg+xml;base64,{b64encode(chart.encode()).decode()}"


def chart_png(chart: Drawing, *, scale: float = 2.0) -> bytes:
    """The chart as a PNG picture, `scale` pixels to the unit.

    Raises:
        MissingExtraError: the extra `charts` is not installed.
    """
    return bytes(png_renderer()(chart, scale=scale))


def png_renderer() -> Callable[..., bytes]:
    """What makes SVG a PNG picture; MissingExtraError where it is not installed."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError.of("a chart as PNG", "charts") from None
    return cast(Callable[..., bytes], vl_convert.svg_to_png)


def chart_html(chart: Drawing) -> str:
    """The chart as a page, which has no script and may ask no network."""
    title = chart.partition("<title>")[2].partition("</title>")[0]  # escaped already
    return (
        f'<!doctype html>\n<html lang="{language()}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n"
        f"</head>\n<body>\n{chart}\n</body>\n</html>\n"
    )


FORMATS: Final[dict[str, Callable[[Drawing], str | bytes]]] = {
    "html": chart_html,
    "png": chart_png,
    "svg": str,
}
"""How a chart is written, by the end of the file's name."""


def chart_bytes(chart: Drawing, form: str) -> bytes:
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
) -> Drawing:
    """One histogram of guesses a strategy, smallest mean on top, with a tick at each mean.

    Narrow charts put names above their rows; strategies without a game are left out. A chart may
    carry its title, and a label on every bar.

    Raises:
        InputError: no strategy has a result.
    """
    standings = by_mean(results.standings)
    if not standings:
        raise InputError("there is nothing to draw: the race has no result")
    names = strategy_names(standings)
    title = tr("Guesses needed on {rules}", rules=results.rules)
    told: list[str] = []
    if titled:
        ticks = tr("a tick at each mean")
        if any(standing.interval for standing in standings):
            ticks = tr("a tick at each mean and its 95 % interval")
        told = [tr("{games}; {ticks}", games=played(results), ticks=ticks)]
        if width < _NARROW:
            told = [played(results), ticks]
    shapes, top = _heading(title if titled else "", told)
    frame = _frame(standings, names, width)
    for rank, standing in enumerate(standings):
        name = names[standing.strategy]
        lines = "".join(_name(frame, name, top))
        bars = _histogram(frame, standing, "edge" if rank else "accent", name, labelled)
        shapes.append(lines + element("g", bars, transform=f"translate({frame.x:g} {top:g})"))
        top += frame.height + 12
    axis = [
        element("text", str(k), x=frame.x + frame.at(k), y=top + 3)
        for k in range(frame.every, frame.worst + 1, frame.every)
    ]
    axis.append(element("text", escape(tr("guesses")), x=frame.x + width / 2, y=top + 18))
    shapes.append(_texts(axis, _LABEL, "soft", text_anchor="middle"))
    told = [figure_words(standing, names) for standing in standings] if labelled else []
    return _drawn(shapes, frame.x + width + _PAD, top + 18 + _PAD, shade, title, told)


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
) -> Drawing:
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
    order = list(dict.fromkeys(names.values()))
    ends = (TONES["accent"], TONES["wash"])
    first, last = (one.light if shade == "light" else one.dark for one in ends)
    tones = {name: _between(first, last, k, len(order)) for k, name in enumerate(order)}
    shapes, top = _heading(title, [played(finished[0])] if title else [])
    legend, top = _legend(tones, top, width)
    shapes += legend
    compared = [_bars_of(finished, names, each) for each in _COMPARED]
    compared = compared[:3] if compared[2].bars else [*compared[:2], compared[3]]
    x = _PAD + max(text_width(label, _LABEL) for each in compared for _, label in each.ticks) + 4
    for each in compared:
        heading = _LABEL if width < _NARROW else 14
        shapes.append(text(_PAD, top + heading / 2, each.title, heading, font_weight=600))
        top += heading + 16
        group = _grouped(finished, each, tones, width, labelled)
        shapes.append(element("g", group, transform=f"translate({x:g} {top:g})"))
        lines = max(len(_lines_of(results)) for results in finished)
        top += _TALL + 14 * lines + 28
    words = title or "; ".join(each.title for each in compared)
    return _drawn(shapes, x + width + _PAD, top - 28 + _PAD, shade, words, [])


class _Bar(NamedTuple):
    race: int
    name: str
    value: float
    written: str


class _Bars(NamedTuple):
    """A figure of all strategies in all races, and the numbers of its axis."""

    title: str
    bars: list[_Bar]
    ticks: list[tuple[float, str]]


def _bars_of(
    races: Sequence[RaceResults], names: dict[str, str], compared: tuple[Phrase, _Value, str]
) -> _Bars:
    title, value, form = compared
    bars = [
        _Bar(k, names[standing.strategy], number, figure(number, form))
        for k, results in enumerate(races)
        for standing in results.standings
        if (number := value(standing)) is not None
    ]
    return _Bars(tr(title), bars, _ticks(max((bar.value for bar in bars), default=0.0)))


def _ticks(most: float) -> list[tuple[float, str]]:
    """Round numbers from 0 to `most` or a step beyond, and how they are written."""
    most = most or 1.0
    power = 10.0 ** math.floor(math.log10(most / _MOST_STEPS))
    step = next(k * power for k in (1, 2, 5, 10) if k * power * _MOST_STEPS >= most)
    decimals = max(0, -math.floor(math.log10(step)))
    steps = math.ceil(most / step - 1e-9)
    return [(k * step, figure(k * step, f",.{decimals}f")) for k in range(steps + 1)]


def _lines_of(results: RaceResults) -> list[str]:
    """The rules of a race, as they are broken into lines."""
    return results.rules.replace("-", ",").split(",")


def _legend(tones: dict[str, str], top: float, width: int) -> tuple[list[str], float]:
    """A square and a name for each strategy; with the height below them."""
    room = max(text_width(name, _LABEL) for name in tones) + 56
    columns = 1 if width < _NARROW else max(1, min(3, int(width / room)))
    shapes = []
    for k, (name, color) in enumerate(tones.items()):
        row, column = divmod(k, columns)
        x, y = _PAD + 20 + column * room, top + row * 16
        square = rect(x, y, 10, 10, fill=color, **tone("accent", "line"))
        shapes.append(square + text(x + 16, y + 5, name, _LABEL))
    return shapes, top + 16 * math.ceil(len(tones) / columns) + 18


def _grouped(
    races: Sequence[RaceResults],
    compared: _Bars,
    tones: dict[str, str],
    width: int,
    labelled: bool,
) -> str:
    """A figure of all strategies as bars, in a group for each race."""
    step, order = width / len(races), list(tones)
    wide = 0.75 * step / len(order)
    highest = compared.ticks[-1][0]
    bars, counts = [], []
    shapes = [rule(0, width, _TALL * (1 - value / highest)) for value, _ in compared.ticks]
    for bar in compared.bars:
        x = (bar.race + 0.125) * step + order.index(bar.name) * wide
        tall = _TALL * bar.value / highest
        words = f"{races[bar.race].rules}, {bar.name}: {bar.written}" if labelled else ""
        shape = {"rx": 2.0, "fill": tones[bar.name]}
        bars.append(_bar(x, _TALL - tall, wide, tall, words, **shape))
        if wide >= _COUNTED:
            counts.append(element("text", bar.written, x=x + wide / 2, y=_TALL - tall - 4))
    labels = [
        element("text", escape(line), x=(k + 0.5) * step, y=_TALL + 14 * n)
        for k, results in enumerate(races)
        for n, line in enumerate(_lines_of(results), 1)
    ]
    numbers = [
        element("text", label, x=-4.0, y=_TALL * (1 - value / highest) + 4)
        for value, label in compared.ticks
    ]
    shapes += [
        element("g", "".join(bars), stroke_width=0.75, **tone("accent", "line")),
        _texts(counts, _COUNT, "soft", text_anchor="middle"),
        _texts(labels, _LABEL, "soft", text_anchor="middle"),
        _texts(numbers, _LABEL, "soft", text_anchor="end"),
    ]
    return "".join(shapes)


def _between(first: str, last: str, k: int, n: int) -> str:
    """The tone of this index of `n` from one to another."""
    share = k / (n - 1) if n > 1 else 0.0
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(last[1:]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


class _Frame(NamedTuple):
    """Measures of the rows of a race, in pixels: of a row, of its bars, of its name."""

    x: float  # where rows begin
    width: int
    height: float
    tick: float  # of the mean
    bar: float
    worst: int
    highest: float
    lines: dict[str, list[str]]  # every name as it is broken into lines

    def at(self, guesses: float) -> float:
        """Where a number of guesses stands."""
        return (guesses - 0.5) * self.width / self.worst

    @property
    def every(self) -> int:
        """How many guesses lie between two numbers of the axis."""
        return max(math.ceil(22 * self.worst / self.width), math.ceil(self.worst / 16))


def _frame(standings: list[Standing], names: dict[str, str], width: int) -> _Frame:
    worst = max(len(standing.histogram) for standing in standings)
    tallest = max(max(standing.histogram) / sum(standing.histogram) for standing in standings)
    narrow = width < _NARROW
    room = _NAMED_ABOVE if narrow else _NAMED
    lines = {name: wrap(name, room) for name in names.values()}
    further = max(map(len, lines.values())) - 1
    tick = 28.0 + 16 * further if narrow else 6.0
    height = tick + 66
    bar = max(2.0, min(56.0, width / worst - 6))
    highest = tallest * height / (height - tick - 26)
    x = _PAD
    if not narrow:
        x += max(text_width(line, _NAME) for broken in lines.values() for line in broken) + 12
    return _Frame(x, width, height, tick, bar, worst, highest, lines)


def _name(frame: _Frame, name: str, top: float) -> Iterator[str]:
    """The name of a strategy beside its row, or above it."""
    lines = frame.lines[name]
    narrow = frame.width < _NARROW
    y = top + (8 if narrow else frame.height / 2 - 8 * (len(lines) - 1))
    for k, line in enumerate(lines):
        if narrow:
            yield text(_PAD, y + 16 * k, line, _NAME, font_weight=600)
        else:
            yield text(frame.x - 12, y + 16 * k, line, _NAME, font_weight=600, text_anchor="end")


def _histogram(frame: _Frame, standing: Standing, color: str, name: str, labelled: bool) -> str:
    """Bars with their counts where they have room, and the mean as tick and number."""
    games = sum(standing.histogram)
    bars, counts = [], []
    for guesses, won in enumerate(standing.histogram, 1):
        if not won:
            continue
        x, tall = frame.at(guesses), frame.height * won / games / frame.highest
        words = ""
        if labelled:
            words = trn(
                "{name}: {n:,} game in {k}", "{name}: {n:,} games in {k}", won, name=name, k=guesses
            )
        bars.append(_bar(x - frame.bar / 2, frame.height - tall, frame.bar, tall, words))
        if frame.bar >= _COUNTED:
            count = figure(won, ",")
            counts.append(element("text", count, x=x, y=frame.height - tall - 4))
    shapes = [
        element("g", "".join(bars), **tone(color)),
        rule(0, frame.width, frame.height),
        _texts(counts, _COUNT, "soft", text_anchor="middle"),
    ]
    tick, mean = frame.tick, frame.at(standing.mean)
    if standing.interval:
        low, high = map(frame.at, standing.interval)
        shapes.append(rect(low, tick - 2, high - low, 4, opacity=0.35, **tone("ink")))
    shapes.append(rect(mean - 1.25, tick - 7, 2.5, 14, **tone("ink")))
    shapes.append(text(mean + 6, tick, figure(standing.mean, ".3f"), _NAME, font_weight=600))
    return "".join(shapes)


def _bar(x: float, y: float, width: float, height: float, words: str, **attributes: Any) -> str:
    """A bar; a program that shows the drawing tells its words to whoever points at it."""
    measures = {"x": x, "y": y, "width": width, "height": height}
    told = element("title", escape(words)) if words else None
    return element("rect", told, **measures, **attributes)


def _texts(lines: Iterable[str], size: float, color: str, **attributes: Any) -> str:
    """Texts of one size and color."""
    return element("g", "".join(lines), font_size=size, **tone(color), **attributes)


def _heading(title: str, told: Sequence[str]) -> tuple[list[str], float]:
    """The title and the lines below it; with the height where the chart begins."""
    if not title:
        return [], _PAD + 8
    shapes = [text(_PAD, _PAD + 9, title, 17, font_weight=600)]
    shapes += [text(_PAD, _PAD + 30 + 15 * k, line, 13, "soft") for k, line in enumerate(told)]
    return shapes, _PAD + 42 + 15 * len(told)


def _drawn(
    shapes: Iterable[str], width: float, height: float, shade: Shade, title: str, told: list[str]
) -> Drawing:
    """The whole drawing, on the ground of a card."""
    ground = rect(0, 0, width, height, **tone("card"))
    words = "; ".join(told)
    return document(
        shapes, width, height, title=title, description=words, theme=shade, ground=ground
    )
