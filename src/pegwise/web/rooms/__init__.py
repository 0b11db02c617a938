"""Rooms for a class: opened by a teacher, joined by pupils, steered, deleted."""

from __future__ import annotations

import secrets
import unicodedata
from datetime import timedelta
from typing import Annotated, Final, Literal, get_args

from pydantic import Field
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pegwise.errors import InputError, quoted
from pegwise.game import Rules
from pegwise.web.inputs import RequestBody, RulesText
from pegwise.web.storage import (
    ConflictError,
    NotFoundError,
    NotYoursError,
    RoomPlayerRow,
    RoomRoundRow,
    RoomRow,
    Storage,
    now,
)

Mode = Literal["same", "teacher", "duel", "puzzles"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
Action = Literal["next", "pause", "resume", "show", "end"]
State = Literal["waiting", "playing", "paused", "shown", "ended"]

MAX_PLAYERS: Final = 40
PUZZLES: Final = 6  # of a round
_MAX_NAME: Final = 20
_MAX_OPEN: Final = 5  # rooms of a visitor
_MAX_OPEN_OF_CLIENT: Final = 40
_LETTERS: Final = "CDFGHJKMNPQRTVWX"  # neither read as digits nor making words
_LENGTH: Final = 5
_ALLOWED: Final[dict[Action, tuple[set[str], State]]] = {
    "next": ({"waiting", "playing", "paused", "shown"}, "playing"),
    "pause": ({"playing"}, "paused"),
    "resume": ({"paused"}, "playing"),
    "show": ({"playing", "paused"}, "shown"),
    "end": ({"waiting", "playing", "paused", "shown"}, "ended"),
}
"""In which states an action is possible, and the state after it."""


class RoomRequest(RequestBody):
    """A new room. The level is that of puzzles."""

    rules: RulesText = Rules()
    mode: Mode = "same"
    level: Annotated[int, Field(ge=1, le=5)] = 2


# Opening, joining, deleting.


def open_room(storage: Storage, request: RoomRequest, owner: str, client: str) -> str:
    """Open a room; its code."""
    with storage.write() as session:
        ours = select(RoomRow.owner).where(
            RoomRow.state != "ended", (RoomRow.owner == owner) | (RoomRow.client == client)
        )
        owners = list(session.scalars(ours))
        if owners.count(owner) >= _MAX_OPEN or (client and len(owners) >= _MAX_OPEN_OF_CLIENT):
            raise ConflictError(
                "{n} rooms are open already: end one of them first", n=owners.count(owner)
            )
        taken = set(session.scalars(select(RoomRow.id)))
        while (code := "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))) in taken:
            pass
        room = RoomRow(id=code, owner=owner, client=client, rules=str(request.rules))
        room.mode, room.level = request.mode, request.level
        session.add(room)
    return code


def rooms_of(storage: Storage, owner: str) -> list[RoomRow]:
    """The rooms that a visitor has opened, the newest first."""
    with storage.read() as session:
        rows = select(RoomRow).where(RoomRow.owner == owner).order_by(RoomRow.begun.desc())
        return list(session.scalars(rows))


def owned(storage: Storage, code: str, visitor: str) -> RoomRow:
    """The room of a teacher."""
    with storage.read() as session:
        return own_room(session, code, visitor)


def delete_old(storage: Storage, days: float) -> None:
    """Delete rooms that were opened so many days ago, with all that belongs to them."""
    with storage.write() as session:
        session.execute(delete(RoomRow).where(RoomRow.begun < now() - timedelta(days=days)))


def delete_room(storage: Storage, code: str, visitor: str) -> None:
    """Delete a room of this visitor, with all that belongs to it."""
    with storage.write() as session:
        session.delete(own_room(session, code, visitor))


def read_code(text: str) -> str:
    """The code of a room as it is stored."""
    return "".join(text.split()).upper()[:8]


def read_name(text: str) -> str:
    """A nickname without needless space; InputError where it is none."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    kinds = [unicodedata.category(letter)[0] for letter in name]
    if not 1 <= len(name) <= _MAX_NAME:
        raise InputError("a nickname has 1 to {most} letters", most=_MAX_NAME)
    if "C" in kinds or kinds.count("M") * 2 > len(name):
        raise InputError(
            "the nickname {name} has characters that cannot be shown", name=quoted(name)
        )
    return name


def join(storage: Storage, code: str, visitor: str, text: str) -> None:
    """Let a visitor play under a nickname; who has one already, keeps it."""
    name = read_name(text)
    with storage.write() as session:
        room = find_room(session, code, lock=True)
        mine = next((player for player in room.players if player.player == visitor), None)
        if mine and not mine.removed:
            return
        if room.state == "ended":
            raise ConflictError("the room {code} has ended", code=room.id)
        if name.casefold() in {player.name.casefold() for player in room.present}:
            raise ConflictError(
                "somebody in this room is called {name} already: choose another nickname",
                name=quoted(name),
            )
        if len(room.present) >= MAX_PLAYERS:
            raise ConflictError("the room is full: at most {most} can play", most=MAX_PLAYERS)
        if mine:
            mine.name, mine.removed = name, False
        else:
            number = 1 + max((player.number for player in room.players), default=0)
            session.add(RoomPlayerRow(room_id=room.id, number=number, player=visitor, name=name))


def remove_name(storage: Storage, code: str, visitor: str, number: int) -> None:
    """Let the teacher take a pupil out of a room; the name is free again."""
    with storage.write() as session:
        room = own_room(session, code, visitor)
        player = session.get(RoomPlayerRow, (room.id, number))
        if player is None:
            raise NotFoundError("there is no such pupil in the room {code}", code=room.id)
        player.removed = True


def steer(
    storage: Storage, code: str, visitor: str, action: Action, number: int, hidden: str = ""
) -> None:
    """Change the state of a room, which is in this round; `hidden` is for the next one.

    What was done already is not done again.
    """
    with storage.write() as session:
        room = own_room(session, code, visitor)
        states, after = _ALLOWED[action]
        if number != room.round or (room.state == after and action != "next"):
            return
        if room.state not in states:
            raise ConflictError("this is not possible now: load the page again")
        if action == "next":
            room.round += 1
            session.add(RoomRoundRow(room_id=room.id, number=room.round, hidden=hidden))
        room.state = after


# Rows.


def find_room(session: Session, code: str, *, lock: bool = False) -> RoomRow:
    """The room of a code."""
    room = session.get(RoomRow, code, with_for_update=lock or None)
    if room is None:
        raise NotFoundError("there is no room {code}", code=quoted(code))
    return room


def own_room(session: Session, code: str, visitor: str) -> RoomRow:
    """The room of this teacher."""
    room = find_room(session, code, lock=True)
    if room.owner != visitor:
        raise NotYoursError("only who has opened the room can do this")
    return room


def find_player(
    session: Session, room: RoomRow, visitor: str, *, lock: bool = False
) -> RoomPlayerRow:
    """The visitor as a pupil of this room."""
    rows = select(RoomPlayerRow).where(
        RoomPlayerRow.room_id == room.id, RoomPlayerRow.player == visitor, ~RoomPlayerRow.removed
    )
    player = session.scalars(rows.with_for_update() if lock else rows).first()
    if player is None:
        raise NotYoursError("you are not in the room {code}: join it first", code=room.id)
    return player
