"""Files of users: what is there already is not lost, and two processes do not share one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from pegwise.cli.storage import trim
from pegwise.kept import KINDS
from pegwise.kernels.cache import machine_code
from pegwise.paths import locked
from pegwise.playing import load_record
from tests.cli.running import Run, games, refused, terminal
from tests.programs import Start, ended, until

# what is there already

WRITING = [
    "tree 2x3 -s first -o {}.csv",
    "show {}.tree -o {}.txt",
    "race 2x3 -s first --csv {}.csv",
    "optimal 2x3 --search --certificate {}.proof",
    "optimal 4x6 -o {}.tree",
    "static 2x2 -o {}.json",
    "static 4x6 -o {}.json",
    "value 4x6 -o {}.value",
    "value 2x2 -o {}.value",
]


@pytest.mark.parametrize("command", WRITING)
def test_a_file_is_replaced_only_by_force(run: Run, command: str) -> None:
    if command.startswith("show"):
        run("tree", "2x3", "-s", "first", "-o", "a.tree").text()
    typed = command.format("a", "a").split()
    path = next(Path(word) for word in reversed(typed) if "." in word)
    path.write_bytes(b"")  # an empty one, as mktemp makes it, holds nothing to lose
    run(*typed).text()
    content = path.read_bytes()
    path.write_text("mine")
    assert "--force" in refused(run(*typed))
    assert path.read_text() == "mine"
    run(*typed, "--force").text()
    if not command.startswith(("optimal", "value", "race")):  # with times
        assert path.read_bytes() == content


def test_a_list_of_words_is_replaced_only_by_force(run: Run) -> None:
    Path("a.txt").write_text("cat\ndog")
    Path("b.txt").write_text("cow\npig")
    add = ("words", "add", "animals")
    run(*add, "a.txt").text()
    run(*add, "a.txt").text()
    assert "--force" in refused(run(*add, "b.txt"))
    assert run("candidates", "animals,placed").text().count("CAT") == 1
    run(*add, "b.txt", "--force").text()
    assert run("candidates", "animals,placed").text().count("COW") == 1


@pytest.mark.slow
def test_a_terminal_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "first.csv"
    for answer, status in (("no", 2), ("", 2), ("y", 0)):
        path.write_text("mine")
        with terminal(tmp_path, "tree", "2x3", "-s", "first", "-o", "first.csv") as shown:
            shown.sees("This replaces 'first.csv'. Go on? (yes or no) ")
            shown.child.sendline(answer)
            assert shown.leaves() == status
        assert (path.read_text() == "mine") == bool(status)


# two processes


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another holds this file; a thread counts as one."""
    lock = locked(path)
    with ThreadPoolExecutor(1) as other:
        other.submit(lock.__enter__).result()
        try:
            yield
        finally:
            other.submit(lock.__exit__, None, None, None).result()


def test_a_search_goes_on_in_one_process(run: Run) -> None:
    command = ("optimal", "3x4", "--search", "--checkpoint", "search")
    with held(Path("search").absolute()):
        assert "'search'" in refused(run(*command))
        run(*command[:3], "--fresh").text()
        run(*command[:3]).text()
    run(*command).text()


def played(folder: Path) -> Path | None:
    """The game that has one turn now, of those that are saved here."""
    paths = [*folder.glob("*.txt"), *games(folder)]
    return next(
        (path for path in paths if path.stat().st_size and len(load_record(path).turns) == 1), None
    )


@pytest.mark.slow
def test_a_game_is_played_in_one_process(start: Start, run: Run, tmp_path: Path) -> None:
    """Whether it was named, or is saved by itself."""
    for typed in (["--save", "mine.txt"], []):
        first = start("play", "3x4", "--seed", "1", *typed)
        assert first.stdin is not None
        first.stdin.write("AAA\n")
        first.stdin.flush()
        look = partial(played, tmp_path)
        saved = until(look, first)
        assert str(saved) in refused(run("play", "--resume", str(saved), typed="BBB\n"))
        first.stdin.write("CCC\n")
        ended(first)
        assert len(load_record(saved).turns) == 2
        run("play", "--resume", str(saved), typed="BBB\n")
        assert len(load_record(saved).turns) == 3


# what is kept


def test_what_is_kept_is_listed_and_cleared_by_kind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "machine-code"))
    machine_code.cache_clear()
    home = tmp_path / "home"
    for name in (
        "games/a.txt",
        "checkpoints/old",
        "checkpoints/new",
        "pieces/race/1",
        "web.sqlite",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(bytes(1000))
    os.utime(home / "checkpoints/old", (0, time.time() - 40 * 86_400))
    kinds = {row["kind"]: row for row in run("storage", "--json").document()["kinds"]}
    sizes = {kind: row["bytes"] for kind, row in kinds.items() if row["entries"]}
    assert sizes == {"games": 1000, "checkpoints": 2000, "pieces": 1000, "site": 1000}
    assert "--force" in refused(run("storage", "--clear", "checkpoints"))
    run("storage", "--clear", "checkpoints", "--older", "30", "--force").text()
    assert [path.name for path in (home / "checkpoints").iterdir()] == ["new"]
    with held(home / "checkpoints/new"):
        out = run("storage", "--clear", "checkpoints", "--clear", "pieces", "--force").text()
    assert "checkpoints: 0 are removed. 1 is in use." in out
    assert not list((home / "pieces").iterdir())
    run("storage", "--clear", "checkpoints", "--force", "--json").document()
    assert sum(row["entries"] for row in run("storage", "--json").document()["kinds"]) == 2
    machine_code.cache_clear()


def test_nothing_that_commands_keep_grows_without_limit() -> None:
    unlimited = {name for name, kind in KINDS.items() if kind.most is None}
    assert unlimited == {"words", "site"}  # the site limits itself by age


def test_the_oldest_unfinished_work_is_removed_beyond_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PEGWISE_HOME", str(tmp_path))
    names = ["checkpoints/a", "checkpoints/b", "checkpoints/c", "checkpoints/d"]  # oldest first
    for age, name in enumerate(reversed(names)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(bytes(1000))
        os.utime(tmp_path / name, (0, time.time() - 60 * age))
    (tmp_path / "checkpoints/b.outputs").write_text("{}")
    trim({"checkpoints": 4000})
    assert capfd.readouterr().err == ""
    with held(tmp_path / "checkpoints/a"):
        trim({"checkpoints": 2000})
    rest = sorted(path.name for path in tmp_path.glob("[cp]*/*"))
    assert rest == ["a", "d"]
    assert ": 2 " in capfd.readouterr().err
    trim({"checkpoints": 1})
    assert [path.name for path in tmp_path.glob("[cp]*/*")] == ["d"]
