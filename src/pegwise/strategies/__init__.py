"""Strategies: one readable module per family, and a registry of their cards."""

from pegwise.strategies.base import (
    Adapts,
    Card,
    Compiles,
    Decision,
    Grows,
    Nodes,
    Option,
    Stored,
    Strategy,
    blaming,
    is_slow,
    label,
    options_of,
)
from pegwise.strategies.registry import StrategyLike, as_strategy, cards, load, names, parse

__all__ = [
    "Adapts",
    "Card",
    "Compiles",
    "Decision",
    "Grows",
    "Nodes",
    "Option",
    "Stored",
    "Strategy",
    "StrategyLike",
    "as_strategy",
    "blaming",
    "cards",
    "is_slow",
    "label",
    "load",
    "names",
    "options_of",
    "parse",
]
