"""The desk of a job: where a process that works reads what to do, and puts what it has found.

Everything is in the database, so that a process may end at any time: the next one goes on from
the last piece. A process that is no longer the one that has the job finds out here, and ends.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pegwise.errors import PegwiseError, Phrase
from pegwise.progress import Progress
from pegwise.web.i18n import pack_sentence
from pegwise.web.storage import Storage
from pegwise.web.tables import JobRow, PieceRow, RaceRow

__all__ = ["Desk", "Leave"]

_LOOK: Final = 0.25
"""Seconds between two looks at whether the job is still wanted."""


class Leave(BaseException):
    """The work is to be left: it was paused or stopped, or another process has it."""


class Desk:
    """A job as the process sees it that has it.

    Args:
        home: the directory for what lasts.
        storage: the database.
        job_id: which job.
        runner: the word by which this process has it.

    Attributes:
        job: the job as it was when the process began.
        race: its race, if it is one of a race.

    Raises:
        Leave: another process has the job.
    """

    def __init__(self, home: Path, storage: Storage, job_id: str, runner: str) -> None:
        self.home = home
        self._storage = storage
        self._runner = runner
        self._before = self._mark = time.monotonic()
        with storage.read() as session:
            job = session.get(JobRow, job_id)
            if job is None or job.runner != runner:
                raise Leave
            self.job = job
            self.race = session.get(RaceRow, job.race_id) if job.race_id else None
        self.seconds = job.seconds
        self._pieces = job.pieces

    def pieces(self) -> list[bytes]:
        """What is kept of the work so far."""
        rows = select(PieceRow.data).where(PieceRow.job_id == self.job.id)
        with self._storage.read() as session:
            return list(session.scalars(rows.order_by(PieceRow.number)))

    def look(self, step: Progress) -> None:
        """Tell how far the work is, from time to time; listens as `progress.Report`.

        Raises:
            Leave: the work is to be left.
        """
        if time.monotonic() - self._before >= _LOOK:
            done = self.job.total * step.done // step.total if step.total else 0
            # games count once they are kept; secrets of a tree as they are found
            self._write(None, **({} if self.race else {"done": done}))

    def put(self, piece: bytes, done: int, guesses: int) -> None:
        """Keep a piece.

        Args:
            piece: what was found since the last one.
            done: units finished.
            guesses: of the games finished.

        Raises:
            Leave: the work is to be left; the piece is kept nevertheless, if the job is ours.
        """
        self._write(piece, done=done, guesses=guesses, pieces=self._pieces + 1)

    def finish(self, result: dict[str, Any], **values: Any) -> None:
        """The work is done."""
        self._write(state="done", result=json.dumps(result), runner=None, **values)

    def fail(self, problem: PegwiseError | Phrase) -> None:
        """The work cannot be done; the sentence says why."""
        self._write(state="failed", problem=pack_sentence(problem), runner=None)

    def _write(self, piece: bytes | None = None, **values: Any) -> None:
        now = time.monotonic()
        self.seconds += now - self._mark
        with self._storage.write() as session:
            mine = (
                update(JobRow)
                .where(JobRow.id == self.job.id, JobRow.runner == self._runner)
                .values(seconds=self.seconds, **values)
            )
            changed: Any = session.execute(mine)
            if not changed.rowcount:
                raise Leave
            if piece is not None:
                session.add(PieceRow(job_id=self.job.id, number=self._pieces, data=piece))
                self._pieces += 1
            wanted = self._wanted(session)
        self._before = self._mark = time.monotonic()
        if not wanted and values.get("state") is None:
            raise Leave

    def _wanted(self, session: Session) -> bool:
        if not self.job.race_id:
            return True
        state = session.scalar(select(RaceRow.state).where(RaceRow.id == self.job.race_id))
        return state in {"running", "over"}
