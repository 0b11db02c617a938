"""pegwise: a laboratory for the game of Mastermind.

    >>> import pegwise
    >>> tree = pegwise.build("knuth", "4x6")
    >>> tree.total, tree.worst
    (5801, 5)

Wherever a game is expected, the rules of a board as text will do (`"4x6"`, `"4x10,distinct"`);
wherever a strategy is, its name (`"knuth"`, `"knuth:then=entropy"`), or a function of your own;
wherever turns are, text (`"AABB=XO"`). Every error is a `PegwiseError`.

Names are imported when they are first used, so that `import pegwise` takes no time.
"""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegwise import hooks as _hooks
from pegwise._version import __version__ as __version__

if TYPE_CHECKING:
    # the modules in which the names below are defined, also for `_homes`
    from pegwise.arena.race import Race, race
    from pegwise.coach.advice import Position, rank
    from pegwise.coach.review import review
    from pegwise.errors import (
        ContradictionError,
        InputError,
        PegwiseError,
        StrategyError,
        TooLargeError,
    )
    from pegwise.game import (
        Code,
        FiniteGame,
        Game,
        Mark,
        Record,
        Rules,
        Turn,
        mark,
        mastermind,
        parse_code,
        parse_mark,
        read_record,
    )
    from pegwise.knowledge import candidates, count, suspects
    from pegwise.pictures.board import board_svg
    from pegwise.pictures.report import race_report
    from pegwise.search.certificates import records
    from pegwise.search.exact.optimal import find_optimum
    from pegwise.search.static.search import find_static
    from pegwise.search.theory import bounds
    from pegwise.search.value import find_value
    from pegwise.strategies import Card, Strategy, cards
    from pegwise.strategies import as_strategy as strategy
    from pegwise.trees.build import build, play
    from pegwise.trees.formats import read_tree
    from pegwise.trees.store import load as load_tree
    from pegwise.trees.store import save as save_tree
    from pegwise.trees.tree import Tree
    from pegwise.trees.verify import verify

__all__ = [
    "Card",
    "Code",
    "ContradictionError",
    "FiniteGame",
    "Game",
    "InputError",
    "Mark",
    "PegwiseError",
    "Position",
    "Race",
    "Record",
    "Rules",
    "Strategy",
    "StrategyError",
    "TooLargeError",
    "Tree",
    "Turn",
    "board_svg",
    "bounds",
    "build",
    "candidates",
    "cards",
    "count",
    "find_optimum",
    "find_static",
    "find_value",
    "load_tree",
    "mark",
    "mastermind",
    "parse_code",
    "parse_mark",
    "play",
    "race",
    "race_report",
    "rank",
    "read_record",
    "read_tree",
    "records",
    "review",
    "save_tree",
    "strategy",
    "suspects",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'pegwise' has no attribute {name!r}")
    value = globals()[name] = _load(*_homes()[name])
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


@cache
def _homes() -> dict[str, tuple[str, str]]:
    """The module that defines each name, and its name there, from the imports of this file."""
    import ast

    guarded = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in ast.walk(guarded)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _load(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


_hooks.painters.update(
    {
        kind: partial(_load, "pegwise.pictures.notebook", f"show_{kind}")
        for kind in (
            *("codes", "game", "mark", "played", "position", "race", "record", "review"),
            *("split", "tree", "tree_html", "turn", "value"),
        )
    },
    code=partial(_load, "pegwise.pictures.board", "code_svg"),
    rules=partial(_load, "pegwise.pictures.board", "rules_svg"),
)
_hooks.strategies.update(
    {
        name: partial(_load, "pegwise.search.players", kind)
        for name, kind in {
            "optimal": "Optimal",
            "optimal-worst": "OptimalWorst",
            "static": "Static",
            "viaud": "Viaud",
        }.items()
    }
)
