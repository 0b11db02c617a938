"""Checkpoints of an exact search: killed at any moment, it goes on from the last one.

A checkpoint holds what the transposition table knows of all but the smallest sets. A search that
starts with it goes through the same first guesses again, and finds in the table what was done.

The file: a line that names the format, a line of JSON with what is searched and how far it was,
the entries (int64 slots, then four uint64 words each), and at last a SHA-256 of all before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.arrays import U64
from pegwise.errors import InputError, Phrase, TreeFileError
from pegwise.kernels.exact.table import new_table
from pegwise.paths import home
from pegwise.search.archive import pack, unpack
from pegwise.search.beam.search import EffortProgress, EffortSearch
from pegwise.search.certificates.claims import Weights, confused
from pegwise.search.checkpoint import (
    CheckpointFile,
    damaged,
    enter,
    entries,
    fingerprint,
    opened,
    own_path,
    rows_of,
    same_search,
    signed,
)
from pegwise.search.exact.optimal import OptimalSearch, SearchProgress
from pegwise.search.static.search import StaticProgress, StaticSearch
from pegwise.search.value import Answer, ValueProgress, ValueSearch
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

_EXACT_FORMAT: Final = b"pegwise checkpoint 1\n"


def _exact_identity(search: OptimalSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: game, weights and options that change the answer."""
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "objective": search.objective,
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": search.first,
        "table_bits": search.table_bits,
    }


class Checkpoint(CheckpointFile[OptimalSearch, SearchProgress]):
    """Keeps an exact search in a file while it runs."""

    @staticmethod
    def default_path(search: OptimalSearch) -> Path:
        """A file among the user's data that only the same search uses."""
        return own_path(search.game, _exact_identity(search), "search")

    def content(self, search: OptimalSearch) -> Iterable[bytes | memoryview]:
        """What is searched, how far it was, and the entries of its table."""
        slots, rows = entries(search.table)
        state = {
            "search": _exact_identity(search),
            "limit": search.limit,
            "positions": search.positions,
            "entries": len(slots),
        }
        return signed(_EXACT_FORMAT, state, slots.data, rows.data)

    def restore(self, search: OptimalSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        state, blocks = opened(self.path, content, _EXACT_FORMAT)
        same_search(self.path, state["search"], _exact_identity(search))
        count = state["entries"]
        enter(search.table, blocks.take(8 * count), blocks.take(32 * count))
        search.limit = state["limit"]
        search.positions_before = state["positions"]

    def done(self, search: OptimalSearch) -> Phrase:
        """How many positions a search has been through."""
        return Phrase("{n} positions", n=search.positions)


# Checkpoints of a search for good trees: killed at any moment, it goes on from the last one.
#
# A checkpoint holds the trees of the stages so far, what every level has found for its positions,
# and the larger sets of the table of exact costs. It stays when a search has gone through its
# stages, so that more of them, or more time, go on from there.

_BEAM_FORMAT: Final = b"pegwise effort 1\n"
_SMALLEST: Final = 40
"""Smaller sets are solved again in no time."""


def _beam_identity(search: EffortSearch) -> dict[str, Any]:
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": search.first,
        "table_bits": len(search.table).bit_length() - 1,
    }


