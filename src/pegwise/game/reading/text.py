"""A text split into what is noted in it: rules and other fields, and guesses with their marks.

Turns stand in lines or between slashes or semicolons, in a table (Markdown, or columns with
heads), in JSON, or in sentences after a number (`682: one number is correct and well placed`).
Nothing is read yet: where a guess ends and its mark begins is left open.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from pegwise.errors import InputError, quoted
from pegwise.game.file import games_offered, names_file
from pegwise.game.named import NAMED
from pegwise.game.reading.marks import are_of_one_mark, counts_part
from pegwise.game.signs import plain, unaccented
from pegwise.game.words import find_words

FIELDS: Final = ("rules", "colors", "codebreaker", "codemaker", "seed", "secret", "result")
"""Lines that a record has besides its turns."""

_AHEAD: Final = re.compile(
    r"(?:[^\W\d]{2,}\s+)?(?:#[0-9]{1,3}\s?[.):]?|[0-9]{1,3}\s?[.):])\s+|[>*•\s]+"
)
"""Signs before a turn: its number, a bullet."""

_BETWEEN: Final = re.compile(r"(?:->|=>|[\s,;:=→⇒>|–—])+")
"""Signs between a guess and its mark, which may also stand within each of them."""

_BOARD: Final = re.compile(r"[0-9]+x[0-9]+.*|(?:" + "|".join(NAMED) + ")(?:,.*)?", re.IGNORECASE)
_SHARED: Final = re.compile(r"pegwise ([^\s:;]+?)(?:, \w+ ([\w.]+))?\s?:")
"""The head of a review as text, which is pasted too."""

_WORDLE: Final = re.compile(r"#?(?:wordle|le mot|sutom|motus)\b.*[0-9X]/[0-9].*", re.IGNORECASE)
"""The head line of a shared game."""

_ROW: Final = re.compile("(?:[🟩🟨⬜⬛🟧🟦🟫🟥🟡◼◻] ?){3,}")
"""Squares of a shared game, which hides its words."""

_MARK_AHEAD: Final = re.compile(rf"({_ROW.pattern})\s*[:=-]?\s*([^\W\d_]{{3,}})")
"""A row of squares with its word behind it."""

_SLASH: Final = re.compile(
    r"\s/(?![/+-])|(?<![/+-])/\s|(?<![0-9/+=-])/(?![/+-])|(?<![/+=-])/(?![0-9/+-])"
    r"|(?<=[0-9])/(?=[0-9]{3})"
)
"""A slash between turns; one between two short numbers, or among signs, belongs to a mark."""

_LOCK_WORDS: Final = re.compile(
    r"\b(correct\w*|placed?|places?|position|nothing|rien|place\w*|bons?|bonnes?|juste\w*"
    r"|right|wrong|faux|fausses|none|aucune?)\b"
)
_LOCK_DIGITS: Final = re.compile(r"\b(?:number|digit|chiffre|nombre)s?\b|[0789]")
"""Words that tell that a code has digits from 0 to 9."""

_LOCK_CODE: Final = re.compile(r"(?<![0-9])(?:[0-9]{3,}|[0-9](?:[ -][0-9]){2,})(?![0-9])")

_MOST_PIECE: Final = 250
_HEADS: Final = {
    "guess": "guess code proposition essai combinaison mot word",
    "mark": "mark feedback marque reponse answer result resultat score response hint",
    "black": "black blacks noir noirs noires bulls correct exact hits strikes bien b",
    "white": "white whites blanc blancs blanches cows misplaced partial blows balls mal w",
}
_COLUMN: Final = {word: name for name, words in _HEADS.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class NotedTurn:
    """A turn as it is noted: its line, its text, and where its guess may end.

    `halves` are texts of guess and mark, at least one pair.
    """

    line: int
    text: str
    halves: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Noted:
    """A game as a person has noted it.

    Attributes:
        fields: their texts, each with its line.
        turns: in order.
        lock: whether the marks are sentences on the digits of a number lock.
        shared: the game that the head of a shared result names; empty for none.
        rows: marks without their guesses, in rows of squares.
        last: the last line.
    """

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    turns: list[NotedTurn] = field(default_factory=list)
    lock: bool = False
    shared: str = ""
    rows: list[str] = field(default_factory=list)
    last: int = 1

    def add(self, line: int, text: str, halves: tuple[tuple[str, str], ...] = ()) -> None:
        """Note a turn."""
        self.turns.append(NotedTurn(line, text, halves or tuple(_halves(text))))


def noted(text: str) -> Noted:
    """The notes of a game in a text; an InputError for JSON that holds no turns."""
    notes = Noted()
    bare = plain(text)
    if bare.lstrip().startswith(("[", "{")) and (document := _json(bare)) is not None:
        _from_json(document, notes)
    elif not (_from_rows(bare, notes) or _from_sentences(bare, notes) or _from_table(bare, notes)):
        _from_lines(bare, notes)
    return notes


# Rows of squares


def _from_rows(text: str, notes: Noted) -> bool:
    """Rows of squares of one length, and nothing else than a head; whether the text is such."""
    lines = [bare_line(line) for line in text.split("\n")]
    heads = [bool(_WORDLE.fullmatch(line)) for line in lines]
    rows = [line for line, head in zip(lines, heads, strict=True) if line and not head]
    if not rows or not all(map(_ROW.fullmatch, rows)):
        return False
    notes.rows = ["".join(row.split()) for row in rows]
    notes.shared = "wordle" if any(heads) else ""
    return True


# Lines, and several turns in one


def bare_line(line: str) -> str:
    """A line as it is noted, without a frame of a table or signs that are not seen."""
    return line.strip("\ufeff\u200b \t\r|`")


def _from_lines(text: str, notes: Noted) -> None:
    alternating, waiting = _alternates(text), ""  # a guess whose mark is in the next line
    for number, line in enumerate(map(bare_line, text.split("\n")), 1):
        notes.last = number
        if shared := _SHARED.match(line):
            texts = zip(("rules", "secret"), shared.groups(), strict=True)
            notes.fields |= {name: (number, text) for name, text in texts if text}
            continue
        if _WORDLE.fullmatch(line):
            notes.shared = "wordle"
            continue
        if line.startswith("#") and not _AHEAD.match(line):
            continue
        name, value = field_of(line)
        if name == "rules" and names_file(value):  # its path has slashes
            notes.fields[name] = number, value
            continue
        for piece in _pieces(line):
            name, value = field_of(piece)
            if name in FIELDS:
                notes.fields[name] = number, value
            elif not notes.turns and _names_rules(piece):
                notes.fields["rules"] = number, piece
            else:
                ahead = _AHEAD.match(piece)
                piece = piece[ahead.end() :] if ahead else piece
                if waiting:
                    notes.add(number, f"{waiting} {piece}", ((waiting, piece),))
                    waiting = ""
                elif alternating:
                    waiting = piece
                else:
                    notes.add(number, piece)
    if waiting:
        notes.add(notes.last, waiting)


def _alternates(text: str) -> bool:
    """Whether guesses stand alone in their lines, and their marks in the lines that follow."""
    lines = [line for line in map(bare_line, text.split("\n")) if line]
    return len(lines) > 1 and len(lines) % 2 == 0 and not any(map(_BETWEEN.search, lines))


def _names_rules(piece: str) -> bool:
    """Whether a piece is rules: of a board, a game by name, or a list of words that is there."""
    if _BOARD.fullmatch(piece) or names_file(piece):
        return True
    name = piece.lower().partition(",")[0].partition("@")[0]
    return name in games_offered() or find_words(name) is not None


def _pieces(line: str) -> Iterator[str]:
    """Turns and fields of a line; remarks after a numbered turn are left out."""
    between = [turn for piece in _SLASH.split(line) for turn in _between_commas(piece)]
    for piece in _in_marks(map(str.strip, between), "/"):
        parts = _in_marks(map(str.strip, piece.split(";")), ";")
        heads = [(part, _AHEAD.match(part)) for part in parts]
        numbered = [part for part, head in heads if head and _BETWEEN.search(part, head.end())]
        several = len(parts) > 1 and all(map(_BETWEEN.search, parts))
        yield from numbered or (parts if several else [piece])


_TURN_AHEAD: Final = re.compile(r"\s*([^\W\d_]{3,}|[0-9]{3,})(?:\s*(?:=>|->|→|:|=)\s*|\s+)\S")


def _between_commas(piece: str) -> list[str]:
    """Turns that commas set apart, each with a guess of one length: `AABB XO, CCDD X`."""
    parts = piece.split(",")
    heads = [_TURN_AHEAD.match(part) for part in parts]
    guesses = {(len(head[1]), head[1].isdecimal()) for head in heads if head}
    words = (f"1 {head[1]}" for head in heads if head)
    if len(guesses) > 1 or not all(heads) or any(map(counts_part, [*parts, *words])):
        return [piece]
    return parts


def _in_marks(pieces: Iterable[str], sign: str) -> list[str]:
    """Pieces between signs, together where the sign stands within a mark: `AABC 2 black / 1 white`.

    The second part of such a mark has no guess of its own.
    """
    turns: list[str] = []
    for piece in filter(None, pieces):
        before = [mark for _, mark in _halves(turns[-1])] if turns else []
        if any(are_of_one_mark(mark, piece) for mark in before):
            turns[-1] += f" {sign} {piece}"
        else:
            turns.append(piece)
    return turns


_TOTAL: Final = re.compile(r"(.+?)(?:\s*(?:=|:|->|=>|→|⇒|,|;)\s*|\s+)(=[0-9]{1,2})")
"""A guess with the sum of its mark: `AABB =3`, `AABB==3`."""


NAMED_NUMBER: Final = re.compile(
    r"(.+?)(?:\s*(?:=|:|->|=>|→|⇒|,|;)\s*|\s+)(likeness\s?[=:]?\s?[0-9]{1,2})", re.IGNORECASE
)
"""A guess with a mark that has an equals sign of its own: `CRANE likeness=2`."""


_DASHED: Final = re.compile(r"(\S+) - (\S.*)")
_LEAD: Final = re.compile(
    r"(?:(?:i|we) (?:guess(?:ed)?|tried|played)|j'ai (?:essayé|joué)|(?:my )?guess|essai"
    r"|proposition)(?:\s*:\s*|\s+)",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"[\s,:]+(?:and )?(?:gives?|gave|has|got|gets|scores?|returns?|answer|feedback|result|donne"
    r"|réponse|résultat)\b[\s:=→>-]*",
    re.IGNORECASE,
)


def _in_words(piece: str) -> Iterator[tuple[str, str]]:
    """Guess and mark of `I guessed 9305 and got 1 bull`, `AABB gives 1 black`."""
    lead = _LEAD.match(piece)
    rest = piece[lead.end() :] if lead else piece
    ends = [verb] if (verb := _VERB.search(rest)) else _BETWEEN.finditer(rest) if lead else []
    for end in ends:
        guess, mark = rest[: end.start()], rest[end.end() :]
        if guess and mark:
            yield guess, mark


_NAMED_COUNTS: Final = re.compile(
    r"([^=]+?)(?:\s*(?::|->|=>|→|⇒|,|;)\s*|\s+)"
    r"([({\[]?[a-z]+\s?=\s?[0-9]{1,2}(?:[\s,;/&]+[a-z]+\s?=\s?[0-9]{1,2})?[)}\]]?)",
    re.IGNORECASE,
)
"""A guess with counts that have names and equals signs: `AABC black=2 white=1`."""


def _halves(piece: str) -> Iterator[tuple[str, str]]:
    """Where a guess may end and its mark begin: at an equals sign, or anywhere between."""
    forms = (_TOTAL, NAMED_NUMBER, _NAMED_COUNTS)
    if total := next(filter(None, (form.fullmatch(piece) for form in forms)), None):
        yield total[1], total[2]
        return
    if "=" in piece:
        # an equation has equals signs of its own
        ends = {piece.rfind("->"), piece.rfind("="), piece.find("=")} - {-1}
        for end in sorted(ends, key=lambda end: (piece[end] == "=", -end)):
            after = piece[end + 2 :] if piece[end] == "-" else piece[end + 1 :].strip(" =>")
            guess, mark = piece[:end].strip(), after.strip()
            if guess and mark:
                yield guess, mark
        return
    if len(piece) <= _MOST_PIECE:
        if ahead := _MARK_AHEAD.fullmatch(piece):
            yield ahead[2], ahead[1]
        for between in _BETWEEN.finditer(piece):
            guess, mark = piece[: between.start()], piece[between.end() :]
            if guess and mark:
                yield guess, mark
        if dashed := _DASHED.fullmatch(piece):
            yield dashed[1], dashed[2]
        yield from _in_words(piece)


def field_of(line: str) -> tuple[str, str]:
    """The name of a field and its text; no name where a line is no field."""
    name, colon, text = line.partition(":")
    return (name.strip().lower(), text.strip()) if colon and "=" not in name else ("", "")


# Sentences of number locks


def _from_sentences(text: str, notes: Noted) -> bool:
    """Numbers of one length, each followed by a sentence; whether the text is such."""
    words = unaccented(text)
    if len(words) != len(text) or not _LOCK_WORDS.search(words):
        return False
    codes = [*_LOCK_CODE.finditer(text)]
    lengths = {len(re.sub("[ -]", "", code[0])) for code in codes}
    if not codes or len(lengths) > 1:
        return False
    ends = [code.start() for code in codes[1:]] + [len(text)]
    head = text[: codes[0].start()].strip(" \n\t-*•>.:;,")
    if head and not _names_rules(head) and len(head.split("\n")) > 1:
        return False
    if head and _names_rules(head):
        notes.fields["rules"] = 1, head
    for code, end in zip(codes, ends, strict=True):
        line = text.count("\n", 0, code.start()) + 1
        sentence = " ".join(text[code.end() : end].split())
        sentence = re.sub(r"(?:^|\s)(?:[0-9]{1,2}[.)]|[-*•>])\s*$", "", sentence)
        mark = sentence.strip(" \"'«»:;.,=–—->")
        notes.add(line, f"{code[0]}: {mark}", ((re.sub("[ -]", "", code[0]), mark),))
    codes_and_words = " ".join([*(code[0] for code in codes), re.sub("[0-9]", "", words)])
    notes.lock = _LOCK_DIGITS.search(codes_and_words) is not None
    return True


# Tables


def _from_table(text: str, notes: Noted) -> bool:
    """Columns under heads; whether the text has them."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2:
        return False
    signs = [sign for sign in "|\t;," if sign in lines[0][1]] or [" "]
    heads = [_COLUMN.get(unaccented(cell).strip(" .#")) for cell in _cells(lines[0][1], signs[0])]
    if heads.count("guess") != 1 or not {"mark", "black"} & set(heads):
        return False
    for number, line in lines[1:]:
        cells = _cells(line, signs[0])
        if set(line) <= set("|-: +"):
            continue
        row: dict[str, str] = {}
        for head, cell in zip(heads, cells, strict=False):
            if head:
                row.setdefault(head, cell)
        mark = row.get("mark") or _counts_text(row.get("black"), row.get("white"))
        notes.add(number, line, ((row.get("guess", ""), mark),))
        notes.last = number
    return True


