"""The first step: a text in pieces, one for each turn, and where each may be cut.

Turns stand in lines or between slashes or semicolons, in a table (Markdown, HTML, or columns with
heads), in JSON, or in sentences after a number (`682: one number is correct and well placed`).
Nothing is decided yet: where a guess ends and its mark begins is left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pegwise.errors import Phrase
from pegwise.game.named import NAMED
from pegwise.game.resolvers import names_game
from pegwise.game.signs import plain, unaccented
from pegwise.game.words import find_words
from pegwise.reading import costs
from pegwise.reading.codes import signs_of
from pegwise.reading.marks import is_turn
from pegwise.reading.tables import html_lines, json_of, json_turns, table_of, unquoted_cells
from pegwise.reading.vocabulary import (
    CLUE,
    COLOR_WORDS,
    DIGITS,
    DISCS,
    LABELS,
    LEAD,
    LOCK,
    TURN,
    VERB,
)

FIELDS: Final = (
    *("rules", "colors", "codebreaker", "codemaker", "seed", "secret", "hinted", "result"),
)
"""Lines that a record has besides its turns."""

_SIGNS: Final = "->|=>|→|⇒|[=:>|–—]"
_BETWEEN: Final = rf"(?:{_SIGNS}|[\s,;])+"
"""Signs between a guess and its mark, which may also stand within each of them."""

_LEAD: Final = rf"(?i:{LEAD})(?:\s*:\s*|\s+)"
_VERB: Final = rf"(?i)[\s,:–—-]+(?:and )?(?:{VERB})\b[\s:=→>-]*"

_OWN_SIGNS: Final = (
    r"(?i)(.+?)(?:\s*(?:=|:|->|=>|→|⇒|,|;)\s*|\s+)(=[0-9]{1,2}|likeness\s?[=:]?\s?[0-9]{1,2})",
    r"(?i)([^=]+?)(?:\s*(?::|->|=>|→|⇒|,|;)\s*|\s+)"
    r"([({\[]?(?:[a-z]+\s?=\s?[0-9]{1,2}[\s,;/&]+[a-z]+|[a-z]{2,})\s?=\s?[0-9]{1,2}[)}\]]?)",
)
"""A guess with a mark that has an equals sign of its own: `=3`, `likeness=2`, `black=2 white=1`."""

_BOARD: Final = r"(?i)[0-9]+x[0-9]+.*|(?:" + "|".join(NAMED) + ")(?:,.*)?"
_SHARED: Final = r"pegwise ([^\s:;]+?)(?:, \w+ ([\w.]+))?\s?:"
"""The head of a review as text, which is pasted too."""
_REMARK: Final = r"\s*;\s*[0-9][0-9,.\s]* -> [0-9].*"
"""What a review says behind a turn: the numbers of codes before and after it, and a verdict."""

_WORDLE: Final = r"(?i)#?(?:wordle|le mot|sutom|motus)\b.*[0-9X]/[0-9].*"
"""The head line of a shared game."""

_ROW: Final = "(?:[🟩🟨⬜⬛🟧🟦🟫🟥🟡◼◻] ?){3,}"
"""Squares of a shared game, which hides its words."""

_MARK_AHEAD: Final = (
    rf"({_ROW})\s*[:=-]?\s*([^\W\d_]{{3,}})(?:\s+([0-9][0-9,.]*))?(?:\s*[→–—(#].*)?"
)
"""A row of squares with its word behind it, the number of codes left, and a remark."""

_LOCK_CODE: Final = r"(?<![0-9])(?:[0-9]{3,}|[0-9](?:[ -][0-9]){2,})(?![0-9])"

_MOST_PIECE: Final = 250
_MOST_CUTS: Final = 60
_MOST_PARTS: Final = 4  # parts of a mark that slashes or semicolons set apart, its guess too


class Cut(NamedTuple):
    """Where a piece may be cut into a guess and a mark.

    Attributes:
        typed: whether a separator stands there which is no blank or comma.
        cost: of a cut here.
        remaining: how many codes remain, where the mark was followed by that number.
        doubted: whether the mark is.
    """

    guess: str
    mark: str
    typed: bool = True
    cost: int = 0
    remaining: int | None = None
    doubted: bool = False


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
    """

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    turns: list[Piece] = field(default_factory=list)
    lock: bool = False
    shared: str = ""
    rows: list[str] = field(default_factory=list)
    told: list[Phrase] = field(default_factory=list)

    def add(self, line: int, guess: str, mark: str | None = None) -> None:
        """Note a turn: its guess and its mark, or its text."""
        if mark is None:
            self.turns.append(Piece(line, guess, tuple(_cuts(guess))))
        else:
            self.turns.append(Piece(line, f"{guess} {mark}", (Cut(guess, mark),)))

    def add_pairs(self, rows: Sequence[tuple[int, str]]) -> None:
        """Note guesses, each with its mark in the row after it."""
        for (_, guess), (line, mark) in zip(rows[::2], rows[1::2], strict=True):
            self.add(line, guess, mark)


