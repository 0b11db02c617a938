"""What objects show in a notebook: codes, boards, trees, positions, reviews, values."""

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest

from pegwise import hooks
from pegwise.coach.advice import Position, rank
from pegwise.coach.review import review
from pegwise.game import Code, FiniteGame, Mark, Played, Rules, Turn, board_game, game_of
from pegwise.knowledge import candidates
from pegwise.knowledge.puzzles import puzzle
from pegwise.pictures import board_svg
from pegwise.pictures.notebook import show, show_race
from pegwise.pictures.svg import DARK_PAGE, LIGHT_PAGE
from pegwise.playing import Record, parse_record
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.static.search import find_static
from pegwise.search.theory import bounds
from pegwise.search.value import find_value
from pegwise.trees import build, play
from tests.pictures.races import classic, empty
from tests.pictures.reading import Page, pegs_of, read_svg

GAME = parse_record(
    "pegwise game 1\nrules: 4x6\nsecret: ABCD\n1. AABB = XO\n2. ACBD = XXOO\n3. ABCD = XXXX\n"
    "result: solved"
)


FIRST, TWO = (Position(GAME.game, GAME.turns[:k]) for k in (1, 2))
THREE = FiniteGame(range(3), lambda g, s: (s > g) - (s < g), name="three")
CONTRADICTORY = Record(
    game_of(Rules(2, 2)), (Turn(Code([0, 0]), Mark(0)), Turn(Code([1, 1]), Mark(0)))
)


@pytest.mark.parametrize(
    ("make", "tag", "number", "says"),
    [
        (lambda: Turn(Code([0, 1, 2, 3]), Mark(1, 1)), "svg", 2, "1 exact, 1 misplaced"),
        (lambda: board_game(Rules.parse("4x6")), "svg", 1, "4 pegs, 6 colors"),
        (lambda: build("2x3", "first"), "svg", 1, "On an edge"),
        (lambda: build("4x4", "first"), "svg", 1, "Parts of the first guess"),
        (lambda: play("4x6,blank", "knuth", "ABCD"), "svg", 1, "Turn 1, A A B B: 1 exact, 1 misp"),
        # the first of the candidates are drawn
        (lambda: candidates("4x6", GAME.turns[:2]), "svg", 2, "2 codes"),
        (lambda: candidates("4x6", GAME.turns[:1]), "svg", 24, "208 codes"),
        (lambda: candidates("2x2", ["AA=-", "BB=-"]), "svg", 0, "0 codes"),
        (lambda: TWO, "svg", 1 + 2, "2 candidates left"),
        (lambda: FIRST, "svg", 1 + 24, "208 candidates left"),
        (lambda: Position(Rules(10, 10), ()), "svg", 0, "10,000,000,000 candidates left"),
        (lambda: Record(game_of("4x6")), "svg", 1, "No turn yet"),
        (lambda: Position("4x6").split("AABB"), "tr", 14, "13 parts of 1,296 candidates: larg"),
        (lambda: Position("4x6").split("AABB"), "svg", 14, "it may be the code"),
        (lambda: rank("4x6", limit=3), "tr", 1 + 3, "exp."),
        (lambda: rank(Position("4x6*2"), limit=3), "tr", 1 + 3, "boards"),
        (lambda: puzzle("4x4", seed=1), "svg", 1, "turns of 4x4"),
        (lambda: find_optimum("2x3"), "svg", 1, "Tree"),
        (lambda: find_optimum("2x3", max_guesses=1), "p", 1, "no tree finds every secret within"),
        (lambda: bounds("2x3"), "table", 2, "9 codes"),
        (lambda: find_static("3x3"), "svg", 3, "3 fixed guesses"),
        (lambda: review(GAME), "tr", 1 + 3, "208 left"),
        (lambda: review(GAME), "table", 1, "luck"),
        (lambda: review(CONTRADICTORY), "table", 1, "contradict each other from turn 2 on"),
        (
            lambda: find_value(board_game(Rules.parse("2x3"))),
            "tr",
            1 + 2 + 1 + 2,
            "2x3: the value of the game",
        ),
        (
            lambda: find_value(THREE),
            "tr",
            1 + 3 + 1 + 3,
            "the game is 9/5 = 1.800000",
        ),
    ],
)
def test_what_objects_show(make: Callable[[], Any], tag: str, number: int, says: str) -> None:
    page = Page(make()._repr_html_())
    assert page.tags.count(tag) == number
    assert says in page.text


def test_drawings_show_themselves() -> None:
    svg = board_svg(Rules(4, 6), [((0, 0, 1, 1), (1, 0))])
    assert svg._repr_html_() == svg  # type: ignore[attr-defined]
    for thing, label in (
        (Code([0, 3, 26]), "A D hole"),
        (Mark(2, 1), "2 exact, 1 misplaced"),
        (Mark(0, 0), "0 exact, 0 misplaced"),
        (Rules(5, 8), "Rules 5x8"),
    ):
        assert read_svg(thing._repr_html_() or "").get("aria-label") == label
    letters = "".join(letter for letter, _, _ in pegs_of(read_svg(GAME._repr_html_() or "")))
    assert letters == "AABBACBDABCDABCD"  # the turns and the secret


def test_objects_that_nothing_draws_stay_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = play(THREE, "first", 2)
    assert (
        show(0) is turns._repr_html_() is turns[0]._repr_html_() is Played()._repr_html_() is None
    )
    monkeypatch.setattr(hooks, "show", None)
    assert Code([0])._repr_html_() is None
    monkeypatch.setattr(hooks, "show", lambda: lambda code: f"<b>{code}</b>")
    assert Code([0, 1])._repr_html_() == "<b>AB</b>"


def test_turns_whose_marks_no_board_has_show_themselves() -> None:
    code = Code((0, 1, 2, 3))
    for marks, drawings in (([Mark(1, 2), Mark(2)], 1), ([Mark(3, 1), Mark(2)], 4)):
        html = Played(Turn(code, mark) for mark in marks)._repr_html_()
        assert html is not None
        assert html.count("<svg") == drawings


@pytest.mark.slow
@pytest.mark.parametrize(("game", "secrets"), [("3x4*2", "ABC | AAB"), ("sgb*2", "crane | slate")])
def test_turns_with_a_mark_on_each_board_show_themselves(game: str, secrets: str) -> None:
    turns = play(game, "entropy", secrets)
    html = turns._repr_html_()
    assert html is not None
    marks = sum(mark is not None for turn in turns for mark in turn.marks)
    assert html.count("<svg") == len(turns) + marks


def test_other_games_show_themselves() -> None:
    several = Record.of_turns(game_of(Rules(3, 4)), play("3x4*2", "entropy", "ABC | AAB"), boards=2)
    numbers = FiniteGame(range(9), lambda guess, secret: (guess > secret) - (guess < secret))
    finite = Record(numbers, [(4, 1), (2, 0)], "solved")  # type: ignore[arg-type]
    for record in (several, finite):
        position = Position(record.play.first(1))
        for thing in (record, position, review(record), position.split(record.turns[-1].guess)):
            assert thing._repr_html_()
    assert "4=1" in (finite._repr_html_() or "")


def test_names_are_escaped() -> None:
    html = find_value(FiniteGame(["<b>", "c"], lambda g, s: g == s, name="<i>"))._repr_html_()
    assert html is not None
    assert "<b>" not in html
    assert "&lt;i&gt;" in html


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
