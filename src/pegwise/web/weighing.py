"""What a guess can be expected to tell, against the best one; computed in a `work.Line`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pegwise.errors import ContradictionError, TooLargeError
from pegwise.game import Code, Rules, Turn

__all__ = ["weigh"]


def weigh(rules: Rules, history: Sequence[Turn], guess: Code, criterion: str) -> dict[str, Any]:
    """What a guess can be expected to tell after these turns.

    The best guess is that by a criterion, one look ahead; None where there are too many codes to
    look for it.

    Returns:
        As `routes.weigh.WeighView`.

    Raises:
        ContradictionError: no code fits the turns.
        CodeError, MarkError: a guess or a mark that the rules do not allow.
        TooLargeError: there are too many codes to weigh one guess.
    """
    from pegwise.coach import Position, best_guess

    position = Position(rules, history)
    if not position.count:
        raise ContradictionError(
            "no code of {rules} fits these turns: correct a mark first", rules=rules
        )
    split, best = position.split(guess), None
    with suppress(TooLargeError):
        best = best_guess(position, criterion)
    return {
        "count": position.count,
        "guess": str(split.guess),
        "candidate": split.possible,
        "expected": float(split.expected),
        "bits": split.bits,
        "largest": split.largest,
        "parts": len(split.parts),
        "best": best
        and {"guess": str(best.guess), "expected": float(best.expected), "bits": best.bits},
    }