def pieces(text: str) -> Pieces:
    """The pieces of a text; an InputError for JSON that holds no turns."""
    notes = Pieces()
    bare = html_lines(_with_squares(text))
    if (document := json_of(bare)) is not None:
        _from_json(document, notes)
    else:
        rest = _without_fields(bare, notes)
        ways = (_from_rows, _from_dialogue, _from_table, _from_sentences, _from_lines)
        next(filter(None, (way(rest, notes) for way in ways)))
    return notes


def _with_squares(text: str) -> str:
    """A plain text with squares and discs in place of the names that forums write for them."""
    names = "|".join(DISCS)
    way = rf":(?:large_)?({names})_(?:large_)?(square|circle):"
    return re.sub(way, lambda name: DISCS[name[1]][name[2] == "square"], plain(text))


def bare_line(line: str) -> str:
    """A line as it is noted, without a frame of a table or signs that are not seen."""
    return line.strip("\ufeff\u200b \t\r|`")


def field_of(line: str) -> tuple[str, str]:
    """The name of a field and its text; no name where a line is no field."""
    name, colon, text = line.partition(":")
    return (name.strip().lower(), text.strip()) if colon and "=" not in name else ("", "")


def _names_rules(line: str) -> bool:
    """Whether a line is rules: of a board, a game by name, or a list of words that is there."""
    if not 0 < len(line) <= _MOST_PIECE or "\n" in line:
        return False
    if re.fullmatch(_BOARD, line) or names_game(line):
        return True
    name = line.lower().partition(",")[0].partition("@")[0]
    return find_words(name) is not None


def _without_fields(text: str, notes: Pieces) -> str:
    """A text without its lines that are no turns, which are noted; those lines are empty."""
    lines, first = text.split("\n"), True
    for at, line in enumerate(map(bare_line, lines)):
        if shared := re.match(_SHARED, line):
            texts = zip(("rules", "secret"), shared.groups(), strict=True)
            notes.fields |= {name: (at + 1, text) for name, text in texts if text}
        elif re.fullmatch(_WORDLE, line):
            notes.shared = "wordle"
        elif not _is_field(line, at + 1, notes, first=first):
            first = first and not line
            continue
        lines[at] = ""
    return "\n".join(lines)


def _is_field(line: str, number: int, notes: Pieces, *, first: bool) -> bool:
    """Whether a line is a field, which is noted; before all turns, it may be rules alone."""
    name, value = field_of(line)
    if name not in FIELDS:
        name, value = "rules", line
        if not (first and _names_rules(line)):
            return False
    if re.search(r"\s/\s|;", line) and not (name == "rules" and names_game(value)):
        return False  # turns stand in the line too
    notes.fields[name] = number, value
    return True


def _from_json(document: Any, notes: Pieces) -> None:
    """Turns of a document, and its fields."""
    if isinstance(document, dict):
        for name in FIELDS:
            value = document.get(name)
            if isinstance(value, list) and name in ("colors", "hinted"):
                value = ",".join(map(str, value)) or None
            if isinstance(value, str | int):
                notes.fields[name] = 1, str(value)
    for turn in json_turns(document, FIELDS):
        notes.add(1, *turn)


