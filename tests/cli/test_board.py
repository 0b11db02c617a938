"""Codes in the terminal: a letter is always there, and always seen."""

import re

import pytest
from rich.color import Color, ColorSystem

from pegwise.cli.board import Screen
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from pegwise.pictures.svg import PEGS

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SYSTEMS = ["standard", "256", "truecolor"]


def screen(system: str | None) -> Screen:
    made = Screen()
    made.__dict__["_color_system"] = system
    return made


@pytest.mark.parametrize("system", [None, *SYSTEMS])
def test_all_letters_and_one_width_for_all(system: str | None) -> None:
    board = screen(system)
    shown = {board.code([color]) for color in range(26)}
    assert len(shown) == 26
    for color in [*range(26), HOLE]:
        text = ESCAPE.sub("", board.code([color]))
        assert str(Code([color])) in text
        assert len(text) == (1 if system is None else 3)
        assert ESCAPE.sub("", board.compact([color])) == str(Code([color]))
        if system is None:
            assert "\x1b" not in board.code([color])


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT])
def test_no_letter_vanishes_where_colors_are_few(system: ColorSystem) -> None:
    for peg in PEGS:
        fill, ink = (Color.parse(color).downgrade(system) for color in (peg.fill, peg.ink))
        assert fill.number != ink.number, peg.name
        if peg.ring:
            ring = Color.parse(peg.ring).downgrade(system)
            assert ring.number != fill.number, peg.name


def test_turns_and_marks_line_up() -> None:
    board = screen(None)
    turn = Turn(Code([0, 1, HOLE, 3]), Mark(2, 1))
    assert board.turn(3, turn) == " 3.  A B . D   XXO "
    colored = screen("truecolor")
    assert ESCAPE.sub("", colored.turn(12, turn)) == "12.   A   B   .   D    XXO "
    assert board.mark(Mark(0), 4) == "-   "


def test_many_colors_stand_close_together() -> None:
    board = screen("truecolor")
    board.__dict__["width"] = 80
    assert len(ESCAPE.sub("", board.palette(Rules(4, 6)))) == 23
    assert ESCAPE.sub("", board.palette(Rules(4, 26))) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def test_what_has_no_room_beside_goes_beneath(capsys: pytest.CaptureFixture[str]) -> None:
    board = screen("truecolor")
    shown = board.turn(1, Turn(Code([0, 1, 2, 3]), Mark(0, 1)))
    for width, lines in ((38, 1), (37, 2)):
        board.__dict__["width"] = width
        board.beside(shown, "152 left")
        said = ESCAPE.sub("", capsys.readouterr().out).splitlines()
        assert len(said) == lines
        assert max(map(len, said)) <= width
        assert "".join(said).split() == ["1.", *"ABCDO", "152", "left"]


def test_paragraphs_fit(capsys: pytest.CaptureFixture[str]) -> None:
    board = screen(None)
    board.__dict__["width"] = 30
    board.tell("  one two three four five six seven eight nine ten")
    assert capsys.readouterr().out == (
        "  one two three four five six\n      seven eight nine ten\n"
    )
    board.columns(["ABCD"] * 7)
    lines = capsys.readouterr().out.splitlines()
    assert [len(line) for line in lines] == [24 + 2 - 2, 18]
