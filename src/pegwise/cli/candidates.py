"""Marks that contradict each other, explained in prose."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli.options import WholeNumber, json_option, print_json
from pegwise.cli.terminal import announce_compilation, paragraph, progress_bar
from pegwise.game import Code, Rules, Turn, parse_turn
from pegwise.i18n import tr, trn
from pegwise.knowledge import Suspect, count, fewest_wrong

if TYPE_CHECKING:
    from pegwise.knowledge import Suspect
_ALTERNATIVES: Final = 4


def explain(rules: Rules, history: Sequence[Turn], suspects: Sequence[Suspect]) -> list[str]:
    """What to say of a contradictory history: a line or some, without naming a culprit rashly.

    Args:
        rules: the board.
        history: the turns.
        suspects: what `knowledge.suspects` found.
    """
    lines = [_where(rules, history)]
    if not suspects:
        fewest = fewest_wrong(rules, history)
        lines.append(tr("No change of one mark helps: at least {n} marks are wrong.", n=fewest))
    elif len(suspects) == 1:
        lines.append(
            tr(
                "If only one mark is wrong, it is that of {turn}.",
                turn=_described(history, suspects[0]),
            )
        )
    else:
        lines.append(tr("If only one mark is wrong, it is one of these, the most likely first:"))
        lines += [f"  {_described(history, suspect)}" for suspect in suspects]
    return lines


def codes(number: int) -> str:
    """A number of codes: `1 code`, `12 codes`."""
    return trn("{n} code", "{n} codes", number)


def _where(rules: Rules, history: Sequence[Turn]) -> str:
    """Which turn is the first that nothing fits."""
    if len(history) == 1:
        return tr("No code of {rules} fits this turn.", rules=rules)
    for last in range(len(history), 0, -1):
        before = history[: last - 1]
        if left := count(rules, before):
            break
    these = tr("No code of {rules} fits these {n} turns", rules=rules, n=len(history))
    if not before:
        return tr("{these}: none fits turn 1 alone.", these=these)
    few = {1: tr("turn 1"), 2: tr("turns 1 and 2")}
    return trn(
        "{these}: {n} code fits {turns}, and none of them turn {last}.",
        "{these}: {n} codes fit {turns}, and none of them turn {last}.",
        left,
        these=these,
        turns=few.get(len(before)) or tr("turns 1 to {n}", n=len(before)),
        last=last,
    )


def _described(history: Sequence[Turn], suspect: Suspect) -> str:
    """A suspect: `turn 2 (ABCE): XX instead of XXO would leave 3 codes; or X, 1 code`."""
    first, *others = suspect.instead
    also = [f"{other.mark}, {codes(other.count)}" for other in others[: _ALTERNATIVES - 1]]
    if len(others) > len(also):
        also.append(tr("others"))
    guess = history[suspect.turn].guess
    first_of_all = tr(
        "turn {n} ({guess}): {mark} instead of {given} would leave {codes}",
        n=suspect.turn + 1,
        guess=guess,
        mark=first.mark,
        given=suspect.mark,
        codes=codes(first.count),
    )
    return tr("; or ").join([first_of_all, *also])


# `pegwise candidates`: what is still possible after some turns, or which mark may be wrong.

_WIDTH = 80


@click.command(epilog="Example: pegwise candidates 4x6 ABCD=XXO ABEF=X")
@click.argument("arguments", nargs=-1, metavar="[RULES] GUESS=MARK...")
@click.option(
    "--limit",
    type=WholeNumber(0, 10**18),
    default=20,
    show_default=True,
    help="Codes to list; all are counted.",
)
@json_option
def candidates(arguments: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Count and list the codes that fit some turns, on boards of any size.

    Guesses and marks in any notation: ABCD=XXO, 1234=2b1w, '1234=2 1'. When no code fits, the marks
    contradict each other: the turns that may be wrong are named, with what they may have been, and
    the exit status is 1.
    """
    from pegwise.knowledge import CandidateSet, check_turn, suspects

    rules, history = _read(arguments)
    announce_compilation()
    for turn in history:
        check_turn(rules, turn)
    with progress_bar(tr("Counting")) as report:
        left = CandidateSet(rules, history, report=report)
    if count := left.count():
        codes = left.first(limit)
        if as_json:
            print_json(
                {
                    "rules": str(rules),
                    "history": [
                        {"guess": str(guess), "mark": str(mark)} for guess, mark in history
                    ],
                    "count": count,
                    "codes": [str(code) for code in codes],
                }
            )
        else:
            _print(rules, history, count, codes)
        return
    with progress_bar(tr("Looking for the wrong mark")) as report:
        found = suspects(rules, history, report=report)
    if as_json:
        print_json({"count": 0, "suspects": [_document(suspect) for suspect in found]})
    else:
        for line in explain(rules, history, found):
            indent = " " * (len(line) - len(line.lstrip()))
            click.echo(paragraph(line.lstrip(), indent, f"{indent}    "))
    click.get_current_context().exit(1)


def _read(arguments: tuple[str, ...]) -> tuple[Rules, list[Turn]]:
    """Rules, if the first argument is no turn, and turns."""
    if arguments and "=" not in arguments[0]:
        rules, arguments = Rules.parse(arguments[0]), arguments[1:]
    else:
        rules = Rules()
    return rules, [parse_turn(argument, rules) for argument in arguments]


def _document(suspect: Suspect) -> dict[str, object]:
    """A suspect as JSON; turns are counted from 1, as in prose."""
    return {
        "turn": suspect.turn + 1,
        "mark": str(suspect.mark),
        "instead": [{"mark": str(other.mark), "count": other.count} for other in suspect.instead],
    }


def _print(rules: Rules, history: list[Turn], count: int, codes: list[Code]) -> None:
    turns = trn("this turn", "these {n} turns", len(history))
    if not history:
        click.echo(trn("{rules} has {n:,} code.", "{rules} has {n:,} codes.", count, rules=rules))
    else:
        click.echo(
            trn(
                "{n:,} code of {rules} fits {turns}.",
                "{n:,} codes of {rules} fit {turns}.",
                count,
                rules=rules,
                turns=turns,
            )
        )
    width = min(shutil.get_terminal_size().columns, _WIDTH)
    row = max(1, (width + 1) // (rules.pegs + 1))
    for start in range(0, len(codes), row):
        click.echo(" ".join(str(code) for code in codes[start : start + row]))
    if 0 < len(codes) < count:
        click.echo(tr("... and {n:,} more (see --limit)", n=count - len(codes)))
