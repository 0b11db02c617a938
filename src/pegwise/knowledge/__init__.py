"""What is still possible after a history, and which mark must be wrong when nothing is."""

from pegwise.game import Turn
from pegwise.knowledge.candidates import (
    candidates,
    check_turn,
    count,
    listed_candidates,
    parts,
    possible_marks,
)
from pegwise.knowledge.counting import CandidateSet
from pegwise.knowledge.slips import Alternative, Suspect, fewest_wrong, suspects, wrong_turns

__all__ = [
    "Alternative",
    "CandidateSet",
    "Suspect",
    "Turn",
    "candidates",
    "check_turn",
    "count",
    "fewest_wrong",
    "listed_candidates",
    "parts",
    "possible_marks",
    "suspects",
    "wrong_turns",
]
