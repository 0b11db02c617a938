"""Histories that people type, read with the options of a command; readings are asked for.

A terminal is asked which reading of an ambiguous text is meant; elsewhere the error names all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.terminal import has_unread_input, read_line, standard_input, tell
from pegwise.errors import (
    AmbiguousError,
    InputError,
    Phrase,
    RulesError,
    UnknownNameError,
    quoted,
)
from pegwise.game import Code, Game, Mark, Notation, game_of
from pegwise.game.names import SEVERAL
from pegwise.game.resolvers import names_game
from pegwise.i18n import language, tr, translated, trn
from pegwise.knowledge import check_turn, count
from pegwise.playing import Play
from pegwise.reading import GivenRules, HistoryReader, Interpretation
from pegwise.reading.codes import (
    InferredCodes,
    check_colors,
    infer_codes,
    read_code,
    read_codes,
)
from pegwise.reading.forms import form_names
from pegwise.reading.marks import MarkReading, meanings_told, read_mark

T = TypeVar("T")

_COUNTED: Final = 10**7  # codes of the largest board on which a second reading is counted too


colors_option: Final = click.option(
    "--colors",
    hidden=True,
    metavar="NAME,...",
    help="Your own names for the colors, in order: red,orange,yellow,green,blue,purple.",
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--colors` and `--marks`, as `colors` and `marks` of the command."""
    marks_option = click.option(
        "--marks",
        hidden=True,
        metavar="FORM",
        help="How marks are meant where they can be read in several ways, as in inclusive: the "
        "second number includes the first.",
    )
    return colors_option(marks_option(command))


def reader_of(
    rules: GivenRules,
    colors: str | Sequence[str] | None,
    marks: str | None,
    places: str | None = None,
) -> HistoryReader:
    """A reader with these options; UnknownNameError for a form of marks that does not exist."""
    check_form(marks)
    names = colors.split(",") if isinstance(colors, str) else colors or ()
    french = language() == "fr"
    seats = places.split(",") if places else ()
    return HistoryReader(rules, colors=names, marks=marks, french=french, places=seats)


def check_form(marks: str | None) -> None:
    """Refuse a form of marks that does not exist, by UnknownNameError."""
    if marks is not None and marks not in form_names():
        raise UnknownNameError.of("form of marks", marks, form_names())


def asked(read: Callable[..., T], **choices: Any) -> T:
    """The result of `read` with these choices; the person chooses among several readings."""
    while True:
        try:
            return read(**choices)
        except AmbiguousError as error:
            if not _at_terminal() or not error.readings:
                raise
            choices |= _chosen(error)


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _chosen(error: AmbiguousError) -> dict[str, object]:
    """The arguments of the reading that a person chooses; the error again for no answer."""
    tell("{what} can be read in several ways:", what=translated(error.what))
    for number, (words, _) in enumerate(error.readings, 1):
        tell("  {n}. {words}", n=number, words=translated(words))
    if (chosen := ask_number(Phrase("Which is meant, 1 to {n}? "), len(error.readings))) is None:
        raise error
    return dict(error.readings[chosen - 1][1])


def ask_number(question: str, n: int) -> int | None:
    """The number from 1 to `n` that a person types; None for no answer."""
    while line := read_line(tr(question, n=n), err=True):
        typed = line.strip()
        if typed.isdecimal() and 1 <= int(typed) <= n:
            return int(typed)
        tell("{typed}: write a number from 1 to {n}", typed=quoted(typed), n=n)
    return None


def read_position(
    arguments: Sequence[str],
    screen: Screen,
    colors: str | None = None,
    marks: str | None = None,
) -> Interpretation:
    """The history that was typed, `[RULES] GUESS=MARK...`, or that standard input has (`-`).

    The screen writes codes in its notation from then on. MarkError: a mark that cannot happen.
    """
    board, text = typed_text(arguments)
    tell_unread(text)
    return read_typed(board, text, screen, colors, marks)


def tell_unread(turns: object) -> None:
    """Say that standard input is not read, where no turns are typed and something is there.

    It is not read unasked: a script that calls the command may have its own next lines there.
    """
    if not turns and has_unread_input():
        tell("standard input is not read: write - in place of turns to read them from it")


def typed_text(arguments: Sequence[str]) -> tuple[GivenRules, str]:
    """The rules that are told, and the text of turns that was typed, or that standard input has."""
    board, turns = split_rules(arguments)
    if len(turns) == 1 and is_file(turns[0]):
        raise InputError(
            "{file} is a file; its turns are read from standard input: - < {file}",
            file=quoted(turns[0]),
        )
    return board, standard_input().read() if turns == ["-"] else "\n".join(turns)


