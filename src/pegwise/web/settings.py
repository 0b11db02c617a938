"""What the server can be told, read from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pegwise.errors import InputError, quoted
from pegwise.paths import home

_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """What the server can be told."""

    home: Path  # the directory for what lasts
    database_url: str = ""  # where games and results are kept; "" for SQLite in `home`
    secret: str = ""  # what sessions are signed with; "" for one that is made and kept in `home`
    workers: int = 1  # processes that compute for waiting people, quick and slow ones each
    seconds: float = 20.0  # limit of one computation on a board that may take long
    rate: float = 50.0  # requests a second that one client may make; 0 for no limit
    max_body: int = _MIB  # size of a request's body in bytes
    jobs: int = 0  # processes for races and trees; 0 for as many as there are cores
    job_seconds: float = 600.0  # limit of computing of one strategy of a race, or of one tree
    room_days: float = 7.0  # days after which a room is deleted, with names and games
    hosts: tuple[str, ...] = ()  # names under which the server may be asked; none for any

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that PEGWISE_HOME, PEGWISE_DATABASE_URL and their like make."""
        named = environment.get("PEGWISE_HOME")
        return cls(
            home=Path(named) if named else home(),
            database_url=environment.get("PEGWISE_DATABASE_URL", ""),
            secret=environment.get("PEGWISE_SECRET", ""),
            workers=int(_number(environment, "PEGWISE_WORKERS", 1, 1, 64)),
            seconds=_number(environment, "PEGWISE_SECONDS", 20, 0.1, 3600),
            rate=_number(environment, "PEGWISE_RATE", 50, 0, 1e6),
            jobs=int(_number(environment, "PEGWISE_JOBS", 0, 0, 64)),
            job_seconds=_number(environment, "PEGWISE_JOB_SECONDS", 600, 1, 86400),
            room_days=_number(environment, "PEGWISE_ROOM_DAYS", 7, 0.01, 366),
            hosts=tuple(environment.get("PEGWISE_HOSTS", "").lower().replace(",", " ").split()),
        )


def _number(
    environment: Mapping[str, str], name: str, default: float, least: float, most: float
) -> float:
    text = environment.get(name)
    if not text:
        return default
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise InputError(
            "{name}={text}: give a number from {least:g} to {most:g}",
            name=name,
            text=quoted(text),
            least=least,
            most=most,
        )
    return number
