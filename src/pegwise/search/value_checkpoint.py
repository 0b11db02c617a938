"""Checkpoints of a search for the value of a game: killed at any moment, it goes on from the last.

A checkpoint holds the answers so far, and what the transposition table of the best response in
work knows of all but the smallest sets. A search that starts with it asks the same questions
again and finds their answers, so it ends as it would have without a break.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.errors import DataFileError, InputError, TreeFileError
from pegwise.game import Game, Mastermind
from pegwise.home import home
from pegwise.kernels.exact_table import U64, new_table
from pegwise.search.archive import pack, read_parts
from pegwise.search.checkpoint_file import EVERY, Stopwatch, damaged, entries, keep, kept_while
from pegwise.search.value import Answer, ValueProgress, ValueSearch, Weights
from pegwise.search.value_classes import classes_of
from pegwise.trees.store import from_bytes, to_bytes

__all__ = ["ValueCheckpoint", "value_search_with_checkpoint"]

_FORMAT: Final = "pegwise value checkpoint 1"


class ValueCheckpoint:
    """Keeps a search for the value of a board in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self.watch = Stopwatch()

    @classmethod
    def default(cls, game: Mastermind) -> ValueCheckpoint:
        """A file among the user's data."""
        return cls(home() / "checkpoints" / f"{game.name}.value-search")

    def save(self, search: ValueSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
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
        keep(self.path, [pack(parts, compressed=False)])

    def load(self, game: Game, *, threads: int = 1) -> ValueSearch | None:
        """A search that goes on from the file; None when there is none.

        Raises:
            DataFileError: the file is damaged; it is left as it is.
            InputError: it belongs to another board.
        """
        if not self.path.exists():
            return None
        parts = read_parts(self.path)
        try:
            state = json.loads(parts["state.json"])
            if state["format"] != _FORMAT:
                raise ValueError("unknown format")
            if state["rules"] != game.name:
                raise InputError(
                    "the checkpoint {path} belongs to {state}, not to {game}; name another "
                    "file or remove it",
                    path=repr(str(self.path)),
                    state=state["rules"],
                    game=game.name,
                )
            search = ValueSearch(
                game,
                threads=threads,
                known=_answers(game, state, parts),
                table=_table(state, parts),
            )
            search.response.positions = int(state["positions"])
            self.watch.add(float(state["seconds"]))
        except (KeyError, ValueError, TypeError, IndexError, TreeFileError) as error:
            if isinstance(error, InputError) and not isinstance(error, DataFileError):
                raise
            raise damaged(self.path) from error
        return search


def _answers(game: Game, state: dict[str, Any], parts: dict[str, bytes]) -> tuple[Answer, ...]:
    classes = classes_of(game)
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
    slots = np.frombuffer(parts["slots"], np.int64)
    table[slots] = np.frombuffer(parts["entries"], np.uint64).reshape(-1, 4)
    return tuple(int(weight) for weight in state["asked"]), table


def value_search_with_checkpoint(
    search: ValueSearch, checkpoint: ValueCheckpoint
) -> Iterator[ValueProgress]:
    """Run a search, keeping it in a file now and then, and when it is left early.

    The file goes when the search ends.
    """
    return kept_while(search, lambda: checkpoint.save(search), checkpoint.path, checkpoint.every)
