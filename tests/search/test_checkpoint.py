"""Checkpoints of all long searches: resumed, damaged, foreign, killed, of an earlier version."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegwise.compute import Serial
from pegwise.errors import DataFileError, InputError, OutputError
from pegwise.game import FiniteGame, Mastermind, Rules, mastermind
from pegwise.search.beam.search import BeamSearch
from pegwise.search.checkpoint import (
    BeamCheckpoint,
    Checkpoint,
    ExactCheckpoint,
    StaticCheckpoint,
    ValueCheckpoint,
)
from pegwise.search.exact import spread
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.static.search import StaticSearch
from pegwise.search.value import ValueSearch
from tests.trees.wandering import same_nodes

STORED = Path(__file__).parents[1] / "data" / "checkpoints"


KINDS: dict[str, tuple[type[Checkpoint[Any, Any]], type[Any]]] = {
    "exact": (ExactCheckpoint, OptimalSearch),
    "beam": (BeamCheckpoint, BeamSearch),
    "static": (StaticCheckpoint, StaticSearch),
    "value": (ValueCheckpoint, ValueSearch),
}
FOREIGN: dict[str, list[tuple[str, dict[str, Any], str]]] = {
    "exact": [
        ("3x5", {}, "3x4"),
        ("3x4", {"max_guesses": 7}, "max_guesses"),
        ("3x4", {"objective": "worst-total"}, "objective"),
        ("3x4", {"guesses": "candidates"}, "guesses"),
        ("3x4", {"first": 5}, "first"),
    ],
    "beam": [("3x5", {}, "3x4"), ("3x4", {"max_guesses": 5}, "max_guesses")],
    "static": [
        ("3x5", {}, "3x4"),
        ("3x4", {"guesses": 3}, "guesses"),
        ("3x4", {"seed": 1}, "seed"),
    ],
    "value": [("3x5", {}, "3x4")],
}


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The file of a search that was left after some steps, of each kind."""
    path = tmp_path_factory.mktemp("checkpoints") / "a"
    files = {}
    for name, (checkpoint, kind) in KINDS.items():
        search = kind(mastermind("3x4"))
        next(steps := iter(search))
        steps.close()
        checkpoint(path).save(search)
        files[name] = path.read_bytes()
    return files


