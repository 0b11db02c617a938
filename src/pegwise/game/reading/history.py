"""Histories as people write them: one reading of a text, with what was inferred, or a question.

A text is split into guesses and marks (`reading.text`), guesses are read together
(`reading.codes`), and so are marks (`reading.marks`). Where rules are not told, they are inferred.
What is inferred is told in `NotedHistory.read_as`. A text that may mean several things raises an
AmbiguousError, whose readings are arguments of `read_history`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pegwise.errors import AmbiguousError, CodeError, InputError, MarkError, Phrase, quoted
from pegwise.game.codes import Code, check_code, parse_code
from pegwise.game.game import Game
from pegwise.game.marks import Mark, example_turn
from pegwise.game.notation import Notation
from pegwise.game.reading.codes import (
    CodesRead,
    Signs,
    infer_board,
    names_in,
    read_codes,
    signs_of,
)
from pegwise.game.reading.marks import (
    BULLS,
    INCLUSIVE,
    LIKENESS,
    MarkReading,
    check_mark,
    meanings_told,
    parse_mark,
    readings_of,
    settled,
    told_as,
)
from pegwise.game.reading.text import NAMED_NUMBER, Noted, NotedTurn, noted
from pegwise.game.rules import MAX_PEGS, MAX_PLACED, Rules, as_rules
from pegwise.game.turns import Turn, Turns
from pegwise.game.words import WordList

ToldRules = Rules | WordList | str | None
"""The rules as they are given; of a list of words the turns tell how it is marked."""

_WORDS: Final = "wordle"  # the game of guesses that are words, where no rules are told
_BOARD_LETTERS: Final = frozenset("ABCDEFGH")  # colors of boards where none are told
_DISCS: Final = frozenset("●○⚫⚪⚬🔴")


@dataclass(frozen=True, slots=True)
class NotedHistory:
    """A history as it was read.

    Attributes:
        rules: of the game.
        turns: in order.
        notation: how the guesses were written, and are answered.
        read_as: what was inferred, in phrases; empty where the text says all.
        inclusive: the turns if the second number of each mark includes the first; None where
            that is impossible, or the same.
        fields: the texts of other fields of a record, each with its line.
        inferred: whether colors were renamed, or numbers of marks read in another way than usual.
    """

    rules: Rules
    turns: tuple[Turn, ...]
    notation: Notation
    read_as: tuple[str, ...] = ()
    inclusive: tuple[Turn, ...] | None = None
    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    inferred: bool = False

    @property
    def told(self) -> str:
        """A sentence that tells what was inferred; empty for nothing."""
        return told_as(self.read_as)


@dataclass(frozen=True, slots=True)
class NotedRows:
    """The rows of squares of a shared game, which hides its words.

    Attributes:
        rules: of the game.
        marks: of the guesses, in order.
        read_as: what was inferred, in phrases.
    """

    rules: Rules
    marks: tuple[Mark, ...]
    read_as: tuple[str, ...] = ()


def read_rows(text: str, rules: ToldRules = None, *, marks: str | None = None) -> NotedRows | None:
    """The marks of a shared game without its words; None where the text is something else.

    Arguments and errors as `read_history`. Without rules the words are those of `wordle`.
    """
    rows = noted(text).rows
    if not rows:
        return None
    if isinstance(rules, WordList):
        rules = Rules.of_words(rules, placed=True)
    game = Rules.parse(_WORDS) if rules is None else as_rules(rules)
    if game.words is None or not game.placed:
        raise InputError(
            "rows of squares are of words that are marked by place, such as wordle, not of {rules}",
            rules=game,
        )
    chosen = settled([readings_of(row, game, form=marks) for row in rows])
    told = () if rules is not None else (game.named,)
    return NotedRows(
        game, tuple(each.mark for each in chosen), (*told, *meanings_told(chosen, game))
    )


def read_history(
    text: str,
    rules: ToldRules = None,
    *,
    colors: Sequence[str] = (),
    marks: str | None = None,
    french: bool = False,
) -> NotedHistory:
    """Read turns as people note them.

    Args:
        text: guesses with their marks, in lines, between slashes, in a table, in JSON, or in
            sentences; rules may stand before them.
        rules: of the game, or its list of words; inferred where neither they nor the text tell
            them.
        colors: names of one's own for the colors, in their order.
        marks: the form that marks are read in where several are possible, such as `inclusive`.
        french: a lone `b` in a mark may stand for *blanc*.

    Raises:
        AmbiguousError: the text may mean several things; `readings` has the arguments for each.
        InputError: what cannot be read, or what the rules do not allow.
    """
    return HistoryReader(rules, colors=colors, marks=marks, french=french).read(text)


class HistoryReader:
    """Reads one text; `line` is where it is, also after an error. Arguments as `read_history`."""

    reading: NotedHistory | None = None  # what was read last

    def __init__(
        self,
        rules: ToldRules = None,
        *,
        colors: Sequence[str] = (),
        marks: str | None = None,
        french: bool = False,
    ) -> None:
        self.line = 1
        self._words = rules if isinstance(rules, WordList) else None
        self._rules = None if rules is None or isinstance(rules, WordList) else as_rules(rules)
        self._colors, self._form, self._french = tuple(colors), marks, french

    def read(self, text: str) -> NotedHistory:
        """The history of a text, which `reading` has from then on."""
        self.reading = self._read(noted(text))
        return self.reading

    def read_turns(self, turns: Mapping[int, tuple[str, str]]) -> NotedHistory:
        """The history of guesses with their marks, by number, which `line` is of."""
        notes = Noted(last=max(turns, default=1))
        for number, (guess, mark) in turns.items():
            notes.add(number, f"{guess} {mark}", ((guess, mark),))
        self.reading = self._read(notes)
        return self.reading

    def _read(self, notes: Noted) -> NotedHistory:
        """Read what is noted."""
        if notes.rows:
            raise InputError(
                "{row} and the other rows of squares have no guesses: write each guess before its "
                "squares",
                row=quoted(notes.rows[0]),
            )
        rules = self._rules
        if not self._colors and "colors" in notes.fields:
            self.line, text = notes.fields["colors"]
            self._colors = names_in(text)
        if "rules" in notes.fields:
            self.line, text = notes.fields["rules"]
            told = Rules.parse(text)
            if rules not in (None, told):
                raise InputError(
                    "the text is of {told}, and {rules} is given: leave one of them out",
                    told=told,
                    rules=rules,
                )
            rules = told
        elif notes.shared and rules is None:
            rules = Rules.parse(notes.shared)
        if not notes.turns:
            self.line = notes.last
            board = rules or (Rules() if self._words is None else Rules.of_words(self._words))
            return NotedHistory(board, (), Notation.of(board), fields=notes.fields)
        if rules is None and self._words is not None:
            return self._of_list(notes, self._words)
        if rules is None:
            return self._infer(notes)
        return self._by_rules(notes, rules)

    def _by_rules(self, notes: Noted, rules: Rules) -> NotedHistory:
        """The history by rules that are told."""
        pairs = [self._half(turn, rules) for turn in notes.turns]
        codes = self._codes(notes, [guess for guess, _ in pairs], rules)
        return self._reading(notes, codes, [mark for _, mark in pairs], codes.told)

    def _of_list(self, notes: Noted, words: WordList) -> NotedHistory:
        """The history among the words of a list; its marks tell how they are given."""
        games = [Rules.of_words(words), Rules.of_words(words, black=True)]
        if words.n_letters <= MAX_PLACED:
            games.insert(1, Rules.of_words(words, placed=True))
        rows: list[NotedHistory] = []
        problems: list[InputError] = []
        questions: list[tuple[Phrase, Phrase, dict[str, object]]] = []
        for rules in games:
            if rules.black and rows:
                break
            flags: str = "placed" if rules.placed else words.name
            chosen = Phrase("give {flags}", flags=flags)
            try:
                row = self._by_rules(notes, rules)
            except AmbiguousError as error:
                problems.append(error)
                questions += [
                    (
                        Phrase("{reading}, in {rules}", reading=reading, rules=rules),
                        chosen,
                        {"rules": rules} | choice,
                    )
                    for reading, choice in error.readings
                ]
            except InputError as error:
                problems.append(error)
            else:
                rows.append(row)
                if rules.black:  # a number alone, which would be half a mark in another game
                    questions.clear()
                about = Phrase("{turn} in {rules}", turn=row.turns[0], rules=rules)
                questions.append((about, chosen, {"rules": rules}))
        if not questions:
            raise problems[0]
        marked = any(turn.mark != Mark(0) for turn in rows[0].turns) if rows else True
        if len(questions) > 1 and marked:
            text = quoted(notes.turns[0].text)
            raise AmbiguousError.of(Phrase("the turn {text}", text=text), questions)
        return replace(rows[0], read_as=(rows[0].rules.named, *rows[0].read_as))

    def _codes(self, notes: Noted, texts: list[str], rules: Rules) -> CodesRead:
        try:
            return read_codes(texts, rules, self._colors, french=self._french)
        except CodeError:
            for turn, text in zip(notes.turns, texts, strict=True):
                self.line = turn.line
                if not self._colors:
                    parse_code(text, rules)
            raise

    def _half(self, turn: NotedTurn, rules: Rules) -> tuple[str, str]:
        """The guess and the mark of a turn; CodeError, MarkError for what is none."""
        self.line = turn.line
        problem: InputError | None = None
        for guess, mark in turn.halves:
            try:
                self._check_guess(guess, rules)
            except CodeError as error:
                problem = problem or error
                continue
            try:
                readings_of(mark, rules, french=self._french, form=self._form)
            except MarkError as error:
                problem = error
            else:
                return guess, mark
        raise problem or InputError(
            "cannot read turn {text}: write guess and mark, as in {turn}",
            text=quoted(turn.text),
            turn=example_turn(rules),
        )

    def _check_guess(self, guess: str, rules: Rules) -> None:
        """Refuse what is no guess of these rules, whatever its signs stand for."""
        signs = signs_of(guess)
        if rules.words is None and signs is not None and len(signs.signs) == rules.pegs:
            return
        if self._colors and rules.words is None:
            read_codes([guess], rules, self._colors)
            return
        parse_code(guess, rules)
        if rules.words is None and signs is None:
            raise CodeError(
                "{guess} mixes letters, digits and discs: write one kind", guess=quoted(guess)
            )

    def _reading(
        self, notes: Noted, codes: CodesRead, marks: list[str], told: Sequence[str]
    ) -> NotedHistory:
        """The history of codes that are read, and of marks that are not yet."""
        rules = codes.rules
        readings = []
        for turn, mark in zip(notes.turns, marks, strict=True):
            self.line = turn.line
            readings.append(readings_of(mark, rules, french=self._french, form=self._form))
        chosen = settled(readings)
        if codes.notation.codes == "letters":
            self._check_rows(notes, chosen)
        meanings = meanings_told(chosen, rules)
        turns = tuple(map(Turn, codes.codes, (each.mark for each in chosen)))
        notation = codes.notation
        if notation.codes == "discs" or any(_DISCS & set(each.text) for each in chosen):
            notation = replace(notation, marks="discs")
        return NotedHistory(
            rules,
            turns,
            notation,
            (*told, *meanings),
            self._inclusive(turns, chosen, readings),
            notes.fields,
            inferred=bool(codes.told) or any(each.form.other for each in chosen),
        )

    def _check_rows(self, notes: Noted, chosen: Sequence[MarkReading]) -> None:
        """Refuse `BCC` for a bull and two cows beside guesses of letters: it may be a guess."""
        for turn, each in zip(notes.turns, chosen, strict=True):
            letters = each.text.upper()
            if each.form.name == BULLS and letters.isalpha() and {*letters} == {"B", "C"}:
                self.line = turn.line
                raise MarkError(
                    "{text} may be a mark or a guess: write {mark} for {bulls}",
                    text=quoted(each.text),
                    mark=f"{each.mark.black}b{each.mark.white}c",
                    bulls=each.form.meaning(each.text),
                )

    def _inclusive(
        self,
        turns: tuple[Turn, ...],
        chosen: Sequence[MarkReading],
        readings: Sequence[Sequence[MarkReading]],
    ) -> tuple[Turn, ...] | None:
        """The turns if the second numbers include the first, where that is possible and other."""
        if self._form is not None or not any(each.form.name == "pair" for each in chosen):
            return None
        others = []
        for turn, each, possible in zip(turns, chosen, readings, strict=True):
            second = [one for one in possible if one.form.name == INCLUSIVE]
            if each.form.name == "pair" and not second:
                return None
            others.append(Turn(turn.guess, second[0].mark) if second else turn)
        return None if tuple(others) == turns else tuple(others)

    # rules that are not told

    def _infer(self, notes: Noted) -> NotedHistory:
        """The history on the board, or among the words, that it seems to be of."""
        ambiguous: AmbiguousError | None = None
        if self._colors:
            return self._of_colors(notes)
        try:
            if (reading := self._on_board(notes)) is not None:
                return reading
        except AmbiguousError as error:
            ambiguous = error
        if (reading := self._of_words(notes)) is not None:
            return reading
        if ambiguous is not None:
            raise ambiguous
        self._check_words(notes)
        reading = self._by_rules(notes, self._board_of_some(notes))
        told = () if reading.rules == Rules() else (reading.rules.named,)
        return replace(reading, read_as=(*told, *reading.read_as))

    def _check_words(self, notes: Noted) -> None:
        """Refuse words that are marked as in a game of words, and are of no list that is told."""
        lengths = set()
        for turn in notes.turns:
            words = [
                guess
                for guess, mark in turn.halves
                if guess.isalpha()
                and 3 <= len(guess) <= MAX_PLACED
                and self._marks_word(mark, guess)
            ]
            if not words:
                return
            lengths.add(len(words[0]))
        letters = {letter for turn in notes.turns for guess, _ in turn.halves for letter in guess}
        if {letter.upper() for letter in letters} <= _BOARD_LETTERS:
            return  # the mark of a board, though none that can be given
        self.line = notes.turns[0].line
        n, usual = lengths.pop(), Rules.parse(_WORDS)
        if lengths or usual.words is None:
            return
        if n != usual.pegs:
            raise InputError(
                "the guesses are words of {n} letters, and {game} has words of {usual}: give a "
                "list of words, as in --words FILE",
                n=n,
                game=_WORDS,
                usual=usual.pegs,
            )
        raise InputError(
            "the marks count letters in place: give the rules {rules}, or a list of words, as in "
            "--words FILE",
            rules=Rules.of_words(usual.words, black=True),
        )

    def _marks_word(self, mark: str, word: str) -> bool:
        """Whether a text marks a word by place, or by the number of letters in place."""
        with suppress(MarkError):
            readings_of(mark, Rules(len(word), 26, placed=True), form=self._form)
            return True
        with suppress(MarkError):
            readings = readings_of(mark, Rules(len(word), 26, black=True), form=self._form)
            return any(each.form.name == LIKENESS for each in readings)
        return False

    def _of_colors(self, notes: Noted) -> NotedHistory:
        """The history on a board whose colors have names that are told."""
        problems: list[InputError] = []
        for pegs in range(1, MAX_PEGS + 1):
            rules = Rules(pegs, len(self._colors), blank="." in notes.turns[0].text)
            try:
                reading = self._by_rules(notes, rules)
            except InputError as error:
                problems.append(error)
            else:
                told = () if rules == Rules() else (rules.named,)
                return replace(reading, read_as=(*told, *reading.read_as))
        # that of a mark is of the board with as many pegs as the guess
        raise min(problems, key=lambda error: isinstance(error, CodeError))

    def _on_board(self, notes: Noted) -> NotedHistory | None:
        """The history on a board; None where some turn cannot be of one."""
        options = [dict(self._sizes(turn)) for turn in notes.turns]
        shared = set(options[0]).intersection(*options)
        rows: list[tuple[int, NotedHistory]] = []
        problem: AmbiguousError | None = None
        for pegs in sorted(shared):
            signs = [option[pegs][0] for option in options]
            marks = [option[pegs][1] for option in options]
            try:
                codes = infer_board(signs, lock=notes.lock, french=self._french)
                told = codes.told if codes.rules == Rules() else (codes.rules.named, *codes.told)
                reading = self._reading(notes, codes, marks, told)
                rank = max(self._rank(mark, codes.rules) for mark in marks)
            except AmbiguousError as error:
                problem = problem or error
            except (CodeError, MarkError):
                continue
            else:
                rows.append((rank, reading))
        best = [reading for rank, reading in rows if rank == min(r for r, _ in rows)]
        if len(best) > 1:
            boards = [str(reading.rules) for reading in best]
            raise AmbiguousError.of(
                Phrase("the turn {text}", text=quoted(notes.turns[0].text)),
                [
                    (
                        Phrase("{turn} on {rules}", turn=reading.turns[0], rules=rules),
                        Phrase("give the rules {rules}", rules=rules),
                        {"rules": rules},
                    )
                    for reading, rules in zip(best, boards, strict=True)
                ],
            )
        if problem is not None and not best:
            raise problem
        return best[0] if best else None

    def _rank(self, mark: str, rules: Rules) -> int:
        readings = readings_of(mark, rules, french=self._french, form=self._form)
        return min(reading.form.rank for reading in readings)

    def _sizes(self, turn: NotedTurn) -> Iterator[tuple[int, tuple[Signs, str]]]:
        """How many pegs a turn may have, with its guess and mark then."""
        for guess, mark in reversed(turn.halves):
            signs = signs_of(guess)
            if signs is None or not 1 <= len(signs.signs) <= MAX_PEGS:
                continue
            with suppress(MarkError):
                board = Rules(len(signs.signs), 26, blank=True)
                readings_of(mark, board, french=self._french, form=self._form)
                yield len(signs.signs), (signs, mark)

    def _board_of_some(self, notes: Noted) -> Rules:
        """A board whose rules say what is wrong with the turns that are of none."""
        for turn in notes.turns:
            for _, (typed, _) in self._sizes(turn):
                with suppress(InputError):
                    return infer_board([typed], lock=notes.lock).rules
        for turn in notes.turns:  # no mark can be read
            guesses = [guess for guess, _ in turn.halves]
            if len(guesses) == 1 and (signs := signs_of(guesses[0])) is not None:
                with suppress(InputError):
                    return infer_board([signs], lock=notes.lock).rules
        return Rules()

    def _of_words(self, notes: Noted) -> NotedHistory | None:
        """The history among English words, marked by place; None where it is of others."""
        rules = Rules.parse(_WORDS)
        try:
            for turn in notes.turns:
                self._half(turn, rules)
        except InputError:
            return None
        reading = self._by_rules(notes, rules)
        return replace(reading, read_as=(rules.named, *reading.read_as))


# Turns as values


def parse_turn(text: str, rules: Rules) -> Turn:
    """Read `ABCD=XXO`, guess and mark in any of their notations; InputError for anything else."""
    guess, answer = split_turn(text)
    if not answer:
        raise InputError(
            "cannot read turn {text}: write guess and mark, as in {turn}",
            text=quoted(text),
            turn=example_turn(rules),
        )
    return Turn(parse_code(guess.strip(), rules), parse_mark(answer.strip(), rules))


_SUM_NOTED: Final = re.compile(r"(.*?)\s*(?:=|->)\s*(=\s?[0-9]{1,2})")


def split_turn(text: str) -> tuple[str, str]:
    """Guess and mark of a turn, set apart by its last `=` or `->`; no mark where it has none.

    The `=` that a mark begins with (`=3`, a sum) is not what sets them apart.
    """
    if halves := NAMED_NUMBER.fullmatch(text) or _SUM_NOTED.fullmatch(text):
        return halves[1], halves[2]
    end = max(text.rfind("="), text.rfind("->"))
    arrow = text.startswith("->", end)
    return (text[:end].strip(), text[end + 1 + arrow :].strip()) if end >= 0 else (text, "")


def check_turns(turns: Turns, rules: Rules | Game) -> tuple[Turn, ...]:
    """The turns, each a guess and a mark that the rules allow, or both as they are written.

    InputError: no turns. CodeError, MarkError: a guess, a mark that they do not allow.
    AmbiguousError: a text that may mean several things.
    """
    if isinstance(rules, Game) and rules.rules is not None:
        rules = rules.rules
    return tuple(
        Turn(check_code(guess, rules), check_mark(answer, rules))
        for guess, answer in pairs(turns, rules)
    )


def pairs(turns: Turns, rules: Rules | Game | None = None) -> Iterator[tuple[Any, Any]]:
    """Guess and mark of each turn of any game; InputError for what is no turn."""
    if isinstance(turns, str) and isinstance(rules, Rules):
        yield from _written(turns, rules)
        return
    if not isinstance(turns, Iterable) or isinstance(turns, str):
        raise InputError(
            "{history} is no history: give a list of turns, such as ['AABB=XO']",
            history=quoted(turns),
        )
    turns = list(turns)
    if turns and isinstance(rules, Rules) and all(isinstance(turn, str) for turn in turns):
        yield from _written("\n".join(map(str, turns)), rules)
        return
    turn: Any
    for turn in turns:
        if isinstance(turn, str) and isinstance(rules, Rules):
            yield parse_turn(turn, rules)
            continue
        if isinstance(turn, str) and split_turn(turn)[1]:
            yield split_turn(turn)
            continue
        try:
            guess, answer = turn
        except (TypeError, ValueError):
            raise InputError(
                "{turn} is no turn: give a guess and its mark, such as ('AABB', 'XO')",
                turn=quoted(turn),
            ) from None
        yield guess, answer


def _written(text: str, rules: Rules) -> tuple[tuple[Code, Any], ...]:
    """The turns of a text by rules that are told."""
    reading = read_history(text, rules)
    if not reading.turns and text.strip():
        raise InputError(
            "cannot read turn {text}: write guess and mark, as in {turn}",
            text=quoted(text),
            turn=example_turn(rules),
        )
    if reading.inferred:
        raise InputError(
            "{text} has to be read in another way than usual, which read_history does: {told}",
            text=quoted(text),
            told=reading.told,
        )
    return reading.turns
