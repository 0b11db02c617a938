"""`pegwise candidates` and `review`: what turns leave possible, contradict, and cost."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.options import (
    ANY_PATH,
    WholeNumber,
    json_option,
    named_rules,
    notation_option,
    print_json,
    words_options,
)
from pegwise.cli.terminal import NO, columns, paragraph, progress_bar, say, standard_input
from pegwise.errors import InputError, Phrase
from pegwise.game import (
    Code,
    Mark,
    Record,
    Rules,
    Turn,
    parse_code,
    parse_game,
    parse_turn,
    read_record,
)
from pegwise.i18n import figure, tr, trn
from pegwise.knowledge import Suspect, count, fewest_wrong
from pegwise.knowledge.sentences import follows_from
from pegwise.pictures.words import guess_verdict, luck_note, review_words

if TYPE_CHECKING:
    from pegwise.coach import Review, TurnReview


# `pegwise candidates`

_ALTERNATIVES: Final = 4


@click.command(epilog="Example: pegwise candidates 4x6 ABCD=XXO ABEF=X")
@click.argument("arguments", nargs=-1, metavar="[RULES] GUESS=MARK...")
@click.option(
    "--limit",
    type=WholeNumber(0, 10**18),
    default=20,
    show_default=True,
    help="Codes to list; all are counted.",
)
@click.option("--split", metavar="GUESS", help="Also count them by the mark this would get.")
@words_options
@notation_option
@json_option
def candidates(
    arguments: tuple[str, ...], limit: int, split: str | None, notation: str | None, as_json: bool
) -> None:
    """Count and list the codes that fit some turns, on boards of any size.

    Guesses and marks in any notation: ABCD=XXO, 1234=2b1w, '1234=2 1'. When no code fits, the marks
    contradict each other: the turns that may be wrong are named, with what they may have been, and
    the exit status is 1.
    """
    from pegwise.knowledge import candidate_set, check_turn, suspects

    typed = None
    if arguments and "=" not in arguments[0]:
        typed, arguments = arguments[0], arguments[1:]
    rules = named_rules(typed)
    history = [parse_turn(argument, rules) for argument in arguments]
    for turn in history:
        check_turn(rules, turn)
    guess = None if split is None else parse_code(split, rules)
    with progress_bar(tr("Counting")) as report:
        fitting = candidate_set(rules, history, guess, report=report)
    screen = Screen(notation=notation)
    screen.follow("".join(argument.partition("=")[0] for argument in arguments), rules)
    if total := fitting.count():
        codes = fitting.first(limit)
        if as_json:
            turns = [{"guess": str(guess), "mark": str(mark)} for guess, mark in history]
            listed: dict[str, object] = {"count": total, "codes": [str(code) for code in codes]}
            if guess is not None:
                parts = {str(mark): size for mark, size in fitting.parts().items()}
                listed["split"] = {"guess": str(guess), "parts": parts}
            print_json({"rules": str(rules), "history": turns, **listed})
        else:
            _print_codes(rules, history, total, [screen.write(code) for code in codes])
            if guess is not None:
                _print_parts(guess, fitting.parts(), screen)
        return
    with progress_bar(tr("Looking for the wrong mark")) as report:
        likely = suspects(rules, history, report=report)
    if as_json:
        print_json({"count": 0, "suspects": [suspect.document() for suspect in likely]})
    else:
        for line in explain(rules, history, likely, screen):
            indent = " " * (len(line) - len(line.lstrip()))
            click.echo(paragraph(line.lstrip(), indent, f"{indent}    "))
    click.get_current_context().exit(NO)


def _print_codes(rules: Rules, history: list[Turn], total: int, codes: list[str]) -> None:
    if not history:
        click.echo(trn("{rules} has {n:,} code.", "{rules} has {n:,} codes.", total, rules=rules))
    else:
        click.echo(
            trn(
                "{n:,} code of {rules} fits {turns}.",
                "{n:,} codes of {rules} fit {turns}.",
                total,
                rules=rules,
                turns=trn("this turn", "these {n} turns", len(history)),
            )
        )
    width = min(shutil.get_terminal_size().columns, 80)
    row = max(1, (width + 1) // (max(map(columns, codes), default=0) + 1))
    for start in range(0, len(codes), row):
        click.echo(" ".join(codes[start : start + row]))
    if 0 < len(codes) < total:
        say("... and {n:,} more (see --limit)", n=total - len(codes))


def _print_parts(guess: Code, parts: Mapping[Mark, int], screen: Screen) -> None:
    code, n = screen.write(guess), len(parts)
    screen.say(trn("{code} can get {n} mark:", "{code} can get {n} different marks:", n, code=code))
    width = len(figure(max(parts.values()), ","))
    for mark, size in parts.items():
        screen.say(f"  {mark!s:{len(guess)}}  {figure(size, ','):>{width}}")


def explain(
    rules: Rules, history: Sequence[Turn], suspects: Sequence[Suspect], screen: Screen
) -> list[str]:
    """What to say of a contradictory history with these suspects, in lines."""
    lines = [_first_misfit(rules, history)]
    if not suspects:
        fewest = fewest_wrong(rules, history)
        lines.append(tr("No change of one mark helps: at least {n} marks are wrong.", n=fewest))
    elif len(suspects) == 1:
        only = _described(history, suspects[0], screen)
        lines.append(tr("If only one mark is wrong, it is that of {turn}.", turn=only))
    else:
        lines.append(tr("If only one mark is wrong, it is one of these, the most likely first:"))
        lines += [f"  {_described(history, suspect, screen)}" for suspect in suspects]
    return lines


def _first_misfit(rules: Rules, history: Sequence[Turn]) -> str:
    """Which turn is the first that nothing fits."""
    if len(history) == 1:
        return tr("No code of {rules} fits this turn.", rules=rules)
    for last in range(len(history), 0, -1):
        before = history[: last - 1]
        if candidates := count(rules, before):
            break
    title = tr("No code of {rules} fits these {n} turns", rules=rules, n=len(history))
    if not before:
        return tr("{title}: none fits turn 1 alone.", title=title)
    few = {1: tr("turn 1"), 2: tr("turns 1 and 2")}
    return trn(
        "{title}: {n} code fits {turns}, and none of them turn {last}.",
        "{title}: {n} codes fit {turns}, and none of them turn {last}.",
        candidates,
        title=title,
        turns=few.get(len(before)) or tr("turns 1 to {n}", n=len(before)),
        last=last,
    )


def _described(history: Sequence[Turn], suspect: Suspect, screen: Screen) -> str:
    """A suspect: `turn 2 (ABCE): XX instead of XXO would leave 3 codes; or X, 1 code`."""
    first, *rest = suspect.instead
    parts = [
        tr(
            "turn {n} ({guess}): {mark} instead of {noted} would leave {codes}",
            n=suspect.turn + 1,
            guess=screen.write(history[suspect.turn].guess),
            mark=first.mark,
            noted=suspect.mark,
            codes=_codes(first.count),
        )
    ]
    parts += [f"{mark.mark}, {_codes(mark.count)}" for mark in rest[: _ALTERNATIVES - 1]]
    if len(rest) >= _ALTERNATIVES:
        parts.append(tr("others"))
    return tr("; or ").join(parts)


def _codes(number: int) -> str:
    return trn("{n} code", "{n} codes", number)


# `pegwise review`

_HEADS: Final = Phrase("# guess mark before after exp. bits luck win? verdict best cost")
"""All in one, so that another language can fit its own into the same width."""

_WORDS: Final = (1, 2, 9, 10)  # columns that are words, which are aligned at the left
_JUDGING: Final = 10.0  # seconds for what best play needs; positions beyond are estimated


@click.command(epilog="Example: pegwise review mygame.txt")
@click.argument("file", type=ANY_PATH, metavar="FILE")
@words_options
@click.option(
    "--criterion",
    default="entropy",
    show_default=True,
    metavar="ID",
    help="What makes a guess best: entropy, size, minimax or parts.",
)
@click.option(
    "--guesses",
    default="all",
    show_default=True,
    metavar="all|candidates",
    help="What the best guess is chosen from: your own rule of play.",
)
@click.option(
    "--why",
    "number",
    type=WholeNumber(1, 10**6),
    metavar="TURN",
    help="Show the ten best guesses of this turn, and where the one played ranks.",
)
@notation_option
@json_option
@click.pass_context
def review(
    ctx: click.Context,
    file: Path,
    criterion: str,
    guesses: str,
    number: int | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Review a game, turn by turn; FILE is its record, or - for standard input.

    Turns alone are enough, one a line or between slashes: AABC O / DDEF XX / BEEF XXXX.

    Each guess is best, good, inaccurate, or wasted where its mark was known beforehand. Shown are
    the codes possible before and after each turn, what its guess could be expected to tell, and the
    best guess. Luck is what the mark told beyond what this guess could be expected to, in bits.
    Cost is how many guesses more than best play it needs on average, where the game can be searched
    to its end; else what the best guess by one look ahead tells beyond it. The exit status is 1 if
    the marks contradict each other.
    """
    if str(file) == "-":
        record = parse_game(standard_input().read(), tr("standard input"))
    else:
        record = read_record(file, parse_game)
    screen = Screen(err=as_json, notation=notation)
    screen.follow("", record.rules)
    if number is not None and number > len(record.turns):
        raise InputError("this game has no turn {number}", number=number)
    made = make_review(record, screen, criterion, guesses)
    if as_json:
        from pegwise.coach import to_document

        print_json(to_document(made))
    else:
        show_review(made, screen)
    if number is not None and number <= len(made.turns) + 1:
        before, played = record.turns[: number - 1], record.turns[number - 1].guess
        screen.say()
        from pegwise.cli.why import show_why

        show_why(record.rules, before, played, tr("played"), screen, criterion, guesses)
    if not made.consistent:
        ctx.exit(NO)


