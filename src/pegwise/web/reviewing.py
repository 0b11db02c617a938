"""Review, as it is computed: the coach's document, a picture, and a text to share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pegwise.errors import InputError
from pegwise.game import Mark, Record, Rules, Turn, parse_code
from pegwise.i18n import SOURCE, speaking
from pegwise.web.sharing import ReviewText

__all__ = ["record_of", "review_document"]

_JUDGING: Final = 4.0
"""Seconds for all that is exact in one review."""


def record_of(rules: Rules, turns: Sequence[Turn], secret: str | None) -> Record:
    """The record of a game that was played elsewhere.

    Raises:
        CodeError: the rules do not allow this secret.
        InputError: turns after the game was won.
    """
    hidden = None if secret is None else parse_code(secret, rules, secret=True)
    won = bool(turns) and turns[-1].mark == Mark(rules.pegs)
    result = "solved" if won else "open" if hidden is None else "given up"
    return Record(rules, tuple(turns), result, hidden)


def review_document(
    record: Record, rule: str, criterion: str = "entropy", language: str = SOURCE
) -> dict[str, Any]:
    """A review.

    Args:
        record: the game.
        rule: what the best guess is chosen from: `any` guess, or only `candidates`.
        criterion: what makes a guess best: `entropy`, `size`, `minimax` or `parts`.
        language: of the picture and the text.

    Returns:
        As `schemas.ReviewView`.

    Raises:
        InputError: there is no turn to review.
        TooLargeError: one of the largest boards.
    """
    from pegwise.coach import review
    from pegwise.coach.review import to_document
    from pegwise.pictures import board_svg
    from pegwise.search.exact.position import timed_solver

    if not record.turns:
        raise InputError("this game has no turn yet: there is nothing to review")
    found = review(
        record,
        criterion=criterion,
        guesses="all" if rule == "any" else "candidates",
        solver=timed_solver(_JUDGING),
    )
    shared = ReviewText(found, language)
    left = [turn.after for turn in found.turns]
    with speaking(language):
        picture = board_svg(
            record.turns,
            record.rules,
            candidates=left if found.consistent else None,
            secret=found.secret,
            title=shared.title(),
        )
    return to_document(found) | {"record": record.write(), "svg": picture, "text": shared.text()}
