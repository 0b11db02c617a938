"""What objects show in a notebook: codes, boards, trees, positions, reviews, values."""

import base64
import re

import pytest

from pegwise import hooks
from pegwise.coach import Position, review
from pegwise.game import (
    Code,
    FiniteGame,
    Mark,
    Played,
    Record,
    Rules,
    Turn,
    mastermind,
    parse_record,
)
from pegwise.knowledge import candidates
from pegwise.pictures import board_svg
from pegwise.pictures.notebook import show, show_race
from pegwise.pictures.svg import DARK_PAGE, LIGHT_PAGE
from pegwise.search.value import find_value
from pegwise.trees import build, play
from tests.pictures.races import classic, empty
from tests.pictures.reading import Page, pegs_of, read_svg

GAME = parse_record(
    "pegwise game 1\nrules: 4x6\nsecret: ABCD\n1. AABB = XO\n2. ACBD = XXOO\n3. ABCD = XXXX\n"
    "result: solved"
)


def shown(thing: object) -> Page:
    html = thing._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(html, str)
    return Page(html)


def test_drawings_show_themselves() -> None:
    svg = board_svg([((0, 0, 1, 1), (1, 0))], Rules(4, 6))
    assert svg._repr_html_() == svg  # type: ignore[attr-defined]


def test_codes_marks_and_rules_show_themselves() -> None:
    for thing, label in (
        (Code([0, 3, 26]), "A D hole"),
        (Mark(2, 1), "2 exact, 1 misplaced"),
        (Mark(0, 0), "0 exact, 0 misplaced"),
        (Rules(5, 8), "Rules 5x8"),
    ):
        html = thing._repr_html_()
        assert html is not None
        assert read_svg(html).get("aria-label") == label


def test_small_trees_are_whole_and_large_ones_summed_up() -> None:
    for rules, sign in (("2x3", "On an edge"), ("4x4", "Parts of the first guess")):
        tree = build("first", rules)
        page = shown(tree)
        assert page.tags[:2] == ["div", "svg"]
        assert sign in page.text


def test_objects_that_nothing_draws_stay_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert show(0) is None
    monkeypatch.setattr(hooks, "show", None)
    assert Code([0])._repr_html_() is None
    monkeypatch.setattr(hooks, "show", lambda: lambda code: f"<b>{code}</b>")
    assert Code([0, 1])._repr_html_() == "<b>AB</b>"


def test_turns_and_games() -> None:
    turn = shown(Turn(Code([0, 1, 2, 3]), Mark(1, 1)))
    assert turn.tags.count("svg") == 2
    assert "A B C D" in turn.text
    assert "1 exact, 1 misplaced" in turn.text
    assert "4 pegs, 6 colors" in shown(mastermind("4x6")).text


def test_played_games_show_as_boards() -> None:
    game = shown(play("knuth", "4x6,blank", "ABCD"))
    assert game.tags.count("svg") == 1
    assert "Turn 1, A A B B: 1 exact, 1 misplaced" in game.text
    weighing = FiniteGame(range(3), lambda g, s: (s > g) - (s < g))
    turns = play("first", weighing, 2)
    assert len(turns) == 3
    assert turns._repr_html_() is None
    assert turns[0]._repr_html_() is None
    assert Played()._repr_html_() is None


def test_lists_of_candidates_draw_the_first() -> None:
    few, many = (shown(candidates("4x6", GAME.turns[:k])) for k in (2, 1))
    assert "2 codes" in few.text
    assert few.tags.count("svg") == 2
    assert "208 codes" in many.text
    assert many.tags.count("svg") == 24
    assert "0 codes" in shown(candidates("4x6", ["AAAA=-", "BBBB=-", "CDEF=-"])).text


def test_records_show_their_board() -> None:
    html = GAME._repr_html_()
    assert html is not None
    letters = "".join(letter for letter, _, _ in pegs_of(read_svg(html)))
    assert letters == "AABBACBDABCDABCD"  # the turns and the secret
    assert "No turn yet" in shown(Record(Rules(4, 6))).text


def test_splits_show_every_part() -> None:
    split = Position(Rules(4, 6), []).split(Code([0, 0, 1, 1]))
    page = shown(split)
    assert page.tags.count("tr") == 1 + len(split.parts) == 14
    assert "13 parts of 1,296 candidates: largest 256" in page.text
    assert "it may be the code" in page.text


def test_positions_draw_some_candidates() -> None:
    turns = GAME.turns[:2]
    assert "2 candidates left" in shown(Position(GAME.rules, turns)).text
    assert shown(Position(GAME.rules, turns)).tags.count("svg") == 1 + 2
    many = shown(Position(GAME.rules, GAME.turns[:1]))
    assert "208 candidates left" in many.text
    assert many.tags.count("svg") == 1 + 24
    assert "10,000,000,000 candidates left" in shown(Position(Rules(10, 10), ())).text


def test_reviews_show_cost_and_luck() -> None:
    page = shown(review(GAME))
    assert "208 left" in page.text
    assert page.tags.count("tr") == 1 + 3
    assert "luck in bits" in page.text
    wrong = Record(Rules(2, 2), (Turn(Code([0, 0]), Mark(0)), Turn(Code([1, 1]), Mark(0))))
    assert "contradict each other from turn 2 on" in shown(review(wrong)).text


def test_values_show_classes() -> None:
    page = shown(find_value(mastermind("2x3")))
    assert page.tags.count("tr") == 1 + 2
    assert "Value of 2x3" in page.text
    plain = shown(find_value(FiniteGame(range(3), lambda g, s: (s > g) - (s < g), name="three")))
    assert "Value of three: 9/5 = 1.8000 guesses" in plain.text
    assert plain.tags.count("tr") == 1 + 3
    marked = find_value(FiniteGame(["<b>", "c"], lambda g, s: g == s, name="<i>"))._repr_html_()
    assert marked is not None
    assert "<b>" not in marked
    assert "&lt;i&gt;" in marked


def test_drawings_follow_the_page_they_stand_in() -> None:
    html = Code([0, 1])._repr_html_()
    assert html is not None
    system, page = html.split("}}", 1)
    assert f"(prefers-color-scheme:dark){{.pw-auto:not({LIGHT_PAGE} *) " in system
    assert f"{DARK_PAGE} .pw-auto .pw-" in page


def test_races_are_drawn_for_both_themes() -> None:
    html = show_race(classic())
    assert "4.373" in html
    assert show_race(empty()) == "<p>No strategy has finished.</p>"
    charts = re.findall(r"base64,([^\"]+)\"", html)
    light, dark = (base64.b64decode(chart).decode() for chart in charts)
    assert read_svg(light).tag == read_svg(dark).tag
    assert light != dark
