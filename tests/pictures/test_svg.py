"""Colors: as the tones give them, with letters and words that can be read."""

import itertools
import math
import unicodedata

import pytest

from pegwise.game.codes import DISCS
from pegwise.game.pegs import DARK_INK, PEGS, WHITE_INK, contrast
from pegwise.pictures.svg import TONES

FILLED = (
    "A red #a72208, B green #26735f, C blue #324efe, D yellow #fffa3c, "
    "E black #06001e, F white #ffffff, G purple #34028e, H orange #cd7500, "
    "I brown #35120c, J sky #00c9ff, K pink #c77a9c, L mint #9ace97"
)


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),  # the gray just below the limit for text
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast(first, second) == pytest.approx(ratio, abs=0.006)
    assert contrast(second, first) == contrast(first, second)


def test_pegs() -> None:
    assert "".join(look.letter for look in PEGS) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert all(a != b for a, b in itertools.combinations(PEGS, 2))
    assert all(contrast(look.ink, look.fill) >= 4.5 for look in PEGS)
    assert ", ".join(f"{look.letter} {look.name} {look.fill}" for look in PEGS[:12]) == FILLED
    for look in PEGS[:12]:
        assert look.ring is None
        assert look.ink == (WHITE_INK if look.letter in "ABCEGI" else DARK_INK)
    rings = [look.ring for look in PEGS[12:]]
    assert len(set(rings)) == len(rings) == 14
    for look in PEGS[12:]:
        assert look.ring is not None
        assert contrast(look.ring, look.fill) >= 3


# How eyes without one of three cones see colors: Machado, Oliveira and Fernandes (2009), table 1,
# severity 1.0, for linear RGB.
VISIONS = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
# from linear RGB to XYZ, of which white is 1 (IEC 61966-2-1, D65)
WHITE = (0.95047, 1.0, 1.08883)
XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


def lab(color: str, vision: str) -> tuple[float, float, float]:
    """A color in CIELAB as eyes see it."""

    def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
        return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]

    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(1.0, max(0.0, c)) for c in times(VISIONS[vision], linear)]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (value / white for value, white in zip(times(XYZ, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    """How far apart colors in CIELAB are: CIEDE2000, as Sharma, Wu and Dalal (2005) write it."""
    (l1, a1, b1), (l2, a2, b2) = first, second

    def excess(chroma: float) -> float:
        return math.sqrt(chroma**7 / (chroma**7 + 25**7))

    stretched = 1.5 - excess((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) / 2
    c1, c2 = math.hypot(stretched * a1, b1), math.hypot(stretched * a2, b2)
    h1 = math.degrees(math.atan2(b1, stretched * a1)) % 360
    h2 = math.degrees(math.atan2(b2, stretched * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = 1 + sum(
        weight * math.cos(math.radians(k * hue + shift))
        for weight, k, shift in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    off = (lightness - 50) ** 2
    dl = (l2 - l1) / (1 + 0.015 * off / math.sqrt(20 + off))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    rotation = math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    return math.sqrt(dl**2 + dc**2 + dh**2 - 2 * rotation * excess(chroma) * dc * dh)


def test_differences_are_those_that_were_published() -> None:
    # Sharma, Wu and Dalal (2005), table 1: pairs 1, 7, 15, 18, 25
    for first, second, published in [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
        ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ]:
        assert difference(first, second) == pytest.approx(published, abs=1e-4)


@pytest.mark.parametrize("vision", VISIONS)
def test_colors_are_told_apart(vision: str) -> None:
    for first, second in itertools.combinations(PEGS[:12], 2):
        colors = lab(first.fill, vision), lab(second.fill, vision)
        assert difference(*colors) >= 20, (first, second)
        assert math.dist(*colors) >= 20, (first, second)  # the older measure of 1976


def test_discs_have_the_colors_of_pegs() -> None:
    names = [unicodedata.name(disc).split()[1].lower() for disc in DISCS]
    assert names == [look.name for look in PEGS[: len(DISCS)]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_bars_show_in_both_themes(theme: str) -> None:
    color = {name: getattr(tone, theme) for name, tone in TONES.items()}
    for words, ground in itertools.product(
        ["ink", "soft", "accent"], ["bg", "card", "sunk", "wash"]
    ):
        assert contrast(color[words], color[ground]) >= 4.5
    for bars in ("edge", "accent"):
        assert contrast(color[bars], color["card"]) >= 3
