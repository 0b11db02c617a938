"""`pegwise candidates` and `puzzle`: the codes that fit some turns, and the one that fits all."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import (
    asked,
    game_screen,
    read_as,
    read_listed,
    read_typed,
    reading_options,
    tell_reading,
    tell_unread,
    told_words,
    typed_boards,
    typed_code,
    typed_text,
)
from pegwise.cli.terminal import NO, read_line, tell
from pegwise.coach.advice import Split
from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import Code, Interpretation, Mark, Rules, Word, parse_code
from pegwise.game.reading import NotedRows, ToldRules, read_rows
from pegwise.game.reading.forms import joined, told_as
from pegwise.i18n import figure, tr, translated
from pegwise.knowledge import candidate_set
from pegwise.knowledge import candidates as candidates_of
from pegwise.knowledge.candidates import board_candidates
from pegwise.knowledge.diagnosis import diagnose
from pegwise.knowledge.puzzle_set import PuzzleSet, record
from pegwise.knowledge.puzzles import Puzzle, the_day
from pegwise.knowledge.puzzles import puzzle as draw
from pegwise.knowledge.reasoning import LEVELS, Deduction
from pegwise.knowledge.sentences import sentence
from pegwise.knowledge.squares import secrets_of_rows, words_of_rows
from pegwise.knowledge.techniques import alphabet
from pegwise.playing import Play
from pegwise.progress import Progress
from pegwise.telling import position as telling

if TYPE_CHECKING:
    pass

# `pegwise candidates`

_EXAMPLES: Final = 6  # words that fit a row of squares


@click.command(epilog="Example: pegwise candidates 4x6 ABCD=XXO ABEF=X")
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
@click.option("--split", metavar="GUESS", help="Also count them by the mark this would get.")
@click.option(
    "--secret",
    "answer",
    metavar="WORD",
    help="Of rows of squares without words: count the words that give each, if this is the code.",
)
@options.words_options
@reading_options
@options.notation_option
@options.json_option
def candidates(
    arguments: tuple[str, ...],
    limit: int,
    n_secrets: int,
    split: str | None,
    answer: str | None,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Count and list the codes that fit some turns, on boards of any size.

    Guesses and marks in any notation: ABCD=XXO, 1234=2b1w, '1234=2 1'; or a text of turns, - for
    standard input. Without RULES they are inferred, which is said. When no code fits, the marks
    contradict each other: the turns that may be wrong are named, with what they may have been, and
    the exit status is 1. A shared game of squares alone hides its words: then counted are the words
    that fit each row.

    With --secrets 4 each turn has a mark for each of four codes that is still hidden, as in
    'CRANE=--GY- | ----- | G---- | -Y---', and the codes of each are listed.
    """
    screen = Screen(notation=notation)
    if n_secrets > 1:
        if split is not None or answer is not None:
            raise InputError("--split and --secret are for one secret: leave them out")
        play = typed_boards(arguments, n_secrets)
        tell_unread(play.turns)
        if as_json:
            options.print_json(_boards_document(play, limit))
        else:
            rules = cast(Rules, play.rules)
            show_boards(play, game_screen(rules, notation, colors, err=False), limit)
        if not all(map(len, board_candidates(play))):
            click.get_current_context().exit(NO)
        return
    board, text = typed_text(arguments)
    tell_unread(text)
    rows = asked(partial(_rows, text), rules=board, marks=marks)
    if rows is not None:
        _show_rows(rows, answer, limit, screen, as_json=as_json)
        return
    if answer is not None:
        raise InputError("--secret {word} is for rows of squares alone", word=quoted(answer))
    noted = read_typed(board, text, screen, colors, marks)
    rules, history = noted.rules, list(noted.turns)
    guess = None
    if split is not None and not arguments and told_words() is None:
        read = read_listed([split], None, screen, colors)
        rules, (guess,) = read.rules, read.codes
        noted = replace(noted, rules=rules, read_as=read.told)
    elif split is not None:
        guess = parse_code(split, rules)
    if not as_json:
        tell_reading(noted, screen)
    with progress_bar(tr("Counting")) as report:
        fitting = candidate_set(rules, history, guess, report=report)
        total = fitting.count()
        codes = fitting.first(limit) if total else []
    if total:
        if as_json:
            listed_turns = [{"guess": str(guess), "mark": str(mark)} for guess, mark in history]
            listed: dict[str, object] = {"count": total, "codes": [str(code) for code in codes]}
            if guess is not None:
                split_by = _split(guess, fitting.parts())
                listed["split"] = {
                    "guess": str(guess),
                    "parts": {str(mark): size for mark, size in split_by.parts},
                    "bits": split_by.bits,
                    "expected": float(split_by.expected),
                }
            options.print_json(
                {"rules": str(rules), "history": listed_turns, **listed, **read_as(noted)}
            )
        else:
            show(telling.fitting(rules, len(history), total, codes), screen)
            if guess is not None:
                show(telling.parts(_split(guess, fitting.parts())), screen)
        return
    say_contradiction(noted, screen, as_json=as_json)
    click.get_current_context().exit(NO)


