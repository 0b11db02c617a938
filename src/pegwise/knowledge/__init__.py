"""Candidates after a history, and the mark that must be wrong where there is none."""

from pegwise.knowledge.candidates import PositionValue as PositionValue
from pegwise.knowledge.candidates import candidate_set as candidate_set
from pegwise.knowledge.candidates import candidates as candidates
from pegwise.knowledge.candidates import count as count
from pegwise.knowledge.candidates import limit_states as limit_states
from pegwise.knowledge.candidates import listed_candidates as listed_candidates
from pegwise.knowledge.candidates import parts as parts
from pegwise.knowledge.candidates import weighed_parts as weighed_parts
from pegwise.knowledge.candidates import weight as weight
from pegwise.knowledge.codemaker import Alternative as Alternative
from pegwise.knowledge.codemaker import Suspect as Suspect
from pegwise.knowledge.codemaker import check_turn as check_turn
from pegwise.knowledge.codemaker import fewest_wrong as fewest_wrong
from pegwise.knowledge.codemaker import possible_marks as possible_marks
from pegwise.knowledge.codemaker import suspects as suspects
from pegwise.knowledge.codemaker import wrong_turns as wrong_turns
