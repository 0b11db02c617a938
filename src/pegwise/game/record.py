"""Turns, and records of games: rules, turns and result as a text that people and programs read.

    pegwise game 1
    rules: 4x6
    codebreaker: person
    codemaker: random
    seed: 17
    secret: BEEF

    1. AABC = O
    2. BEEF = XXXX

    result: solved

The rules come first, the result last. Blank lines and lines that begin with `#` count for nothing.
A text that breaks the form, ends early or contradicts itself is refused with the line where it
does. `parse_game` also reads turns as people note them: `AABC O / DDEF XX / BEEF XXXX`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pegwise.errors import (
    CodeError,
    DataFileError,
    InputError,
    MarkError,
    Phrase,
    UnknownNameError,
    quoted,
)
from pegwise.game.codes import HOLE, Code, Ruled, check_code, parse_code
from pegwise.game.game import FiniteGame
from pegwise.game.marks import Mark, check_mark, mark_of, parse_mark, winning_mark
from pegwise.game.rules import Rules, as_rules
from pegwise.game.words import NAMED, find_words
from pegwise.paths import read_text
from pegwise.plugins import Drawable, picture

Turns = Iterable[tuple[Any, Any] | str]
"""A history: a guess and its mark each; on a board also as they are written (`AABB=XO`)."""


class Turn(NamedTuple):
    """A guess with its mark."""

    guess: Code
    mark: Mark

    def __str__(self) -> str:
        return f"{self.guess}={self.mark}"

    def _repr_html_(self) -> str | None:
        return picture(self)


class Played(list[Turn], Drawable):
    """The turns of a game in order; in a notebook they show themselves as a board."""


def parse_turn(text: str, rules: Rules) -> Turn:
    """Read `ABCD=XXO`, guess and mark in any of their notations; InputError for anything else."""
    guess, equals, answer = text.partition("=")
    if not equals:
        raise InputError(
            "cannot read turn {text}: write GUESS=MARK, for example ABCD=XXO", text=repr(text)
        )
    return Turn(parse_code(guess.strip(), rules), parse_mark(answer.strip(), rules))


def check_turns(turns: Turns, rules: Ruled) -> tuple[Turn, ...]:
    """The turns, each a guess and a mark that the rules allow, or both as they are written.

    InputError: no turns. CodeError, MarkError: a guess, a mark that they do not allow.
    """
    return tuple(
        Turn(check_code(guess, rules), check_mark(answer, rules))
        for guess, answer in pairs(turns, rules)
    )


def pairs(turns: Turns, rules: Ruled | None = None) -> Iterator[tuple[Any, Any]]:
    """Guess and mark of each turn of any game; InputError for what is no turn."""
    if not isinstance(turns, Iterable) or isinstance(turns, str):
        raise InputError(
            "{history} is no history: give a list of turns, such as ['AABB=XO']",
            history=quoted(turns),
        )
    turn: Any
    for turn in turns:
        if isinstance(turn, str) and isinstance(rules, Rules):
            yield parse_turn(turn, rules)
            continue
        try:
            guess, answer = turn
        except (TypeError, ValueError):
            raise InputError(
                "{turn} is no turn: give a guess and its mark, such as ('AABB', 'XO')",
                turn=quoted(turn),
            ) from None
        yield guess, answer


PERSON: Final = "person"
CODEMAKERS: Final = (PERSON, "given", "random", "optimal", "evil")
"""Who marks: a person; or pegwise with a code that it was given, that it drew (each with the same
chance, or as the value of the game demands), or whose choice it puts off."""

_DRAWS: Final = ("random", "optimal")

RESULTS: Final = ("open", "solved", "lost", "given up")
"""How games end; one is lost if no guess is allowed any more."""

MAX_NOTED: Final = 100
"""Most turns of a game that is no record."""

_HEAD: Final = "pegwise game 1"
_FIELDS: Final = ("rules", "codebreaker", "codemaker", "seed", "secret", "result")
_MAX_BYTES: Final = 1 << 20
_TURN: Final = re.compile(r"([0-9]{1,6})\.\s*(.*)")
_SEED: Final = re.compile(r"[0-9]{1,20}")
_WORD: Final = re.compile(r"\S+")

_AHEAD: Final = re.compile(
    r"(?:[^\W\d]{2,}\s+)?(?:#[0-9]{1,3}\s?[.):]?|[0-9]{1,3}\s?[.):])\s+|[>*•\s]+"
)
"""What may stand before a turn: its number, a bullet."""

_BETWEEN: Final = re.compile(r"(?:->|[\s,;:=→>|])+")
"""What may stand between a guess and its mark, and also within each of them."""

_BOARD: Final = re.compile(r"[0-9]+x[0-9]+.*|(?:" + "|".join(NAMED) + ")(?:,.*)?", re.IGNORECASE)
_SHARED: Final = re.compile(r"pegwise ([^\s:;]+?)(?:, \w+ ([\w.]+))?\s?:")
"""The head of a review as text, which is pasted too."""

_MAX_PIECE: Final = 250


@dataclass(frozen=True, slots=True)
class Record(Drawable):
    """A game as it was played, finished or not.

    Attributes:
        rules: of the game; a game that has none.
        turns: what was guessed and answered, in order.
        result: `open`, `solved`, `lost` or `given up`.
        secret: the hidden code, once it is known.
        codebreaker: `person`, or a strategy as it is typed on the command line.
        codemaker: one of `CODEMAKERS`.
        seed: what a `random` or `optimal` codemaker draws its secret with.

    InputError: parts that the rules do not allow, or that contradict each other. (A person's marks
    may contradict the secret: people slip.)
    """

    rules: Rules
    turns: tuple[Turn, ...] = ()
    result: str = "open"
    secret: Code | None = None
    codebreaker: str = PERSON
    codemaker: str = PERSON
    seed: int | None = None

    def __post_init__(self) -> None:
        set_to = object.__setattr__
        if not isinstance(self.rules, FiniteGame):
            set_to(self, "rules", as_rules(self.rules))
        set_to(self, "turns", check_turns(self.turns, self.rules))
        if self.secret is not None:
            set_to(self, "secret", check_code(self.secret, self.rules, secret=True))
        for name in _FIELDS:
            _check_field(name, getattr(self, name))
        if self.seed is None and self.codemaker in _DRAWS:
            raise InputError(
                "the {codemaker} codemaker needs the seed that its secret is drawn with",
                codemaker=self.codemaker,
            )
        if self.seed is not None and self.codemaker not in _DRAWS:
            raise InputError(
                "a seed is for a random codemaker, not for {codemaker}",
                codemaker=repr(self.codemaker),
            )
        for number in range(1, len(self.turns) + 1):
            _check_turn(self.turns, number, self)
        _check_result(self)

    @classmethod
    def of_turns(
        cls, rules: Rules, turns: Iterable[Turn], secret: Code | None = None, **fields: Any
    ) -> Record:
        """A game of which only this is noted: open, unless it is won or its secret is known."""
        noted = tuple(turns)
        won = bool(noted) and noted[-1].mark == winning_mark(rules)
        result = "solved" if won else "open" if secret is None else "given up"
        return cls(rules, noted, **{"result": result, "secret": secret} | fields)

    @property
    def solved(self) -> bool:
        """Whether the last guess found the code."""
        return self.result == "solved"

    @property
    def open(self) -> bool:
        """Whether the game can go on."""
        return self.result == "open"

    def __str__(self) -> str:
        return self.write()

    def write(self) -> str:
        """The record as text; `parse_record` reads it back."""
        fields = {name: getattr(self, name) for name in _FIELDS[:-1]}
        head = [f"{name}: {value}" for name, value in fields.items() if value is not None]
        turns = [f"{n}. {turn.guess} = {turn.mark}" for n, turn in enumerate(self.turns, 1)]
        blank = [""] * bool(turns)
        return "\n".join([_HEAD, *head, "", *turns, *blank, f"result: {self.result}", ""])


def parse_record(text: str, name: str = "game") -> Record:
    """Read a record; a DataFileError names the line of `name` and says what is wrong with it."""
    return _parse(_Reader.record, text, name)


def parse_game(text: str, name: str = "game") -> Record:
    """Read a record, or turns as people note them; errors as `parse_record`.

    Turns are separated by line ends or slashes, and may be numbered. Guess and mark are written in
    any notation. A line such as `4x6`, `rules: 4x6` or `secret: BEEF` may stand among them.
    Without rules, the board is as long as the guesses, and has 6 colors (8 from five pegs on) or
    as many as they use.
    """
    first = next(filter(None, map(_bare, text.split("\n"))), "")
    return _parse(_Reader.record if first.startswith(_HEAD[:-1]) else _Reader.notes, text, name)


def _parse(read: Callable[[_Reader, list[str]], Record], text: str, name: str) -> Record:
    reader = _Reader()
    try:
        return read(reader, text.split("\n"))
    except InputError as error:
        raise DataFileError(
            "{name}, line {line}: {error}", name=repr(name), line=reader.line, error=error
        ) from None


def read_record(path: Path | str, parse: Callable[[str, str], Record] = parse_record) -> Record:
    """Read a record from a file, or a DataFileError; `parse_game` reads turns too."""
    return parse(read_text(Path(path), _MAX_BYTES), str(path))


class _Reader:
    """The fields and turns of a text, each with the line that it stands in."""

    def __init__(self) -> None:
        self.line = 0
        self.fields: dict[str, tuple[int, str]] = {}
        self.turns: list[tuple[int, str]] = []

    def record(self, lines: list[str]) -> Record:
        """A record as it is written by `Record.write`."""
        numbered = enumerate(map(str.strip, lines), 1)
        content = [(n, line) for n, line in numbered if line and not line.startswith("#")]
        self.line, head = content[0] if content else (len(lines), "")
        if not head:
            raise InputError("a record of a game begins with '{head}'", head=_HEAD)
        if head != _HEAD:
            raise InputError(
                "{line}: this version of pegwise reads only '{head}'"
                if head.startswith("pegwise game ")
                else "{line} is not how a record of a game begins; expected '{head}'",
                line=quoted(head),
                head=_HEAD,
            )
        for self.line, line in content[1:]:
            self._read(line)
        if "result" not in self.fields:
            self.line = len(lines)
            raise InputError("the record ends without a line 'result: ...'; it was cut short")
        fields, turns = self._values(None), list[Turn]()
        draft: Record | None = None
        for number, text in self.turns:
            self.line = number
            draft = draft or Record(**{**fields, "result": "open"})
            turns.append(parse_turn(text, draft.rules))
            _check_turn(turns, len(turns), draft)
        self.line, _ = self.fields["result"]
        return Record(turns=tuple(turns), **fields)

    def _read(self, line: str) -> None:
        """Read a line of a record below its head."""
        if "result" in self.fields:
            raise InputError(
                "{line} comes after the result, which ends a record", line=quoted(line)
            )
        if turn := _TURN.fullmatch(line):
            number, expected = int(turn[1]), len(self.turns) + 1
            if number != expected:
                raise InputError(
                    "turn {number} stands where turn {expected} is expected",
                    number=number,
                    expected=expected,
                )
            self.turns.append((self.line, turn[2]))
            return
        name, value = _field_of(line)
        if not name:
            raise InputError(
                "cannot read {line}: write 'name: value' or '1. GUESS = MARK'", line=quoted(line)
            )
        if name not in _FIELDS:
            raise UnknownNameError.of("field", name, _FIELDS)
        if name in self.fields:
            raise InputError("field {name} is given twice", name=repr(name))
        if self.turns and name != "result":
            raise InputError("field {name} must come before the turns", name=repr(name))
        self.fields[name] = self.line, value

    def _values(self, rules: Rules | None) -> dict[str, Any]:
        """The values of the fields, on a board that is guessed where they name none."""
        values: dict[str, Any] = {} if rules is None else {"rules": rules}
        for name in filter(self.fields.__contains__, _FIELDS):
            self.line, text = self.fields[name]
            if name == "rules":
                values[name] = Rules.parse(text)
                continue
            if "rules" not in values:
                raise InputError("a line 'rules: ...' must come first")
            if name == "secret":
                values[name] = parse_code(text, values["rules"], secret=True)
                continue
            values[name] = int(text) if name == "seed" and _SEED.fullmatch(text) else text
            _check_field(name, values[name])
        return values

    def notes(self, lines: list[str]) -> Record:
        """What a person has noted of a game."""
        for self.line, line in enumerate(map(_bare, lines), 1):
            if shared := _SHARED.match(line):
                texts = zip(("rules", "secret"), shared.groups(), strict=True)
                self.fields |= {name: (self.line, text) for name, text in texts if text}
            elif not line.startswith("#") or _AHEAD.match(line):
                for piece in _pieces(line):
                    self._note(piece)
        if not self.turns:
            raise InputError("write guesses with their marks, as in AABC O / DDEF XX")
        if len(self.turns) > MAX_NOTED:
            raise InputError(
                "{n_turns} turns are too many: at most {most}",
                n_turns=len(self.turns),
                most=MAX_NOTED,
            )
        fields = self._values(None if "rules" in self.fields else self._board())
        turns = [self._turn(line, piece, fields["rules"]) for line, piece in self.turns]
        self.line, _ = self.fields.get("result", (self.line, ""))
        return Record.of_turns(turns=turns, **fields)

    def _note(self, piece: str) -> None:
        name, text = _field_of(piece)
        if name in _FIELDS:
            self.fields[name] = self.line, text
        elif not self.turns and _names_rules(piece):
            self.fields["rules"] = self.line, piece
        else:
            ahead = _AHEAD.match(piece)
            self.turns.append((self.line, piece[ahead.end() :] if ahead else piece))

    def _turn(self, line: int, piece: str, rules: Rules) -> Turn:
        """A guess, and a mark after it."""
        self.line = line
        problem: InputError | None = None
        for guess, answer in _halves(piece):
            try:
                code = parse_code(guess, rules)
            except CodeError as error:
                problem = problem or error
                continue
            try:
                return Turn(code, parse_mark(answer, rules))
            except MarkError as error:
                problem = error
        raise problem or InputError(
            "cannot read turn {text}: write guess and mark, as in AABC O", text=quoted(piece)
        )

    def _board(self) -> Rules:
        """The smallest usual board of these turns."""
        readings: list[dict[int, Code]] = []
        for _, piece in self.turns:
            readings.append({})
            for guess, answer in _halves(piece):
                signs = re.split(r"[\s,;-]+", guess.replace("\ufe0f", "").strip(" ,;-"))
                for n_pegs in {len(signs), len("".join(signs))}:
                    with suppress(InputError):
                        board = Rules(n_pegs, 26, blank=True)
                        parse_mark(answer, board)
                        readings[-1][n_pegs] = parse_code(guess, board)
        shared = set(readings[0]).intersection(*readings)
        pegs = min(shared or readings[0] or {4})
        colors = {color for codes in readings for color in codes.get(pegs, ())}
        most = max([8 if pegs > 4 else 6, *(color + 1 for color in colors - {HOLE})])
        return Rules(pegs, most, blank=HOLE in colors)


def _bare(line: str) -> str:
    """A line as it is noted, without a frame of a table or signs that are not seen."""
    return line.strip("\ufeff\u200b \t\r|`")


def _names_rules(piece: str) -> bool:
    """Whether a piece is rules: of a board, or of a list of words that is there."""
    if _BOARD.fullmatch(piece):
        return True
    return find_words(piece.lower().partition(",")[0].partition("@")[0]) is not None


def _pieces(line: str) -> Iterator[str]:
    """Turns and fields of a line; remarks after a numbered turn are left out."""
    for piece in filter(None, map(str.strip, line.split("/"))):
        parts = [part.strip() for part in piece.split(";") if part.strip()]
        heads = [(part, _AHEAD.match(part)) for part in parts]
        numbered = [part for part, head in heads if head and _BETWEEN.search(part, head.end())]
        several = all(map(_BETWEEN.search, parts))
        yield from numbered or (parts if several else [piece])


def _halves(piece: str) -> Iterator[tuple[str, str]]:
    """Where a guess may end and its mark begin."""
    if len(piece) <= _MAX_PIECE:
        for between in _BETWEEN.finditer(piece):
            yield piece[: between.start()], piece[between.end() :]


def _field_of(line: str) -> tuple[str, str]:
    """The name of a field and its text; no name where a line is no field."""
    name, colon, text = line.partition(":")
    return (name.strip().lower(), text.strip()) if colon and "=" not in name else ("", "")


def _check_field(name: str, value: Any) -> None:
    """Refuse what a field cannot hold, whatever the others hold."""
    if name == "codebreaker" and not _WORD.fullmatch(value):
        raise InputError("codebreaker {value}: write one word, without spaces", value=quoted(value))
    if name == "codemaker" and value not in CODEMAKERS:
        raise UnknownNameError.of("codemaker", value, CODEMAKERS)
    if name == "result" and value not in RESULTS:
        raise UnknownNameError.of("result", value, RESULTS)
    if name == "seed" and value is not None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not 0 <= value < 10**20:
            raise InputError(
                "seed {seed} is not a whole number of up to 20 digits", seed=quoted(value)
            )


def _check_turn(turns: Sequence[Turn], number: int, record: Record) -> None:
    """Refuse a turn after the game was won, and a mark that a machine cannot have given."""
    rules, secret, turn = record.rules, record.secret, turns[number - 1]
    if number > 1 and turns[number - 2].mark == winning_mark(rules):
        raise InputError(
            "turn {turn} comes after turn {last} won the game", turn=number, last=number - 1
        )
    if secret is None or record.codemaker == PERSON:
        return
    true = mark_of(rules, turn.guess, secret)
    if turn.mark != true:
        raise InputError(
            "turn {turn} is {noted}, but secret {secret} gives {true}",
            turn=number,
            noted=turn,
            secret=secret,
            true=true,
        )


def _check_result(record: Record) -> None:
    result, turns, secret = record.result, record.turns, record.secret
    won = bool(turns) and turns[-1].mark == winning_mark(record.rules)
    if record.solved != won:
        last = Phrase("there is no turn")
        if turns:
            last = Phrase("turn {n} is {turn}", n=len(turns), turn=turns[-1])
        raise InputError(
            "result {result} contradicts the turns: {last}", result=repr(result), last=last
        )
    if record.solved:
        if secret is not None and secret != turns[-1].guess:
            raise InputError(
                "the game ends with {guess}, but the secret is {secret}",
                guess=turns[-1].guess,
                secret=secret,
            )
        check_code(turns[-1].guess, record.rules, secret=True)
    if secret is not None or record.codemaker == PERSON:
        return
    if record.codemaker == "given":
        raise InputError("a codemaker 'given' needs the secret that it was given")
    if not record.open:
        raise InputError(
            "a game with codemaker {codemaker} ends with its secret shown",
            codemaker=repr(record.codemaker),
        )
