"""Parts of drawings in SVG: an element, a document, a peg, a mark.

Every shape carries the light color as an attribute, so that programs without style sheets draw it
right, and a class (`pw-fill-ink`, `pw-line-rim`) by which the document's own style, or that of
the page around it, sets the color of the dark theme. An id says all that its element depends on,
so drawings with the same ids can stand in one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Final, Literal

from pegwise.game import HOLE, Mark
from pegwise.pictures.theme import FONT, TONES, Theme, check_theme, contrast, peg

Attribute = str | float | None

_SPECK: Final = 0.135  # radius, in discs
MARK_GAP: Final = 0.34  # between the discs of a mark, in discs

# pages that have a theme of their own, whatever the reader's system says: JupyterLab, VS Code,
# Colab, sites made with Sphinx themes or with Material for MkDocs
DARK_PAGE: Final = (
    ":is([data-jp-theme-light=false],.vscode-dark,.vscode-high-contrast,[theme=dark],"
    "[data-theme=dark],[data-md-color-scheme=slate])"
)
LIGHT_PAGE: Final = (
    ":is([data-jp-theme-light=true],.vscode-light,.vscode-high-contrast-light,[theme=light],"
    "[data-theme=light],[data-md-color-scheme=default])"
)


class Drawing(str):
    """SVG as text that shows itself in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def number(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, content: str | None = None, /, **attributes: Attribute) -> str:
    """One element; `_` in attribute names becomes `-`, None leaves an attribute out."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="'
        f'{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def document(
    body: str,
    width: float,
    height: float,
    *,
    title: str,
    description: str = "",
    theme: Theme = "auto",
) -> Drawing:
    """A whole drawing that stands alone.

    Raises:
        InputError: an unknown theme.
    """
    check_theme(theme)
    head = element("title", escape(title))
    if description:
        head += element("desc", escape(description))
    drawn = element(
        "svg",
        head + _style(theme, body) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
        class_=f"pegwise pw-{theme}",
        font_family=FONT,
        style="max-width:100%;height:auto",
    )
    return Drawing(drawn)


def _style(theme: Theme, body: str) -> str:
    """The dark theme, where the system or the page around asks for it."""
    if theme == "auto":
        system = _dark_rules(f".pw-auto:not({LIGHT_PAGE} *)", body)
        page = _dark_rules(f"{DARK_PAGE} .pw-auto", body)
        return element("style", f"@media (prefers-color-scheme:dark){{{system}}}{page}")
    return element("style", _dark_rules(".pw-dark", body)) if theme == "dark" else ""


def _dark_rules(scope: str, body: str) -> str:
    """One rule for each tone that occurs in a drawing."""
    found = []
    for name, tone in TONES.items():
        for kind, prop in (("fill", "fill"), ("line", "stroke")):
            if f'"pw-{kind}-{name}"' in body:
                see = "" if tone.dark_opacity == 1 else f";{prop}-opacity:{tone.dark_opacity}"
                found.append(f"{scope} .pw-{kind}-{name}{{{prop}:{tone.dark}{see}}}")
    return "".join(found)


def tone(name: str, kind: Literal["fill", "line"] = "fill") -> dict[str, Attribute]:
    """The attributes that paint an area or a line in a tone of the theme."""
    color = TONES[name]
    prop = "fill" if kind == "fill" else "stroke"
    opacity = None if color.light_opacity == 1 else color.light_opacity
    return {"class_": f"pw-{kind}-{name}", prop: color.light, f"{prop}_opacity": opacity}


def circle(x: float, y: float, r: float, **attributes: Attribute) -> str:
    """A circle around (x, y)."""
    return element("circle", cx=x, cy=y, r=r, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: Attribute) -> str:
    """A rectangle from its upper left corner."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def text(
    x: float, y: float, words: str, size: float, color: str = "ink", **attributes: Attribute
) -> str:
    """A line of text whose middle stands at height y; `color` is a tone."""
    return element(
        "text", escape(words), x=x, y=y + 0.36 * size, font_size=size, **tone(color), **attributes
    )


def text_width(words: str, size: float) -> float:
    """A width that is enough for a line of text in any of the fonts."""
    return 0.6 * size * len(words)


def mark_columns(pegs: int) -> int:
    """Columns of a mark's grid: one row up to three pegs, else two."""
    return pegs if pegs <= 3 else math.ceil(pegs / 2)


def mark_size(pegs: int, disc: float) -> tuple[float, float]:
    """Width and height of a mark's grid with discs of this diameter."""
    columns = mark_columns(pegs)
    rows = math.ceil(pegs / columns)
    return (disc * (columns * (1 + MARK_GAP) - MARK_GAP), disc * (rows * (1 + MARK_GAP) - MARK_GAP))