def show_boards(play: Play, screen: Screen, most: int) -> None:
    """The codes that each of several boards may have."""
    for number, (secret, codes) in enumerate(zip(play.found, candidates_of(play), strict=True), 1):
        if secret is not None:
            screen.say("Board {n} is solved: {code}", n=number, code=screen.write(secret))
            continue
        screen.say("Board {n}: {count} codes", n=number, count=figure(len(codes), ","))
        screen.columns([screen.write(code) for code in codes[:most]])
        if len(codes) > most:
            screen.note("... and {n:,} more", n=len(codes) - most)


def _boards_document(play: Play, limit: int) -> dict[str, Any]:
    """The codes of each board as JSON."""
    return {
        "rules": play.name,
        "history": [{"guess": str(turn.guess), "mark": str(turn.mark)} for turn in play.turns],
        "boards": [
            {"count": len(codes), "codes": [str(code) for code in codes[:limit]]}
            for codes in candidates_of(play)
        ],
    }


def _rows(text: str, rules: ToldRules, marks: str | None) -> NotedRows | None:
    """The rows of a shared game without its words; None where a text is something else."""
    return read_rows(text, rules, marks=marks)


def _show_rows(
    rows: NotedRows, answer: str | None, limit: int, screen: Screen, *, as_json: bool
) -> None:
    """Count the words that fit each row of squares, if the code is this one, or any."""
    rules, marks = rows.rules, rows.marks
    read = {"read_as": str(joined(rows.read_as))} if rows.read_as else {}
    if rows.read_as and not as_json:
        screen.note(translated(told_as(rows.read_as)))
    if answer is not None:
        secret = parse_code(answer, rules, secret=True)
        words = words_of_rows(rules, marks, secret)
        if as_json:
            document = [
                {"mark": str(mark), "count": len(row), "words": [str(w) for w in row[:limit]]}
                for mark, row in zip(marks, words, strict=True)
            ]
            options.print_json(
                {"rules": str(rules), "secret": str(secret), "rows": document, **read}
            )
        else:
            pairs = [*zip(marks, words, strict=True)]
            show(telling.words_by_row(rules, secret, pairs, min(limit, _EXAMPLES)), screen)
        fits = all(words)
    else:
        with progress_bar(tr("Counting")) as report:
            sizes, codes = secrets_of_rows(rules, marks, report=report)
        if as_json:
            document = [
                {"mark": str(mark), "count": size} for mark, size in zip(marks, sizes, strict=True)
            ]
            listed = {"count": len(codes), "codes": [str(code) for code in codes[:limit]]}
            options.print_json({"rules": str(rules), "rows": document, **listed, **read})
        else:
            counts = [*zip(marks, sizes, strict=True)]
            show(telling.codes_by_row(rules, counts, codes, limit), screen)
        fits = bool(codes)
    if not fits:
        click.get_current_context().exit(NO)


def say_contradiction(noted: Interpretation, screen: Screen, *, as_json: bool) -> None:
    """Name the turns that may be wrong, where no code fits them all."""
    with progress_bar(tr("Looking for the wrong mark")) as report:
        diagnosis = diagnose(
            noted.rules,
            noted.turns,
            notation=noted.notation,
            two_numbers=noted.two_numbers,
            report=report,
        )
    if as_json:
        options.print_json({"count": 0, **diagnosis.document(), **read_as(noted)})
    else:
        show(telling.contradiction(diagnosis, screen.notation), screen)


