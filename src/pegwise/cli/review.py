"""`pegwise review`: a played game, turn by turn."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli.board import Screen
from pegwise.cli.options import json_option, print_json
from pegwise.cli.terminal import announce_compilation
from pegwise.errors import Phrase
from pegwise.game import Record, parse_record, read_record
from pegwise.i18n import figure, tr, trn

if TYPE_CHECKING:
    from pegwise.coach import Review, TurnReview
_HEADS: Final = Phrase("# guess mark before after exp. bits exp. luck win? best cost")
"""All in one, so that another language can fit its own into the same width."""

_WORDS: Final = (1, 2, 10)
"""Columns that are words, which begin at the left."""

_JUDGING: Final = 10.0
"""Seconds for what best play needs; positions beyond are estimated."""


@click.command(epilog="Example: pegwise review mygame.txt")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
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
@json_option
@click.pass_context
def review(ctx: click.Context, file: Path, criterion: str, guesses: str, as_json: bool) -> None:
    """Review a game, turn by turn; FILE is its record, or - for standard input.

    Shown are the codes possible before and after each turn, what its guess could be expected to
    tell, and the best guess by one look ahead. Luck is what the mark told beyond what this guess
    could be expected to; cost is what the best guess could be expected to tell beyond it. Both
    are in bits. The exit status is 1 if the marks contradict each other.
    """
    record = _read_standard_input() if str(file) == "-" else read_record(file)
    announce_compilation()
    screen = Screen(err=as_json)
    found = make_review(record, screen, criterion, guesses)
    if as_json:
        from pegwise.coach.review import to_document

        print_json(to_document(found))
    else:
        show_review(found, screen)
    if not found.consistent:
        ctx.exit(1)


def make_review(
    record: Record, screen: Screen, criterion: str = "entropy", guesses: str = "all"
) -> Review:
    """The coach's review, with progress where it takes its time."""
    from pegwise.coach import review as coach
    from pegwise.search.exact.position import timed_solver

    solver = timed_solver(_JUDGING)
    with screen.working(tr("reviewing"), record.rules) as report:
        return coach(record, criterion=criterion, guesses=guesses, solver=solver, report=report)


def show_review(review: Review, screen: Screen) -> None:
    """Show a review: a table where there is room for it, else a paragraph a turn."""
    screen.say(_title(review, screen))
    if review.turns:
        rows = [_cells(turn) for turn in review.turns]
        widths = [max(map(len, column)) for column in zip(_heads(), *rows, strict=True)]
        screen.say()
        if sum(widths) + 2 * (len(widths) - 1) <= screen.width:
            _show_table(review, rows, screen)
        else:
            _show_paragraphs(review, rows, screen)
        screen.say()
        screen.tell(_summary(review))
    for line in _problems(review):
        screen.warn(line)


def _read_standard_input() -> Record:
    return parse_record(sys.stdin.read(), tr("standard input"))


def _title(review: Review, screen: Screen) -> str:
    record = review.record
    n = len(record.turns)
    ended = {
        "solved": trn("solved in {n} guess", "solved in {n} guesses", n),
        "open": trn("not finished after {n} guess", "not finished after {n} guesses", n),
        "given up": trn("given up after {n} guess", "given up after {n} guesses", n),
    }[record.result]
    if review.secret is None:
        return tr("{name}: {what}", name=record.rules, what=ended)
    code = screen.code(review.secret)
    return tr("{rules}, secret {code}: {ended}", rules=record.rules, code=code, ended=ended)


def _heads() -> list[str]:
    return tr(_HEADS).split(" ")


def _cells(turn: TurnReview) -> list[str]:
    """A row of the table, without color."""
    best, cost = "?", "?"
    if turn.best is not None and turn.cost is not None:
        best = tr("same") if turn.is_best else str(turn.best.guess)
        cost = _signed(turn.cost).removeprefix("+")
    return [
        str(turn.number),
        str(turn.turn.guess),
        str(turn.turn.mark),
        figure(turn.before, ","),
        figure(turn.after, ","),
        _codes(float(turn.played.expected)),
        figure(turn.bits, ".2f"),
        figure(turn.played.bits, ".2f"),
        _signed(turn.luck),
        tr("yes") if turn.played.possible else tr("no"),
        best,
        cost,
    ]


def _show_table(review: Review, rows: Sequence[Sequence[str]], screen: Screen) -> None:
    screen.table(_heads(), rows, [turn.turn.guess for turn in review.turns], _WORDS)
    screen.note(
        tr(
            "exp.: to be expected of this guess; luck: bits beyond that; win?: whether it could be "
            "the code; cost: bits that the best guess could be expected to tell beyond this one."
        )
    )


def _show_paragraphs(review: Review, rows: Sequence[Sequence[str]], screen: Screen) -> None:
    for turn, row in zip(review.turns, rows, strict=True):
        before, after, left, bits, expected, luck, _, best, cost = row[3:]
        screen.say(screen.turn(turn.number, turn.turn))
        possible = tr("could be the code")
        could = possible if turn.played.possible else tr("could not be the code")
        for line in (
            tr(
                "codes before {before}, after {after}, expected {left}",
                before=before,
                after=after,
                left=left,
            ),
            tr(
                "bits {bits}, expected {expected}, luck {luck}",
                bits=bits,
                expected=expected,
                luck=luck,
            ),
            tr("{could}; best guess: {best}, cost {cost}", could=could, best=best, cost=cost),
        ):
            screen.tell(f"     {line}")


def _summary(review: Review) -> str:
    known = [turn for turn in review.turns if turn.best is not None]
    best = sum(turn.is_best for turn in known)
    luck = _signed(review.luck)
    if known:
        partly = tr(", where that is known") if len(known) < len(review.turns) else ""
        line = trn(
            "In all, luck {luck} bits; the guesses cost {cost} bits against the best{partly}; {n} "
            "of {all} was best.",
            "In all, luck {luck} bits; the guesses cost {cost} bits against the best{partly}; {n} "
            "of {all} were best.",
            best,
            luck=luck,
            cost=_signed(review.cost).removeprefix("+"),
            partly=partly,
            all=len(known),
        )
    else:
        line = tr(
            "In all, luck {luck} bits; too many codes to look for the best guesses.", luck=luck
        )
    line += " " + tr("Estimated by one look ahead ({criterion}).", criterion=review.criterion)
    if review.estimated:
        return line
    cost = float(review.cost_in_guesses)
    exact = tr("Against best play to the end they cost {n:.2f} guesses on average.", n=cost)
    return f"{line} {exact}"


def _problems(review: Review) -> list[str]:
    """What is wrong with the marks."""
    from pegwise.cli.candidates import explain

    record, lines = review.record, []
    if not review.consistent:
        lines += explain(record.rules, record.turns, review.suspects)
    for number, mark in review.wrong:
        turn = record.turns[number]
        lines.append(
            tr(
                "Turn {n}, {guess}, was marked {mark}; the secret {secret} gives {true}.",
                n=number + 1,
                guess=turn.guess,
                mark=turn.mark,
                secret=review.secret,
                true=mark,
            )
        )
    return lines


def _signed(bits: float) -> str:
    """Bits with their sign; never -0.00."""
    return figure(round(bits, 2) + 0.0, "+.2f")


def _codes(expected: float) -> str:
    return figure(expected, ",.0f" if expected >= 1000 else ".1f")
