"""Marks that contradict each other, explained in prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pegwise.game import Rules, Turn
from pegwise.knowledge import Suspect, count, fewest_wrong
from pegwise.language import tr, trn

__all__ = ["codes", "explain"]

_ALTERNATIVES: Final = 4


def explain(rules: Rules, history: Sequence[Turn], suspects: Sequence[Suspect]) -> list[str]:
    """What to say of a contradictory history: a line or some, without naming a culprit rashly.

    Args:
        rules: the board.
        history: the turns.
        suspects: what `knowledge.suspects` found.
    """
    lines = [_where(rules, history)]
    if not suspects:
        fewest = fewest_wrong(rules, history)
        lines.append(tr("No change of one mark helps: at least {n} marks are wrong.", n=fewest))
    elif len(suspects) == 1:
        lines.append(
            tr(
                "If only one mark is wrong, it is that of {turn}.",
                turn=_described(history, suspects[0]),
            )
        )
    else:
        lines.append(tr("If only one mark is wrong, it is one of these, the most likely first:"))
        lines += [f"  {_described(history, suspect)}" for suspect in suspects]
    return lines


def codes(number: int) -> str:
    """A number of codes: `1 code`, `12 codes`."""
    return trn("{n} code", "{n} codes", number)


def _where(rules: Rules, history: Sequence[Turn]) -> str:
    """Which turn is the first that nothing fits."""
    if len(history) == 1:
        return tr("No code of {rules} fits this turn.", rules=rules)
    for last in range(len(history), 0, -1):
        before = history[: last - 1]
        if left := count(rules, before):
            break
    these = tr("No code of {rules} fits these {n} turns", rules=rules, n=len(history))
    if not before:
        return tr("{these}: none fits turn 1 alone.", these=these)
    few = {1: tr("turn 1"), 2: tr("turns 1 and 2")}
    return trn(
        "{these}: {n} code fits {turns}, and none of them turn {last}.",
        "{these}: {n} codes fit {turns}, and none of them turn {last}.",
        left,
        these=these,
        turns=few.get(len(before)) or tr("turns 1 to {n}", n=len(before)),
        last=last,
    )


def _described(history: Sequence[Turn], suspect: Suspect) -> str:
    """A suspect: `turn 2 (ABCE): XX instead of XXO would leave 3 codes; or X, 1 code`."""
    first, *others = suspect.instead
    also = [f"{other.mark}, {codes(other.count)}" for other in others[: _ALTERNATIVES - 1]]
    if len(others) > len(also):
        also.append(tr("others"))
    guess = history[suspect.turn].guess
    first_of_all = tr(
        "turn {n} ({guess}): {mark} instead of {given} would leave {codes}",
        n=suspect.turn + 1,
        guess=guess,
        mark=first.mark,
        given=suspect.mark,
        codes=codes(first.count),
    )
    return tr("; or ").join([first_of_all, *also])
