"""The same on a real PostgreSQL server."""

from __future__ import annotations

import os
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
from pegwise.web.settings import Settings
from pegwise.web.storage import Base, ConflictError, Storage
from tests.web import postgres
from tests.web.playing import begin, guess


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    programs = postgres.find_programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL must be installed here: see .ci/run")
        pytest.skip("PostgreSQL is not installed")
    with postgres.server(programs) as url:
        yield url


@pytest.fixture
def settings(url: str, tmp_path: Path) -> Settings:
    return Settings(tmp_path, database_url=url, rate=0)


def test_several_servers_may_begin_at_once(settings: Settings) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Storage, [settings] * 4))
    with opened[0].engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    for storage in opened:
        storage.close()


def test_a_turn_is_played_once_whoever_sends_it(settings: Settings) -> None:
    storages = [Storage(settings) for _ in range(2)]
    game = games.begin(storages[0], GameRequest(hints=False))

    def play(number: int) -> str:
        try:
            code = "AABB" if number % 4 < 2 else "CCDD"
            turn = Turn(parse_code(code, game.rules), Mark(0, 1))
            return str(games.add_turn(storages[number % 2], game, turn).turns[0].guess)
        except ConflictError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(play, range(16)))
    (turn,) = games.find(storages[0], game.id).turns
    assert answers == {str(turn.guess), f"turn 1 was {turn.guess} already; turn 2 is next"}
    for storage in storages:
        storage.close()


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
