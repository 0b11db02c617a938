"""Pieces of work on a real Dask scheduler with real workers, over TCP."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from pegwise.arena.race import Race
from pegwise.compute.backends import Cluster, Serial, WorkersLost, set_when_cancelled
from pegwise.compute.pieces import run
from pegwise.errors import StrategyError
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.progress import Progress, run_until
from pegwise.strategies import load
from pegwise.trees import build
from pegwise.trees.build import build_in_pieces
from tests.clusters import Machines
from tests.programs import PATIENCE


@pytest.fixture(scope="module", autouse=True)
def _distributed() -> None:
    pytest.importorskip("distributed")  # imported only where these tests run


def square(n: int) -> int:
    return n * n


def fail(n: int) -> int:
    raise ZeroDivisionError(f"piece {n}")


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def until_cancelled(notes: str) -> None:
    stop = threading.Event()
    with set_when_cancelled(stop):
        (Path(notes) / "begun").touch()
        if stop.wait(100):
            (Path(notes) / "cancelled").touch()


def slow(piece: tuple[int, str]) -> int:
    """Take a while until somebody was killed, and leave a note of who did it."""
    number, folder = piece
    if not Path(folder).with_name("killed").exists():
        time.sleep(0.2)
    (Path(folder) / f"{number}-{os.getpid()}").touch()
    return number


def done_by(folder: Path) -> set[str]:
    return {path.name.partition("-")[2] for path in folder.iterdir()}


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler with two workers, for the tests that leave them alone."""
    started = Machines(tmp_path_factory.mktemp("machines"))
    try:
        started.add_worker()
        started.add_worker()
        yield started
    finally:
        started.close()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    """A scheduler with a worker."""
    started = Machines(tmp_path / "machines")
    try:
        started.add_worker()
        yield started
    finally:
        started.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.mark.slow
def test_workers_join_and_die(machines: Machines, notes: Path) -> None:
    pieces = [(n, str(notes)) for n in range(100)]
    events: list[str] = []

    def watch(step: Progress) -> None:
        if step.done >= 3 and not events:
            machines.add_worker()
            events.append("joined")
        if step.done >= 8 and len(done_by(notes)) == 2 and len(events) == 1:
            machines.workers[0].kill()
            events.append("killed")
            notes.with_name("killed").touch()

    assert run(slow, pieces, Cluster(machines.address), report=watch) == list(range(100))
    assert events == ["joined", "killed"]


@pytest.mark.slow
def test_errors_come_through(lasting: Machines) -> None:
    with pytest.raises(ZeroDivisionError, match="piece"):
        run(fail, [1, 2, 3], Cluster(lasting.address))


@pytest.fixture
def one_death(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler gives a piece up whose worker died."""
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")


@pytest.mark.slow
@pytest.mark.usefixtures("one_death")
def test_a_piece_that_brings_its_workers_down(machines: Machines) -> None:
    with pytest.raises(WorkersLost, match=r"workers at tcp://.* 0 of 1 pieces"):
        run(die, [1], Cluster(machines.address))


@pytest.mark.slow
def test_a_cancelled_piece_is_told_so(lasting: Machines, notes: Path) -> None:
    work = partial(run, until_cancelled, [str(notes)], Cluster(lasting.address))
    assert run_until(lambda report: work(report=report), lambda _: (notes / "begun").exists())
    end = time.monotonic() + PATIENCE
    while not (notes / "cancelled").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    # the worker is free for others at once
    assert run(square, [3], Cluster(lasting.address)) == [9]


@pytest.mark.slow
def test_no_scheduler() -> None:
    with pytest.raises(WorkersLost, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9", patience=1)


@pytest.mark.slow
def test_a_race_and_a_tree_are_the_same_as_in_one_process(lasting: Machines) -> None:
    where, game = Cluster(lasting.address), board_game(Rules.parse("4x6"))
    tree = build_in_pieces(game, load("first"), where)
    assert np.array_equal(tree.nodes.guess, build(game, load("first")).nodes.guess)
    depths = []
    for place in (Serial(), where):
        race = Race("4x6", ["sampling:keep=100,sample=20,pool=5"], games=201, where=place)
        race.run()
        depths += [depths.tolist() for depths in race.depths.values()]
    assert depths[0] == depths[1]


@pytest.mark.slow
def test_a_file_races_on_a_cluster_and_a_program_is_refused(
    lasting: Machines, tmp_path: Path
) -> None:
    """As here: also what it does not find, and why."""
    file = tmp_path / "ends.py"
    file.write_text(
        "def ends(candidates):\n    1 / (len(candidates) > 5)\n    return candidates[0]\n"
    )
    for games in (None, 40):
        results = [
            Race("3x4", [str(file)], games=games, where=place).run()
            for place in (Serial(), Cluster(lasting.address))
        ]
        (here, there) = (each.standings[0] for each in results)
        assert (here.histogram, here.failure) == (there.histogram, there.failure)
        assert "ZeroDivisionError" in str(there.failure)
    with pytest.raises(StrategyError):
        Race("3x4", ["program:cat", "first"], where=Cluster(lasting.address))
    file.write_text("import aid\n\n\ndef ends(candidates):\n    return aid.first(candidates)\n")
    (tmp_path / "aid.py").write_text("def first(candidates):\n    return candidates[0]\n")
    with pytest.raises(StrategyError, match="aid"):
        Race("3x4", [str(file)], where=Cluster(lasting.address))