class Sheet:
    """Draws pegs of one size, and knows the definitions that they need.

    Args:
        peg_size: diameter of a peg.
        theme: of the document that the pegs are drawn in.
        shadow: whether pegs cast a shadow; small ones look better without.
    """

    def __init__(self, peg_size: float, theme: Theme, *, shadow: bool = True) -> None:
        self.peg_size = peg_size
        self.theme = theme
        self.shadow = shadow
        self._used: set[int] = set()

    def peg(self, color: int, x: float, y: float) -> str:
        """A peg, or an empty hole, around (x, y)."""
        self._used.add(color)
        return element("use", href=f"#{self._id(color)}", x=x, y=y)

    def code(self, code: Iterable[int], x: float, y: float, step: float) -> str:
        """The pegs of a code, the first around (x, y), the next `step` further right."""
        return "".join(self.peg(color, x + k * step, y) for k, color in enumerate(code))

    def definitions(self) -> str:
        """The elements that the pegs drawn so far refer to."""
        return "".join(self._define(color) for color in sorted(self._used))

    def _id(self, color: int) -> str:
        sign = "hole" if color == HOLE else peg(color).letter
        size = number(self.peg_size).replace(".", "_")
        return f"pw-{self.theme}-{sign}-{size}{'s' * self.shadow}"

    def _define(self, color: int) -> str:
        r = self.peg_size / 2
        if color == HOLE:
            shapes = circle(0, 0, r - 0.5, **tone("sunk"))
            shapes += circle(0, 0, r - 0.5, fill="none", stroke_width=1, **tone("faint", "line"))
            return element("g", shapes, id=self._id(color))
        look = peg(color)
        shapes = circle(0, r * 0.06, r, fill="url(#pw-shadow)") if self.shadow else ""
        shapes += circle(0, 0, r, fill=look.fill)
        if look.ring:
            width = r * 0.26
            shapes += circle(0, 0, r - width / 2, fill="none", stroke=look.ring, stroke_width=width)
        shapes += circle(0, 0, r, fill="url(#pw-shine)") + circle(0, 0, r, fill="url(#pw-shade)")
        shapes += circle(
            0, 0, r - 0.5, fill="none", stroke_width=1, **tone(_rim(look.fill), "line")
        )
        size = self.peg_size * (0.4 if self.peg_size >= 28 else 0.5)
        shapes += element(
            "text",
            look.letter,
            y=0.36 * size,
            text_anchor="middle",
            font_size=size,
            font_weight="650" if self.peg_size >= 28 else "700",
            fill=look.ink,
        )
        return element("g", shapes, id=self._id(color))


def definitions(*sheets: Sheet) -> str:
    """What the drawn pegs of some sheets refer to; ask for it when all are drawn."""
    pegs = "".join(sheet.definitions() for sheet in sheets)
    return element("defs", _GRADIENTS + pegs) if pegs else ""


def _rim(fill: str) -> str:
    """The rim that keeps a face apart from a ground of nearly its own color."""
    if contrast(fill, TONES["card"].light) < 1.2:
        return "rim-light"
    return "rim-dark" if contrast(fill, TONES["card"].dark) < 2 else "rim"


_GRADIENTS: Final = (
    '<radialGradient id="pw-shine" cx=".34" cy=".22" r=".43">'
    '<stop offset="0" stop-color="#fff" stop-opacity=".34"/>'
    '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>'
    '<radialGradient id="pw-shade" cx=".5" cy="1.3" r=".86">'
    '<stop offset="0" stop-opacity=".2"/><stop offset="1" stop-opacity="0"/></radialGradient>'
    '<radialGradient id="pw-shadow" cx=".5" cy=".56" r=".56">'
    '<stop offset=".82" stop-opacity=".24"/><stop offset="1" stop-opacity="0"/></radialGradient>'
)


def mark_grid(mark: Mark, pegs: int, x: float, y: float, disc: float) -> str:
    """A mark as a grid of disc (exact), ring (misplaced) and speck (nothing) from (x, y)."""
    columns = mark_columns(pegs)
    shapes = []
    for place in range(pegs):
        row, column = divmod(place, columns)
        cx = x + disc / 2 + column * disc * (1 + MARK_GAP)
        cy = y + disc / 2 + row * disc * (1 + MARK_GAP)
        if place < mark.black:
            shapes.append(circle(cx, cy, disc / 2, **tone("ink")))
        elif place < mark.black + mark.white:
            width = 1 + disc * 0.09
            shapes.append(
                circle(
                    cx,
                    cy,
                    (disc - width) / 2,
                    fill="none",
                    stroke_width=width,
                    **tone("ink", "line"),
                )
            )
        else:
            shapes.append(circle(cx, cy, max(1.2, disc * _SPECK), **tone("faint")))
    return "".join(shapes)
