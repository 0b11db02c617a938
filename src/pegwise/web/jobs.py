"""The queue of jobs: long work that is listed in the database and done by worker processes.

A worker that takes a job gets a lease on it. The server renews the leases of its workers; a job
whose lease has expired may be taken by any server. A worker stores what it has computed piece by
piece, so that it may end at any time: the next one goes on after the last piece.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import socket
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Select, and_, or_, select, update

from pegwise.errors import PegwiseError, Phrase
from pegwise.i18n import SOURCE, translated
from pegwise.progress import Progress
from pegwise.web.storage import JobRow, PieceRow, RaceRow, Storage

LEASE_SECONDS: Final = 5.0
MAX_TRIES: Final = 3  # so many workers may die of a job before it fails
_REPORT_SECONDS: Final = 0.25  # between two reports of a worker, which learns whether to go on

_ACTIVE: Final = ("running", "over")  # states of a race whose strategies are computed


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job that was taken from the queue; the lease proves that a worker has it."""

    job_id: str
    lease: str
    seconds: float
    timed: bool = False


def _jobs_of_races(*states: str) -> Select[JobRow]:
    """Trees, and strategies of races in these states."""
    free = or_(JobRow.race_id.is_(None), RaceRow.state.in_(states))
    return select(JobRow).outerjoin(RaceRow, RaceRow.id == JobRow.race_id).where(free)


