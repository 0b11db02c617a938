"""Colors: as the house gives them, with letters and words that can be read."""

import itertools
import unicodedata

import pytest

from pegwise.game.codes import DISCS
from pegwise.pictures.svg import DARK_INK, PEGS, TONES, WHITE_INK, contrast

FILLED = (
    "A red #ae2430, B green #54964e, C blue #1e30fc, D yellow #ffde00, "
    "E black #0c1218, F white #ffffff, G purple #4e2a8a, H orange #f0a24e, "
    "I brown #541800, J sky #24a8f6, K pink #ff609c, L mint #12eacc"
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
