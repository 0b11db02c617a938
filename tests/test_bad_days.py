"""Signals, dead workers, too little memory, full disks and read-only folders, done for real."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from pegwise.cli.main import main
from pegwise.cli.memory import lacks_memory
from pegwise.cli.progress import progress_bar
from pegwise.compute.machine import memory_allowed, taken_memory
from pegwise.errors import InputError
from pegwise.progress import Progress
from pegwise.trees import load_tree
from pegwise.trees.verify import verify
from tests.cli.running import terminal
from tests.programs import PATIENCE, Start, ended, pieces, until

IN_PIECES = ("tree", "4x7", "-s", "first", "--jobs", "2", "--format", "csv")


def strategies(out: str) -> dict[str, dict[str, Any]]:
    return {row["strategy"]: row for row in json.loads(out)["results"]}


@pytest.fixture(scope="module")
def expected() -> str:
    """What `IN_PIECES` writes when nothing happens."""
    alone = [*IN_PIECES[:4], *IN_PIECES[6:]]
    return subprocess.check_output([sys.executable, "-m", "pegwise", *alone], text=True)


# signals


@pytest.mark.slow
def test_a_race_that_is_killed_keeps_who_has_finished(start: Start, tmp_path: Path) -> None:
    race = ("race", "4x12", "-s", "first", "-s", "random", "--jobs", "1", "--json")
    first = start(*race)
    until(lambda: pieces(tmp_path / "home"), first)
    first.kill()
    assert ended(first)[0] == -signal.SIGKILL
    (path,) = pieces(tmp_path / "home")
    stored = path.read_bytes()
    status, out, err = ended(start(*race))
    assert (status, err) == (0, [])
    assert list(strategies(out)) == ["first", "random"]
    # the seconds of the first run: nothing was played again
    assert f'"seconds": {strategies(out)["first"]["seconds"]}'.encode() in stored
    assert not pieces(tmp_path / "home")


@pytest.mark.slow
def test_pieces_outlive_who_asked_and_a_worker_costs_only_time(
    expected: str, start: Start, tmp_path: Path
) -> None:
    first = start(*IN_PIECES)
    until(lambda: len(pieces(tmp_path / "home")) > 1, first)
    first.send_signal(signal.SIGTERM)
    status, out, err = ended(first)
    assert (status, out, len(err)) == (143, "", 1)
    assert "the same command continues" in err[0]
    assert pieces(tmp_path / "home")
    if not Path("/proc/self/task").is_dir():
        pytest.skip("processes cannot be looked up here")
    second = start(*IN_PIECES)
    until(lambda: workers(second.pid), second)
    os.kill(workers(second.pid)[0], signal.SIGKILL)
    assert ended(second) == (0, expected, [])
    assert not pieces(tmp_path / "home")


LONG = [
    *("optimal 5x7 --search --fresh", "race 6x9 -s knuth --jobs 1", "tree 6x9 -s entropy"),
    *("static 4x9 --search --fresh", "value 5x6 --search --fresh", "puzzle --count 366 --level 5"),
]
"""Commands that take minutes, or never end."""


def seconds(process: int) -> float:
    """Processor time that a process has taken."""
    return float(psutil.Process(process).cpu_times().user)


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("commands", [LONG[:2], pytest.param(LONG[2:], marks=pytest.mark.slow)])
def test_signals_close_together_stop_every_command(start: Start, commands: list[str]) -> None:
    """As `timeout` sends them, to a program and then to its group."""
    running = [start(*command.split()) for command in commands]
    until(lambda: all(seconds(process.pid) > 1 for process in running), *running)
    for k, process in enumerate(running):
        number = (signal.SIGINT, signal.SIGTERM)[k % 2]
        for pause in (0, 0, 0.001, 0.01, 0.05)[: 2 + k % 4]:
            time.sleep(pause)
            process.send_signal(number)
    for k, process in enumerate(running):
        status, _, err = ended(process)
        assert status == (130, 143)[k % 2], (commands[k], err)


SIGNALLED = """
import os, runpy, signal, sys