class EffortCheckpoint(CheckpointFile[EffortSearch, EffortProgress]):
    """Keeps a search for good trees in a file while it runs, and afterwards."""

    @staticmethod
    def default_path(search: EffortSearch) -> Path:
        """A file among the user's data that only the same search uses."""
        return own_path(search.game, _beam_identity(search), "effort")

    def content(self, search: EffortSearch) -> Iterable[bytes | memoryview]:
        """What is searched, the entries of its table, what the levels remember, and the trees."""
        # first, so that what is kept besides gives at least this
        value = search.best_value()
        slots, rows = entries(search.table, _SMALLEST)
        trees = [to_bytes(tree) for tree in search.trees]
        memos = {number: _packed(memo) for number, memo in search.memos().items()}
        state = {
            "search": _beam_identity(search),
            "positions": search.positions,
            "solved": search.solved,
            "value": value,
            "totals": [list(totals.items()) for totals in search.totals],
            "trees": [len(tree) for tree in trees],
            "memos": {number: len(memo) for number, memo in memos.items()},
            "entries": len(slots),
        }
        packed = [memo.data for memo in memos.values()]
        return signed(_BEAM_FORMAT, state, slots.data, rows.data, *packed, *trees)

    def restore(self, search: EffortSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        state, blocks = opened(self.path, content, _BEAM_FORMAT)
        same_search(self.path, state["search"], _beam_identity(search))
        count = state["entries"]
        slots, rows = blocks.take(8 * count), blocks.take(32 * count)
        memos = {
            int(number): _unpacked(rows_of(blocks.take(32 * length)))
            for number, length in state["memos"].items()
        }
        trees = [from_bytes(bytes(blocks.take(length)), "checkpoint") for length in state["trees"]]
        if not trees or not verify(trees[-1]).valid:
            raise damaged(self.path)
        enter(search.table, slots, rows)
        totals = [{int(guess): int(total) for guess, total in pairs} for pairs in state["totals"]]
        search.restore(
            trees,
            totals,
            memos,
            solved=state["solved"],
            positions=state["positions"],
            value=state["value"],
        )

    def done(self, search: EffortSearch) -> Phrase:
        """At which stage a search is, and the best it has."""
        return Phrase("stage {stage}, best {best}", stage=search.stage, best=search.best_value())

    def leave(self, search: EffortSearch) -> None:
        """Keep a search that has ended too: more stages go on from there."""
        if search.trees:
            self.save(search)


def _packed(memo: dict[int, tuple[int, int]]) -> U64:
    """uint64 (n, 4): both words of the keys, costs, and guesses plus one."""
    low = (1 << 64) - 1
    rows = [(key >> 64, key & low, cost, guess + 1) for key, (cost, guess) in list(memo.items())]
    return np.array(rows, np.uint64).reshape(len(rows), 4)


def _unpacked(rows: U64) -> dict[int, tuple[int, int]]:
    return {first << 64 | second: (cost, guess - 1) for first, second, cost, guess in rows.tolist()}


# Checkpoints of a search for fixed sets: killed at any moment, it goes on from the last one.
#
# Which tasks there are is always the same, so a checkpoint is small: the best set, the bound, and
# where in the tree the first task stands that is not refuted. It is a JSON file that holds a digest
# of its own content.

_STATIC_FORMAT: Final = "pegwise static checkpoint 1"
"""It changes with the order of the search tree too: paths of another tree mean nothing."""


def _static_identity(search: StaticSearch) -> dict[str, Any]:
    """What a checkpoint must agree with: the game, and what is asked."""
    return {
        "game": search.game.name,
        "marks": fingerprint(search.game),
        "guesses": search.asked,
        "seed": search.seed,
    }


class StaticCheckpoint(CheckpointFile[StaticSearch, StaticProgress]):
    """Keeps a search for fixed sets in a file while it runs."""

    @staticmethod
    def default_path(search: StaticSearch) -> Path:
        """A file among the user's data that only the same search uses."""
        return own_path(search.game, _static_identity(search), "static")

    def content(self, search: StaticSearch) -> Iterable[bytes]:
        """What is searched, how far it was, and a digest of both."""
        state = _state(search, self.watch.seconds)
        return [json.dumps({**state, "sha256": _digest(state)}).encode()]

    def restore(self, search: StaticSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        try:
            state = json.loads(content)
            sound = state.pop("sha256") == _digest(state) and state["format"] == _STATIC_FORMAT
            sound = sound and state.keys() == _state(search, 0.0).keys()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise damaged(self.path)
        same_search(self.path, state["search"], _static_identity(search))
        if state["best"] is not None and confused(search.game, state["best"]) is None:
            search.best = tuple(state["best"])
        search.lower_bound = state["lower_bound"]
        search.refuting = state["refuting"]
        search.path = tuple(state["path"])
        search.positions = state["positions"]
        self.watch.add(state["seconds"])

    def done(self, search: StaticSearch) -> Phrase:
        """How many sets a search has tried."""
        return Phrase("{n} sets tried", n=search.positions)


def _state(search: StaticSearch, seconds: float) -> dict[str, Any]:
    """What is kept of a search."""
    return {
        "format": _STATIC_FORMAT,
        "search": _static_identity(search),
        "best": None if search.best is None else list(search.best),
        "lower_bound": search.lower_bound,
        "refuting": search.refuting,
        "path": list(search.path),
        "positions": search.positions,
        "seconds": round(seconds, 2),
    }


def _digest(state: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()


# Checkpoints of a search for the value of a game: killed at any moment, it goes on from the last.
#
# A checkpoint holds the answers so far, and what the transposition table of the best response in
# work knows of all but the smallest sets. A search that starts with it asks the same questions
# again and finds their answers, so it ends as it would have without a break.

_VALUE_FORMAT: Final = "pegwise value checkpoint 1"


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
            "format": _VALUE_FORMAT,
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
            if state["format"] != _VALUE_FORMAT:
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
        answer = Answer.of(weights, tree, classes)
        if tree.game.name != game.name or answer.cost != kept["cost"]:
            raise ValueError("a tree does not cost what is said")
        answers.append(answer)
    return tuple(answers)


def _table(state: dict[str, Any], parts: dict[str, bytes]) -> tuple[Weights, U64] | None:
    if state["asked"] is None or "slots" not in parts:
        return None
    table = new_table(int(state["table_bits"]))
    enter(table, parts["slots"], parts["entries"])
    return tuple(int(weight) for weight in state["asked"]), table
