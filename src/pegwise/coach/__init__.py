"""The coach: advice for the next guess, and review of played games."""

from pegwise.coach.advice import (
    Advice,
    Adviser,
    Position,
    Ranking,
    Split,
    best_guess,
    default_strategy,
    rank,
)
from pegwise.coach.choice import VERDICTS, BestPlay, Choice, Solver, hint, weigh
from pegwise.coach.review import Review, TurnReview, review, review_turn

__all__ = [
    "VERDICTS",
    "Advice",
    "Adviser",
    "BestPlay",
    "Choice",
    "Position",
    "Ranking",
    "Review",
    "Solver",
    "Split",
    "TurnReview",
    "best_guess",
    "default_strategy",
    "hint",
    "rank",
    "review",
    "review_turn",
    "weigh",
]
