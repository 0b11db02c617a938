"""`pegwise bounds`: how many guesses a board needs, or what fits some turns."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.candidates import say_contradiction
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import read_as, read_position, reading_options, tell_reading
from pegwise.cli.terminal import NO, paragraph, say
from pegwise.errors import ContradictionError, InputError, Phrase
from pegwise.game import Code
from pegwise.i18n import tr, translated, trn

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
        options.print_json(document(board, orders) | read_as(noted))
    else:
        _say(board, orders, screen)


_PUBLISHED: Final = ("objective", "value", "max_guesses", "guesses", "proven", "source")


def document(board: BoardBounds, orders: dict[int, int] | None = None) -> dict[str, Any]:
    """What JSON says of the bounds, and of the orders of the particular strategy if tried."""
    guess, best = board.viaud_tau2_guess, board.best_guesses
    return {
        **{field.name: getattr(board, field.name) for field in fields(board)},
        "rules": str(board.rules),
        "history": [{"guess": str(guess), "mark": str(mark)} for guess, mark in board.history],
        "viaud_tau2_guess": None if guess is None else str(guess),  # no number as the others
        "best_guesses": None if best is None else [str(guess) for guess in best],
        "flaws": _flaws(board),
        "published": [{name: getattr(row, name) for name in _PUBLISHED} for row in board.published],
        **({} if orders is None else {"orders": {str(k): n for k, n in orders.items()}}),
    }


def _flaws(board: BoardBounds) -> list[Phrase]:
    """What is wrong with the bound of Maréchal and Rastoix, in figures of this board."""
    printed = Phrase(
        "Maréchal and Rastoix print their formula for codes with repetitions without its "
        "logarithms, and take the 1 of the impossible mark from the wrong term: as "
        "printed it gives {printed:,}, with the logarithms {meant}.",
        printed=board.marechal_rastoix_as_printed or 0,
        meant=board.marechal_rastoix,
    )
    least = Phrase(", and by what is known here no less than {n}", n=board.worst_at_least)
    uncounted = Phrase(
        "{marks} can tell {codes} apart, but the guess that wins is not counted: the least "
        "worst case is no less than {n}{bound}.",
        marks=_marks(board.marechal_rastoix),
        codes=_codes(board.codes),
        n=board.information,
        bound="" if board.worst_at_least <= board.information else least,
    )
    return [uncounted] if board.marechal_rastoix_as_printed is None else [printed, uncounted]


def _codes(n: int) -> Phrase:
    return Phrase("{n} code", n=n) if n == 1 else Phrase("{n:,} codes", n=n)


def _marks(n: int) -> Phrase:
    return Phrase("{n} mark", n=n) if n == 1 else Phrase("{n} marks", n=n)


def _say(board: BoardBounds, orders: dict[int, int] | None, screen: Screen) -> None:
    extra = "" if board.guesses == board.codes else tr(" ({n:,} may be guessed)", n=board.guesses)
    counts = f"{translated(_codes(board.codes))}{extra}, {translated(_marks(board.marks))}"
    name = str(board.rules)
    if n := len(board.history):
        name = trn("{rules} after {n} turn", "{rules} after {n} turns", n, rules=name)
    say("{name}: {what}", name=name, what=counts, bold=True)
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
        f"tau_{k} {'?' if value is None else format(value, ',')}"
        for k, value in enumerate(board.viaud_taus, 1)
    ]
    more = [] if board.viaud_q0 is not None else ["..."]
    click.echo(paragraph(", ".join([*steps, *more]), "  "))
    say("Guesses in the worst case", indent="\n")
    rows = _rows(board, screen)
    width = max(len(kind) for kind, *_ in rows)
    for kind, value, name, note in rows:
        shown = "?" if value is None else value
        start = f"  {kind:<{width}} {shown:>3}  "
        click.echo(paragraph(f"{name:<20}  {note}", start, " " * len(start)))
    _say_best(board, screen)
    if orders is not None:
        click.echo("\n" + paragraph(tr("Viaud's particular strategy with ties broken at random")))
        tries = sum(orders.values())
        for order, n in orders.items():
            line = tr("order {order} in {n} of {tries} tries", order=order, n=n, tries=tries)
            click.echo(f"  {line}")
    if board.published:
        say("Published", indent="\n")
    for row in board.published:
        name = f"{translated(row.words)} {row.value}"
        line = tr("{name}: {what}", name=name, what=tr(row.source))
        click.echo(paragraph(line, "  ", "    "))


def _say_best(board: BoardBounds, screen: Screen) -> None:
    """The guesses that reach the smallest worst case, as far as there is room."""
    best = board.best_guesses
    if best is None or board.viaud_q0 is None:
        return
    more = board.viaud_q0 - 1
    title = tr("The one code that fits")
    if more:
        title = trn(
            "Guesses after which {n} more always does",
            "Guesses after which {n} more always do",
            more,
        )
    say("{title}: {n:,}", title=title, n=len(best), indent="\n")
    screen.columns([_written(guess, screen) for guess in best[:_LISTED]])
    if len(best) > _LISTED:
        say("... and {n:,} more (--json lists all)", n=len(best) - _LISTED, indent="  ")
    if not board.history:
        click.echo(paragraph(tr("One of each class of guesses that symmetry makes equal."), "  "))


def _written(guess: Any, screen: Screen) -> str:
    return screen.write(guess) if isinstance(guess, Code) else str(guess)


def _rows(board: BoardBounds, screen: Screen) -> list[tuple[str, int | None, str, str]]:
    """Kind of bound, bound, name and remark of each line of the table."""
    least, most = tr("at least"), tr("at most")
    order = "Viaud q" if board.history else "Viaud q0"
    smallest = (tr("exactly"), board.viaud_q0, order, tr("the smallest worst case"))
    if board.viaud_q0 is None:
        unknown = tr("the smallest worst case, not found by a short search")
        smallest = (least, board.worst_at_least, order, unknown)
    particular = tr(
        "smallest largest part at every turn, ties by Knuth's rule; other ties may need more"
    )
    if board.viaud_q2 is None:
        particular = tr("smallest largest part at every turn: too long to play out")
    largest = tr("from the largest part: too long to find")
    if board.viaud_tau2 is not None:
        largest = tr(
            "from the largest part, {size:,} after {guess}, which makes it smallest",
            size=board.viaud_tau2,
            guess=_written(board.viaud_tau2_guess, screen),
        )
    logarithms = tr("log(codes) / log(marks), rounded up")
    return [
        (least, board.marechal_rastoix, "Maréchal & Rastoix", logarithms),
        (least, board.information, tr("information"), tr("the same, and the guess that wins")),
        (least, board.viaud_q1_eq11, tr("Viaud q1, by (11)"), tr("from the number of codes")),
        (least, board.viaud_q1_eq12, tr("Viaud q1, by (12)"), largest),
        smallest,
        (most, board.viaud_q2, "Viaud q2", particular),
    ]
