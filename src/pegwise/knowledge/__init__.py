"""What is still possible after a history, and which mark must be wrong when nothing is."""

from pegwise.knowledge.candidates import (
    CandidateSet,
    candidates,
    count,
    listed_candidates,
    parts,
)
from pegwise.knowledge.codemaker import (
    Alternative,
    Suspect,
    check_turn,
    fewest_wrong,
    possible_marks,
    suspects,
    wrong_turns,
)

__all__ = [
    "Alternative",
    "CandidateSet",
    "Suspect",
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
