"""The second step: the whole interpretations of a text, each with what it costs.

An interpretation has a game, turns and a notation, and tells what was inferred. What it costs is
the sum of weights of `reading.costs`: of where guesses end, of the board, and of how marks are
meant. The third step, `decide`, takes the cheapest, or asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from string import ascii_letters, ascii_uppercase
from typing import Final, NamedTuple

from pegwise.errors import AmbiguousError, CodeError, InputError, MarkError, Phrase, quoted
from pegwise.game import Game, game_of
from pegwise.game.codes import Code
from pegwise.game.marking import Places
from pegwise.game.names import parse_code, word_game
from pegwise.game.notation import Notation
from pegwise.game.rules import MAX_PEGS, Rules
from pegwise.game.turns import Turn
from pegwise.game.words import WordList
from pegwise.reading import costs
from pegwise.reading.codes import (
    InferredCodes,
    Signs,
    boards_of,
    choice_of,
    letters_asked,
    read_codes,
    signs_of,
)
from pegwise.reading.forms import (
    BULLS,
    INCLUSIVE,
    LIKENESS,
    inferred_sentence,
    is_letter,
    is_nothing,
    joined,
)
from pegwise.reading.marks import (
    MarkReading,
    MarksRead,
    marks_together,
    meanings_told,
    question_of,
    readings_of,
)
from pegwise.reading.pieces import Cut, Piece, Pieces

WORDS: Final = "wordle"  # the game of guesses that are words, where no rules are told
_BOARD_LETTERS: Final = frozenset("ABCDEFGH")  # colors of boards where none are told
_DISCS: Final = frozenset("●○⚫⚪⚬🔴")
_FROM_ZERO: Final = "(?i)[0-9]A[0-9]B"
_LEFT: Final = (
    r"([^0-9]*[^\s0-9,.])\s+([0-9][0-9,.]{0,12})",
    r"(?i)(.*\S)\s+[(\[]?([0-9][0-9,.]{0,12}) (?:codes? )?(?:left|remain\w*|restants?)[)\]]?",
)
"""A mark with the number of codes that were left after it."""


_MOST_PROBLEMS: Final = 8  # cuts of a turn of which it is looked what is wrong with them


class Told(NamedTuple):
    """What is told besides the text: the arguments of `read_history`."""

    rules: Game | None = None
    words: WordList | None = None
    colors: tuple[str, ...] = ()
    form: str | None = None
    french: bool = False


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A history as it may be read.

    Attributes:
        rules: of the game.
        turns: in order.
        notation: how the guesses were written, and are answered.
        read_as: what was inferred, in phrases; empty where the text says all.
        cost: of reading it so.
        fields: the texts of other fields of a record, each with its line.
        inferred: whether colors were renamed, or numbers of marks read in another way than usual.
        remaining: how many codes the text says are left after each turn; None where it does not.
        others: how the marks may be meant besides, less likely.
        marks: how they are meant.
    """

    rules: Game
    turns: tuple[Turn, ...]
    notation: Notation
    read_as: tuple[str, ...] = ()
    cost: int = 0
    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    inferred: bool = False
    remaining: tuple[int | None, ...] = ()
    others: tuple[Interpretation, ...] = field(default=(), repr=False)
    marks: MarksRead = field(default=MarksRead((), 0), repr=False, compare=False)

    @property
    def told(self) -> str:
        """A sentence that tells what was inferred; empty for nothing."""
        return inferred_sentence(self.read_as)

    @property
    def two_numbers(self) -> bool:
        """Whether the second number of each mark may include the first."""
        return any(other.form == INCLUSIVE for other in self.others)

    @property
    def meant(self) -> str:
        """What the signs of its marks mean, in words."""
        return joined(meanings_told(self.marks.readings, self.rules))

    @property
    def form(self) -> str:
        """The form of marks that `--marks` chooses it by."""
        return max(self.marks.readings, key=lambda each: each.cost).form.name


class _Read(NamedTuple):
    """A piece as it is cut: guess and mark, the number of codes left, whether it is doubted."""

    guess: str
    mark: str
    left: int | None = None
    doubted: bool = False
    cost: int = 0
    typed: bool = True


