"""What is computed in the processes of a `work.Line`: plain functions of plain values."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pegwise.errors import InputError, StrategyError, TooLargeError
from pegwise.game import Code, Mark, Record, Rules, Turn
from pegwise.web.review import review_document
from pegwise.web.work import more_time

__all__ = [
    "Answered",
    "answer",
    "first_codes",
    "hint",
    "optimal_secret",
    "reveal",
    "warm",
    "warm_widely",
]

_WIDELY: Final = (Rules(3, 4), Rules(5, 8, blank=True), Rules(6, 9))
"""Boards that together use every variant of the kernels."""

_COMPILING: Final = 60.0
"""Seconds that one kernel may take to compile on a busy machine."""


class Answered(NamedTuple):
    """What a guess got.

    Attributes:
        mark: the mark.
        left: how many codes are possible after it; None where they cannot be counted.
    """

    mark: Mark
    left: int | None


def warm() -> None:
    """Load what most questions need, so that the first one is answered at once."""
    allow_compilation()
    rules = Rules()
    turn = Turn(Code([0, 0, 1, 1]), Mark(1))
    hint(rules, [turn])
    first_codes(rules, [turn], 10)


def warm_widely() -> None:
    """The same for boards of other sizes, whose kernels are then ready for all processes."""
    warm()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    for rules in _WIDELY:
        hint(rules, [Turn(Code([0] * rules.pegs), Mark(1))])
    turns = tuple(Turn(Code([0, 1, color]), Mark(1)) for color in (1, 2))
    review_document(Record(Rules(3, 4), turns), "any")


def allow_compilation() -> None:
    """Ask for more time whenever a kernel is compiled, which happens once on a machine."""
    from numba.core import event

    class Compiling(event.Listener):
        def on_start(self, event: Any) -> None:  # noqa: ARG002
            more_time(_COMPILING)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]


def answer(rules: Rules, history: Sequence[Turn], guess: Code, mark: Mark | None) -> Answered:
    """What a guess gets after these turns: a given mark, or that of the evil codemaker.

    Raises:
        TooLargeError: one of the largest boards, and the codemaker is evil.
    """
    from pegwise.knowledge import parts
    from pegwise.knowledge.codemaker import Evil

    try:
        found = parts(rules, history, guess)
    except TooLargeError:
        if mark is None:
            raise
        return Answered(mark, None)
    chosen = Evil(rules).answer(history, guess) if mark is None else mark
    return Answered(chosen, found[chosen])


def reveal(rules: Rules, history: Sequence[Turn]) -> Code:
    """The secret that the evil codemaker shows at the end."""
    from pegwise.knowledge.codemaker import Evil

    return Evil(rules).reveal(history)


def optimal_secret(rules: Rules, seed: int) -> Code:
    """The secret that the optimal codemaker draws with this seed.

    Raises:
        InputError: how it has to draw on this board is not known.
    """
    from pegwise.search.players import draw_optimal_secret

    try:
        return draw_optimal_secret(rules, seed)
    except (StrategyError, TooLargeError):
        raise InputError(
            "how the optimal codemaker draws its code on {rules} is not known: choose a smaller "
            "board, or another codemaker",
            rules=rules,
        ) from None


def first_codes(rules: Rules, history: Sequence[Turn], limit: int) -> tuple[int, list[Code]]:
    """How many codes fit the history, and the first of them.

    Raises:
        TooLargeError: one of the largest boards.
    """
    from pegwise.knowledge import candidates, count

    return count(rules, history), candidates(rules, history, limit)


def hint(rules: Rules, history: Sequence[Turn]) -> tuple[Code, str]:
    """What to play now, and the strategy that says so."""
    from pegwise.coach import Adviser, default_strategy

    advice = Adviser(default_strategy(rules), rules).propose(history)
    return advice.guess, advice.strategy