def make_review(
    record: Record, screen: Screen, criterion: str = "entropy", guesses: str = "all"
) -> Review:
    """The coach's review, with progress where it is slow."""
    from pegwise.coach import review as coach
    from pegwise.kernels import compiled
    from pegwise.search import timed_solver

    if not compiled("exact.search"):
        screen.note("Costs in guesses need compiled kernels: run 'pegwise compile' once.")
    solver = timed_solver(_JUDGING)
    with screen.working(tr("reviewing"), record.rules) as report:
        return coach(record, criterion=criterion, guesses=guesses, solver=solver, report=report)


def show_review(review: Review, screen: Screen) -> None:
    """Show a review: a table where there is room for it, else a paragraph a turn."""
    name = str(review.record.rules)
    if review.secret is not None:
        name = tr("{rules}, secret {secret}", rules=name, secret=screen.code(review.secret))
    screen.tell("{name}: {what}", name=name, what=review_words(review))
    if review.turns:
        heads = tr(_HEADS).split(" ")
        rows = [_cells(turn, screen) for turn in review.turns]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        screen.say()
        if sum(widths) + 2 * (len(widths) - 1) <= screen.width:
            screen.table(heads, rows, [turn.turn.guess for turn in review.turns], _WORDS)
            screen.note(
                "exp., bits: codes and bits to be expected of this guess; luck: bits beyond that; "
                "win?: whether it could be the code; cost: guesses above best play; *: estimated "
                "by one look ahead ({criterion}).",
                criterion=review.criterion,
            )
        else:
            for turn, row in zip(review.turns, rows, strict=True):
                screen.say(screen.turn(turn.number, turn.turn))
                pairs = zip(heads[3:], row[3:], strict=True)
                screen.tell("     " + ", ".join(f"{head} {cell}" for head, cell in pairs if cell))
        for turn in review.turns:
            if turn.follows_from:
                certain = tr("Before turn {n} one code was possible.", n=turn.number)
                screen.tell(f"{certain} {follows_from(turn.follows_from)}")
                break
        if review.record.codemaker in ("evil", "optimal"):
            screen.note(luck_note(review))
    record, lines = review.record, []
    if not review.consistent:
        lines += explain(record.rules, record.turns, review.suspects, screen)
    for number, mark in review.wrong:
        lines.append(wrong_mark(number, record.turns[number], mark, review.secret, screen))
    for line in lines:
        screen.warn(line)


