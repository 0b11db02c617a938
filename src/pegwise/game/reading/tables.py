"""Tables of turns: columns under heads, in Markdown, or as a spreadsheet writes them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Final

from pegwise.game.signs import unaccented

_HEADS: Final = {
    "guess": "guess code proposition essai combinaison mot word",
    "mark": "mark feedback marque reponse answer result resultat score response hint",
    "black": "black blacks noir noirs noires bulls bull correct exact exacts hits "
    "strikes bien bp rouge rouges red reds",
    "white": "white whites blanc blancs blanches cows cow misplaced partial partials blows balls "
    "mal mp",
}
_COLUMN: Final = {word: name for name, words in _HEADS.items() for word in words.split()}

_QUOTED: Final = re.compile(r'"[^"]*"(?:[\t;,](?:"[^"]*"|[^"\t;,]*))+')
"""Cells of a table of which some are quoted."""


def unquoted_cells(line: str) -> str:
    """A line of cells of which some are quoted, set apart by tabs; any other line as it is."""
    if not _QUOTED.fullmatch(line):
        return line
    sign = next(sign for sign in "\t;," if sign in re.sub('"[^"]*"', "", line))
    return "\t".join(cells_of(line, sign))


_PEG_HEAD: Final = re.compile(
    r"(?:p|pos|peg|pion|place|position|couleur|colou?r|c|case|trou|hole)\s?([0-9]{1,2})"
)
_HEAD_PAIRS: Final = (("n", "b"), ("a", "b"), ("b", "c"), ("b", "w"), ("r", "w"), ("r", "b"))
"""Heads of a letter, of the black and of the white marks."""

_DECIMAL: Final = re.compile(r"([0-9]{1,2})[.,]0{1,3}")
"""A whole number as a spreadsheet may write it."""


def heads_of(cells: Iterable[str]) -> list[str | None]:
    """What the columns of a table are: guess, mark, black, white, peg, or something else."""
    names = [unaccented(cell).strip(" .#=:") for cell in cells]
    heads = [*map(_COLUMN.get, names)]
    for black, white in _HEAD_PAIRS:
        if names.count(white) == 1 and black in names:
            at = len(names) - 1 - names[::-1].index(black)
            heads[at], heads[names.index(white)] = "black", "white"
            break
    numbers = [(at, _PEG_HEAD.fullmatch(name)) for at, name in enumerate(names)]
    pegs = [at for at, number in numbers if heads[at] is None and number]
    counted = [int(number[1]) for at, number in numbers if at in pegs and number]
    if len(pegs) > 1 and counted == [*range(1, len(pegs) + 1)]:
        heads = ["peg" if at in pegs else None if h == "guess" else h for at, h in enumerate(heads)]
    return heads


def table_turns(text: str) -> list[tuple[int, str, str, str]] | None:
    """Line, its text, guess and mark of the rows below heads; None where the text has no heads."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2:
        return None
    sign = next((sign for sign in "|\t;," if sign in lines[0][1]), " ")
    rows = [(n, line, cells_of(line, sign)) for n, line in lines[1:] if set(line) - set("|-: +")]
    heads = heads_of(cells_of(lines[0][1], sign))
    if heads.count("guess") == 2:  # the number of the guess, and the guess
        at = heads.index("guess")
        if all(cells[at : at + 1] == [str(n)] for n, (*_, cells) in enumerate(rows, 1)):
            heads[at] = None
    if sign == " " and heads.count(None) > 1:  # a turn in words: `Guess 1: red green 2 white`
        return None
    guesses = heads.count("guess") + min(heads.count("peg"), 1)
    if guesses != 1 or not {"mark", "black"} & set(heads):
        return None
    return [(number, line, *_turn_of(heads, cells)) for number, line, cells in rows]


def _turn_of(heads: list[str | None], cells: list[str]) -> tuple[str, str]:
    """The guess and the mark of a row."""
    row: dict[str, str] = {}
    both = {"black", "white"} <= set(heads)
    for head, cell in zip(heads, cells, strict=False):
        if head == "peg":
            row["guess"] = f"{row.get('guess', '')} {cell}".strip()
        elif head:
            decimal = _DECIMAL.fullmatch(cell) if both else None
            row.setdefault(head, decimal[1] if decimal else cell)
    mark = row.get("mark") or _counts_text(row.get("black"), row.get("white"))
    return row.get("guess", ""), mark


def _counts_text(black: str | None, white: str | None) -> str:
    """The counts of two columns as a mark; one that has no number is not noted."""
    if not black:
        return ""
    return f"{black} {white or '?'}"


def cells_of(line: str, sign: str) -> list[str]:
    """The cells of a line of a table whose columns a sign sets apart."""
    if sign == "|":
        cells = line.strip().strip("|").split(sign)
    elif sign == " ":
        return line.split()
    else:
        try:
            cells = next(csv.reader([line], delimiter=sign, skipinitialspace=True), [])
        except csv.Error:  # of a carriage return within, or a cell of enormous size
            cells = line.split(sign)
    return [cell.strip().strip("\"'") for cell in cells]