def interpret(notes: Pieces, told: Told) -> list[Interpretation]:
    """The interpretations of a text, the cheapest first; none where it cannot be read."""
    if told.rules is not None:
        rows = _by_rules(notes, told.rules, told)
    elif told.words is not None:
        rows = _of_list(notes, told.words, told)
    elif told.colors:
        rows = []
        for pegs in range(1, MAX_PEGS + 1):
            rules = game_of(Rules(pegs, len(told.colors), blank="." in notes.turns[0].text))
            rows += [_named(row) for row in _by_rules(notes, rules, told)]
    else:
        words = game_of(WORDS)
        rows = [*_on_boards(notes, told)]
        rows += map(_named, _by_rules(notes, words, told, costs.WORDS))
    if notes.told:
        rows = [replace(row, read_as=(*row.read_as, *notes.told)) for row in rows]
    different: dict[tuple[object, ...], Interpretation] = {}
    for row in sorted(rows, key=lambda row: row.cost):
        different.setdefault((row.rules, row.turns), row)
    return [*different.values()]


def decide(rows: Sequence[Interpretation]) -> Interpretation:
    """The third step: the cheapest interpretation, if it is so by far; else an AmbiguousError.

    Other meanings of its marks that are not far from it are its `others`.
    """
    best = rows[0]
    near = [row for row in rows if row.cost < best.cost + costs.FAR]
    if len(near) == 1:
        others = [
            row
            for row in rows[1:]
            if row.cost <= best.cost + costs.TOLD and row.rules == best.rules
        ]
        alike = [row for row in others if _guesses(row) == _guesses(best)]
        return replace(best, others=tuple(alike))
    boards = {(row.rules, _guesses(row)) for row in near}
    if len(boards) == 1:
        what, readings = question_of([row.marks for row in near])
        raise AmbiguousError.of(what, readings)
    raise _board_asked(near)


def _guesses(row: Interpretation) -> tuple[Code, ...]:
    return tuple(turn.guess for turn in row.turns)


def _board_asked(rows: Sequence[Interpretation]) -> AmbiguousError:
    """The question which board, and which marks, are meant."""
    asked = []
    boards = [(row.rules, _guesses(row)) for row in rows]
    for row, board in zip(rows, boards, strict=True):
        words, option, choice = choice_of(row.rules, row.notation, str(row.turns[0]))
        if boards.count(board) > 1:
            alike = [each.marks for each, b in zip(rows, boards, strict=True) if b == board]
            reading = question_of(alike)[1][alike.index(row.marks)]
            words = Phrase("{reading}, in {rules}", reading=reading[0], rules=words)
            option = Phrase("{first}, {second}", first=option, second=reading[1])
            choice = {**choice, **reading[2]}
        asked.append((words, option, choice))
    what = Phrase("the turn {text}", text=quoted(str(rows[0].turns[0])))
    if any("colors" in choice for *_, choice in asked):
        texts = (row.notation.code(guess) for row in rows for guess in _guesses(row))
        what = letters_asked([signs for text in texts if (signs := signs_of(text)) is not None])
    return AmbiguousError.of(what, asked)


def _named(row: Interpretation) -> Interpretation:
    """The interpretation, which says its board unless that is the usual one."""
    told = () if row.rules == game_of(Rules()) else (row.rules.named,)
    return replace(row, read_as=(*told, *row.read_as))


# By rules that are told


def _by_rules(notes: Pieces, rules: Game, told: Told, cost: int = 0) -> list[Interpretation]:
    """The interpretations by rules."""
    cuts = []
    for turn in notes.turns:
        reads = _read_cuts(turn, rules, told)
        if not reads:
            return []
        cuts.append(reads[0])
    texts = [cut.guess for cut in cuts]
    try:
        codes = read_codes(texts, rules, told.colors, french=told.french)
    except CodeError:
        return []
    boards = [codes] if told.colors else _by_case(texts, codes)
    return [row for each in boards for row in _with_marks(notes, each, cuts, told, cost)]


