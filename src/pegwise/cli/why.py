"""`pegwise why`: why a guess is played, by a strategy, by its marks, or among some codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import click
import numpy as np

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.candidates import say_contradiction
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import (
    read_as,
    read_listed,
    read_position,
    read_typed,
    reading_options,
    split_rules,
    tell_codes,
    tell_reading,
    typed_text,
)
from pegwise.cli.review import explain_choice
from pegwise.cli.terminal import NO
from pegwise.coach.advice import Adviser, Split
from pegwise.errors import InputError
from pegwise.game import Code, Game, board_game, parse_code
from pegwise.game.rules import Rules
from pegwise.i18n import tr, translated
from pegwise.knowledge import candidate_set, candidates, count
from pegwise.reading import GivenRules, Interpretation
from pegwise.strategies import Strategy, label
from pegwise.strategies.forget.endgame import EndgameCodes
from pegwise.strategies.forget.explained import pool_table, pool_words
from pegwise.strategies.forget.strategy import CRITERION_NAMES, Forget
from pegwise.telling.advice import weighed_table
from pegwise.telling.blocks import Sentence
from pegwise.telling.position import fitting_words
from pegwise.telling.position import parts as parts_told

_BETWEEN: Final = re.compile(r",(?![^][()]*[\])])")
"""A comma between codes, not inside a list in brackets."""
_MOST: Final = 2_000  # codes: all marks between them are worked out


def _explain(strategy: Strategy, noted: Interpretation, screen: Screen, *, as_json: bool) -> None:
    """Print why a strategy plays its guess after some turns."""
    rules, turns = noted.game, noted.turns
    _count(noted, screen, as_json=as_json)
    adviser = Adviser(strategy, rules)
    last_first = tuple(reversed(turns))
    if adviser.departure(turns) is not None and adviser.departure(last_first) is None:
        turns = last_first
        if not as_json:
            screen.tell(
                "{name} plays these turns in the other order, the last one first.",
                name=label(strategy),
            )
    if not as_json:
        explain_choice(adviser, turns, screen, "")
        return
    advice = adviser.propose(turns)
    document = {"rules": rules, "strategy": advice.strategy, "guess": advice.guess}
    options.print_json(document | advice.explain().document() | read_as(noted))


@click.command(epilog="Example: pegwise why 4x6 AABB=XO -s knuth")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@options.strategy_option("strategy", help="Say why this strategy plays its guess after the turns.")
@click.option(
    "--guess",
    "typed",
    metavar="GUESS",
    help="Count the codes that fit by the mark that this guess would get.",
)
@click.option(
    "--among",
    metavar="CODE,CODE,...",
    help="The codes to compare, instead of turns: one of them is played.",
)
@click.option(
    "--criterion",
    type=click.Choice(["entropy", "minimax"]),
    help="The criterion that leads, entropy if not given; the other decides between equals.",
)
@options.words_options
@reading_options
@options.notation_option
@options.json_option
def why(
    arguments: tuple[str, ...],
    strategy: str | None,
    typed: str | None,
    among: str | None,
    criterion: str | None,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Why a guess is played: what its mark would tell of the codes that fit some turns.

    With -s a strategy answers in its own words: what it plays after the turns, by which criterion,
    and what it compared. With --guess the codes are counted by the mark of one guess, on boards of
    any size.

    With neither, the codes that fit, or those of --among, are compared by Forget's table: each code
    is a question, and the marks that the codes would give are its answers, with the codes behind
    each. -s forget-entropy and -s forget-minimax choose among the codes of --among too.
    """
    screen = Screen(err=as_json, notation=notation)
    ways = [way is not None for way in (strategy, typed, criterion)]
    if sum(ways) > 1 or (typed is not None and among is not None):
        raise InputError("give one of -s, --guess and --criterion; --guess goes without --among")
    asked = None if strategy is None else options.parse_strategy(strategy, 0)
    if typed is not None:
        _show_parts(arguments, typed, screen, colors, marks, as_json=as_json)
    elif among is not None:
        told, turns = split_rules(arguments)
        if turns:
            raise InputError("give turns, or --among with codes; not both")
        if asked is not None and not isinstance(asked, Forget):
            raise InputError(
                "-s {name} does not choose among codes without turns: with --among give "
                "forget-entropy or forget-minimax",
                name=label(asked),
            )
        if told is not None and not isinstance(told, Game):
            raise _no_board(told)
        listed = read_listed(_BETWEEN.split(among), told, screen, colors)
        tell_codes(listed, screen)
        board = _board(listed.rules)
        codes = [*dict.fromkeys(board.alphabet.check(c, secret=True) for c in listed.codes)]
        lead = criterion or "entropy" if asked is None else asked.lead_at(1)
        _compare(board, codes, codes, lead, screen, {}, as_json=as_json)
    elif asked is not None:
        position = read_position(arguments, screen, colors, marks)
        _explain(asked, position, screen, as_json=as_json)
    else:
        noted = read_position(arguments, screen, colors, marks)
        board, rules = _board(noted.game), noted.game
        if not noted.turns:
            raise InputError(
                "give some turns, as in {rules} {turn}, a guess with --guess, or codes with "
                "--among",
                rules=rules.named,
                turn=rules.example_turn,
            )
        n = _count(noted, screen, as_json=as_json)
        if n > _MOST:
            raise InputError(
                "{n:,} codes fit: give more turns, so that at most {most:,} do", n=n, most=_MOST
            )
        codes = candidates(rules, noted.turns)
        _compare(
            board, codes, None, criterion or "entropy", screen, read_as(noted), as_json=as_json
        )


