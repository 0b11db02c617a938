"""Commands on a real scheduler and real workers over TCP: answers as here, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegwise._version import __version__
from pegwise.compute import backends
from pegwise.game import game_of
from pegwise.search.beam.search import BeamSearch
from pegwise.search.exact.optimal import find_optimum
from pegwise.trees.store import to_bytes
from tests.cli.running import Run, refused
from tests.clusters import Machines
from tests.programs import Start, ended, pieces, until

LONG = ("optimal", "4x7")
GOOD = ("optimal", "4x7", "--effort", "2")
SHORT = ("tree", "3x4", "-s", "first", "--format", "csv")


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler and a worker for all tests that leave them alone."""
    pytest.importorskip("distributed")
    started = Machines(tmp_path_factory.mktemp("machines"))
    try:
        started.add_worker()
        started.worker_address()  # it has joined
        yield started
    finally:
        started.close()


# the same as on one machine


@pytest.mark.slow
def test_a_protocol(machines: Machines, run: Run, home: Path) -> None:
    drawn = ("--games", "60", "--played", "2")
    race = ("race", "--protocol", "marechal-rastoix", "-s", "first", *drawn, "--json")
    documents = []
    for more in (["--jobs", "1"], ["--cluster", machines.address]):
        documents.append(json.loads(run(*race, *more).text()))
        for races in documents[-1]["races"]:
            for standing in races["results"]:
                del standing["seconds"], standing["played"]["seconds"]
    assert documents[0] == documents[1]
    assert len(documents[0]["races"]) == 5


# stopped, lost, and taken up again


@pytest.fixture(scope="module")
def expected() -> dict[tuple[str, ...], bytes]:
    """The trees that commands store when nothing happens."""
    good = BeamSearch(game_of("4x7"), stages=2)
    good.run()
    trees = {LONG: find_optimum("4x7").tree, GOOD: good.result().tree}
    return {command: to_bytes(tree) for command, tree in trees.items() if tree is not None}


@pytest.mark.slow
def test_stopped_by_the_user(
    machines: Machines, start: Start, tmp_path: Path, expected: dict[tuple[str, ...], bytes]
) -> None:
    """The same command continues with what is stored, and ends as if nothing had been."""
    home, file = tmp_path / "home", tmp_path / "best.tree"
    search = (*LONG, "-o", str(file), "--cluster", machines.address)
    stopped = start(*search)
    until(lambda: len(pieces(home)) >= 8, stopped)
    stopped.send_signal(signal.SIGINT)
    status, out, said = ended(stopped)
    assert status == 130
    assert "no tree has less than" in out
    assert said[-1] == "Interrupted; the same command continues with 4x7."
    assert len(pieces(home)) >= 8
    status, out, said = ended(start(*search))
    assert status == 0
    assert "(proven, verified)" in out
    assert said[0].startswith("Resumed from the checkpoint ")
    assert file.read_bytes() == expected[LONG]
    assert not pieces(home)


@pytest.mark.slow
def test_a_worker_and_a_scheduler_that_are_lost(
    machines: Machines, start: Start, tmp_path: Path, expected: dict[tuple[str, ...], bytes]
) -> None:
    """A worker costs only time; without the scheduler, what is finished is stored."""
    home, file = tmp_path / "home", tmp_path / "best.tree"
    search = (*GOOD, "-o", str(file), "--cluster")
    lost = Machines(tmp_path / "lost")
    try:
        worker = lost.add_worker()
        lost.add_worker()
        searching = start(*search, lost.address)
        until(lambda: len(pieces(home)) > 4, searching)
        worker.kill()
        before = len(pieces(home))
        until(lambda: len(pieces(home)) > before, searching)
        lost.scheduler.kill()
        status, out, said = ended(searching)
        assert status == 2
        assert "(not proven, verified)" in out
        assert said[-1].startswith(f"pegwise: the cluster at {lost.address} no longer answers; ")
        assert "finished and kept" in said[-1]
    finally:
        lost.close()
    assert ended(start(*search, machines.address, "--force"))[0] == 0
    assert file.read_bytes() == expected[GOOD]
    assert not pieces(home)


# what is at the address