@pytest.mark.parametrize("where", [0, 25, 200, -1, -40, "cut", "empty"])
@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_file_is_set_aside(
    tmp_path: Path, name: str, where: int | str, contents: dict[str, bytes]
) -> None:
    (checkpoint, kind), path = KINDS[name], tmp_path / "a"
    content = bytearray(contents[name])
    if isinstance(where, int):
        content[where] ^= 1
    else:
        del content[0 if where == "empty" else len(content) // 2 :]
    path.write_bytes(content)
    search = kind(mastermind("3x4"))
    untouched = checkpoint(tmp_path / "before")
    untouched.save(search)
    with pytest.raises(DataFileError, match="damaged"):
        checkpoint(path).load(search)
    for aside in ("a.damaged", "a.damaged-2"):
        assert f"damaged; it is kept as '{aside}'" in checkpoint(path).resume(search)
        assert (tmp_path / aside).read_bytes() == content
        assert not path.exists()
        path.write_bytes(content)
    state, _ = checkpoint(path).contents(search)
    before, _ = untouched.read(untouched.path.read_bytes())
    assert state.get("positions") == before.get("positions")
    table = getattr(search, "table", None)
    assert table is None or not table.any()


@pytest.mark.parametrize("name", KINDS)
def test_the_file_of_another_search_is_refused(
    tmp_path: Path, name: str, contents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    (checkpoint, kind), path = KINDS[name], tmp_path / "a"
    path.write_bytes(contents[name])
    paths = {checkpoint.default_path(kind(mastermind("3x4")))}
    for rules, options, word in FOREIGN[name]:
        search = kind(mastermind(rules), **options)
        with pytest.raises(InputError, match=f"another search .*{word}"):
            checkpoint(path).resume(search)
        paths.add(checkpoint.default_path(search))
    assert path.read_bytes() == contents[name]
    # each search has its own file
    assert len(paths) == 1 + len(FOREIGN[name])
    assert all(tmp_path in path.parents for path in paths)


def test_games_of_one_name_are_told_apart(tmp_path: Path, contents: dict[str, bytes]) -> None:
    path = tmp_path / "a"
    path.write_bytes(contents["exact"])
    with pytest.raises(InputError, match="other weights or marks"):
        ExactCheckpoint(path).resume(OptimalSearch(Mastermind(Rules(3, 4), [1] * 63 + [2])))
    equal = FiniteGame("abc", lambda g, s: g == s, name="letters")
    ordered = FiniteGame("abc", lambda g, s: 2 if g == s else g < s, name="letters")
    StaticCheckpoint(path).save(StaticSearch(equal))
    with pytest.raises(InputError, match="other weights or marks"):
        StaticCheckpoint(path).load(StaticSearch(ordered))


def test_a_state_that_lacks_something_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for checkpoint, kind in KINDS.values():
        empty, search = checkpoint(path), kind(mastermind("3x4"))
        empty.contents = lambda search: ({"positions": 0}, [])  # type: ignore[method-assign]
        empty.save(search)
        with pytest.raises(DataFileError, match="damaged"):
            checkpoint(path).load(search)


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write the checkpoint"):
        StaticCheckpoint(tmp_path / "file" / "a").save(StaticSearch(mastermind("2x2")))


# resumed; beams in test_beam.py, values in test_value.py


def test_a_resumed_exact_search_ends_alike_with_less_work(tmp_path: Path) -> None:
    path = tmp_path / "a"
    half = OptimalSearch(mastermind("3x10"))
    steps = ExactCheckpoint(path).run(half)
    for _ in range(3):
        next(steps)
    steps.close()
    assert not half.finished
    again, whole = OptimalSearch(mastermind("3x10")), OptimalSearch(mastermind("3x10"))
    assert f"{half.positions} positions" in ExactCheckpoint(path).resume(again)
    assert again.positions == half.positions
    for _ in ExactCheckpoint(path).run(again):
        pass
    for _ in whole:
        pass
    ended, expected = again.result(), whole.result()
    assert ended.proven
    assert ended.tree is not None
    assert expected.tree is not None
    assert ended.tree.total == 5242
    assert same_nodes(ended.tree, expected.tree)
    # what was done before is not done again, but for a little
    assert again.positions - half.positions < whole.positions - half.positions // 2
    assert not path.exists()


def test_limits_already_refuted_are_not_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    search, again = (OptimalSearch(mastermind("3x8"), objective="worst") for _ in range(2))
    search.limit = 4
    ExactCheckpoint(path).save(search)
    assert ExactCheckpoint(path).load(again)
    assert again.limit == 4


def test_a_resumed_search_for_fixed_sets_ends_alike_with_less_work(tmp_path: Path) -> None:
    path = tmp_path / "a"
    half = StaticSearch(mastermind("3x7"))
    for step in StaticCheckpoint(path).run(half):
        if step.lower_bound == 5 and step.fraction > 0.3:
            half.stop()
    assert not half.finished
    assert half.path
    again, whole = StaticSearch(mastermind("3x7")), StaticSearch(mastermind("3x7"))
    checkpoint = StaticCheckpoint(path)
    assert f"({half.positions} sets tried)" in checkpoint.resume(again)
    stored, _ = checkpoint.read(path.read_bytes())
    # times add up
    assert checkpoint.seconds >= stored["seconds"] > 0
    assert (again.best, again.path, again.lower_bound) == (half.best, half.path, 5)
    for search in (checkpoint.run(again), whole):
        for _ in search:
            pass
    assert again.result().proven
    assert again.result().guesses == whole.result().guesses
    assert again.positions < whole.positions + whole.positions // 5
    assert not path.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("checkpoint", "search", "rules", "value"),
    [
        ("ExactCheckpoint", "OptimalSearch", "4x8", "result.tree.total == 20471"),
        ("StaticCheckpoint", "StaticSearch", "4x6", "result.size == 6 and result.proven"),
    ],
)
def test_a_killed_search_goes_on(
    tmp_path: Path, checkpoint: str, search: str, rules: str, value: str
) -> None:
    """kill -9 in the middle; the same command ends with the known answer."""
    program = (
        "import sys, pathlib\n"
        "from pegwise.game import mastermind\n"
        f"from pegwise.search.checkpoint import {checkpoint}, {search}\n"
        f"search = {search}(mastermind('{rules}'))\n"
        f"checkpoint = {checkpoint}(pathlib.Path(sys.argv[1]), every=0.2)\n"
        "checkpoint.resume(search)\n"
        "positions = search.positions\n"
        "for _ in checkpoint.run(search): pass\n"
        "result = search.result()\n"
        f"print(positions, {value})\n"
    )
    path = tmp_path / "a"
    command = [sys.executable, "-c", program, str(path)]
    first = subprocess.Popen(command, env=dict(os.environ))
    while not (path.exists() and b'"path": []' not in path.read_bytes()[:1000]):
        time.sleep(0.05)
        assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    positions, right = second.stdout.split()
    assert int(positions) > 0
    assert right == "True"


# files of the first version


def written_again(checkpoint: Checkpoint[Any, Any], search: Any, tmp_path: Path) -> bool:
    """Whether a file has the same bytes when it is written again."""
    before = checkpoint.path.read_bytes()
    checkpoint.path = tmp_path / "again"
    checkpoint.save(search)
    return checkpoint.path.read_bytes() == before


def test_an_exact_search_of_the_first_version(tmp_path: Path) -> None:
    search = OptimalSearch(mastermind("3x9"))
    checkpoint = ExactCheckpoint(STORED / "3x9.search")
    assert "(400 positions)" in checkpoint.resume(search)
    assert np.count_nonzero(search.table[:, 3]) == 775
    assert written_again(checkpoint, search, tmp_path)


def test_a_beam_search_of_the_first_version(tmp_path: Path) -> None:
    search = BeamSearch(mastermind("4x5"), stages=2)
    checkpoint = BeamCheckpoint(STORED / "4x5.effort")
    assert "(stage 3, best 2463)" in checkpoint.resume(search)
    assert search.totals == [{}, {17: 2468, 90: 2532, 3: 2498}, {17: 2463}]
    assert len(search.memos()[1]) == 15
    assert written_again(checkpoint, search, tmp_path)


def test_a_search_for_fixed_sets_of_the_first_version(tmp_path: Path) -> None:
    path = tmp_path / "a"
    content = (STORED / "3x8.static").read_bytes()
    search = StaticSearch(mastermind("3x8"))
    path.write_bytes(content)
    assert "(400669 sets tried)" in StaticCheckpoint(path).resume(search)
    assert search.best == (17, 102, 183, 200, 282, 324, 427)
    assert (search.lower_bound, search.refuting, search.path) == (6, 6, (0, 11, 5, 3))
    for place in (0, 60, 200, -10):
        damaged = bytearray(content)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(DataFileError, match="damaged"):
            StaticCheckpoint(path).load(search)


def test_a_search_for_the_value_of_the_first_version() -> None:
    search, whole = ValueSearch(mastermind("4x5")), ValueSearch(mastermind("4x5"))
    assert "(1 trees)" in ValueCheckpoint(STORED / "4x5.value-search").resume(search)
    assert [answer.cost for answer in search.answers.values()] == [2463]
    before = search.positions
    for running in (search, whole):
        for _ in running:
            pass
    resumed, expected = search.result(), whole.result()
    assert resumed is not None
    assert expected is not None
    assert resumed.lower == expected.lower == resumed.upper
    assert search.answers.keys() == whole.answers.keys()
    # what the table knew of the second tree is not searched again
    assert search.positions - before < whole.positions - before


def test_tasks_of_the_first_version_are_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their results are of classes that have other names now."""
    monkeypatch.setattr(spread, "_SMALL_GAME", 200)
    monkeypatch.setattr(spread, "_SMALL_SET", 20)
    search = OptimalSearch(mastermind("3x9"), where=Serial(), task_folder=tmp_path)
    steps = iter(search)
    while not list(tmp_path.glob("*/*")):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    [folder] = tmp_path.iterdir()
    old = list((STORED / "pieces").iterdir())
    for path, result in zip(list(folder.iterdir()), old, strict=False):
        shutil.copy(result, path)
        shutil.copy(result, folder)
    again = OptimalSearch(mastermind("3x9"), where=Serial(), task_folder=tmp_path)
    for _ in again:
        pass
    tree = again.result().tree
    assert tree is not None
    assert tree.total == 3596
    assert not folder.exists()
