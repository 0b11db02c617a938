"""What is to be told of a result, as blocks that terminal and site draw in their own ways.

A function of this package takes a result and returns a report. The terminal prints its blocks, the
site draws them by the macros of `blocks.html.j2`, and `Report.text` is what is shared. Words are in
the language that is spoken when the report is made; codes and marks stay what they are until they
are drawn.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, Literal, NamedTuple

from pegwise.errors import SignRow, write_sign
from pegwise.game import Code, Mark, PlacedMark, Turn
from pegwise.i18n import figure, translated


class Sentence(NamedTuple):
    """One sentence or several, in a paragraph.

    Attributes:
        text: the words; of a phrase, codes and marks are drawn in the notation of the interface.
        kind: `heading` begins a report, `title` a part of it; a `warning` stands out, a `note`
            explains.
        item: whether it is one of a list.
    """

    text: str
    kind: Literal["plain", "heading", "title", "warning", "note"] = "plain"
    item: bool = False


class Bars(NamedTuple):
    """A histogram as the cell of a table: a number for each bar, in order."""

    numbers: tuple[int, ...]


class Share(NamedTuple):
    """A share of a whole, from 0 to 1, which is drawn with a shade."""

    part: float

    @property
    def shade(self) -> int:
        """How dark it is drawn: from 1 to 5; 0 where it is nothing."""
        return math.ceil(5 * self.part)


Cell = str | Code | Mark | PlacedMark | SignRow | Bars | Share
"""A text, a code or a mark, several in a row, bars, or a share."""

NONE: Final = "·"
"""The cell of a count of 0."""


class Head(NamedTuple):
    """The head of a column.

    Attributes:
        text: its words; a line break is a line of the head.
        kind: how cells are aligned: `number` at the right, others at the left; the last column
            may be `prose`, which goes on in further lines.
        spare: 0 if the column always stands; else columns are left out where there is no room,
            the largest number first.
    """

    text: str
    kind: Literal["text", "number", "bars", "prose"] = "text"
    spare: int = 0


class Table(NamedTuple):
    """Rows of cells below heads.

    Attributes:
        heads: of the columns.
        rows: as many cells each as there are heads.
        caption: what the table shows; "" for nothing.
        lead: how many first columns name a row: where there is no room for the table, a row is
            these cells, and a paragraph of heads and cells.
        lines: each row in words, for texts; if empty, heads and cells.
        divided: whether, where there is no room, the columns after the first ones stand in several
            tables.
        grouped: whether a row does not repeat the first cells that the row above has as well.
        indented: whether it stands below a sentence that it belongs to.
        best: the row that stands out; None for none.
    """

    heads: tuple[Head, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    lead: int = 1
    lines: tuple[str, ...] = ()
    divided: bool = False
    grouped: bool = False
    indented: bool = False
    best: int | None = None

    def shown(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows as they are drawn: without what a grouped table does not repeat."""
        if not self.grouped:
            return self.rows
        rows = []
        for above, row in zip([(), *self.rows], self.rows, strict=False):
            pairs = zip(above, row, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            rows.append(("",) * same + row[same:])
        return tuple(rows)


@dataclass(frozen=True, slots=True)
class CodeList:
    """Some of a number of codes.

    Attributes:
        codes: those that are shown.
        count: how many there are.
        more: the words for the others; "" for none. Of a phrase, what to type at the command line
            is its value `advice`, which others leave out.
    """

    codes: tuple[Any, ...]
    count: int
    more: str = ""


class TurnList(NamedTuple):
    """The turns of a game, numbered from 1."""

    turns: tuple[Turn, ...]


class Item(NamedTuple):
    """A step or a name, and the sentences or items that stand below it."""

    text: str
    below: tuple[str | Item, ...] = ()


class Items(NamedTuple):
    """A list of steps, which are numbered, or of names that are explained.

    Attributes:
        items: in order.
        first: the number of the first; None if they are not numbered.
    """

    items: tuple[Item, ...]
    first: int | None = None


Block = Sentence | Table | CodeList | TurnList | Items


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be told of a result, in order."""

    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> Report:
        """A report of these blocks."""
        return cls(tuple(blocks))

    def text(self, write: Callable[[Any], str] = str, *, aligned: bool = False) -> str:
        """The report as plain text to share, without notes and warnings.

        `write` writes codes and marks. Tables that are `aligned` have columns; else each row is a
        line of words.
        """
        paragraphs: list[list[str]] = [[]]
        below_title = False
        for block in self.blocks:
            lines = [*_lines(block, write, aligned=aligned)]
            is_table, is_title = isinstance(block, Table), _is_title(block)
            if lines and (is_title or (is_table and not below_title)):
                paragraphs.append([])
            paragraphs[-1] += lines
            if lines and is_table:
                paragraphs.append([])
            below_title = is_title
        return "\n\n".join("\n".join(lines) for lines in paragraphs if lines) + "\n"


def _is_title(block: Block) -> bool:
    return isinstance(block, Sentence) and block.kind == "title"


def _lines(block: Block, write: Callable[[Any], str], *, aligned: bool) -> Iterable[str]:
    """The lines of a block in plain text."""
    if isinstance(block, Sentence):
        if block.kind not in ("note", "warning"):
            yield ("  " if block.item else "") + translated(block.text)
    elif isinstance(block, CodeList):
        yield " ".join(map(write, block.codes)) + (
            f" {translated(block.more)}" if block.more else ""
        )
    elif isinstance(block, TurnList):
        for number, (guess, mark) in enumerate(block.turns, 1):
            yield f"{number}. {write(guess)} {write(mark)}"
    elif isinstance(block, Items):
        for number, item in enumerate(block.items, block.first or 1):
            sign = "" if block.first is None else f"{number}. "
            name, *below = _item_lines(item)
            yield from (f"{sign}{name}", *below)
    else:
        if block.caption:
            yield block.caption
        if aligned:
            yield from _aligned(block, write)
            return
        words = [*map(translated, block.lines)] or [
            named_cells(block, row, write) for row in block.rows
        ]
        for row, told in zip(block.rows, words, strict=True):
            lead = [cell_text(cell, write) for cell in row[: block.lead]]
            name = " ".join(f"{cell}." if cell.isdigit() else cell for cell in lead if cell)
            yield "; ".join(filter(None, (name, told)))


def _aligned(table: Table, write: Callable[[Any], str]) -> Iterable[str]:
    """A table in columns, without bars."""
    drawn = [k for k, head in enumerate(table.heads) if head.kind != "bars"]
    texts = [[row[k] for k in drawn] for row in table_texts(table, write)]
    words = [place for place, k in enumerate(drawn) if table.heads[k].kind != "number"]
    for line in align(texts, words):
        yield "  ".join(line).rstrip()


def _item_lines(item: Item) -> Iterable[str]:
    """The lines of an item in plain text, those below it indented."""
    yield translated(item.text)
    for each in item.below:
        lines = _item_lines(each) if isinstance(each, Item) else [translated(each)]
        yield from (f"  {line}" for line in lines)


def align(rows: Sequence[Sequence[str]], words: Sequence[int]) -> list[list[str]]:
    """Cells padded to the width of their columns: at the left for words, else at the right."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    padded = []
    for row in rows:
        spaces = [" " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)]
        pairs = enumerate(zip(row, spaces, strict=True))
        padded.append([cell + room if k in words else room + cell for k, (cell, room) in pairs])
    return padded


