"""The one reader of what people write: text, then readings with reasons, then one or a question."""

from pegwise.reading.history import GivenRules as GivenRules
from pegwise.reading.history import HistoryReader as HistoryReader
from pegwise.reading.history import check_turns as check_turns
from pegwise.reading.history import pairs as pairs
from pegwise.reading.history import parse_turn as parse_turn
from pegwise.reading.history import read_history as read_history
from pegwise.reading.history import read_rows as read_rows
from pegwise.reading.interpret import Interpretation as Interpretation
from pegwise.reading.marks import check_mark as check_mark
from pegwise.reading.marks import parse_mark as parse_mark