def _count(noted: Interpretation, screen: Screen, *, as_json: bool) -> int:
    """Say how the turns were read; how many codes fit. If none does, say why, and end."""
    if not as_json:
        tell_reading(noted, screen)
    if not (n := count(noted.game, noted.turns)):
        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    return n


def _show_parts(
    arguments: Sequence[str],
    typed: str,
    screen: Screen,
    colors: str | None,
    marks: str | None,
    *,
    as_json: bool,
) -> None:
    """How many of the codes that fit would give each mark to a guess, and what it tells."""
    board, text = typed_text(arguments)
    if arguments or board is not None:
        noted = read_typed(board, text, screen, colors, marks)
        guess = parse_code(typed, noted.game)
    else:
        read = read_listed([typed], None, screen, colors)
        (guess,) = read.codes
        noted = replace(read_typed(read.rules, "", screen, colors), read_as=read.told)
    rules, turns = noted.game, noted.turns
    if not as_json:
        tell_reading(noted, screen)
    with progress_bar(tr("Counting")) as report:
        fitting = candidate_set(rules, turns, guess, report=report)
        n = fitting.count()
        split = Split.of(rules, guess, {0: fitting}) if n else None
    if split is None:
        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    if as_json:
        options.print_json(
            {
                "rules": rules,
                "history": turns,
                "count": n,
                "guess": guess,
                "parts": dict(split.parts),
                "bits": split.bits,
                "expected": split.expected,
                **read_as(noted),
            }
        )
        return
    show([Sentence(fitting_words(rules, len(turns), n)), *parts_told(split)], screen)


def _compare(
    board: Rules,
    codes: Sequence[Code],
    order: Sequence[Code] | None,
    lead: str,
    screen: Screen,
    read: dict[str, str],
    *,
    as_json: bool,
) -> None:
    """Print Forget's table of some codes, in this order or the best first, and the best one."""
    if len(codes) > _MOST:
        raise InputError("--among {n} codes: give at most {most}", n=len(codes), most=_MOST)
    pool = EndgameCodes(board_game(board), np.array(sorted(codes), np.uint8), ())
    ranking = pool.rank(lead)
    if not as_json:
        words = pool_words(pool, ranking, CRITERION_NAMES[lead], screen.write, sample=False)
        show([weighed_table(pool_table(ranking, lead, order)), Sentence(translated(words))], screen)
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
    options.print_json({"rules": str(board), "criterion": lead, "guesses": rows, **read})


def _board(game: Game) -> Rules:
    """The rules of a board; InputError for others."""
    if game.board is None:
        raise _no_board(game)
    return game.board


def _no_board(told: GivenRules) -> InputError:
    """That the table of Forget does not compare the codes of a game."""
    return InputError(
        "without -s and --guess, why compares codes of a board, not those of {rules}; with -s, a "
        "strategy says why it plays its guess, as in -s entropy",
        rules=told,
    )
