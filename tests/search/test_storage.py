"""Checkpoints of all long searches: resumed, damaged, foreign, killed, of an earlier version."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pegwise import kept
from pegwise.errors import DataFileError, InputError, OutputError
from pegwise.game import FiniteGame, Mastermind, Rules, game_of
from pegwise.paths import write_whole
from pegwise.progress import run_until
from pegwise.search.beam.search import BeamSearch
from pegwise.search.exact import driver
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.static.search import StaticSearch
from pegwise.search.storage import Block, Checkpoint, Resumable, entries
from pegwise.search.value import ValueSearch
from pegwise.trees import store
from pegwise.trees.store import to_bytes

STORED = Path(__file__).parents[1] / "data" / "checkpoints"
KINDS: dict[str, type[Any]] = {
    "exact": OptimalSearch,
    "beam": BeamSearch,
    "static": StaticSearch,
    "value": ValueSearch,
}
every_kind = pytest.mark.parametrize("name", KINDS)


def finish(search: Resumable[Any]) -> Resumable[Any]:
    search.run()
    return search


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The file of a search that was left after some steps, of each kind."""
    path = tmp_path_factory.mktemp("checkpoints") / "a"
    files = {}
    for name, kind in KINDS.items():
        search = kind(game_of("3x4"))
        assert run_until(search.run, lambda _: True)
        Checkpoint(path).save(search)
        files[name] = path.read_bytes()
    return files


# damaged and foreign files


