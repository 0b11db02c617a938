"""The look of pegwise, and parts of drawings in SVG: tones, pegs, an element, a document, a mark.

Every shape carries the light color as an attribute, so that programs without style sheets draw it
right, and a class (`pw-fill-ink`, `pw-line-rim`) by which the document's own style, or that of
the page around it, sets the color of the dark theme. An id says all that its element depends on,
so drawings with the same ids can stand in one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Final, Literal, NamedTuple, get_args

from pegwise.errors import InputError, UnknownNameError, quoted
from pegwise.game import HOLE, Code, Mark, PlacedMark, Word
from pegwise.game.marks import WrittenMark
from pegwise.game.notation import Notation
from pegwise.game.pegs import PEGS, contrast
from pegwise.i18n import sign_text, write_signs

Theme = Literal["auto", "light", "dark", "page"]
"""`auto` follows the reader's system; `page` leaves colors to the stylesheet of the page."""

FONT: Final = (
    "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, "
    "system-ui, sans-serif"
)


class Tone(NamedTuple):
    """One named color in both themes, as `#rrggbb` with an opacity."""

    light: str
    dark: str
    light_opacity: float = 1.0
    dark_opacity: float = 1.0


TONES: Final = {
    "bg": Tone("#f6f5f1", "#121316"),
    "card": Tone("#ffffff", "#1a1b1f"),
    "sunk": Tone("#f0eee9", "#24262b"),
    "line": Tone("#e3e0d8", "#303239"),
    "edge": Tone("#83827d", "#7d7f88"),
    "ink": Tone("#1a1b1f", "#ecebe6"),
    "soft": Tone("#5b5c64", "#a5a6ae"),
    "faint": Tone("#c9c6bd", "#4a4c55"),
    "accent": Tone("#3644a8", "#aab5ff"),
    "wash": Tone("#eceef9", "#232742"),
    # marks of places
    "right": Tone("#27764a", "#63c58f"),
    "elsewhere": Tone("#8a6500", "#e3b341"),
    # rims of pegs: of most, of those near the light ground, of those near the dark ground
    "rim": Tone("#000000", "#ffffff", 0.16, 0.14),
    "rim-light": Tone("#000000", "#ffffff", 0.48, 0.1),
    "rim-dark": Tone("#000000", "#ffffff", 0.2, 0.42),
}


def custom_properties(dark: bool) -> str:
    """All tones as CSS custom properties, one line each."""
    lines = []
    for name, tone in TONES.items():
        value, opacity = tone[dark], tone[2 + dark]
        if opacity != 1:
            red, green, blue = bytes.fromhex(str(value)[1:])
            value = f"rgb({red} {green} {blue} / {opacity})"
        lines.append(f"--{name}: {value};")
    return "\n".join(lines)


Attribute = str | float | None

_SPECK: Final = 0.135  # radius, in discs
MARK_GAP: Final = 0.34  # between the discs of a mark, in discs

# pages with a theme of their own: JupyterLab, VS Code, Colab, Sphinx, Material for MkDocs
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


