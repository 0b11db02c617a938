"""`pegwise puzzle`: which code fits all turns, with hints step by step."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import typed_code
from pegwise.cli.terminal import NO, read_line, tell
from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import Game
from pegwise.i18n import tr, translated
from pegwise.knowledge.puzzle_set import PuzzleSet, record
from pegwise.knowledge.puzzles import Puzzle, the_day
from pegwise.knowledge.puzzles import puzzle as draw
from pegwise.knowledge.reasoning import LEVELS
from pegwise.progress import Progress
from pegwise.telling import puzzle as telling


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
@options.jar_option
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
    help="Draw N puzzles, from the following days or seeds, all different.",
)
@click.option(
    "--format",
    "lines",
    type=click.Choice(["jsonl"]),
    help="A line of JSON for each, with sentences in all languages and four wrong answers.",
)
@options.output_option("-o", "--output", help="Write these lines into a file.")
@click.option(
    "--hints",
    type=options.WholeNumber(0, 1000),
    default=0,
    help="Show the first N steps.",
)
@click.option("--explain", is_flag=True, help="Show all steps, and the code.")
@click.option("--play", is_flag=True, help="Ask for the code; a hint for each empty answer.")
@options.notation_option
@options.json_option
@click.pass_context
def puzzle(
    ctx: click.Context,
    rules: Game,
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

    Its level is the hardest step that a person needs: 1 reads one mark, 2 counts with what is
    known, 3 compares two marks, 4 tries a case, 5 tries long cases. Every turn is needed. The
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
        options.print_json(drawn[0] if count == 1 else {"puzzles": drawn})
        return
    screen = Screen(notation=notation)
    screen.follow("", rules)
    for number, each in enumerate(drawn):
        if number:
            screen.say()
        if play:
            show(telling.asked(each), screen)
            ctx.exit(0 if _play(each, screen) else NO)
        shown = len(each.steps) if explain else hints
        show(telling.asked(each, screen.notation, shown, solved=explain), screen)


def _of_days(
    rules: Game, levels: Sequence[int], day: datetime.date, count: int
) -> Iterator[Puzzle]:
    """The puzzles of a day and those that follow."""
    try:
        days = [day + datetime.timedelta(days=k) for k in range(count)]
    except OverflowError:
        raise InputError("--count {n}: there is no such day", n=count) from None
    for k, each in enumerate(days):
        yield draw(rules, level=levels[k % len(levels)] if levels else None, date=each)


def _counted(puzzles: Iterator[Puzzle], count: int) -> Iterator[Puzzle]:
    """Yield the puzzles, and show how many are drawn."""
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


def _play(puzzle: Puzzle, screen: Screen) -> bool:
    """Ask for the code until it is told, with a hint for each empty answer; whether it is."""
    hints, leave = 0, tr("quit")
    while line := read_line(tr("code, Enter for a hint, or quit: "), err=False):
        if (text := line.strip()).lower() in ("q", "quit", "exit", leave):
            break
        if text.lower() in ("", "?", "help", "hint", tr("help"), tr("hint")):
            if hints < len(puzzle.steps):
                hints += 1
                show(telling.hint(puzzle, hints, screen.notation), screen)
            else:
                screen.say("No hint is left: the grid tells the code.")
            continue
        try:
            code = typed_code(text, puzzle.game, screen, secret=True)
        except InputError as error:
            screen.tell("{error}.", error=translated(error))
            continue
        if code == puzzle.solution:
            screen.say("Solved.")
            return True
        screen.say(telling.misfit(puzzle, code))
    return False
