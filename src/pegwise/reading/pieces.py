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
from itertools import takewhile
from typing import Final, NamedTuple

from pegwise.errors import Phrase
from pegwise.game.named import NAMED
from pegwise.game.resolvers import names_game
from pegwise.game.signs import plain, unaccented
from pegwise.game.words import find_words
from pegwise.reading import costs
from pegwise.reading.codes import signs_of
from pegwise.reading.marks import is_turn
from pegwise.reading.tables import html_lines, json_lines, table_of, unquoted_cells
from pegwise.reading.vocabulary import COLOR_WORDS, DISCS, LINES, word_set

FIELDS: Final = (
    *("rules", "colors", "codebreaker", "codemaker", "seed", "secret", "hinted", "result"),
)
"""Lines that a record has besides its turns."""

_MOST_PIECE: Final = 250
_MOST_CUTS: Final = 60
_MOST_PARTS: Final = 24  # parts of a mark that slashes or semicolons set apart, its guess too


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
        cuts = tuple(_cuts(guess)) if mark is None else (Cut(guess, mark),)
        self.turns.append(Piece(line, f"{guess} {mark or ''}".strip(), cuts))

    def add_pairs(self, rows: Sequence[tuple[int, str]], *, said: bool = False) -> bool:
        """Note guesses, each with its mark in the row after it; whether the rows are such.

        They are if each row is a guess or a mark alone, unless they were `said`.
        """
        texts = [text for _, text in rows]
        guesses, marks = texts[::2], texts[1::2]
        if not texts or len(guesses) != len(marks):
            return False
        if said or any(map(LINES["between"].search, texts)):
            sizes = {len(signs.signs) if (signs := signs_of(guess)) else 0 for guess in guesses}
            several = all(len(guess) > 1 and not is_turn(guess, guess) for guess in guesses)
            if len(sizes) != 1 or not several or not all(map(is_turn, guesses, marks)):
                return False
        for (_, guess), (line, mark) in zip(rows[::2], rows[1::2], strict=True):
            self.add(line, guess, mark)
        return True


def pieces(text: str) -> Pieces:
    """The pieces of a text; an InputError for JSON that holds no turns."""
    notes, names = Pieces(), "|".join(DISCS)  # that forums write for squares and discs
    shown = re.compile(rf":(?:large_)?({names})_(?:large_)?(square|circle):")
    bare = shown.sub(lambda name: DISCS[name[1]][name[2] == "square"], plain(text))
    rest = _without_fields(json_lines(html_lines(bare), FIELDS), notes)
    ways = (_from_rows, _from_dialogue, _from_table, _from_sentences, _from_lines)
    next(filter(None, (way(rest, notes) for way in ways)))
    return notes


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
    name = re.split("[,@]", line.lower())[0]
    known = LINES["board"].fullmatch(line) or name in NAMED or names_game(line)
    return bool(known) or find_words(name) is not None


def _without_fields(text: str, notes: Pieces) -> str:
    """A text without its lines that are no turns, which are noted; those lines are empty."""
    lines, first = text.split("\n"), True
    for at, line in enumerate(map(bare_line, lines)):
        if shared := LINES["review"].match(line):
            texts = zip(("rules", "secret"), shared.groups(), strict=True)
            notes.fields |= {name: (at + 1, text) for name, text in texts if text}
        elif LINES["wordle"].fullmatch(line):
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


def _from_table(text: str, notes: Pieces) -> bool:
    """Columns under heads; whether the text has them."""
    rows, told = table_of(text)
    for number, guess, mark in rows:
        notes.add(number, guess, mark or None)
    notes.told += told
    return bool(rows)


def _head(text: str) -> int:
    """Where the head of a turn ends, as in `* AABC O`, `2) AABC O`, `Guess 1: AABC O`."""
    head = LINES["head"].match(text)
    return head.end() if head else 0


# Rows of squares


def _from_rows(text: str, notes: Pieces) -> bool:
    """Rows of squares, and the words after the rows; whether the text is such."""
    lines = [(n, line) for n, line in enumerate(map(bare_line, text.split("\n")), 1) if line]
    squares = takewhile(lambda row: LINES["row"].fullmatch(row[1]), lines)
    rows = ["".join(line.split()) for _, line in squares]
    words = lines[len(rows) :]
    if not words:
        notes.rows = rows
    elif [len(word) for _, word in words] != [*map(len, rows)] or any(
        is_turn("1" * len(word), word) for _, word in words
    ):
        return False
    for (number, word), row in zip(words, rows, strict=False):
        notes.add(number, word, row)
    return bool(rows)


# Guesses and marks that are said in turn: in a chat, or under labels


