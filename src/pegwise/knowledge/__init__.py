"""What is still possible after a history, and which mark must be wrong when nothing is."""

from pegwise.knowledge.candidates import (
    candidate_set,
    candidates,
    count,
    limit_states,
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
    "Suspect",
    "candidate_set",
    "candidates",
    "check_turn",
    "count",
    "fewest_wrong",
    "limit_states",
    "listed_candidates",
    "parts",
    "possible_marks",
    "suspects",
    "wrong_turns",
]
