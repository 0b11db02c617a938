"""Histories as people write them, and the functions that read them.

A text is read in three steps: `pieces` (lines, and where they may be cut), `interpret` (each whole
interpretation, with what it costs) and `decide` (one of them, or a question). What is inferred is
told in `Interpretation.read_as`. A text that may mean several things raises an AmbiguousError,
whose readings are arguments of `read_history`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import game_of
from pegwise.game.game import Game
from pegwise.game.names import parse_code, word_game
from pegwise.game.notation import Notation
from pegwise.game.rules import Rules
from pegwise.game.turns import Turn, Turns
from pegwise.game.words import WordList
from pegwise.reading.codes import check_colors, check_names, names_in
from pegwise.reading.interpret import (
    WORDS,
    Interpretation,
    Told,
    TurnError,
    decide,
    interpret,
    unread,
)
from pegwise.reading.marks import (
    check_mark,
    decide_marks,
    marks_together,
    meanings_told,
    parse_mark,
    readings_of,
)
from pegwise.reading.pieces import Pieces, pieces
from pegwise.reading.vocabulary import LINES

GivenRules = Game | WordList | str | None
"""The rules that a user gives; for a list of words, the turns tell how it is marked."""


def read_rows(
    text: str, rules: GivenRules = None, *, marks: str | None = None
) -> Interpretation | None:
    """The `marks` of a shared game without its words; None where the text is something else.

    Arguments and errors as `read_history`. Without rules the words are those of `wordle`.
    """
    rows = pieces(text).rows
    if not rows:
        return None
    if isinstance(rules, WordList):
        rules = word_game(rules, "placed")
    game = game_of(WORDS if rules is None else rules)
    if not (game.alphabet.are_words and game.marking.cells):
        raise InputError(
            "rows of squares are of words that are marked by place, such as wordle, not of {rules}",
            rules=game,
        )
    ways = marks_together([readings_of(row, game, form=marks) for row in rows], game.pegs)
    if not ways:
        raise InputError(
            "{row} and the other rows of squares use one color in two ways", row=quoted(rows[0])
        )
    chosen = decide_marks(ways)
    told = (*[game.named] * (rules is None), *meanings_told(chosen.readings, game))
    return Interpretation(game, (), Notation.of(game), told, marks=chosen)


def read_history(
    text: str,
    game: GivenRules = None,
    *,
    colors: Sequence[str] = (),
    marks: str | None = None,
    french: bool = False,
    places: Sequence[str] = (),
) -> Interpretation:
    """Read turns as people note them.

    Args:
        text: guesses with their marks, in lines, between slashes, in a table, in JSON, or in
            sentences; rules may stand before them.
        game: its rules, or its list of words; inferred where neither they nor the text tell
            them.
        colors: names of one's own for the colors, in their order.
        marks: the form that marks are read in where several are possible, such as `inclusive`.
        french: a lone `b` in a mark may stand for *blanc*.
        places: names of the places, in their order: guesses may then be pairs, `Ann-Ben`, of the
            name of a color and that of its place.

    Raises:
        AmbiguousError: the text may mean several things; `readings` has the arguments for each.
        InputError: what cannot be read, or what the rules do not allow.

    Examples:
        >>> reading = pegwise.read_history("1122 2 1 / 1344 0 2", "4x6")
        >>> print(*reading.turns)
        AABB=XXO ACDD=OO
    """
    reader = HistoryReader(game, colors=colors, marks=marks, french=french, places=places)
    return reader.read(text)


class HistoryReader:
    """Reads one text; `line` is where it is, also after an error. Arguments as `read_history`."""

    reading: Interpretation | None = None  # the latest reading

    def __init__(
        self,
        game: GivenRules = None,
        *,
        colors: Sequence[str] = (),
        marks: str | None = None,
        french: bool = False,
        places: Sequence[str] = (),
    ) -> None:
        self.line = 1
        words = game if isinstance(game, WordList) else None
        given = None if game is None or isinstance(game, WordList) else game_of(game)
        if places:
            if given is None:
                raise InputError("names of places need rules: give them, such as are-you-the-one")
            what, n = Phrase("colors and places"), given.colors + given.pegs
            names = check_names(what, (*check_colors(colors, given), *places), n, given)
            colors, places = names[: given.colors], names[given.colors :]
        self._told = Told(given, words, tuple(colors), marks, french, tuple(places))

    def read(self, text: str) -> Interpretation:
        """The history of a text, which `reading` has from then on."""
        self.reading = self._read(pieces(text))
        return self.reading

    def read_turns(self, turns: Mapping[int, tuple[str, str]]) -> Interpretation:
        """The history of guesses with their marks, by number, which `line` is of."""
        notes = Pieces()
        for number, (guess, mark) in turns.items():
            notes.add(number, guess, mark)
        self.reading = self._read(notes)
        return self.reading

    def _read(self, notes: Pieces) -> Interpretation:
        """Read what is noted."""
        if notes.rows:
            raise InputError(
                "{row} and the other rows of squares have no guesses: write each guess before its "
                "squares",
                row=quoted(notes.rows[0]),
            )
        told = self._told
        if not told.colors and "colors" in notes.fields:
            self.line, text = notes.fields["colors"]
            told = told._replace(colors=names_in(text))
        if "rules" in notes.fields:
            self.line, text = notes.fields["rules"]
            rules = game_of(text)
            if told.rules not in (None, rules):
                raise InputError(
                    "the text is of {told}, and {rules} is given: leave one of them out",
                    told=rules,
                    rules=told.rules,
                )
            told = told._replace(rules=rules)
        elif notes.shared and told.rules is None and told.words is None:
            told = told._replace(rules=game_of(notes.shared))
        if not notes.turns:
            board = told.rules or (
                game_of(Rules()) if told.words is None else word_game(told.words)
            )
            return Interpretation(board, (), Notation.of(board), fields=notes.fields)
        try:
            rows = interpret(notes, told)
        except TurnError as problem:
            self.line = problem.line
            raise problem.error from None
        self.line = notes.turns[-1].line
        return decide(rows)


# Turns as values


def parse_turn(text: str, rules: Game) -> Turn:
    """Read `ABCD=XXO`, guess and mark in any of their notations; InputError for anything else."""
    guess, answer = split_turn(text)
    if not answer:
        raise unread(text, rules)
    return Turn(parse_code(guess.strip(), rules), parse_mark(answer.strip(), rules))


def split_turn(text: str) -> tuple[str, str]:
    """Guess and mark of a turn, set apart by its last `=` or `->`; no mark where it has none.

    The `=` that a mark has (`=3`, a sum, or `likeness=2`) is not what sets them apart.
    """
    own = LINES["own_sign"].fullmatch(text) or LINES["own_signs"].fullmatch(text)
    if own and (own[2][0] != "=" or text[: own.start(2)].rstrip().endswith(("=", "->"))):
        return own[1], own[2]
    end = max(text.rfind("="), text.rfind("->"))
    arrow = text.startswith("->", end)
    return (text[:end].strip(), text[end + 1 + arrow :].strip()) if end >= 0 else (text, "")


def check_turns(turns: Turns, rules: Game) -> tuple[Turn, ...]:
    """The turns, each a guess and a mark that the rules allow, or both as they are written.

    InputError: no turns. CodeError, MarkError: a guess, a mark that they do not allow.
    AmbiguousError: a text that may mean several things.
    """
    return tuple(
        Turn(rules.alphabet.check(guess), check_mark(answer, rules))
        for guess, answer in pairs(turns, rules)
    )


def pairs(turns: Turns, rules: Game | None = None) -> Iterator[tuple[Any, Any]]:
    """Guess and mark of each turn of any game; InputError for what is no turn."""
    if isinstance(turns, str) and rules is not None:
        turns = [turns]
    if not isinstance(turns, Iterable) or isinstance(turns, str):
        raise InputError(
            "{history} is not a history: give a list of turns, such as ['AABB=XO']",
            history=quoted(turns),
        )
    turns = list(turns)
    if turns and rules is not None and all(isinstance(turn, str) for turn in turns):
        text = "\n".join(map(str, turns))
        reading = read_history(text, rules)
        if not reading.turns and text.strip():
            raise unread(text, rules)
        if reading.inferred:
            raise InputError(
                "{text} has to be read in an unusual way; read_history does so: {told}",
                text=quoted(text),
                told=reading.told,
            )
        yield from reading.turns
        return
    for turn in turns:
        parts: Any = turn
        if isinstance(turn, str):
            parts = (
                parse_turn(turn, rules) if rules is not None else [*filter(None, split_turn(turn))]
            )
        try:
            guess, answer = parts
        except (TypeError, ValueError):
            raise InputError(
                "{turn} is not a turn: give a guess and its mark, such as ('AABB', 'XO')",
                turn=quoted(turn),
            ) from None
        yield guess, answer
