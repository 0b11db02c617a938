"""`pegwise serve`: it starts, is refused in a sentence, stops cleanly, and loses nothing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from benchmarks import load
from uvicorn.server import ServerState

from pegwise.arena import race
from pegwise.cli.main import main
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.strategies import parse
from pegwise.web.connections import limited_protocol
from pegwise.web.settings import Settings
from tests.programs import PATIENCE, until


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["--port", "70000"], {}, "--port '70000': give a whole number from 0 to 65,535"),
        (["--port", "web"], {}, "--port 'web'"),
        (["--port", "{taken}"], {}, "Address already in use; choose another --port"),
        (["--host", "no.such.host.invalid"], {}, "cannot listen at 'no.such.host.invalid:8000'"),
        (["--host", "192.0.2.1"], {}, "cannot listen at '192.0.2.1:8000'"),
        ([], {"PEGWISE_HOME": "{file}/home"}, "no data can be kept in '"),
        (
            [],
            {"PEGWISE_HOME": "{file}", "PEGWISE_DATABASE_URL": "sqlite:///{file}.sqlite"},
            "(File exists): set PEGWISE_HOME to a directory",
        ),
        ([], {"PEGWISE_DATABASE_URL": "nonsense"}, "cannot read PEGWISE_DATABASE_URL"),
    ],
)
def test_it_is_refused_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    environment: dict[str, str],
    words: str,
) -> None:
    (tmp_path / "file").touch()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        places = {"file": tmp_path / "file", "taken": listener.getsockname()[1]}
        arguments = [text.format(**places) for text in arguments or ["--port", "0"]]
        monkeypatch.setattr(sys, "argv", ["pegwise", "serve", *arguments])
        for name, value in {"PEGWISE_HOME": str(tmp_path), **environment}.items():
            monkeypatch.setenv(name, value.format(**places))
        with pytest.raises(SystemExit) as ended:
            main()
    out, err = capfd.readouterr()
    assert (ended.value.code, out) == (2, "")
    (line,) = err.splitlines()
    assert words in line


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)],
)
def test_it_starts_and_stops_cleanly(
    tmp_path: Path, number: int, request: pytest.FixtureRequest
) -> None:
    """By a signal to its whole group, as of Ctrl-C, while it computes and its workers start."""
    # the workers import nothing from the folder where the program is started
    (tmp_path / "html.py").write_text("raise SystemExit('the wrong html')")
    program = "import sys; del sys.path[0]; from pegwise.cli.main import main; main()"
    # fewer files than connections below, of which the server allows itself more
    few = "from resource import RLIMIT_NOFILE as f, getrlimit as g, setrlimit as s; "
    program = few + "s(f, (60, g(f)[1])); " + program
    serving = subprocess.Popen(
        [sys.executable, "-c", program, "serve", "--port", "0"],
        cwd=tmp_path,
        env=os.environ | {"PEGWISE_HOME": str(tmp_path), "PEGWISE_PATIENCE": "6"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    request.addfinalizer(serving.kill)
    assert serving.stdout is not None
    line = serving.stdout.readline()
    address = re.fullmatch(r"pegwise is at (http://127\.0\.0\.1:\d+) \(Ctrl-C stops it\)\n", line)
    assert address, line
    with (
        httpx2.Client(base_url=address[1], timeout=PATIENCE) as client,
        ThreadPoolExecutor() as threads,
    ):
        assert_half_open_connections_end(int(address[1].rpartition(":")[2]))
        # a client that sends all before it reads learns what was too large
        refusal = client.post("/api/games", content=b" " * 10_000_000)
        assert refusal.status_code == 413
        assert "at most 1,048,576 bytes" in refusal.text
        # from now on the client is connected
        assert client.get("/api/compiling").status_code == 200
        asked = threads.submit(client.post, "/api/decode", json={"rules": "6x9", "history": []})
        with pytest.raises(TimeoutError):
            asked.result(0.2)
        os.killpg(serving.pid, number)
        out, err = serving.communicate(timeout=PATIENCE)
        assert (serving.returncode, out, err) == (0, "", "")
        answer = asked.result().json()  # what can be computed before the end is answered
        assert "count" in answer or answer == {
            "detail": "the server stops: ask again when it is back"
        }


def assert_half_open_connections_end(port: int) -> None:
    """Requests that are begun and never ended do not keep others out: of this machine only."""
    begun: tuple[bytes, ...]
    begun = (b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /api/games HTTP/1.1\r\n")
    begun += (b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{",)
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            for _ in range(60)
        ]
        for number, half_open in enumerate(sockets):
            half_open.sendall(begun[number % 4])
        assert (
            httpx2.get(f"http://127.0.0.1:{port}/favicon.ico", timeout=PATIENCE).status_code == 200
        )
        for half_open in sockets:
            with suppress(ConnectionError):
                assert half_open.recv(1) == b""  # the server has closed it


HEADER = b"GET / HTTP/1.1\r\nHost: x\r\nX-a: "
CHUNKED = b"POST /api/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
"""What may be followed by bytes that belong to no body."""


@pytest.mark.slow
def test_endless_headers_do_not_stop_the_server(tmp_path: Path) -> None:
    server = load.Server(tmp_path, PEGWISE_JOBS="1")
    ended = threading.Event()
    refused: Counter[bytes] = Counter()

    def send(begin: bytes) -> None:
        """One endless request after the other."""
        while not ended.is_set():
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as sending:
                with suppress(OSError):
                    sending.sendall(begin)
                    while not ended.is_set():
                        sending.sendall(b"a" * 65536)
                    return
                with suppress(OSError):
                    refused[sending.recv(12)] += 1

    try:
        with ThreadPoolExecutor(4) as threads:
            begins = [HEADER, HEADER, b"GET /", CHUNKED + b"0\r\nX-a: "]
            for begin in begins:
                threads.submit(send, begin)
            waited = []
            for _ in range(5):
                begun = time.perf_counter()
                page = httpx2.get(f"{server.url}/favicon.ico", timeout=PATIENCE)
                waited.append(time.perf_counter() - begun)
                assert page.status_code == 200
            ended.set()
        assert sorted(waited)[2] < 1
        assert refused[b"HTTP/1.1 431"]
        assert set(refused) <= {b"HTTP/1.1 431", b""}
    finally:
        server.end(signal.SIGTERM)


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ([b"GET / HTTP/1.1\r\nHost: x\r\n", b"X-a: " + b"a" * 60_000, b"\r\n\r\n"], False),
        ([HEADER, b"a" * 70_000], True),
        ([b"GET /" + b"a" * 70_000], True),
        ([b"\r\n" * 40_000], True),
        ([HEADER + b"\r\n\r\n", HEADER, b"a" * 70_000], True),  # of a later request
        ([CHUNKED + b"1;", b"a" * 70_000], True),
        ([CHUNKED + b"0\r\nX-a: ", b"a" * 70_000], True),
        ([CHUNKED, *[b"5000\r\n" + b"a" * 0x5000 + b"\r\n"] * 9, b"0\r\n\r\n"], False),
        ([CHUNKED, b"1\r\na\r\n" * 50_000, b"0\r\n\r\n"], False),
    ],
)
def test_what_comes_before_a_body_is_limited(sent: list[bytes], refused: bool) -> None:
    protocol = limited_protocol(Settings(Path()))

    async def send() -> bool:
        config = uvicorn.Config(nothing, http=protocol)
        transport = Transport("192.0.2.1")
        connection = protocol(config, ServerState(), {})  # type: ignore[call-arg]
        connection.connection_made(transport)
        for data in sent:
            connection.data_received(data)
        connection.connection_lost(None)
        return transport.written.startswith(b"HTTP/1.1 431") or bool(transport.aborted)

    async def nothing(_scope: Any, _receive: Any, _send: Any) -> None:
        """Answer nothing."""

    assert asyncio.run(send()) == refused


def test_an_address_has_so_many_connections() -> None:
    settings = Settings(Path(), connections=10)
    protocol = limited_protocol(settings)

    async def connect() -> tuple[int, int]:
        state = ServerState()
        config = uvicorn.Config(lambda *_: None, http=protocol)
        made = [protocol(config, state, {}) for _ in range(14)]  # type: ignore[call-arg]
        transports = [Transport("192.0.2.1" if k < 12 else "192.0.2.2") for k in range(14)]
        for each, transport in zip(made, transports, strict=True):
            each.connection_made(transport)
        aborted = sum(transport.aborted for transport in transports)
        for each in made[:5]:  # they end, and others may come
            each.connection_lost(None)
        late = Transport("192.0.2.1")
        protocol(config, state, {}).connection_made(late)  # type: ignore[call-arg]
        return aborted, late.aborted

    assert asyncio.run(connect()) == (2, 0)


class Transport(asyncio.Transport):
    """A connection from an address, as far as a protocol asks about it."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1), "sockname": ("192.0.2.9", 80)})
        self.aborted = 0
        self.written = b""

    def abort(self) -> None:
        self.aborted += 1

    def close(self) -> None:
        """Nothing is open."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def write_eof(self) -> None:
        """Nothing is open."""

    def pause_reading(self) -> None:
        """Nothing is read."""

    def resume_reading(self) -> None:
        """Nothing is read."""


@pytest.mark.slow
def test_nothing_is_lost_when_it_is_killed(tmp_path: Path) -> None:
    """Acknowledged turns are there after a new start, and races go on."""
    server = load.Server(tmp_path, PEGWISE_JOBS="1")
    body = {"rules": "3x5", "strategies": ["first", "knuth"], "speed": 1}
    race_id = httpx2.post(f"{server.url}/api/races", json=body, timeout=PATIENCE).json()["id"]

    def view(query: str = "") -> Any:
        return httpx2.get(f"{server.url}/api/races/{race_id}{query}", timeout=PATIENCE).json()

    try:
        until(lambda: view()["lanes"][0]["games"])
        for seconds in (1, 10, 60):  # in which a busy machine answers something
            tally = asyncio.run(load.run(server, players=3, seconds=seconds, kill=True))
            assert tally.problems == []
            if any(tally.games.values()):
                break
        assert any(tally.games.values())
        after = view()
        assert after["state"] == "running"
        assert 1 <= after["lanes"][0]["games"] < 125
        ended = until(lambda: (now := view("?speed=0"))["state"] == "over" and now)
        expected = race(board_game(Rules.parse("3x5")), [parse("first"), parse("knuth")]).standings
        totals = [
            sum(k * n for k, n in enumerate(entrant["histogram"], 1)) for entrant in ended["lanes"]
        ]
        assert totals == [standing.total for standing in expected]
    finally:
        server.end(signal.SIGTERM)
