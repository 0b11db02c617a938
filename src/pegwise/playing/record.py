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

The rules come first, the result last. `hinted: 1,3` names turns for which a hint was asked. Blank
lines and lines that begin with `#` count for nothing. A text that breaks the form, ends early or
contradicts itself is refused with the line where it does. `parse_game` also reads turns as people
note them: `AABC O / DDEF XX / BEEF XXXX`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pegwise.errors import (
    AmbiguousError,
    DataFileError,
    InputError,
    Phrase,
    UnknownNameError,
    quoted,
)
from pegwise.game import Game
from pegwise.game.codes import Code
from pegwise.game.names import SEVERAL, as_parallel, game_of
from pegwise.game.notation import named
from pegwise.game.turns import BETWEEN, Secrets, Turn, Turns
from pegwise.hooks import Drawable
from pegwise.paths import read_text, write_whole
from pegwise.playing.play import Play, Playable, no_turn
from pegwise.reading.codes import check_colors, names_in, read_code
from pegwise.reading.history import HistoryReader, parse_turn, split_turn
from pegwise.reading.marks import parse_mark
from pegwise.reading.pieces import FIELDS, bare_line, field_of

PERSON: Final = "person"
CODEMAKERS: Final = (PERSON, "given", "random", "optimal", "evil")
"""The codemakers: a person; or pegwise, with a code that it was given, that it drew (each with the
same chance, or as the value of the game demands), or whose choice it puts off."""

_DRAWS: Final = ("random", "optimal")

RESULTS: Final = ("open", "solved", "lost", "given up")
"""How games end; one is lost if no guess is allowed any more."""

MAX_NOTED: Final = 100
"""Most turns of a game that is no record."""

_HEAD: Final = "pegwise game 1"
MAX_BYTES: Final = 1 << 20
_TURN: Final = re.compile(r"([0-9]{1,6})\.\s*(.*)")
_SLASH: Final = re.compile(r"\s/(?:\s|$)")
_NUMBERS: Final = re.compile(r"[0-9]{1,6}(?:\s*,\s*[0-9]{1,6})*")
_SEED: Final = re.compile(r"[0-9]{1,20}")
_PLAYER: Final = re.compile(r"\S+|program:.+|.+\.py(:.*)?")


def check_codemaker(codemaker: str, game: Game) -> None:
    """Refuse a codemaker that chooses the code where the game says how it is drawn."""
    if codemaker in {"optimal", "evil"} and game.weights is not None:
        raise InputError(
            "{game}: the code is drawn from the jar, so the codemaker cannot be {codemaker}",
            game=game.name,
            codemaker=codemaker,
        )


