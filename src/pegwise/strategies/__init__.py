"""Strategies: one readable module per family, and a registry of their cards."""

from pegwise.strategies.base import (
    Adapts,
    Card,
    Compiles,
    Decision,
    Grows,
    Nodes,
    Option,
    Strategy,
    label,
)
from pegwise.strategies.registry import cards, load, names, parse

__all__ = [
    "Adapts",
    "Card",
    "Compiles",
    "Decision",
    "Grows",
    "Nodes",
    "Option",
    "Strategy",
    "cards",
    "label",
    "load",
    "names",
    "parse",
]