def _from_dialogue(text: str, notes: Pieces) -> bool:
    """`moi: AABB / toi: 1 noir`, and lines of a chat with times; whether the text is such."""
    said: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in filter(str.strip, LINES["next"].split(LINES["time"].sub("", line.strip()))):
            speech = LINES["said"].fullmatch(part.strip())
            if speech is None:
                return False
            name = re.sub(r"[\d#.\s]+", " ", speech[1] or speech[2]).strip().casefold()
            said.append((number, name, speech[3].strip()))
    names, texts = [name for _, name, _ in said], [text for *_, text in said]
    if len({*names}) != 2 or names != names[:2] * (len(said) // 2):
        return False
    if not {*names} & word_set("labels"):  # a guess and its mark in each line, as in `AABB: 2 1`
        signs = signs_of(texts[0]) if len(texts) == 2 else None
        if all(map(is_turn, names, texts)) or (signs and len(signs.signs) == len(names[0])):
            return False
    return notes.add_pairs([(number, text) for number, _, text in said], said=True)


# Lines, and several turns in one


def _from_lines(text: str, notes: Pieces) -> bool:
    """Turns in lines; one that begins with # is a remark, unless a number follows."""
    lines = enumerate(map(unquoted_cells, map(bare_line, text.split("\n"))), 1)
    rows = [(n, line, end) for n, line in lines if (end := _head(line)) or line[:1] != "#"]
    turns: list[tuple[int, str]] = []
    for number, line, end in [row for row in rows if row[2] < len(row[1])] or rows:
        for piece in _turns_of(LINES["remark"].sub("", line) if end else line):
            if not _is_field(piece, number, notes, first=not turns):
                turns.append((number, piece))
    turns = _without_heads(turns, notes)
    ways = [turns]
    if turns and ";" not in turns[0][1]:  # the next guess may stand in the line of a mark
        ways.append([(number, half) for number, turn in turns for half in turn.split(";")])
    if not any(map(notes.add_pairs, ways)):
        for number, turn in turns:
            notes.add(number, turn)
    return True


def _without_heads(turns: list[tuple[int, str]], notes: Pieces) -> list[tuple[int, str]]:
    """Turns without the bullets or numbers before them; in order if the numbers count down.

    A number and a colon, or a blank, may be a guess: it is a number if those of all turns count.
    """
    if all(turn.startswith("- ") and LINES["between"].search(turn[2:]) for _, turn in turns):
        turns = [(number, turn[2:]) for number, turn in turns]
    counts = [LINES["count"].match(turn) for _, turn in turns]
    numbers = [int(count[1]) for count in counts if count]
    order = [*range(1, len(turns) + 1)]
    counted = numbers in (order, order[::-1])
    turns = [
        (number, turn[count.end() if count and counted else _head(turn) :] or turn)
        for (number, turn), count in zip(turns, counts, strict=True)
    ]
    if counted and numbers != order:
        notes.told.append(Phrase("numbered downward, the last line first"))
        turns.reverse()
    return turns


def _turns_of(line: str) -> Iterator[str]:
    """The turns and fields of a line: its parts between the first separators that divide it."""
    line = line.rstrip(" ;")
    for between, shapes in _separators(line):
        parts = _joined(line, between, shapes)
        if len(parts) > 1:
            for part in parts:
                yield from _turns_of(part)
            return
    if line:
        yield line


def _separators(line: str) -> Iterator[tuple[re.Pattern[str], frozenset[Shape] | None]]:
    """What may stand between the turns of a line.

    Beside it the shapes that their guesses may have, none for any; None where they need not be
    turns.
    """
    numbers = [int(number) for number in LINES["inside"].findall(line)]
    if numbers[1:] and numbers == [*range(1, len(numbers) + 1)] and LINES["inside"].match(line):
        yield LINES["numbered"], frozenset()
    yield LINES["typed"], frozenset()
    first = LINES["first"].match(line[_head(line) :])
    guess = first[1] if first else ""
    sizes = [(len(word), word.isdecimal()) for word in re.findall(r"[^\W_]+", line)]
    several = sizes.count((len(guess), guess.isdecimal())) > 1
    if several and unaccented(guess) not in COLOR_WORDS | word_set("labels"):
        kind = "digits" if guess.isdecimal() else "letters"
        yield LINES["blanks"], frozenset({(kind, len(guess))})
    yield LINES["typed"], None


def _joined(line: str, between: re.Pattern[str], shapes: frozenset[Shape] | None) -> list[str]:
    """The parts of a line between separators, of which those that make up a turn are one.

    So are `2 black / 1 white` and `2/1`. The whole line, if parts are no turns though they should.
    """
    ends = [(sign.start(), sign.end()) for sign in between.finditer(line, _head(line))]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(line)]
    turns: list[str] = []
    while ends and starts:
        parts = [line[start:stop].strip() for start, stop in zip(starts, stops, strict=True)]
        if not shapes and frozenset[Shape].intersection(*map(_shapes, parts)):
            return [*turns, *parts]
        sizes = [
            n
            for n, stop in enumerate(stops[:_MOST_PARTS], 1)
            if (own := _shapes(line[starts[0] : stop])) and (not shapes or own & shapes)
        ]
        if not sizes and shapes is not None:
            return [line]
        size = max(sizes, default=1)
        turns.append(line[starts[0] : stops[size - 1]].strip())
        starts, stops = starts[size:], stops[size:]
    return [*filter(None, turns)] or [line]


