"""Colors: as the house gives them, with letters and words that can be read."""

import itertools
import math
import unicodedata

import pytest

from pegwise.game.codes import DISCS
from pegwise.pictures.svg import DARK_INK, PEGS, TONES, WHITE_INK, contrast

FILLED = (
    "A red #ba2526, B green #4c9153, C blue #2c30fb, D yellow #f6db00, "
    "E black #050c14, F white #ffffff, G purple #492889, H orange #f1a552, "
    "I brown #481404, J sky #11a9fb, K pink #df478c, L mint #2ee4ba"
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
        assert look.ink == (WHITE_INK if look.letter in "ACEGI" else DARK_INK)
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


@pytest.mark.parametrize("vision", VISIONS)
def test_colors_are_told_apart(vision: str) -> None:
    for first, second in itertools.combinations(PEGS[:12], 2):
        assert math.dist(lab(first.fill, vision), lab(second.fill, vision)) >= 20, (first, second)


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