def _from_table(text: str, notes: Pieces) -> bool:
    """Columns under heads; whether the text has them."""
    if (table := table_of(text)) is None:
        return False
    for row in table.rows:
        notes.add(*row)
    notes.told += table.told
    return True


# The heads of turns

_NOUN: Final = rf"(?i:{'|'.join(sorted(TURN))})"
_CLUE: Final = rf"(?i:{'|'.join(sorted(CLUE))})"
_LONGER: Final = r"(?=[^\s=]{3,}(?:\s+|=)\S)"
_HEADS: Final = (
    rf"(?i:your )?{_NOUN}\s?[>?]\s*",  # `Your guess>`
    rf"{_NOUN}\s*#?[0-9]{{1,3}}\s*[.):]?$",  # `Guess 1`, in a line of its own
    rf"{_NOUN}\s*:\s*[0-9]{{1,3}}[\s,;]+{_LONGER}",  # `Attempt: 1, Guess: `
    r"(?:[^\W\d]{2,}\s+)?(?:#[0-9]{1,3}\s?[.):]?|[0-9]{1,3}\s?[.)])\s+",  # `1.`, `Turn #1:`
    r"[^\W\d]{2,}\s+[0-9]{1,3}\s?:\s+",  # `Turn 1:`
)
_COUNT: Final = rf"(?P<number>[0-9]{{1,3}})(?:\s?:\s+|\s+{_LONGER})"  # `1:` or `1`, perhaps pegs
_HEAD: Final = rf"{_COUNT}|[>*•\s]*(?:{'|'.join(_HEADS)})?"
_INSIDE: Final = rf"(?<!\S)(?:{_NOUN}\s*)?#?([0-9]{{1,2}})\s?[:.)]\s+"
"""The number of a turn that begins within a line."""


class TurnHead(NamedTuple):
    """What stands before a guess: where it ends; its number, if that may be part of the guess."""

    end: int
    number: int | None = None


def head_of(text: str) -> TurnHead:
    """The head of a turn, as in `* AABC O`, `2) AABC O`, `Guess 1: AABC O`."""
    head = re.match(_HEAD, text)
    end, number = (head.end(), head["number"]) if head else (0, None)
    return TurnHead(end, int(number) if number else None)


# Rows of squares


def rows_of(text: str) -> list[str]:
    """The rows of squares of a shared game that hides its words; none of another text."""
    notes = Pieces()
    _from_rows(_without_fields(_with_squares(text), notes), notes)
    return notes.rows


def _from_rows(text: str, notes: Pieces) -> bool:
    """Rows of squares, and the words after the rows; whether the text is such."""
    lines = [(n, line) for n, line in enumerate(map(bare_line, text.split("\n")), 1) if line]
    rows = ["".join(line.split()) for _, line in lines if re.fullmatch(_ROW, line)]
    words = lines[len(rows) :]
    if not rows or not all(re.fullmatch(_ROW, line) for _, line in lines[: len(rows)]):
        return False
    if not words:
        notes.rows = rows
    elif [len(word) for _, word in words] != [*map(len, rows)] or any(
        is_turn("1" * len(word), word) for _, word in words
    ):
        return False
    for (number, word), row in zip(words, rows, strict=False):
        notes.add(number, word, row)
    return True


# Guesses and marks that are said in turn: in a chat, or under labels

_TIME: Final = (
    r"(?i)[\[(]?(?:[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4},?\s+)?[0-9]{1,2}[:h][0-9]{2}(?::[0-9]{2})?"
    r"(?:\s?[ap]m)?[\])]?\s+(?:[-–—|]\s*)?"
)
_SAID: Final = r"(?i)(?:[-*•>]\s+)?(?:<([^<>]{1,30})>|([^\W\d_][\w .'#]{0,30}?)\s*[:=])\s*(\S.*)"
_NEXT: Final = (
    r"\s+[/–—|-]\s+(?=[^\W\d_]+\s?[:=])|\s*;\s+(?=[^\W\d_]+\s?[:=])|\s+(?=[^\W\d_]{3,}:\s)"
)
"""What stands between two labels in one line."""


