"""The same on a real PostgreSQL server, which runs on a socket in a folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from starlette.testclient import TestClient

from pegwise.game import Mark, Turn, parse_code
from pegwise.web import games
from pegwise.web.app import create_app
from pegwise.web.games import GameRequest
from pegwise.web.jobs import JobQueue
from pegwise.web.services import do_job
from pegwise.web.settings import Settings
from pegwise.web.storage import Base, ConflictError, Storage
from tests.web.playing import begin, guess
from tests.web.racing import begun


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of an empty database."""
    programs = _programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL must be installed here: see .ci/run")
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="pegwise-pg-") as name:
        folder = Path(name)
        # it refuses to be run by root
        users = {user.pw_name: user for user in pwd.getpwall()}
        user = None if os.getuid() else users.get("postgres") or users["nobody"]
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)

        def call(program: str, *arguments: str) -> None:
            subprocess.run(
                [programs / program, "-D", folder / "data", *arguments],
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
                user=None if user is None else user.pw_uid,
                group=None if user is None else user.pw_gid,
                extra_groups=None if user is None else [],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                timeout=120,
            )

        call("initdb", "-U", "pegwise", "-A", "trust", "-N")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        call("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", options)
        try:
            yield f"postgresql://pegwise@/postgres?host={folder}"
        finally:
            call("pg_ctl", "stop", "-m", "immediate")


def _programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, newest version first."""
    if program := shutil.which("initdb"):
        return Path(program).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


@pytest.fixture
def settings(url: str, tmp_path: Path) -> Settings:
    return Settings(tmp_path, database_url=url, rate=0)


@pytest.fixture
def servers(settings: Settings) -> Iterator[list[Storage]]:
    """Several servers that begin at once."""
    with ThreadPoolExecutor(4) as pool:
        servers = list(pool.map(Storage, [settings] * 4))
    yield servers
    for storage in servers:
        storage.close()


def test_a_new_database_has_the_tables(servers: list[Storage]) -> None:
    with servers[0].engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_a_turn_is_played_once_whoever_sends_it(servers: list[Storage]) -> None:
    game = games.begin(servers[0], GameRequest(hints=False))

    def play(number: int) -> str:
        try:
            code = "AABB" if number % 4 < 2 else "CCDD"
            turn = Turn(parse_code(code, game.rules), Mark(0, 1))
            return str(games.add_turn(servers[number % 2], game, turn).turns[0].guess)
        except ConflictError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(play, range(16)))
    (turn,) = games.find(servers[0], game.id).turns
    assert answers == {str(turn.guess), f"turn 1 was {turn.guess} already; turn 2 is next"}


def test_a_job_is_taken_once_whoever_asks(servers: list[Storage], settings: Settings) -> None:
    races, race_id = begun(servers[0], ["knuth", "first", "parts"])
    queues = [JobQueue(storage) for storage in servers]
    with ThreadPoolExecutor(4) as pool:
        claims = [claim for claim in pool.map(JobQueue.claim, queues) if claim]
    leases = [str(claim.runner) for claim in claims]
    assert len({claim.id for claim in claims}) == len(leases) == 3
    assert queues[0].renew(leases) == set(leases)
    for claim, lease in zip(claims, leases, strict=True):
        do_job(servers[1], settings, claim.id, lease)
    races.advance()
    assert [lane.state for lane in races.view(race_id).lanes] == ["done"] * 3


def test_games_are_played_and_found_again(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        game = guess(client, begin(client), "AABB")
        evil = guess(client, begin(client, codemaker="evil", max_guesses=1), "AABB")
        assert evil["over"]
    with TestClient(create_app(settings)) as client:
        assert client.get(f"/api/games/{game['id']}").json() == game
        over = client.post(f"/api/games/{game['id']}/give-up").json()
        assert len(over["secret"]) == 4
        assert client.get(f"/api/games/{evil['id']}").json() == evil
