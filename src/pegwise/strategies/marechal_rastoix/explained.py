"""The color-by-color method in the words of its authors: attempt, result, deduction, criterion.

Maréchal and Rastoix write a worked game so in section 3.1 of their report.
"""

from __future__ import annotations

from collections.abc import Iterator

from pegwise.errors import Phrase
from pegwise.game import Code, Mark
from pegwise.strategies.candidates import WON
from pegwise.strategies.explanation import Explanation, Write
from pegwise.strategies.marechal_rastoix.plan import OPEN, ColorPlan


def aim_of(plan: ColorPlan, write: Write) -> Explanation:
    """The aim of a guess, and the criterion by which it is played."""
    settled = [None if color == OPEN else write(Code([color])) for color in plan.holes]
    figures: dict[str, object] = {"settled": settled}
    attempt = Code(plan.guess())
    if OPEN not in plan.holes:
        why = Phrase("All places are known.")
        return Explanation(attempt=attempt, reason=(why,), figures=figures)
    filler = write(Code([plan.filler]))
    figures |= {"filler": filler}
    if plan.hole < 0:
        why = Phrase(
            "All open places get {color}: the mark tells how often it occurs.", color=filler
        )
        figures |= {"color": filler}
        return Explanation(attempt=attempt, reason=(why,), criterion=_criterion(1), figures=figures)
    color = write(Code([plan.color]))
    why = Phrase(
        "{color} is tried at place {place}, with {filler} in the other open places: it is right "
        "there if no peg is misplaced.",
        color=color,
        place=plan.hole + 1,
        filler=filler,
    )
    figures |= {"color": color, "place": plan.hole + 1, "missing": plan.missing}
    return Explanation(attempt=attempt, reason=(why,), criterion=_criterion(2), figures=figures)


def deduced(
    plan: ColorPlan,
    mark: Mark,
    following: ColorPlan,
    write: Write,
    *,
    counts_ahead: bool,
    counted: bool,
    repeats: bool,
) -> Iterator[Phrase]:
    """Sentences about what the mark of a plan's guess tells.

    Args:
        plan: the questions so far.
        mark: the answer.
        following: the plan after it.
        write: how colors are written.
        counts_ahead: whether the method goes by criteria 3 and 4.
        counted: whether the filler was counted before.
        repeats: whether the method counts a color even where that repeats the guess.
    """
    won = mark.black == len(plan.holes)
    filler = write(Code([plan.filler]))
    tried = -1  # the hole that the mark settles
    if OPEN not in plan.holes:
        pass
    elif plan.hole < 0:
        known = Phrase("{exact} exact - {known} known", exact=mark.black, known=plan.n_settled)
        yield _occurs(filler, mark.black - plan.n_settled, known, 1)
    else:
        color, place = write(Code([plan.color])), plan.hole + 1
        if counts_ahead and not counted:
            yield from _counted_ahead(plan, mark, write)
        if mark.white:
            yield Phrase("{color} is not at place {place}: criterion 2.", color=color, place=place)
        else:
            tried = plan.hole
            yield Phrase("{color} is at place {place}: criterion 2.", color=color, place=place)
            if not repeats and plan.missing == 1:  # the guess is full of the filler
                exact, n = mark.black, plan.n_settled + 1
                known = Phrase("{exact} exact - {known} known", exact=exact, known=n)
                yield _occurs(filler, exact - n, known, 1)
    if won:
        yield WON
        return
    for hole, (before, after) in enumerate(zip(plan.holes, following.holes, strict=True)):
        if before == OPEN != after and hole != tried:
            yield Phrase(
                "{color} is at place {place}: no other place is left for it.",
                color=write(Code([after])),
                place=hole + 1,
            )
    if counts_ahead and following.hole >= 0 and plan.hole >= 0 and following.color != plan.color:
        color = write(Code([following.color]))
        yield Phrase("{color} is placed next without being counted: criterion 3.", color=color)


def _counted_ahead(plan: ColorPlan, mark: Mark, write: Write) -> Iterator[Phrase]:
    """Criterion 3, and the skip of criterion 4."""
    count = sum(mark) - plan.n_settled - 1
    filler = write(Code([plan.filler]))
    known = Phrase(
        "{pegs} pegs in the mark - {known} known - the {color} that is tried",
        pegs=sum(mark),
        known=plan.n_settled,
        color=write(Code([plan.color])),
    )
    yield _occurs(filler, count, known, 3)
    if count:
        return
    if plan.filler + 1 < plan.colors:
        color = write(Code([plan.filler + 1]))
        yield Phrase(
            "So {filler} is skipped, and {color} fills the open places: criterion 4.",
            filler=filler,
            color=color,
        )


def _occurs(color: str, times: int, how: Phrase, criterion: int) -> Phrase:
    """How often a color occurs, and how that is worked out."""
    values = {"color": color, "how": how, "n": criterion}
    if times == 0:
        return Phrase("{color} does not occur ({how}): criterion {n}.", **values)
    if times == 1:
        return Phrase("{color} occurs once ({how}): criterion {n}.", **values)
    return Phrase("{color} occurs {times} times ({how}): criterion {n}.", times=times, **values)


def _criterion(number: int) -> Phrase:
    return Phrase("criterion {n}", n=number)
