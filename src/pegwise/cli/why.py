"""`pegwise why`: which of some codes tells most about them, as a table of questions and answers."""

from __future__ import annotations

from typing import Any, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.review import show_table
from pegwise.errors import InputError
from pegwise.game import Code, Rules, parse_code

_MOST: Final = 2_000  # codes: all marks between them are worked out


@click.command(epilog="Example: pegwise why --among ABCD,ABDC,BACD")
@options.rules_argument
@click.option(
    "--among",
    required=True,
    metavar="CODE,CODE,...",
    help="The codes that are left, of which one is played.",
)
@click.option(
    "--by",
    type=click.Choice(["entropy", "minimax"]),
    default="entropy",
    show_default=True,
    help="The criterion that leads; the other decides between equals.",
)
@options.notation_option
@options.json_option
def why(rules: Rules, among: str, by: str, notation: str | None, as_json: bool) -> None:
    """Which of some codes tells most about them: Forget's table of questions and answers.

    Each code is a question; its answers are the marks that the codes would give, with the codes
    behind each, their number and probability. The best question comes first: that of most bits, or
    of the smallest largest part.
    """
    import numpy as np

    from pegwise.game import mastermind
    from pegwise.strategies.forget.endgame import EndgameCodes
    from pegwise.strategies.forget.explained import pool_table

    if not rules.on_board:
        raise InputError("why compares codes of a board, not words of {rules}", rules=rules)
    codes = sorted({parse_code(text, rules, secret=True) for text in among.split(",")})
    if len(codes) > _MOST:
        raise InputError("--among {n} codes: give at most {most}", n=len(codes), most=_MOST)
    ranking = EndgameCodes(mastermind(rules), np.array(codes, np.uint8), ()).rank(by)
    if not as_json:
        screen = Screen(notation=notation)
        screen.follow(among, rules)
        show_table(pool_table(ranking), screen)
        return
    rows: list[dict[str, Any]] = []
    for place in range(len(codes)):
        bits, largest = ranking.figures(place)
        answers = [
            {"mark": str(mark), "number": len(behind), "codes": [str(code) for code in behind]}
            for mark, behind in ranking.parts(place).items()
        ]
        row = {"guess": str(Code(ranking.guesses[place])), "bits": bits, "largest": largest}
        rows.append({**row, "answers": answers})
    options.print_json({"rules": str(rules), "by": by, "guesses": rows})
