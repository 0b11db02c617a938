"""The database: its form, what it keeps, and how it is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from pegwise.errors import InputError, OutputError
from pegwise.paths import home
from pegwise.web import games
from pegwise.web.games import GameRequest
from pegwise.web.race.store import Races
from pegwise.web.race.worker import race_results
from pegwise.web.settings import Settings
from pegwise.web.storage import Base, Storage, TurnRow, database_url
from tests.web.racing import unfinish, work_at

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(Settings(tmp_path / "home"))


@pytest.fixture
def written_before(tmp_path: Path) -> Settings:
    """A database that commit d8b2eba has written."""
    database = sqlite3.connect(tmp_path / "web.sqlite")
    database.executescript((DATA / "web-d8b2eba.sql").read_text())
    database.close()
    return Settings(tmp_path)


def test_an_earlier_database_gets_the_tables_of_a_new_one(
    storage: Storage, written_before: Settings
) -> None:
    for opened in (storage, Storage(written_before), Storage(written_before)):
        with opened.engine.connect() as connection:
            context = MigrationContext.configure(connection)
            assert compare_metadata(context, Base.metadata) == []
            assert context.get_current_revision() == "0006"


def same_keys(value: Any, before: Any) -> Any:
    """A document without the keys that were added to it."""
    if isinstance(before, dict):
        return {key: same_keys(value[key], item) for key, item in before.items()}
    if isinstance(before, list):
        return [same_keys(*items) for items in zip(value, before, strict=True)]
    return value


def test_a_database_of_an_earlier_version_is_read(written_before: Settings) -> None:
    expected = json.loads((DATA / "web-d8b2eba.json").read_text())
    storage = Storage(written_before)
    for game in expected["games"]:
        if game["record"] and game["max_guesses"]:  # noted as given up where it was lost
            game["record"] = game["record"].replace("given up", "lost")
        view = games.find(storage, game["id"]).view().model_dump(mode="json")
        assert same_keys(view, game) == game
    races = Races(storage)
    for view in expected["races"]:
        assert same_keys(races.view(view["id"]).model_dump(mode="json"), view) == view
    race_id, lost = expected["races"][0]["id"], expected["secret"]["secret"]
    assert races.games_of(race_id, lost).model_dump(mode="json") == expected["secret"]
    standings = race_results(races.results(race_id)).standings
    assert [[s.strategy, s.total, s.worst] for s in standings] == expected["standings"]


def test_a_race_of_an_earlier_version_goes_on(written_before: Settings) -> None:
    storage = Storage(written_before)
    race_id = "MNRqEXh2hDMOzsS0Baya"

    def depths() -> list[int]:
        (lane,) = Races(storage)._read(race_id)[1]
        return lane.played.depths.tolist()  # type: ignore[no-any-return]

    whole = depths()
    job_id = unfinish(storage, race_id)
    assert len(depths()) < len(whole) == 64
    work_at(storage, written_before, job_id)
    assert depths() == whole


def test_a_write_is_complete_or_not_at_all(storage: Storage) -> None:
    game = games.begin(storage, GameRequest(hints=False))
    turn = {"guess": "AABB", "mark": "-"}
    with pytest.raises(IntegrityError), storage.write() as session:
        session.add(TurnRow(game_id=game.id, number=1, **turn))
        session.flush()
        session.add(TurnRow(game_id="nobody", number=1, **turn))
    assert games.find(storage, game.id).turns == ()


def test_sqlite_keeps_a_log_that_survives_a_kill(storage: Storage) -> None:
    with storage.read() as session:
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.execute(text("PRAGMA foreign_keys")).scalar() == 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "cannot read PEGWISE_DATABASE_URL 'nonsense'"),
        ("mysql://somebody:secret@here/x", "'mysql://somebody:***@here/x' is no database"),
        ("sqlite://", "is no database for pegwise"),
        ("postgresql://somebody:secret@127.0.0.1:1/none", "cannot use the database"),
    ],
)
def test_wrong_urls_are_refused_in_a_sentence(tmp_path: Path, url: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        Storage(Settings(tmp_path, database_url=url))
    sentence = str(refused.value)
    assert words in sentence
    assert "secret" not in sentence
    assert "\n" not in sentence


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "web.sqlite").write_text("hello " * 1000)
    with pytest.raises(OutputError, match=r"web\.sqlite': file is not a database"):
        Storage(Settings(tmp_path))


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    storage = Storage(Settings(tmp_path))
    with storage.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'future'"))
    storage.close()
    with pytest.raises(OutputError, match="future"):
        Storage(Settings(tmp_path))


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        ("postgresql://a@b/c", "postgresql+psycopg"),
        ("postgres://a@b/c", "postgresql+psycopg"),
        ("sqlite:///x.db", "sqlite+pysqlite"),
    ],
)
def test_urls_name_their_driver(tmp_path: Path, text: str, driver: str) -> None:
    assert database_url(Settings(tmp_path, database_url=text)).drivername == driver


@pytest.mark.parametrize(
    ("name", "text", "limits"),
    [
        ("PEGWISE_RATE", "many", "0 to 1e"),
        ("PEGWISE_WORKERS", "0", "1 to 64"),
        ("PEGWISE_SECONDS", "nan", "0.1 to 3600"),
    ],
)
def test_settings_are_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, limits: str
) -> None:
    monkeypatch.setenv("PEGWISE_JOBS", "5")
    assert Settings.from_environment() == Settings(home(), jobs=5)
    monkeypatch.setenv(name, text)
    with pytest.raises(InputError, match=f"{name}='{text}': give a number from {limits}"):
        Settings.from_environment()
