"""Tables of turns: columns under heads, in Markdown, HTML, or of a spreadsheet; and JSON."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game.signs import unaccented
from pegwise.reading.vocabulary import HEADS


class TurnTable(NamedTuple):
    """The rows of a table: line, guess and mark; and what of it is not read."""

    rows: list[tuple[int, str, str]]
    told: list[Phrase]


_TAGS: Final = ((r"\s+", " "), ("<tr", "\n<"), ("<t[dh]", " | <"), ("<[^>]*>", " "))
"""Tags of HTML, and what stands for them in Markdown."""


def html_lines(text: str) -> str:
    """A table of HTML as one of Markdown; any other text as it is."""
    if "<td" not in text.lower():
        return text
    for tag, sign in _TAGS:
        text = re.sub(tag, sign, text, flags=re.IGNORECASE)
    import html  # which few texts need

    return html.unescape(text)


_QUOTED: Final = r'"[^"]*"(?:[\t;,](?:"[^"]*"|[^"\t;,]*))+'
"""Cells of a table of which some are quoted."""


def unquoted_cells(line: str) -> str:
    """A line of cells of which some are quoted, set apart by tabs; any other line as it is."""
    if not re.fullmatch(_QUOTED, line):
        return line
    sign = next(sign for sign in "\t;," if sign in re.sub('"[^"]*"', "", line))
    return "\t".join(cells_of(line, sign))


_PEG_HEAD: Final = (
    r"(?:p|pos|peg|pion|place|position|couleur|colou?r|c|case|trou|hole)\s?([0-9]{1,2})"
)
_HEAD_PAIRS: Final = (("n", "b"), ("a", "b"), ("b", "c"), ("b", "w"), ("r", "w"), ("r", "b"))
"""Heads of a letter, of the black and of the white marks."""

_DECIMAL: Final = r"([0-9]{1,2})[.,]0{1,3}"
"""A whole number as a spreadsheet may write it."""


def heads_of(cells: Iterable[str]) -> list[str | None]:
    """What the columns of a table are: guess, mark, black, white, peg, or something else."""
    names = [re.sub(r"(?<=[a-z])_?[Pp]egs?$|[_-]", " ", cell).strip() for cell in cells]
    names = [unaccented(name).strip(" .#=:") for name in names]
    heads = [*map(HEADS.get, names)]
    if {"hits", "bulls"} <= {*names}:
        heads[names.index("hits")] = "white"
    if "correct" in names and {"position", "right place", "exact"} & {*names}:
        heads[names.index("correct")] = "total"
    for black, white in _HEAD_PAIRS:
        if names.count(white) == 1 and black in names:
            at = len(names) - 1 - names[::-1].index(black)
            heads[at], heads[names.index(white)] = "black", "white"
            break
    numbers = [(at, re.fullmatch(_PEG_HEAD, name)) for at, name in enumerate(names)]
    pegs = [at for at, number in numbers if heads[at] is None and number]
    counted = [int(number[1]) for at, number in numbers if at in pegs and number]
    if len(pegs) > 1 and counted == [*range(1, len(pegs) + 1)]:
        heads = ["peg" if at in pegs else None if h == "guess" else h for at, h in enumerate(heads)]
    return heads


def table_of(text: str) -> TurnTable | None:
    """The rows below heads; None where the text has no heads."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2:
        return None
    sign = next((sign for sign in "|\t;," if sign in lines[0][1]), " ")
    rows = [(n, line, cells_of(line, sign)) for n, line in lines[1:] if set(line) - set("|-: +")]
    names = cells_of(lines[0][1], sign)
    heads = heads_of(names)
    apart = "guess" in heads and (sign != " " or None not in heads)
    if not apart and (words := _heads_in(lines[0][1])):  # of several words each
        names, heads = words, heads_of(words)
        rows = [(n, line, re.split(r"[\s,;|]+", line.strip(" |"))) for n, line, _ in rows]
    if heads.count("guess") == 2:  # the number of the guess, and the guess
        at = heads.index("guess")
        if all(cells[at : at + 1] == [str(n)] for n, (*_, cells) in enumerate(rows, 1)):
            heads[at] = None
    if sign == " " and heads.count(None) > 1:  # a turn in words: `Guess 1: red green 2 white`
        return None
    guesses = heads.count("guess") + min(heads.count("peg"), 1)
    counts = {"black", "white", "total"} & {*heads}
    if guesses != 1 or not ("mark" in heads or "black" in counts or counts == {"white", "total"}):
        return None
    told = [
        Phrase("the column {name} is left out", name=quoted(name))
        for at, (name, head) in enumerate(zip(names, heads, strict=True))
        if head is None and name and not _counts_rows([cells[at : at + 1] for *_, cells in rows])
    ]
    return TurnTable([(number, *_turn_of(heads, cells)) for number, _, cells in rows], told)