def _from_dialogue(text: str, notes: Pieces) -> bool:
    """`moi: AABB / toi: 1 noir`, and lines of a chat with times; whether the text is such."""
    said: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in filter(str.strip, re.split(_NEXT, re.sub(_TIME, "", line.strip()))):
            speech = re.fullmatch(_SAID, part.strip())
            if speech is None:
                return False
            name = re.sub(r"[\d#.\s]+", " ", speech[1] or speech[2]).strip().casefold()
            said.append((number, name, speech[3].strip()))
    names = [{name for _, name, _ in side} for side in (said[::2], said[1::2])]
    if len(said) % 2 or [*map(len, names)] != [1, 1] or names[0] == names[1]:
        return False
    if all(name not in LABELS and is_turn(name, text) for _, name, text in said):
        return False  # a guess and its mark in each line, as in `AABB: 2 1`
    name, guess = said[0][1:] if said else ("", "")
    signs = signs_of(guess)
    if len(said) == 2 and name not in LABELS and signs and len(name) == len(signs.signs):
        return False  # it may be a guess itself
    texts = [text for _, _, text in said]
    if not said or not _are_answered(texts[::2], texts[1::2]):
        return False
    notes.add_pairs([(number, text) for number, _, text in said])
    return True


# Lines, and several turns in one


def _from_lines(text: str, notes: Pieces) -> bool:
    """Turns in lines."""
    lines = enumerate(map(unquoted_cells, map(bare_line, text.split("\n"))), 1)
    rows = [(number, line, head_of(line).end) for number, line in lines]
    rows = [row for row in rows if row[2] or not row[1].startswith("#")]  # which is a remark
    turns: list[tuple[int, str]] = []
    for number, line, end in [row for row in rows if row[2] < len(row[1])] or rows:
        for piece in _turns_of(re.sub(_REMARK, "", line) if end else line):
            if not _is_field(piece, number, notes, first=not turns):
                turns.append((number, piece))
    turns = _without_heads(turns, notes)
    ways = [turns]
    if turns and ";" not in turns[0][1]:  # the next guess may stand in the line of a mark
        ways.append([(number, half) for number, turn in turns for half in turn.split(";")])
    pairs = next((way for way in ways if _alternates([text for _, text in way])), None)
    if pairs is not None:
        notes.add_pairs(pairs)
    else:
        for number, turn in turns:
            notes.add(number, turn)
    return True


def _without_heads(turns: list[tuple[int, str]], notes: Pieces) -> list[tuple[int, str]]:
    """Turns without the bullets or numbers before them; in order if the numbers count down.

    A number and a colon, or a blank, may be a guess: it is a number if those of all turns count.
    """
    if all(turn.startswith("- ") and re.search(_BETWEEN, turn[2:]) for _, turn in turns):
        turns = [(number, turn[2:]) for number, turn in turns]
    heads = [head_of(turn) for _, turn in turns]
    numbers = [head.number for head in heads]
    order = [*range(1, len(turns) + 1)]
    count = numbers in (order, order[::-1])
    turns = [
        (number, turn[head.end if head.number is None or count else 0 :] or turn)
        for (number, turn), head in zip(turns, heads, strict=True)
    ]
    if count and numbers != order:
        notes.told.append(Phrase("numbered downward, the last line first"))
        turns.reverse()
    return turns


_TYPED: Final = r"[\s|]*(?:;|(?<![/+-])/(?![/+-]))(?!(?<=[0-9][;/])[0-9]{1,2}(?![0-9]))[\s|]*"
"""What people type between turns, but not within a mark such as `2/1` or `+/-`."""


def _turns_of(line: str) -> Iterator[str]:
    """The turns and fields of a line: its parts between the first separators that divide it."""
    line = line.rstrip(" ;")
    for between, pegs in _separators(line):
        parts = _joined(line, between, pegs)
        if len(parts) > 1:
            for part in parts:
                yield from _turns_of(part)
            return
    if line:
        yield line


