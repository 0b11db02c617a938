"""What is kept for later runs: whole or absent, for its user alone, and never run."""

from __future__ import annotations

import ast
import os
import pickle
import stat
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pegwise
from pegwise.arena import Race
from pegwise.compute.backends import OpenBackend, Serial
from pegwise.errors import DamagedError, HomeError, OutputError
from pegwise.game import Rules, board_game, game_of
from pegwise.game_files import resolve as file
from pegwise.kept import Folder, digest_of
from pegwise.paths import home, new_beside
from pegwise.search.beam.search import BeamSearch
from pegwise.search.certificates import files
from pegwise.search.codemaker import optimal_weights
from pegwise.search.exact import distributed
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.storage import Checkpoint
from pegwise.search.strategies.optimal import Optimal, _tree
from pegwise.strategies import load
from pegwise.trees.build import build_in_pieces
from pegwise.trees.store import to_bytes
from tests.programs import bombs


def test_values_are_whole_or_absent(tmp_path: Path) -> None:
    kept = Folder(tmp_path / "new" / "folder")
    assert (kept.get("a"), kept.read("a"), kept.keys()) == (None, None, [])
    kept.forget()
    kept.put("a", b"one ", memoryview(b"two"))
    kept.put("b")
    assert sorted(kept.keys()) == ["a", "b"]
    assert [bytes(kept.get(key) or b"") for key in "ab"] == [b"one two", b""]
    path = tmp_path / "new" / "folder" / "a"
    whole = path.read_bytes()
    for damaged in (b"", whole[:-1], whole[1:], whole + b"x", b"x" + whole[1:], whole[-32:]):
        path.write_bytes(damaged)
        assert kept.get("a") is None
        with pytest.raises(DamagedError) as error:
            kept.read("a")
        assert error.value.content == damaged
    kept.put("a", b"again")
    assert bytes(kept.get("a") or b"") == b"again"
    kept.forget("a")
    kept.forget("a")
    new_beside(path)  # as a process that is killed leaves it
    assert kept.keys() == ["b"]
    kept.forget()
    assert not path.parent.exists()


def test_what_cannot_be_kept_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match="file"):
        Folder(tmp_path / "file").put("a", b"")
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path / "file"))
    kept = Folder(home() / "pieces")
    with pytest.raises(HomeError):
        kept.put("a", b"")
    assert kept.get("a") is None


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_folders_and_files_are_for_the_user_alone(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        Folder(tmp_path / "home" / "pieces" / "of").put("a", b"")
    finally:
        os.umask(mask)
    paths = [tmp_path / "home", *(tmp_path / "home").rglob("*")]
    assert [oct(stat.S_IMODE(path.stat().st_mode)) for path in paths] == ["0o700"] * 3 + ["0o600"]


# whoever can write where values are kept


class LeftError(Exception):
    """Work is left before it has ended."""


def kept_files() -> list[Path]:
    """The files that are kept."""
    return [path for path in home().rglob("*") if path.is_file() and path.suffix != ".lock"]


def stop(*_: object) -> None:
    """Leave the work that reports, once something is kept."""
    if kept_files():
        raise LeftError


Tells = Callable[..., None]


def race(report: Tells) -> Any:
    again = Race("3x4", ["knuth", "first"], folder=home() / "pieces")
    results = again.run()
    report()
    return [standing.total for standing in results.standings]


def drawn(report: Tells) -> Any:
    several = Race("2x4*2", ["parts"], games=120, folder=home() / "pieces")
    results = several.run(report=report)
    several.forget()
    return results.standings[0].total


def tree(report: Tells) -> Any:
    built = build_in_pieces(board_game(Rules.parse("3x6")), load("first"), Serial(), report=report)
    return to_bytes(built)


def proof(report: Tells) -> Any:
    return searched(
        OptimalSearch(game_of("3x9"), where=Serial(), task_folder=home() / "pieces"), report
    )


def beam(report: Tells) -> Any:
    where = OpenBackend(Serial())
    search = BeamSearch(game_of("3x9"), stages=1, where=where, task_folder=home() / "pieces")
    return searched(search, report)


def searched(search: Any, report: Tells) -> Any:
    search.run(report)
    return search.result().tree.total


def checkpoint(report: Tells) -> Any:
    search = OptimalSearch(game_of("3x5"))
    kept = Checkpoint(Checkpoint.default_path(search), every=0.0)
    kept.resume(search)
    assert not kept.wrote(Path(__file__))

    def note(step: Any) -> None:
        kept.note_output(Path(__file__))
        report(step)

    kept.run(search, note)
    tree = search.result().tree
    return tree and tree.total


def entrant(report: Tells) -> Any:
    path = home().with_name("theirs.py")
    path.write_text("def theirs(candidates):\n    return candidates[0]\n")
    asked = Race("2x4", [str(path)], folder=home() / "pieces")
    results = asked.run(report=report)
    asked.forget()
    return results.standings[0].total


def marks(report: Tells) -> Any:
    path = home().with_name("near.py")
    path.write_text(
        "from pegwise import FiniteGame\n"
        "near = FiniteGame(range(20), lambda g, s: min(abs(g - s), 5))\n"
    )
    file._known.clear()
    rules = game_of(str(path))
    report()
    return str(rules)


def optimum(report: Tells) -> Any:
    _tree.cache_clear()
    tree = Optimal().tree(board_game(Rules.parse("3x4")))
    report()
    return to_bytes(tree)


def value(report: Tells) -> Any:
    weights = optimal_weights(board_game(Rules.parse("3x4")))
    report()
    return weights.tolist()


WORK = [race, drawn, tree, proof, beam, checkpoint, entrant, marks, optimum, value]


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_nothing_that_is_kept_is_run(
    work: Callable[[Tells], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("pegwise.arena.race"), "LONG", 0.0)
    monkeypatch.setattr(file, "_WORTH", 0.0)
    monkeypatch.setattr(files, "shipped", lambda *_which: None)
    monkeypatch.setattr(distributed, "SMALL_GAME", 200)
    monkeypatch.setattr(distributed, "SMALL_SET", 20)
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path / "first"))
    expected = work(lambda *_: None)
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path / "home"))
    for bomb in bombs(exploded := tmp_path / "exploded"):
        with pytest.raises(LeftError):
            work(stop)
        for path in kept_files():
            path.write_bytes(bomb + digest_of(bomb))
        assert work(lambda *_: None) == expected
        assert not exploded.exists()


def test_the_bombs_would_explode(tmp_path: Path) -> None:
    for bomb in bombs(path := tmp_path / "exploded"):
        pickle.loads(bomb[bomb.index(b"\n", 20) + 1 :] if bomb.startswith(b"[") else bomb)
        path.rmdir()


PICKLING = {
    "game_files/host.py": "rows of marks, from the processes that it has forked",
    "strategies/functions.py": "strategies of one's own, to workers",
    "search/beam/distributed.py": "levels of a search, to workers",
}
"""The modules that may read pickles, and what: what travels between processes of one run."""


@pytest.mark.slow
def test_no_other_module_reads_pickles() -> None:
    source = Path(pegwise.__file__).parent
    reading = {"pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}
    importing = set()
    for path in source.rglob("*.py"):
        for node in ast.walk(tree := ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [str(node.module)]
            if reading & {name.partition(".")[0] for name in names}:
                importing.add(path.relative_to(source).as_posix())
        assert "allow_pickle=True" not in ast.unparse(tree)
    assert importing == set(PICKLING)
