"""Trees: strategies played out against every secret, built, verified, stored and written."""

from pegwise.trees.build import build
from pegwise.trees.tree import Tree

__all__ = ["Tree", "build"]