def _separators(line: str) -> Iterator[tuple[str, int | None]]:
    """What may stand between the turns of a line.

    Beside it the number of pegs of each turn, 0 for any; None where they need not be turns.
    """
    numbers = [int(number) for number in re.findall(_INSIDE, line)]
    if numbers[1:] and numbers == [*range(1, len(numbers) + 1)] and re.match(_INSIDE, line):
        yield rf"\s*[,;/]?\s+(?={_INSIDE})", 0
    yield _TYPED, 0
    head = head_of(line)
    bare = line[head.end if head.number is None else 0 :]
    # two signs are a guess only before a sign that was typed: they may be a mark or a word
    of_two = rf"(?:[0-9]{{2}}|[^\W\d_]{{2}})(?={_SIGNS})"
    first = re.match(rf"(?:{_LEAD})?([0-9]{{3,16}}|[^\W\d_]{{3,16}}|{of_two})", bare)
    if first is not None and unaccented(first[1]) not in COLOR_WORDS:
        sign, pegs = "[0-9]" if first[1].isdecimal() else r"[^\W\d_]", len(first[1])
        end = f"(?:{_SIGNS})" if pegs == 2 else rf"(?:[\s,]|{_SIGNS})"
        alike = re.findall(rf"(?<![^\s,;/]){sign}{{{pegs}}}(?={end})", line)
        colors = {each for each in alike if unaccented(each) in COLOR_WORDS}
        labels = {each for each in alike if each.lower() in LABELS and f"{each}:" in line}
        if {*alike} - colors - labels:
            other = f"(?!(?:{'|'.join(sorted(colors | labels)) or '$'})\\b)"
            guess = rf"(?:{_LEAD})?(?={other}{sign}{{{pegs}}}{end})"
            yield rf"(?:[\s|]*(?:[,;]|(?<![/+-])/)[\s|]*|[\s|]+){guess}", pegs
    yield _TYPED, None


