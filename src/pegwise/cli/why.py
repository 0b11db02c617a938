"""`pegwise why`: which of some codes tells most about them, or why a strategy plays its guess."""

from __future__ import annotations

from typing import Any, Final

import click
import numpy as np

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.candidates import say_contradiction
from pegwise.cli.reading import (
    read_as,
    read_listed,
    read_position,
    reading_options,
    split_rules,
    tell_codes,
    tell_reading,
)
from pegwise.cli.review import explain_choice
from pegwise.cli.terminal import NO
from pegwise.coach.advice import Adviser
from pegwise.errors import InputError
from pegwise.game import Code, Game, board_game
from pegwise.game.rules import Rules
from pegwise.knowledge import candidates, count
from pegwise.reading import GivenRules, Interpretation
from pegwise.strategies import Strategy
from pegwise.strategies.forget.endgame import EndgameCodes
from pegwise.strategies.forget.explained import pool_table
from pegwise.telling.advice import weighed_table

_MOST: Final = 2_000  # codes: all marks between them are worked out


def _explain(strategy: Strategy, noted: Interpretation, screen: Screen, *, as_json: bool) -> None:
    """Print why a strategy plays its guess after some turns."""
    rules, turns = noted.game, noted.turns
    if not as_json:
        tell_reading(noted, screen)
    if not count(rules, turns):
        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    adviser = Adviser(strategy, rules)
    if not as_json:
        explain_choice(adviser, turns, screen, "")
        return
    advice = adviser.propose(turns)
    document = {"rules": rules, "strategy": advice.strategy, "guess": advice.guess}
    options.print_json(document | advice.explain().document() | read_as(noted))


@click.command(epilog="Example: pegwise why --among ABCD,ABDC,BACD")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@click.option(
    "--among",
    metavar="CODE,CODE,...",
    help="The codes to compare, instead of turns: one of them is played.",
)
@click.option(
    "--by",
    type=click.Choice(["entropy", "minimax"]),
    help="The criterion that leads, entropy if not given; the other decides between equals.",
)
@options.strategy_option("strategy", help="Say why this strategy plays its guess after the turns.")
@options.words_options
@reading_options
@options.notation_option
@options.json_option
def why(
    arguments: tuple[str, ...],
    among: str | None,
    by: str | None,
    strategy: str | None,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Compare a few codes by Forget's table of questions and answers.

    Each code is a question; its answers are the marks that the codes would give, with the codes
    behind each, their number and probability. The best question comes first: that of most bits, or
    of the smallest largest part. The codes are those that fit some turns, read as by candidates,
    or those of --among.

    With -s a strategy answers in its own words: what it plays after the turns, by which criterion,
    and what it compared.
    """
    screen = Screen(err=as_json, notation=notation)
    if strategy is not None:
        if among is not None or by is not None:
            raise InputError("-s explains in the words of a strategy: leave out --among and --by")
        position = read_position(arguments, screen, colors, marks)
        _explain(options.parse_strategy(strategy, 0), position, screen, as_json=as_json)
        return
    by = by or "entropy"
    noted = None
    if among is not None:
        told, turns = split_rules(arguments)
        if turns:
            raise InputError("give turns, or --among with codes; not both")
        if told is not None and not isinstance(told, Game):
            raise _no_board(told)
        listed = read_listed(among.split(","), told, screen, colors)
        tell_codes(listed, screen)
        rules, board = listed.rules, _board(listed.rules)
        codes = sorted({rules.alphabet.check(code, secret=True) for code in listed.codes})
    else:
        noted = read_position(arguments, screen, colors, marks)
        rules, board = noted.game, _board(noted.game)
        if not noted.turns:
            raise InputError(
                "give some turns, as in {rules} {turn}, or codes with --among",
                rules=rules.named,
                turn=rules.example_turn,
            )
        if not as_json:
            tell_reading(noted, screen)
        if not (n := count(rules, noted.turns)):
            say_contradiction(noted, screen, as_json=as_json)
            click.get_current_context().exit(NO)
        if n > _MOST:
            raise InputError(
                "{n:,} codes fit: give more turns, so that at most {most:,} do", n=n, most=_MOST
            )
        codes = candidates(rules, noted.turns)
    if len(codes) > _MOST:
        raise InputError("--among {n} codes: give at most {most}", n=len(codes), most=_MOST)
    ranking = EndgameCodes(board_game(board), np.array(codes, np.uint8), ()).rank(by)
    if not as_json:
        show([weighed_table(pool_table(ranking))], screen)
        return
    rows: list[dict[str, Any]] = []
    for place in range(len(codes)):
        bits, largest = ranking.figures(place)
        answers = [
            {"mark": mark, "number": len(behind), "codes": [*map(Code, behind)]}
            for mark, behind in ranking.parts(place).items()
        ]
        row = {"guess": Code(ranking.guesses[place]), "bits": bits, "largest": largest}
        rows.append({**row, "answers": answers})
    options.print_json({"rules": rules, "by": by, "guesses": rows, **read_as(noted)})


def _board(game: Game) -> Rules:
    """The rules of a board; InputError for others."""
    if game.board is None:
        raise _no_board(game)
    return game.board


def _no_board(told: GivenRules) -> InputError:
    """That the table of Forget does not compare the codes of a game."""
    return InputError(
        "without -s, why compares codes of a board, not those of {rules}; with it, a strategy "
        "says why it plays its guess, as in -s entropy",
        rules=told,
    )