def _by_case(texts: Sequence[str], codes: InferredCodes) -> list[InferredCodes]:
    """The codes; both ways to read them where capitals and small letters may be other colors."""
    rules = codes.rules
    both = any({*text} & {*text.swapcase()} & {*ascii_letters} for text in texts)
    letters = sorted({letter for text in texts for letter in text} & {*ascii_letters})
    if not rules.alphabet.named or codes.notation.codes != "letters" or not both:
        return [codes]
    cased = [*letters, *(letter for letter in ascii_uppercase if letter not in letters)]
    boards = []
    for names in (ascii_uppercase[: rules.colors], cased[: rules.colors]):
        with suppress(CodeError):
            boards.append(read_codes(texts, rules, tuple(names)))
    return boards if len(boards) > 1 else [codes]


def _read_cuts(turn: Piece, rules: Game, told: Told) -> list[_Read]:
    """The cuts of a turn whose guess and mark can be read, the cheapest first."""
    rows = []
    for cut in turn.cuts:
        if (read := _read_mark(cut, rules, told)) is not None:
            with suppress(CodeError):
                _check_guess(cut.guess, rules, told)
                rows.append(read)
    return sorted(rows, key=lambda read: read.cost)


def _read_mark(cut: Cut, rules: Game, told: Told) -> _Read | None:
    """A cut whose mark can be read, without the doubt or the number of codes that follow it."""
    bare = cut.mark
    texts: list[tuple[str, int | None, bool]] = [(bare.rstrip("~ "), None, bare.endswith("~"))]
    if bare.endswith("?"):
        texts.append((bare.rstrip("? "), None, True))
    for left in filter(None, (re.fullmatch(way, bare) for way in _LEFT)):
        texts.append((left[1], int(re.sub("[,.]", "", left[2])), False))
    for text, number, doubt in texts:
        with suppress(MarkError):
            readings_of(text, rules, french=told.french, form=told.form)
            cost = cut.cost + costs.LEFT * (number is not None)
            return _Read(cut.guess, text, number, doubt, cost, cut.typed)
    return None


def _check_guess(guess: str, rules: Game, told: Told) -> None:
    """Refuse what is no guess of these rules, whatever its signs stand for."""
    signs = signs_of(guess)
    if rules.alphabet.named and signs is not None and len(signs.signs) == rules.pegs:
        return
    if told.colors and rules.alphabet.named:
        read_codes([guess], rules, told.colors)
        return
    parse_code(guess, rules)
    if rules.alphabet.named and signs is None:
        raise CodeError(
            "{guess} mixes letters, digits and discs: write one kind", guess=quoted(guess)
        )


def _with_marks(
    notes: Pieces, codes: InferredCodes, cuts: Sequence[_Read], told: Told, cost: int
) -> list[Interpretation]:
    """The interpretations of codes that are read, by how their marks may be meant."""
    rules, rows = codes.rules, []
    try:
        readings = [
            readings_of(cut.mark, rules, french=told.french, form=told.form) for cut in cuts
        ]
    except MarkError:
        return []
    cost += sum(cut.cost for cut in cuts)
    doubts = [
        Phrase("turn {n}, which is doubted, is left out", n=number)
        for number, cut in enumerate(cuts, 1)
        if cut.doubted
    ]
    counted = [k for k, cut in enumerate(cuts) if not cut.doubted]
    if not counted:
        return []
    guesses = [codes.codes[k] for k in counted]
    for row in marks_together([readings[k] for k in counted], rules.pegs):
        if codes.notation.codes == "letters" and any(map(_may_be_guess, row.readings)):
            continue
        notation = codes.notation
        if notation.codes == "discs" or any(_DISCS & set(each.text) for each in row.readings):
            notation = replace(notation, marks="discs")
        rows.append(
            Interpretation(
                rules,
                tuple(map(Turn, guesses, row.marks)),
                notation,
                (*codes.told, *meanings_told(row.readings, rules), *doubts),
                cost + row.cost,
                notes.fields,
                bool(codes.told) or any(each.unusual for each in row.readings),
                tuple(cuts[k].left for k in counted),
                marks=row,
            )
        )
    return rows


def _may_be_guess(reading: MarkReading) -> bool:
    """Whether a mark is letters of bulls and cows that may be another guess, such as `BCC`."""
    letters = reading.text.upper()
    return reading.form.name == BULLS and letters.isalpha() and {*letters} == {"B", "C"}


