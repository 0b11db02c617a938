"""Boards: every peg and mark of a history is drawn, said, and stays inside the picture."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pegwise
from pegwise.errors import CodeError, InputError, MarkError
from pegwise.game import HOLE, Code, Mark, Rules, game_of, parse_code
from pegwise.pictures import board_svg, code_svg, rules_svg, tree_svg
from pegwise.pictures.notebook import show_mark
from pegwise.pictures.svg import mark_columns
from tests.pictures.reading import SVG, pegs_of, read_svg, size_of, texts_of

CLASSIC = Rules()


def code(text: str, rules: Rules = CLASSIC) -> Code:
    return parse_code(text, rules)


GAME = [(code("FEDB"), Mark(1, 1)), (code("FABA"), Mark(0, 1)), (code("EEFC"), Mark(4, 0))]


@st.composite
def histories(draw: st.DrawFn) -> tuple[Rules, list[tuple[Code, Mark]]]:
    blank, black = draw(st.booleans()), draw(st.booleans())
    rules = Rules(
        draw(st.integers(1, 16)), draw(st.integers(1, 26)), blank=blank, marks="black" * black
    )
    color = st.integers(0, rules.colors - 1)
    hole = st.just(HOLE) if blank else st.nothing()
    guesses = st.lists(color | hole, min_size=rules.pegs, max_size=rules.pegs).map(Code)
    turns = st.lists(st.tuples(guesses, st.sampled_from(rules.marking.legal)), max_size=6)
    return rules, draw(turns)


@given(histories(), st.sampled_from(["auto", "light", "dark", "page"]))
def test_boards_show_every_turn(game: tuple[Rules, list[tuple[Code, Mark]]], theme: str) -> None:
    rules, turns = game
    root = read_svg(board_svg(rules, turns, candidates=[7] * len(turns), theme=theme))  # type: ignore[arg-type]
    pegs = pegs_of(root)
    letters = ["hole" if p == HOLE else str(Code([p])) for guess, _ in turns for p in guess]
    assert [letter for letter, _, _ in pegs] == letters
    width, height = size_of(root)
    assert all(23 <= x <= width - 23 and 23 <= y <= height - 23 for _, x, y in pegs)
    assert len({(x, y) for _, x, y in pegs}) == len(pegs)


@given(st.integers(1, 16).map(Rules), st.data())
def test_marks_are_grids(rules: Rules, data: st.DataObject) -> None:
    mark = data.draw(st.sampled_from(rules.marking.legal))
    root = read_svg(show_mark(mark, rules.pegs))
    circles = list(root.iter(f"{SVG}circle"))
    discs = [c for c in circles if c.get("class") == "pw-fill-ink"]
    rings = [c for c in circles if c.get("class") == "pw-line-ink" and c.get("fill") == "none"]
    specks = [c for c in circles if c.get("class") == "pw-fill-faint"]
    assert (len(discs), len(rings), len(specks)) == (*mark, rules.pegs - sum(mark))
    assert len(circles) == rules.pegs
    width, height = size_of(root)
    for shape in circles:
        x, y, r = (float(shape.get(key, "")) for key in ("cx", "cy", "r"))
        assert r <= x <= width - r + 0.02
        assert r <= y <= height - r + 0.02
    assert len({shape.get("cy") for shape in circles}) <= 2
    assert len({shape.get("cx") for shape in circles}) == mark_columns(mark, rules.pegs)
    assert root.get("aria-label") == f"{mark.black} exact, {mark.white} misplaced"


def test_description_tells_the_game() -> None:
    root = read_svg(board_svg(CLASSIC, GAME, candidates=[252, 1296, 1], secret=code("EEFC")))
    said = root.findtext(f"{SVG}desc") or ""
    assert said == (
        "Turn 1, F E D B: 1 exact, 1 misplaced; 252 codes left. "
        "Turn 2, F A B A: 0 exact, 1 misplaced; 1,296 codes left. "
        "Turn 3, E E F C: 4 exact, 0 misplaced. "
        "The secret: E E F C."
    )
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == "3 turns of 4x6"
    assert texts_of(root) == ["1", "252 left", "2", "1,296 left", "3", "secret"]
    assert len(pegs_of(root)) == 16


def test_words_are_tiles_and_marks_of_places_squares() -> None:
    root = read_svg(board_svg("wordle", ["tares=-GY--", "cairn=GGGGG"]))
    assert texts_of(root) == ["1", *"TARES", "2", *"CAIRN"]
    squares = [rect.get("class") for rect in root.iter(f"{SVG}rect")][2:]
    kinds = [str(kind).removeprefix("pw-fill-") for kind in squares if kind != "pw-line-edge"]
    assert kinds == ["sunk", "right", "elsewhere", "sunk", "sunk", *["right"] * 5]
    said = root.findtext(f"{SVG}desc") or ""
    assert said.startswith("Turn 1, TARES: absent, right, elsewhere, absent, absent.")
    assert texts_of(read_svg(rules_svg(game_of("sgb"))))[:3] == ["A", "B", "C"]


def test_marks_that_a_game_writes_in_its_own_way_are_drawn_as_text(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        """
from pegwise import FiniteGame

