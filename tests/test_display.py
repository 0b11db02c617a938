"""Notebooks: objects show pictures."""

import pytest

from pegwise import hooks
from pegwise.game import Code, Mark, Rules, mastermind
from pegwise.strategies import load
from pegwise.trees import build
from tests.pictures.races import classic, empty
from tests.pictures.reading import Page, pegs_of, read_svg


def html_of(thing: object) -> str:
    html = thing._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    return html


def test_codes_marks_and_rules_show_themselves() -> None:
    assert [letter for letter, _, _ in pegs_of(read_svg(html_of(Code([0, 3, 26]))))] == [
        "A",
        "D",
        "hole",
    ]
    for thing, label in (
        (Mark(2, 1), "2 exact, 1 misplaced"),
        (Mark(0, 0), "0 exact, 0 misplaced"),
        (Rules(5, 8), "Rules 5x8"),
    ):
        assert read_svg(html_of(thing)).get("aria-label") == label


def test_small_trees_are_whole_and_large_ones_summed_up() -> None:
    small, large = (build(load("knuth"), mastermind(rules)) for rules in ("2x3", "4x5"))
    for tree, sign in ((small, "On an edge"), (large, "Parts of the first guess")):
        page = Page(html_of(tree))
        assert page.tags[:2] == ["div", "svg"]
        assert sign in page.text
        svg = tree._repr_svg_()
        assert svg is not None
        assert svg in html_of(tree)
        read_svg(svg)


def test_races_show_their_chart() -> None:
    assert "4.373" in html_of(classic())
    assert html_of(empty()) == "<p>No strategy has finished.</p>"


def test_kinds_without_painter_stay_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hooks, "painters", {})
    assert hooks.paint("code", Code([0])) is None
    assert Code([0])._repr_html_() is None
    hooks.painters["code"] = lambda: lambda code: f"<b>{code}</b>"
    assert Code([0, 1])._repr_html_() == "<b>AB</b>"
