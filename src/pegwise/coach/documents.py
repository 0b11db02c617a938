"""Reviews as JSON."""

from __future__ import annotations

from typing import Any

from pegwise.coach.position import Split
from pegwise.coach.review import Review, TurnReview

__all__ = ["to_document"]


def to_document(review: Review) -> dict[str, Any]:
    """A review as JSON; turns are counted from 1, codes and marks are written as on paper."""
    record = review.record
    return {
        "rules": str(record.rules),
        "codebreaker": record.codebreaker,
        "codemaker": record.codemaker,
        "result": record.result,
        "secret": None if review.secret is None else str(review.secret),
        "criterion": review.criterion,
        "guesses": review.guesses,
        "estimated": review.estimated,
        "turns": [_turn(turn) for turn in review.turns],
        "luck": review.luck,
        "cost": review.cost,
        "cost_in_guesses": None if review.estimated else float(review.cost_in_guesses),
        "consistent": review.consistent,
        "suspects": [
            {
                "turn": suspect.turn + 1,
                "mark": str(suspect.mark),
                "instead": [
                    {"mark": str(other.mark), "count": other.count} for other in suspect.instead
                ],
            }
            for suspect in review.suspects
        ],
        "wrong": [{"turn": number + 1, "mark": str(mark)} for number, mark in review.wrong],
    }


def _turn(turn: TurnReview) -> dict[str, Any]:
    best = None
    if turn.best is not None:
        best = {"guess": str(turn.best.guess), **_split(turn.best)}
    return {
        "turn": turn.number,
        "guess": str(turn.turn.guess),
        "mark": str(turn.turn.mark),
        "before": turn.before,
        "after": turn.after,
        "bits": turn.bits,
        **_split(turn.played),
        "luck": turn.luck,
        "best": best,
        "cost": turn.cost,
        "cost_in_codes": None if turn.cost_in_codes is None else float(turn.cost_in_codes),
        "exact": _exact(turn),
    }


def _exact(turn: TurnReview) -> dict[str, Any] | None:
    """Guesses on average from this turn on, by best play and after the player's own guess."""
    exact, cost = turn.exact, turn.cost_in_guesses
    if exact is None:
        return None
    return {
        "guess": str(exact.guess),
        "guesses": exact.total / turn.before,
        "played": None if exact.played is None else exact.played / turn.before,
        "cost": None if cost is None else float(cost),
    }


def _split(split: Split) -> dict[str, Any]:
    return {
        "expected": float(split.expected),
        "expected_bits": split.bits,
        "could_win": split.possible,
    }
