"""The coach: advice for the next guess, and review of played games."""

from pegwise.coach.advice import Advice as Advice
from pegwise.coach.advice import Adviser as Adviser
from pegwise.coach.advice import Position as Position
from pegwise.coach.advice import Ranking as Ranking
from pegwise.coach.advice import Split as Split
from pegwise.coach.advice import best_guess as best_guess
from pegwise.coach.advice import default_strategy as default_strategy
from pegwise.coach.advice import rank as rank
from pegwise.coach.review import Review as Review
from pegwise.coach.review import TurnReview as TurnReview
from pegwise.coach.review import hint as hint
from pegwise.coach.review import review as review
from pegwise.coach.review import weigh as weigh
