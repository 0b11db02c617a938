"""The settings of the server."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from pegwise.errors import InputError, quoted
from pegwise.paths import home

_ORIGIN: Final = re.compile(r"https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the server; a number is set by the variable PEGWISE_ and its name."""

    home: Path  # the directory for what lasts
    database_url: str = ""  # where games and results are kept; "" for SQLite in `home`
    secret: str = ""  # what sessions are signed with; "" for one that is made and kept in `home`
    hosts: tuple[str, ...] = ()  # names under which the server may be asked; none for any
    frame: tuple[str, ...] = ()  # origins whose pages may show Play, Puzzle and rooms in a frame
    # files, folders and programs that may be named like strategies, as on the command line
    strategies: tuple[str, ...] = ()
    # a folder of Python files whose games are offered; "" for none
    games: str = ""
    # processes that compute for waiting people, quick and slow ones each
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    # limit of one computation on a board that may take long; of a quick one it is half of this
    seconds: Annotated[float, Field(ge=0.1, le=3600)] = 20.0
    # requests a second that one client may make; 0 for no limit
    rate: Annotated[float, Field(ge=0, le=1e6)] = 50.0
    # size of a request's body in bytes
    max_body: Annotated[int, Field(ge=1000, le=1 << 30)] = 1 << 20
    # seconds in which a client has to send a request
    patience: Annotated[float, Field(ge=0.1, le=3600)] = 20.0
    # connections that an address may have at a time
    connections: Annotated[int, Field(ge=10, le=100_000)] = 500
    # processes for races and trees; 0 for as many as there are cores
    jobs: Annotated[int, Field(ge=0, le=64)] = 0
    # limit of computing of one strategy of a race, or of one tree
    job_seconds: Annotated[float, Field(ge=0.01, le=86400)] = 600.0
    # days after which a game that was not finished is deleted
    game_days: Annotated[float, Field(ge=0.01, le=3660)] = 90.0
    # days after which a room is deleted, with names and games
    room_days: Annotated[float, Field(ge=0.01, le=366)] = 7.0

    @classmethod
    def from_environment(cls, strategies: Sequence[str] = ()) -> Settings:
        """The settings that PEGWISE_HOME, PEGWISE_DATABASE_URL and their like make."""
        told: dict[str, Any] = {
            name: text
            for name in (field.name for field in fields(cls) if field.name != "strategies")
            if (text := os.environ.get(f"PEGWISE_{name.upper()}"))
        }
        told |= {"home": home(), "strategies": tuple(strategies)}
        told["hosts"] = told.get("hosts", "").lower().replace(",", " ").split()
        told["frame"] = [_origin(text) for text in told.get("frame", "").replace(",", " ").split()]
        try:
            return cls(**told)
        except ValidationError as error:
            name = str(error.errors()[0]["loc"][0])
            limits = TypeAdapter(cls).json_schema()["properties"][name]
            raise InputError(
                "{name}={text}: give a number from {least:g} to {most:g}",
                name=f"PEGWISE_{name.upper()}",
                text=quoted(told[name]),
                least=limits["minimum"],
                most=limits["maximum"],
            ) from None


def _origin(text: str) -> str:
    """An origin as browsers write it: a cookie in the frame of another site wants TLS."""
    origin = text.lower().removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise InputError(
            "{name}={text}: give the addresses of sites, such as https://moodle.example, "
            "without a path, with commas between them",
            name="PEGWISE_FRAME",
            text=quoted(text),
        )
    return origin
