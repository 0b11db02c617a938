"""Jobs: done by workers that may die, be stopped, take too long, or lose their server."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update

from pegwise.arena import games as arena_games
from pegwise.arena import race
from pegwise.errors import DamagedError
from pegwise.game import Rules, board_game, game_of, parse_code
from pegwise.kept import digest_of
from pegwise.pictures.report import race_report
from pegwise.strategies import parse
from pegwise.strategies.registry import offer
from pegwise.web import jobs
from pegwise.web.job_kinds import do_job, run_job
from pegwise.web.jobs import MAX_TRIES, JobRunner
from pegwise.web.race import races
from pegwise.web.race.worker import race_results, race_table
from pegwise.web.services import offers_by
from pegwise.web.settings import Settings
from pegwise.web.storage import JobRow, PieceRow, PieceRows, RaceRow, Storage, now
from tests.programs import bombs, until
from tests.web.playing import begun, job_ids, played, unfinish, work_at

NERDLE = str(Path(__file__).parents[2] / "examples" / "games" / "nerdle.py")
"""A game in a file, whose codes have equals signs."""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(tmp_path_factory.mktemp("home"), jobs=2)


@pytest.fixture(scope="module")
def storage(settings: Settings) -> Iterator[Storage]:
    storage = Storage(settings)
    yield storage
    storage.close()


@pytest.fixture(scope="module")
def pool(settings: Settings, storage: Storage) -> Iterator[JobRunner]:
    """Workers, whose pool is stepped by the tests."""
    pool = JobRunner(settings, storage, partial(run_job, ()))
    yield pool
    pool.close()


def finish(storage: Storage, pool: JobRunner, race_id: str) -> list[str]:
    """Step until a race is over; how its strategies ended."""

    def stepped() -> bool:
        pool.step()
        assert len(pool.running) <= 2  # as many as may be
        return races.view(storage, race_id).state == "over"

    until(stepped)
    return [entrant.state for entrant in races.view(storage, race_id).entrants]


def kill_workers(pool: JobRunner) -> None:
    """As the system does where memory is short."""
    until(lambda: all(future.running() or future.done() for future in pool.running.values()))
    for pid in pool.pids:
        os.kill(pid, signal.SIGKILL)
    until(lambda: all(future.done() for future in pool.running.values()))


@pytest.mark.parametrize("games", [None, 40])
@pytest.mark.parametrize("name", ["knuth", "first", "random", "greenwell", "marechal-rastoix-1"])
def test_an_entrant_plays_what_the_arena_plays(
    storage: Storage, settings: Settings, name: str, games: int | None
) -> None:
    rules = "4x6" if name == "greenwell" else "3x5"
    race_id = played(storage, settings, [name], rules, games, seed=3)
    entrant = race_results(races.results(storage, race_id)).standings[0]
    strategy = parse(entrant.strategy)
    expected = race(board_game(Rules.parse(rules)), [strategy], games=games, seed=3).standings[0]
    assert entrant.histogram == expected.histogram
    assert (entrant.total, entrant.worst, entrant.interval) == (
        expected.total,
        expected.worst,
        expected.interval,
    )


@pytest.mark.parametrize(
    ("rules", "name"),  # game by game, and by its tree; a board too large to list
    [
        (NERDLE, "first"),
        (NERDLE, "parts"),
        ("3x4,placed", "first"),
        ("3x4,placed", "parts"),
        ("wordle", "first"),
        ("13x13", "marechal-rastoix-1"),
    ],
)
def test_games_of_every_kind_are_stored_as_they_are_played(
    storage: Storage, settings: Settings, rules: str, name: str
) -> None:
    race_id = played(storage, settings, [name], rules, games=4)
    game = races.view(storage, race_id).entrants[0].game
    assert game is not None
    assert races.games_of(storage, race_id, game.secret).games[0].turns == game.turns
    for turn in game.turns:
        codes = [parse_code(turn.guess, rules), parse_code(game.secret, rules)]
        assert turn.mark == str(game_of(rules).mark_of(*codes))
    assert game.turns[-1].guess == game.secret
    assert race_results(races.results(storage, race_id)).standings[0].secrets == 4


def test_pieces_are_read_whole_and_never_run(
    storage: Storage, settings: Settings, tmp_path: Path
) -> None:
    race_id = played(storage, settings, ["first"], "3x5")
    (job_id,) = job_ids(storage, race_id)

    def change(**values: object) -> None:
        races._cache.clear()
        with storage.write() as session:
            first = update(PieceRow).where(PieceRow.job_id == job_id, PieceRow.number == 0)
            session.execute(first.values(**values))

    with storage.read() as session:
        rows = PieceRows(session, job_id)
        whole = bytes(rows.read("0") or b"")
        assert (rows.read("9999"), rows.get("9999"), min(rows.keys())) == (None, None, "0")
    before = races.view(storage, race_id).entrants[0].histogram
    change(digest=None)  # as version 1.0.0 has written it
    assert races.view(storage, race_id).entrants[0].histogram == before
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    exploded = tmp_path / "exploded"
    contents = [(bytes(damaged), digest_of(whole)), (b"", digest_of(b""))]
    contents += [(bomb, digest_of(bomb)) for bomb in bombs(exploded)]
    for data, digest in contents:
        change(data=data, digest=digest)
        with pytest.raises(DamagedError):
            races.view(storage, race_id)
    assert not exploded.exists()
    with storage.write() as session:
        job = session.get_one(JobRow, job_id)
        job.state = "waiting"
    with pytest.raises(DamagedError):
        work_at(storage, settings, job_id)
    with storage.write() as session:
        rows = PieceRows(session, job_id)
        rows.put("0", whole[:5], whole[5:])
        assert bytes(rows.get("0") or b"") == whole
        rows.forget("0")
        assert rows.get("0") is None and rows.keys()
        rows.forget()
        assert not rows.keys()
        session.get_one(JobRow, job_id).state = "failed"


@pytest.mark.slow
def test_a_stopped_race_gives_its_results_so_far(storage: Storage, settings: Settings) -> None:
    race_id = begun(storage, ["knuth", "first", "random"], "4x5")
    work_at(storage, settings, *job_ids(storage, race_id)[:2])
    unfinish(storage, race_id, 1, "stopped")
    results = race_results(races.results(storage, race_id))
    whole, part = results.standings
    assert (whole.secrets, whole.interval) == (625, None)
    assert 0 < part.secrets == sum(part.histogram) < 625
    assert part.interval[0] < part.mean < part.interval[1]  # type: ignore[index]
    (duel,) = results.duels  # of the games that both have played
    assert duel.first_faster + duel.second_faster + duel.ties == part.secrets
    reasons = {name: str(why) for name, why in results.skipped}
    assert reasons == {
        "first": f"stopped after {part.secrets} of 625 games",
        "random": "not finished",
    }
    report = race_report(results)
    assert f'<span class="note">{part.secrets} games' in report
    assert "<dt>random</dt><dd>not finished" in report.lower()


def test_a_stopped_race_is_not_computed(storage: Storage, pool: JobRunner) -> None:
    race_id = begun(storage, ["first"])
    races.stop(storage, race_id)
    assert not pool.step()
    assert races.view(storage, race_id).entrants[0].state == "stopped"


@pytest.mark.slow
def test_a_worker_that_dies_is_followed_by_another_a_few_times(
    storage: Storage, pool: JobRunner
) -> None:
    race_id = begun(storage, ["first", "constraint", "knuth"], "4x6")
    with storage.write() as session:
        session.get_one(JobRow, job_ids(storage, race_id)[1]).tries = MAX_TRIES - 1
    pool.step()
    assert len(pool.running) == 2  # side by side
    kill_workers(pool)
    assert finish(storage, pool, race_id) == ["done", "failed", "done"]
    problem = races.view(storage, race_id).entrants[1].problem
    assert "ended by signal 9, 3 times" in (problem or "")


@pytest.mark.slow
def test_what_fails_or_takes_too_long_says_so(
    storage: Storage, settings: Settings, pool: JobRunner
) -> None:
    race_id = begun(storage, ["greenwell"], "3x4")
    assert finish(storage, pool, race_id) == ["failed"]
    english, french = (
        races.view(storage, race_id, language).entrants[0].problem or ""
        for language in ("en", "fr")
    )
    assert "greenwell" in english
    assert "greenwell" in french
    assert "pegwise " not in english + french  # nobody types commands on a page
    assert french != english
    hasty = JobRunner(replace(settings, job_seconds=0.01), storage, partial(run_job, ()))
    race_id = begun(storage, ["first"], "4x6")
    try:
        assert finish(storage, hasty, race_id) == ["failed"]
    finally:
        hasty.close()
    assert "longer than 0.01 seconds" in (races.view(storage, race_id).entrants[0].problem or "")


@pytest.mark.slow
def test_a_timed_entrant_really_plays_what_the_arena_plays(
    storage: Storage, settings: Settings
) -> None:
    names = ["parts", "first"]  # of which the first gives way to the other one
    race_id = played(storage, settings, names, "3x5", 300, seed=3, timed=True)
    work_at(storage, settings, *job_ids(storage, race_id))
    results = race_results(races.results(storage, race_id))
    expected = race(board_game(Rules.parse("3x5")), names, games=300, seed=3).standings
    assert [entrant.histogram for entrant in results.standings] == [
        entrant.histogram for entrant in expected
    ]
    assert results.command is not None
    assert results.command.endswith("--games 300 --seed 3 --played 300")
    for entrant, shown in zip(
        results.standings, races.view(storage, race_id).entrants, strict=True
    ):
        assert entrant.played is not None
        assert entrant.played.games == 300
        assert 300 * entrant.played.seconds == pytest.approx(entrant.seconds) == shown.seconds


@pytest.mark.slow
def test_timed_entrants_take_turns_and_are_shown_at_the_same_time(
    storage: Storage, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena_games, "TIMED_PIECE", (0.1, 0.1))
    race_id = begun(storage, ["parts", "first"], "3x5", 20_000, speed=1, timed=True)
    parts, first = job_ids(storage, race_id)
    work_at(storage, settings, parts)
    with storage.write() as session:  # as the server does when a worker leaves
        session.get_one(JobRow, parts).state = "waiting"
    view = races.view(storage, race_id, clock=60.0)
    # the clock waits for the other entrant
    assert [entrant.games for entrant in view.entrants] == [0, 0]
    assert 0 < view.entrants[0].computed < 20_000
    claim = jobs.claim(storage)
    assert claim is not None
    assert claim.id == first  # which was computed least
    do_job(storage, settings, claim.id, str(claim.lease))
    view = races.view(storage, race_id, clock=60.0)
    assert view.timed
    assert 0 < view.clock < 60
    assert all(0 < entrant.games <= entrant.computed for entrant in view.entrants)
    times = [entrant.seconds for entrant in view.entrants]
    assert times == pytest.approx([min(times)] * 2)
    races.stop(storage, race_id)
    assert {s.secrets for s in race_results(races.results(storage, race_id)).standings} == {
        entrant.computed for entrant in view.entrants
    }


@pytest.mark.slow
def test_a_timed_entrant_ends_with_its_games_when_its_time_is_up(
    storage: Storage, settings: Settings
) -> None:
    short = replace(settings, job_seconds=0.1)
    race_id = played(storage, short, ["first"], "4x6", 100_000, timed=True)
    view = races.view(storage, race_id, clock=60.0)
    (entrant,) = view.entrants
    assert (view.state, entrant.state) == ("over", "done")
    assert 0 < entrant.games == entrant.computed < 100_000
    assert entrant.problem == "the time of 0.1 seconds is up"
    results = race_results(races.results(storage, race_id))
    assert results.standings[0].secrets == entrant.games
    assert [why for _, why in results.skipped] == [entrant.problem]


def test_work_at_a_stopped_race_is_left(storage: Storage, settings: Settings) -> None:
    race_id = begun(storage, ["first"], "4x6")
    races.stop(storage, race_id)
    work_at(storage, settings, job_ids(storage, race_id)[0])  # leaves when it first looks
    assert races.view(storage, race_id).entrants[0].computed < 1296


def test_a_worker_that_does_not_leave_a_stopped_race_is_ended(
    storage: Storage, pool: JobRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JobRunner, "PATIENCE", 0.0)
    race_id = begun(storage, ["constraint"], "5x8", games=50)
    pool.step()
    until(lambda: any(future.running() for future in pool.running.values()))
    races.stop(storage, race_id)
    until(lambda: not pool.step())
    with storage.read() as session:
        job = session.get_one(JobRow, job_ids(storage, race_id)[0])
        assert (job.state, job.lease) == ("waiting", None)


def test_a_job_is_taken_once_its_lease_has_expired(tmp_path: Path) -> None:
    storage = Storage(Settings(tmp_path))
    begun(storage, ["knuth"])

    def be_silent() -> None:
        with storage.write() as session:
            session.execute(update(JobRow).values(renewed=time.time() - 60))

    claim = jobs.claim(storage)
    assert claim is not None
    lease = str(claim.lease)
    assert jobs.claim(storage) is None
    be_silent()
    assert jobs.claim(storage, own=[lease]) is None
    assert jobs.renew(storage, [lease]) == {lease}
    assert jobs.claim(storage) is None
    be_silent()
    assert jobs.claim(storage) is not None
    assert jobs.renew(storage, [lease]) == set()
    storage.close()


def test_the_clock_shows_as_many_guesses_as_its_speed(storage: Storage, settings: Settings) -> None:
    race_id = begun(storage, ["knuth", "first"], speed=20)
    with storage.write() as session:  # it has waited for a worker
        session.get_one(RaceRow, race_id).begun -= timedelta(hours=1)
    work_at(storage, settings, *job_ids(storage, race_id))
    assert races.view(storage, race_id).clock < 60  # since the first games, on a busy machine
    with storage.write() as session:
        session.get_one(RaceRow, race_id).started = now() - timedelta(seconds=1)
    for entrant in races.view(storage, race_id).entrants:
        turns = entrant.game.turns if entrant.game else []
        assert 18 <= entrant.guesses + len(turns) % 10 <= 80
        assert entrant.games == sum(entrant.histogram)
        assert entrant.state == "running"


@pytest.mark.slow
def test_an_entrant_that_fails_keeps_what_it_finds(
    settings: Settings, storage: Storage, tmp_path: Path
) -> None:
    """As at the terminal: the codes that it finds, the first failure, and a place below others."""
    (tmp_path / "stubborn.py").write_text("def stubborn(game, turns):\n    return 'AB'\n")
    (tmp_path / "ends.py").write_text(
        "def ends(candidates):\n    1 / (len(candidates) > 5)\n    return candidates[0]\n"
    )
    named = tuple(str(tmp_path / name) for name in ("stubborn.py", "ends.py"))
    offer(offers_by(replace(settings, strategies=named)))
    try:
        race_id = played(storage, settings, ["stubborn", "ends", "first"], "2x3")
        here = race(board_game(Rules.parse("2x3")), [*named, "first"])
        entrants = races.view(storage, race_id).entrants
        stored = races.results(storage, race_id)
        results, table = race_results(stored, trees=True), race_table(stored, 9, False, "en")
    finally:
        offer([])
    rows = re.findall('<tr><th scope="row">([^<]*) <', table)
    assert rows[0] == "First candidate"
    for text in ("8 of 9 codes not found", "ZeroDivisionError"):  # the page tells it too
        assert text in table
    for entrant, site, terminal in zip(entrants, results.standings, here.standings, strict=True):
        assert entrant.state == "done"
        assert (entrant.games, entrant.lost) == (9, 9 - terminal.secrets)
        assert (site.secrets, site.total) == (terminal.secrets, terminal.total)
        assert entrant.mean == pytest.approx(terminal.mean)
        assert bool(entrant.problem) == bool(site.failure) == bool(terminal.failure)
    assert [standing.secrets for standing in results.standings][::2] == [1, 9]
    assert "8 of 9 codes not found" in str(results.standings[0].failure)
    assert "ZeroDivisionError" in str(results.standings[1].failure)
    assert results.skipped == ()
