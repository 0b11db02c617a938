"""pegwise: a laboratory for the game of Mastermind.

    >>> import pegwise
    >>> tree = pegwise.build("knuth", "4x6")
    >>> tree.total, tree.worst
    (5801, 5)

Wherever a game is expected, the rules of a board as text will do (`"4x6"`, `"4x10,distinct"`),
or a game in a file (`"jotto.py:jotto"`);
wherever a strategy is, its name (`"knuth"`, `"knuth:then=entropy"`), or a function of your own;
wherever turns are, text (`"AABB=XO"`). Every error is a `PegwiseError`.

Names are imported when they are first used, so that `import pegwise` takes no time.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pegwise import plugins as _plugins
from pegwise._version import __version__ as __version__

if TYPE_CHECKING:
    # the list of public names, for type checkers and for `_exports`
    from pegwise.arena.race import Race as Race
    from pegwise.arena.race import race as race
    from pegwise.arena.results import RaceResults as RaceResults
    from pegwise.coach.advice import Position as Position
    from pegwise.coach.advice import Ranking as Ranking
    from pegwise.coach.advice import rank as rank
    from pegwise.coach.parallel import ParallelPosition as ParallelPosition
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
    from pegwise.game import ParallelRecord as ParallelRecord
    from pegwise.game import Record as Record
    from pegwise.game import Rules as Rules
    from pegwise.game import Turn as Turn
    from pegwise.game import as_game as as_game
    from pegwise.game import mark as mark
    from pegwise.game import mastermind as mastermind
    from pegwise.game import parse_code as parse_code
    from pegwise.game import parse_mark as parse_mark
    from pegwise.game import read_history as read_history
    from pegwise.game import read_record as read_record
    from pegwise.game.mastermind import parallel as parallel
    from pegwise.knowledge import candidates as candidates
    from pegwise.knowledge import count as count
    from pegwise.knowledge import suspects as suspects
    from pegwise.knowledge.puzzles import Puzzle as Puzzle
    from pegwise.knowledge.puzzles import puzzle as puzzle
    from pegwise.knowledge.reasoning import reason as reason
    from pegwise.pictures.board import board_svg as board_svg
    from pegwise.pictures.report import race_report as race_report
    from pegwise.search.certificates.files import records as records
    from pegwise.search.certificates.values import GameValue as GameValue
    from pegwise.search.exact.driver import Optimum as Optimum
    from pegwise.search.exact.optimal import find_optimum as find_optimum
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
    from pegwise.trees.formats import read_tree as read_tree
    from pegwise.trees.store import load, save
    from pegwise.trees.tree import Tree as Tree
    from pegwise.trees.verify import Verification as Verification
    from pegwise.trees.verify import verify as verify

    strategy = as_strategy
    load_tree = load
    save_tree = save


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_exports())
    if name not in _exports():
        raise AttributeError(f"module 'pegwise' has no attribute {name!r}")
    value = globals()[name] = _load(*_exports()[name])
    return value


def __dir__() -> list[str]:
    return ["__version__", *_exports()]


@cache
def _exports() -> dict[str, tuple[str, str]]:
    """The module that defines each public name, and its name there, as this file imports them."""
    import ast
    from pathlib import Path

    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    exports = {
        alias.name: (str(node.module), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in block.body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Name(defined)):
                exports[name] = exports.pop(defined)
    return exports


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


_plugins.show = partial(_load, "pegwise.pictures.notebook", "show")
_plugins.losses = partial(_load, "pegwise.search.losses", "losses")
_plugins.strategies += ["pegwise.strategies", "pegwise.search.strategies"]
