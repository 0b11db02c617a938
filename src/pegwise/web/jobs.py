"""Jobs: long work in processes of its own, as many at a time as there are cores.

What is to be done, and how far it is, stands in the database. A thread of the server begins
processes, hears whether they live, and ends those that take too long or are not wanted any more.
When the server ends, however it ends, its processes end; the next server goes on with their jobs.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import socket
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from sqlalchemy import or_, select, update

from pegwise.compute.pool import cores, follow
from pegwise.errors import PegwiseError, Phrase
from pegwise.web.desk import Desk, Leave
from pegwise.web.i18n import pack_sentence
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage
from pegwise.web.tables import JobRow, RaceRow
from pegwise.web.work import limit_memory

__all__ = ["Foreman", "do", "serve", "tick"]

_STEP: Final = 0.25
_IDLE: Final = 2.0
"""Seconds between two looks at the database, while there is work and while there is none."""

_BEAT: Final = 1.0
LEASE: Final = 8.0
"""A job whose server was not heard of for so many seconds may be taken by another one."""

_PATIENCE: Final = 3.0
"""Seconds in which a process leaves work that is not wanted any more, before it is ended."""

MAX_TRIES: Final = 3
_CLOCK: Final = 2.0
"""The clock of a race goes on by so many seconds at most: not while no server runs."""

_MEMORY: Final = Phrase("this needs more memory than one job may take: choose smaller rules")


@dataclass(eq=False)
class _Worker:
    """A process that has a job, or waits for one."""

    process: BaseProcess
    pipe: Connection
    job_id: str = ""
    runner: str = ""
    seconds: float = -1.0
    heard: float = 0.0
    unwanted: float | None = None

    def give(self, job_id: str, runner: str) -> None:
        """Have it do a job."""
        self.job_id, self.runner = job_id, runner
        self.seconds, self.heard, self.unwanted = -1.0, time.monotonic(), None
        self.pipe.send((job_id, runner))

    def has_left(self) -> bool:
        """Whether it has left its job, done or not."""
        try:
            return self.pipe.poll() and bool(self.pipe.recv())
        except (EOFError, OSError):
            return False  # it died


class Foreman:
    """Gives jobs to processes.

    Args:
        settings: what the server was told.
        storage: the database.
    """

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self._settings = settings
        self._storage = storage
        self._most = settings.jobs or cores()
        self._name = f"{socket.gethostname()[:60]}:{os.getpid()}"
        self._workers: list[_Worker] = []
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._beaten = 0.0
        self._thread = threading.Thread(target=self._run, name="foreman", daemon=True)

    def start(self) -> None:
        """Begin, with what was left unfinished."""
        self._thread.start()

    def wake(self) -> None:
        """There is something new to do."""
        self._wake.set()

    @property
    def closed(self) -> bool:
        """Whether the server is ending."""
        return self._closed.is_set()

    def close(self) -> None:
        """End all processes; their jobs wait for the next server."""
        self._closed.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(10)
        for worker in self._workers:
            worker.process.kill()
            self._release(worker)

    def _run(self) -> None:
        busy = True
        while not self._closed.is_set():
            self._wake.wait(_STEP if busy else _IDLE)
            self._wake.clear()
            if self._closed.is_set():
                return
            try:
                busy = self.step()
            except Exception:  # the database may be away for a moment
                traceback.print_exc()
                self._closed.wait(_IDLE)

    def step(self) -> bool:
        """Look after everything once; whether there is work."""
        for worker in list(self._workers):
            if worker.job_id:
                self._look_after(worker)
            elif not worker.process.is_alive():
                self._end(worker)
        if time.monotonic() - self._beaten > _BEAT:
            self._beat()
        while self._busy() < self._most and self._begin_one():
            pass
        return bool(tick(self._storage) or self._busy())

    def _busy(self) -> int:
        return sum(bool(worker.job_id) for worker in self._workers)

    def _begin_one(self) -> bool:
        """Give the job that waits longest to a process; whether there was one."""
        found = self._claim()
        if found is None:
            return False
        idle = [worker for worker in self._workers if not worker.job_id]
        (idle[0] if idle else self._new_worker()).give(*found)
        return True

    def _new_worker(self) -> _Worker:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve, args=(self._settings, theirs), daemon=True, name="pegwise job"
        )
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _claim(self) -> tuple[str, str] | None:
        runner = f"{self._name}:{secrets.token_hex(6)}"
        with self._storage.write() as session:
            rows = session.execute(
                select(JobRow.id, JobRow.state, JobRow.runner, JobRow.beat)
                .outerjoin(RaceRow, RaceRow.id == JobRow.race_id)
                .where(JobRow.state.in_(("waiting", "running")))
                .where(or_(JobRow.race_id.is_(None), RaceRow.state == "running"))
                .order_by(JobRow.begun, JobRow.place)
            ).all()
            for job_id, state, owner, beat in rows:
                if state == "running" and self._lives(owner, beat):
                    continue
                mine = (
                    update(JobRow)
                    .where(JobRow.id == job_id, JobRow.state == state, _same(owner))
                    .values(state="running", runner=runner, beat=time.time())
                )
                changed: Any = session.execute(mine)
                if changed.rowcount:
                    return job_id, runner
        return None

    def _lives(self, owner: str | None, beat: float) -> bool:
        """Whether a process of ours has a job, or another server that is there."""
        if any(worker.job_id and worker.runner == owner for worker in self._workers):
            return True
        if owner is None or time.time() - beat > LEASE:
            return False
        host, pid, _ = owner.rsplit(":", 2)
        here, mine = self._name.rsplit(":", 1)
        if host != here:
            return True
        return pid != mine and _is_alive(int(pid))

    def _look_after(self, worker: _Worker) -> None:
        with self._storage.read() as session:
            row = session.execute(
                select(JobRow.seconds, JobRow.tries, RaceRow.state)
                .outerjoin(RaceRow, RaceRow.id == JobRow.race_id)
                .where(JobRow.id == worker.job_id, JobRow.runner == worker.runner)
            ).first()
        left, alive = worker.has_left(), worker.process.is_alive()
        now = time.monotonic()
        if row is None:  # done, failed, deleted, or another server's
            if left:
                worker.job_id = ""
            elif not alive or now - (worker.unwanted or now) > _PATIENCE:
                self._end(worker)
            worker.unwanted = worker.unwanted or now
            return
        seconds, tries, race_state = row
        if left:  # paused, or stopped
            self._release(worker)
            worker.job_id = ""
            return
        if seconds != worker.seconds:
            worker.seconds, worker.heard = seconds, now
        if race_state not in {None, "running", "over"}:
            worker.unwanted = worker.unwanted or now
            if not alive or now - worker.unwanted > _PATIENCE:
                self._end(worker)
                self._release(worker)
        elif not alive:
            self._end(worker)
            self._again(worker, tries + 1)
        elif seconds + now - worker.heard > self._settings.job_seconds:
            self._end(worker)
            limit = self._settings.job_seconds
            self._set(
                worker,
                state="failed",
                runner=None,
                problem=pack_sentence(
                    Phrase(
                        "this took longer than {limit:g} seconds: choose smaller rules, fewer "
                        "games or another strategy",
                        limit=limit,
                    )
                ),
            )

    def _again(self, worker: _Worker, tries: int) -> None:
        """A process died that had a job: another one goes on, a few times."""
        if tries < MAX_TRIES:
            self._set(worker, state="waiting", runner=None, tries=tries)
            return
        code = worker.process.exitcode or 0
        how = (
            Phrase("by signal {number}", number=-code)
            if code < 0
            else Phrase("with exit status {number}", number=code)
        )
        said = Phrase(
            "the process that computed this ended {how}, {tries} times: choose smaller rules or "
            "another strategy",
            how=how,
            tries=MAX_TRIES,
        )
        self._set(
            worker,
            state="failed",
            runner=None,
            tries=tries,
            problem=pack_sentence(said),
        )

    def _release(self, worker: _Worker) -> None:
        self._set(worker, state="waiting", runner=None)

    def _set(self, worker: _Worker, **values: Any) -> None:
        with self._storage.write() as session:
            session.execute(
                update(JobRow)
                .where(JobRow.id == worker.job_id, JobRow.runner == worker.runner)
                .values(**values)
            )

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join(5)
        self._workers.remove(worker)

    def _beat(self) -> None:
        self._beaten = time.monotonic()
        runners = [worker.runner for worker in self._workers if worker.job_id]
        if not runners:
            return
        with self._storage.write() as session:
            mine = update(JobRow).where(JobRow.runner.in_(runners))
            session.execute(mine.values(beat=time.time()))


def tick(storage: Storage) -> bool:
    """Let the clocks of races go on, and end those that are over; whether any runs."""
    with storage.read() as session:
        if session.scalar(select(RaceRow.id).where(RaceRow.state == "running").limit(1)) is None:
            waiting = JobRow.state.in_(("waiting", "running")), JobRow.race_id.is_(None)
            return session.scalar(select(JobRow.id).where(*waiting).limit(1)) is not None
    now = time.time()
    with storage.write() as session:
        running = session.execute(
            select(RaceRow.id, RaceRow.speed, RaceRow.clock, RaceRow.ticked)
            .where(RaceRow.state == "running")
            .with_for_update()
        ).all()
        for race_id, speed, clock, ticked in running:
            after = clock + speed * min(max(now - ticked, 0.0), _CLOCK)
            lanes = session.execute(
                select(JobRow.state, JobRow.guesses).where(JobRow.race_id == race_id)
            ).all()
            finished = all(state in {"done", "failed"} for state, _ in lanes)
            longest = max((guesses for _, guesses in lanes), default=0)
            # a clock that ran ahead of slow computing would jump once that comes
            furthest = longest if lanes else 0
            values: dict[str, Any] = {"ticked": now, "clock": min(after, furthest)}
            if finished and (not speed or after >= longest):
                values["state"] = "over"
            session.execute(update(RaceRow).where(RaceRow.id == race_id).values(**values))
    return True


def serve(settings: Settings, pipe: Connection) -> None:
    """The life of a process: one job after the other."""
    follow()
    limit_memory()
    storage = Storage(settings, newest=True)
    try:
        while True:
            do(storage, settings, *pipe.recv())
            pipe.send(True)
    except (EOFError, OSError):
        return
    finally:
        storage.close()


def do(storage: Storage, settings: Settings, job_id: str, runner: str) -> None:
    """Do a job, or what is left of it, until it is done, cannot be done, or is to be left."""
    with suppress(Leave):
        desk = Desk(settings.home, storage, job_id, runner)
        try:
            _kinds()[desk.job.kind](desk)
        except MemoryError:
            desk.fail(_MEMORY)
        except PegwiseError as error:
            desk.fail(error)


def _kinds() -> dict[str, Callable[[Desk], None]]:
    """What is done, by kind of job; imported here, for the server does without."""
    from pegwise.web.racing import race
    from pegwise.web.trees import grow

    return {"lane": race, "tree": grow}


def _same(owner: str | None) -> Any:
    return JobRow.runner.is_(None) if owner is None else JobRow.runner == owner


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