def _heads_in(line: str) -> list[str]:
    """The heads of a line in which blanks set apart both heads and their words; none for others."""
    words, names = re.split(r"[\s,;|]+", line.strip()), []
    while words:
        size = next((n for n in (3, 2, 1) if heads_of([" ".join(words[:n])])[0]), 0)
        if not size:
            return []
        names.append(" ".join(words[:size]))
        words = words[size:]
    return names


def _counts_rows(column: list[list[str]]) -> bool:
    """Whether the cells of a column are the numbers of the rows."""
    return [cell[0].rstrip(".") if cell else "" for cell in column] == [
        str(number) for number in range(1, len(column) + 1)
    ]


def _turn_of(heads: list[str | None], cells: list[str]) -> tuple[str, str]:
    """The guess and the mark of a row."""
    row: dict[str, str] = {}
    both = len({"black", "white", "total"} & set(heads)) > 1
    for head, cell in zip(heads, cells, strict=False):
        if head == "peg":
            row["guess"] = f"{row.get('guess', '')} {cell}".strip()
        elif head:
            decimal = re.fullmatch(_DECIMAL, cell) if both else None
            row.setdefault(head, decimal[1] if decimal else cell)
    mark = row.get("mark") or _counts_text(row.get("black"), row.get("white"), row.get("total"))
    return row.get("guess", ""), mark


def _counts_text(black: str | None, white: str | None, total: str | None) -> str:
    """The counts of two columns as a mark; one that has no number is not noted."""
    if total and not (black and white):
        counts = [int(text) for text in (total, black or white or "") if text.isdecimal()]
        if len(counts) == 2 and counts[0] >= counts[1]:
            rest = counts[0] - counts[1]
            return f"{black}b{rest}w" if black else f"{rest}b{white}w"
        return f"={total}" if not (black or white) else f"{black or white} of {total}"
    if not black:
        return ""
    if white and black.isdecimal() and white.isdecimal():
        return f"{black}b{white}w"
    return f"{black} {white or '?'}"


def cells_of(line: str, sign: str) -> list[str]:
    """The cells of a line of a table whose columns a sign sets apart; quotes may surround one."""
    if sign == " ":
        return line.split()
    if sign == "|":
        line = line.strip().strip("|")
    cells = re.findall(rf'(?:^|[{sign}])(\s*"[^"]*"\s*(?=[{sign}]|$)|[^{sign}]*)', line)
    return [cell.strip().strip("\"'") for cell in cells]


# JSON


def json_of(text: str) -> Any:
    """The document, also one with the signs of Python, such as pairs in round brackets.

    None for a text that is none.
    """
    if not text.lstrip().startswith(("[", "{")):
        return None
    for read in (json.loads, ast.literal_eval):
        with (
            warnings.catch_warnings(action="ignore"),
            suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError),
        ):
            return json.loads(json.dumps(read(text)))
    lines = [line for line in text.split("\n") if line.strip()]
    with suppress(ValueError, RecursionError):
        return [json.loads(line) for line in lines] if len(lines) > 1 else None
    return None


_MARK_LISTS: Final = ("marks", "feedback", "answers", "responses", "results")
"""Keys of marks that stand in a list of their own, beside the one of the guesses."""


def json_turns(document: Any, fields: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Turns of a document: lists of guess and mark, objects, or texts; `fields` are no guesses."""
    turns = document
    if isinstance(document, dict):
        turns = next((document[k] for k in ("turns", "history", "guesses") if k in document), None)
        marks = next((document[k] for k in _MARK_LISTS if k in document), None)
        if isinstance(turns, list) and isinstance(marks, list) and len(turns) == len(marks):
            turns = [[*pair] for pair in zip(turns, marks, strict=True)]
        elif turns is None and not {*document} & {*fields}:
            turns = [[*pair] for pair in document.items()] or None
    if isinstance(turns, list) and [*map(type, turns)] in ([str, int], [str, int, int]):
        turns = [turns]  # `["AABB", 1, 0]`
    if not isinstance(turns, list):
        raise InputError("this JSON holds no turns: give a list of them, such as [['AABB', 'XO']]")
    for number, turn in enumerate(turns, 1):
        guess, mark = "", ""
        if isinstance(turn, list) and len(turn) in (2, 3):
            guess, mark = _json_text(turn[0]), _json_text(turn[1] if len(turn) == 2 else turn[1:])
        elif isinstance(turn, dict):
            guess, mark = _turn_of(heads_of(map(str, turn)), [*map(_json_text, turn.values())])
        if not isinstance(turn, str) and not (guess and mark):
            raise InputError("turn {n}, {turn}, has no guess and mark", n=number, turn=quoted(turn))
        yield (turn, None) if isinstance(turn, str) else (guess, mark)


def _json_text(value: Any) -> str:
    """A guess or a mark as text; empty for what is none."""
    if isinstance(value, list) and len(value) == 2 and value[1] is None:
        value = [value[0], "?"]
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        value = [next(reversed(v.values()), None) for v in value]  # a result for each letter
    if isinstance(value, list) and value and all(isinstance(v, str | int) for v in value):
        return " ".join(map(str, value))
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
