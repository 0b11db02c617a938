"""Checkpoints of a search for the value of a game: killed at any moment, it goes on from the last.

A checkpoint holds the answers so far, and what the transposition table of the best response in
work knows of all but the smallest sets. A search that starts with it asks the same questions
again and finds their answers, so it ends as it would have without a break.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pegwise.errors import InputError, Phrase, TreeFileError
from pegwise.home import home
from pegwise.kernels.exact_table import U64, new_table
from pegwise.search.archive import pack, unpack
from pegwise.search.checkpoint_file import CheckpointFile, damaged, enter, entries
from pegwise.search.value import Answer, ValueProgress, ValueSearch, Weights
from pegwise.trees.store import from_bytes, to_bytes

__all__ = ["ValueCheckpoint"]

_FORMAT: Final = "pegwise value checkpoint 1"


class ValueCheckpoint(CheckpointFile[ValueSearch, ValueProgress]):
    """Keeps a search for the value of a board in a file while it runs."""

    @staticmethod
    def default_path(search: ValueSearch) -> Path:
        """A file of the board among the user's data."""
        return home() / "checkpoints" / f"{search.game.name}.value-search"

    def content(self, search: ValueSearch) -> Iterable[bytes]:
        """What has been answered, and the entries of the table in work, as an archive."""
        answers = list(search.answers.values())
        state: dict[str, Any] = {
            "format": _FORMAT,
            "rules": search.game.name,
            "answers": [{"weights": a.weights, "cost": a.cost} for a in answers],
            "positions": search.response.positions,
            "seconds": self.watch.seconds,
            "asked": search.asked,
            "table_bits": search.response.table_bits,
        }
        parts = {"state.json": json.dumps(state).encode()}
        parts |= {f"{k}.tree": to_bytes(answer.tree) for k, answer in enumerate(answers, 1)}
        table = search.response.table
        if search.asked is not None and table is not None:
            slots, rows = entries(table)
            parts |= {"slots": slots.tobytes(), "entries": rows.tobytes()}
        return [pack(parts, compressed=False)]

    def restore(self, search: ValueSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        parts = unpack(content, str(self.path))
        try:
            state = json.loads(parts["state.json"])
            if state["format"] != _FORMAT:
                raise ValueError("unknown format")
            own = state["rules"] == search.game.name
            answers = _answers(search, state, parts) if own else ()
            table = _table(state, parts) if own else None
            positions, seconds = int(state["positions"]), float(state["seconds"])
        except (KeyError, ValueError, TypeError, IndexError, TreeFileError) as error:
            raise damaged(self.path) from error
        if not own:
            raise InputError(
                "the checkpoint {path} belongs to {state}, not to {game}; name another "
                "file or remove it",
                path=repr(str(self.path)),
                state=state["rules"],
                game=search.game.name,
            )
        search.restore(answers, table, positions)
        self.watch.add(seconds)

    def done(self, search: ValueSearch) -> Phrase:
        """How many trees a search has made."""
        return Phrase("{n} trees", n=len(search.answers))


def _answers(
    search: ValueSearch, state: dict[str, Any], parts: dict[str, bytes]
) -> tuple[Answer, ...]:
    game, classes = search.game, search.classes
    answers = []
    for number, kept in enumerate(state["answers"], 1):
        tree = from_bytes(parts[f"{number}.tree"])
        weights = tuple(int(weight) for weight in kept["weights"])
        totals = classes.totals(tree)
        if tree.game.name != game.name or classes.cost(weights, totals) != kept["cost"]:
            raise ValueError("a tree does not cost what is said")
        answers.append(Answer(weights, kept["cost"], totals, tree))
    return tuple(answers)


def _table(state: dict[str, Any], parts: dict[str, bytes]) -> tuple[Weights, U64] | None:
    if state["asked"] is None or "slots" not in parts:
        return None
    table = new_table(int(state["table_bits"]))
    enter(table, parts["slots"], parts["entries"])
    return tuple(int(weight) for weight in state["asked"]), table