def send(event, arguments):
    if event == "import" and arguments[0] == {module!r}:
        os.kill(os.getpid(), {number})

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.addaudithook(send)
sys.argv = ["pegwise", "strategies"]
runpy.run_module("pegwise", run_name="__main__")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize(
    "module", ["pegwise.cli.main", "click", "pegwise.i18n", "pegwise.strategies"]
)
def test_a_signal_while_the_program_starts(module: str) -> None:
    number = signal.SIGTERM if module == "click" else signal.SIGINT
    code = SIGNALLED.format(module=module, number=int(number))
    program = [sys.executable, "-c", code]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 128 + number
    assert len(done.stderr.strip().splitlines()) <= 1


@pytest.mark.slow
def test_workers_end_with_who_started_them(start: Start, tmp_path: Path) -> None:
    asker = start(*IN_PIECES)
    until(lambda: pieces(tmp_path / "home"), asker)
    asker.kill()
    # its streams are closed when the last of them is gone
    asker.communicate(timeout=PATIENCE)


def workers(asker: int) -> list[int]:
    """Worker processes of a process: children of the process from which they are forked."""
    return [worker for forker in children(asker) for worker in children(forker)]


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


# memory


@pytest.mark.slow
def test_work_that_takes_more_than_estimated_is_stopped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        memory_allowed(taken_memory() + (64 << 20)),
        progress_bar("much") as report,
    ):
        held = [np.ones(64 << 20, np.uint8) for _ in range(4)]
        assert len(held) == 4
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            report(Progress(0))
            time.sleep(0.01)
    assert capsys.readouterr().err.startswith("stopped: ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited in other ways")
