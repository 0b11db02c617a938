"""Marks that contradict each other, explained in prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pegwise.game import Rules, Turn
from pegwise.knowledge import Suspect, count, fewest_wrong

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
        lines.append(f"No change of one mark helps: at least {fewest} marks are wrong.")
    elif len(suspects) == 1:
        lines.append(
            f"If only one mark is wrong, it is that of {_described(history, suspects[0])}."
        )
    else:
        lines.append("If only one mark is wrong, it is one of these, the most likely first:")
        lines += [f"  {_described(history, suspect)}" for suspect in suspects]
    return lines


def codes(number: int) -> str:
    """A number of codes: `1 code`, `12 codes`."""
    return f"{number} code{'s' * (number != 1)}"


def _where(rules: Rules, history: Sequence[Turn]) -> str:
    """Which turn is the first that nothing fits."""
    if len(history) == 1:
        return f"No code of {rules} fits this turn."
    for last in range(len(history), 0, -1):
        before = history[: last - 1]
        if left := count(rules, before):
            break
    these = f"No code of {rules} fits these {len(history)} turns"
    if not before:
        return f"{these}: none fits turn 1 alone."
    turns = {1: "turn 1", 2: "turns 1 and 2"}.get(len(before), f"turns 1 to {len(before)}")
    fit = "fits" if left == 1 else "fit"
    return f"{these}: {codes(left)} {fit} {turns}, and none of them turn {last}."


def _described(history: Sequence[Turn], suspect: Suspect) -> str:
    """A suspect: `turn 2 (ABCE): XX instead of XXO would leave 3 codes; or X, 1 code`."""
    first, *others = suspect.instead
    also = [f"{other.mark}, {codes(other.count)}" for other in others[: _ALTERNATIVES - 1]]
    if len(others) > len(also):
        also.append("others")
    guess = history[suspect.turn].guess
    return "; or ".join(
        [
            f"turn {suspect.turn + 1} ({guess}): {first.mark} instead of {suspect.mark} would "
            f"leave {codes(first.count)}",
            *also,
        ]
    )
