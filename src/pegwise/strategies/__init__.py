"""Strategies: one readable module per family, and a registry of their cards."""

from pegwise.strategies.base import Decision as Decision
from pegwise.strategies.base import Strategy as Strategy
from pegwise.strategies.base import label as label
from pegwise.strategies.base import naming_the_strategy as naming_the_strategy
from pegwise.strategies.base import naming_the_turns as naming_the_turns
from pegwise.strategies.candidates import CandidateDecision as CandidateDecision
from pegwise.strategies.candidates import CandidateStrategy as CandidateStrategy
from pegwise.strategies.candidates import History as History
from pegwise.strategies.card import Card as Card
from pegwise.strategies.entrants import Entrant as Entrant
from pegwise.strategies.explanation import Explanation as Explanation
from pegwise.strategies.explanation import WeighedTable as WeighedTable
from pegwise.strategies.functions import FunctionStrategy as FunctionStrategy
from pegwise.strategies.functions import Travels as Travels
from pegwise.strategies.nodes import Nodes as Nodes
from pegwise.strategies.options import Option as Option
from pegwise.strategies.options import StrategyOption as StrategyOption
from pegwise.strategies.options import check_options as check_options
from pegwise.strategies.registry import StrategyLike as StrategyLike
from pegwise.strategies.registry import as_strategy as as_strategy
from pegwise.strategies.registry import cards as cards
from pegwise.strategies.registry import is_ours as is_ours
from pegwise.strategies.registry import load as load
from pegwise.strategies.registry import names as names
from pegwise.strategies.registry import parse as parse
from pegwise.strategies.registry import parse_any as parse_any
