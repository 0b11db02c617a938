"""`pegwise serve`: it starts, is refused in a sentence, stops cleanly, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks import load

from tests.web.serving import run_serve


def test_help_has_an_example(tmp_path: Path) -> None:
    ended = run_serve(tmp_path, "--help")
    assert ended.returncode == 0
    assert "Example: pegwise serve --port 8080" in ended.stdout


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield int(listener.getsockname()[1])


def refused(ended: subprocess.CompletedProcess[str]) -> str:
    """The one sentence with which it ended."""
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--port", "70000"], "--port '70000': give a whole number from 0 to 65535"),
        (["--port", "web"], "--port 'web'"),
        (["--host", "no.such.host.invalid"], "cannot listen at 'no.such.host.invalid:8000'"),
        (["--host", "192.0.2.1"], "cannot listen at '192.0.2.1:8000'"),
    ],
)
def test_wrong_addresses_are_refused(tmp_path: Path, arguments: list[str], words: str) -> None:
    assert words in refused(run_serve(tmp_path, *arguments))


def test_a_port_that_is_taken_is_refused(tmp_path: Path, taken: int) -> None:
    line = refused(run_serve(tmp_path, "--port", str(taken)))
    assert f"cannot listen at '127.0.0.1:{taken}': Address already in use" in line
    assert "choose another --port" in line


def test_a_home_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = refused(run_serve(tmp_path / "file" / "home", "--port", "0"))
    assert "cannot make the directory" in line
    assert "PEGWISE_HOME" in line


@pytest.mark.parametrize("url", ["nonsense", "postgresql://me:word@127.0.0.1:1/none"])
def test_a_wrong_database_is_refused(tmp_path: Path, url: str) -> None:
    line = refused(run_serve(tmp_path, "--port", "0", PEGWISE_DATABASE_URL=url))
    assert "database" in line.lower()
    assert "word" not in line


def start(home: Path) -> tuple[subprocess.Popen[str], str]:
    """The command as it serves, and its address."""
    serving = subprocess.Popen(
        [sys.executable, "-m", "pegwise", "serve", "--port", "0"],
        env=os.environ | {"PEGWISE_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert serving.stdout is not None
    line = serving.stdout.readline()
    found = re.fullmatch(r"pegwise is at (http://127\.0\.0\.1:\d+) \(Ctrl-C stops it\)\n", line)
    assert found, line
    return serving, found[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_and_stops_cleanly(tmp_path: Path, number: int) -> None:
    serving, address = start(tmp_path)
    with urllib.request.urlopen(f"{address}/", timeout=60) as page:
        assert "<title>" in page.read().decode()
    serving.send_signal(number)
    out, err = serving.communicate(timeout=30)
    assert (serving.returncode, out, err) == (0, "", "")


def test_a_client_that_sends_all_before_it_reads_learns_what_was_too_large(tmp_path: Path) -> None:
    serving, address = start(tmp_path)
    try:
        sent = urllib.request.Request(f"{address}/api/games", b" " * 10_000_000)
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(sent, timeout=60)
        assert refusal.value.code == 413
        assert "at most 1,048,576 bytes" in refusal.value.read().decode()
    finally:
        serving.terminate()
        serving.communicate(timeout=30)


def test_no_acknowledged_turn_is_lost_when_it_is_killed(tmp_path: Path) -> None:
    server = load.Server(tmp_path)
    try:
        tally = asyncio.run(load.run(server, players=10, seconds=5, kill=True))
    finally:
        server.end(signal.SIGTERM)
    assert tally.problems == []
    assert any(tally.games.values())
