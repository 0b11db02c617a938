"""Searches that are killed, and checkpoints that are damaged or foreign."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pegwise.errors import DataFileError, InputError
from pegwise.game import Mastermind, Rules, mastermind
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.resume import Checkpoint
from tests.search.damage import damage


def kept(path: Path, rules: str = "3x10", **options: object) -> OptimalSearch:
    """A search that was stopped half-way, with a checkpoint."""
    search = OptimalSearch(mastermind(rules), **options)  # type: ignore[arg-type]
    steps = Checkpoint(path).run(search)
    for _ in range(3):
        next(steps)
    steps.close()
    assert not search.finished
    return search


def test_resumed_search_ends_alike_with_less_work(tmp_path: Path) -> None:
    path = tmp_path / "a.search"
    half = kept(path)
    again = OptimalSearch(mastermind("3x10"))
    said = Checkpoint(path).resume(again)
    assert f"{half.positions} positions" in said
    assert again.positions == half.positions
    for _ in Checkpoint(path).run(again):
        pass
    whole = OptimalSearch(mastermind("3x10"))
    for _ in whole:
        pass
    ended, expected = again.result(), whole.result()
    assert ended.proven
    assert ended.tree is not None
    assert expected.tree is not None
    assert ended.tree.total == 5242
    for mine, theirs in zip(ended.tree.nodes, expected.tree.nodes, strict=True):
        assert np.array_equal(mine, theirs)
    # what was done before is not done again, but for a little
    assert again.positions - half.positions < whole.positions - half.positions // 2
    assert not path.exists()


def test_limits_already_refuted_are_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "a.search"
    search = OptimalSearch(mastermind("3x8"), objective="worst-total")
    search.limit = 4
    Checkpoint(path).save(search)
    again = OptimalSearch(mastermind("3x8"), objective="worst-total")
    assert Checkpoint(path).load(again)
    assert again.limit == 4


@pytest.mark.parametrize("where", [0, 25, 200, -1, -40, "cut"])
def test_damaged_checkpoint_is_set_aside(tmp_path: Path, where: int | str) -> None:
    path = tmp_path / "a.search"
    kept(path)
    content = damage(path, where)
    fresh = OptimalSearch(mastermind("3x10"))
    with pytest.raises(DataFileError, match="damaged"):
        Checkpoint(path).load(fresh)
    said = Checkpoint(path).resume(fresh)
    assert "damaged" in said
    assert "a.search.damaged" in said
    assert (tmp_path / "a.search.damaged").read_bytes() == content
    assert not path.exists()
    assert fresh.positions == 0
    assert not fresh.table.any()


def test_second_damaged_checkpoint_does_not_replace_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.search"
    for text in ("one", "two"):
        path.write_text(text)
        Checkpoint(path).resume(OptimalSearch(mastermind("3x3")))
    assert (tmp_path / "a.search.damaged").read_text() == "one"
    assert (tmp_path / "a.search.damaged-2").read_text() == "two"


@pytest.mark.parametrize(
    ("rules", "options", "word"),
    [
        ("3x9", {}, "3x10"),
        ("3x10", {"max_guesses": 7}, "max_guesses"),
        ("3x10", {"objective": "worst-total"}, "objective"),
        ("3x10", {"guesses": "candidates"}, "guesses"),
        ("3x10", {"first": 5}, "first"),
    ],
)
def test_checkpoint_of_another_search_is_refused(
    tmp_path: Path, rules: str, options: dict[str, object], word: str
) -> None:
    path = tmp_path / "a.search"
    kept(path)
    before = path.read_bytes()
    other = OptimalSearch(mastermind(rules), **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=word):
        Checkpoint(path).resume(other)
    assert path.read_bytes() == before


def test_checkpoint_of_other_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.search"
    kept(path)
    other = OptimalSearch(Mastermind(Rules(3, 10), [1] * 999 + [2]))
    with pytest.raises(InputError, match="weights"):
        Checkpoint(path).resume(other)


def test_each_search_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    paths = {
        Checkpoint.default_path(OptimalSearch(mastermind("3x4"), max_guesses=most))
        for most in (None, 4, 5)
    }
    assert len(paths) == 3
    assert all(tmp_path in path.parents for path in paths)


@pytest.mark.slow
def test_killed_search_goes_on(tmp_path: Path) -> None:
    """kill -9 in the middle; the same command ends with the known total."""
    environment = {**os.environ, "PEGWISE_HOME": str(tmp_path)}
    program = (
        "import sys, pathlib\n"
        "from pegwise.game import mastermind\n"
        "from pegwise.search.resume import *\n"
        "from pegwise.search.exact.optimal import OptimalSearch\n"
        "search = OptimalSearch(mastermind('4x8'))\n"
        "keep = Checkpoint(pathlib.Path(sys.argv[1]), every=0.2)\n"
        "keep.resume(search)\n"
        "begun = search.positions\n"
        "for _ in keep.run(search): pass\n"
        "print(begun, search.positions, search.result().tree.total)\n"
    )
    path = tmp_path / "a.search"
    command = [sys.executable, "-c", program, str(path)]
    first = subprocess.Popen(command, env=environment)
    while not path.exists():
        time.sleep(0.05)
        assert first.poll() is None
    time.sleep(0.3)
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    begun, _ended, total = (int(word) for word in second.stdout.split())
    assert begun > 0
    assert total == 20471