@pytest.mark.parametrize("where", [30, 200, -1, -40, "cut"])
@every_kind
def test_a_damaged_file_is_set_aside(
    tmp_path: Path, name: str, where: int | str, contents: dict[str, bytes]
) -> None:
    path = tmp_path / "a"
    content = bytearray(contents[name])
    if isinstance(where, int):
        content[where] ^= 1
    else:
        del content[len(content) // 2 :]
    path.write_bytes(content)
    search = KINDS[name](game_of("3x4"))
    before = search.state()[0]
    with pytest.raises(DataFileError):
        Checkpoint(path).load(search)
    for aside in ("a.damaged", "a.damaged-2"):
        assert f"damaged; it is kept as '{aside}'" in Checkpoint(path).resume(search)
        assert (tmp_path / aside).read_bytes() == content
        assert not path.exists()
        path.write_bytes(content)
    assert search.state()[0] == before
    table = getattr(search, "table", None)
    assert table is None or not table.rows.any()


@every_kind
def test_what_is_no_checkpoint_stays_as_it_is(
    tmp_path: Path, name: str, contents: dict[str, bytes]
) -> None:
    path = tmp_path / "thesis.txt"
    search = KINDS[name](game_of("3x4"))
    another = contents["value" if name != "value" else "static"]
    tree = (STORED.parent / "knuth-3x4.tree").read_bytes()
    for content in (b"A thesis", b"{}", b"PK", b"\x00", tree, another):
        path.write_bytes(content)
        with pytest.raises(InputError):
            Checkpoint(path).resume(search)
        assert path.read_bytes() == content
    path.write_bytes(b"")  # as mktemp makes it
    assert Checkpoint(path).resume(search) == ""
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


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


@every_kind
def test_the_file_of_another_search_is_refused(
    home: Path, tmp_path: Path, name: str, contents: dict[str, bytes]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(contents[name])
    paths = {Checkpoint.default_path(KINDS[name](game_of("3x4")))}
    for rules, options, word in FOREIGN[name]:
        search = KINDS[name](game_of(rules), **options)
        with pytest.raises(InputError, match=f"another search .*{word}"):
            Checkpoint(path).resume(search)
        paths.add(Checkpoint.default_path(search))
    assert path.read_bytes() == contents[name]
    # each search has its own file
    assert len(paths) == 1 + len(FOREIGN[name])
    assert {path.parent for path in paths} == {home / "checkpoints"}


def test_games_of_one_name_are_told_apart(tmp_path: Path, contents: dict[str, bytes]) -> None:
    path = tmp_path / "a"
    path.write_bytes(contents["exact"])
    with pytest.raises(InputError):
        Checkpoint(path).resume(OptimalSearch(Mastermind(Rules(3, 4), [1] * 63 + [2])))
    equal = FiniteGame("abc", lambda g, s: g == s, name="letters")
    ordered = FiniteGame("abc", lambda g, s: 2 if g == s else g < s, name="letters")
    Checkpoint(path).save(StaticSearch(equal))
    with pytest.raises(InputError):
        Checkpoint(path).load(StaticSearch(ordered))


@every_kind
def test_a_state_that_lacks_something_is_damaged(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = Checkpoint(tmp_path / "a")
    with monkeypatch.context() as patch:
        patch.setattr(KINDS[name], "state", lambda _search: ({"positions": 0}, []))
        checkpoint.save(KINDS[name](game_of("3x4")))
    with pytest.raises(DataFileError):
        checkpoint.load(KINDS[name](game_of("3x4")))


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        Checkpoint(tmp_path / "file" / "a").save(StaticSearch(game_of("2x2")))


# killed and resumed

LONG: dict[str, tuple[str, dict[str, Any]]] = {
    "exact": ("3x10", {}),
    "beam": ("4x5", {"stages": 1}),
    "static": ("3x7", {}),
    "value": ("3x5", {}),
}


def search_until_killed(name: str, path: Path) -> None:
    """Search with checkpoints at every step; kill -9 in the middle of one, after some."""
    rules, options = LONG[name]
    search = KINDS[name](game_of(rules), **options)
    written = 0

    def write(target: Path, blocks: Any, failure: str) -> None:
        nonlocal written
        # of fixed sets the exhaustion counts, not the local search before it
        written += bool(search.path if name == "static" else search.positions)
        write_whole(target, killing(blocks) if written == 4 else blocks, failure)

    def killing(blocks: Sequence[Block]) -> Iterator[Block]:
        yield blocks[0]
        os.kill(os.getpid(), signal.SIGKILL)

    kept.write_whole = write  # type: ignore[assignment, attr-defined]
    Checkpoint(path, every=0.0).run(search)


def kill_all(folder: str) -> None:
    """Run and kill a process for each kind of search."""
    for name in KINDS:
        if (process := os.fork()) == 0:
            search_until_killed(name, Path(folder, name))
            os._exit(1)
        _, status = os.waitpid(process, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, name


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the checkpoints of killed searches."""
    folder = tmp_path_factory.mktemp("killed")
    program = f"from {__name__} import kill_all; kill_all({str(folder)!r})"
    subprocess.run([sys.executable, "-c", program], check=True)
    return folder


def answer(search: Any) -> Any:
    """What a search has ended with, to be compared."""
    result = search.result()
    if isinstance(search, StaticSearch):
        return result
    if isinstance(search, ValueSearch):
        mixture = [(probability, to_bytes(tree)) for probability, tree in result.mixture]
        return list(search.answers), result.weights, result.cost, mixture
    return to_bytes(result.tree)


@pytest.mark.slow
@every_kind
def test_a_killed_search_ends_alike_with_less_work(name: str, killed: Path) -> None:
    path, (rules, options) = killed / name, LONG[name]
    search, whole = (KINDS[name](game_of(rules), **options) for _ in range(2))
    checkpoint = Checkpoint(path)
    assert "resumed from" in checkpoint.resume(search)
    stored, _ = search.read_state(memoryview(path.read_bytes())[:-32])
    # times add up
    assert checkpoint.seconds >= stored["seconds"] > 0
    before = search.positions
    assert before > 0
    assert name != "static" or search.refuting
    checkpoint.run(search)
    finish(whole)
    if name == "static":
        # images of sets before the break are forgotten, so that some come again
        assert search.positions < 1.2 * whole.positions
        assert search.result().guesses == whole.result().guesses
        assert search.result().proven
    else:
        assert search.positions - before < whole.positions
        assert answer(search) == answer(whole)
    assert path.exists() == (name == "beam")  # from which more stages go on


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "number"), [("total-fewest", 4), ("fewest-at-worst", 2), ("worst-total", 2)]
)
def test_a_search_goes_on_from_every_stage(
    objective: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such trees are found by one search after the other."""
    checkpoint, stages = Checkpoint(tmp_path / "a"), set[int]()
    whole = finish(OptimalSearch(game_of("4x5"), objective=objective))
    search = OptimalSearch(game_of("4x5"), objective=objective)
    monkeypatch.setattr(driver, "STEP", 5)
    while not search.finished:
        running = search
        if run_until(running.run, lambda _: running.stage not in stages):  # noqa: B023 - at once
            stages.add(search.stage)
            checkpoint.save(search)
            search = OptimalSearch(game_of("4x5"), objective=objective)
            checkpoint.load(search)
    assert stages == set(range(number))
    assert answer(search) == answer(whole)


def test_a_table_that_has_grown_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "STEP", 100)
    search, again = (OptimalSearch(game_of("3x10"), table_bits=6) for _ in range(2))
    checkpoint = Checkpoint(tmp_path / "a")
    assert run_until(search.run, lambda step: step.positions > 500)
    assert search.table.bits > 6
    checkpoint.save(search)
    checkpoint.load(again)
    assert again.table.bits == search.table.bits
    for stored, known in zip(entries(again.table.rows), entries(search.table.rows), strict=True):
        assert np.array_equal(stored, known)
    assert answer(finish(again)) == answer(finish(OptimalSearch(game_of("3x10"))))


def test_limits_already_refuted_are_not_tried_again(tmp_path: Path) -> None:
    search, again = (OptimalSearch(game_of("3x8"), objective="worst") for _ in range(2))
    search.limit = 4
    Checkpoint(tmp_path / "a").save(search)
    assert Checkpoint(tmp_path / "a").load(again)
    assert again.limit == 4


# files of the first version


@pytest.mark.parametrize(
    ("search", "name", "says"),
    [
        (partial(OptimalSearch, game_of("3x9")), "3x9.search", "(400 positions)"),
        (partial(BeamSearch, game_of("4x5"), stages=2), "4x5.effort", "(stage 3, best 2463)"),
    ],
)
def test_searches_for_trees_of_the_first_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search: Any, name: str, says: str
) -> None:
    monkeypatch.setattr(store, "__version__", "0.2.0")  # which trees in the file name
    search, again = search(), Checkpoint(tmp_path / "again")
    path = tmp_path / name
    shutil.copy(STORED / name, path)  # what is damaged gets another name
    assert says in Checkpoint(path).resume(search)
    if isinstance(search, BeamSearch):
        assert search.totals == [{}, {17: 2468, 90: 2532, 3: 2498}, {17: 2463}]
        assert len(search.memos[1]) == 15
    else:
        assert np.count_nonzero(search.table.rows[:, 3]) == 775
    # the file says the same when it is written again
    again.save(search)
    before, after = (
        search.read_state(memoryview(path.read_bytes())[:-32])
        for path in (STORED / name, again.path)
    )
    del after[0]["seconds"]
    assert before[0] == after[0]
    assert before[1].take(1 << 30) == after[1].take(1 << 30)


@pytest.mark.parametrize("search", [StaticSearch, ValueSearch])
def test_files_of_searches_in_another_form_are_refused(tmp_path: Path, search: Any) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"PK of version 0.2")
    with pytest.raises(InputError):
        Checkpoint(path).load(search(game_of("3x4")))
