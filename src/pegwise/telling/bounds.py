"""What is told of the bounds of a board, and their JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pegwise.encoder import encoded
from pegwise.errors import Phrase
from pegwise.i18n import figure, tr, trn
from pegwise.telling.blocks import Block, CodeList, Head, Report, Sentence, Table
from pegwise.telling.words import capitalized, rules_named

if TYPE_CHECKING:
    from pegwise.search.theory import BoardBounds

_PUBLISHED: Final = ("objective", "value", "max_guesses", "guesses", "proven", "source")
_LISTED: Final = 24  # guesses that reach the smallest worst case


def bounds_document(board: BoardBounds, orders: dict[int, int] | None = None) -> dict[str, Any]:
    """The JSON document of the bounds, and of the orders of the particular strategy if tried."""
    document: dict[str, Any] = encoded(
        {
            **board.document(),
            "flaws": _flaws(board),
            "published": [
                {name: getattr(row, name) for name in _PUBLISHED} for row in board.published
            ],
            **({} if orders is None else {"orders": orders}),
        }
    )
    return document


def _flaws(board: BoardBounds) -> list[Phrase]:
    """Errors of the bound of Maréchal and Rastoix, in figures of this board."""
    printed = Phrase(
        "Maréchal and Rastoix print their formula for codes with repetitions without its "
        "logarithms, and take the 1 of the impossible mark from the wrong term: as "
        "printed it gives {printed:,}, with the logarithms {meant}.",
        printed=board.marechal_rastoix_as_printed or 0,
        meant=board.marechal_rastoix,
    )
    least = Phrase(", and at least {n} by what is known here", n=board.worst_at_least)
    uncounted = Phrase(
        "{marks} can tell {codes} apart, but the guess that wins is not counted: the least "
        "worst case is no less than {n}{bound}.",
        marks=_marks(board.marechal_rastoix),
        codes=_codes(board.n_codes),
        n=board.information,
        bound="" if board.worst_at_least <= board.information else least,
    )
    return [uncounted] if board.marechal_rastoix_as_printed is None else [printed, uncounted]


def _codes(n: int) -> Phrase:
    return Phrase("{n} code", n=n) if n == 1 else Phrase("{n:,} codes", n=n)


def _marks(n: int) -> Phrase:
    return Phrase("{n} mark", n=n) if n == 1 else Phrase("{n:,} marks", n=n)


def bounds_report(board: BoardBounds, orders: dict[int, int] | None = None) -> Report:
    """The bounds of a board or a position; the orders of the particular strategy, if tried."""
    return Report.of(_blocks(board, orders))


def _blocks(board: BoardBounds, orders: dict[int, int] | None) -> Iterator[Block]:
    extra = (
        "" if board.n_guesses == board.n_codes else tr(" ({n:,} may be guessed)", n=board.n_guesses)
    )
    name = rules_named(str(board.game))
    if n := len(board.turns):
        name = trn("{rules} after {n} turn", "{rules} after {n} turns", n, rules=name)
    what = f"{tr(_codes(board.n_codes))}{extra}, {tr(_marks(board.n_marks))}"
    yield Sentence(tr("{name}: {what}", name=name, what=what), "heading")
    repeated, distinct = board.codes_with_repetition, board.codes_without_repetition
    if repeated is not None and not board.turns:
        words = tr(
            "Codes with repeated colors: {repeated:,}; without: {distinct:,}",
            repeated=repeated,
            distinct=distinct,
        )
        yield Sentence(words)
    yield Sentence(tr("Guesses in the worst case"), "title")
    yield _bounds_table(board)
    yield Sentence(tr("Codes that may be left, the best guesses played"), "title")
    yield _taus_table(board)
    yield from _best_guesses(board)
    if orders is not None:
        yield Sentence(tr("Viaud's particular strategy with ties broken at random"), "title")
        tries = sum(orders.values())
        for order, n in orders.items():
            words = tr("order {order} in {n} of {tries} tries", order=order, n=n, tries=tries)
            yield Sentence(words, item=True)
    if board.published:
        yield Sentence(tr("Published"), "title")
    for row in board.published:
        name = f"{tr(row.words)} {_figure(row.value)}"
        words = tr("{name}: {what}", name=name, what=tr(row.source))
        yield Sentence(capitalized(words), item=True)


def _figure(value: object) -> str:
    """A published figure, whose thousands are set apart where it is a whole number."""
    return figure(value, ",") if isinstance(value, int) else str(value)


def _bounds_table(board: BoardBounds) -> Table:
    """The source of a bound on the guesses that are needed: at least, exactly or at most."""
    order = "Viaud q" if board.turns else "Viaud q0"
    worst = Phrase("the smallest worst case")
    if board.best_guesses is None:
        worst = Phrase("the smallest worst case; which guesses reach it: too long to find")
        if not board.game.free:
            worst = Phrase("the smallest worst case by these rules")
    smallest = tr("exactly {n}", n=board.viaud_q0)
    if board.viaud_q0 is None:
        worst = Phrase("the smallest worst case, not found by a short search")
        smallest = _at_least(board.worst_at_least)
    particular = Phrase(
        "smallest largest part at every turn, ties by Knuth's rule; other ties may need more"
    )
    if board.viaud_q2 is None:
        particular = Phrase("smallest largest part at every turn: too long to play out")
    largest = Phrase("from the largest part: too long to find")
    if board.viaud_tau2 is not None:
        largest = Phrase(
            "from the largest part, {size:,} after {guess}, which makes it smallest",
            size=board.viaud_tau2,
            guess=board.viaud_tau2_guess,
        )
    logarithms = Phrase("log(codes) / log(marks), rounded up")
    if board.marechal_rastoix_as_printed is not None:
        logarithms = Phrase(
            "log(codes) / log(marks), rounded up; {printed:,} by the formula as printed",
            printed=board.marechal_rastoix_as_printed,
        )
    information = Phrase("the same, and the guess that wins")
    by_number = Phrase("from the number of codes")
    most = tr("at most {n}", n="?" if board.viaud_q2 is None else board.viaud_q2)
    return Table(
        (Head(tr("bound")), Head(tr("guesses"), "number"), Head("", "prose")),
        (
            ("Maréchal & Rastoix", _at_least(board.marechal_rastoix), logarithms),
            (tr("Information"), _at_least(board.information), information),
            (tr("Viaud q1, by (11)"), _at_least(board.viaud_q1_eq11), by_number),
            (tr("Viaud q1, by (12)"), _at_least(board.viaud_q1_eq12), largest),
            (order, smallest, worst),
            ("Viaud q2", most, particular),
        ),
    )


def _at_least(n: int | None) -> str:
    return tr("at least {n}", n="?" if n is None else n)


def _taus_table(board: BoardBounds) -> Table:
    """Viaud's tau_1, tau_2, ... in a row."""
    taus = [
        (f"tau_{k}", "?" if value is None else figure(value, ","))
        for k, value in enumerate(board.viaud_taus, 1)
    ]
    if board.viaud_q0 is None:
        taus.append(("...", "..."))
    heads = tuple(Head(name, "number") for name, _ in taus)
    return Table(heads, (tuple(value for _, value in taus),), lead=0, divided=True)


def _best_guesses(board: BoardBounds) -> Iterator[Block]:
    """The guesses that reach the smallest worst case, where they are known."""
    best = board.best_guesses
    if best is None or board.viaud_q0 is None:
        return
    title = tr("The one code that fits")
    if more := board.viaud_q0 - 1:
        title = trn("Guesses that need only {n} more", "Guesses that need only {n} more", more)
    yield Sentence(tr("{title}: {n:,}", title=title, n=len(best)), "title")
    others = len(best) - _LISTED
    advice = Phrase(" (--json lists all)")
    words = Phrase("... and {n:,} more{advice}", n=others, advice=advice) if others > 0 else ""
    yield CodeList(best[:_LISTED], len(best), words)
    if board.symmetric:
        yield Sentence(tr("One of each class of guesses that symmetry makes equal."), "note")
