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
from pegwise.coach.review import BestPlay, Review, Solver, TurnReview, review, review_turn

__all__ = [
    "Advice",
    "Adviser",
    "BestPlay",
    "Position",
    "Ranking",
    "Review",
    "Solver",
    "Split",
    "TurnReview",
    "best_guess",
    "default_strategy",
    "rank",
    "review",
    "review_turn",
]
