"""The stylesheets: pegs and tones have the colors of `pictures`, and everything can be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import pegwise.web
from pegwise.pictures.svg import PEGS, TONES, WHITE_INK, contrast

STATIC = Path(pegwise.web.__file__).parent / "static"


def sheet(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def colors() -> dict[str, str]:
    rules = r'^\[data-c="(\w)"\] \{ --c: (#\w{6}); \}'
    return dict(re.findall(rules, sheet("pegs.css"), re.MULTILINE))


def tokens() -> dict[str, tuple[str, str]]:
    """The tones of the pages, light and dark."""
    rules = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", sheet("base.css"))
    return {name: (light, dark) for name, light, dark in rules}


def test_pegs_have_the_colors_of_the_palette_and_can_be_read() -> None:
    assert colors() == {peg.letter: peg.ring or peg.fill for peg in PEGS}
    named = json.loads((STATIC.parent / "texts.json").read_text("utf-8"))["board"]
    assert [named[f"color{peg.letter}"].split()[0] for peg in PEGS[:12]] == [
        peg.name for peg in PEGS[:12]
    ]
    rule = re.search(r":is\(([^)]*)\) \{ --on: #fff; \}", sheet("pegs.css"))
    assert rule is not None
    white = set(re.findall(r'"(\w)"', rule[1]))
    assert white == {peg.letter for peg in PEGS if peg.ink == WHITE_INK}
    for letter in "ABCDEFGHIJKL":
        ink = "#ffffff" if letter in white else "#111111"
        assert contrast(ink, colors()[letter]) >= 4.5, letter
    for letter in "MNOPQRSTUVWXYZ":  # rings on a face
        assert contrast("#f6f5f1", colors()[letter]) >= 3, letter
    assert contrast("#f6f5f1", "#111111") >= 7


def test_every_peg_has_a_shape_and_neighbors_differ() -> None:
    shapes: dict[str, str] = {}
    for letters, shape in re.findall(
        r"^(:is\([^{]*?\))\s*\{\s*--shape: (.*?);", sheet("pegs.css"), re.M | re.S
    ):
        shapes |= dict.fromkeys(re.findall(r'"(\w)"', letters), shape)
    assert set(shapes) == {peg.letter for peg in PEGS}
    assert len({shapes[letter] for letter in "ABCDEFGHIJKL"}) == 12


@pytest.mark.parametrize("theme", [0, 1])
def test_texts_and_outlines_are_readable(theme: int) -> None:
    tone = {name: pair[theme] for name, pair in tokens().items()}
    for ground in ("bg", "card", "sunk"):
        for text in ("ink", "soft", "accent"):
            assert contrast(tone[text], tone[ground]) >= 4.5, (text, ground)
    for ground in ("bg", "card"):
        assert contrast(tone["edge"], tone[ground]) >= 3, ground
    assert contrast(tone["warn"], tone["warn-wash"]) >= 4.5


@pytest.mark.parametrize("name", TONES)
def test_drawings_in_the_page_take_its_tones(name: str) -> None:
    assert tokens().get(name) in {None, (TONES[name].light, TONES[name].dark)}
    text = sheet("pictures.css")
    assert f".pw-page .pw-fill-{name} {{ fill: var(--{name});" in text
    assert f".pw-page .pw-line-{name} {{ stroke: var(--{name});" in text
    assert re.search(rf"--{name}: ", sheet("base.css"))


def test_templates_have_nothing_inline() -> None:
    for template in (STATIC.parent / "templates").iterdir():
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son\w+=\"|<style", text), template.name
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script, template.name