@dataclass(frozen=True, slots=True)
class Record(Drawable):
    """A game as it was played, finished or not.

    Attributes:
        game: what is played.
        turns: guesses and their marks, in order.
        result: `open`, `solved`, `lost` or `given up`.
        secret: the hidden code, once it is known; of several boards `Secrets`.
        codebreaker: `person`, or a strategy as it is typed on the command line.
        codemaker: one of `CODEMAKERS`.
        seed: what a `random` or `optimal` codemaker draws its secret with.
        colors: names of one's own for the colors, in their order; none for letters.
        hinted: numbers of the turns for which a hint was asked, from 1; while the game is open,
            the next one may be among them.
        boards: how many secrets are sought at once.

    InputError: parts that the rules do not allow, or that contradict each other. (A person's marks
    may contradict the secret: people slip.)

    Examples:
        >>> record = pegwise.Record.of_turns("4x6", "AABB=XO ABCD=OO")
        >>> record.result, len(record.turns)
        ('open', 2)
    """

    game: Game
    turns: tuple[Turn, ...] = ()
    result: str = "open"
    secret: Code | None = None
    codebreaker: str = PERSON
    codemaker: str = PERSON
    seed: int | None = None
    colors: tuple[str, ...] = ()
    hinted: tuple[int, ...] = ()
    boards: int = 1

    def __post_init__(self) -> None:
        set_to = object.__setattr__
        set_to(self, "game", game_of(self.game))
        start = Play(self.game, self.boards)
        set_to(self, "turns", start.read(self.turns).turns)
        if self.secret is not None:
            secrets = start.read_secrets(self.secret)
            set_to(self, "secret", secrets if self.boards > 1 else secrets[0])
        turns = self.turns
        if self.colors:
            set_to(self, "colors", check_colors(self.colors, self.game))
        if any(not 0 < number <= len(turns) + self.open for number in self.hinted):
            raise InputError(
                "hinted {turns}: there are {n} turns",
                turns=",".join(map(str, self.hinted)),
                n=len(turns),
            )
        for name in FIELDS[1:]:
            _check_field(name, getattr(self, name))
        check_codemaker(self.codemaker, self.game)
        if self.seed is None and self.codemaker in _DRAWS:
            raise InputError(
                "the {codemaker} codemaker needs the seed that its secret is drawn with",
                codemaker=self.codemaker,
            )
        if self.seed is not None and self.codemaker not in _DRAWS:
            raise InputError(
                "a seed is for a random codemaker, not for {codemaker}",
                codemaker=quoted(self.codemaker),
            )
        found = list(start.found)
        for number, turn in enumerate(turns, 1):
            _check_turn(self, found, number, turn)
            found = start.found_by([turn], found)
        _check_result(self)

    @property
    def play(self) -> Play:
        """The game with its turns."""
        return Play(self.game, self.boards, self.turns)

    @property
    def secrets(self) -> tuple[Any, ...]:
        """The secret of each board as far as it is known: told, or found; else None."""
        if self.secret is None:
            return self.play.found
        return (self.secret,) if self.boards == 1 else tuple(self.secret)

    def read_turn(self, found: Sequence[Any], text: str) -> Turn:
        """A turn of a record, in the names of its colors if it has some.

        `found` are the secrets that the turns before it have found. Errors as `parse_turn`.
        """
        if self.boards == 1 and not self.colors:
            return parse_turn(text, self.game)
        guess, answer = split_turn(text)
        if not answer and self.boards > 1:
            raise no_turn(text)
        code = read_code(guess, self.game, named(self.colors)).codes[0]
        if self.boards == 1:
            return Turn(code, parse_mark(answer, self.game))
        return self.play.read_turn(found, code, answer)

    @classmethod
    def of_turns(
        cls, game: Playable, turns: Turns, secret: Code | str | None = None, **fields: Any
    ) -> Record:
        """A game of which only this is noted: open, unless it is won or its secret is known."""
        start = Play.of(game)
        play = Play(start.game, fields.setdefault("boards", start.boards)).read(turns)
        result = "solved" if play.over else "open" if secret is None else "given up"
        return cls(play.game, play.turns, **{"result": result, "secret": secret} | fields)

    @property
    def solved(self) -> bool:
        """Whether the last guess found the code."""
        return self.result == "solved"

    @property
    def open(self) -> bool:
        """Whether the game can go on."""
        return self.result == "open"

    @property
    def game_name(self) -> str:
        """The rules as the record has them."""
        return self.play.name

    def __str__(self) -> str:
        return self.write()

    def write(self) -> str:
        """The record as text; `parse_record` reads it back."""
        fields: dict[str, Any] = {"rules": self.game_name}
        fields |= {name: getattr(self, name) for name in FIELDS[1:-1]}
        guesses = [str(turn.guess) for turn in self.turns]
        if self.colors:
            write = named(self.colors).code
            guesses = [write(turn.guess) for turn in self.turns]
            if self.secret is not None:
                fields["secret"] = Secrets(map(write, self.secrets))
        fields["colors"] = ",".join(self.colors) or None
        fields["hinted"] = ",".join(map(str, self.hinted)) or None
        head = [f"{name}: {value}" for name, value in fields.items() if value is not None]
        turns = [
            f"{n}. {guess} = {turn.mark}"
            for n, (guess, turn) in enumerate(zip(guesses, self.turns, strict=True), 1)
        ]
        blank = [""] * bool(turns)
        return "\n".join([_HEAD, *head, "", *turns, *blank, f"result: {self.result}", ""])


