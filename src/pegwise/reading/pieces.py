"""The first step: a text in pieces, one for each turn, and where each may be cut.

Turns stand in lines or between slashes or semicolons, in a table (Markdown, HTML, or columns with
heads), in JSON, or in sentences after a number (`682: one number is correct and well placed`).
Nothing is read yet: where a guess ends and its mark begins is left open.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game.named import NAMED
from pegwise.game.resolvers import names_game
from pegwise.game.signs import plain, unaccented
from pegwise.game.words import find_words
from pegwise.reading import costs
from pegwise.reading.codes import signs_of
from pegwise.reading.dialogue import dialogue_turns, is_mark, turns_in_line
from pegwise.reading.forms import are_of_one_mark, kinds_counted
from pegwise.reading.tables import heads_of, html_lines, table_of, unquoted_cells

FIELDS: Final = (
    *("rules", "colors", "codebreaker", "codemaker", "seed", "secret", "hinted", "result"),
)
"""Lines that a record has besides its turns."""

_AHEAD: Final = (
    r"(?i)(?:[^\W\d]{2,}\s+)?(?:#[0-9]{1,3}\s?[.):]?|[0-9]{1,3}\s?[.)])\s+"
    r"|[^\W\d]{2,}\s+[0-9]{1,3}\s?:\s+|(?:your )?(?:guess|try|essai)\s?[>?]\s*|[>*•\s]+"
    r"|(?:attempt|round|turn|try|essai)\s*:\s*[0-9]{1,3}[\s,;]+(?:(?:guess|code)\s*[:=]\s*)?"
)
"""Signs before a turn: its number, a bullet."""

_COUNT: Final = r"([0-9]{1,3})(?:\s?:\s+|\s+(?=[^\s=]{3,}(?:\s+|=)\S))"
"""A number before a turn, if those of all turns count."""

_BETWEEN: Final = r"(?:->|=>|[\s,;:=→⇒>|–—])+"
"""Signs between a guess and its mark, which may also stand within each of them."""

_BOARD: Final = r"(?i)[0-9]+x[0-9]+.*|(?:" + "|".join(NAMED) + ")(?:,.*)?"
_SHARED: Final = r"pegwise ([^\s:;]+?)(?:, \w+ ([\w.]+))?\s?:"
"""The head of a review as text, which is pasted too."""

_WORDLE: Final = r"(?i)#?(?:wordle|le mot|sutom|motus)\b.*[0-9X]/[0-9].*"
"""The head line of a shared game."""

_ROW: Final = "(?:[🟩🟨⬜⬛🟧🟦🟫🟥🟡◼◻] ?){3,}"
"""Squares of a shared game, which hides its words."""

_MARK_AHEAD: Final = (
    rf"({_ROW})\s*[:=-]?\s*([^\W\d_]{{3,}})(?:\s+([0-9][0-9,.]*))?(?:\s*[→–—(#].*)?"
)
"""A row of squares with its word behind it, the number of codes left, and a remark."""

_SHORT: Final = {
    f":{name}:": sign
    for sign, names in {
        "🟩": "green_square large_green_square",
        "🟨": "yellow_square large_yellow_square",
        "🟥": "red_square large_red_square",
        "🟦": "blue_square large_blue_square",
        "🟧": "orange_square large_orange_square",
        "⬜": "white_large_square",
        "⬛": "black_large_square",
        "⚫": "black_circle",
        "⚪": "white_circle",
        "🔴": "red_circle",
        "🟢": "green_circle large_green_circle",
        "🟡": "yellow_circle large_yellow_circle",
        "🔵": "blue_circle large_blue_circle",
    }.items()
    for name in names.split()
}
"""Names that forums write for pictures."""

_HEAD_ALONE: Final = (
    r"(?i)(?:guess|turn|move|try|round|essai|coup|tour)\s*(?:n°\s*)?#?[0-9]{1,3}\s*[:.)]?"
)

_SLASH: Final = (
    r"\s/(?![/+-])|(?<![/+-])/\s|(?<![0-9/+=-])/(?![/+-])|(?<![/+=-])/(?![0-9/+-])"
    r"|(?<=[0-9])/(?=[0-9]{3})"
)
"""A slash between turns; one between two short numbers, or among signs, belongs to a mark."""

_LOCK_WORDS: Final = (
    r"\b(correct\w*|placed?|places?|position|nothing|rien|place\w*|bons?|bonnes?|juste\w*"
    r"|right|wrong|faux|fausses|none|aucune?)\b"
)
_LOCK_DIGITS: Final = r"\b(?:number|digit|chiffre|nombre)s?\b|[0789]"
"""Words that tell that a code has digits from 0 to 9."""

_LOCK_CODE: Final = r"(?<![0-9])(?:[0-9]{3,}|[0-9](?:[ -][0-9]){2,})(?![0-9])"

_MOST_PIECE: Final = 250
_MOST_CUTS: Final = 60


class Cut(NamedTuple):
    """Where a piece may be cut into a guess and a mark.

    `typed` tells that a separator stands there which is no blank or comma.
    """

    guess: str
    mark: str
    typed: bool = True
    cost: int = 0


class Piece(NamedTuple):
    """A turn as it is noted: its line, its text, and where it may be cut, in one place or more."""

    line: int
    text: str
    cuts: tuple[Cut, ...]


@dataclass(slots=True)
class Pieces:
    """A game as a person has noted it.

    Attributes:
        fields: their texts, each with its line.
        turns: in order.
        lock: whether the marks are sentences on the digits of a number lock.
        shared: the game that the head of a shared result names; empty for none.
        rows: marks without their guesses, in rows of squares.
        told: the parts that are left out, or put in another order.
        last: the last line.
    """

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    turns: list[Piece] = field(default_factory=list)
    lock: bool = False
    shared: str = ""
    rows: list[str] = field(default_factory=list)
    told: list[Phrase] = field(default_factory=list)
    last: int = 1

    def add(self, line: int, text: str, cuts: tuple[Cut, ...] = ()) -> None:
        """Note a turn."""
        self.turns.append(Piece(line, text, cuts or tuple(_cuts(text))))

    def add_turn(self, line: int, guess: str, mark: str) -> None:
        """Note a turn whose guess and mark stand apart."""
        self.add(line, f"{guess} {mark}", (Cut(guess, mark),))
        self.last = line


def pieces(text: str) -> Pieces:
    """The pieces of a text; an InputError for JSON that holds no turns."""
    notes = Pieces()
    bare = html_lines(_with_squares(text))
    if bare.lstrip().startswith(("[", "{")) and (document := _json(bare)) is not None:
        _from_json(document, notes)
    elif not (
        _from_rows(bare, notes)
        or _from_dialogue(bare, notes)
        or _from_table(bare, notes)
        or _from_sentences(bare, notes)
    ):
        _from_lines(bare, notes)
    return notes


# Rows of squares


def rows_of(text: str) -> list[str]:
    """The rows of squares of a shared game that hides its words; none of another text."""
    notes = Pieces()
    _from_rows(_with_squares(text), notes)
    return notes.rows


def _with_squares(text: str) -> str:
    """A plain text with squares and discs in place of their names."""
    return re.sub(r":[a-z_]+:", lambda name: _SHORT.get(name[0], name[0]), plain(text))


def _from_rows(text: str, notes: Pieces) -> bool:
    """Rows of squares, a head, and the words after the rows; whether the text is such."""
    lines = [*enumerate(map(bare_line, text.split("\n")), 1)]
    heads = [number for number, line in lines if re.fullmatch(_WORDLE, line)]
    rest = [(number, line) for number, line in lines if line and number not in heads]
    rows = ["".join(line.split()) for _, line in rest if re.fullmatch(_ROW, line)]
    words = rest[len(rows) :]
    if not rows or not all(re.fullmatch(_ROW, line) for _, line in rest[: len(rows)]):
        return False
    if not words:
        notes.rows = rows
    elif [len(word) for _, word in words] != [*map(len, rows)] or any(
        is_mark(word, "1" * len(word)) for _, word in words
    ):
        return False
    for (number, word), row in zip(words, rows, strict=False):
        notes.add_turn(number, word, row)
    notes.shared = "wordle" if heads else ""
    return True


# A chat, and labels


def _from_dialogue(text: str, notes: Pieces) -> bool:
    """Guesses and marks that are said in turn; whether the text is such."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        name, value = field_of(line)
        if name in FIELDS or (not notes.fields and _names_rules(line.strip())):
            notes.fields[name or "rules"] = at + 1, value or line.strip()
            lines[at] = ""
    turns = dialogue_turns("\n".join(lines))
    if not turns:
        notes.fields.clear()
    for guess, mark in turns:
        notes.add_turn(mark.line, guess.text, mark.text)
    return bool(turns)