def columns(text: str) -> int:
    """How many columns a text takes; a disc takes two."""
    return len(text) + sum(unicodedata.east_asian_width(sign) == "W" for sign in text)


def cell_text(cell: Cell, write: Callable[[Any], str] = str) -> str:
    """A cell as plain text; bars are left out."""
    if isinstance(cell, Bars):
        return ""
    if isinstance(cell, Share):
        return _share(cell.part)
    return translated(cell, write=write) if isinstance(cell, str) else write_sign(cell, write)


def _share(part: float) -> str:
    """A share in percent; one that is not 0, or not 1, does not look like it."""
    if not 0 < part < 1:
        return figure(part, ".0%") if part else NONE
    if part < 0.0005:
        return "<" + figure(0.001, ".1%")
    return figure(min(part, 0.999), ".1%")


def named_cells(table: Table, row: Sequence[Cell], write: Callable[[Any], str] = str) -> str:
    """The cells after those that name a row, each with its head."""
    pairs = zip(table.heads[table.lead :], row[table.lead :], strict=True)
    texts = [(head.text.replace("\n", " "), cell_text(cell, write)) for head, cell in pairs]
    return ", ".join(f"{head} {text}".strip() for head, text in texts if text)


def heads(*texts: str, words: Sequence[int] = (0,)) -> tuple[Head, ...]:
    """Heads of columns of numbers, but for those of words."""
    return tuple(
        Head(text, "text" if number in words else "number") for number, text in enumerate(texts)
    )


def table_texts(table: Table, write: Callable[[Any], str] = str) -> list[list[str]]:
    """The texts of the heads, a line of them for each line of a head, and of the cells."""
    lines = [head.text.split("\n") for head in table.heads]
    height = max(map(len, lines))
    heads = [[*[""] * (height - len(each)), *each] for each in lines]
    rows = [[cell_text(cell, write) for cell in row] for row in table.rows]
    return [*map(list, zip(*heads, strict=True)), *rows]


def in_two_lines(text: str) -> str:
    """The text of a head, broken at the space that is nearest to its middle."""
    spaces = [place for place, sign in enumerate(text) if sign == " "]
    if not spaces:
        return text
    middle = min(spaces, key=lambda place: abs(2 * place - len(text)))
    return f"{text[:middle]}\n{text[middle + 1 :]}"


def expected_codes(number: float) -> str:
    """How many codes can be expected to stay possible, as a table has it."""
    return figure(number, ",.0f" if number >= 1000 else ".1f")


def sign_cell(sign: Any) -> Cell:
    """A code or a mark as a cell; what another game has, as it prints itself."""
    return sign if isinstance(sign, Code | Mark | PlacedMark) else str(sign)
