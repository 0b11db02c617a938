"""How a chart becomes SVG, PNG or a page of its own: without a browser and without a network.

vl-convert draws, and brings the scripts that an interactive page holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from typing import Any, Final

import altair as alt

from pegwise.errors import InputError, quoted
from pegwise.language import language, tr

__all__ = ["FORMATS", "AnyChart", "chart_bytes", "chart_html", "chart_png", "chart_svg"]

AnyChart = alt.Chart | alt.LayerChart | alt.FacetChart

_VERSION: Final = ".".join(alt.SCHEMA_VERSION.split(".")[:2])  # of Vega-Lite, as Altair writes it
_CLIP: Final = re.compile(r"(id=\"|url\(#)(clip[0-9]+)")
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


def chart_svg(chart: AnyChart) -> str:
    """The chart as a standalone SVG document."""
    import vl_convert

    svg = str(vl_convert.vegalite_to_svg(chart.to_dict(), _VERSION, format_locale=_locale()))
    # the renderer counts its clips on from one drawing to the next; the same chart is to be the
    # same text
    order: dict[str, str] = {}
    return _CLIP.sub(lambda m: m[1] + order.setdefault(m[2], f"clip{len(order)}"), svg)


def chart_png(chart: AnyChart, *, scale: float = 2.0) -> bytes:
    """The chart as a PNG picture, `scale` pixels to the unit."""
    import vl_convert

    drawn = vl_convert.vegalite_to_png(
        chart.to_dict(), _VERSION, scale=scale, format_locale=_locale()
    )
    return bytes(drawn)


def chart_html(chart: AnyChart) -> str:
    """The chart as an interactive page that holds its scripts and may ask no network."""
    import vl_convert

    spec = chart.to_dict()
    title = spec.get("title", {}).get("text", tr("Chart"))
    written = json.dumps(spec).replace("<", "\\u003c")  # so that no name can end the script
    scripts = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", _VERSION)
    actions = {"export": True, "source": False, "compiled": False, "editor": False}
    options: dict[str, Any] = {"mode": "vega-lite", "actions": actions}
    if (locale := _locale()) is not None:
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


def _locale() -> dict[str, Any] | None:
    """How numbers are written in the language that is spoken."""
    return _FIGURES.get(language())


FORMATS: Final[dict[str, Callable[[AnyChart], str | bytes]]] = {
    "html": chart_html,
    "png": chart_png,
    "svg": chart_svg,
}
"""How a chart is written, by the end of the file's name."""


def chart_bytes(chart: AnyChart, form: str) -> bytes:
    """The chart in the form that a file name ends with: `html`, `png` or `svg`.

    Raises:
        InputError: another form.
    """
    write = FORMATS.get(form.lower().lstrip("."))
    if write is None:
        raise InputError(
            "a chart cannot be written as {form}; known: {known}",
            form=quoted(form),
            known=", ".join(sorted(FORMATS)),
        )
    made = write(chart)
    return made.encode() if isinstance(made, str) else made
