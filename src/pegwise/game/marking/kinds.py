"""The markings of boards and words, by the flag of rules that asks for each."""

from __future__ import annotations

from typing import Final

from pegwise.game.marking.base import BoardMarking
from pegwise.game.marking.pegs import BlackPegs, Pegs
from pegwise.game.marking.places import Places
from pegwise.game.marking.slots import Slots

BOARD_MARKINGS: Final[dict[str, type[BoardMarking]]] = {
    kind.name: kind for kind in (Pegs, BlackPegs, Places, Slots)
}
"""Black and white pegs have no flag."""
