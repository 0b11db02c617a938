"""Tables of turns: columns under heads, in Markdown, HTML, or of a spreadsheet; and JSON."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game.signs import unaccented
from pegwise.reading.vocabulary import HEAD_PAIRS, HEADS

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


def unquoted_cells(line: str) -> str:
    """A line of cells of which the first is quoted, set apart by tabs; any other as it is."""
    cell = re.match(r'"[^"]*"([\t;,])', line)
    return "\t".join(cells_of(line, cell[1])) if cell else line


def heads_of(cells: Iterable[str]) -> list[str | None]:
    """What the columns of a table are: guess, mark, black, white, peg, or something else."""
    names = [re.sub(r"(?<=[a-z])_?[Pp]egs?$|[_-]", " ", cell).strip() for cell in cells]
    names = [unaccented(name).strip(" .#=:") for name in names]
    heads = [*map(HEADS.get, names)]
    for black, other, kind in HEAD_PAIRS:
        if names.count(other) == 1 and black in names:
            at = len(names) - 1 - names[::-1].index(black)
            heads[at], heads[names.index(other)] = "black", kind
            break
    pegs = [at for at, name in enumerate(names) if re.fullmatch(r"[a-z]+\s?[0-9]{1,2}", name)]
    if len(pegs) > 1:  # `P1`, `P2`, and so on, where a guess is only numbered
        heads = ["peg" if at in pegs else None if h == "guess" else h for at, h in enumerate(heads)]
    return heads


def table_of(text: str) -> tuple[list[tuple[int, str, str]], list[Phrase]]:
    """The rows below heads: line, guess and mark; and what of them is not read."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2:
        return [], []
    sign = next((sign for sign in "|\t;," if sign in lines[0][1]), " ")
    rows = [(n, cells_of(line, sign)) for n, line in lines[1:] if set(line) - set("|-: +")]
    names = cells_of(lines[0][1], sign)
    heads = heads_of(names)
    if sign == " " or not {"guess", "peg"} & {*heads}:  # of several words each
        names = _heads_in(lines[0][1])
        heads = heads_of(names)
        rows = [(n, re.split(r"[\s,;|]+", line.strip(" |"))) for n, line in lines[1:]]
    for at, head in enumerate(heads):
        numbers = [cells[at : at + 1] == [str(n)] for n, (_, cells) in enumerate(rows, 1)]
        if all(numbers) and (head is None or heads.count("guess") > 1):
            heads[at] = "number"
    guesses = heads.count("guess") + min(heads.count("peg"), 1)
    counts = {"black", "white", "total"} & {*heads}
    if guesses != 1 or not ("mark" in heads or "black" in counts or counts == {"white", "total"}):
        return [], []
    told = [
        Phrase("the column {name} is left out", name=quoted(name))
        for name, head in zip(names, heads, strict=True)
        if head is None and name
    ]
    return [(number, *_turn_of(heads, cells)) for number, cells in rows], told


_HEAD: Final = "|".join(sorted(map(re.escape, HEADS), key=len, reverse=True))
_HEADS: Final = re.compile(rf"(?<![^\s,;|])(?:{_HEAD})(?![^\s,;|.:#=])")


def _heads_in(line: str) -> list[str]:
    """The heads of a line in which blanks set apart both heads and their words; none for others."""
    words = unaccented(re.sub("[_-]", " ", line))
    return [] if _HEADS.sub("", words).strip(" \t,;|.:#=") else _HEADS.findall(words)


def _turn_of(heads: list[str | None], cells: list[str]) -> tuple[str, str]:
    """The guess and the mark of a row."""
    row: dict[str, str] = {}
    for head, cell in zip(heads, cells, strict=False):
        if head == "peg":
            row["guess"] = f"{row.get('guess', '')} {cell}".strip()
        elif head:
            row.setdefault(head, cell if head in ("guess", "mark") else re.sub("[.,]0+$", "", cell))
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


def _json_of(text: str) -> Any:
    """The document, also one with the signs of Python, such as pairs in round brackets.

    None for a text that is none.
    """
    if not text.lstrip().startswith(("[", "{")):
        return None
    lines = ",".join(filter(str.strip, text.split("\n")))
    for read, source in ((json.loads, text), (ast.literal_eval, text), (json.loads, f"[{lines}]")):
        with (
            warnings.catch_warnings(action="ignore"),
            suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError),
        ):
            return json.loads(json.dumps(read(source)))
    return None


_MARK_LISTS: Final = ("marks", "feedback", "answers", "responses", "results")
"""Keys of marks that stand in a list of their own, beside the one of the guesses."""


def json_lines(text: str, fields: Sequence[str]) -> str:
    """Turns in JSON as lines, below heads where they are objects, and their `fields`.

    Any other text as it is. InputError for JSON that holds no turns.
    """
    if (document := _json_of(text)) is None:
        return text
    lines, turns = [], document
    if isinstance(document, dict):
        values = ((name, document.get(name)) for name in fields)
        texts = (
            (k, ",".join(map(str, v)) if isinstance(v, list) else _json_text(v)) for k, v in values
        )
        lines = [f"{name}: {text}" for name, text in texts if text]
        turns = next((document[k] for k in ("turns", "history", "guesses") if k in document), None)
        marks = next((document[k] for k in _MARK_LISTS if k in document), None)
        if isinstance(turns, list) and isinstance(marks, list) and len(turns) == len(marks):
            turns = [*map(list, zip(turns, marks, strict=True))]
        elif turns is None and not lines:
            turns = [*map(list, document.items())] or None
    if not isinstance(turns, list):
        raise InputError("this JSON holds no turns: give a list of them, such as [['AABB', 'XO']]")
    if [*map(type, turns)] in ([str, int], [str, int, int]):
        turns = [turns]  # `["AABB", 1, 0]`
    if all(isinstance(turn, str) for turn in turns):
        return "\n".join([*lines, *turns])
    rows = []
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, list) and len(turn) in (2, 3):
            rows.append({"guess": turn[0], "mark": turn[1] if len(turn) == 2 else turn[1:]})
        elif isinstance(turn, dict) and turn:
            rows.append(turn)
        else:
            raise InputError("turn {n}, {turn}, has no guess and mark", n=number, turn=quoted(turn))
    heads = [*dict.fromkeys(name for row in rows for name in row)]
    cells = ([" ".join(_json_text(row.get(name)).split()) for name in heads] for row in rows)
    return "\n".join([*lines, *map("\t".join, (heads, *cells))])


def _json_text(value: Any) -> str:
    """A guess or a mark as text; empty for what is none."""
    if isinstance(value, list) and value:
        if value[1:] == [None]:
            value = [value[0], "?"]
        if all(isinstance(v, dict) for v in value):
            value = [next(reversed(v.values()), None) for v in value]  # a result for each letter
        return " ".join(map(str, value)) if all(isinstance(v, str | int) for v in value) else ""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