def parse_record(text: str, name: str = "game") -> Record:
    """Read a record; a DataFileError names the line of `name` and says what is wrong with it.

    Of a text without a name, it names the line alone.
    """
    return _parse(_Reader.record, text, name, several=True)


def parse_game(
    text: str, name: str = "game", reader: HistoryReader | None = None, *, several: bool = False
) -> Record:
    """Read a record, or turns as people note them; errors as `parse_record`.

    Turns are separated by line ends or slashes, and may be numbered. Guess and mark are written in
    any notation. A line such as `4x6`, `rules: 4x6` or `secret: BEEF` may stand among them.
    Without rules, the board is as long as the guesses, and has 6 colors (8 from five pegs on) or
    as many as they use. `reader` reads turns, and tells afterwards how it did; `read_history` says
    what else it reads. With `several`, the game may have several secrets: the first line of
    turns is then `wordle*4`, or `rules: wordle*4`, and a turn has a mark for each open board.
    AmbiguousError: the turns may mean several things.
    """
    first = next(filter(None, map(bare_line, text.split("\n"))), "")
    read = _Reader.record if first.startswith(_HEAD[:-1]) else _Reader.notes
    return _parse(read, text, name, reader, several=several)


def _parse(
    read: Callable[[_Reader, str], Record],
    text: str,
    name: str,
    history: HistoryReader | None = None,
    *,
    several: bool = False,
) -> Record:
    reader = _Reader(history or HistoryReader(), several=several)
    try:
        return read(reader, text)
    except AmbiguousError:
        raise
    except InputError as error:
        if not name:
            raise DataFileError("line {line}: {error}", line=reader.line, error=error) from None
        raise DataFileError(
            "{name}, line {line}: {error}", name=repr(name), line=reader.line, error=error
        ) from None


def check_record(record: object) -> None:
    """Raise InputError for anything that is not a record."""
    if not isinstance(record, Record):
        raise InputError(
            "{value} is not a record of a game: read one with load_record", value=quoted(record)
        )


def load_record(path: Path | str) -> Record:
    """Read a record from a file; DataFileError: it cannot be read, or is no record.

    Examples:
        >>> pegwise.save_record(pegwise.Record.of_turns("4x6", "AABB=XO"), "game.txt")
        >>> len(pegwise.load_record("game.txt").turns)
        1
    """
    return parse_record(read_text(Path(path), MAX_BYTES), str(path))


def save_record(record: Record, path: Path | str) -> None:
    """Write a record into a file, which appears whole or not at all.

    Raises:
        InputError: no record.
        OutputError: the path cannot be written.

    Examples:
        >>> pegwise.save_record(pegwise.Record.of_turns("4x6", "AABB=XO"), "game.txt")
        >>> pegwise.load_record("game.txt").result
        'open'
    """
    check_record(record)
    write_whole(Path(path), [record.write().encode()], shared=True)