def is_file(text: str) -> bool:
    """Whether a text is the path of a file."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no path: too long, or with a null character
        return False


def read_typed(
    board: GivenRules,
    text: str,
    screen: Screen,
    colors: str | None = None,
    marks: str | None = None,
    places: str | None = None,
) -> Interpretation:
    """The history of a text, as `read_position`."""

    def read(game: GivenRules = board, **choices: Any) -> Interpretation:
        chosen = {"colors": colors, "marks": marks, **choices}
        return reader_of(game, places=places, **chosen).read(text)

    noted = asked(read)
    if text.strip() and not noted.turns:
        raise InputError(
            "cannot read {text}: write turns, as in {turn}",
            text=quoted(text),
            turn=noted.game.example_turn,
        )
    screen.use(noted.notation, noted.game)
    for turn in noted.turns:
        check_turn(noted.game, turn, screen.notation)
    return noted


def read_as(noted: Interpretation | None) -> dict[str, str]:
    """The JSON keys that tell how a history was read, where something was inferred."""
    return {"read_as": str(noted.told)} if noted and noted.read_as else {}


def tell_reading(history: Interpretation, screen: Screen) -> None:
    """Say in lines what was inferred, and how many codes fit if the marks are meant otherwise.

    Where the text has numbers of codes left, those that differ are said too.
    """
    if history.read_as:
        screen.note(translated(history.told))
    rules, turns = history.game, history.turns
    if rules.n_secrets > _COUNTED:
        return
    for number, noted in enumerate(history.remaining, 1):
        if noted is not None and (fitting := count(rules, turns[:number])) != noted:
            screen.note(
                trn(
                    "Turn {turn}: the text says that {noted:,} are left, but {n:,} code fits.",
                    "Turn {turn}: the text says that {noted:,} are left, but {n:,} codes fit.",
                    fitting,
                    turn=number,
                    noted=noted,
                )
            )
    if not history.others or not count(rules, turns):
        return  # contradictory marks are explained later
    for other in history.others:
        if fitting := count(rules, other.turns):
            screen.note(
                trn(
                    "If {meaning} (--marks {form}): {n:,} code fits.",
                    "If {meaning} (--marks {form}): {n:,} codes fit.",
                    fitting,
                    meaning=translated(other.meant),
                    form=other.form,
                )
            )


def read_listed(
    texts: Sequence[str], rules: Game | None, screen: Screen, colors: str | None
) -> InferredCodes:
    """Codes that are typed, and the board: the one told, or the one that they are of."""
    french = language() == "fr"

    def read(**choices: Any) -> InferredCodes:
        game = choices.get("game", rules)
        if game is None:
            return infer_codes(texts, french=french)
        names = choices.get("colors") or (colors.split(",") if colors else ())
        return read_codes(texts, game_of(game), names, french=french)

    codes = asked(read)
    screen.use(codes.notation, codes.rules)
    return codes


def tell_codes(codes: InferredCodes, screen: Screen) -> None:
    """Say in a line, the first time, what was inferred of codes."""
    screen.note_reading(codes.told)


def game_screen(
    rules: Game, notation: str | None, colors: str | None, *, err: bool, typed: str = ""
) -> Screen:
    """Where a game is shown, in names of one's own for the colors if there are any."""
    screen = Screen(err=err, notation=notation)
    screen.follow(typed, rules)
    if colors is not None:
        names = check_colors(colors.split(","), rules)
        screen.use(Notation("names", names=names), rules)
    return screen


def typed_code(text: str, rules: Game, screen: Screen, *, secret: bool = False) -> Code:
    """A code that is typed in a game; what is inferred of it is said. CodeError: it is none."""
    read = read_code(text, rules, screen.notation, secret=secret)
    tell_codes(read, screen)
    screen.use(read.notation, rules)
    return read.codes[0]


def typed_mark(text: str, rules: Game, form: str | None, screen: Screen) -> tuple[Mark, str | None]:
    """A mark that is typed in a game, and the form that was chosen for it, if it was asked for.

    What its signs were taken for is said the first time, where it does not go without saying.
    """

    def read(marks: str | None = form) -> tuple[MarkReading, str | None]:
        return read_mark(text, rules, french=language() == "fr", form=marks), marks

    reading, chosen = asked(read)
    if reading.form.name != chosen:
        screen.note_reading(meanings_told([reading], rules))
    return reading.mark, chosen


def split_rules(arguments: Sequence[str]) -> tuple[GivenRules, list[str]]:
    """The rules that stand first, or the list of words that is used; and the other arguments."""
    first, *rest = arguments or ("",)
    if first and names_game(first):
        return options.named_rules(first), rest
    size = re.fullmatch("[1-9] [0-9]{1,2}", " ".join(arguments[:2]))
    if size and (example := options.nearest_example(size[0])):
        error = InputError("cannot read rules {text}", text=quoted(size[0]))
        raise InputError("{error}; {example}", error=error, example=example)
    if first and not any(sign in first for sign in "=:/;\n ") and first != "-":
        if first.endswith(",") and rest:
            raise InputError(
                "rules {text}: write flags after the comma without a space, as in 4x6,black",
                text=quoted(first),
            )
        try:
            rules = options.named_rules(first)
            options.refuse_strategies(rest, rules)
            return rules, rest
        except (RulesError, UnknownNameError) as error:
            if (told := options.with_example(error, first)) is not error:
                raise told from None
            if (first[:1].isdigit() and "x" in first) or SEVERAL.fullmatch(first):
                raise  # meant as rules, not as a turn
            raise InputError("{error}; a turn is GUESS=MARK", error=error) from None
    return given_words(), list(arguments)


def typed_boards(arguments: Sequence[str], n: int) -> Play:
    """The play with `n` secrets of `RULES GUESS=MARKS...`; `-` reads standard input."""
    told, typed = split_rules(arguments)
    if typed and not isinstance(told, Game):
        raise InputError("several secrets need RULES before the turns, as in wordle")
    rules = told if isinstance(told, Game) else options.named_rules(None)
    text = rules.alphabet.apart.join(typed)
    if typed == ["-"]:
        text = standard_input().read()
    return Play(game_of(rules), n).read(text)


def given_words() -> GivenRules:
    """The list of words that `--words` gives; the rules whose list `--also` extends; or None."""
    listed = options.listed_words()
    if (listed is None and options.more_words()) or options.typed_jar():
        return options.named_rules(None)
    return listed
