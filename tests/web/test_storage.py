"""The database: its form, what it keeps, and how it is refused."""

from __future__ import annotations

import json
import os
import pwd
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from pegwise.errors import InputError, OutputError
from pegwise.game import Mark, Turn, game_of, parse_code
from pegwise.paths import home
from pegwise.web import games, jobs
from pegwise.web.app import create_app
from pegwise.web.games import GameRequest
from pegwise.web.job_kinds import do_job
from pegwise.web.race import races
from pegwise.web.race.worker import prepare, prepare_protocol, race_results
from pegwise.web.settings import Settings
from pegwise.web.storage import Base, ConflictError, Storage, TurnRow
from tests.programs import PATIENCE
from tests.web.playing import begin, begun, guess, unfinish, work_at

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


def differences(connection: Any) -> list[Any]:
    """Where the tables of a database differ from those of the program."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    own = {"include_name": lambda name, kind, _: (kind, name) != ("table", "schema_version")}
    return list(compare_metadata(MigrationContext.configure(connection, opts=own), Base.metadata))


def test_an_earlier_database_gets_the_tables_of_a_new_one(
    storage: Storage, written_before: Settings
) -> None:
    for opened in (storage, Storage(written_before), Storage(written_before)):
        with opened.engine.connect() as connection:
            assert differences(connection) == []


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
        view = games.find(storage, game["id"]).view().model_dump(mode="json", by_alias=True)
        assert same_keys(view, game) == game
    for view in expected["races"]:
        if view["state"] == "paused":  # by its page from now on
            assert (
                races.view(storage, view["id"], clock=view["lanes"][0]["guesses"]).entrants[0].games
            )
            continue
        assert (
            same_keys(races.view(storage, view["id"]).model_dump(mode="json", by_alias=True), view)
            == view
        )
    race_id, lost = expected["races"][0]["id"], expected["secret"]["secret"]
    read = races.games_of(storage, race_id, lost).model_dump(mode="json")
    assert same_keys(read, expected["secret"]) == expected["secret"]
    standings = race_results(races.results(storage, race_id)).standings
    assert [[s.strategy, s.total, s.worst] for s in standings] == expected["standings"]


def test_a_race_of_an_earlier_version_goes_on(written_before: Settings) -> None:
    storage = Storage(written_before)
    race_id = "MNRqEXh2hDMOzsS0Baya"

    def depths() -> list[int]:
        races._cache.clear()  # as in a new server
        (entrant,) = races._read(storage, race_id, None)[2]
        return entrant.played.depths.tolist()

    whole = depths()
    job_id = unfinish(storage, race_id)
    assert len(depths()) < len(whole) == 64
    work_at(storage, written_before, job_id)
    assert depths() == whole


@pytest.mark.slow
def test_the_races_of_a_protocol_are_one_and_go_together(storage: Storage) -> None:
    def series(rules: str = "") -> list[str]:
        made = (
            [prepare(game_of(rules), ["first"], None, 0)]
            if rules
            else prepare_protocol("marechal-rastoix", 2)
        )
        ids = races.begin(storage, "client", made, 0.0, player="somebody")
        for race_id in ids:
            races.stop(storage, race_id, "somebody")
        return ids

    first, single, second = series(), series("2x2"), series()
    listed = races.begun_by(storage, "somebody")
    assert [[race.id for race in own.races] for own in listed] == [second, single, first]
    protocols = [own.protocol for own in listed]
    assert [each and each.id for each in protocols] == [
        "marechal-rastoix",
        None,
        "marechal-rastoix",
    ]
    assert listed[1].address == f"/race/{single[0]}"
    assert parse_qs(urlsplit(listed[0].address).query) == {"race": second}
    assert [(own.ended, own.over, own.share) for own in listed] == [(True, False, 0.0)] * 3
    for _ in range(4):
        series()
    # thirty are stored: with the race of a protocol that gives way go its others
    stored = {race.id for own in races.begun_by(storage, "somebody") for race in own.races}
    assert not stored & set(first)
    assert {*single, *second} <= stored


def test_a_write_is_complete_or_not_at_all(storage: Storage) -> None:
    game = games.begin(storage, GameRequest(hints=False))
    turn = {"guess": "AABB", "mark": "-"}
    with pytest.raises(IntegrityError), storage.write() as session:
        session.add(TurnRow(game_id=game.id, number=1, **turn))
        session.flush()
        session.add(TurnRow(game_id="nobody", number=1, **turn))
    assert games.find(storage, game.id).turns == ()
    with storage.read() as session:  # which survives a kill
        assert session.execute(text("PRAGMA journal_mode")).scalar() == "wal"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "cannot read PEGWISE_DATABASE_URL 'nonsense'"),
        ("mysql://somebody:secret@here/x", "'mysql://somebody:***@here/x' is not a database"),
        ("sqlite://", "is not a database for pegwise"),
        (
            "postgres://somebody:secret@127.0.0.1:1/none",
            "cannot use the database 'postgresql+psycopg://somebody:***@127.0.0.1:1/none'",
        ),
    ],
)
def test_wrong_urls_are_refused_in_a_sentence(tmp_path: Path, url: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        Storage(Settings(tmp_path, database_url=url))
    sentence = str(refused.value)
    assert words in sentence
    assert "secret" not in sentence
    assert "\n" not in sentence


def test_a_file_that_is_no_database_of_ours_is_refused(tmp_path: Path) -> None:
    storage = Storage(Settings(tmp_path))
    with storage.write() as session:
        session.execute(text("UPDATE schema_version SET form = 'future'"))
    storage.close()
    with pytest.raises(OutputError):  # of a newer version
        Storage(Settings(tmp_path))
    for file in tmp_path.iterdir():
        file.unlink()
    (tmp_path / "web.sqlite").write_text("hello " * 1000)
    with pytest.raises(OutputError, match=r"web\.sqlite': file is not a database"):
        Storage(Settings(tmp_path))


@pytest.mark.slow
def test_a_damaged_file_is_refused_in_a_sentence_or_read(tmp_path: Path) -> None:
    Storage(Settings(tmp_path)).close()
    file = tmp_path / "web.sqlite"
    whole = file.read_bytes()
    draw, refused = random.Random(1), 0
    for _ in range(100):
        damaged = bytearray(whole)
        for _ in range(draw.choice([5, 200])):
            damaged[draw.randrange(100, 8192)] ^= 1 << draw.randrange(8)
        file.write_bytes(damaged)
        try:
            Storage(Settings(tmp_path)).close()
        except OutputError:
            refused += 1
    assert refused
    file.write_bytes(whole.replace(b"tableturns", b"tablet\xb3rns"))
    with pytest.raises(OutputError):
        Storage(Settings(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_the_files_of_a_database_are_for_their_user_alone(tmp_path: Path) -> None:
    def permissions(storage: Storage) -> set[int]:
        with storage.write() as session:
            session.execute(text("UPDATE schema_version SET form = form"))
            files = [file for file in tmp_path.iterdir() if ".sqlite" in file.name]
            assert len(files) == 3
            return {stat.S_IMODE(file.stat().st_mode) for file in files}

    before = os.umask(0o022)
    try:
        storage = Storage(Settings(tmp_path))
        assert permissions(storage) == {0o600}
        for file in tmp_path.iterdir():
            file.chmod(0o644)  # as earlier versions made them
        assert permissions(Storage(Settings(tmp_path))) == {0o600}
        for file in tmp_path.iterdir():
            file.unlink()
        named = Settings(tmp_path, database_url=f"sqlite:///{tmp_path}/own.sqlite")
        assert permissions(Storage(named)) == {0o600}
    finally:
        os.umask(before)


def test_sites_that_may_frame_pages_are_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGWISE_FRAME", "https://moodle.example, https://LMS.example:8443/")
    framed_by = Settings.from_environment().frame
    assert framed_by == ("https://moodle.example", "https://lms.example:8443")
    for wrong in ("moodle.example", "http://moodle.example", "https://a.example/moodle", "*"):
        for several in (wrong, f"https://moodle.example, {wrong}", f"{wrong}; script-src *"):
            monkeypatch.setenv("PEGWISE_FRAME", several)
            with pytest.raises(InputError, match=r"PEGWISE_FRAME='.*': .* https://moodle.example"):
                Settings.from_environment()


@pytest.mark.parametrize(
    ("name", "text", "limits"),
    [
        ("PEGWISE_RATE", "many", "0 to 1e"),
        ("PEGWISE_WORKERS", "0", "1 to 64"),
        ("PEGWISE_WORKERS", "2.5", "1 to 64"),  # not rounded
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


# The same on a real PostgreSQL server, which runs on a socket in a folder.


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of an empty database."""
    installed = [shutil.which("initdb"), *Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    programs = [Path(program).resolve().parent for program in installed if program]
    if not programs:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL must be installed here: see .ci/run")
        pytest.skip("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="pegwise-pg-") as folder:
        as_user: dict[str, Any] = {}
        if not os.getuid():  # it refuses to be run by root
            users = {user.pw_name: user for user in pwd.getpwall()}
            user = users.get("postgres") or users["nobody"]
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

        def call(program: str, *arguments: str) -> None:
            subprocess.run(
                [programs[0] / program, "-D", f"{folder}/data", *arguments],
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
                timeout=PATIENCE,
                **as_user,
            )

        call("initdb", "-U", "pegwise", "-A", "trust", "-N")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        call("pg_ctl", "start", "-w", "-l", f"{folder}/log", "-o", options)
        try:
            yield f"postgresql://pegwise@/postgres?host={folder}"
        finally:
            call("pg_ctl", "stop", "-m", "immediate")


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


def test_a_new_database_of_postgresql_has_the_tables(servers: list[Storage]) -> None:
    with servers[0].engine.connect() as connection:
        assert differences(connection) == []


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
    race_id = begun(servers[0], ["knuth", "first", "parts"])
    with ThreadPoolExecutor(4) as pool:
        claims = [claim for claim in pool.map(jobs.claim, servers) if claim]
    leases = [str(claim.lease) for claim in claims]
    assert len({claim.id for claim in claims}) == len(leases) == 3
    assert jobs.renew(servers[0], leases) == set(leases)
    for claim, lease in zip(claims, leases, strict=True):
        do_job(servers[1], settings, claim.id, lease)
    assert [entrant.state for entrant in races.view(servers[0], race_id).entrants] == ["done"] * 3


@pytest.mark.slow
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