Shape = tuple[str, int]
"""The kind of signs of a guess, and how many they are."""


@lru_cache(maxsize=1024)
def _shapes(text: str) -> frozenset[Shape]:
    """The shapes that a guess at the beginning of a text may have, with a mark behind it."""
    text = text.strip()
    uncounted = LINES["count"].sub("", text, count=1) if LINES["count"].match(text) else text
    rests = {text, text[_head(text) :], uncounted, text.removeprefix("- ")}
    cuts = (cut for rest in rests for cut in _cuts(rest) if is_turn(*cut[:2]))
    signs = (signs_of(cut.guess) for cut in cuts)
    return frozenset((each.kind, len(each.signs)) for each in signs if each)


# Where a guess ends


def _cuts(piece: str) -> Iterator[Cut]:
    """Where a guess may end and its mark begin, also behind what may be a head."""
    own = LINES["own_sign"].fullmatch(piece) or LINES["own_signs"].fullmatch(piece)
    yield from [Cut(own[1], own[2])] if own else _at_signs(piece)
    count = LINES["count"].match(piece)
    if lead := LINES["before"].match(piece):
        yield from _cuts(piece[lead.end() :])
    elif count and ":" in count[0]:  # of one turn of several, perhaps
        yield from (cut._replace(cost=costs.IGNORED) for cut in _cuts(piece[count.end() :]))


def _at_signs(piece: str) -> Iterator[Cut]:
    """Cuts at the signs that may stand between a guess and its mark.

    A cut elsewhere than at a separator that was typed costs much.
    """
    short = piece[:_MOST_PIECE]
    if ahead := LINES["row_ahead"].fullmatch(short):
        yield Cut(ahead[2], f"{ahead[1]} {ahead[3] or ''}".strip())
    ends = [
        (end, LINES["typed_sign"].search(end[0]) is not None)
        for way in ("between", "dash")
        for end in LINES[way].finditer(piece)
    ]
    verb = LINES["answered"].search(short)
    any_typed = verb is not None or any(typed for _, typed in ends)
    if len(piece) > _MOST_PIECE:
        ends = [end for end in ends if end[1]]
    # an equation has equals signs of its own: an arrow comes first, then the last sign
    ends.sort(key=lambda end: (not end[1], end[1] and "=" in end[0][0], -end[0].start() * end[1]))
    for end, typed in ends[:_MOST_CUTS]:
        guess, mark = piece[: end.start()].strip(), piece[end.end() :]
        mark = mark.replace("|", " ").replace("\t", " ").strip()
        if guess and mark:
            yield Cut(guess, mark, typed, costs.IGNORED * (any_typed and not typed))
    if verb and piece[: verb.start()] and piece[verb.end() :]:
        yield Cut(piece[: verb.start()], piece[verb.end() :])


# Sentences of number locks


def _from_sentences(text: str, notes: Pieces) -> bool:
    """Numbers of one length, each followed by a sentence; whether the text is such."""
    words = unaccented(text)
    if len(words) != len(text) or not LINES["lock_words"].search(words):
        return False
    codes = [*LINES["lock_code"].finditer(text)]
    if len({len(re.sub("[ -]", "", code[0])) for code in codes}) != 1:
        return False
    ends = [code.start() for code in codes[1:]] + [len(text)]
    head = text[: codes[0].start()].strip(" \n\t-*•>.:;,→")
    told = LINES["lock_head"].sub("", head).strip(' \n\t-*•>`"«')
    if told and not _is_field(head, 1, notes, first=True) and not LINES["prose"].fullmatch(told):
        return False
    for code, end in zip(codes, ends, strict=True):
        line = text.count("\n", 0, code.start()) + 1
        sentence = " ".join(text[code.end() : end].split())
        sentence = LINES["lock_head"].sub("", sentence)
        mark = sentence.strip(" \"'«»:;.,=–—->*`→⇒")
        notes.add(line, re.sub("[ -]", "", code[0]), mark)
    codes_and_words = " ".join([*(code[0] for code in codes), re.sub("[0-9]", "", words)])
    notes.lock = LINES["lock_digits"].search(codes_and_words) is not None
    return True
