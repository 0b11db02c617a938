"""Jobs: done by processes that may die, be paused, take too long, or lose their server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from pegwise.arena import race
from pegwise.game import mastermind
from pegwise.strategies import parse
from pegwise.web.jobs import MAX_TRIES, Foreman, tick
from pegwise.web.race_results import results_of
from pegwise.web.races import Races
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage
from pegwise.web.tables import JobRow, PieceRow, RaceRow
from tests.web.racing import begun, lane_ids, until, work_at


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "home", jobs=2)


@pytest.fixture
def storage(settings: Settings) -> Iterator[Storage]:
    storage = Storage(settings)
    yield storage
    storage.close()


@pytest.fixture
def foreman(settings: Settings, storage: Storage) -> Iterator[Foreman]:
    foreman = Foreman(settings, storage)
    yield foreman
    foreman.close()


def states(races: Races, race_id: str) -> list[str]:
    return [lane["state"] for lane in races.view(race_id)["lanes"]]


def finish(foreman: Foreman, races: Races, race_id: str) -> None:
    """Let a foreman work until a race is over."""

    def stepped() -> bool:
        foreman.step()
        return bool(races.view(race_id)["state"] == "over")

    until(stepped)


@pytest.mark.parametrize("games", [None, 40])
@pytest.mark.parametrize("name", ["knuth", "first", "random", "greenwell", "marechal-rastoix-1"])
def test_a_lane_plays_what_the_arena_plays(
    storage: Storage, settings: Settings, name: str, games: int | None
) -> None:
    rules = "4x6" if name == "greenwell" else "3x5"
    races, race_id = begun(storage, [name], rules, games, seed=3)
    work_at(storage, settings, lane_ids(storage, race_id)[0])
    tick(storage)
    found = results_of(races.results(race_id)).standings[0]
    strategy = parse(found.strategy)
    expected = race(mastermind(rules), [strategy], games=games, seed=3).standings[0]
    assert found.histogram == expected.histogram
    assert (found.total, found.worst, found.interval) == (
        expected.total,
        expected.worst,
        expected.interval,
    )


def test_a_board_too_large_to_list_is_raced_on_drawn_games(
    storage: Storage, settings: Settings
) -> None:
    races, race_id = begun(storage, ["marechal-rastoix-1"], "13x13", games=4, seed=1)
    work_at(storage, settings, lane_ids(storage, race_id)[0])
    tick(storage)
    lane = races.view(race_id)["lanes"][0]
    assert (lane["state"], lane["games"]) == ("done", 4)
    assert lane["game"]["turns"][-1]["mark"] == "X" * 13


def test_work_goes_on_from_the_last_piece(storage: Storage, settings: Settings) -> None:
    races, race_id = begun(storage, ["first"], "4x5")
    job_id = lane_ids(storage, race_id)[0]
    work_at(storage, settings, job_id)
    tick(storage)
    whole = races.results(race_id)["lanes"][0]["depths"]
    with storage.write() as session:  # as if it had died after the third piece
        kept = session.query(PieceRow).filter_by(job_id=job_id).order_by(PieceRow.number).all()
        assert len(kept) > 3
        for piece in kept[3:]:
            session.delete(piece)
        job = session.get_one(JobRow, job_id)
        job.state, job.pieces, job.result = "waiting", 3, None
        session.get_one(RaceRow, race_id).state = "running"
    work_at(storage, settings, job_id)
    tick(storage)
    again = Races(storage, type(races._memory)()).results(race_id)["lanes"][0]["depths"]
    assert again.tolist() == whole.tolist()


def test_processes_do_the_jobs_side_by_side(storage: Storage, foreman: Foreman) -> None:
    races, race_id = begun(storage, ["knuth", "first", "entropy"])
    finish(foreman, races, race_id)
    assert states(races, race_id) == ["done"] * 3
    assert len(foreman._workers) == 2  # as many as may be; one of them did two jobs


def test_a_job_is_given_to_one_process_only(storage: Storage, foreman: Foreman) -> None:
    begun(storage, ["knuth", "first", "entropy"])
    foreman.step()
    first = {worker.job_id: worker.runner for worker in foreman._workers}
    assert len(first) == 2  # as many as may be, each with a job of its own
    for _ in range(3):
        foreman.step()
        busy = [worker.job_id for worker in foreman._workers if worker.job_id]
        assert len(set(busy)) == len(busy)
        with storage.read() as session:
            running = session.query(JobRow).filter_by(state="running").all()
        assert all(job.runner == first.get(job.id, job.runner) for job in running)


def test_a_process_that_dies_is_followed_by_another(storage: Storage, foreman: Foreman) -> None:
    races, race_id = begun(storage, ["knuth"])
    foreman.step()
    foreman._workers[0].process.kill()
    foreman._workers[0].process.join()
    finish(foreman, races, race_id)
    assert states(races, race_id) == ["done"]


def test_a_job_whose_processes_die_again_and_again_fails_with_a_sentence(
    storage: Storage, foreman: Foreman
) -> None:
    races, race_id = begun(storage, ["knuth"])
    for _ in range(MAX_TRIES):
        foreman.step()
        for worker in foreman._workers:
            worker.process.kill()
            worker.process.join()
    foreman.step()
    lane = races.view(race_id)["lanes"][0]
    assert lane["state"] == "failed"
    assert "ended by signal 9, 3 times" in lane["problem"]


def test_what_takes_too_long_is_ended_with_a_sentence(tmp_path: Path) -> None:
    settings = Settings(tmp_path, jobs=1, job_seconds=0.01)
    storage = Storage(settings)
    foreman = Foreman(settings, storage)
    races, race_id = begun(storage, ["knuth"])
    finish(foreman, races, race_id)
    lane = races.view(race_id)["lanes"][0]
    assert lane["state"] == "failed"
    assert "longer than 0.01 seconds" in lane["problem"]
    foreman.close()
    storage.close()


def test_a_strategy_that_cannot_play_fails_with_its_sentence(
    storage: Storage, settings: Settings
) -> None:
    races, race_id = begun(storage, ["greenwell"], "3x4")
    work_at(storage, settings, lane_ids(storage, race_id)[0])
    lane = races.view(race_id)["lanes"][0]
    assert lane["state"] == "failed"
    assert "greenwell" in lane["problem"]
    french = races.view(race_id, "fr")["lanes"][0]["problem"]
    assert "greenwell" in french
    assert french != lane["problem"]


def test_a_paused_race_is_left_and_gone_on_with(storage: Storage, foreman: Foreman) -> None:
    races, race_id = begun(storage, ["first"])
    races.change(race_id, "pause")
    assert not foreman.step()
    assert states(races, race_id) == ["paused"]
    races.change(race_id, "resume")
    finish(foreman, races, race_id)


def test_work_at_a_stopped_race_is_left(storage: Storage, settings: Settings) -> None:
    races, race_id = begun(storage, ["first"], "4x6")
    races.change(race_id, "stop")
    work_at(storage, settings, lane_ids(storage, race_id)[0])  # leaves when it first looks
    assert races.view(race_id)["lanes"][0]["computed"] < 1296


def test_a_job_of_a_server_that_is_gone_is_taken_at_once(
    storage: Storage, foreman: Foreman
) -> None:
    begun(storage, ["knuth"])
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    host = foreman._name.rsplit(":", 1)[0]
    with storage.write() as session:
        session.execute(
            update(JobRow).values(state="running", runner=f"{host}:{gone.pid}:x", beat=time.time())
        )
    assert foreman._claim() is not None


def test_a_job_of_a_server_that_lives_is_left_alone(storage: Storage, foreman: Foreman) -> None:
    begun(storage, ["knuth"])
    with storage.write() as session:
        elsewhere = {"state": "running", "runner": "elsewhere:1:x"}
        session.execute(update(JobRow).values(beat=time.time(), **elsewhere))
    assert foreman._claim() is None
    with storage.write() as session:  # not heard of for a while
        session.execute(update(JobRow).values(beat=time.time() - 60))
    assert foreman._claim() is not None


def test_the_clock_shows_as_many_guesses_as_its_speed(storage: Storage, settings: Settings) -> None:
    races, race_id = begun(storage, ["knuth", "first"], speed=20)
    for job_id in lane_ids(storage, race_id):
        work_at(storage, settings, job_id)
    with storage.write() as session:
        session.execute(update(RaceRow).values(ticked=time.time() - 1))
    tick(storage)
    races.change(race_id, "pause")
    for lane in races.view(race_id)["lanes"]:
        playing = lane["game"]["turns"] if lane["game"] else []
        assert 18 <= lane["guesses"] + len(playing) % 10 <= 40
        assert lane["games"] == sum(lane["histogram"])
        assert lane["state"] == "paused"


def serve(home: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "pegwise", "serve", "--port", "0"],
        env=os.environ | {"PEGWISE_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    return process, next(word for word in said.split() if word.startswith("http://"))


def test_a_race_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    process, address = serve(tmp_path)
    body: dict[str, Any] = {"rules": "3x5", "strategies": ["knuth", "first"], "speed": 10}
    race_id = httpx2.post(f"{address}/api/races", json=body, timeout=60).json()["id"]

    def view(address: str) -> Any:
        return httpx2.get(f"{address}/api/races/{race_id}", timeout=60).json()

    until(lambda: view(address)["lanes"][0]["games"] >= 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process, address = serve(tmp_path)
    try:
        after = view(address)
        assert after["state"] == "running"
        assert 2 <= after["lanes"][0]["games"] < 125
        httpx2.post(f"{address}/api/races/{race_id}/speed", json={"speed": 0}, timeout=60)
        ended = until(lambda: (found := view(address))["state"] == "over" and found)
        expected = race(mastermind("3x5"), [parse("knuth"), parse("first")]).standings
        totals = [sum(k * n for k, n in enumerate(lane["histogram"], 1)) for lane in ended["lanes"]]
        assert totals == [standing.total for standing in expected]
    finally:
        process.terminate()
        process.wait(timeout=20)