class JobQueue:
    """The jobs of the database, as a server takes them."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._server = f"{socket.gethostname()[:60]}:{os.getpid()}"

    def claim(self, own: Collection[str] = ()) -> ClaimedJob | None:
        """Take the job that was computed least, or has waited longest; None if no job waits."""
        lease = f"{self._server}:{secrets.token_hex(6)}"
        now = time.time()
        expired = and_(
            JobRow.state == "running", JobRow.beat < now - LEASE_SECONDS, JobRow.runner.not_in(own)
        )
        first = (
            _jobs_of_races("running")
            .where(or_(JobRow.state == "waiting", expired))
            .order_by(JobRow.seconds, JobRow.begun, JobRow.place)
            .limit(1)
            .with_for_update(of=JobRow, skip_locked=True)
        )
        with self._storage.write() as session:
            job = session.scalar(first)
            if job is None:
                return None
            job.state, job.runner, job.beat = "running", lease, now
            return ClaimedJob(job.id, lease, job.seconds, job.timed)

    def renew(self, leases: Collection[str]) -> set[str]:
        """Renew leases; those of them whose jobs are to be gone on with."""
        with self._storage.write() as session:
            held = JobRow.runner.in_(leases)
            session.execute(update(JobRow).where(held).values(beat=time.time()))
            wanted = _jobs_of_races(*_ACTIVE).where(held)
            return {job.runner for job in session.scalars(wanted) if job.runner}

    def release(self, lease: str) -> None:
        """Give a job back to the queue, unless it is done."""
        self._end(lease, state="waiting")

    def fail(self, lease: str, problem: PegwiseError | Phrase) -> None:
        """A job cannot be done; the sentence says why."""
        self._end(lease, state="failed", problem=pack_sentence(problem))

    def worker_died(self, lease: str, how: Phrase) -> None:
        """Give a job back to the queue whose worker died, a few times."""
        with self._storage.read() as session:
            tries = session.scalar(select(JobRow.tries).where(JobRow.runner == lease))
        if tries is None:
            return
        if tries + 1 < MAX_TRIES:
            self._end(lease, state="waiting", tries=tries + 1)
            return
        problem = Phrase(
            "the process that computed this ended {how}, {tries} times: choose smaller rules or "
            "another strategy",
            how=how,
            tries=MAX_TRIES,
        )
        self._end(lease, state="failed", tries=tries + 1, problem=pack_sentence(problem))

    def _end(self, lease: str, **values: Any) -> None:
        with self._storage.write() as session:
            held = update(JobRow).where(JobRow.runner == lease)
            session.execute(held.values(runner=None, **values))


class JobInterrupted(BaseException):
    """A worker is to leave its job: it was paused or stopped, or the lease is lost."""


class Job:
    """A job as the worker sees it that has the lease; `row` as it was when it was taken.

    A timed job ends by itself when it has taken `limit` seconds of processor time.
    """

    def __init__(
        self, home: Path, storage: Storage, job_id: str, lease: str, limit: float = math.inf
    ) -> None:
        self.home = home
        self.limit = limit
        self._storage = storage
        self._lease = lease
        self._reported = self._counted = time.monotonic()
        with storage.read() as session:
            row = session.get(JobRow, job_id)
            if row is None or row.runner != lease:
                raise JobInterrupted
            self.row = row
            self.race = session.get(RaceRow, row.race_id) if row.race_id else None
        self.seconds = row.seconds
        self._n_pieces = row.pieces

    def pieces(self) -> list[bytes]:
        """What was stored of the work so far."""
        rows = select(PieceRow.data).where(PieceRow.job_id == self.row.id)
        with self._storage.read() as session:
            return list(session.scalars(rows.order_by(PieceRow.number)))

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
        waits = _jobs_of_races("running").where(JobRow.state == "waiting").limit(1)
        with self._storage.read() as session:
            if session.scalar(waits) is not None:
                raise JobInterrupted

    def finish(self, result: dict[str, Any], **values: Any) -> None:
        """The work is done."""
        self._write(state="done", result=json.dumps(result), runner=None, **values)

    def fail(self, problem: PegwiseError | Phrase) -> None:
        """The work cannot be done; the sentence says why."""
        self._write(state="failed", problem=pack_sentence(problem), runner=None)

    def _write(self, piece: bytes | None = None, **values: Any) -> None:
        now = time.monotonic()
        self.seconds += now - self._counted
        with self._storage.write() as session:
            held = update(JobRow).where(JobRow.id == self.row.id, JobRow.runner == self._lease)
            changed: Any = session.execute(held.values(**({"seconds": self.seconds} | values)))
            if not changed.rowcount:
                raise JobInterrupted
            if piece is not None:
                session.add(PieceRow(job_id=self.row.id, number=self._n_pieces, data=piece))
                self._n_pieces += 1
            race = select(RaceRow.state).where(RaceRow.id == self.row.race_id)
            goes_on = self.race is None or session.scalar(race) in _ACTIVE
        self._reported = self._counted = time.monotonic()
        if not goes_on and "state" not in values:
            raise JobInterrupted


# Sentences in the database are stored as template and values, so that each reader gets them in
# their own language. A text that an earlier version stored is shown as it is.

_PACKED: Final = '{"say": '


def pack_sentence(sentence: PegwiseError | str) -> str:
    """A sentence as it is stored: a JSON object of its template and values."""
    phrase = sentence.phrase if isinstance(sentence, PegwiseError) else sentence
    phrase = phrase if isinstance(phrase, Phrase) else Phrase(phrase)
    return json.dumps(_packed(phrase.unadvised))


def unpack_sentence(text: str) -> Phrase:
    """A stored sentence; any other text as it is."""
    if text.startswith(_PACKED):
        with suppress(ValueError):
            return _unpacked(json.loads(text))
    return Phrase(text)


def stored_sentence(text: str | None, language: str = SOURCE) -> str | None:
    """A stored sentence in a language; None for None."""
    return None if text is None else translated(unpack_sentence(text), language)


def _packed(phrase: Phrase) -> dict[str, Any]:
    packed: dict[str, Any] = {"say": phrase.template}
    if phrase.values:
        packed["of"] = {name: _value(value) for name, value in phrase.values.items()}
    return packed


def _value(value: object) -> Any:
    if isinstance(value, Phrase):
        return _packed(value)
    if isinstance(value, Integral):
        return int(value)
    # numbers that JSON lacks, such as fractions, are stored as text
    return value if isinstance(value, float) else str(value)


def _unpacked(packed: dict[str, Any]) -> Phrase:
    values = {
        name: _unpacked(value) if isinstance(value, dict) else value
        for name, value in packed.get("of", {}).items()
    }
    return Phrase(packed["say"], **values)
