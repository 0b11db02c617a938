"""Searches for fixed sets that are killed, and checkpoints that are damaged or foreign."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pegwise.errors import DataFileError, InputError, OutputError
from pegwise.game import FiniteGame, mastermind
from pegwise.search.resume import StaticCheckpoint, _digest
from pegwise.search.static.search import StaticSearch
from tests.search.damage import damage


def kept(path: Path, rules: str = "3x8") -> StaticSearch:
    """A search that was left in the middle of its last refutation, with a checkpoint."""
    search = StaticSearch(mastermind(rules))
    for step in StaticCheckpoint(path).run(search):
        if step.lower_bound == 6 and step.fraction > 0.3:
            search.stop()
    assert not search.finished
    assert search.path
    return search


def test_resumed_search_ends_alike_with_less_work(tmp_path: Path) -> None:
    path = tmp_path / "a.static"
    half = kept(path)
    again = StaticSearch(mastermind("3x8"))
    said = StaticCheckpoint(path).resume(again)
    assert f"({half.positions} sets tried)" in said
    assert (again.best, again.path, again.lower_bound) == (half.best, half.path, 6)
    for _ in StaticCheckpoint(path).run(again):
        pass
    whole = StaticSearch(mastermind("3x8"))
    for _ in whole:
        pass
    assert again.result().proven
    assert again.result().guesses == whole.result().guesses
    assert again.positions < whole.positions + whole.positions // 5
    assert not path.exists()


def test_time_adds_up(tmp_path: Path) -> None:
    path = tmp_path / "a.static"
    kept(path)
    before = json.loads(path.read_text())["seconds"]
    assert before > 0
    checkpoint = StaticCheckpoint(path)
    checkpoint.resume(StaticSearch(mastermind("3x8")))
    assert checkpoint.watch.seconds >= before


@pytest.mark.parametrize("where", [0, 60, 200, -10, "cut", "empty"])
def test_damaged_checkpoint_is_set_aside(tmp_path: Path, where: int | str) -> None:
    path = tmp_path / "a.static"
    StaticCheckpoint(path).save(StaticSearch(mastermind("3x4")))
    content = damage(path, where)
    fresh = StaticSearch(mastermind("3x4"))
    with pytest.raises(DataFileError, match="damaged"):
        StaticCheckpoint(path).load(fresh)
    said = StaticCheckpoint(path).resume(fresh)
    assert "damaged" in said
    assert (tmp_path / "a.static.damaged").read_bytes() == content
    assert not path.exists()
    assert fresh.best is None
    path.write_bytes(content)
    StaticCheckpoint(path).resume(fresh)
    assert (tmp_path / "a.static.damaged-2").read_bytes() == content


def test_a_checkpoint_that_lacks_something_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.static"
    search = StaticSearch(mastermind("3x4"))
    StaticCheckpoint(path).save(search)
    state = json.loads(path.read_text())
    del state["sha256"], state["seconds"]
    path.write_text(json.dumps({**state, "sha256": _digest(state)}))
    with pytest.raises(DataFileError, match="damaged"):
        StaticCheckpoint(path).load(search)


def test_checkpoint_of_another_search_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.static"
    StaticCheckpoint(path).save(StaticSearch(mastermind("3x4")))
    before = path.read_bytes()
    for other, word in [
        (StaticSearch(mastermind("3x5")), "3x4"),
        (StaticSearch(mastermind("3x4"), guesses=3), "guesses"),
        (StaticSearch(mastermind("3x4"), seed=1), "seed"),
    ]:
        with pytest.raises(InputError, match=word):
            StaticCheckpoint(path).load(other)
    assert path.read_bytes() == before


def test_games_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.static"
    one = FiniteGame("abc", lambda g, s: g == s, name="letters")
    other = FiniteGame("abc", lambda g, s: 2 if g == s else g < s, name="letters")
    StaticCheckpoint(path).save(StaticSearch(one))
    with pytest.raises(InputError, match="other weights or marks"):
        StaticCheckpoint(path).load(StaticSearch(other))


def test_each_search_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    searches = [StaticSearch(mastermind("3x4"), guesses=most) for most in (None, 2, 3)]
    paths = {StaticCheckpoint.default_path(search) for search in searches}
    assert len(paths) == 3
    assert all(tmp_path in path.parents for path in paths)


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write the checkpoint"):
        StaticCheckpoint(tmp_path / "file" / "a").save(StaticSearch(mastermind("2x2")))


@pytest.mark.slow
def test_killed_search_goes_on(tmp_path: Path) -> None:
    """kill -9 in the middle; the same search ends with the known size."""
    program = (
        "import sys, pathlib\n"
        "from pegwise.game import mastermind\n"
        "from pegwise.search.resume import *\n"
        "from pegwise.search.static.search import StaticSearch\n"
        "search = StaticSearch(mastermind('4x6'))\n"
        "keep = StaticCheckpoint(pathlib.Path(sys.argv[1]), every=0.2)\n"
        "keep.resume(search)\n"
        "begun = search.positions\n"
        "for _ in keep.run(search): pass\n"
        "print(begun, search.positions, search.result().size, search.result().proven)\n"
    )
    path = tmp_path / "a.static"
    command = [sys.executable, "-c", program, str(path)]
    first = subprocess.Popen(command, env=dict(os.environ))
    while not (path.exists() and json.loads(path.read_text())["path"]):
        time.sleep(0.05)
        assert first.poll() is None
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    begun, _ended, size, proven = second.stdout.split()
    assert int(begun) > 0
    assert (size, proven) == ("6", "True")
