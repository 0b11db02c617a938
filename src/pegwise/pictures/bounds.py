"""The bounds of a board in words and in JSON: what the terminal and the page Bounds show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from pegwise.errors import Phrase
from pegwise.i18n import tr, translated, trn

if TYPE_CHECKING:
    from pegwise.search.theory import BoardBounds

_PUBLISHED: Final = ("objective", "value", "max_guesses", "guesses", "proven", "source")


@dataclass(frozen=True, slots=True)
class BoundLine:
    """A line of the table: the kind of bound, its value if it is known, its name and a remark."""

    kind: str
    value: int | None
    name: str
    note: str


def bounds_document(board: BoardBounds, orders: dict[int, int] | None = None) -> dict[str, Any]:
    """The JSON document of the bounds, and of the orders of the particular strategy if tried."""
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
    """Errors of the bound of Maréchal and Rastoix, in figures of this board."""
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
        marks=marks_phrase(board.marechal_rastoix),
        codes=codes_phrase(board.codes),
        n=board.information,
        bound="" if board.worst_at_least <= board.information else least,
    )
    return [uncounted] if board.marechal_rastoix_as_printed is None else [printed, uncounted]


def codes_phrase(n: int) -> Phrase:
    """So many codes."""
    return Phrase("{n} code", n=n) if n == 1 else Phrase("{n:,} codes", n=n)


def marks_phrase(n: int) -> Phrase:
    """So many marks."""
    return Phrase("{n} mark", n=n) if n == 1 else Phrase("{n:,} marks", n=n)


def best_title(board: BoardBounds) -> str:
    """A title for the guesses that reach the smallest worst case; empty where none is known."""
    if board.best_guesses is None or board.viaud_q0 is None:
        return ""
    if (more := board.viaud_q0 - 1) == 0:
        return tr("The one code that fits")
    return trn(
        "Guesses that need only {n} more",
        "Guesses that need only {n} more",
        more,
    )


def published_lines(board: BoardBounds) -> list[str]:
    """The optima that others have published, a line each."""
    return [
        tr("{name}: {what}", name=f"{translated(row.words)} {row.value}", what=tr(row.source))
        for row in board.published
    ]


def bound_lines(board: BoardBounds, write: Callable[[Any], str] = str) -> list[BoundLine]:
    """The table of the bounds; `write` writes a guess."""
    least, most = tr("at least"), tr("at most")
    order = "Viaud q" if board.history else "Viaud q0"
    worst = tr("the smallest worst case")
    if board.best_guesses is None:
        worst = tr("the smallest worst case; which guesses reach it: too long to find")
    smallest = BoundLine(tr("exactly"), board.viaud_q0, order, worst)
    if board.viaud_q0 is None:
        unknown = tr("the smallest worst case, not found by a short search")
        smallest = BoundLine(least, board.worst_at_least, order, unknown)
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
            guess=write(board.viaud_tau2_guess),
        )
    logarithms = tr("log(codes) / log(marks), rounded up")
    information = tr("the same, and the guess that wins")
    by_number = tr("from the number of codes")
    return [
        BoundLine(least, board.marechal_rastoix, "Maréchal & Rastoix", logarithms),
        BoundLine(least, board.information, tr("information"), information),
        BoundLine(least, board.viaud_q1_eq11, tr("Viaud q1, by (11)"), by_number),
        BoundLine(least, board.viaud_q1_eq12, tr("Viaud q1, by (12)"), largest),
        smallest,
        BoundLine(most, board.viaud_q2, "Viaud q2", particular),
    ]
