"""Trees: strategies played out against every secret, built, verified, stored and written."""

from pegwise.trees.build import build, build_at, play
from pegwise.trees.formats import read_tree
from pegwise.trees.store import load, save
from pegwise.trees.tree import Reading, Tree
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
