"""Files of users: what is there already is not lost, and two processes do not share one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from pegwise.game import read_record
from pegwise.paths import locked
from tests.cli.running import Run, games, refused, terminal
from tests.programs import Start, ended, until

# what is there already

WRITING = [
    "tree 2x3 -s first -o {}.csv",
    "show {}.tree -o {}.txt",
    "race 2x3 -s first --csv {}.csv",
    "optimal 2x3 --search --certificate {}.proof",
    "static 2x2 -o {}.json",
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


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "first.csv"
    for answer, status in (("no", 2), ("", 2), ("y", 0)):
        path.write_text("mine")
        with terminal(tmp_path, "tree", "2x3", "-s", "first", "-o", "first.csv") as shown:
            shown.sees("'first.csv' exists already. Replace it? (yes or no) ")
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
        (path for path in paths if path.stat().st_size and len(read_record(path).turns) == 1), None
    )


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
        assert len(read_record(saved).turns) == 2
        run("play", "--resume", str(saved), typed="BBB\n")
        assert len(read_record(saved).turns) == 3
