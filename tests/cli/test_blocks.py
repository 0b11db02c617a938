"""Blocks of a report as the terminal prints them, at several widths."""

from __future__ import annotations

import pytest

from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.game import game_of
from pegwise.reading.history import check_turns
from pegwise.telling.blocks import (
    NONE,
    Bars,
    Block,
    Head,
    Item,
    Items,
    Report,
    Sentence,
    Table,
    TurnList,
)

PROSE = "a sentence of several words, which goes on in further lines where it has to"
WITH_PROSE = Table(
    (Head("name"), Head("n", "number"), Head("about", "prose")), (("one", "7", PROSE),)
)


@pytest.fixture(params=[30, 60, 120])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def printed(block: Block, capsys: pytest.CaptureFixture[str]) -> list[str]:
    show([block], Screen())
    return capsys.readouterr().out.splitlines()


def test_prose_goes_on_below_itself_or_below_its_row(
    width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    head, first, *rest = printed(WITH_PROSE, capsys)
    assert head.split() == ["name", "n", "about"]
    assert " ".join(" ".join([first, *rest]).split()) == f"one 7 {PROSE}"
    assert max(map(len, [first, *rest])) <= width
    starts = {len(line) - len(line.lstrip()) for line in rest}
    assert starts == {30: {4}, 60: {9}, 120: set()}[width]


def test_items_are_numbered_or_stand_above_what_explains_them(
    width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    names = Items((Item("name", (PROSE, Item("option", ("values",)))),))
    lines = printed(names, capsys)
    assert lines[0] == "name"
    assert lines[-2:] == ["  option", "    values"]
    assert max(map(len, lines)) <= width
    steps = Items((Item("Why.", ("because",)), Item("So.")), first=3)
    assert printed(steps, capsys) == ["  3. Why.", "      because", "  4. So."]
    assert Report((steps,)).text() == "3. Why.\n  because\n4. So.\n"


def test_turns_are_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    turns = TurnList(check_turns("AABB=XO CCDD=-", game_of("4x6")))
    assert [line.split() for line in printed(turns, capsys)] == [
        ["1.", *"AABB", "XO"],
        ["2.", *"CCDD", "-"],
    ]
    assert Report((turns,)).text() == "1. AABB XO\n2. CCDD -\n"


def test_a_title_stands_apart_from_what_is_above_it(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table((Head("name"), Head("n", "number")), (("one", "7"),))
    title = Sentence("Part", "title")
    blocks: list[Block] = [Sentence("4x6", "heading"), title, table, Sentence("end")]
    show(blocks, Screen())
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["4x6", "", "Part", "name  n", "one   7", "end"]
    assert Report.of(blocks).text() == "4x6\n\nPart\none; n 7\n\nend\n"


LONG = "a name that takes more than half of the room"


@pytest.mark.parametrize("name", ["name", LONG])
def test_a_table_is_divided_where_it_does_not_fit(
    name: str, width: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """No name is broken and no cell is lost; rows without cells stay out of further tables."""
    numbers = range(1, 13)
    heads = (Head("strategy"), *(Head(str(k), "number") for k in numbers))
    rows = ((name, *(str(1000 + k) for k in numbers)), ("few", "7", *[NONE] * 11))
    lines = printed(Table(heads, rows, divided=True), capsys)
    assert max(map(len, lines)) <= max(width, len(name))
    tables = sum(line.startswith("strategy") for line in lines)
    assert (tables > 1) == (width < 60 + len(name))
    assert sum(line.startswith(name) for line in lines) == tables
    assert sum(line.startswith("few") for line in lines) == 1
    cells = " ".join(lines).split()
    assert [cell for cell in cells if len(cell) == 4 and cell.isdigit()] == [
        str(1000 + k) for k in numbers
    ]


def test_columns_go_before_the_gaps_between_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = (Head("name"), Head("time", "number", 2), Head("bars", "bars", 1), Head("n", "number"))
    table = Table(heads, (("first", "10 ms", Bars((1, 8)), "7"),), best=0)
    shown = {}
    for columns in (30, 17, 8, 7, 6):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown[columns] = printed(table, capsys)
    assert shown[30] == ["name    time  bars  n", "first  10 ms  ▁█    7"]
    assert shown[17] == ["name   bars  n", "first  ▁█    7"]
    assert shown[8] == ["name   n", "first  7"]
    assert shown[7] == ["name  n", "first 7"]
    assert shown[6][0] == "first"  # rows as paragraphs, which have room for every cell
    assert "10ms" in "".join("".join(shown[6]).split())
