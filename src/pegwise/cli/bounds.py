"""`pegwise bounds`: how many guesses a board needs, or what fits some turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.candidates import say_contradiction
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import read_as, read_position, reading_options, tell_reading
from pegwise.cli.terminal import NO, paragraph, say
from pegwise.errors import ContradictionError, InputError
from pegwise.i18n import figure, tr, translated, trn
from pegwise.pictures.bounds import (
    best_title,
    bound_lines,
    bounds_document,
    codes_phrase,
    marks_phrase,
    published_lines,
)
from pegwise.telling.words import rules_named

if TYPE_CHECKING:
    from pegwise.search.theory import BoardBounds

_LISTED: Final = 24  # guesses that reach the smallest worst case


@click.command(epilog="Example: pegwise bounds 4x6 AABB=O")
@click.argument(
    "arguments", nargs=-1, metavar="[RULES] GUESS=MARK...", shell_complete=options.complete_rules
)
@click.option(
    "--tries",
    type=options.WholeNumber(1, 10_000),
    help="Play Viaud's particular strategy so many times with ties broken at random: its orders.",
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
    """Counts of a board, and how many guesses its worst case needs; or of what fits some turns.

    Viaud's tau_1, tau_2, ...: how many codes may be left after so many guesses. The bounds of
    Maréchal and Rastoix and of Viaud beside each other, with the smallest worst case where a search
    of some seconds finds it, the guesses that reach it, and the optima that others have published.
    """
    from pegwise.search.theory import bounds as find_bounds
    from pegwise.search.theory import particular_orders

    screen = Screen(notation=notation)
    noted = read_position(arguments, screen, colors, marks)
    rules, history = noted.rules, noted.turns
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
        say_contradiction(noted, screen, as_json=as_json)
        click.get_current_context().exit(NO)
    if as_json:
        options.print_json(bounds_document(board, orders) | read_as(noted))
    else:
        _say(board, orders, screen)


def _say(board: BoardBounds, orders: dict[int, int] | None, screen: Screen) -> None:
    extra = "" if board.guesses == board.codes else tr(" ({n:,} may be guessed)", n=board.guesses)
    codes, marks = translated(codes_phrase(board.codes)), translated(marks_phrase(board.marks))
    name = rules_named(str(board.rules))
    if n := len(board.history):
        name = trn("{rules} after {n} turn", "{rules} after {n} turns", n, rules=name)
    say("{name}: {what}", name=name, what=f"{codes}{extra}, {marks}", bold=True)
    repeated, distinct = board.codes_with_repetition, board.codes_without_repetition
    if repeated is not None and not board.history:
        line = tr(
            "codes with repeated colors allowed {repeated:,}, without {distinct:,}",
            repeated=repeated,
            distinct=distinct,
        )
        click.echo(paragraph(line, "  "))
    click.echo("\n" + paragraph(tr("Codes that may be left, the best guesses played")))
    steps = [
        f"tau_{k} {'?' if value is None else figure(value, ',')}"
        for k, value in enumerate(board.viaud_taus, 1)
    ]
    more = [] if board.viaud_q0 is not None else ["..."]
    click.echo(paragraph(", ".join([*steps, *more]), "  "))
    say("Guesses in the worst case", indent="\n")
    table = bound_lines(board, screen.write_sign)
    width = max(len(row.kind) for row in table)
    for row in table:
        shown = "?" if row.value is None else row.value
        start = f"  {row.kind:<{width}} {shown:>3}  "
        click.echo(paragraph(f"{row.name:<20}  {row.note}", start, " " * len(start)))
    _say_best(board, screen)
    if orders is not None:
        click.echo("\n" + paragraph(tr("Viaud's particular strategy with ties broken at random")))
        tries = sum(orders.values())
        for order, n in orders.items():
            line = tr("order {order} in {n} of {tries} tries", order=order, n=n, tries=tries)
            click.echo(f"  {line}")
    if board.published:
        say("Published", indent="\n")
    for line in published_lines(board):
        click.echo(paragraph(line, "  ", "    "))


def _say_best(board: BoardBounds, screen: Screen) -> None:
    """The guesses that reach the smallest worst case, as far as there is room."""
    best, title = board.best_guesses, best_title(board)
    if best is None or not title:
        return
    say("{title}: {n:,}", title=title, n=len(best), indent="\n")
    screen.columns([screen.write_sign(guess) for guess in best[:_LISTED]])
    if len(best) > _LISTED:
        say("... and {n:,} more (--json lists all)", n=len(best) - _LISTED, indent="  ")
    if board.symmetric:
        click.echo(paragraph(tr("One of each class of guesses that symmetry makes equal."), "  "))
