"""The one reader of what people write: text, then readings with reasons, then one or a question."""

from pegwise.game.reading.history import HistoryReader as HistoryReader
from pegwise.game.reading.history import NotedRows as NotedRows
from pegwise.game.reading.history import ToldRules as ToldRules
from pegwise.game.reading.history import check_turns as check_turns
from pegwise.game.reading.history import pairs as pairs
from pegwise.game.reading.history import parse_turn as parse_turn
from pegwise.game.reading.history import read_history as read_history
from pegwise.game.reading.history import read_rows as read_rows
from pegwise.game.reading.interpret import Interpretation as Interpretation
from pegwise.game.reading.marks import check_mark as check_mark
from pegwise.game.reading.marks import full_mark as full_mark
from pegwise.game.reading.marks import parse_mark as parse_mark