def coordinate(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def element(name: str, content: str | None = None, /, **attributes: Attribute) -> str:
    """One element; `_` in attribute names becomes `-`, None leaves an attribute out."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="'
        f'{escape(value) if isinstance(value, str) else coordinate(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def document(
    body: Iterable[str],
    width: float,
    height: float,
    *,
    title: str,
    description: str = "",
    theme: Theme = "auto",
    ground: str = "",
    sheets: Iterable[Sheet] = (),
) -> Drawing:
    """A whole drawing that stands alone; its title and description are spoken.

    `ground` has elements below the body, `sheets` are those that drew the pegs in it.
    """
    if theme not in get_args(Theme):
        raise InputError(
            "unknown theme {theme}; known: {themes}",
            theme=quoted(theme),
            themes=", ".join(get_args(Theme)),
        )
    content = "".join(body)
    pegs = "".join(sheet.definitions() for sheet in sheets)
    drawn = ground + (element("defs", _GRADIENTS + pegs) if pegs else "") + content
    head = element("title", escape(title))
    if description:
        head += element("desc", escape(description))
    svg = element(
        "svg",
        head + _style(theme, drawn) + drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
        class_=f"pegwise pw-{theme}",
        font_family=FONT,
        style="max-width:100%;height:auto",
    )
    return Drawing(svg)


def _style(theme: Theme, body: str) -> str:
    """The dark theme, where the system or the page around asks for it."""
    if theme == "auto":
        system = _dark_rules(f".pw-auto:not({LIGHT_PAGE} *)", body)
        page = _dark_rules(f"{DARK_PAGE} .pw-auto", body)
        return element("style", f"@media (prefers-color-scheme:dark){{{system}}}{page}")
    return element("style", _dark_rules(".pw-dark", body)) if theme == "dark" else ""


def _dark_rules(scope: str, body: str) -> str:
    """One rule for each tone that occurs in a drawing."""
    rules = []
    for name, tone in TONES.items():
        for kind, prop in (("fill", "fill"), ("line", "stroke")):
            if f'"pw-{kind}-{name}"' in body:
                see = "" if tone.dark_opacity == 1 else f";{prop}-opacity:{tone.dark_opacity}"
                rules.append(f"{scope} .pw-{kind}-{name}{{{prop}:{tone.dark}{see}}}")
    return "".join(rules)


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


def card(width: float, height: float, *, framed: bool = False) -> str:
    """The ground of a drawing."""
    ground = rect(0, 0, width, height, rx=24, **tone("card"))
    line = tone("line", "line")
    frame = rect(0.5, 0.5, width - 1, height - 1, rx=23.5, fill="none", **line)
    return ground + frame * framed


def rule(start: float, end: float, y: float) -> str:
    """A level line."""
    return element("path", d=f"M{start:g} {y:g}H{end:g}", fill="none", **tone("line", "line"))


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


def mark_columns(mark: Mark, pegs: int) -> int:
    """Columns of a mark's grid: one row of places, or up to three pegs; else two."""
    return pegs if pegs <= 3 or isinstance(mark, PlacedMark) else math.ceil(pegs / 2)


def mark_size(mark: Mark, pegs: int, disc: float) -> tuple[float, float]:
    """Width and height of a mark's grid with discs of this diameter, or of its text."""
    if isinstance(mark, WrittenMark):
        return text_width(mark.write(), 1.3 * disc), 2 * disc
    columns = mark_columns(mark, pegs)
    rows = math.ceil(pegs / columns)
    return (disc * (columns * (1 + MARK_GAP) - MARK_GAP), disc * (rows * (1 + MARK_GAP) - MARK_GAP))


class Sheet:
    """Draws pegs of one size, and knows the definitions that they need."""

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
        """The pegs of a code, the first around (x, y), the next `step` further right.

        Those of a word are tiles with letters.
        """
        draw = self._tile if isinstance(code, Word) else self.peg
        return "".join(draw(color, x + k * step, y) for k, color in enumerate(code))

    def _tile(self, letter: int, x: float, y: float) -> str:
        side, size = self.peg_size - 1, self.peg_size * 0.55
        shape = rect(
            x - side / 2, y - side / 2, side, side, rx=side * 0.18, fill="none",
            **tone("edge", "line"),
        )  # fmt: skip
        return shape + text(x, y, chr(letter), size, text_anchor="middle", font_weight="650")

    def definitions(self) -> str:
        """The elements that the pegs drawn so far refer to."""
        return "".join(self._define(color) for color in sorted(self._used))

    def _id(self, color: int) -> str:
        sign = "hole" if color == HOLE else _label(color)
        size = coordinate(self.peg_size).replace(".", "_")
        return f"pw-{self.theme}-{sign}-{size}{'s' * self.shadow}"

    def _define(self, color: int) -> str:
        r = self.peg_size / 2
        if color == HOLE:
            shapes = circle(0, 0, r - 0.5, **tone("sunk"))
            shapes += _ring_shape(0, 0, r - 0.5, 1, **tone("faint", "line"))
            return element("g", shapes, id=self._id(color))
        look = PEGS[color]
        shapes = circle(0, r * 0.06, r, fill="url(#pw-shadow)") if self.shadow else ""
        shapes += circle(0, 0, r, fill=look.fill)
        if look.ring:
            width = r * 0.26
            shapes += circle(0, 0, r - width / 2, fill="none", stroke=look.ring, stroke_width=width)
        shapes += circle(0, 0, r, fill="url(#pw-shine)") + circle(0, 0, r, fill="url(#pw-shade)")
        shapes += _ring_shape(0, 0, r - 0.5, 1, **tone(_rim(look.fill), "line"))
        size = self.peg_size * (0.4 if self.peg_size >= 28 else 0.5)
        shapes += element(
            "text",
            _label(color),
            y=0.36 * size,
            text_anchor="middle",
            font_size=size,
            font_weight="650" if self.peg_size >= 28 else "700",
            fill=look.ink,
        )
        return element("g", shapes, id=self._id(color))


def label_pegs(notation: str) -> None:
    """Write codes by `letters` or by `digits` from now on, on the pegs of drawings too.

    Examples:
        >>> from pegwise.pictures import label_pegs
        >>> label_pegs("letters")
    """
    if notation not in ("letters", "digits"):
        raise UnknownNameError.of("label", notation, ("letters", "digits"))
    write_signs(str if notation == "letters" else Notation(notation).sign)


def _label(color: int) -> str:
    """What stands on a peg: its color as codes are written, where that is short."""
    label = sign_text(Code((color,)))
    return label if len(label) <= 2 else PEGS[color].letter


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
    """A mark as a grid of disc (exact), ring (misplaced) and speck (nothing) from (x, y).

    A mark of places is a row of squares with these signs, in the order of the places; one that was
    noted in part, or that a game writes in its own way, is text.
    """
    signs = mark.each_peg(pegs)
    if not signs:
        return text(x, y + disc, mark.write("discs"), 1.3 * disc)
    columns = mark_columns(mark, pegs)
    width = 1 + disc * 0.09
    shapes = []
    for place, sign in enumerate(signs):
        row, column = divmod(place, columns)
        cx = x + disc / 2 + column * disc * (1 + MARK_GAP)
        cy = y + disc / 2 + row * disc * (1 + MARK_GAP)
        match sign:
            case "●":
                shapes.append(circle(cx, cy, disc / 2, **tone("ink")))
            case "○":
                ring = tone("ink", "line")
                shapes.append(_ring_shape(cx, cy, (disc - width) / 2, width, **ring))
            case "·":
                shapes.append(circle(cx, cy, max(1.2, disc * _SPECK), **tone("faint")))
            case _:
                shapes.append(_place("⬛🟨🟩".index(sign), cx, cy, disc))
    return "".join(shapes)


def _place(place: int, x: float, y: float, disc: float) -> str:
    """The square of a place: right, elsewhere or absent."""
    side, sign = 1.18 * disc, 0.28 * disc
    ground = tone(("sunk", "elsewhere", "right")[place])
    square = rect(x - side / 2, y - side / 2, side, side, rx=0.2 * disc, **ground)
    if place == 1:
        return square + _ring_shape(x, y, sign, 0.15 * disc, **tone("card", "line"))
    return square + circle(x, y, sign if place else 1.2, **tone("card" if place else "soft"))


def _ring_shape(x: float, y: float, r: float, width: float, **attributes: Attribute) -> str:
    return circle(x, y, r, fill="none", stroke_width=width, **attributes)
