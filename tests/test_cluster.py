"""Pieces of work: in this process, in others that may die, on a real Dask cluster over TCP."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pegwise import compute as cluster
from pegwise.compute import (
    Cluster,
    PieceStore,
    Place,
    Processes,
    Serial,
    Threads,
    WorkersLost,
    place,
    run,
    run_in_steps,
    set_when_cancelled,
)
from pegwise.errors import InputError, MissingExtraError, OutputError
from pegwise.progress import Progress
from tests.clusters import Machines


def square(n: int) -> int:
    return n * n


def fail(n: int) -> int:
    if n == 3:
        raise ZeroDivisionError("three")
    return n


def die_once(where: str) -> str:
    """Kill the process at the first call for this path."""
    mark = Path(where)
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return mark.name


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def until_unwanted(notes: str) -> None:
    stop = threading.Event()
    with set_when_cancelled(stop):
        (Path(notes) / "begun").touch()
        if stop.wait(100):
            (Path(notes) / "told").touch()


def slow(piece: tuple[int, str]) -> int:
    """Take a while, and leave a note of who did it."""
    number, folder = piece
    time.sleep(0.3)
    (Path(folder) / f"{number}-{os.getpid()}").touch()
    return number


PLACES: list[Place] = [Serial(), Processes(2)]


@pytest.mark.parametrize("where", PLACES, ids=lambda where: type(where).__name__)
def test_results_come_in_the_order_of_the_pieces(where: Place) -> None:
    steps: list[Progress] = []
    found = run(square, list(range(9)), where, report=steps.append, size=lambda n: n, unit="n")
    assert found == [n * n for n in range(9)]
    assert (steps[-1].done, steps[-1].total, steps[-1].unit) == (36, 36, "n")
    assert [step.done for step in steps] == sorted(step.done for step in steps)


@pytest.mark.parametrize("where", PLACES, ids=lambda where: type(where).__name__)
def test_errors_of_the_work_come_through(where: Place) -> None:
    with pytest.raises(ZeroDivisionError, match="three"):
        run(fail, [1, 2, 3, 4], where)
    assert run(fail, [], where) == []


@pytest.mark.parametrize("where", [*PLACES, Threads(3)], ids=lambda where: type(where).__name__)
def test_what_follows_a_piece_is_done_too(where: Place, tmp_path: Path) -> None:
    told: dict[int, int] = {}
    kept = PieceStore(tmp_path, "halves")

    def halves(n: int, result: int) -> list[int]:
        told[n] = result
        # 1 has followed more than one piece by then
        return [n // 2] if n > 1 and n // 2 not in told else []

    steps: list[Progress] = []
    found = run(
        square, [12, 100], where, store=kept, follow=halves, report=steps.append, size=lambda n: n
    )
    assert found == [144, 10_000]
    assert told == {n: n * n for n in (12, 6, 3, 1, 100, 50, 25)}
    assert steps[-1].done == steps[-1].total
    assert steps[-1].done >= sum(told)
    # what is kept is told again, and followed again
    told.clear()
    assert run(fail, [100], Serial(), store=kept, follow=halves) == [10_000]
    assert sorted(told) == [1, 3, 6, 12, 25, 50, 100]


def test_the_largest_piece_that_is_known_is_begun_first() -> None:
    begun: list[int] = []
    run(
        begun.append,
        [3, 9, 5],
        Serial(),
        follow=lambda n, _: {9: [4, 7], 7: [1]}.get(n, []),
        size=lambda n: n,
    )
    assert begun == [9, 7, 5, 4, 3, 1]


def test_a_worker_that_dies_costs_only_time(tmp_path: Path) -> None:
    pieces = [str(tmp_path / name) for name in "abc"]
    assert run(die_once, pieces, Processes(2)) == ["a", "b", "c"]


def test_workers_that_die_again_and_again(tmp_path: Path) -> None:
    with pytest.raises(WorkersLost, match=r"died 3 times, .*; 0 of 2 pieces are finished$"):
        run(die, [1, 2], Processes(2))
    kept = PieceStore(tmp_path, "dying")
    kept.save(1, 1)
    with pytest.raises(WorkersLost, match="1 of 2 pieces are finished and kept"):
        run(die, [1, 2], Processes(1), store=kept)


def test_stopped_and_taken_up_again(tmp_path: Path) -> None:
    kept = PieceStore(tmp_path, "work, version 1")
    asked: list[int] = []

    def work(n: int) -> int:
        asked.append(n)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return square(n)

    with pytest.raises(KeyboardInterrupt):
        run(work, [1, 2, 3, 4], Serial(), store=kept)
    assert run(work, [1, 2, 3, 4], Serial(), store=kept) == [1, 4, 9, 16]
    assert asked == [1, 2, 3, 3, 4]
    # other work keeps other files
    with pytest.raises(KeyError):
        PieceStore(tmp_path, "work, version 2").load(1)
    kept.clear()
    with pytest.raises(KeyError):
        kept.load(1)
    assert list(tmp_path.iterdir()) == []


def test_damaged_pieces_are_done_again(tmp_path: Path) -> None:
    kept = PieceStore(tmp_path, "work")
    for n in range(4):
        kept.save(n, -n)
    damages: list[Callable[[bytes], bytes]] = [
        lambda data: data[:-1],
        lambda data: b"",
        lambda data: data[:40] + b"x" + data[41:],
    ]
    files = sorted(kept.folder.iterdir())
    for path, damage in zip(files, damages, strict=False):
        path.write_bytes(damage(path.read_bytes()))
    found = run(square, [0, 1, 2, 3], Serial(), store=kept)
    assert sum(n < 0 or n == 0 for n in found) >= 1
    assert sorted(map(abs, found))[-1] in (3, 9)
    whole = [n for n in range(4) if found[n] != square(n)]
    assert len(whole) <= 1


def test_a_piece_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OutputError, match=r"cannot keep a finished piece in .*file"):
        run(square, [1], Serial(), store=PieceStore(tmp_path / "file", "work"))


def test_where_to_work() -> None:
    assert place() == Serial()
    assert place(3) == Processes(3)
    with pytest.raises(InputError, match="0 jobs"):
        place(0)
    with pytest.raises(InputError, match="'nonsense://x': write the address of a scheduler"):
        place(cluster="nonsense://x")


def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pegwise\[cluster\]'"):
        Cluster("tcp://127.0.0.1:1")


# a real scheduler and real workers, over TCP


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    pytest.importorskip("distributed")
    started = Machines(tmp_path)
    try:
        yield started
    finally:
        started.close()


def done_by(folder: Path) -> set[str]:
    return {path.name.partition("-")[2] for path in folder.iterdir()}


def test_a_cluster_whose_workers_come_and_go(machines: Machines, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    first = machines.add_worker()
    pieces = [(n, str(notes)) for n in range(24)]
    happened: list[str] = []

    def watch(step: Progress) -> None:
        if step.done >= 3 and not happened:
            machines.add_worker()
            happened.append("joined")
        if step.done >= 8 and len(done_by(notes)) == 2 and len(happened) == 1:
            first.kill()
            happened.append("killed")

    assert run(slow, pieces, Cluster(machines.address), report=watch) == list(range(24))
    assert happened == ["joined", "killed"]
    assert len(done_by(notes)) == 2


def test_a_piece_that_kills_its_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    machines = Machines(tmp_path)
    try:
        machines.add_worker()
        with pytest.raises(WorkersLost, match=r"workers at tcp://.* died .* 0 of 1 pieces"):
            run(die, [1], Cluster(machines.address))
    finally:
        machines.close()


def test_errors_come_through_a_cluster(machines: Machines) -> None:
    machines.add_worker()
    with pytest.raises(ZeroDivisionError, match="three"):
        run(fail, [1, 2, 3], Cluster(machines.address))


def test_a_scheduler_that_is_lost(machines: Machines, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    machines.add_worker()
    pieces = [(n, str(notes)) for n in range(20)]
    kept = PieceStore(tmp_path / "kept", "slow work")

    def watch(step: Progress) -> None:
        if step.done >= 4:
            machines.scheduler.kill()

    where = Cluster(machines.address, patience=3)
    with pytest.raises(WorkersLost, match=r"cluster at tcp://127.* is gone; \d+ of 20 .* kept"):
        run(slow, pieces, where, store=kept, report=watch)
    finished = len(list(kept.folder.iterdir()))
    assert 4 <= finished < 20
    before = done_by(notes)
    assert run(slow, pieces, Processes(2), store=kept) == list(range(20))
    again = [path for path in notes.iterdir() if path.name.partition("-")[2] not in before]
    assert len(again) == 20 - finished


def test_a_piece_that_nobody_wants_any_more_is_told_so(machines: Machines, tmp_path: Path) -> None:
    machines.add_worker()
    notes = tmp_path / "notes"
    notes.mkdir()
    steps = run_in_steps(until_unwanted, [str(notes)], Cluster(machines.address))
    for _ in steps:
        if (notes / "begun").exists():
            break
    assert not (notes / "told").exists()
    steps.close()
    end = time.monotonic() + 30
    while not (notes / "told").exists():
        assert time.monotonic() < end
        time.sleep(0.1)
    # the worker is free for others at once
    assert run(square, [3], Cluster(machines.address)) == [9]


def test_where_nobody_tells_a_piece_runs_to_its_end() -> None:
    stop = threading.Event()
    with set_when_cancelled(stop):
        assert not stop.wait(0.01)


def test_nobody_there() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WorkersLost, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9", patience=1)


def test_places_travel() -> None:
    assert pickle.loads(pickle.dumps(Processes(2))) == Processes(2)
    assert cluster.__doc__


def test_a_race_and_a_tree_on_a_cluster(
    machines: Machines, tmp_path: Path, run_program: Callable[..., str]
) -> None:
    """The same bytes as here, from the command line."""
    machines.add_worker()
    machines.add_worker()
    tree = ["tree", "4x7", "-s", "first", "--format", "csv"]
    here = run_program(*tree)
    assert here.count("\n") > 2000
    assert run_program(*tree, "--cluster", machines.address) == here
    race = ["race", "6x9", "-s", "sampling:keep=2000,sample=200,pool=20", "--games", "400"]
    results = [
        json.loads(run_program(*race, "--json", *more))["results"]
        for more in ([], ["--cluster", machines.address], ["--jobs", "2"])
    ]
    for found in results:
        del found[0]["seconds"]
    assert results[0] == results[1] == results[2]


@pytest.fixture
def run_program(tmp_path: Path) -> Callable[..., str]:
    """Run the real program; what it prints."""

    def run_it(*arguments: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", "pegwise", *arguments],
            env=os.environ | {"PEGWISE_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    return run_it
