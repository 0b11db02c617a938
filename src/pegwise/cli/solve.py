"""`pegwise solve`: the machine decodes, alone or with the marks of a person."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from pegwise.cli.board import Screen
from pegwise.cli.common import (
    announce_compilation,
    json_option,
    parse_strategy,
    print_json,
    rules_argument,
    seed_option,
)
from pegwise.cli.completion import strategy_names
from pegwise.cli.decoding import Alone, Decoding, Together
from pegwise.cli.saved import SavedGame, check_free, read_open, resume_option, save_option
from pegwise.errors import InputError
from pegwise.game import Record, Rules, parse_code

__all__ = ["solve"]


@click.command(epilog="Example: pegwise solve 4x6 -s knuth --secret BEEF")
@rules_argument
@click.option(
    "-s",
    "--strategy",
    "name",
    metavar="ID[:OPTION=VALUE,...]",
    shell_complete=strategy_names,
    help="Who decodes: entropy when not given; constraint on boards too large for it.",
)
@click.option("--secret", "hidden", metavar="CODE", help="Decode this; else you mark the guesses.")
@save_option
@resume_option
@seed_option
@json_option
@click.pass_context
def solve(
    ctx: click.Context,
    rules: Rules,
    name: str | None,
    hidden: str | None,
    save: Path | None,
    resume: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Let a strategy find a code.

    Given the code, it plays alone. Otherwise you hide a code and mark each guess in any notation
    (XXO, 2b1w, 2 1, - for none); type help for what else may be typed. Left in any way, the game
    is saved.
    """
    from pegwise.coach import default_strategy

    record = Record(rules)
    if resume is not None:
        for parameter in ("rules", "hidden", "seed"):
            if ctx.get_parameter_source(parameter) is not ParameterSource.DEFAULT:
                raise InputError("--resume goes on with the rules, secret and seed of its file")
        record = read_open(resume, "solve")
        rules, name = record.rules, name or record.codebreaker
    elif hidden is not None:
        secret = parse_code(hidden, rules, secret=True)
        record = Record(rules, secret=secret, codemaker="given")
    strategy = parse_strategy(name, seed) if name else default_strategy(rules)
    if save is not None and save != resume:
        check_free(save)
    announce_compilation()
    screen = Screen(err=as_json)
    path = save or resume
    game: Decoding
    if record.codemaker == "given":
        game = Alone(record, strategy, screen, SavedGame(path) if path else None)
    else:
        game = Together(record, strategy, screen, SavedGame(path))
    status = game.run()
    if as_json:
        print_json(game.document())
    ctx.exit(status)
