"""The best trees known of boards whose optimum is not proven, and their check.

A certificate is a tree, which comes with the program, and a row of `best.json` that says how it
was found. The check plays the tree against every secret by the plain definition of marking; that
there is none better, nobody claims.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pegwise.errors import DataFileError, Phrase
from pegwise.game import Rules
from pegwise.search.published import published_total
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes
from pegwise.trees.verify import verify

__all__ = ["BestKnown", "best_rows", "check_best", "check_best_rows"]

_FOLDER: Final = "best"


@dataclass(frozen=True)
class BestKnown:
    """A tree that is not known to be best.

    Attributes:
        rules: the board.
        tree: the tree.
        lower_bound: no tree has a smaller total, proven.
        command: what finds it again.
        seconds: processor time that it took.
        megabytes: most memory that the program took.
        date: when, as YYYY-MM-DD.
        program: the version that found it.
    """

    rules: Rules
    tree: Tree
    lower_bound: int
    command: str
    seconds: float
    megabytes: int
    date: str
    program: str

    @property
    def standing(self) -> str:
        """`improves` or `confirms` with the best total published, or `new`."""
        row = published_total(self.rules)
        if row is None:
            return "new"
        if row.value == self.tree.total:
            return f"confirms {row.source}"
        return f"improves {row.value}, {row.source}"

    def document(self) -> dict[str, Any]:
        """The row as a JSON document."""
        tree = self.tree
        return {
            "rules": str(self.rules),
            "total": tree.total,
            "mean": tree.mean,
            "worst": tree.worst,
            "lower_bound": self.lower_bound,
            "first": str(tree.game.guess(int(tree.nodes.guess[0]))),
            "proven": False,
            "command": self.command,
            "seconds": self.seconds,
            "megabytes": self.megabytes,
            "date": self.date,
            "program": self.program,
            "standing": self.standing,
        }


@cache
def _rows() -> tuple[BestKnown, ...]:
    folder = files("pegwise.search").joinpath(_FOLDER)
    rows = []
    for row in json.loads(folder.joinpath("best.json").read_text(encoding="utf-8")):
        rules = Rules.parse(row["rules"])
        name = f"{rules}.tree"
        tree = from_bytes(folder.joinpath(name).read_bytes(), name)
        if tree.game.name != str(rules) or tree.total != row["total"]:
            raise DataFileError("{name} is not the tree that best.json tells of", name=repr(name))
        rows.append(
            BestKnown(
                rules,
                tree,
                int(row["lower_bound"]),
                str(row["command"]),
                float(row["seconds"]),
                int(row["megabytes"]),
                str(row["date"]),
                str(row["program"]),
            )
        )
    return tuple(rows)


def best_rows() -> tuple[BestKnown, ...]:
    """All trees of this kind that come with the program.

    Raises:
        DataFileError: one is damaged.
    """
    return _rows()


def check_best(row: BestKnown) -> list[str | Phrase]:
    """Play a tree by the plain marking: what is wrong, a sentence each."""
    played = verify(row.tree)
    problems: list[str | Phrase] = list(played.problems[:1])
    if played.total != row.tree.total:
        problems.append(
            Phrase("plays {played}, not {said}", played=played.total, said=row.tree.total)
        )
    return problems


def check_best_rows() -> Iterator[tuple[Rules, list[str | Phrase]]]:
    """Check every tree of this kind that comes with the program."""
    for row in best_rows():
        yield row.rules, check_best(row)