def _joined(line: str, between: str, pegs: int | None) -> list[str]:
    """The parts of a line between separators, of which those that make up a turn are one.

    So are `2 black / 1 white` and `2/1`. The whole line, if parts are no turns though they should.
    """
    head = head_of(line)
    signs = re.compile(between).finditer(line, head.end if head.number is None else 0)
    ends = [(sign.start(), sign.end()) for sign in signs]
    if not ends:
        return [line]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(line)]
    turns: list[str] = []
    while starts:
        parts = [line[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
        if not pegs and frozenset[int].intersection(*map(_sizes, parts)):
            return [*turns, *parts]
        size = 0
        for n, stop in enumerate(stops[:_MOST_PARTS], 1):
            sizes = _sizes(line[starts[0] : stop])
            if pegs in sizes or (not pegs and sizes):
                size = n
        if not size and pegs is not None:
            return [line]
        size = max(size, 1)
        turns.append(line[starts[0] : stops[size - 1]].strip())
        starts, stops = starts[size:], stops[size:]
    return [*filter(None, turns)]


@lru_cache(maxsize=1024)
def _sizes(text: str) -> frozenset[int]:
    """How many pegs a guess at the beginning of a text may have, with a mark behind it."""
    text = text.strip()
    rests = {text, text[head_of(text).end :], text.removeprefix("- ")}
    cuts = (cut for rest in rests for cut in _cuts(rest) if is_turn(*cut[:2]))
    return frozenset(len(signs.signs) for cut in cuts if (signs := signs_of(cut.guess)))


def _alternates(turns: Sequence[str]) -> bool:
    """Whether guesses stand alone, and their marks in the lines that follow."""
    guesses, marks = turns[::2], turns[1::2]
    if not turns or len(guesses) != len(marks):
        return False
    if not any(re.search(_BETWEEN, turn) for turn in turns):
        return True
    sizes = {len(signs.signs) if (signs := signs_of(guess)) else 0 for guess in guesses}
    return len(sizes) == 1 and _are_answered(guesses, marks)


def _are_answered(guesses: Sequence[str], marks: Sequence[str]) -> bool:
    """Whether texts may be guesses of several pegs and their marks, and the guesses no marks."""
    several = all(len(guess) > 1 and not is_turn(guess, guess) for guess in guesses)
    return several and all(map(is_turn, guesses, marks))


# Where a guess ends


def own_sign(piece: str) -> Cut | None:
    """Where a guess ends whose mark has an equals sign of its own; None for other marks."""
    own = next(filter(None, (re.fullmatch(way, piece) for way in _OWN_SIGNS)), None)
    return None if own is None else Cut(own[1], own[2])


def _cuts(piece: str) -> Iterator[Cut]:
    """Where a guess may end and its mark begin, also behind what may be a head."""
    own = own_sign(piece)
    yield from [own] if own else _at_signs(piece)
    if lead := re.match(_LEAD, piece):
        yield from _cuts(piece[lead.end() :])
    elif (head := head_of(piece)).number is not None and ":" in piece[: head.end]:
        # of one turn of several, perhaps
        yield from (cut._replace(cost=costs.IGNORED) for cut in _cuts(piece[head.end :]))


def _at_signs(piece: str) -> Iterator[Cut]:
    """Cuts at the signs that may stand between a guess and its mark.

    A cut elsewhere than at a separator that was typed costs much.
    """
    short = piece[:_MOST_PIECE]
    if ahead := re.fullmatch(_MARK_AHEAD, short):
        yield Cut(ahead[2], f"{ahead[1]} {ahead[3] or ''}".strip())
    ends = [
        (end, re.search(_SIGNS + "|\t", end[0]) is not None)
        for way in (_BETWEEN, " - ")
        for end in re.finditer(way, piece)
    ]
    verb = re.search(_VERB, short)
    any_typed = verb is not None or any(typed for _, typed in ends)
    if len(piece) > _MOST_PIECE:
        ends = [end for end in ends if end[1]]
    # an equation has equals signs of its own: an arrow comes first, then the last sign
    ends.sort(key=lambda end: (not end[1], end[1] and "=" in end[0][0], -end[0].start() * end[1]))
    for end, typed in ends[:_MOST_CUTS]:
        guess, mark = piece[: end.start()].strip(), piece[end.end() :].replace("|", " ").strip()
        if guess and mark:
            yield Cut(guess, mark, typed, costs.IGNORED * (any_typed and not typed))
    if verb and piece[: verb.start()] and piece[verb.end() :]:
        yield Cut(piece[: verb.start()], piece[verb.end() :])


# Sentences of number locks


_LAST: Final = (
    rf"(?i)(?:(?:^|[\s.;,])(?:(?:sur )?(?:{_CLUE}|la \w+ ligne)\s?(?:#\s?)?[0-9]{{0,2}}"
    r"\s*[:.)\"«]*|[0-9]{1,2}[.)]|[-*•>]|\*\*|[\"«`]))+\s*$"
)
"""The head of the next number at the end of a sentence: a bullet, `Clue #2:`."""

_PROSE: Final = r"[^\W\d]+(?:[ '’,]+[^\W\d]+){2,}[ :.?!]*"
"""A sentence before the first number, such as `Can you open the lock?`."""


def _from_sentences(text: str, notes: Pieces) -> bool:
    """Numbers of one length, each followed by a sentence; whether the text is such."""
    words = unaccented(text)
    if len(words) != len(text) or not re.search(rf"\b(?:{LOCK})\b", words):
        return False
    codes = [*re.finditer(_LOCK_CODE, text)]
    lengths = {len(re.sub("[ -]", "", code[0])) for code in codes}
    if not codes or len(lengths) > 1:
        return False
    ends = [code.start() for code in codes[1:]] + [len(text)]
    head = text[: codes[0].start()].strip(" \n\t-*•>.:;,→")
    told = re.sub(_LAST, "", head).strip(' \n\t-*•>`"«')
    if told and not _is_field(head, 1, notes, first=True) and not re.fullmatch(_PROSE, told):
        return False
    for code, end in zip(codes, ends, strict=True):
        line = text.count("\n", 0, code.start()) + 1
        sentence = " ".join(text[code.end() : end].split())
        sentence = re.sub(_LAST, "", sentence)
        mark = sentence.strip(" \"'«»:;.,=–—->*`→⇒")
        notes.add(line, re.sub("[ -]", "", code[0]), mark)
    codes_and_words = " ".join([*(code[0] for code in codes), re.sub("[0-9]", "", words)])
    notes.lock = re.search(rf"\b(?:{DIGITS})s?\b|[0789]", codes_and_words) is not None
    return True
