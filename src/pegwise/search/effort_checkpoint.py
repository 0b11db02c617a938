"""Checkpoints of a search for good trees: killed at any moment, it goes on from the last one.

A checkpoint holds the trees of the stages so far, what every level has found for its positions,
and the larger sets of the table of exact costs. It stays when a search has gone through its
stages, so that more of them, or more time, go on from there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.errors import Phrase
from pegwise.search.checkpoint_file import (
    EVERY,
    damaged,
    entries,
    fingerprint,
    keep,
    opened,
    own_path,
    read,
    resumed,
    same_search,
    signed,
)
from pegwise.search.effort import EffortProgress, EffortSearch
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

__all__ = ["EffortCheckpoint", "effort_path", "resume_effort", "search_keeping"]

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


def effort_path(search: EffortSearch) -> Path:
    """A file among the user's data that only the same search uses."""
    return own_path(search.game, _identity(search), "effort")


class EffortCheckpoint:
    """Keeps a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.
    """

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every

    def save(self, search: EffortSearch) -> None:
        """Write the state of a search; the file is replaced as a whole.

        Raises:
            OutputError: the file cannot be written.
        """
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
        blocks: list[Any] = [slots.data, rows.data, *packed, *trees]
        keep(self.path, signed(_FORMAT, state, *blocks))

    def load(self, search: EffortSearch) -> bool:
        """Put a kept state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged; it is left as it is.
            InputError: it belongs to another search.
        """
        content = read(self.path)
        if content is None:
            return False
        state, body, start = opened(self.path, content, _FORMAT)
        same_search(self.path, state["search"], _identity(search))
        count = state["entries"]
        slots = np.frombuffer(body, np.int64, count, start)
        start += 8 * count
        rows = np.frombuffer(body, np.uint64, 4 * count, start).reshape(count, 4)
        start += 32 * count
        memos: dict[int, dict[int, tuple[int, int]]] = {}
        for number, length in state["memos"].items():
            packed = np.frombuffer(body, np.uint64, 4 * length, start).reshape(length, 4)
            memos[int(number)] = _unpacked(packed)
            start += 32 * length
        trees = []
        for length in state["trees"]:
            trees.append(from_bytes(body[start : start + length], "checkpoint"))
            start += length
        if not trees or not verify(trees[-1]).valid:
            raise damaged(self.path)
        search.table[slots] = rows
        totals = [{int(guess): int(total) for guess, total in pairs} for pairs in state["totals"]]
        search.restore(
            trees,
            totals,
            memos,
            solved=state["solved"],
            positions=state["positions"],
            value=state["value"],
        )
        return True


def _packed(memo: dict[int, tuple[int, int]]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """uint64 (n, 4): both words of the keys, costs, and guesses plus one."""
    low = (1 << 64) - 1
    rows = [(key >> 64, key & low, cost, guess + 1) for key, (cost, guess) in list(memo.items())]
    return np.array(rows, np.uint64).reshape(len(rows), 4)


def _unpacked(rows: np.ndarray[Any, np.dtype[np.uint64]]) -> dict[int, tuple[int, int]]:
    return {first << 64 | second: (cost, guess - 1) for first, second, cost, guess in rows.tolist()}


def resume_effort(search: EffortSearch, checkpoint: EffortCheckpoint) -> Phrase:
    """Put what a checkpoint knows into a search; a sentence on what happened, or "".

    Raises:
        InputError: the checkpoint belongs to another search.
        DataFileError: it cannot be read.
    """
    return resumed(
        search,
        checkpoint,
        lambda: Phrase("stage {stage}, best {best}", stage=search.stage, best=search.best_value()),
    )


def search_keeping(search: EffortSearch, checkpoint: EffortCheckpoint) -> Iterator[EffortProgress]:
    """Run a search, keeping it in a file now and then, and when it is left or has ended."""
    last = time.monotonic()
    steps = iter(search)
    try:
        for step in steps:
            yield step
            if time.monotonic() - last >= checkpoint.every:
                checkpoint.save(search)
                last = time.monotonic()
    finally:
        steps.close()  # type: ignore[attr-defined]
        if search.trees:
            checkpoint.save(search)