class _Reader:
    """The fields and turns of a text, each with the line that it stands in."""

    def __init__(self, history: HistoryReader, *, several: bool = False) -> None:
        self.history = history
        self.several = several  # whether a game may have several secrets
        self.line = 0
        self.fields: dict[str, tuple[int, str]] = {}
        self.turns: list[tuple[int, str]] = []

    def record(self, text: str) -> Record:
        """A record as it is written by `Record.write`."""
        lines = text.split("\n")
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
        for number, line in content[1:]:
            self.line = number
            self._read(line)
        if "result" not in self.fields:
            self.line = len(lines)
            raise InputError("the record ends without a line 'result: ...'; it was cut short")
        fields = self._values(None)
        turns = self._played(fields)
        self.line, _ = self.fields["result"]
        return Record(turns=turns, **fields)

    def _played(self, fields: dict[str, Any]) -> tuple[Turn, ...]:
        """The turns of a game with these fields."""
        turns, found = list[Turn](), list[Any]()
        draft: Record | None = None
        for number, text in self.turns:
            self.line = number
            if draft is None:
                draft = Record(**{**fields, "result": "open", "hinted": ()})
                found += draft.play.found
            turn = draft.read_turn(found, text)
            turns.append(turn)
            _check_turn(draft, found, len(turns), turn)
            found = draft.play.found_by([turn], found)
        return tuple(turns)

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
                    "found turn {number} where turn {expected} is expected",
                    number=number,
                    expected=expected,
                )
            self.turns.append((self.line, turn[2]))
            return
        name, value = field_of(line)
        if not name:
            raise InputError(
                "cannot read {line}: write 'name: value' or '1. GUESS = MARK'", line=quoted(line)
            )
        if name not in FIELDS:
            raise UnknownNameError.of("field", name, FIELDS)
        if name in self.fields:
            raise InputError("field {name} is given twice", name=quoted(name))
        if self.turns and name != "result":
            raise InputError("field {name} must come before the turns", name=quoted(name))
        self.fields[name] = self.line, value

    def _values(self, rules: Game | None, names: tuple[str, ...] = ()) -> dict[str, Any]:
        """The values of the fields, on a board that is guessed where they name none.

        `names` are those of its colors, where the fields name none.
        """
        values: dict[str, Any] = {} if rules is None else {"game": rules}
        for name in filter(self.fields.__contains__, FIELDS):
            self.line, text = self.fields[name]
            if name == "rules":
                if self.several and (parallel := as_parallel(text)) is not None:
                    values["boards"] = parallel.n
                    text, _, _ = text.rpartition("*")
                values["game"] = game_of(text)
                continue
            if "game" not in values:
                raise InputError("a line 'rules: ...' must come first")
            if name == "colors":
                values[name] = check_colors(names_in(text), values["game"])
                continue
            if name == "secret":
                notation = named(values.get("colors", names))
                several = "boards" in values
                texts = text.split(BETWEEN.strip()) if several else [text]
                read = [
                    read_code(each.strip(), values["game"], notation, secret=True).codes[0]
                    for each in texts
                ]
                values[name] = Secrets(read) if several else read[0]
                continue
            if name == "hinted":
                if not _NUMBERS.fullmatch(text):
                    raise InputError(
                        "hinted {value}: write numbers of turns, such as 1,3", value=quoted(text)
                    )
                values[name] = tuple(map(int, text.split(",")))
                continue
            values[name] = int(text) if name == "seed" and _SEED.fullmatch(text) else text
            _check_field(name, values[name])
        return values

    def notes(self, text: str) -> Record:
        """A record of a game with what a person has noted of it."""
        if self.several and names_boards(text):
            return self._boards(text)
        try:
            reading = self.history.read(text)
        finally:
            self.line = self.history.line
        if not reading.turns:
            raise InputError("write guesses with their marks, as in AABC O / DDEF XX")
        if len(reading.turns) > MAX_NOTED:
            self.line = text.count("\n") + 1
            raise InputError(
                "{n_turns} turns are too many: at most {most}",
                n_turns=len(reading.turns),
                most=MAX_NOTED,
            )
        self.fields = reading.fields
        fields = self._values(reading.game, reading.notation.own_names)
        self.line, _ = self.fields.get("result", (self.line, ""))
        inferred = {"game": reading.game, "colors": reading.notation.own_names}
        return Record.of_turns(turns=reading.turns, **{**fields, **inferred})

    def _boards(self, text: str) -> Record:
        """A record of turns on several boards, below their rules."""
        for number, line in enumerate(map(bare_line, text.split("\n")), 1):
            for piece in filter(None, map(str.strip, _SLASH.split(line))):
                name, value = field_of(piece)
                if not self.fields and name != "rules":
                    name, value = "rules", piece
                if name in FIELDS:
                    self.fields[name] = number, value
                else:
                    numbered = _TURN.fullmatch(piece)
                    self.turns.append((number, numbered[2] if numbered else piece))
        if len(self.turns) > MAX_NOTED:
            self.line, _ = self.turns[MAX_NOTED]
            raise InputError(
                "{n_turns} turns are too many: at most {most}",
                n_turns=len(self.turns),
                most=MAX_NOTED,
            )
        fields = self._values(None)
        turns = self._played(fields)
        self.line, _ = self.fields.get("result", (self.line, ""))
        return Record.of_turns(turns=turns, **fields)