game = FiniteGame(["ab", "abc", "b"], lambda g, s: "it is right" if g == s else len(s))
"""
    )
    root = read_svg(board_svg(str(path), ["ab=3", "abc=it is right"]))
    assert texts_of(root) == ["1", *"ab", "3", "2", *"abc", "it is right"]
    assert (root.findtext(f"{SVG}desc") or "").startswith("Turn 1, ab: 3.")
    tree = texts_of(read_svg(tree_svg(pegwise.build(str(path), "entropy"))))
    assert {"1", "3"} <= set(tree)


def test_title_is_escaped_and_has_room() -> None:
    title = 'Knuth & co. <b>"beat"</b> ' + "x" * 80
    root = read_svg(board_svg(CLASSIC, GAME, title=title))
    assert root.findtext(f"{SVG}title") == title
    assert title in texts_of(root)
    assert size_of(root)[0] > 8 * len(title)


def test_themes() -> None:
    auto, light, dark, page = (
        board_svg(CLASSIC, GAME, theme=theme) for theme in ("auto", "light", "dark", "page")
    )
    assert "prefers-color-scheme:dark" in auto
    assert "<style>" not in light
    assert "<style>" not in page
    assert ".pw-dark .pw-fill-ink{fill:#ecebe6}" in dark
    # drawings of several themes can share a page: what differs has another id
    ids = [set(re.findall(r'id="(pw-(?:light|dark)-[^"]+)"', svg)) for svg in (light, dark)]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_every_class_has_a_dark_color() -> None:
    rules = Rules(4, 26, blank=True)
    turns = [(code("KFL.", rules), Mark(1, 1))]
    svg = board_svg(rules, turns, candidates=[3], title="t", theme="dark")
    for name in set(re.findall(r'class="(pw-(?:fill|line)-[^"]+)"', svg)):
        assert f".pw-dark .{name}{{" in svg


def test_code_is_a_row_of_pegs() -> None:
    root = read_svg(code_svg(code("ABCA"), size=20))
    assert [letter for letter, _, _ in pegs_of(root)] == list("ABCA")
    assert size_of(root) == (92, 20)
    assert root.get("aria-label") == "A B C A"
    assert read_svg(code_svg([])).get("aria-label") == ""


@pytest.mark.parametrize(
    "text", ["4x6", "16x26,blank", "1x1", "4x10,distinct", "4x8,distinct-secrets"]
)
def test_rules_show_their_colors(text: str) -> None:
    rules = Rules.parse(text)
    root = read_svg(rules_svg(game_of(rules)))
    assert len(pegs_of(root)) == rules.colors
    assert root.get("aria-label") == f"Rules {text}"
    width, height = size_of(root)
    assert all(15 <= x <= width - 15 and 15 <= y <= height - 60 for _, x, y in pegs_of(root))


@pytest.mark.parametrize(
    ("turns", "rules", "options", "kind", "reason"),
    [
        ([(code("ABC", Rules(3, 6)), Mark(0, 0))], CLASSIC, {}, CodeError, "3 pegs"),
        ([(code("ABCD"), (3, 1))], CLASSIC, {}, MarkError, "cannot happen"),
        ([], Rules(blank=True), {"secret": [0, 0, 0, HOLE]}, CodeError, "hole"),
        (GAME, CLASSIC, {"candidates": [1, 2]}, InputError, "2 counts of candidates for 3 turns"),
        (GAME, CLASSIC, {"theme": "sepia"}, InputError, "'sepia'; known: auto, light"),
    ],
)
def test_refusals(
    turns: Any, rules: Rules, options: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        board_svg(rules, turns, **options)
    with pytest.raises(CodeError):
        code_svg([40])
