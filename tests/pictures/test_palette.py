"""Colors: as the house gives them, with letters that can be read."""

import itertools

import pytest

from pegwise.errors import InputError
from pegwise.pictures.svg import DARK_INK, PEGS, TONES, WHITE_INK, Peg, contrast, peg

GIVEN = {
    "A": ("blue", "#1e30fc"),
    "B": ("yellow", "#ffde00"),
    "C": ("red", "#ae2430"),
    "D": ("sky", "#24a8f6"),
    "E": ("pink", "#ff609c"),
    "F": ("brown", "#541800"),
    "G": ("purple", "#4e2a8a"),
    "H": ("orange", "#f0a24e"),
    "I": ("mint", "#12eacc"),
    "J": ("green", "#54964e"),
    "K": ("white", "#ffffff"),
    "L": ("black", "#0c1218"),
}


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),  # the gray just below the limit for text
        ("#767676", "#ffffff", 4.54),  # and just above
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#ffffff", 8.59),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast(first, second) == pytest.approx(ratio, abs=0.006)
    assert contrast(second, first) == contrast(first, second)


def test_first_twelve_are_the_given_ones() -> None:
    for look, (letter, (name, fill)) in zip(PEGS, GIVEN.items(), strict=False):
        assert (look.letter, look.name, look.fill, look.ring) == (letter, name, fill, None)
        assert look.ink == (WHITE_INK if letter in "ACFGL" else DARK_INK)


@pytest.mark.parametrize("look", PEGS, ids=lambda look: look.letter)
def test_letters_can_be_read(look: Peg) -> None:
    assert contrast(look.ink, look.fill) >= 4.5


def test_rings_show_on_their_faces_and_differ() -> None:
    rings = [look.ring for look in PEGS[12:]]
    assert len(set(rings)) == len(rings) == 14
    for ring, face in zip(rings, [look.fill for look in PEGS[12:]], strict=True):
        assert ring is not None
        assert contrast(ring, face) >= 3


def test_all_letters_in_order() -> None:
    assert "".join(peg(color).letter for color in range(26)) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    assert all(a != b for a, b in itertools.combinations(PEGS, 2))


@pytest.mark.parametrize("color", [-1, 26])
def test_no_peg_for_a_hole(color: int) -> None:
    with pytest.raises(InputError, match="0 to 25"):
        peg(color)


@pytest.mark.parametrize("ground", ["bg", "card", "sunk", "wash"])
@pytest.mark.parametrize("words", ["ink", "soft", "accent"])
def test_words_can_be_read_in_both_themes(words: str, ground: str) -> None:
    assert contrast(TONES[words].light, TONES[ground].light) >= 4.5
    assert contrast(TONES[words].dark, TONES[ground].dark) >= 4.5


def test_bars_show_on_cards() -> None:
    for theme in ("light", "dark"):
        ground = getattr(TONES["card"], theme)
        assert contrast(getattr(TONES["edge"], theme), ground) >= 3
        assert contrast(getattr(TONES["accent"], theme), ground) >= 3