def names_boards(text: str) -> bool:
    """Whether turns begin with rules and a number of secrets, such as `wordle*4`."""
    piece = next(filter(None, map(bare_line, text.split("\n"))), "")
    name, value = field_of(_SLASH.split(piece)[0])
    several = SEVERAL.fullmatch(value if name == "rules" else _SLASH.split(piece)[0].strip())
    if several is not None:
        with suppress(InputError):
            _ = game_of(several[1].strip())
            return True
    return False


def _check_field(name: str, value: Any) -> None:
    """Refuse what a field cannot hold, whatever the others hold."""
    if name == "codebreaker" and not _PLAYER.fullmatch(value):
        raise InputError(
            "codebreaker {value}: write one word, without spaces; or FILE.py, or program:COMMAND",
            value=quoted(value),
        )
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


def _check_turn(record: Record, found: Sequence[Any], number: int, turn: Turn) -> None:
    """Refuse a turn after the game was won, and a mark that a machine cannot have given.

    `found` are the secrets that the turns before it have found.
    """
    if None not in found:
        raise InputError(
            "turn {turn} comes after turn {last} won the game", turn=number, last=number - 1
        )
    if record.secret is None or record.codemaker == PERSON:
        return
    true = [
        None if noted is None else record.game.mark_of(turn.guess, secret)
        for noted, secret in zip(turn.marks, record.secrets, strict=True)
    ]
    pairs = zip(turn.marks, true, strict=True)
    if not all(mark is None or record.game.marking.agrees(noted, mark) for noted, mark in pairs):
        raise InputError(
            "turn {turn} is {noted}, but secret {secret} gives {true}",
            turn=number,
            noted=turn,
            secret=record.secret,
            true=Turn.of_boards(turn.guess, true).mark,
        )


def _check_result(record: Record) -> None:
    result, play = record.result, record.play
    if record.solved != play.over:
        told = Phrase("there is no turn")
        if record.boards > 1:
            n = sum(secret is not None for secret in play.found)
            told = Phrase("{n} of {secrets} secrets are found", n=n, secrets=record.boards)
        elif play.turns:
            told = Phrase("turn {n} is {turn}", n=len(play.turns), turn=play.turns[-1])
        raise InputError(
            "result {result} contradicts the turns: {last}", result=quoted(result), last=told
        )
    if record.solved:
        found = play.found
        if record.secret is not None and record.secrets != found:
            raise InputError(
                "the game ends with {guess}, but the secret is {secret}",
                guess=play.turns[-1].guess,
                secret=record.secret,
            )
        play.read_secrets(found if record.boards > 1 else found[0])
    _check_known(record)


def _check_known(record: Record) -> None:
    """Refuse a secret that is not told where it is known."""
    if record.secret is not None or record.codemaker == PERSON:
        return
    if record.codemaker == "given":
        raise InputError("a codemaker 'given' needs the secret that it was given")
    if not record.open:
        raise InputError(
            "a game with codemaker {codemaker} ends with its secret shown",
            codemaker=quoted(record.codemaker),
        )
