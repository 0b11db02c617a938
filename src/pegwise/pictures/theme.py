"""The house look: one set of named colors, light and dark, for boards, trees, charts and pages."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple, get_args

from pegwise.errors import InputError, quoted
from pegwise.game.rules import MAX_COLORS

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
    # rims of pegs: of most, of those near the light ground, of those near the dark ground
    "rim": Tone("#000000", "#ffffff", 0.16, 0.14),
    "rim-light": Tone("#000000", "#ffffff", 0.48, 0.1),
    "rim-dark": Tone("#000000", "#ffffff", 0.2, 0.42),
}


def check_theme(theme: str) -> None:
    """Refuse a theme that does not exist.

    Raises:
        InputError: names the themes that do.
    """
    if theme not in get_args(Theme):
        raise InputError(
            "unknown theme {theme}; known: {known}",
            theme=quoted(theme),
            known=", ".join(get_args(Theme)),
        )


def custom_properties(dark: bool) -> str:
    """All tones as CSS custom properties, one line each."""
    lines = []
    for name, tone in TONES.items():
        color, opacity = (
            (tone.dark, tone.dark_opacity) if dark else (tone.light, tone.light_opacity)
        )
        red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
        value = color if opacity == 1 else f"rgb({red} {green} {blue} / {opacity})"
        lines.append(f"--{name}: {value};")
    return "\n".join(lines)


# The colors of pegs: twelve that color-blind eyes keep apart, then hue rings, a letter on each.
#
# A letter is written in white or in dark, whichever has the higher contrast on its peg, by the
# definition of WCAG 2.2 (relative luminance, contrast ratio).

DARK_INK: Final = "#111111"
WHITE_INK: Final = "#ffffff"

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FILLED: Final = (
    ("blue", "#1e30fc"),
    ("yellow", "#ffde00"),
    ("red", "#ae2430"),
    ("sky", "#24a8f6"),
    ("pink", "#ff609c"),
    ("brown", "#541800"),
    ("purple", "#4e2a8a"),
    ("orange", "#f0a24e"),
    ("mint", "#12eacc"),
    ("green", "#54964e"),
    ("white", "#ffffff"),
    ("black", "#0c1218"),
)
_RING_FACE: Final = "#f6f5f1"
_RING_CONTRAST: Final = 3.2  # WCAG asks 3 of what is not text


@dataclass(frozen=True, slots=True)
class Peg:
    """How the peg of one color looks.

    Attributes:
        letter: A to Z.
        name: English name of the color.
        fill: color of the face, `#rrggbb`.
        ink: color of the letter.
        ring: color of the ring around the face; None for a peg that is all of one color.
    """

    letter: str
    name: str
    fill: str
    ink: str
    ring: str | None = None


def peg(color: int) -> Peg:
    """The peg of a color number, 0 (A) to 25 (Z).

    Raises:
        InputError: a number out of range.
    """
    if not 0 <= color < MAX_COLORS:
        raise InputError(
            "color {color} has no peg: colors are 0 to {most}", color=color, most=MAX_COLORS - 1
        )
    return PEGS[color]


@cache
def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colors `#rrggbb`, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    channels = (int(color[k : k + 2], 16) / 255 for k in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _best_ink(fill: str) -> str:
    return max((DARK_INK, WHITE_INK), key=lambda ink: contrast(ink, fill))


def _ring(number: int) -> str:
    """The hue of a ring, as light as it may be; hues of neighbors in the alphabet lie far apart."""
    rings = MAX_COLORS - len(_FILLED)
    hue = number * 5 % rings / rings
    for step in range(100):
        channels = colorsys.hls_to_rgb(hue, 0.6 - step / 100, 0.85)
        color = "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
        if contrast(color, _RING_FACE) >= _RING_CONTRAST:
            break
    return color


def _all_pegs() -> tuple[Peg, ...]:
    filled = [
        Peg(letter, name, fill, _best_ink(fill))
        for letter, (name, fill) in zip(_LETTERS, _FILLED, strict=False)
    ]
    ringed = [
        Peg(letter, f"ring {letter}", _RING_FACE, DARK_INK, _ring(number))
        for number, letter in enumerate(_LETTERS[len(_FILLED) :])
    ]
    return (*filled, *ringed)


PEGS: Final = _all_pegs()
"""The peg of every color, in order A to Z."""
