"""`pegwise bounds`: counts of a board, bounds on the guesses it needs, and what is published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pegwise.cli.options import json_option, print_json, rules_argument
from pegwise.cli.terminal import announce_compilation, paragraph, progress_bar
from pegwise.errors import Phrase
from pegwise.game import Rules
from pegwise.i18n import tr, translated

if TYPE_CHECKING:
    from pegwise.search.theory import BoardBounds


@click.command(epilog="Example: pegwise bounds 4x8")
@rules_argument
@json_option
def bounds(rules: Rules, as_json: bool) -> None:
    """Counts of a board, and how many guesses its worst case needs.

    The bounds of Maréchal and Rastoix and of Viaud beside each other, with the smallest worst
    case where a search of some seconds finds it, and the optima that others have published.
    """
    from pegwise.search.theory import bounds as find_bounds

    announce_compilation()
    with progress_bar(tr("bounds {rules}", rules=rules)) as report:
        found = find_bounds(rules, report=report)
    if as_json:
        print_json(_document(found))
    else:
        _say(found)


def _document(found: BoardBounds) -> dict[str, Any]:
    return {
        "rules": str(found.rules),
        "codes": found.codes,
        "codes_with_repetition": found.codes_with_repetition,
        "codes_without_repetition": found.codes_without_repetition,
        "guesses": found.guesses,
        "marks": found.marks,
        "marechal_rastoix": found.marechal_rastoix,
        "marechal_rastoix_as_printed": found.marechal_rastoix_as_printed,
        "information": found.information,
        "viaud_q1_eq11": found.viaud_q1_eq11,
        "viaud_q1_eq12": found.viaud_q1_eq12,
        "viaud_tau2": found.viaud_tau2,
        "viaud_tau2_guess": str(found.viaud_tau2_guess),
        "viaud_q2": found.viaud_q2,
        "viaud_q0": found.viaud_q0,
        "worst_at_least": found.worst_at_least,
        "flaws": _flaws(found),
        "published": [
            {
                "objective": row.objective,
                "value": row.value,
                "max_guesses": row.max_guesses,
                "guesses": row.guesses,
                "proven": row.proven,
                "source": row.source,
            }
            for row in found.published
        ],
    }


def _flaws(found: BoardBounds) -> list[Phrase]:
    """What is wrong with the bound of Maréchal and Rastoix, in figures of this board."""
    flaws: list[Phrase] = []
    if found.marechal_rastoix_as_printed is not None:
        flaws.append(
            Phrase(
                "Maréchal and Rastoix print their formula for codes with repetitions without its "
                "logarithms, and take the 1 of the impossible mark from the wrong term: as "
                "printed it gives {printed:,}, with the logarithms {meant}.",
                printed=found.marechal_rastoix_as_printed,
                meant=found.marechal_rastoix,
            )
        )
    known = Phrase(", and by what is known here no less than {n}", n=found.worst_at_least)
    flaws.append(
        Phrase(
            "{marks} can tell {codes} apart, but the guess that wins is not counted: the least "
            "worst case is no less than {n}{known}.",
            marks=_marks(found.marechal_rastoix),
            codes=_codes(found.codes),
            n=found.information,
            known="" if found.worst_at_least <= found.information else known,
        )
    )
    return flaws


def _codes(n: int) -> Phrase:
    return Phrase("{n} code", n=n) if n == 1 else Phrase("{n:,} codes", n=n)


def _marks(n: int) -> Phrase:
    return Phrase("{n} mark", n=n) if n == 1 else Phrase("{n} marks", n=n)


def _say(found: BoardBounds) -> None:
    free = "" if found.guesses == found.codes else tr(" ({n:,} may be guessed)", n=found.guesses)
    counted = f"{translated(_codes(found.codes))}{free}, {translated(_marks(found.marks))}"
    click.secho(tr("{name}: {what}", name=found.rules, what=counted), bold=True)
    repeated = tr(
        "codes with repeated colors allowed {repeated:,}, without {distinct:,}",
        repeated=found.codes_with_repetition,
        distinct=found.codes_without_repetition,
    )
    click.echo(paragraph(repeated, "  "))
    click.echo("\n" + tr("Guesses in the worst case"))
    for value, name, note in _rows(found):
        shown = "?" if value is None else value
        click.echo(paragraph(f"{name:<20}  {note}", f"  {shown:>3}  ", " " * 9))
    click.echo("\n" + tr("Maréchal and Rastoix"))
    for flaw in _flaws(found):
        click.echo(paragraph(translated(flaw), "  "))
    if found.published:
        click.echo("\n" + tr("Published"))
    for row in found.published:
        click.echo(
            paragraph(
                tr(
                    "{name}: {what}",
                    name=f"{translated(row.words)} {row.value}",
                    what=tr(row.source),
                ),
                "  ",
                "    ",
            )
        )


def _rows(found: BoardBounds) -> list[tuple[int | None, str, str]]:
    guess = found.viaud_tau2_guess
    exact = tr("the smallest worst case")
    if found.viaud_q0 is None:
        exact = tr("not found by a short search; at least {n}", n=found.worst_at_least)
    particular = tr("smallest largest part at every turn: no more are needed")
    if found.viaud_q2 is None:
        particular = tr("smallest largest part at every turn: too long to play out")
    return [
        (found.marechal_rastoix, "Maréchal & Rastoix", tr("log(codes) / log(marks), rounded up")),
        (found.information, tr("information"), tr("the same, and the guess that wins")),
        (found.viaud_q1_eq11, tr("Viaud q1, by (11)"), tr("from the number of codes")),
        (
            found.viaud_q1_eq12,
            tr("Viaud q1, by (12)"),
            tr(
                "from the largest part, {size:,} after {guess}, which makes it smallest",
                size=found.viaud_tau2,
                guess=guess,
            ),
        ),
        (found.viaud_q0, "Viaud q0", exact),
        (found.viaud_q2, "Viaud q2", particular),
    ]
