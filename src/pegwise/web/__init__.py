"""The web site: a site to play, decode, review, race and explore, and its JSON API."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pegwise.errors import InputError, quoted
from pegwise.paths import home


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server can be told."""

    home: Path  # the directory for what lasts
    database_url: str = ""  # where games and results are kept; "" for SQLite in `home`
    secret: str = ""  # what sessions are signed with; "" for one that is made and kept in `home`
    workers: int = 1  # processes that compute for waiting people, quick and slow ones each
    seconds: float = 20.0  # limit of one computation on a board that may take long
    rate: float = 50.0  # requests a second that one client may make; 0 for no limit
    max_body: int = 1 << 20  # size of a request's body in bytes
    jobs: int = 0  # processes for races and trees; 0 for as many as there are cores
    job_seconds: float = 600.0  # limit of computing of one strategy of a race, or of one tree
    room_days: float = 7.0  # days after which a room is deleted, with names and games
    hosts: tuple[str, ...] = ()  # names under which the server may be asked; none for any

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that PEGWISE_HOME, PEGWISE_DATABASE_URL and their like make."""
        numbers: dict[str, Any] = {}
        for name, (kind, least, most) in _NUMBERS.items():
            variable = f"PEGWISE_{name.upper()}"
            if not (text := os.environ.get(variable)):
                continue
            try:
                number = float(text)
            except ValueError:
                number = math.nan
            if not least <= number <= most:
                raise InputError(
                    "{name}={text}: give a number from {least:g} to {most:g}",
                    name=variable,
                    text=quoted(text),
                    least=least,
                    most=most,
                )
            numbers[name] = kind(number)
        return cls(
            home=home(),
            database_url=os.environ.get("PEGWISE_DATABASE_URL", ""),
            secret=os.environ.get("PEGWISE_SECRET", ""),
            hosts=tuple(os.environ.get("PEGWISE_HOSTS", "").lower().replace(",", " ").split()),
            **numbers,
        )


_NUMBERS: Final = {
    "workers": (int, 1, 64),
    "seconds": (float, 0.1, 3600),
    "rate": (float, 0, 1e6),
    "jobs": (int, 0, 64),
    "job_seconds": (float, 1, 86400),
    "room_days": (float, 0.01, 366),
}
"""The settings that are numbers, with their limits."""


def import_for_workers() -> None:
    """Begin to import what worker processes need, while this process imports the application."""
    from pegwise.compute import pool

    pool.import_for_workers("pegwise.web.app", "pegwise.coach", "pegwise.kernels.onestep.grow")
