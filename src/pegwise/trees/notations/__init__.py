"""Trees as people print them: Viaud's lines and Irving's nested notation, read and written."""

from pegwise.trees.notations.irving import read_irving, write_irving
from pegwise.trees.notations.viaud import read_viaud, write_viaud

__all__ = ["read_irving", "read_viaud", "write_irving", "write_viaud"]
