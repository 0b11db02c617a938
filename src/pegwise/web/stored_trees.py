"""The trees that are kept on this machine, by ids that can stand in an address.

`built.4x6.knuth` is one that was built here, `optimal.4x6-total` one that exact search has proven
here, and `proven.4x6` one that comes with the program.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from pegwise.web.problems import NotFoundError

__all__ = ["ids", "is_kept", "path_of", "proven", "tree_id"]

_FOLDERS: Final = {"built": "trees", "optimal": "optimal"}
_ID: Final = re.compile(r"(built|optimal)\.([A-Za-z0-9=_-][A-Za-z0-9=._-]{0,150})")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9=_-]+")


def tree_id(rules: str, strategy: str) -> str:
    """The id of the tree that is built of a strategy."""
    return f"built.{_UNSAFE.sub('-', rules)}.{_UNSAFE.sub('-', strategy)}"


def path_of(home: Path, identity: str) -> Path:
    """The file of a tree, which may not be there yet.

    Raises:
        NotFoundError: this is no id of a tree.
    """
    found = _ID.fullmatch(identity)
    if found is None:
        raise NotFoundError(
            "there is no tree {identity}: /api/trees lists them", identity=repr(identity[:80])
        )
    return home / _FOLDERS[found[1]] / f"{found[2]}.tree"


@cache
def proven() -> dict[str, str]:
    """The trees that come with the program: ids, and the rules that each plays best."""
    folder = files("pegwise.search.certificates").joinpath("data", "optima")
    names = [Path(file.name) for file in folder.iterdir()] if folder.is_dir() else []
    boards = sorted((name.stem for name in names if name.suffix == ".optimum"), key=_place)
    return {f"proven.{_UNSAFE.sub('-', rules)}": rules for rules in boards}


def _place(rules: str) -> tuple[str, list[int]]:
    """Boards by their other rules, then by size."""
    board, _, flags = rules.partition(",")
    return flags, [int(number) for number in board.split("x")]


def is_kept(home: Path, identity: str) -> bool:
    """Whether there is such a tree.

    Raises:
        NotFoundError: this is no id of a tree.
    """
    return identity in proven() or path_of(home, identity).exists()


def ids(home: Path) -> list[str]:
    """All trees that are kept in files of their own."""
    found = [
        f"{kind}.{path.stem}"
        for kind, folder in _FOLDERS.items()
        for path in (home / folder).glob("*.tree")
    ]
    return sorted(identity for identity in found if _ID.fullmatch(identity))
