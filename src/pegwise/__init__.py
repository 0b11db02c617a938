"""pegwise: a laboratory for the game of Mastermind.

    >>> import pegwise
    >>> tree = pegwise.build("4x6", "knuth")
    >>> tree.total, tree.worst
    (5801, 5)

Wherever a game is expected, the rules of a board as text will do (`"4x6"`, `"4x10,distinct"`),
or a game in a file (`"jotto.py:jotto"`);
wherever a strategy is, its name (`"knuth"`, `"knuth:then=entropy"`), or a function of your own;
wherever turns are, text (`"AABB=XO"`). Every error is a `PegwiseError`.

Names are imported when they are first used, so that `import pegwise` takes no time.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pegwise import hooks as _hooks
from pegwise._version import __version__ as __version__

if TYPE_CHECKING:
    # the public names once more, for type checkers; a test compares them with `_EXPORTS`
    from pegwise.agents.text import TextEnvironment as TextEnvironment
    from pegwise.agents.text import text_environment as text_environment
    from pegwise.arena.race import Race as Race
    from pegwise.arena.race import race as race
    from pegwise.arena.results import RaceResults as RaceResults
    from pegwise.coach.advice import Position as Position
    from pegwise.coach.advice import Ranking as Ranking
    from pegwise.coach.advice import rank as rank
    from pegwise.coach.review import Review as Review
    from pegwise.coach.review import review as review
    from pegwise.errors import ContradictionError as ContradictionError
    from pegwise.errors import InputError as InputError
    from pegwise.errors import PegwiseError as PegwiseError
    from pegwise.errors import StrategyError as StrategyError
    from pegwise.errors import TooLargeError as TooLargeError
    from pegwise.game import Code as Code
    from pegwise.game import FiniteGame as FiniteGame
    from pegwise.game import Game as Game
    from pegwise.game import Mark as Mark
    from pegwise.game import Mastermind as Mastermind
    from pegwise.game import Parallel as Parallel
    from pegwise.game import Rules as Rules
    from pegwise.game import Turn as Turn
    from pegwise.game import WordGame as WordGame
    from pegwise.game import game_of as game_of
    from pegwise.game import mark as mark
    from pegwise.game import parse_code as parse_code
    from pegwise.game.names import parallel as parallel
    from pegwise.knowledge import candidates as candidates
    from pegwise.knowledge import count as count
    from pegwise.knowledge import suspects as suspects
    from pegwise.knowledge.chances import Chances as Chances
    from pegwise.knowledge.puzzles import Puzzle as Puzzle
    from pegwise.knowledge.puzzles import puzzle as puzzle
    from pegwise.knowledge.reasoning import reason as reason
    from pegwise.pictures.board import board_svg as board_svg
    from pegwise.pictures.report import race_report as race_report
    from pegwise.playing import Record as Record
    from pegwise.playing import load_record as load_record
    from pegwise.playing import save_record as save_record
    from pegwise.reading import parse_mark as parse_mark
    from pegwise.reading import read_history as read_history
    from pegwise.search.certificates.files import load_certificate as load_certificate
    from pegwise.search.certificates.files import records as records
    from pegwise.search.certificates.files import save_certificate as save_certificate
    from pegwise.search.certificates.values import GameValue as GameValue
    from pegwise.search.exact.optimal import find_optimum as find_optimum
    from pegwise.search.exact.optimum import Optimum as Optimum
    from pegwise.search.losses import losses as losses
    from pegwise.search.static.search import find_static as find_static
    from pegwise.search.theory import bounds as bounds
    from pegwise.search.value import find_value as find_value
    from pegwise.strategies import Card as Card
    from pegwise.strategies import Strategy as Strategy
    from pegwise.strategies import as_strategy
    from pegwise.strategies import cards as cards
    from pegwise.trees.build import build as build
    from pegwise.trees.build import play as play
    from pegwise.trees.formats import load_tree as load_tree
    from pegwise.trees.formats import save_tree as save_tree
    from pegwise.trees.tree import Tree as Tree
    from pegwise.trees.verify import Verification as Verification
    from pegwise.trees.verify import verify as verify

    strategy = as_strategy


_EXPORTS: Final = {
    "Card": "pegwise.strategies",
    "Chances": "pegwise.knowledge.chances",
    "Code": "pegwise.game",
    "ContradictionError": "pegwise.errors",
    "FiniteGame": "pegwise.game",
    "Game": "pegwise.game",
    "GameValue": "pegwise.search.certificates.values",
    "InputError": "pegwise.errors",
    "Mark": "pegwise.game",
    "Mastermind": "pegwise.game",
    "Optimum": "pegwise.search.exact.optimum",
    "Parallel": "pegwise.game",
    "PegwiseError": "pegwise.errors",
    "Position": "pegwise.coach.advice",
    "Puzzle": "pegwise.knowledge.puzzles",
    "Race": "pegwise.arena.race",
    "RaceResults": "pegwise.arena.results",
    "Ranking": "pegwise.coach.advice",
    "Record": "pegwise.playing",
    "Review": "pegwise.coach.review",
    "Rules": "pegwise.game",
    "Strategy": "pegwise.strategies",
    "StrategyError": "pegwise.errors",
    "TextEnvironment": "pegwise.agents.text",
    "TooLargeError": "pegwise.errors",
    "Tree": "pegwise.trees.tree",
    "Turn": "pegwise.game",
    "Verification": "pegwise.trees.verify",
    "WordGame": "pegwise.game",
    "board_svg": "pegwise.pictures.board",
    "bounds": "pegwise.search.theory",
    "build": "pegwise.trees.build",
    "candidates": "pegwise.knowledge",
    "cards": "pegwise.strategies",
    "count": "pegwise.knowledge",
    "find_optimum": "pegwise.search.exact.optimal",
    "find_static": "pegwise.search.static.search",
    "find_value": "pegwise.search.value",
    "game_of": "pegwise.game",
    "load_certificate": "pegwise.search.certificates.files",
    "load_record": "pegwise.playing",
    "load_tree": "pegwise.trees.formats",
    "losses": "pegwise.search.losses",
    "mark": "pegwise.game",
    "parallel": "pegwise.game.names",
    "parse_code": "pegwise.game",
    "parse_mark": "pegwise.reading",
    "play": "pegwise.trees.build",
    "puzzle": "pegwise.knowledge.puzzles",
    "race": "pegwise.arena.race",
    "race_report": "pegwise.pictures.report",
    "rank": "pegwise.coach.advice",
    "read_history": "pegwise.reading",
    "reason": "pegwise.knowledge.reasoning",
    "records": "pegwise.search.certificates.files",
    "review": "pegwise.coach.review",
    "save_certificate": "pegwise.search.certificates.files",
    "save_record": "pegwise.playing",
    "save_tree": "pegwise.trees.formats",
    "strategy": "pegwise.strategies:as_strategy",
    "suspects": "pegwise.knowledge",
    "text_environment": "pegwise.agents.text",
    "verify": "pegwise.trees.verify",
}
"""The module of each public name; after a colon its name there, where that is another."""


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return list(_EXPORTS)
    if name not in _EXPORTS:
        raise AttributeError(f"module 'pegwise' has no attribute {name!r}")
    module, _, defined = _EXPORTS[name].partition(":")
    value = globals()[name] = _load(module, defined or name)
    return value


def __dir__() -> list[str]:
    return ["__version__", *_EXPORTS]


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


_hooks.show = partial(_load, "pegwise.pictures.notebook", "show")
_hooks.encode = partial(_load, "pegwise.encoder", "encoded")
_hooks.tell = partial(_load, "pegwise.telling.texts", "text_of")
_hooks.losses = partial(_load, "pegwise.search.losses", "losses")
_hooks.stored_tree = partial(_load, "pegwise.trees.stored", "TreeOfFile")
_hooks.resolvers += ["pegwise.game_files.resolve"]
_hooks.strategies += ["pegwise.strategies", "pegwise.search.strategies"]
