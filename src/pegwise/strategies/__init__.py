"""Strategies: one readable module per family, and a registry of their cards."""

from pegwise.strategies.base import CandidateDecision as CandidateDecision
from pegwise.strategies.base import CandidateStrategy as CandidateStrategy
from pegwise.strategies.base import Card as Card
from pegwise.strategies.base import Decision as Decision
from pegwise.strategies.base import Nodes as Nodes
from pegwise.strategies.base import Option as Option
from pegwise.strategies.base import Strategy as Strategy
from pegwise.strategies.base import blaming as blaming
from pegwise.strategies.base import compile_tree as compile_tree
from pegwise.strategies.base import compiles as compiles
from pegwise.strategies.base import grow as grow
from pegwise.strategies.base import instead as instead
from pegwise.strategies.base import is_slow as is_slow
from pegwise.strategies.base import label as label
from pegwise.strategies.base import options_of as options_of
from pegwise.strategies.base import plays as plays
from pegwise.strategies.registry import StrategyLike as StrategyLike
from pegwise.strategies.registry import as_strategy as as_strategy
from pegwise.strategies.registry import cards as cards
from pegwise.strategies.registry import is_ours as is_ours
from pegwise.strategies.registry import load as load
from pegwise.strategies.registry import names as names
from pegwise.strategies.registry import parse as parse