def _of_list(notes: Pieces, words: WordList, told: Told) -> list[Interpretation]:
    """The interpretations among the words of a list; its marks tell how they are given."""
    games = [word_game(words), word_game(words, "black")]
    if words.n_letters <= Places.widest:
        games.insert(1, word_game(words, "placed"))
    rows: list[Interpretation] = []
    for rules in games:
        if rules.marking.name == "black" and any(row.cost < costs.RARE for row in rows):
            break
        if rules.marking.name == "black" and _by_rules(notes, rules, told):
            rows = []  # a number alone, which would be half a mark in another game
        rows += map(_named, _by_rules(notes, rules, told))
    if rows and all(is_nothing(each.text) for each in rows[0].marks.readings):
        return rows[:1]
    return rows


# Game that are not told


def _on_boards(notes: Pieces, told: Told) -> Iterator[Interpretation]:
    """The interpretations on the boards that the guesses may be of."""
    options = [_sizes(turn, told) for turn in notes.turns]
    for pegs in sorted(set(options[0]).intersection(*options)):
        cuts = [option[pegs] for option in options]
        letters = [cut for cut in cuts if is_letter(re.sub(r"\W", "", cut.mark))]
        rows = any(len(cut.mark) > 1 and cut.mark.isalpha() for cut in cuts)
        if letters and not rows and not all(cut.typed for cut in letters):
            continue  # the last peg of a guess
        signs = [each for cut in cuts if (each := signs_of(cut.guess)) is not None]
        boards: list[InferredCodes] = []
        with suppress(CodeError):
            boards = boards_of(signs, lock=notes.lock, french=told.french)
        if (bulls := _as_bulls(signs, cuts)) is not None:
            boards = [bulls]
        cost = costs.NAMES * (len(boards) > 1)
        texts = [cut.guess for cut in cuts]
        for codes in (each for board in boards for each in _by_case(texts, board)):
            yield from map(_named, _with_marks(notes, codes, cuts, told, cost))


def _as_bulls(signs: Sequence[Signs], cuts: Sequence[_Read]) -> InferredCodes | None:
    """Bulls and cows: distinct digits with marks such as `1A2B`; None for other turns."""
    digits = all(each.kind == "digits" for each in signs)
    distinct = all(len({*each.signs}) == len(each.signs) for each in signs)
    if not digits or not distinct or not all(re.fullmatch(_FROM_ZERO, cut.mark) for cut in cuts):
        return None
    pegs = len(signs[0].signs)
    named = "bulls-and-cows" if pegs == 4 else f"{pegs}x10,distinct"
    with suppress(InputError):
        return read_codes([cut.guess for cut in cuts], game_of(named))
    return None


def _sizes(turn: Piece, told: Told) -> dict[int, _Read]:
    """How many pegs a turn may have, with its cheapest cut then."""
    sizes: dict[int, _Read] = {}
    for cut in turn.cuts:
        signs = signs_of(cut.guess)
        if signs is None or not 1 <= len(signs.signs) <= MAX_PEGS:
            continue
        pegs = len(signs.signs)
        read = _read_mark(cut, game_of(Rules(pegs, 26, blank=True)), told)
        if read is not None and (pegs not in sizes or sizes[pegs].cost > read.cost):
            sizes[pegs] = read
    return sizes


# What is wrong with a text that has no interpretation


def problem(notes: Pieces, told: Told) -> tuple[int, InputError]:
    """The line of the turn that cannot be read, and why."""
    if told.rules is not None:
        return _problem_by(notes, told.rules, told)
    if told.words is not None:
        return _problem_by(notes, word_game(told.words), told)
    if told.colors:
        problems = [
            _problem_by(notes, game_of(Rules(pegs, len(told.colors))), told)
            for pegs in range(1, MAX_PEGS + 1)
        ]
        # that of a mark is of the board with as many pegs as the guess
        return min(problems, key=lambda each: isinstance(each[1], CodeError))
    words = _problem_of_words(notes, told)
    return (notes.turns[0].line, words) if words else _problem_by(notes, _board(notes, told), told)