def _cells(turn: TurnReview, screen: Screen) -> list[str]:
    """A row of the table, without color."""
    from pegwise.cli.why import expected

    best, cost = "?", "?"
    if turn.unit is not None:
        best = "" if turn.is_best or turn.answer is None else screen.write(turn.answer)
        cost = figure(turn.above or 0.0, ".2f") + ("" if turn.unit == "guesses" else "*")
    return [
        str(turn.number),
        screen.write(turn.turn.guess),
        str(turn.turn.mark),
        figure(turn.before, ","),
        figure(turn.after, ","),
        expected(turn.played),
        figure(turn.played.bits, ".2f"),
        figure(round(turn.luck, 2) + 0.0, "+.2f"),  # never -0.00
        tr("yes") if turn.played.possible else tr("no"),
        guess_verdict(turn.verdict),
        best,
        cost,
    ]


def wrong_mark(number: int, turn: Turn, true: Mark, secret: Code | None, screen: Screen) -> str:
    """What to say of a turn whose mark is not that of the secret; turns are counted from 0."""
    return tr(
        "Turn {n}, {guess}, was marked {mark}; the secret {secret} gives {true}.",
        n=number + 1,
        guess=screen.write(turn.guess),
        mark=turn.mark,
        secret=screen.write(secret or Code(())),
        true=true,
    )
