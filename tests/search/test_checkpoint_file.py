"""Checkpoints that version 1 of each format has written are still read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pegwise.game import mastermind
from pegwise.search.beam.search import EffortSearch
from pegwise.search.checkpoint import CheckpointFile
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.resume import Checkpoint, EffortCheckpoint, StaticCheckpoint, ValueCheckpoint
from pegwise.search.static.search import StaticSearch
from pegwise.search.value import ValueSearch

KEPT = Path(__file__).parents[1] / "data" / "checkpoints"


def written_again(
    checkpoint: CheckpointFile[Any, Any], search: object, tmp_path: Path
) -> tuple[bytes, bytes]:
    """The content of a file, and that of another one that is written of the same search."""
    before = checkpoint.path.read_bytes()
    checkpoint.path = tmp_path / "again"
    checkpoint.save(search)
    return before, checkpoint.path.read_bytes()


def test_an_exact_search(tmp_path: Path) -> None:
    search = OptimalSearch(mastermind("3x9"))
    checkpoint = Checkpoint(KEPT / "3x9.search")
    assert "(400 positions)" in checkpoint.resume(search)
    assert np.count_nonzero(search.table[:, 3]) == 775
    before, after = written_again(checkpoint, search, tmp_path)
    assert before == after


def test_a_search_for_good_trees(tmp_path: Path) -> None:
    search = EffortSearch(mastermind("4x5"), stages=2)
    checkpoint = EffortCheckpoint(KEPT / "4x5.effort")
    assert "(stage 3, best 2463)" in checkpoint.resume(search)
    assert search.totals == [{}, {17: 2468, 90: 2532, 3: 2498}, {17: 2463}]
    assert len(search.memos()[1]) == 15
    before, after = written_again(checkpoint, search, tmp_path)
    assert before == after


def test_a_search_for_fixed_sets() -> None:
    search = StaticSearch(mastermind("3x8"))
    checkpoint = StaticCheckpoint(KEPT / "3x8.static")
    assert "(400669 sets tried)" in checkpoint.resume(search)
    assert search.best == (17, 102, 183, 200, 282, 324, 427)
    assert (search.lower_bound, search.refuting, search.path) == (6, 6, (0, 11, 5, 3))


def test_a_search_for_the_value() -> None:
    search = ValueSearch(mastermind("4x5"))
    assert "(1 trees)" in ValueCheckpoint(KEPT / "4x5.value-search").resume(search)
    assert [answer.cost for answer in search.answers.values()] == [2463]
    known = search.response.positions
    for _ in search:
        pass
    whole = ValueSearch(mastermind("4x5"))
    for _ in whole:
        pass
    one, other = search.result(), whole.result()
    assert one is not None
    assert other is not None
    assert one.lower == other.lower == one.upper
    assert search.answers.keys() == whole.answers.keys()
    # what the table knew of the second tree is not searched again
    assert search.response.positions - known < whole.response.positions - known
