"""Blocks of a report in the terminal, at any width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.terminal import READABLE, encodable
from pegwise.errors import SignRow
from pegwise.game import Code
from pegwise.i18n import tr, translated
from pegwise.telling.blocks import (
    NONE,
    Bars,
    Block,
    Cell,
    CodeList,
    Item,
    Items,
    Sentence,
    Share,
    Table,
    TurnList,
    align,
    cell_text,
    columns,
    named_cells,
    table_texts,
)

_GAP: Final = 2  # columns between those of a table; where there is little room, 1
_LINE: Final = 80  # columns of codes
_MOST_BARS: Final = 24  # columns
_FEWEST_BARS: Final = 5  # columns
_FEWEST_WORDS: Final = 8  # columns of a text that is cut
_LEAST_PROSE: Final = 24  # columns; prose in fewer is hard to read
_BARS: Final = "▁▂▃▄▅▆▇█"
_SHADES: Final = ("dim", "", "", "bold", "bold", "bold green")  # of shares, by how large they are
_PLAIN_BARS: Final = "_.-:=+*#"


def show(blocks: Iterable[Block], screen: Screen) -> None:
    """Print blocks; titles stand apart, and tables and steps that no sentence introduces."""
    above: Block | None = None
    for block in blocks:
        introduced = isinstance(above, Sentence) and above.kind in ("plain", "title")
        listed = isinstance(block, Table) or (
            isinstance(block, Items) and isinstance(above, TurnList)
        )
        is_title = isinstance(block, Sentence) and block.kind == "title"
        if above is not None and (is_title or (listed and not introduced)):
            screen.say()
        above = block
        if isinstance(block, Sentence):
            _show_sentence(block, screen)
        elif isinstance(block, CodeList):
            _show_codes(block, screen)
        elif isinstance(block, TurnList):
            for k, turn in enumerate(block.turns, 1):
                screen.say(screen.turn(k, turn))
        elif isinstance(block, Items):
            _show_items(block, screen)
        else:
            show_table(block, screen)


def _is_title(block: Block) -> bool:
    return isinstance(block, Sentence) and block.kind == "title"


def _show_sentence(sentence: Sentence, screen: Screen) -> None:
    style = {"title": "bold", "warning": "bold", "note": "dim"}.get(sentence.kind, "")
    write = screen.apart if sentence.kind == "heading" else None
    screen.tell(("  " if sentence.item else "") + translated(sentence.text, write=write), style)


def _show_codes(block: CodeList, screen: Screen) -> None:
    """Show codes in lines, as many in each as fit."""
    texts = [screen.write_sign(code) for code in block.codes]
    width = min(screen.width, _LINE)
    row = max(1, (width + 1) // (max(map(columns, texts), default=0) + 1))
    for start in range(0, len(texts), row):
        screen.say(" ".join(texts[start : start + row]))
    if block.more:
        screen.say(block.more)


def _show_items(block: Items, screen: Screen) -> None:
    """Numbered steps with notes below them, or names with what explains them."""
    for number, item in enumerate(block.items, block.first or 1):
        if block.first is None:
            _show_item(item, screen)
        else:
            screen.tell(f"  {number}. {translated(item.text)}")
            for each in item.below:
                _show_item(each, screen, "      ", "dim")


def _show_item(item: Item | str, screen: Screen, indent: str = "", style: str = "") -> None:
    """A sentence, or a name and below it what explains it, indented."""
    text, below = (item.text, item.below) if isinstance(item, Item) else (item, ())
    if isinstance(item, Item):
        style = "bold"
    width = min(screen.width, READABLE)
    for line in click.wrap_text(translated(text), width, indent, indent).splitlines():
        screen.say(indent + screen.paint(line.removeprefix(indent), style))
    for each in below:
        _show_item(each, screen, f"{indent}  ")


def show_table(table: Table, screen: Screen) -> None:
    """Print a table; where there is no room for it, fewer columns, several tables, or paragraphs.

    Columns that can be spared go first, then what is between columns. Bars and prose take the room
    that is free. Of several tables, names that take half of the room stand above their rows.
    """
    if table.caption:
        screen.tell(table.caption)
    table = whole = table._replace(rows=table.shown())
    while table.rows and _width(table, screen) > screen.width and (rest := _spared(table)):
        table = rest
    table = _cut(table, screen)
    fits = _width(table, screen, gap=1) <= screen.width
    if fits or (_has_prose(table) and _is_narrow(table, screen)):
        _print(table, screen)
    elif table.divided:
        above = _width(_nameless(table), screen) + screen.width // 2 < _width(table, screen)
        for part in _divided(table, screen, above=above):
            _print(part, screen, above=above)
    else:
        for row in whole.rows:
            screen.say(_name(row[: whole.lead], screen))
            screen.tell("     " + named_cells(whole, row, screen.write_sign))


def spark(numbers: Sequence[int], most: int, room: int, bars: str = _BARS) -> str:
    """Numbers from the first to number `most` as a line of bars; a dot for 0.

    Neighbours share a bar where there is no room for all.
    """
    wide = -(-most // room)
    counts = [*numbers, *[0] * (most - len(numbers))]
    bins = [sum(counts[k : k + wide]) for k in range(0, most, wide)]
    top = max(bins)
    return "".join(bars[(len(bars) * n - 1) // top] if n else NONE for n in bins)


def _width(table: Table, screen: Screen, gap: int = _GAP) -> int:
    """How many columns a table takes, with as few bars and as narrow prose as can be."""
    texts = table_texts(table, screen.write_sign)
    widths = [max(map(columns, each)) for each in zip(*texts, strict=True)]
    if _has_prose(table):
        widths[-1] = min(widths[-1], _LEAST_PROSE)
    kinds = [head.kind for head in table.heads]
    widths = [
        max(width, _FEWEST_BARS) if kind == "bars" else width
        for width, kind in zip(widths, kinds, strict=True)
    ]
    return sum(widths) + gap * (len(widths) - 1)


def _spared(table: Table) -> Table | None:
    """The table without the columns that are spared first; None where all must stay."""
    most = max(head.spare for head in table.heads)
    if not most:
        return None
    stay = [k for k, head in enumerate(table.heads) if head.spare < most]
    rows = tuple(tuple(row[k] for k in stay) for row in table.rows)
    return table._replace(heads=tuple(table.heads[k] for k in stay), rows=rows)


def _cut(table: Table, screen: Screen) -> Table:
    """The table with as many words of the texts in its last column as there is room for."""
    over = _width(table, screen) - screen.width
    if over <= 0 or not table.rows or table.heads[-1].kind != "text":
        return table
    texts = [cell_text(row[-1], screen.write_sign) for row in table.rows]
    room = max(map(columns, texts)) - over
    if room < max(columns(table.heads[-1].text), _FEWEST_WORDS):
        return table
    rows = [
        (*row[:-1], row[-1] if columns(text) <= room else _first_words(text, room))
        for row, text in zip(table.rows, texts, strict=True)
    ]
    return table._replace(rows=tuple(rows))


def _first_words(text: str, room: int) -> str:
    """The first words of a text, as many as fit, and dots for the others."""
    words = text.split(" ")
    while columns(text) > room and len(words) > 1:
        words = words[: -1 - (words[-1] == "...")]
        text = " ".join([*words, "..."])
    return text


def _nameless(table: Table) -> Table:
    """The table with nothing in the first columns."""
    empty = ("",) * table.lead
    return table._replace(rows=tuple((*empty, *row[table.lead :]) for row in table.rows))


def _divided(table: Table, screen: Screen, *, above: bool) -> Iterable[Table]:
    """Tables that fit, each with the first columns and some of the others, without empty rows."""
    start, stop = table.lead, table.lead
    while start < len(table.heads):
        part = table
        while stop < len(table.heads):
            stay = [*range(table.lead), *range(start, stop + 1)]
            rows = tuple(tuple(row[k] for k in stay) for row in table.rows)
            wider = table._replace(heads=tuple(table.heads[k] for k in stay), rows=rows, best=None)
            shown = _nameless(wider) if above else wider
            if stop > start and _width(shown, screen, gap=1) > screen.width:
                break
            part, stop = wider, stop + 1
        filled = tuple(row for row in part.rows if set(row[table.lead :]) - {NONE, ""})
        yield part._replace(rows=filled)
        start = stop


def _print(table: Table, screen: Screen, *, above: bool = False) -> None:
    """Print a table that fits; the names of rows may stand above them."""
    names = [_name(row[: table.lead], screen) for row in table.rows] if above else []
    table = _with_bars(_nameless(table) if above else table, screen)
    words = [k for k, head in enumerate(table.heads) if head.kind != "number"]
    cells = table_texts(table, screen.write_sign)
    lines = align(cells, words)
    close = not _has_prose(table) and _width(table, screen) > screen.width
    margin, gap = "  " if table.indented else "", " " * (1 if close else _GAP)
    for line in lines[: len(cells) - len(table.rows)]:
        if head := _line(table, line, screen, gap):
            screen.say(margin + screen.paint(head, "dim"))
    for number, (row, line) in enumerate(zip(table.rows, lines[-len(table.rows) :], strict=True)):
        for k, cell in enumerate(row):
            if not isinstance(cell, str | Bars):
                # padded as plain text, for color takes no room
                line[k] = line[k].replace(
                    cell_text(cell, screen.write_sign), _painted(cell, screen)
                )
        if names:
            screen.say(names[number])
        text = margin + _line(table, line, screen, gap)
        screen.say(screen.paint(text, "bold green") if number == table.best else text)


def _has_prose(table: Table) -> bool:
    return table.heads[-1].kind == "prose"


def _is_narrow(table: Table, screen: Screen) -> bool:
    """Whether the columns but the last one fit, below which its prose may stand."""
    rows = tuple(row[:-1] for row in table.rows)
    return _width(table._replace(heads=table.heads[:-1], rows=rows), screen) <= screen.width


def _line(table: Table, cells: Sequence[str], screen: Screen, gap: str) -> str:
    """A line of cells; prose goes on below itself, or stands below where it has little room."""
    start, prose = gap.join([*cells[:-1], ""]), cells[-1].rstrip()
    line = f"{start}{prose}" if len(cells) > 1 else prose
    if not _has_prose(table) or columns(line.rstrip()) <= screen.width:
        return line.rstrip()
    if columns(start) + _LEAST_PROSE > screen.width:
        return start.rstrip() + "\n" + click.wrap_text(prose, screen.width, "    ", "    ")
    return click.wrap_text(prose, screen.width, start, " " * columns(start))


def _with_bars(table: Table, screen: Screen) -> Table:
    """The table with bars as text, as many as there is room for."""
    drawn = [k for k, head in enumerate(table.heads) if head.kind == "bars"]
    if not drawn or not table.rows:
        return table
    (column,) = drawn
    each = [row[column] for row in table.rows]
    most = max((len(cell.numbers) for cell in each if isinstance(cell, Bars)), default=1)
    free = screen.width - _width(table, screen) + _FEWEST_BARS
    room = max(_FEWEST_BARS, min(free, _MOST_BARS))
    wide = -(-most // room)
    note = "\n" + tr("by {n}", n=wide) if wide > 1 else ""
    signs = _BARS if encodable(f"{_BARS}{NONE}") else _PLAIN_BARS
    texts: list[Cell] = [
        spark(cell.numbers, most, room, signs) if isinstance(cell, Bars) else cell for cell in each
    ]
    heads, rows = list(table.heads), [list(row) for row in table.rows]
    heads[column] = heads[column]._replace(text=f"{heads[column].text}{note}", kind="text")
    for row, text in zip(rows, texts, strict=True):
        row[column] = text
    return table._replace(heads=tuple(heads), rows=tuple(map(tuple, rows)))


def _name(cells: Sequence[Cell], screen: Screen) -> str:
    """The cells that name a row: those of a turn as a turn is shown elsewhere."""
    texts = [
        screen.apart(cell) if isinstance(cell, Code) else cell_text(cell, screen.write_sign)
        for cell in cells
    ]
    number, *rest = texts
    return f"{number:>2}.  {'   '.join(rest)}" if number.isdigit() else "  ".join(texts)


def _painted(cell: Cell, screen: Screen) -> str:
    if isinstance(cell, SignRow):
        return " ".join(_painted(each, screen) for each in cell)
    if isinstance(cell, Share):
        return screen.paint(cell_text(cell), _SHADES[cell.shade])
    return screen.compact(cell) if isinstance(cell, Code) else cell_text(cell, screen.write_sign)