@pytest.mark.parametrize(
    ("mebibytes", "command"),
    [
        (200, "race 5x7 -s knuth"),  # libraries cannot be loaded
        (400, "race 5x7 -s knuth"),  # the compiler would end the process
        (450, "race 5x7 -s knuth"),  # threads that run what is compiled would end it
        (300, "optimal 4x6 --search --fresh"),
    ],
)
def test_too_little_memory_is_one_sentence(mebibytes: int, command: str, tmp_path: Path) -> None:
    import resource

    limit = mebibytes << 20
    done = subprocess.run(
        [sys.executable, "-m", "pegwise", *command.split()],
        env=os.environ | {"PEGWISE_HOME": str(tmp_path), "PEGWISE_LANG": "en"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Compiling")]
    assert (done.returncode, len(lines)) == (2, 1)
    assert lines[0].startswith("pegwise: memory is used up: ")


def test_an_error_has_the_reason_that_it_names() -> None:
    """What listens at an address may answer anything: Dask then asks for endless memory."""

    def answered(told: bool) -> InputError:
        try:
            try:
                raise MemoryError
            except MemoryError as error:
                raise InputError("nobody answers") from (error if told else None)
        except InputError as error:
            return error

    assert lacks_memory(answered(told=True))
    assert not lacks_memory(answered(told=False))


# disks


@contextmanager
def disk(path: Path, options: str) -> Iterator[Path]:
    """A small file system of its own, mounted there; skips where that is not allowed."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], capture_output=True, check=False)


@pytest.mark.slow
def test_a_full_disk_keeps_what_was_finished(expected: str, start: Start, tmp_path: Path) -> None:
    with disk(tmp_path / "small", "size=16k") as home:
        status, out, err = ended(start(*IN_PIECES, home=home))
        assert (status, out) == (2, "")
        assert err[0].startswith("pegwise: cannot keep a finished piece in ")
        assert err[0].endswith(": No space left on device")
        assert pieces(home)
        resize = ["mount", "-o", "remount,size=16m", str(home)]
        subprocess.run(resize, check=True)
        assert ended(start(*IN_PIECES, home=home)) == (0, expected, [])
        assert not pieces(home)


@pytest.mark.parametrize(
    ("command", "running", "answer"),
    [
        (
            "optimal 4x9 --search -o best.tree",
            "first guesses",
            "4x9: best total so far (not proven, verified)",
        ),
        pytest.param(
            *("value 5x5 --search", "trees value", "5x5: the value of the game is not known yet"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_full_disk_shows_what_was_found_before_it_is_told(
    command: str, running: str, answer: str, tmp_path: Path
) -> None:
    with disk(tmp_path / "small", "size=4k") as home:
        (home / "other").write_bytes(bytes(4096))
        environment = {"PEGWISE_HOME": str(home), "PEGWISE_LANG": "en"}
        with terminal(tmp_path, *command.split(), environment=environment) as shown:
            shown.sees(running)
            shown.child.kill(signal.SIGINT)
            assert shown.leaves() == 2
        text = shown.text
        assert text.index("Interrupted") < text.index(answer)
        told = " ".join(text[text.index("pegwise: ") :].split())  # a terminal has short lines
        assert told.startswith(f"pegwise: cannot write the checkpoint '{home}/checkpoints/")
        assert told.endswith(": No space left on device")
        assert [path.name for path in home.rglob("*") if path.is_file()] == ["other"]
    if "-o" in command:
        tree = load_tree(tmp_path / "best.tree")
        assert verify(tree).valid


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that takes nothing, not even from the one who may everything."""
    folder = tmp_path / "read-only"
    if os.geteuid() == 0:
        with disk(folder, "size=16k,ro"):
            yield folder
    else:
        folder.mkdir(mode=0o500)
        yield folder


@pytest.mark.slow
def test_a_read_only_home_is_told_where_something_is_to_be_kept(
    start: Start, read_only: Path, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("cat\n")
    status, out, err = ended(start("words", "add", "animals", str(words), home=read_only))
    assert (status, out) == (2, "")
    (sentence,) = err
    assert sentence.startswith(f"pegwise: no data can be kept in '{read_only}' (Read-only")


NAME = "a" * 300


@pytest.fixture(params=["proc", "file", "read-only", "long"])
def unusable(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder for a user's data that cannot be made, or takes nothing."""
    if request.param == "read-only":
        folder: Path = request.getfixturevalue("read_only")
        return folder
    (tmp_path / "file").touch()
    folders = {"proc": Path("/proc/pegwise"), "file": tmp_path / "file", "long": tmp_path / NAME}
    return folders[request.param]


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
@pytest.mark.parametrize(
    ("line", "keeps"),
    [
        ("race 2x3 -s first", False),
        ("race 2x3 -s {file}", False),
        ("race 2x3 --secrets 2", False),
        ("tree 2x3 -s first", False),
        ("tree 2x3 -s {file}", False),
        ("candidates 2x3 AB=O", False),
        ("optimal 2x3 --search", False),
        ("value 2x3 --search", False),
        ("static 2x3 --search", False),
        ("bounds 2x3", False),
        ("storage", False),
        ("words", False),
        ("words add animals {words}", True),
        ("serve --port 0", True),
    ],
)
def test_a_home_that_cannot_be_used_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    unusable: Path,
    line: str,
    keeps: bool,
) -> None:
    """By each command that keeps something; others do without, or say the same."""
    (tmp_path / "own.py").write_text("def own(candidates):\n    return candidates[0]\n")
    (tmp_path / "words.txt").write_text("cat\n")
    line = line.format(file=tmp_path / "own.py", words=tmp_path / "words.txt")
    monkeypatch.setenv("PEGWISE_HOME", str(unusable))
    with pytest.raises(SystemExit) as ended_by:
        main(shlex.split(line))
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    if ended_by.value.code != 0 or keeps:
        assert (ended_by.value.code, out) == (2, "")
        assert err.splitlines()[-1].startswith("pegwise: no data can be kept in '")


@pytest.mark.slow
def test_a_read_only_home_hinders_nobody_else(expected: str, start: Start, read_only: Path) -> None:
    """What is stored for a later run only is not needed."""
    assert ended(start(*IN_PIECES, home=read_only)) == (0, expected, [])
