"""`pegwise bounds`: how many guesses a board needs, or what fits some turns."""

from __future__ import annotations

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import read_as, read_position, reading_options, tell_reading
from pegwise.cli.terminal import NO
from pegwise.errors import ContradictionError, InputError
from pegwise.i18n import tr
from pegwise.telling.bounds import bounds_document, bounds_report


@click.command(epilog="Example: pegwise bounds 4x6 AABB=O")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@click.option(
    "--tries",
    type=options.WholeNumber(1, 10_000),
    help="Play Viaud's particular strategy N times with ties broken at random.",
)
@options.seed_option
@options.words_options
@reading_options
@options.notation_option
@options.json_option
def bounds(
    arguments: tuple[str, ...],
    tries: int | None,
    seed: int,
    colors: str | None,
    marks: str | None,
    notation: str | None,
    as_json: bool,
) -> None:
    """Counts of a board, or of what fits some turns, and how many guesses the worst case needs.

    Viaud's tau_1, tau_2, ...: how many codes may be left after 0, 1, ... guesses. The bounds of
    Maréchal and Rastoix and of Viaud side by side, with the smallest worst case if a search of some
    seconds finds it, the guesses that reach it, and published optima.
    """
    from pegwise.search.theory import bounds as find_bounds
    from pegwise.search.theory import particular_orders

    screen = Screen(notation=notation)
    noted = read_position(arguments, screen, colors, marks)
    rules, history = noted.game, noted.turns
    if tries is not None and history:
        raise InputError("--tries plays whole games: leave out the turns")
    if not as_json:
        tell_reading(noted, screen)
    orders = None
    try:
        with progress_bar(tr("bounds {rules}", rules=rules)) as report:
            board = find_bounds(rules, history, report=report)
            if tries is not None:
                orders = particular_orders(rules, tries, seed=seed, report=report)
    except ContradictionError:
        from pegwise.cli.candidates import say_contradiction

        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    if as_json:
        options.print_json(bounds_document(board, orders) | read_as(noted))
    else:
        show(bounds_report(board, orders).blocks, screen)
