"""Workers that stay: called once, made ready, and replaced when they break down."""

import os
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from pegwise.compute import Place, Processes, Serial, Threads, WorkerPool, run


def who(_piece: int) -> int:
    return os.getpid()


def die(_piece: int) -> None:
    os._exit(1)


@pytest.mark.parametrize("where", [Serial(), Threads(2), Processes(1)])
def test_the_same_workers_do_all(where: Place) -> None:
    with WorkerPool(where) as there:
        first = run(who, [1, 2, 3], there)
        assert run(who, [4, 5], there) == first[:2]
        assert there.workers == where.workers
    if not isinstance(where, Processes):
        assert first[0] == os.getpid()


def test_others_come_when_they_break_down() -> None:
    with WorkerPool(Processes(1)) as there:
        before = run(who, [1], there)
        with there.executor() as executor, pytest.raises(BrokenExecutor):
            executor.submit(die, 1).result()
        after = run(who, [1], there)
        assert before != after


def noted(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("ready ")


def test_each_worker_may_make_itself_ready(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    with WorkerPool(Processes(2)) as there:
        there.make_ready(noted, path)
        run(who, [1, 2], there)
    assert path.read_text(encoding="utf-8") == "ready ready "
    # the caller is as ready as he can be, and so is who shares everything with him
    for where in (Serial(), Threads(2)):
        with WorkerPool(where) as there:
            there.make_ready(noted, path)
    assert path.read_text(encoding="utf-8") == "ready ready "


def test_a_worker_may_die_before_all_are_told_to_make_themselves_ready(tmp_path: Path) -> None:
    with WorkerPool(Processes(1)) as there:
        with there.executor() as executor:
            assert isinstance(executor.submit(die, 1).exception(), BrokenExecutor)
        there.make_ready(noted, tmp_path / "notes")
        assert run(who, [1], there) != [os.getpid()]
