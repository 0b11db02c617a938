"""pegwise: a laboratory for the game of Mastermind.

    >>> import pegwise
    >>> tree = pegwise.build("knuth", "4x6")
    >>> tree.total, tree.worst
    (5801, 5)

Wherever a game is wanted, the rules of a board as text will do (`"4x6"`, `"4x10,distinct"`);
wherever a strategy is, its name (`"knuth"`, `"knuth:then=entropy"`), or a function of your own;
wherever turns are, text (`"AABB=XO"`). Every error is a `PegwiseError`.

Names are imported when they are first used, so that `import pegwise` takes no time.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pegwise import hooks as _hooks
from pegwise._version import __version__ as __version__

if TYPE_CHECKING:
    # from where they are defined: beside `arena.race` the module, mypy loses the function
    from pegwise.arena.race import Race, race
    from pegwise.coach.advice import rank
    from pegwise.coach.position import Position
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
    from pegwise.pictures import board_svg
    from pegwise.pictures.report import race_report
    from pegwise.search.certificates.trees import record_rows as records
    from pegwise.search.exact.optimal import find_optimum
    from pegwise.search.static.search import find_static
    from pegwise.search.theory import bounds
    from pegwise.search.value.search import find_value
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

# the modules in which names live; `name=there` where it is called otherwise
_MODULES = {
    "arena": "Race race",
    "coach": "Position rank review",
    "errors": "ContradictionError InputError PegwiseError StrategyError TooLargeError",
    "game": "Code FiniteGame Game Mark Record Rules Turn "
    "mark mastermind parse_code parse_mark read_record",
    "knowledge": "candidates count suspects",
    "pictures": "board_svg",
    "pictures.report": "race_report",
    "search.theory": "bounds",
    "search.exact.optimal": "find_optimum",
    "search.certificates.trees": "records=record_rows",
    "search.static.search": "find_static",
    "search.value.search": "find_value",
    "strategies": "Card Strategy cards strategy=as_strategy",
    "trees": "Tree build load_tree=load play read_tree save_tree=save verify",
}
_HOMES = {
    name: (module, there or name)
    for module, names in _MODULES.items()
    for name, _, there in (word.partition("=") for word in names.split())
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pegwise' has no attribute {name!r}")
    module, there = _HOMES[name]
    found = getattr(importlib.import_module(f"pegwise.{module}"), there)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _paint(kind: str, thing: Any) -> str | None:
    """Draw an object for a notebook; what draws it is imported when it is first needed."""
    if kind in {"code", "rules"}:
        from pegwise.pictures import board

        return board.code_svg(thing) if kind == "code" else board.rules_svg(thing)
    from pegwise.pictures import notebook

    painter: Callable[[Any], str | None] = getattr(notebook, _SHOWN[kind])
    return painter(thing)


_SHOWN = {
    "codes": "show_codes",
    "game": "show_game",
    "mark": "show_mark",
    "played": "show_played",
    "position": "show_position",
    "race": "show_race",
    "record": "show_record",
    "review": "show_review",
    "split": "show_split",
    "tree": "show_tree_html",
    "tree-svg": "show_tree",
    "turn": "show_turn",
    "value": "show_value",
}


def _strategy(name: str) -> Any:
    """Import a strategy that plays what search has proven."""
    from pegwise.search import players

    return getattr(players, name)


_hooks.painters.update({kind: partial(_paint, kind) for kind in ["code", "rules", *_SHOWN]})
_hooks.strategies.update(
    {
        "optimal": partial(_strategy, "Optimal"),
        "optimal-worst": partial(_strategy, "OptimalWorst"),
        "static": partial(_strategy, "Static"),
        "viaud": partial(_strategy, "Viaud"),
    }
)