def _counts_text(black: str | None, white: str | None) -> str:
    """The counts of two columns as a mark; one that has no number is not noted."""
    if not black:
        return ""
    return f"{black} {white or '?'}"


def _cells(line: str, sign: str) -> list[str]:
    bare = line.strip().strip("|") if sign == "|" else line
    if sign == " ":
        return bare.split()
    return [cell.strip().strip("\"'") for cell in bare.split(sign)]


# JSON


def _json(text: str) -> Any:
    """The document; also one with the signs of Python, such as pairs in round brackets."""
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return json.loads(json.dumps(read(text)))
    return None


def _from_json(document: Any, notes: Noted) -> None:
    """Turns of a document: lists of guess and mark, objects, or texts."""
    turns = document
    if isinstance(document, dict):
        for name in FIELDS:
            value = document.get(name)
            if isinstance(value, list) and name == "colors":
                value = ",".join(map(str, value))
            if isinstance(value, str | int):
                notes.fields[name] = 1, str(value)
        turns = next((document[k] for k in ("turns", "history", "guesses") if k in document), None)
        marks = next((document[k] for k in _MARK_LISTS if k in document), None)
        if isinstance(turns, list) and isinstance(marks, list) and len(turns) == len(marks):
            turns = [[*pair] for pair in zip(turns, marks, strict=True)]
        elif turns is None and not {*document} & {*FIELDS}:
            turns = [[*pair] for pair in document.items()] or None
    if not isinstance(turns, list):
        raise InputError("this JSON holds no turns: give a list of them, such as [['AABB', 'XO']]")
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, str):
            notes.add(1, turn)
            continue
        guess, mark = _json_turn(turn)
        if guess is None or mark is None:
            raise InputError("turn {n}, {turn}, has no guess and mark", n=number, turn=quoted(turn))
        notes.add(1, f"{guess} {mark}", ((guess, mark),))


_MARK_LISTS: Final = ("marks", "feedback", "answers", "responses", "results")
"""Keys of marks that stand in a list of their own, beside the one of the guesses."""


def _json_turn(turn: Any) -> tuple[str | None, str | None]:
    if isinstance(turn, list) and len(turn) in (2, 3):
        return _json_text(turn[0]), _json_text(turn[1] if len(turn) == 2 else turn[1:])
    if isinstance(turn, dict):
        row = {_COLUMN.get(unaccented(str(name)), ""): value for name, value in turn.items()}
        counts = [row["black"], row.get("white")] if "black" in row else None
        return _json_text(row.get("guess")), _json_text(row.get("mark", counts))
    return None, None


def _json_text(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 2 and value[1] is None:
        value = [value[0], "?"]
    if isinstance(value, list) and value and all(isinstance(v, str | int) for v in value):
        return " ".join(map(str, value))
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    return None