# Lines, and several turns in one


def bare_line(line: str) -> str:
    """A line as it is noted, without a frame of a table or signs that are not seen."""
    return line.strip("\ufeff\u200b \t\r|`")


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, without heads that stand alone.

    Cells of a table lose their quotes.
    """
    lines = []
    for number, line in enumerate(map(bare_line, text.split("\n")), 1):
        lines.append((number, unquoted_cells(line)))
    if not all(re.fullmatch(_HEAD_ALONE, line) for _, line in lines if line):
        lines = [(n, "" if re.fullmatch(_HEAD_ALONE, line) else line) for n, line in lines]
    return lines


def _from_lines(text: str, notes: Pieces) -> None:
    turns: list[tuple[int, str]] = []
    for number, line in _lines(text):
        notes.last = number
        if shared := re.match(_SHARED, line):
            texts = zip(("rules", "secret"), shared.groups(), strict=True)
            notes.fields |= {name: (number, text) for name, text in texts if text}
            continue
        if re.fullmatch(_WORDLE, line):
            notes.shared = "wordle"
            continue
        if line.startswith("#") and not re.match(_AHEAD, line):
            continue
        name, value = field_of(line)
        if name == "rules" and names_game(value):  # its path has slashes
            notes.fields[name] = number, value
            continue
        for piece in _pieces(line):
            name, value = field_of(piece)
            if name in FIELDS:
                notes.fields[name] = number, value
            elif not turns and _names_rules(piece):
                notes.fields["rules"] = number, piece
            else:
                turns.append((number, piece))
    turns = _without_heads(turns, notes)
    if _alternates([turn for _, turn in turns]):
        for (_, guess), (number, mark) in zip(turns[::2], turns[1::2], strict=True):
            notes.add(number, f"{guess} {mark}", (Cut(guess, mark),))
        return
    for number, turn in turns:
        notes.add(number, turn)


def _without_heads(turns: list[tuple[int, str]], notes: Pieces) -> list[tuple[int, str]]:
    """Turns without the bullets or numbers before them; in order if the numbers count down.

    A number and a colon, or a blank, may be a guess: it is a number if those of all turns count.
    """
    counts = [re.match(_COUNT, turn) for _, turn in turns]
    numbers = [int(count[1]) for count in counts if count]
    order = [*range(1, len(turns) + 1)]
    if len(numbers) == len(turns) and (numbers == order or numbers == order[::-1]):
        turns = [(n, turn[c.end() :]) for (n, turn), c in zip(turns, counts, strict=True) if c]
        if len(order) > 1 and numbers != order:
            notes.told.append(Phrase("numbered downward, the last line first"))
            turns.reverse()
    elif all(turn.startswith("- ") and re.search(_BETWEEN, turn[2:]) for _, turn in turns):
        turns = [(number, turn[2:]) for number, turn in turns]
    return [(n, turn[a.end() if (a := re.match(_AHEAD, turn)) else 0 :]) for n, turn in turns]


def _alternates(turns: Sequence[str]) -> bool:
    """Whether guesses stand alone, and their marks in the lines that follow."""
    if len(turns) < 2 or len(turns) % 2:
        return False
    if not any(re.search(_BETWEEN, turn) for turn in turns):
        return True
    guesses, marks = turns[::2], turns[1::2]
    signs = [each for each in map(signs_of, guesses) if each is not None]
    if len(signs) < len(guesses) or len({len(each.signs) for each in signs}) > 1:
        return False
    apart = any(re.search(_BETWEEN, guess) for guess in guesses)
    if apart and (len(signs[0].signs) < 3 or len(turns) < 4):  # `1 2 3 / 1 2` may be two turns
        return False
    first = "".join(sign[0] for sign in signs[0].signs)
    return not any(is_mark(guess, first) for guess in guesses) and all(
        is_mark(mark, first) for mark in marks
    )


def _names_rules(piece: str) -> bool:
    """Whether a piece is rules: of a board, a game by name, or a list of words that is there."""
    if re.fullmatch(_BOARD, piece) or names_game(piece):
        return True
    name = piece.lower().partition(",")[0].partition("@")[0]
    return find_words(name) is not None


def _pieces(line: str) -> Iterator[str]:
    """Turns and fields of a line; remarks after a numbered turn are left out."""
    between = [
        turn
        for one in turns_in_line(line)
        for piece in re.split(_SLASH, one)
        for turn in _between_commas(piece)
    ]
    for piece in _in_marks(map(str.strip, between), "/"):
        parts = _in_marks(map(str.strip, piece.split(";")), ";")
        heads = [(part, re.match(_AHEAD, part)) for part in parts]
        numbered = [
            part for part, head in heads if head and re.search(_BETWEEN, part[head.end() :])
        ]
        several = len(parts) > 1 and all(re.search(_BETWEEN, part) for part in parts)
        yield from numbered or (parts if several else [piece])


_TURN_AHEAD: Final = r"\s*([^\W\d_]{3,}|[0-9]{3,})(?:\s*(?:=>|->|→|:|=)\s*|\s+)\S"


def _between_commas(piece: str) -> list[str]:
    """Turns that commas set apart, each with a guess of one length: `AABB XO, CCDD X`."""
    parts = piece.split(",")
    if len(parts) == 1:
        return parts
    heads = [re.match(_TURN_AHEAD, part) for part in parts]
    guesses = {(len(head[1]), head[1].isdecimal()) for head in heads if head}
    words = (f"1 {head[1]}" for head in heads if head)
    if len(guesses) > 1 or not all(heads) or any(map(kinds_counted, [*parts, *words])):
        return [piece]
    first = heads[0]
    if first is not None and is_mark(piece[first.end() - 1 :], first[1]):
        return [piece]
    return parts


def _in_marks(pieces: Iterable[str], sign: str) -> list[str]:
    """Pieces between signs, together where the sign stands within a mark: `AABC 2 black / 1 white`.

    The second part of such a mark has no guess of its own.
    """
    turns: list[str] = []
    for piece in filter(None, pieces):
        before = [cut.mark for cut in _cuts(turns[-1])] if turns else []
        if any(are_of_one_mark(mark, piece) for mark in before):
            turns[-1] += f" {sign} {piece}"
        else:
            turns.append(piece)
    return turns


_TOTAL: Final = r"(.+?)(?:\s*(?:=|:|->|=>|→|⇒|,|;)\s*|\s+)(=[0-9]{1,2})"
"""A guess with the sum of its mark: `AABB =3`, `AABB==3`."""


NAMED_NUMBER: Final = r"(?i)(.+?)(?:\s*(?:=|:|->|=>|→|⇒|,|;)\s*|\s+)(likeness\s?[=:]?\s?[0-9]{1,2})"
"""A guess with a mark that has an equals sign of its own: `CRANE likeness=2`."""


_LEAD: Final = (
    r"(?i)(?:(?:i|we) (?:guess(?:ed)?|tried|played)|j'ai (?:essayé|joué)|(?:my )?guess|essai"
    r"|proposition)(?:\s*:\s*|\s+)"
)
_VERB: Final = (
    r"(?i)[\s,:–—-]+(?:and )?(?:gives?|gave|has|got|gets|scores?|returns?|answer|feedback|result"
    r"|donne|reply|response|réponse|résultat)\b[\s:=→>-]*"
)


def _in_words(piece: str) -> Iterator[tuple[str, str]]:
    """Guess and mark of `I guessed 9305 and got 1 bull`, `AABB gives 1 black`."""
    lead = re.match(_LEAD, piece)
    rest = piece[lead.end() :] if lead else piece
    ends = (
        [verb] if (verb := re.search(_VERB, rest)) else re.finditer(_BETWEEN, rest) if lead else []
    )
    for end in ends:
        guess, mark = rest[: end.start()], rest[end.end() :]
        if guess and mark:
            yield guess, mark


_NAMED_COUNTS: Final = (
    r"(?i)([^=]+?)(?:\s*(?::|->|=>|→|⇒|,|;)\s*|\s+)"
    r"([({\[]?(?:[a-z]+\s?=\s?[0-9]{1,2}[\s,;/&]+[a-z]+|[a-z]{2,})\s?=\s?[0-9]{1,2}[)}\]]?)"
)
"""A guess with counts that have names and equals signs: `AABC black=2 white=1`."""


_APART: Final = r"->|[=:→⇒>|–—\t]"
"""What is typed between a guess and its mark, and is no blank or comma."""


def _cuts(piece: str) -> Iterator[Cut]:
    """Where a guess may end and its mark begin.

    A cut elsewhere than at a separator that was typed costs much.
    """
    forms = (_TOTAL, NAMED_NUMBER, _NAMED_COUNTS)
    if total := next(filter(None, (re.fullmatch(form, piece) for form in forms)), None):
        yield Cut(total[1], total[2])
        return
    if ahead := re.fullmatch(_MARK_AHEAD, piece[:_MOST_PIECE]):
        yield Cut(ahead[2], f"{ahead[1]} {ahead[3] or ''}".strip())
    ends = [(end.start(), end.end(), end[0]) for end in re.finditer(_BETWEEN, piece)]
    ends += [(end.start(), end.end(), "") for end in re.finditer(" - ", piece)]
    typed = [re.search(_APART, sign) is not None for *_, sign in ends]
    rows = [*zip(ends, typed, strict=True)]
    if len(piece) > _MOST_PIECE:
        rows = [row for row in rows if row[1]]
    # an equation has equals signs of its own: an arrow comes first, then the last sign
    rows.sort(key=lambda row: (not row[1], row[1] and "=" in row[0][2], -row[0][0] * row[1]))
    for (start, end, _), strong in rows[:_MOST_CUTS]:
        guess, mark = piece[:start].strip(), piece[end:].replace("|", " ").strip()
        if guess and mark:
            yield Cut(guess, mark, strong, costs.IGNORED * (any(typed) and not strong))
    for guess, mark in _in_words(piece[:_MOST_PIECE]):
        yield Cut(guess, mark)
    if (number := re.match(_COUNT, piece)) and ":" in number[0]:  # of one turn of several, perhaps
        yield from (cut._replace(cost=costs.IGNORED) for cut in _cuts(piece[number.end() :]))


def field_of(line: str) -> tuple[str, str]:
    """The name of a field and its text; no name where a line is no field."""
    name, colon, text = line.partition(":")
    return (name.strip().lower(), text.strip()) if colon and "=" not in name else ("", "")


# Sentences of number locks


_NEXT_HEAD: Final = (
    r"(?i)(?:(?:^|[\s.;,])(?:(?:sur )?(?:(?:clue|indice|hint|code|guess|essai|line|ligne|statement"
    r"|step|s|no|n°)"
    r"\s?(?:#\s?)?[0-9]{0,2}|la \w+ ligne)\s*[:.)\"«]*|[0-9]{1,2}[.)]|[-*•>]|\*\*|[\"«`]))+\s*$"
)
"""The head of the next number at the end of a sentence: a bullet, `Clue #2:`."""

_PROSE: Final = r"[^\W\d]+(?:[ '’,]+[^\W\d]+){2,}[ :.?!]*"
"""A sentence before the first number, such as `Can you open the lock?`."""


def _from_sentences(text: str, notes: Pieces) -> bool:
    """Numbers of one length, each followed by a sentence; whether the text is such."""
    words = unaccented(text)
    if len(words) != len(text) or not re.search(_LOCK_WORDS, words):
        return False
    codes = [*re.finditer(_LOCK_CODE, text)]
    lengths = {len(re.sub("[ -]", "", code[0])) for code in codes}
    if not codes or len(lengths) > 1:
        return False
    ends = [code.start() for code in codes[1:]] + [len(text)]
    head = text[: codes[0].start()].strip(" \n\t-*•>.:;,→")
    told = re.sub(_NEXT_HEAD, "", head).strip(' \n\t-*•>`"«')
    if told and not _names_rules(head) and not re.fullmatch(_PROSE, told):
        return False
    if head and _names_rules(head):
        notes.fields["rules"] = 1, head
    for code, end in zip(codes, ends, strict=True):
        line = text.count("\n", 0, code.start()) + 1
        sentence = " ".join(text[code.end() : end].split())
        sentence = re.sub(_NEXT_HEAD, "", sentence)
        mark = sentence.strip(" \"'«»:;.,=–—->*`→⇒")
        notes.add(line, f"{code[0]}: {mark}", (Cut(re.sub("[ -]", "", code[0]), mark),))
    codes_and_words = " ".join([*(code[0] for code in codes), re.sub("[0-9]", "", words)])
    notes.lock = re.search(_LOCK_DIGITS, codes_and_words) is not None
    return True


# Tables


def _from_table(text: str, notes: Pieces) -> bool:
    """Columns under heads; whether the text has them."""
    table = table_of(text)
    if table is None:
        return False
    for number, line, guess, mark in table.turns:
        notes.add(number, line, (Cut(guess, mark),))
        notes.last = number
    notes.told += table.told
    return True


# JSON


def _json(text: str) -> Any:
    """The document; also one with the signs of Python, such as pairs in round brackets."""
    for read in (json.loads, ast.literal_eval):
        with (
            warnings.catch_warnings(action="ignore"),
            suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError),
        ):
            return json.loads(json.dumps(read(text)))
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        with suppress(ValueError, RecursionError):
            return [json.loads(line) for line in lines]
    return None


def _from_json(document: Any, notes: Pieces) -> None:
    """Turns of a document: lists of guess and mark, objects, or texts."""
    turns = document
    if isinstance(document, dict):
        for name in FIELDS:
            value = document.get(name)
            if isinstance(value, list) and name in ("colors", "hinted"):
                value = ",".join(map(str, value)) or None
            if isinstance(value, str | int):
                notes.fields[name] = 1, str(value)
        turns = next((document[k] for k in ("turns", "history", "guesses") if k in document), None)
        marks = next((document[k] for k in _MARK_LISTS if k in document), None)
        if isinstance(turns, list) and isinstance(marks, list) and len(turns) == len(marks):
            turns = [[*pair] for pair in zip(turns, marks, strict=True)]
        elif turns is None and not {*document} & {*FIELDS}:
            turns = [[*pair] for pair in document.items()] or None
    if isinstance(turns, list) and _is_flat_turn(turns):
        turns = [turns]
    if not isinstance(turns, list):
        raise InputError("this JSON holds no turns: give a list of them, such as [['AABB', 'XO']]")
    for number, turn in enumerate(turns, 1):
        if isinstance(turn, str):
            notes.add(1, turn)
            continue
        guess, mark = _json_turn(turn)
        if guess is None or mark is None:
            raise InputError("turn {n}, {turn}, has no guess and mark", n=number, turn=quoted(turn))
        notes.add_turn(1, guess, mark)


_MARK_LISTS: Final = ("marks", "feedback", "answers", "responses", "results")
"""Keys of marks that stand in a list of their own, beside the one of the guesses."""


def _is_flat_turn(turns: list[Any]) -> bool:
    """Whether a list is one turn, `["AABB", 1, 0]`."""
    return len(turns) in (2, 3) and [*map(type, turns)] == [str] + [int] * (len(turns) - 1)


def _json_turn(turn: Any) -> tuple[str | None, str | None]:
    if isinstance(turn, list) and len(turn) in (2, 3):
        return _json_text(turn[0]), _json_text(turn[1] if len(turn) == 2 else turn[1:])
    if isinstance(turn, dict):
        row = dict(zip(heads_of(map(str, turn)), turn.values(), strict=True))
        counts = [row["black"], row.get("white")] if "black" in row else None
        return _json_text(row.get("guess")), _json_text(row.get("mark", counts))
    return None, None


def _json_text(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 2 and value[1] is None:
        value = [value[0], "?"]
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        value = [next(reversed(v.values()), None) for v in value]  # a result for each letter
    if isinstance(value, list) and value and all(isinstance(v, str | int) for v in value):
        return " ".join(map(str, value))
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    return None
