"""How pegs look in the terminal, in pictures and on pages."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase
from typing import Final

from pegwise.game.rules import MAX_COLORS

# twelve colors that color-blind eyes tell apart, first those of `DISCS`, then rings of other hues;
# the letter of a peg is white or dark, whichever has the higher contrast

DARK_INK: Final = "#111111"
WHITE_INK: Final = "#ffffff"

_FILLED: Final = (
    ("red", "#a72208"),
    ("green", "#26735f"),
    ("blue", "#324efe"),
    ("yellow", "#fffa3c"),
    ("black", "#06001e"),
    ("white", "#ffffff"),
    ("purple", "#34028e"),
    ("orange", "#cd7500"),
    ("brown", "#35120c"),
    ("sky", "#00c9ff"),
    ("pink", "#c77a9c"),
    ("mint", "#9ace97"),
)
_RING_FACE: Final = "#f6f5f1"
_RING_CONTRAST: Final = 3.2  # WCAG asks 3 of what is not text


@dataclass(frozen=True, slots=True)
class Peg:
    """How the peg of one color looks: its letter, its name, and `#rrggbb` of its parts."""

    letter: str
    name: str
    fill: str
    ink: str
    ring: str | None = None


@cache
def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colors `#rrggbb`, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (octet / 255 for octet in bytes.fromhex(color[1:]))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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


def _peg(color: int, letter: str) -> Peg:
    if color >= len(_FILLED):
        return Peg(letter, f"ring {letter}", _RING_FACE, DARK_INK, _ring(color - len(_FILLED)))
    name, fill = _FILLED[color]
    return Peg(letter, name, fill, max(DARK_INK, WHITE_INK, key=lambda ink: contrast(ink, fill)))


PEGS: Final = tuple(_peg(*numbered) for numbered in enumerate(ascii_uppercase[:MAX_COLORS]))
"""By the number of the color."""
