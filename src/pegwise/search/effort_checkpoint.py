"""Checkpoints of a search for good trees: killed at any moment, it goes on from the last one.

A checkpoint holds the trees of the stages so far, what every level has found for its positions,
and the larger sets of the table of exact costs. It stays when a search has gone through its
stages, so that more of them, or more time, go on from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.errors import Phrase
from pegwise.kernels.exact_table import U64
from pegwise.search.checkpoint_file import (
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
from pegwise.search.effort import EffortProgress, EffortSearch
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

__all__ = ["EffortCheckpoint"]

_FORMAT: Final = b"pegwise effort 1\n"
_SMALLEST: Final = 40
"""Smaller sets are solved again in no time."""


def _identity(search: EffortSearch) -> dict[str, Any]:
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
        return own_path(search.game, _identity(search), "effort")

    def content(self, search: EffortSearch) -> Iterable[bytes | memoryview]:
        """What is searched, the entries of its table, what the levels remember, and the trees."""
        # first, so that what is kept besides gives at least this
        value = search.best_value()
        slots, rows = entries(search.table, _SMALLEST)
        trees = [to_bytes(tree) for tree in search.trees]
        memos = {number: _packed(memo) for number, memo in search.memos().items()}
        state = {
            "search": _identity(search),
            "positions": search.positions,
            "solved": search.solved,
            "value": value,
            "totals": [list(totals.items()) for totals in search.totals],
            "trees": [len(tree) for tree in trees],
            "memos": {number: len(memo) for number, memo in memos.items()},
            "entries": len(slots),
        }
        packed = [memo.data for memo in memos.values()]
        return signed(_FORMAT, state, slots.data, rows.data, *packed, *trees)

    def restore(self, search: EffortSearch, content: bytes) -> None:
        """Put the content of the file into a search that has not begun."""
        state, blocks = opened(self.path, content, _FORMAT)
        same_search(self.path, state["search"], _identity(search))
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
