"""How many guesses a board needs: bounds from counting, and the smallest worst case itself.

B. Maréchal and M. Rastoix, Intelligence Artificielle pour le Mastermind, section 2, divide the
logarithm of the number of codes by that of the number of marks. D. Viaud, Une formalisation du
jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979, section 3, counts the codes that so
many guesses can reach: q1 <= q0 <= q2, where q0 is the worst case of a best strategy.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import ceil, factorial, perm
from typing import Final

from pegwise.errors import TooLargeError
from pegwise.game import Code, Rules, as_rules, mastermind
from pegwise.progress import Report, silent
from pegwise.search.first_guess import smallest_largest_part
from pegwise.search.optimal import OptimalSearch
from pegwise.search.published import Published, published
from pegwise.strategies import load
from pegwise.trees import build

__all__ = ["Bounds", "bounds", "eq11", "eq12", "information", "marechal_rastoix"]

MAX_TREE: Final = 2_000_000_000
"""The particular strategy is played out where guesses times secrets are at most so many."""

MAX_SECRETS: Final = 8_000
"""The smallest worst case is searched for up to so many secrets."""

MAX_SEARCH: Final = 50_000_000
"""The search for the smallest worst case gives up when sets entered times secrets are so many.

That takes some seconds.
"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of the number of guesses that a board needs.

    Attributes:
        rules: the board.
        codes: number of codes that may be hidden.
        codes_with_repetition: n ** k of Maréchal and Rastoix, for n colors and k pegs.
        codes_without_repetition: n! / (n - k)!; 0 with fewer colors than pegs.
        guesses: number of codes that may be played.
        marks: number of marks, |P| of Viaud.
        marechal_rastoix: the bound that they compute (see `marechal_rastoix`).
        marechal_rastoix_as_printed: what the formula with repetitions gives as it is printed,
            without the logarithms; None for other boards.
        information: the marks that tell all codes apart, and the winning guess.
        viaud_q1_eq11: by Viaud's (11), from the number of codes.
        viaud_tau2: tau_2 of all codes: the smallest largest part of any first guess.
        viaud_tau2_guess: the first guess that reaches it.
        viaud_q1_eq12: by Viaud's (12), from tau_2.
        viaud_q2: order of his particular strategy; None for a board too large to play it out.
        worst_at_least: no strategy has a smaller worst case, by the bounds and a short search.
        viaud_q0: the smallest worst case; None where the search does not find it in seconds.
        published: optima that others have published.
    """

    rules: Rules
    codes: int
    codes_with_repetition: int
    codes_without_repetition: int
    guesses: int
    marks: int
    marechal_rastoix: int
    marechal_rastoix_as_printed: int | None
    information: int
    viaud_q1_eq11: int
    viaud_tau2: int
    viaud_tau2_guess: Code
    viaud_q1_eq12: int
    viaud_q2: int | None
    worst_at_least: int
    viaud_q0: int | None
    published: tuple[Published, ...]


def bounds(rules: Rules | str, *, report: Report = silent) -> Bounds:
    """All bounds of a board.

    Args:
        rules: any board, however large; also as it is written (`4x6`).
        report: is told of the particular strategy's progress and of the search's.
    """
    rules = as_rules(rules)
    codes, marks = rules.n_secrets, mastermind(rules).n_marks
    best = smallest_largest_part(rules)
    by_size = eq11(codes, marks)
    by_part = eq12(codes, best.largest, marks)
    most = _particular_order(rules, report)
    least, exact = _smallest_worst(rules, max(by_size, by_part), most, report)
    return Bounds(
        rules=rules,
        codes=codes,
        codes_with_repetition=rules.colors**rules.pegs,
        codes_without_repetition=perm(rules.colors, rules.pegs),
        guesses=rules.n_guesses,
        marks=marks,
        marechal_rastoix=marechal_rastoix(codes, marks),
        marechal_rastoix_as_printed=_as_printed(rules),
        information=information(codes, marks),
        viaud_q1_eq11=by_size,
        viaud_tau2=best.largest,
        viaud_tau2_guess=best.guess,
        viaud_q1_eq12=by_part,
        viaud_q2=most,
        worst_at_least=least,
        viaud_q0=exact,
        published=published(rules),
    )


def marechal_rastoix(codes: int, marks: int) -> int:
    """log(codes) / log(marks), rounded up (their section 2.3).

    They call it the fewest questions of the worst case. It is the number of marks that can tell
    all codes apart; the guess that wins still has to be played (`information`).
    """
    return next(k for k in count() if codes <= marks**k)


def information(codes: int, marks: int) -> int:
    """The fewest guesses after which all but the last can have told the codes apart."""
    return 1 + marechal_rastoix(codes, marks)


def eq11(codes: int, marks: int) -> int:
    """Viaud's (11): the least q with |S| <= 1 + pi + ... + pi ** (q - 1), pi = |P| - 1.

    He writes the sum as a quotient, which is not defined for two marks; the sum is.
    """
    guesses = reached = 0
    while reached < codes:
        reached += (marks - 1) ** guesses
        guesses += 1
    return guesses


def eq12(codes: int, tau_2: int, marks: int) -> int:
    """Viaud's (12): the least q with tau_2(S) <= 1 + pi + ... + pi ** (q - 2).

    With one code he would have 2: its part is the winning one, after which nothing is played.
    """
    return 1 if codes == 1 else 1 + eq11(tau_2, marks)


def _as_printed(rules: Rules) -> int | None:
    """Their formula with repetitions taken literally: n**k / ((k+2)! / (k!*2 - 1)), rounded up."""
    if rules.secrets_are_distinct or rules.black:
        return None
    marks = Fraction(factorial(rules.pegs + 2), 2 * factorial(rules.pegs) - 1)
    return ceil(rules.n_secrets / marks)


def _particular_order(rules: Rules, report: Report) -> int | None:
    """Worst case of the particular strategy of section 3: smallest largest part at every turn."""
    if rules.n_guesses * rules.n_secrets > MAX_TREE:
        return None
    return build(load("knuth"), mastermind(rules), report=report).worst


def _smallest_worst(
    rules: Rules, least: int, most: int | None, report: Report
) -> tuple[int, int | None]:
    """A lower bound on the smallest worst case, and that itself if a short search finds it."""
    if least == most:
        return least, most
    if rules.n_secrets > MAX_SECRETS:
        return least, None
    try:
        search = OptimalSearch(mastermind(rules), objective="worst")
    except TooLargeError:
        return least, None
    for step in search:
        report(step)
        least = max(least, step.lower_bound)
        if least == most or step.positions * rules.n_secrets > MAX_SEARCH:
            return least, most if least == most else None
    tree = search.result().tree
    return (least, None) if tree is None else (tree.worst, tree.worst)
