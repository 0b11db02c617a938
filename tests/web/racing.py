"""How races are run in the tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from starlette.testclient import TestClient

from pegwise.game import Rules
from pegwise.web.jobs import ClaimedJob
from pegwise.web.race.store import Races
from pegwise.web.race.worker import prepare
from pegwise.web.services import do_job
from pegwise.web.settings import Settings
from pegwise.web.storage import JobRow, Storage


def begun(
    storage: Storage,
    names: Sequence[str],
    rules: str = "3x4",
    games: int | None = None,
    seed: int = 0,
    speed: float = 0.0,
    *,
    timed: bool = False,
) -> tuple[Races, str]:
    """A race of a new client that nobody computes yet."""
    races = Races(storage)
    race = prepare(Rules.parse(rules), names, games, seed)
    return races, races.begin(uuid4().hex, [race], speed, timed=timed)[0]


def lane_ids(storage: Storage, race_id: str) -> list[str]:
    """The jobs of a race."""
    with storage.read() as session:
        jobs = session.query(JobRow).filter_by(race_id=race_id).order_by(JobRow.place)
        return [job.id for job in jobs]


def work_at(storage: Storage, settings: Settings, job_id: str) -> None:
    """Do a job in this process, as a worker does."""
    with storage.write() as session:
        job = session.get_one(JobRow, job_id)
        job.state, job.runner = "running", "test"
    do_job(storage, settings, ClaimedJob(job_id, "test", 0.0))


def start(client: TestClient, strategies: Sequence[str], **options: Any) -> dict[str, Any]:
    """A race over the API."""
    body = {"rules": "3x4", "strategies": list(strategies), "speed": 0, **options}
    answer = client.post("/api/races", json=body)
    assert answer.status_code == 201, answer.text
    race: dict[str, Any] = answer.json()
    return race


def until(look: Callable[[], Any], seconds: float = 240.0) -> Any:
    """What a look finds, once that is something; new kernels may have to be compiled first."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if seen := look():
            return seen
        time.sleep(0.02)
    raise AssertionError("nothing came of it in time")
