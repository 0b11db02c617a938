"""`pegwise puzzle`: turns that fit one code; the puzzle of a day, or one by level and seed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import click

from pegwise.cli.board import Screen
from pegwise.cli.options import (
    WholeNumber,
    json_option,
    notation_option,
    print_json,
    rules_argument,
)
from pegwise.cli.terminal import NO, read_line
from pegwise.errors import InputError, Phrase
from pegwise.game import Code, Rules, Word, parse_code
from pegwise.i18n import tr, translated
from pegwise.knowledge.puzzles import Puzzle, the_day
from pegwise.knowledge.puzzles import puzzle as draw
from pegwise.knowledge.reasoning import LEVELS, Deduction
from pegwise.knowledge.sentences import sentence
from pegwise.knowledge.techniques import alphabet


@click.command(epilog="Example: pegwise puzzle 4x6 --level 3 --seed 7 --explain")
@rules_argument
@click.option(
    "--level", type=WholeNumber(1, LEVELS), help="The hardest step that it needs, 1 to 5."
)
@click.option(
    "--seed",
    type=WholeNumber(0, 10**18),
    help="The seed that it is drawn from; today's puzzle when neither seed nor date are given.",
)
@click.option("--date", metavar="DAY", help="The puzzle of another day, such as 2026-11-22.")
@click.option(
    "--count",
    type=WholeNumber(1, 366),
    default=1,
    show_default=True,
    help="So many puzzles: of the seeds, or the days, that follow.",
)
@click.option("--hints", type=WholeNumber(0, 1000), default=0, help="Show the first so many steps.")
@click.option("--explain", is_flag=True, help="Show all steps, and the code.")
@click.option("--play", is_flag=True, help="Ask for the code; a hint for each empty answer.")
@notation_option
@json_option
@click.pass_context
def puzzle(
    ctx: click.Context,
    rules: Rules,
    level: int | None,
    seed: int | None,
    date: str | None,
    count: int,
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
    """
    if play and (as_json or count > 1):
        raise InputError("--play is for one puzzle, and not for --json")
    if seed is None and date is None:
        date = str(datetime.date.today())
    drawn = []
    for k in range(count):
        if date is not None:
            try:
                day = the_day(date) + datetime.timedelta(days=k)
            except OverflowError:
                raise InputError("--count {n}: there is no such day", n=count) from None
            drawn.append(draw(rules, level=level, seed=seed, date=day))
        else:
            drawn.append(draw(rules, level=level, seed=(seed or 0) + k))
    if as_json:
        documents = [each.document() for each in drawn]
        print_json(documents[0] if count == 1 else {"puzzles": documents})
        return
    screen = Screen(notation=notation)
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
            _show_step(k, step, each, screen)
        if explain:
            words = Phrase("The code is {code}.")
            if rules.words is not None:
                words = Phrase("The word is {code}.")
            screen.say(str(words), code=screen.write(each.solution))
        elif steps:
            _show_grid(steps, rules, screen)


def _show(puzzle: Puzzle, screen: Screen) -> None:
    head = Phrase("Puzzle {rules}, level {level}, seed {seed}: which code fits?")
    if puzzle.rules.words is not None:
        head = Phrase("Puzzle {rules}, level {level}, seed {seed}: which word fits?")
    screen.say(str(head), rules=puzzle.rules, level=puzzle.level, seed=puzzle.seed)
    for number, turn in enumerate(puzzle.turns, 1):
        screen.say(screen.turn(number, turn))


def _show_step(number: int, step: Deduction, puzzle: Puzzle, screen: Screen) -> None:
    """A step in words; what refutes a case stands below it."""
    screen.tell(f"  {number}. {sentence(step, puzzle.rules, puzzle.turns)}")
    for inner in step.chain[: 0 if len(step.chain) == 1 else None]:
        screen.note(f"      {sentence(inner, puzzle.rules, puzzle.turns)}")


def _show_grid(steps: Sequence[Deduction], rules: Rules, screen: Screen) -> None:
    """What is possible at each place after these steps."""
    excluded = {cell for step in steps for cell in step.excluded}
    screen.say()
    for place in range(1, rules.pegs + 1):
        colors = [color for color in alphabet(rules) if (place, color) not in excluded]
        row = Code(colors) if rules.words is None else Word("".join(map(chr, colors)))
        screen.say(tr("place {place}:", place=place) + " " + screen.code(row))


def _play(puzzle: Puzzle, screen: Screen) -> bool:
    """Ask for the code until it is told, with a hint for each empty answer; whether it is."""
    hints = 0
    while line := read_line(tr("code, or Enter for a hint: "), err=False):
        if not (text := line.strip()):
            if hints < len(puzzle.steps):
                hints += 1
                _show_step(hints, puzzle.steps[hints - 1], puzzle, screen)
                _show_grid(puzzle.steps[:hints], puzzle.rules, screen)
            else:
                screen.say("No hint is left: the grid tells the code.")
            continue
        try:
            code = parse_code(text, puzzle.rules, secret=True)
        except InputError as error:
            screen.say(f"{translated(error)}.")
            continue
        if code == puzzle.solution:
            screen.say("Solved.")
            return True
        misfits = puzzle.misfits(code)
        screen.say("{code} does not fit: see turn {n}.", code=screen.write(code), n=misfits[0])
    return False
