"""The second step: the whole interpretations of a text, each with what it costs.

An interpretation has a game, turns and a notation, and tells what was inferred. What it costs is
the sum of weights of `reading.costs`: of where guesses end, of the board, and of how marks are
meant. The third step, `decide`, takes the cheapest, or asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import compress
from string import ascii_letters, ascii_uppercase
from typing import Final, NamedTuple

from pegwise.errors import (
    AmbiguousError,
    CodeError,
    InputError,
    MarkError,
    PegwiseError,
    Phrase,
    quoted,
)
from pegwise.game import Game, game_of
from pegwise.game.codes import Code
from pegwise.game.marking import Places
from pegwise.game.names import parse_code, word_game
from pegwise.game.notation import Notation
from pegwise.game.rules import MAX_PEGS, Rules
from pegwise.game.turns import Turn
from pegwise.game.words import SGB, WordList
from pegwise.reading import costs
from pegwise.reading.codes import (
    InferredCodes,
    boards_of,
    choice_of,
    placed,
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
    is_turn,
    marks_together,
    meanings_told,
    question_of,
    readings_of,
)
from pegwise.reading.pieces import Cut, Piece, Pieces
from pegwise.reading.vocabulary import LINES

WORDS: Final = "wordle"  # the game of guesses that are words, where no rules are told
_BOARD_LETTERS: Final = frozenset("ABCDEFGH")  # colors of boards where none are told
_DISCS: Final = frozenset("●○⚫⚪⚬🔴")


class Told(NamedTuple):
    """What is told besides the text: the arguments of `read_history`."""

    rules: Game | None = None
    words: WordList | None = None
    colors: tuple[str, ...] = ()
    form: str | None = None
    french: bool = False
    places: tuple[str, ...] = ()

    def readings(self, mark: str, rules: Game) -> tuple[MarkReading, ...]:
        """The marks that a text may be; a MarkError where it is none."""
        return readings_of(mark, rules, french=self.french, form=self.form)


class TurnError(PegwiseError):
    """A turn that cannot be read: its line, and why."""

    def __init__(self, line: int, error: InputError) -> None:
        super().__init__()
        self.line, self.error = line, error


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A history as it may be read.

    Attributes:
        game: what is played.
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

    game: Game
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
        return joined(meanings_told(self.marks.readings, self.game))

    @property
    def form(self) -> str:
        """The form of marks that `--marks` chooses it by."""
        return max(self.marks.readings, key=lambda each: each.cost).form.name

    @property
    def guesses(self) -> tuple[Code, ...]:
        """The guesses of its turns."""
        return tuple(turn.guess for turn in self.turns)


def interpret(notes: Pieces, told: Told) -> list[Interpretation]:
    """The interpretations of a text, the cheapest first; a TurnError where there is none."""
    if told.rules is not None:
        rows = _by_rules(notes, told.rules, told)
    elif told.words is not None:
        rows = _of_list(notes, told.words, told)
    elif told.colors:
        blank, n_colors = "." in notes.turns[0].text, len(told.colors)
        boards = (game_of(Rules(pegs, n_colors, blank=blank)) for pegs in range(1, MAX_PEGS + 1))
        rows = _by_any(notes, boards, told)
    else:
        rows = [*_on_boards(notes, told)]
        try:
            rows += _by_rules(notes, game_of(WORDS), told, costs.WORDS)
        except TurnError as error:
            if not rows:
                raise _problem(notes, told, error) from None
    usual = told.rules or game_of(Rules())
    different: dict[tuple[object, ...], Interpretation] = {}
    for row in sorted(rows, key=lambda row: row.cost):
        board = () if row.game == usual else (row.game.named,)
        read = replace(row, read_as=(*board, *row.read_as, *notes.told))
        different.setdefault((row.game, row.turns), read)
    return [*different.values()]


def decide(rows: Sequence[Interpretation]) -> Interpretation:
    """The third step: the cheapest interpretation, if it is so by far; else an AmbiguousError.

    Other meanings of its marks that are not far from it are its `others`.
    """
    best = rows[0]
    near = [row for row in rows if row.cost < best.cost + costs.FAR]
    if len(near) == 1 or not best.turns:
        others = (row for row in rows[1:] if row.cost <= best.cost + costs.TOLD)
        alike = [row for row in others if (row.game, row.guesses) == (best.game, best.guesses)]
        return replace(best, others=tuple(alike))
    if len({(row.game, row.guesses) for row in near}) == 1:
        raise AmbiguousError.of(*question_of([row.marks for row in near]))
    raise _board_asked(near)


def _board_asked(rows: Sequence[Interpretation]) -> AmbiguousError:
    """The question which board is meant; that of marks may follow."""
    boards = [*{(row.game, row.guesses): row for row in reversed(rows)}.values()][::-1]
    asked = [choice_of(row.game, row.notation, str(row.turns[0])) for row in boards]
    what = Phrase("the turn {text}", text=quoted(str(rows[0].turns[0])))
    if any("colors" in choice for *_, choice in asked):
        texts = (row.notation.code(guess) for row in rows for guess in row.guesses)
        letters = ", ".join(sorted({*"".join(texts)} - {"."}))
        what = Phrase("the letters {letters}", letters=letters)
    return AmbiguousError.of(what, asked)


# By rules that are told


def _by_any(notes: Pieces, games: Iterable[Game], told: Told) -> list[Interpretation]:
    """The interpretations by the rules of any of some games.

    Where there is none, the TurnError of the game that can read the guesses.
    """
    rows: list[Interpretation] = []
    errors = []
    for rules in games:
        try:
            rows += _by_rules(notes, rules, told)
        except TurnError as error:
            errors.append(error)
    if not rows:
        raise min(errors, key=lambda each: isinstance(each.error, CodeError))
    return rows


def _of_list(notes: Pieces, words: WordList, told: Told) -> list[Interpretation]:
    """The interpretations among the words of a list; its marks tell how they are given."""
    ways = ["", *["placed"] * (words.n_letters <= Places.widest), "black"]
    rows = _by_any(notes, (word_game(words, way) for way in ways), told)
    in_place = [row for row in rows if row.game.marking.name == "black"]
    others = [row for row in rows if row.game.marking.name != "black"]
    # a number alone would be half a mark in another game
    if in_place and all(row.cost >= costs.RARE for row in others):
        return in_place
    return others[:1] if all(is_nothing(each.text) for each in others[0].marks.readings) else others


def _by_rules(notes: Pieces, rules: Game, told: Told, cost: int = 0) -> list[Interpretation]:
    """The interpretations by rules; a TurnError tells the first turn that has none."""
    cuts = [_read_cut(turn, rules, told) for turn in notes.turns]
    texts = [cut.guess for cut in cuts]
    try:
        codes = read_codes(texts, rules, told.colors, french=told.french)
    except CodeError as error:
        for turn, text in zip(notes.turns, texts, strict=True):
            try:
                read_codes([text], rules, told.colors, french=told.french)
            except CodeError as own:
                raise TurnError(turn.line, own) from None
        raise TurnError(notes.turns[0].line, error) from None
    boards = [codes] if told.colors else _by_case(texts, codes)
    rows = [row for each in boards for row in _with_marks(notes, each, cuts, told, cost)]
    if not rows:  # turns that can be read one by one, and not together
        raise TurnError(notes.turns[0].line, unread(notes.turns[0].text, rules))
    return rows


def unread(text: str, rules: Game) -> InputError:
    """The error of what is no turn."""
    return InputError(
        "cannot read turn {text}: write guess and mark, as in {turn}",
        text=quoted(text),
        turn=rules.example_turn,
    )


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


def _read_cut(turn: Piece, rules: Game, told: Told) -> Cut:
    """The cheapest cut of a turn whose guess and mark can be read.

    A TurnError where none is tells what is wrong with the mark, if the turn can have a guess.
    """
    reads: list[Cut] = []
    wrong: list[tuple[bool, int, InputError]] = []
    for cut in turn.cuts:
        try:
            guess, mark = placed(cut.guess, cut.mark, told.places)
            _check_guess(guess, rules, told)
            reads.append(_without_remark(cut._replace(guess=guess, mark=mark), rules, told))
        except InputError as error:
            wrong.append((isinstance(error, CodeError), cut.cost, error))
    if reads:
        return min(reads, key=lambda cut: cut.cost)
    if not wrong:
        raise TurnError(turn.line, unread(turn.text, rules))
    raise TurnError(turn.line, min(wrong, key=lambda each: each[:2])[2])


def _without_remark(cut: Cut, rules: Game, told: Told) -> Cut:
    """A cut whose mark can be read, without the doubt or the number of codes that follow it."""
    bare = cut.mark
    ways = [cut._replace(mark=bare.rstrip("~ "), doubted=bare.endswith("~"))]
    if bare.endswith("?"):
        ways.append(cut._replace(mark=bare.rstrip("? "), doubted=True))
    if left := LINES["left"].fullmatch(bare):
        number, cost = int(re.sub("[,.]", "", left[2])), cut.cost + costs.REMAINING
        ways.append(cut._replace(mark=left[1], remaining=number, cost=cost))
    for way in ways:
        with suppress(MarkError):
            told.readings(way.mark, rules)
            return way
    told.readings(ways[0].mark, rules)  # says what is wrong
    return cut


def _check_guess(guess: str, rules: Game, told: Told) -> None:
    """Refuse what is no guess of these rules, whatever its signs stand for."""
    signs = signs_of(guess)
    if rules.alphabet.named and signs is not None and len(signs.signs) == rules.pegs:
        return
    if told.colors and rules.alphabet.named:
        read_codes([guess], rules, told.colors)
    elif parse_code(guess, rules) and rules.alphabet.named and signs is None:
        raise CodeError(
            "{guess} mixes letters, digits and discs: write one kind", guess=quoted(guess)
        )


def _with_marks(
    notes: Pieces, codes: InferredCodes, cuts: Sequence[Cut], told: Told, cost: int
) -> Iterator[Interpretation]:
    """The interpretations of codes that are read, by how their marks may be meant."""
    counted = [k for k, cut in enumerate(cuts) if not cut.doubted]
    rules = codes.rules
    try:
        readings = [told.readings(cut.mark, rules) for cut in cuts]
    except MarkError:
        return
    doubts = [
        Phrase("turn {n}, which is doubted, is left out", n=number)
        for number, cut in enumerate(cuts, 1)
        if cut.doubted
    ]
    if not counted:  # nothing of the text counts
        cost += costs.IGNORED
    for row in marks_together([readings[k] for k in counted], rules.pegs):
        if codes.notation.codes == "letters" and any(
            each.form.name == BULLS and {*each.text.upper()} == {"B", "C"} for each in row.readings
        ):
            continue  # it may be another guess, such as `BCC`
        notation = codes.notation
        if notation.codes == "discs" or any(_DISCS & set(each.text) for each in row.readings):
            notation = replace(notation, marks="discs")
        if told.places:
            notation = replace(notation, places=told.places)
        yield Interpretation(
            rules,
            tuple(map(Turn, (codes.codes[k] for k in counted), row.marks)),
            notation,
            (*codes.told, *meanings_told(row.readings, rules), *doubts),
            cost + row.cost + sum(cut.cost for cut in cuts),
            notes.fields,
            bool(codes.told) or any(each.unusual for each in row.readings),
            tuple(cuts[k].remaining for k in counted),
            marks=row,
        )


# Rules that are not told


def _on_boards(notes: Pieces, told: Told) -> Iterator[Interpretation]:
    """The interpretations on the boards that the guesses may be of."""
    guesses = [[signs_of(cut.guess) for cut in turn.cuts] for turn in notes.turns]
    sizes = [[len(signs.signs) if signs else 0 for signs in row] for row in guesses]
    for pegs in sorted({*range(1, MAX_PEGS + 1)}.intersection(*sizes)):
        turns = [
            turn._replace(cuts=tuple(compress(turn.cuts, (size == pegs for size in own))))
            for turn, own in zip(notes.turns, sizes, strict=True)
        ]
        try:
            wide = game_of(Rules(pegs, 26, blank=True))
            cuts = [_read_cut(turn, wide, told) for turn in turns]
        except TurnError:
            continue
        letters = [cut for cut in cuts if is_letter(re.sub(r"\W", "", cut.mark))]
        rows = any(len(cut.mark) > 1 and cut.mark.isalpha() for cut in cuts)
        if letters and not rows and not all(cut.typed for cut in letters):
            continue  # the last peg of a guess
        texts = [cut.guess for cut in cuts]
        signs = [each for each in map(signs_of, texts) if each is not None]
        marked = all(LINES["digits_marked"].fullmatch(cut.mark) for cut in cuts)
        boards: list[InferredCodes] = []
        with suppress(CodeError):
            boards = boards_of(signs, lock=notes.lock, french=told.french)
        if marked and {each.kind for each in signs} == {"digits"}:  # as of bulls and cows
            with suppress(InputError):
                named = "bulls-and-cows" if pegs == 4 else f"{pegs}x10,distinct"
                boards = [read_codes(texts, game_of(named))]
        for codes in (each for board in boards for each in _by_case(texts, board)):
            yield from _with_marks(notes, codes, cuts, told, costs.NAMES * (len(boards) > 1))


# What is wrong with a text that has no interpretation


def _problem(notes: Pieces, told: Told, of_words: TurnError) -> TurnError:
    """What is wrong with turns that are no words of the usual list, and of no board.

    They are taken for those of the board of the first guess that has a mark, else of what stands
    before a separator.
    """
    if error := _marked_as_words(notes, told, of_words):
        return error
    cuts = [cut for turn in notes.turns for cut in turn.cuts]
    board = game_of(Rules())
    for cut in sorted(cuts, key=lambda cut: (not is_turn(cut.guess, cut.mark), not cut.typed)):
        with suppress(InputError):
            if (signs := signs_of(cut.guess)) is not None:
                board = boards_of([signs], lock=notes.lock)[0].rules
                break
    try:
        _by_rules(notes, board, told)
    except TurnError as error:
        return error
    return TurnError(notes.turns[0].line, unread(notes.turns[0].text, board))


def _marked_as_words(notes: Pieces, told: Told, of_words: TurnError) -> TurnError | None:
    """The error of guesses that are marked as words are, and are none of the usual list."""
    words = {cut.guess for turn in notes.turns for cut in turn.cuts if cut.guess.isalpha()}
    if {*"".join(words).upper()} <= _BOARD_LETTERS:
        return None  # the mark of a board, though none that can be given
    lengths = sorted({len(word) for word in words if 3 <= len(word) <= Places.widest})
    for n, marks in ((n, marks) for n in lengths for marks in ("placed", "black")):
        with suppress(TurnError):
            read = _by_rules(notes, game_of(Rules(n, 26, marks=marks)), told)
            game = game_of(f"{SGB},{marks}")
            if n == game.pegs and marks == "placed":
                return of_words
            if marks == "placed" or read[0].form == LIKENESS:
                error = InputError(
                    "the guesses are words of {n} letters: give a list of words, as in --words "
                    "FILE, or {rules}, which has words of {usual}",
                    n=n,
                    rules=game.named,
                    usual=game.pegs,
                )
                return TurnError(notes.turns[0].line, error)
    return None