def _problem_by(notes: Pieces, rules: Game, told: Told) -> tuple[int, InputError]:
    """The first turn that rules do not allow, and why."""
    for turn in notes.turns:
        if not _read_cuts(turn, rules, told):
            return turn.line, _problem_of(turn, rules, told)
    for turn in notes.turns:
        cut = _read_cuts(turn, rules, told)[0]
        for each in readings_of(cut.mark, rules, french=told.french, form=told.form):
            if _may_be_guess(each):
                bulls = "".join(sorted(each.text.upper()))
                return turn.line, MarkError(
                    "{text} may be a mark or a guess: write {mark} for {bulls}",
                    text=quoted(each.text),
                    mark=each.mark,
                    bulls=f"{bulls.count('B')} bull, {bulls.count('C')} cow",
                )
        try:
            read_codes([cut.guess], rules, told.colors, french=told.french)
        except CodeError as error:
            return turn.line, error
    try:
        texts = [_read_cuts(turn, rules, told)[0].guess for turn in notes.turns]
        read_codes(texts, rules, told.colors, french=told.french)
    except CodeError as error:
        return notes.turns[0].line, error
    return notes.turns[0].line, _unread(notes.turns[0], rules)


def _problem_of(turn: Piece, rules: Game, told: Told) -> InputError:
    """Why a turn cannot be read by rules: its mark, where a guess can be."""
    problems: list[tuple[bool, int, InputError]] = []
    for cut in sorted(turn.cuts, key=lambda cut: cut.cost)[:_MOST_PROBLEMS]:
        try:
            _check_guess(cut.guess, rules, told)
            readings_of(cut.mark, rules, french=told.french, form=told.form)
        except InputError as error:
            problems.append((isinstance(error, CodeError), cut.cost, error))
    return min(problems, key=lambda each: each[:2])[2] if problems else _unread(turn, rules)


def _unread(turn: Piece, rules: Game) -> InputError:
    return InputError(
        "cannot read turn {text}: write guess and mark, as in {turn}",
        text=quoted(turn.text),
        turn=rules.example_turn,
    )


def _board(notes: Pieces, told: Told) -> Game:
    """A board whose rules say what is wrong with the turns that are of none."""
    for turn in notes.turns:
        for read in _sizes(turn, told).values():
            signs = signs_of(read.guess)
            with suppress(InputError):
                boards = boards_of([signs], lock=notes.lock) if signs else []
                return boards[0].rules if len(boards) == 1 else game_of(Rules())
    for turn in notes.turns:  # no mark can be read
        for cut in turn.cuts:
            if (cut.typed or len(turn.cuts) == 1) and (signs := signs_of(cut.guess)) is not None:
                with suppress(InputError):
                    return boards_of([signs], lock=notes.lock)[0].rules
    return game_of(Rules())


def _problem_of_words(notes: Pieces, told: Told) -> InputError | None:
    """Words that are marked as in a game of words, and are of no list that is told."""
    lengths = set()
    for turn in notes.turns:
        words = [
            guess
            for guess, mark, *_ in turn.cuts
            if guess.isalpha()
            and 3 <= len(guess) <= Places.widest
            and _marks_word(mark, guess, told)
        ]
        if not words:
            return None
        lengths.add(len(words[0]))
    letters = {letter.upper() for turn in notes.turns for cut in turn.cuts for letter in cut.guess}
    if letters <= _BOARD_LETTERS:
        return None  # the mark of a board, though none that can be given
    n, usual = lengths.pop(), game_of(WORDS)
    if lengths or usual.words is None:
        return None
    if n != usual.pegs:
        return InputError(
            "the guesses are words of {n} letters, and {game} has words of {usual}: give a "
            "list of words, as in --words FILE",
            n=n,
            game=WORDS,
            usual=usual.pegs,
        )
    return InputError(
        "the marks count letters in place: give the rules {rules}, or a list of words, as in "
        "--words FILE",
        rules=word_game(usual.words, "black"),
    )


def _marks_word(mark: str, word: str, told: Told) -> bool:
    """Whether a text marks a word by place, or by the number of letters in place."""
    with suppress(MarkError):
        readings_of(mark, game_of(Rules(len(word), 26, marks="placed")), form=told.form)
        return True
    with suppress(MarkError):
        readings = readings_of(mark, game_of(Rules(len(word), 26, marks="black")), form=told.form)
        return any(each.form.name == LIKENESS for each in readings)
    return False
