"""A stored or printed tree as a strategy, named by its file."""

from __future__ import annotations

from pathlib import Path

from pegwise.trees.formats import read_tree
from pegwise.trees.tree import Tree


class TreeOfFile(Tree):
    """A tree that is named by its file."""

    def __init__(self, file: Path) -> None:
        tree = read_tree(file).tree
        super().__init__(tree.game, tree.nodes, file.stem)
        self.file = file

    @property
    def typed(self) -> str:
        """The file."""
        return str(self.file)