@pytest.mark.slow
def test_work_waits_for_the_first_worker(start: Start, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    alone = Machines(tmp_path / "alone")
    try:
        waiting = start(*SHORT, "--cluster", alone.address)
        assert waiting.stderr is not None
        assert waiting.stderr.readline() == (
            f"No worker has joined {alone.address} yet; work begins when one does.\n"
        )
        assert waiting.poll() is None, ended(waiting)
        alone.add_worker()
        assert ended(waiting) == ended(start(*SHORT))
    finally:
        alone.close()


ADDRESSES = {
    "nonsense": "cluster 'nonsense': write the address of a scheduler, such as tcp://10.0.0.1:8786",
    "": "cluster '': write the address of a scheduler, such as tcp://10.0.0.1:8786",
    "http://127.0.0.1:8787": (
        "cluster 'http://127.0.0.1:8787': write the address of a scheduler, such as "
        "tcp://10.0.0.1:8786"
    ),
    "tls://127.0.0.1:8786": (
        "cluster 'tls://127.0.0.1:8786': no certificate is configured; Dask reads it from its "
        "settings distributed.comm.tls"
    ),
    "tcp://127.0.0.1:9": "no Dask scheduler answers at tcp://127.0.0.1:9",
}


@pytest.mark.slow
def test_addresses_without_a_scheduler(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(backends, "PATIENCE", 0.5)
    commands = (
        ("optimal", "4x4"),
        ("optimal", "4x4", "--effort", "1"),
        ("records", "--prove", "4x4"),
        ("race", "4x4"),
        ("race", "--protocol", "marechal-rastoix"),
    )
    for command, (address, sentence) in zip(commands, ADDRESSES.items(), strict=True):
        assert run(*command, "--cluster", address) == (2, "", f"pegwise: {sentence}\n")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        mute = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        sentence = f"pegwise: no Dask scheduler answers at {mute}\n"
        assert run(*SHORT, "--cluster", mute) == (2, "", sentence)


@pytest.mark.slow
def test_the_address_of_a_worker(machines: Machines, run: Run) -> None:
    worker = machines.worker_address()
    said = f"cluster '{worker}': a worker answers there; write the address of the scheduler"
    assert refused(run("optimal", "4x4", "--cluster", worker)) == f"pegwise: {said}"


@pytest.mark.slow
def test_workers_of_another_version(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    package = tmp_path / "pegwise"
    package.mkdir()
    (package / "__init__.py").write_text('__version__ = "0.0.1"\n')
    information = tmp_path / "pegwise-0.0.1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: pegwise\nVersion: 0.0.1\n")
    older = Machines(tmp_path / "older", before=tmp_path)
    try:
        said = f"install pegwise {__version__} for the scheduler and for every worker"
        ended = run("optimal", "4x4", "--cluster", older.address)
        assert refused(ended) == f"pegwise: cluster '{older.address}': {said}"
    finally:
        older.close()


@pytest.mark.slow
def test_over_tls_as_the_page_says(
    run: Run, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the certificate works there; nobody else reaches the scheduler."""
    pytest.importorskip("distributed")
    if shutil.which("openssl") is None and not os.environ.get("CI"):
        pytest.skip("no openssl")
    page = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text("utf-8")
    (command,) = re.findall(r"^    (openssl .*\\\n .*)$", page, re.MULTILINE)
    (settings,) = re.findall(r"^```yaml\n(distributed:\n.*?)^```$", page, re.M | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(backends, "PATIENCE", 5.0)
    subprocess.run(command, shell=True, check=True, capture_output=True)
    file = tmp_path / "tls.yaml"
    file.write_text(settings, "utf-8")
    machines = Machines(tmp_path, tls=file)
    try:
        assert machines.address.startswith("tls://")
        machines.add_worker()
        machines.worker_address()  # it has joined
        said = refused(run(*SHORT, "--cluster", machines.address))
        assert "no certificate is configured" in said
        plain = machines.address.replace("tls://", "tcp://")
        said = refused(run(*SHORT, "--cluster", plain))
        assert said == f"pegwise: no Dask scheduler answers at {plain}"
        alone = ended(start(*SHORT))
        monkeypatch.setenv("DASK_CONFIG", str(file))
        assert ended(start(*SHORT, "--cluster", machines.address)) == alone
    finally:
        machines.close()
