"""`pegwise candidates`: what is still possible after some turns, or which mark may be wrong."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from pegwise.cli.common import (
    WholeNumber,
    announce_compilation,
    json_option,
    print_json,
    progress_bar,
)
from pegwise.cli.help import paragraph
from pegwise.game import Code, Rules, Turn, parse_turn
from pegwise.language import tr, trn

if TYPE_CHECKING:
    from pegwise.knowledge import Suspect

__all__ = ["candidates"]

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
    from pegwise.knowledge import check_turn, suspects
    from pegwise.knowledge.halves import Halves

    rules, history = _read(arguments)
    announce_compilation()
    for turn in history:
        check_turn(rules, turn)
    with progress_bar(tr("Counting")) as report:
        left = Halves(rules, history, report=report)
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
        from pegwise.cli.contradiction import explain

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
