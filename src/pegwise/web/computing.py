"""What workers compute for the page Play: plain functions of plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pegwise.errors import InputError, StrategyError, TooLargeError
from pegwise.game import Code, Mark, Rules, Turn


class Answered(NamedTuple):
    """What a guess got.

    Attributes:
        mark: the mark.
        left: how many codes are possible after it; None where they cannot be counted.
    """

    mark: Mark
    left: int | None


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
