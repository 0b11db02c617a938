"""What was read of the database lately and does not change there: it may be lost at any time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pegwise.web.played import Played
from pegwise.web.tables import JobRow, PieceRow

__all__ = ["Memory"]

_MOST: Final = 48


class Memory:
    """The games of strategies, and the secrets of races, that somebody watches."""

    def __init__(self) -> None:
        self._played: OrderedDict[str, Played] = OrderedDict()
        self._secrets: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def played(self, session: Session, job: JobRow) -> Played:
        """The games of a strategy; only pieces that are new are read."""
        with self._lock:
            played = self._played.pop(job.id, None) or Played()
            if played.pieces < job.pieces:
                rows = select(PieceRow.data).where(
                    PieceRow.job_id == job.id, PieceRow.number >= played.pieces
                )
                played.extend(session.scalars(rows.order_by(PieceRow.number)))
            self._played[job.id] = played
            if len(self._played) > _MOST:
                self._played.popitem(last=False)
            return played

    def secrets(self, race_id: str, read: Callable[[], Any]) -> Any:
        """The secrets of a race, uint8 (games, pegs)."""
        with self._lock:
            codes = self._secrets.pop(race_id, None)
            if codes is None:
                codes = read()
            self._secrets[race_id] = codes
            if len(self._secrets) > _MOST:
                self._secrets.popitem(last=False)
            return codes
