"""The coach: advice for the next guess, and review of played games."""

from pegwise.coach.advice import Advice, Adviser, Ranking, best_guess, default_strategy, rank
from pegwise.coach.position import Position, Split
from pegwise.coach.review import Exact, Judge, Review, TurnReview, review, review_turn

__all__ = [
    "Advice",
    "Adviser",
    "Exact",
    "Judge",
    "Position",
    "Ranking",
    "Review",
    "Split",
    "TurnReview",
    "best_guess",
    "default_strategy",
    "rank",
    "review",
    "review_turn",
]
