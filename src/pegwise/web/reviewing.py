"""Review, as it is computed: the coach's document, a picture, and a text to share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from pegwise.errors import InputError
from pegwise.game import Mark, Record, Rules, Turn, parse_code

if TYPE_CHECKING:
    from pegwise.coach import Review, TurnReview

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


def review_document(record: Record, rule: str, criterion: str = "entropy") -> dict[str, Any]:
    """A review.

    Args:
        record: the game.
        rule: what the best guess is chosen from: `any` guess, or only `candidates`.
        criterion: what makes a guess best: `entropy`, `size`, `minimax` or `parts`.

    Returns:
        As `schemas.ReviewView`.

    Raises:
        InputError: there is no turn to review.
        TooLargeError: one of the largest boards.
    """
    from pegwise.coach import review
    from pegwise.coach.documents import to_document
    from pegwise.pictures import board_svg
    from pegwise.search.position import judge

    if not record.turns:
        raise InputError("this game has no turn yet: there is nothing to review")
    found = review(
        record,
        criterion=criterion,
        guesses="all" if rule == "any" else "candidates",
        judge=judge(_JUDGING),
    )
    left = [turn.after for turn in found.turns]
    picture = board_svg(
        record.turns,
        record.rules,
        candidates=left if found.consistent else None,
        secret=found.secret,
        title=f"{record.rules}: {_ending(found)}",
    )
    return to_document(found) | {"record": record.write(), "svg": picture, "text": _text(found)}


def _ending(review: Review) -> str:
    record = review.record
    number = f"{len(record.turns)} guess{'es' * (len(record.turns) != 1)}"
    ended = {"solved": "solved in", "open": "not finished after", "given up": "given up after"}
    return f"{ended[record.result]} {number}"


def _text(review: Review) -> str:
    """A review as plain text, to be sent to somebody."""
    secret = "" if review.secret is None else f", secret {review.secret}"
    lines = [f"pegwise {review.record.rules}{secret}: {_ending(review)}", ""]
    lines += [_line(turn) for turn in review.turns]
    if review.turns:
        lines += ["", f"Luck {_bits(review.luck)}; the guesses cost {_bits(review.cost)}."]
        if not review.estimated:
            cost = float(review.cost_in_guesses)
            lines += [f"Against best play to the end they cost {cost:.2f} guesses on average."]
    if not review.consistent:
        lines += ["", "From there on the marks contradict each other."]
    return "\n".join(lines) + "\n"


def _line(turn: TurnReview) -> str:
    parts = [
        f"{turn.number}. {turn.turn.guess} {turn.turn.mark}",
        f"{turn.before:,} -> {turn.after:,} ({float(turn.played.expected):,.1f} expected)",
    ]
    if turn.best is not None and turn.cost is not None:
        cost = "" if turn.is_best else f" {turn.best.guess} (+{_bits(turn.cost)})"
        parts.append("best guess" if turn.is_best else f"best{cost}")
    return "; ".join(parts)


def _bits(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f} bits"
