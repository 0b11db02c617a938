"""How guesses are answered: one class for each kind of marks. `places.py` is the one to copy."""

from pegwise.game.marking.base import BoardMarking as BoardMarking
from pegwise.game.marking.base import Marking as Marking
from pegwise.game.marking.base import SignColumns as SignColumns
from pegwise.game.marking.kinds import BOARD_MARKINGS as BOARD_MARKINGS
from pegwise.game.marking.pegs import BlackPegs as BlackPegs
from pegwise.game.marking.pegs import Pegs as Pegs
from pegwise.game.marking.places import Places as Places
from pegwise.game.marking.table import TableMarks as TableMarks
