"""Trees: strategies played out against every secret, built, verified, stored and written."""

from pegwise.trees.build import build, play
from pegwise.trees.formats import read_tree
from pegwise.trees.notations.printed import Reading
from pegwise.trees.spread import build_at
from pegwise.trees.store import load, save
from pegwise.trees.tree import Tree
from pegwise.trees.verify import Verification, verify

__all__ = [
    "Reading",
    "Tree",
    "Verification",
    "build",
    "build_at",
    "load",
    "play",
    "read_tree",
    "save",
    "verify",
]
