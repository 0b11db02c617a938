"""The queue of jobs: long work that is listed in the database and done by worker processes.

A worker that takes a job gets a lease on it. The server renews the leases of its workers; a job
whose lease has expired may be taken by any server. A worker stores what it has computed piece by
piece, so that it may end at any time: the next one goes on after the last piece.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import threading
import time
import traceback
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, Final

from pebble import ProcessExpired
from sqlalchemy import Select, and_, or_, select, update
from sqlalchemy.orm import Session

from pegwise.compute.machine import cores
from pegwise.compute.workers import WorkerPool
from pegwise.errors import PegwiseError, Phrase
from pegwise.i18n import SOURCE, translated
from pegwise.progress import Progress
from pegwise.web.settings import Settings
from pegwise.web.storage import JobRow, PieceRows, RaceRow, Storage, now

MEMORY: Final = 6 << 30  # bytes of address space of a worker
LEASE_SECONDS: Final = 5.0
MAX_TRIES: Final = 3  # a job fails when this number of workers died while they did it
_REPORT_SECONDS: Final = 0.25  # between two reports of a worker, which learns whether to go on

_SERVER: Final = f"{socket.gethostname()[:60]}:{os.getpid()}"


def _wanted() -> Select[JobRow]:
    """Trees, and strategies of races that were not stopped."""
    free = or_(JobRow.race_id.is_(None), RaceRow.state != "stopped")
    return select(JobRow).outerjoin(RaceRow, RaceRow.id == JobRow.race_id).where(free)


# The jobs of the database, as a server takes them.


def claim(storage: Storage, own: Collection[str] = ()) -> JobRow | None:
    """Take the job that was computed least, or has waited longest; None if no job waits.

    Its `lease` is new and proves that a worker has the job.
    """
    lease = f"{_SERVER}:{secrets.token_hex(6)}"
    now = time.time()
    expired = and_(
        JobRow.state == "running", JobRow.renewed < now - LEASE_SECONDS, JobRow.lease.not_in(own)
    )
    first = (
        _wanted()
        .where(or_(JobRow.state == "waiting", expired))
        .order_by(JobRow.seconds, JobRow.begun, JobRow.place)
        .limit(1)
        .with_for_update(of=JobRow, skip_locked=True)
    )
    with storage.write() as session:
        job = session.scalar(first)
        if job is not None:
            job.state, job.lease, job.renewed = "running", lease, now
        return job


def renew(storage: Storage, leases: Collection[str]) -> set[str]:
    """Renew leases; returns those whose jobs go on."""
    with storage.write() as session:
        held = JobRow.lease.in_(leases)
        session.execute(update(JobRow).where(held).values(renewed=time.time()))
        wanted = _wanted().where(held)
        return {job.lease for job in session.scalars(wanted) if job.lease}


def release(
    storage: Storage, lease: str, problem: PegwiseError | Phrase | None = None, **values: Any
) -> None:
    """Give a job back to the queue, unless it is done; with a problem, it has failed."""
    values["state"] = "waiting"
    if problem is not None:
        values |= {"state": "failed", "problem": pack_sentence(problem)}
    with storage.write() as session:
        held = update(JobRow).where(JobRow.lease == lease)
        session.execute(held.values(lease=None, **values))


def worker_died(storage: Storage, lease: str, how: Phrase) -> None:
    """Give a job back to the queue whose worker died, a few times."""
    with storage.read() as session:
        tries = session.scalar(select(JobRow.tries).where(JobRow.lease == lease))
    if tries is None:
        return
    problem = None
    if tries + 1 >= MAX_TRIES:
        problem = Phrase(
            "the process that computed this ended {how}, {tries} times: choose smaller rules or "
            "another strategy",
            how=how,
            tries=MAX_TRIES,
        )
    release(storage, lease, problem, tries=tries + 1)


class JobInterrupted(BaseException):
    """A worker is to leave its job: its race was stopped, or the lease is lost."""


class Job:
    """A job as the worker sees it that has the lease; `row` as it was when it was taken.

    A timed job ends by itself when it has taken `limit` seconds of processor time.
    """

    def __init__(self, storage: Storage, settings: Settings, job_id: str, lease: str) -> None:
        self.home, self.limit = settings.home, settings.job_seconds
        self._storage = storage
        self._lease = lease
        self._reported = self._counted = time.monotonic()
        with storage.read() as session:
            row = session.get(JobRow, job_id)
            if row is None or row.lease != lease:
                raise JobInterrupted
            self.row = row
            self.race = row.race
        self.seconds = row.seconds
        self._n_pieces = row.pieces

    def pieces(self) -> list[memoryview]:
        """The stored pieces of the work so far."""
        with self._storage.read() as session:
            return PieceRows(session, self.row.id).values(0, self.row.pieces)

    def report(self, step: Progress) -> None:
        """Tell how far the work is, from time to time; listens as `progress.Report`."""
        if time.monotonic() - self._reported >= _REPORT_SECONDS:
            done = self.row.total * step.done // step.total if step.total else 0
            # games count once they are stored, secrets of a tree at once
            self._write(None, **({} if self.race else {"done": done}))

    def add_piece(self, piece: bytes, done: int, guesses: int, **values: Any) -> None:
        """Store a piece; `seconds` among the values are in place of those that the job counts."""
        self._write(piece, done=done, guesses=guesses, pieces=self._n_pieces + 1, **values)

    def give_way(self) -> None:
        """Leave the job if another one waits; it is gone on with later."""
        waits = _wanted().where(JobRow.state == "waiting").limit(1)
        with self._storage.read() as session:
            if session.scalar(waits) is not None:
                raise JobInterrupted

    def finish(self, result: dict[str, Any], **values: Any) -> None:
        """The work is done."""
        self._write(state="done", result=json.dumps(result), lease=None, **values)

    def _write(self, piece: bytes | None = None, **values: Any) -> None:
        now = time.monotonic()
        self.seconds += now - self._counted
        with self._storage.write() as session:
            held = update(JobRow).where(JobRow.id == self.row.id, JobRow.lease == self._lease)
            changed: Any = session.execute(held.values(**({"seconds": self.seconds} | values)))
            if not changed.rowcount:
                raise JobInterrupted
            if piece is not None:
                if self.race is not None and self._n_pieces == 0:
                    self._begin_race(session)
                PieceRows(session, self.row.id).put(str(self._n_pieces), piece)
                self._n_pieces += 1
            race = select(RaceRow.state).where(RaceRow.id == self.row.race_id)
            goes_on = self.race is None or session.scalar(race) != "stopped"
        self._reported = self._counted = time.monotonic()
        if not goes_on and "state" not in values:
            raise JobInterrupted

    def _begin_race(self, session: Session) -> None:
        """Note when the first games of a race are there: its clock begins with them."""
        race = update(RaceRow).where(RaceRow.id == self.row.race_id, RaceRow.started.is_(None))
        session.execute(race.values(started=now()))


class JobRunner:
    """Workers that do the jobs of the database.

    `run` does a job by its id and lease, in a worker.
    """

    _STEP: Final = 0.25  # seconds between two steps while there is work
    _IDLE: Final = 2.0  # and while there is none
    PATIENCE: Final = 3.0  # seconds in which a worker leaves a stopped job before it is ended

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        run: Callable[[Settings, str, str], None],
    ) -> None:
        self._settings = settings
        self._run_job = run
        self._storage = storage
        self._n_workers = settings.jobs or cores()
        self._pool = WorkerPool(self._n_workers, MEMORY)
        self.running: dict[str, Future[None]] = {}
        self._unwanted: dict[str, float] = {}
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run_jobs, name="jobs", daemon=True)

    def start(self) -> None:
        """Begin with the jobs that are not done."""
        self._thread.start()

    def wake(self) -> None:
        """Look at the queue now."""
        self._wake.set()

    @property
    def pids(self) -> list[int]:
        """The numbers of the worker processes."""
        return self._pool.pids

    @property
    def closed(self) -> bool:
        """Whether the server is ending."""
        return self._closed.is_set()

    def close(self) -> None:
        """End all workers; their jobs go back to the queue."""
        self._closed.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(10)
        self._pool.close()
        for lease in self.running:
            release(self._storage, lease)

    def step(self) -> bool:
        """Look after all jobs once; whether there is work."""
        for lease, future in list(self.running.items()):
            if future.done():
                del self.running[lease]
                self._unwanted.pop(lease, None)
                self._settle(lease, future)
        if self.running:
            self._leave_unwanted()
        while len(self.running) < self._n_workers and (job := claim(self._storage, self.running)):
            future = self._pool.ask(
                self._run_job,
                self._settings,
                job.id,
                job.lease,
                seconds=2 * self._settings.job_seconds
                if job.timed  # which ends by itself
                else max(0.001, self._settings.job_seconds - job.seconds),
            )
            future.add_done_callback(lambda _future: self.wake())
            self.running[str(job.lease)] = future
        return bool(self.running)

    def _run_jobs(self) -> None:
        busy = True
        while not self.closed:
            self._wake.wait(self._STEP if busy else self._IDLE)
            self._wake.clear()
            if self.closed:
                return
            try:
                busy = self.step()
            except Exception:  # the database may be away for a moment
                traceback.print_exc()
                self._closed.wait(self._IDLE)

    def _settle(self, lease: str, future: Future[None]) -> None:
        """Write down how a worker left its job, unless the job is done."""
        problem: PegwiseError | Phrase | None = None  # none if it was stopped
        died: Phrase | None = None
        try:
            with suppress(CancelledError):
                future.result()
        except PegwiseError as error:
            problem = error
        except MemoryError:
            problem = Phrase("this needs more memory than one job may take: choose smaller rules")
        except TimeoutError:
            problem = Phrase(
                "this took longer than {limit:g} seconds: choose smaller rules, fewer games or "
                "another strategy",
                limit=self._settings.job_seconds,
            )
        except ProcessExpired as error:
            code = error.exitcode
            died = Phrase("with exit status {number}", number=code)
            if code < 0:
                died = Phrase("by signal {number}", number=-code)
        except RuntimeError:
            traceback.print_exc()
            died = Phrase("with exit status {number}", number=1)
        if died is None:
            release(self._storage, lease, problem)
        else:
            worker_died(self._storage, lease, died)

    def _leave_unwanted(self) -> None:
        """Renew the leases, and end workers that do not leave jobs that were stopped."""
        now = time.monotonic()
        wanted = renew(self._storage, self.running)
        for lease in self.running:
            if lease in wanted:
                self._unwanted.pop(lease, None)
            elif now - self._unwanted.setdefault(lease, now) > self.PATIENCE:
                self.running[lease].cancel()


# Sentences in the database are stored as template and values, so that each reader gets them in
# their own language. A text that an earlier version stored is shown as it is.

_PACKED: Final = '{"say": '


def pack_sentence(sentence: PegwiseError | Phrase) -> str:
    """A sentence as it is stored: a JSON object of its template and values."""
    phrase = sentence.phrase if isinstance(sentence, PegwiseError) else sentence
    return json.dumps(phrase.unadvised.document())


def unpack_sentence(text: str) -> Phrase:
    """A stored sentence; any other text as it is."""
    if text.startswith(_PACKED):
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            return Phrase.of_document(json.loads(text))
    return Phrase(text)


def stored_sentence(text: str | None, language: str = SOURCE) -> str | None:
    """A stored sentence in a language; None for None."""
    return None if text is None else translated(unpack_sentence(text), language)