def _split(guess: Code, parts: Mapping[Mark, int]) -> Split:
    """How a guess splits the codes that fit."""
    wins = any(mark.black == len(guess) for mark in parts)
    return Split(guess, (tuple(parts.items()),), (1,) if wins else ())


# `pegwise puzzle`


class _Levels(click.ParamType):  # type: ignore[type-arg]
    """A level, or the first and the last of several."""

    name = "n"

    def convert(self, value: Any, _param: Any, _ctx: Any) -> Sequence[int]:
        match = re.fullmatch(r"([1-9])(?:-([1-9]))?", str(value).strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= LEVELS:
            raise InputError(
                "--level {value}: give a whole number from 1 to {most}, or two of them: 1-4",
                value=quoted(str(value)),
                most=LEVELS,
            )
        return range(first, last + 1)


@click.command(epilog="Example: pegwise puzzle 4x6 --level 3 --seed 7 --explain")
@options.rules_argument
@click.option(
    "--level",
    "levels",
    type=_Levels(),
    help="The hardest step that it needs, 1 to 5; 1-4: these in turn.",
)
@click.option(
    "--seed",
    type=options.WholeNumber(0, 10**18),
    help="The seed that it is drawn from; today's puzzle when neither seed nor date are given.",
)
@click.option("--date", metavar="DAY", help="The puzzle of another day, such as 2026-11-22.")
@click.option(
    "--count",
    type=options.WholeNumber(1, 10**6),
    default=1,
    show_default=True,
    help="So many puzzles: of the days that follow, or of the seeds, where none comes twice.",
)
@click.option(
    "--format",
    "lines",
    type=click.Choice(["jsonl"]),
    help="A line of JSON for each, with sentences in all languages and four wrong answers.",
)
@options.output_option("-o", "--output", help="Write these lines into a file.")
@click.option(
    "--hints", type=options.WholeNumber(0, 1000), default=0, help="Show the first so many steps."
)
@click.option("--explain", is_flag=True, help="Show all steps, and the code.")
@click.option("--play", is_flag=True, help="Ask for the code; a hint for each empty answer.")
@options.notation_option
@options.json_option
@click.pass_context
def puzzle(
    ctx: click.Context,
    rules: Rules,
    levels: Sequence[int] | None,
    seed: int | None,
    date: str | None,
    count: int,
    lines: str | None,
    output: Path | None,
    hints: int,
    explain: bool,
    play: bool,
    notation: str | None,
    as_json: bool,
) -> None:
    """Find the one code that fits all turns: the puzzle of the day, or one by level and seed.

    Its level is the hardest step that a person needs: 1 reads one mark, 2 counts with what is told
    already, 3 compares two marks, 4 tries a case, 5 tries long cases. No turn can be left out. The
    puzzle of a day is the same for everybody.

    For tests of programs, --format jsonl writes a line of JSON for each puzzle, with its steps as
    data and as sentences and four wrong answers, from the closest to any.
    """
    if play and (as_json or lines or output or count > 1):
        raise InputError("--play is for one puzzle, and not for --json, --format or -o")
    if as_json and (lines or output):
        raise InputError("give --json, or --format jsonl with -o, not both")
    if seed is not None and date is not None:
        raise InputError("give a seed or a date, not both")
    levels = levels or ()
    chosen = PuzzleSet(rules, levels, seed or 0)
    if seed is None:
        day = datetime.date.today() if date is None else the_day(date)
        puzzles = _of_days(rules, levels, day, count)
    else:
        puzzles = chosen.draw(count)
    if lines or output:
        _write_lines(puzzles, output, count)
        _tell_repeated(chosen)
        return
    drawn = [*_counted(puzzles, count)]
    _tell_repeated(chosen)
    if as_json:
        documents = [each.document() for each in drawn]
        options.print_json(documents[0] if count == 1 else {"puzzles": documents})
        return
    screen = Screen(notation=notation)
    screen.follow("", rules)
    for number, each in enumerate(drawn):
        if number:
            screen.say()
        _show(each, screen)
        if play:
            ctx.exit(0 if _play(each, screen) else NO)
        steps = each.steps if explain else each.steps[:hints]
        if steps:
            screen.say()
        for k, step in enumerate(steps, 1):
            show_step(k, step, each, screen)
        if explain:
            words = Phrase("The code is {code}.")
            if rules.words is not None:
                words = Phrase("The word is {code}.")
            screen.say(str(words), code=screen.write(each.solution))
        elif steps:
            show_grid(steps, rules, screen)


def _of_days(
    rules: Rules, levels: Sequence[int], day: datetime.date, count: int
) -> Iterator[Puzzle]:
    """The puzzles of a day and those that follow."""
    try:
        days = [day + datetime.timedelta(days=k) for k in range(count)]
    except OverflowError:
        raise InputError("--count {n}: there is no such day", n=count) from None
    for k, each in enumerate(days):
        yield draw(rules, level=levels[k % len(levels)] if levels else None, date=each)


def _counted(puzzles: Iterator[Puzzle], count: int) -> Iterator[Puzzle]:
    """The same, with their progress."""
    with progress_bar(tr("Drawing")) as report:
        for number, each in enumerate(puzzles, 1):
            yield each
            report(Progress(number, count, "puzzles"))


def _write_lines(puzzles: Iterator[Puzzle], output: Path | None, count: int) -> None:
    """A line of JSON for each, into a file or on standard output."""
    lines = (json.dumps(record(each)) + "\n" for each in _counted(puzzles, count))
    if output is None:
        for line in lines:
            click.echo(line, nl=False)
        return
    options.write_file(output, (line.encode() for line in lines))
    tell("written: {path}", path=output)


def _tell_repeated(drawn: PuzzleSet) -> None:
    if drawn.repeated:
        note = Phrase(
            "Left out: {n:,} that differ from others in names of colors or the order of turns only."
        )
        tell(str(note), n=drawn.repeated)


def _show(puzzle: Puzzle, screen: Screen) -> None:
    head = Phrase("Puzzle {rules}, level {level}, seed {seed}: which code fits?")
    if puzzle.rules.words is not None:
        head = Phrase("Puzzle {rules}, level {level}, seed {seed}: which word fits?")
    screen.say(str(head), rules=puzzle.rules.named, level=puzzle.level, seed=puzzle.seed)
    for number, turn in enumerate(puzzle.turns, 1):
        screen.say(screen.turn(number, turn))


def show_step(number: int, step: Deduction, puzzle: Puzzle, screen: Screen) -> None:
    """A step in words; what refutes a case stands below it."""
    position = puzzle.rules, puzzle.turns, screen.notation
    screen.tell(f"  {number}. {sentence(step, *position)}")
    for inner in step.chain[: 0 if len(step.chain) == 1 else None]:
        screen.note(f"      {sentence(inner, *position)}")


def show_grid(steps: Sequence[Deduction], rules: Rules, screen: Screen) -> None:
    """Print the colors that are possible at each place after these steps."""
    excluded = {cell for step in steps for cell in step.excluded}
    screen.say()
    for place in range(1, rules.pegs + 1):
        colors = [color for color in alphabet(rules) if (place, color) not in excluded]
        row = Code(colors) if rules.words is None else Word("".join(map(chr, colors)))
        screen.say(tr("place {place}:", place=place) + " " + screen.code(row))


def _play(puzzle: Puzzle, screen: Screen) -> bool:
    """Ask for the code until it is told, with a hint for each empty answer; whether it is."""
    hints, leave = 0, tr("quit")
    while line := read_line(tr("code, Enter for a hint, or quit: "), err=False):
        if (text := line.strip()).lower() in ("q", "quit", "exit", leave):
            break
        if text.lower() in ("", "?", "help", "hint", tr("help"), tr("hint")):
            if hints < len(puzzle.steps):
                hints += 1
                show_step(hints, puzzle.steps[hints - 1], puzzle, screen)
                show_grid(puzzle.steps[:hints], puzzle.rules, screen)
            else:
                screen.say("No hint is left: the grid tells the code.")
            continue
        try:
            code = typed_code(text, puzzle.rules, screen, secret=True)
        except InputError as error:
            screen.tell("{error}.", error=translated(error))
            continue
        if code == puzzle.solution:
            screen.say("Solved.")
            return True
        misfits = puzzle.misfits(code)
        screen.say("{code} does not fit: see turn {n}.", code=screen.write(code), n=misfits[0])
    return False
