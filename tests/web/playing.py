"""Visitors who play games and begin races over the API; races that are run without a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from starlette.testclient import TestClient

from pegwise.arena.games import EntrantGames
from pegwise.game import game_of
from pegwise.web.job_kinds import do_job
from pegwise.web.race import races
from pegwise.web.race.worker import prepare
from pegwise.web.settings import Settings
from pegwise.web.storage import JobRow, PieceRow, RaceRow, Storage


def sent(*turns: str) -> list[dict[str, Any]]:
    """Turns as a request sends them."""
    pairs = (turn.split("=") for turn in turns)
    return [{"guess": guess, "mark": mark} for guess, mark in pairs]


def visitor(client: TestClient) -> TestClient:
    """Another visitor of the same application, with a session."""
    another = TestClient(client.app)
    another.portal = client.portal
    assert another.get("/words").status_code == 200
    return another


def begin(client: TestClient, rules: str = "4x6", **options: Any) -> dict[str, Any]:
    """A new game."""
    answer = client.post("/api/games", json={"rules": rules, **options})
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    return game


def guess(client: TestClient, game: dict[str, Any], code: str) -> dict[str, Any]:
    """The game after its next guess."""
    number = len(game["turns"]) + 1
    answer = client.post(f"/api/games/{game['id']}/turns", json={"guess": code, "turn": number})
    assert answer.status_code == 200, answer.text
    after: dict[str, Any] = answer.json()
    return after


def refused(answer: Any, status: int = 422) -> str:
    """The one sentence that a request was refused with."""
    assert answer.status_code == status, answer.text
    document = answer.json()
    assert set(document) == {"detail"}
    sentence: str = document["detail"]
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


def begun(
    storage: Storage,
    names: Sequence[str],
    rules: str = "3x4",
    games: int | None = None,
    seed: int = 0,
    speed: float = 0.0,
    *,
    timed: bool = False,
) -> str:
    """A race of a new client that nobody computes yet."""
    race = prepare(game_of(rules), names, games, seed)
    return races.begin(storage, uuid4().hex, [race], speed, timed=timed)[0]


def played(
    storage: Storage, settings: Settings, names: Sequence[str], *args: Any, **options: Any
) -> str:
    """A race whose strategies have played in this process."""
    race_id = begun(storage, names, *args, **options)
    work_at(storage, settings, *job_ids(storage, race_id))
    return race_id


def job_ids(storage: Storage, race_id: str) -> list[str]:
    """The jobs of a race."""
    with storage.read() as session:
        return [job.id for job in session.get_one(RaceRow, race_id).jobs]


def work_at(storage: Storage, settings: Settings, *job_ids: str) -> None:
    """Do jobs in this process, as a worker does."""
    for job_id in job_ids:
        with storage.write() as session:
            job = session.get_one(JobRow, job_id)
            job.state, job.lease = "running", "test"
        do_job(storage, settings, job_id, "test")


def unfinish(storage: Storage, race_id: str, place: int = 0, state: str = "running") -> str:
    """As if a worker had died after the third piece; the race gets the state. The job."""
    with storage.write() as session:
        race = session.get_one(RaceRow, race_id)
        job = race.jobs[place]
        pieces = session.query(PieceRow).filter_by(job_id=job.id).order_by(PieceRow.number).all()
        assert len(pieces) > 3
        for piece in pieces[3:]:
            session.delete(piece)
        job.state, job.pieces, job.result, race.state = "waiting", 3, None, state
        job.done = len(EntrantGames(piece.data for piece in pieces[:3]))
        return job.id


def start_race(client: TestClient, strategies: Sequence[str], **options: Any) -> dict[str, Any]:
    """A race over the API."""
    body = {"rules": "3x4", "strategies": list(strategies), "speed": 0, **options}
    answer = client.post("/api/races", json=body)
    assert answer.status_code == 201, answer.text
    race: dict[str, Any] = answer.json()
    return race
