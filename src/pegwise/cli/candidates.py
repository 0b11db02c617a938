"""`pegwise candidates`: the codes that fit some turns."""

from __future__ import annotations

from functools import partial
from typing import Final

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import (
    asked,
    game_screen,
    read_as,
    read_typed,
    reading_options,
    tell_reading,
    tell_unread,
    typed_boards,
    typed_text,
)
from pegwise.cli.terminal import NO
from pegwise.errors import InputError, quoted
from pegwise.game import parse_code
from pegwise.i18n import tr, translated
from pegwise.knowledge import candidate_set
from pegwise.knowledge import candidates as candidates_of
from pegwise.knowledge.candidates import board_candidates
from pegwise.knowledge.chances import chances
from pegwise.knowledge.squares import secrets_of_rows, words_of_rows
from pegwise.playing import Play
from pegwise.reading import GivenRules, Interpretation, read_rows
from pegwise.reading.forms import joined
from pegwise.telling import position as telling

_EXAMPLES: Final = 6  # words that fit a row of squares


@click.command(cls=options.SecretsCommand, epilog="Example: pegwise candidates 4x6 ABCD=XXO ABEF=X")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@click.option(
    "--limit",
    type=options.WholeNumber(0, 10**18),
    default=20,
    show_default=True,
    help="Codes to list; all are counted.",
)
@options.secrets_option
@click.option(
    "--secret",
    "answer",
    metavar="WORD",
    help="With pasted squares: count the words that give each row if WORD is the code.",
)
@click.option(
    "--chances",
    "with_chances",
    is_flag=True,
    help="Print the share of the codes that fit by color and place, exactly.",
)
@click.option(
    "--places",
    metavar="NAME,...",
    hidden=True,
    help="Your own names for the places, in order; with --colors, guesses are pairs: Ann-Ben.",
)
@options.words_options
@options.jar_option
@reading_options
@options.notation_option
@options.json_option
def candidates(
    arguments: tuple[str, ...],
    limit: int,
    n_secrets: int,
    answer: str | None,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    with_chances: bool,
    places: str | None,
    as_json: bool,
) -> None:
    """Count and list the codes that fit some turns, on boards of any size.

    Guesses and marks in any notation: ABCD=XXO, 1234=2b1w, '1234=2 1'; or a text of turns, - for
    standard input. Without RULES they are inferred, and a line says so. When no code fits, the
    marks contradict each other: the turns that may be wrong are named, with the marks that would
    fit, and the exit status is 1. If you paste only the squares of a shared game, the words that
    fit each row are counted.

    With --secrets 4 each turn has a mark for each of the four codes that is still hidden, as in
    'CRANE=--GY- | ----- | G---- | -Y---', and the codes of each are listed.
    """
    screen = Screen(notation=notation)
    if n_secrets > 1:
        if answer is not None or with_chances:
            option = "--chances" if answer is None else "--secret"
            raise InputError("{option} is for one secret: leave it out", option=option)
        play = typed_boards(arguments, n_secrets)
        tell_unread(play.turns)
        if as_json:
            turns = [{"guess": turn.guess, "mark": str(turn.mark)} for turn in play.turns]
            boards = [
                {"count": len(codes), "codes": codes[:limit]} for codes in candidates_of(play)
            ]
            options.print_json({"rules": play.name, "history": turns, "boards": boards})
        else:
            show_boards(play, game_screen(play.game, notation, colors, err=False), limit)
        if not all(map(len, board_candidates(play))):
            click.get_current_context().exit(NO)
        return
    board, text = typed_text(arguments)
    tell_unread(text)
    rows = asked(partial(_share_rows, text), game=board, marks=marks)
    if rows is not None:
        if with_chances:
            raise InputError("--chances is for turns with guesses: leave it out")
        _show_rows(rows, answer, limit, screen, as_json=as_json)
        return
    if answer is not None:
        raise InputError("--secret {word} is for rows of squares alone", word=quoted(answer))
    if places is not None and not colors:
        raise InputError("--places needs the names of the colors too: --colors NAME,...")
    noted = read_typed(board, text, screen, colors, marks, places)
    rules, history = noted.game, list(noted.turns)
    if not as_json:
        tell_reading(noted, screen)
    with progress_bar(tr("Counting")) as report:
        fitting = candidate_set(rules, history, report=report)
        total = fitting.count()
        codes = fitting.first(limit) if total else []
        shares = chances(rules, history, report=report) if total and with_chances else None
    if total:
        if as_json:
            listed = {"count": total, "codes": codes}
            listed |= {} if shares is None else {"chances": shares.document()["chances"]}
            options.print_json({"rules": rules, "history": history, **listed, **read_as(noted)})
        else:
            told = [*telling.fitting(rules, len(history), total, codes)]
            if shares is not None:
                told.append(telling.chances_table(shares, screen.notation.places))
            show(told, screen)
        return
    say_contradiction(noted, screen, as_json=as_json)
    click.get_current_context().exit(NO)


def show_boards(play: Play, screen: Screen, most: int) -> None:
    """The codes that each of several boards may have."""
    show(telling.of_boards(play, candidates_of(play), most), screen)


def _share_rows(text: str, game: GivenRules, marks: str | None) -> Interpretation | None:
    """The rows of a shared game without its words; None where a text is something else."""
    return read_rows(text, game, marks=marks)


def _show_rows(
    rows: Interpretation, answer: str | None, limit: int, screen: Screen, *, as_json: bool
) -> None:
    """Count the words that fit each row of squares, if the code is this one, or any."""
    rules, marks = rows.game, rows.marks.marks
    read = {"read_as": str(joined(rows.read_as))} if rows.read_as else {}
    if rows.read_as and not as_json:
        screen.note(translated(rows.told))
    if answer is not None:
        secret = parse_code(answer, rules, secret=True)
        words = words_of_rows(rules, marks, secret)
        if as_json:
            document = [
                {"mark": mark, "count": len(row), "words": row[:limit]}
                for mark, row in zip(marks, words, strict=True)
            ]
            options.print_json({"rules": rules, "secret": secret, "rows": document, **read})
        else:
            pairs = [*zip(marks, words, strict=True)]
            show(telling.words_by_row(rules, secret, pairs, min(limit, _EXAMPLES)), screen)
        fits = all(words)
    else:
        with progress_bar(tr("Counting")) as report:
            sizes, codes = secrets_of_rows(rules, marks, report=report)
        if as_json:
            document = [
                {"mark": mark, "count": size} for mark, size in zip(marks, sizes, strict=True)
            ]
            listed = {"count": len(codes), "codes": codes[:limit]}
            options.print_json({"rules": rules, "rows": document, **listed, **read})
        else:
            counts = [*zip(marks, sizes, strict=True)]
            show(telling.codes_by_row(rules, counts, codes, limit), screen)
        fits = bool(codes)
    if not fits:
        click.get_current_context().exit(NO)


def say_contradiction(noted: Interpretation, screen: Screen, *, as_json: bool) -> None:
    """Name the turns that may be wrong, where no code fits them all."""
    from pegwise.knowledge.diagnosis import diagnose

    with progress_bar(tr("Looking for the wrong mark")) as report:
        diagnosis = diagnose(
            noted.game,
            noted.turns,
            notation=noted.notation,
            two_numbers=noted.two_numbers,
            report=report,
        )
    if as_json:
        options.print_json({"count": 0, **diagnosis.document(), **read_as(noted)})
    else:
        show(telling.contradiction(diagnosis, screen.notation), screen)
