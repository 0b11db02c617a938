"""Rooms for a class: opened by a teacher, joined by pupils, steered, deleted."""

from __future__ import annotations

import re
import secrets
import unicodedata
from datetime import timedelta
from typing import Annotated, Final, Literal, NamedTuple, get_args

from pydantic import Field
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pegwise.errors import InputError, PegwiseError, quoted
from pegwise.web.inputs import CLASSIC, RequestBody, RulesText
from pegwise.web.storage import (
    ConflictError,
    NotFoundError,
    NotYoursError,
    RoomPlayerRow,
    RoomRoundRow,
    RoomRow,
    RoomTeacherRow,
    Storage,
    now,
)

Mode = Literal["same", "teacher", "duel", "puzzles"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
Action = Literal["next", "pause", "resume", "show", "end"]
State = Literal["waiting", "playing", "paused", "shown", "ended"]

MAX_PLAYERS: Final = 40
PUZZLES: Final = 6  # of a round
MAX_NAME: Final = 20
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159")
"""Letters and signs that show nothing."""
_JOINER: Final = re.compile(r"(?<=\S)[\u200c\u200d](?=\S)")
_SELECTOR: Final = re.compile(r"[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Signs that choose how the one before is drawn, and often change nothing."""
BETWEEN_LESSONS: Final = timedelta(hours=4)
"""After such a pause another lesson begins."""
_USE: Final = timedelta(hours=1)  # how exactly it is stored when a room was used
_MAX_OPEN: Final = 10  # rooms of a visitor that were opened within a day
_MAX_OPEN_OF_CLIENT: Final = 40  # of one address, which a whole school may share
_LETTERS: Final = "CDFGHJKMNPQRTVWX"  # neither read as digits nor making words
_LENGTH: Final = 5  # letters of the code of a room: a million codes
_ALLOWED: Final[dict[Action, tuple[set[str], State]]] = {
    "next": ({"waiting", "playing", "paused", "shown"}, "playing"),
    "pause": ({"playing"}, "paused"),
    "resume": ({"paused"}, "playing"),
    "show": ({"playing", "paused"}, "shown"),
    "end": ({"waiting", "playing", "paused", "shown"}, "ended"),
}
"""In which states an action is possible, and the state after it."""


class RoomRequest(RequestBody):
    """A new room. The level is that of puzzles; pupils may be addressed familiarly."""

    rules: RulesText = CLASSIC
    mode: Mode = "same"
    level: Annotated[int, Field(ge=1, le=5)] = 2
    familiar: bool = False


class RoomChange(RequestBody):
    """A change of a room: whether nobody can join, and how pupils are addressed."""

    locked: bool | None = None
    familiar: bool | None = None


# Opening, joining, deleting.


def open_room(storage: Storage, request: RoomRequest, owner: str, client: str) -> str:
    """Open a room; its code."""
    with storage.write() as session:
        ours = select(RoomRow.owner).where(
            RoomRow.state != "ended",
            RoomRow.begun > now() - timedelta(days=1),
            (RoomRow.owner == owner) | (RoomRow.client == client),
        )
        owners = list(session.scalars(ours))
        if (n := owners.count(owner)) >= _MAX_OPEN:
            raise ConflictError(
                "{n} rooms that you have opened within a day are open: end one of them first", n=n
            )
        if client and (n := len(owners)) >= _MAX_OPEN_OF_CLIENT:
            raise ConflictError(
                "{n} rooms that were opened from this address within a day are open: end one of "
                "them first",
                n=n,
            )
        taken = set(session.scalars(select(RoomRow.id)))
        while (code := "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))) in taken:
            pass
        room = RoomRow(id=code, owner=owner, client=client, rules=str(request.rules))
        room.mode, room.level, room.familiar = request.mode, request.level, request.familiar
        room.key = secrets.token_urlsafe(16)
        session.add(room)
    return code


def rooms_of(storage: Storage, owner: str) -> list[RoomRow]:
    """The rooms that a visitor steers, the newest first."""
    steered = select(RoomTeacherRow.room_id).where(RoomTeacherRow.visitor == owner)
    with storage.read() as session:
        rows = select(RoomRow).where((RoomRow.owner == owner) | RoomRow.id.in_(steered))
        rows = rows.order_by(RoomRow.begun.desc())
        return list(session.scalars(rows))


def owned(storage: Storage, code: str, visitor: str) -> RoomRow:
    """The room of a teacher."""
    with storage.read() as session:
        return own_room(session, code, visitor)


def delete_old(storage: Storage, days: float) -> None:
    """Delete rooms that were last used `days` or more ago, with all that belongs to them."""
    used = func.coalesce(RoomRow.used, RoomRow.begun)
    with storage.write() as session:
        session.execute(delete(RoomRow).where(used < now() - timedelta(days=days) - _USE))


def delete_room(storage: Storage, code: str, visitor: str) -> None:
    """Delete a room of this visitor, with all that belongs to it."""
    with storage.write() as session:
        session.delete(own_room(session, code, visitor))


def read_code(text: str) -> str:
    """The code of a room as it is stored."""
    return "".join(text.split()).upper()[:8]


def read_name(text: str) -> str:
    """A nickname without needless space; InputError where it is none, or shows nothing."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    shown = _JOINER.sub("", name)  # a joiner joins what stands beside it, as in an emoji
    kinds = [unicodedata.category(letter)[0] for letter in shown]
    if not 1 <= len(name) <= MAX_NAME:
        raise InputError("a nickname has 1 to {most} letters", most=MAX_NAME)
    if "C" in kinds or kinds.count("M") * 2 > len(name) or not _BLANK.isdisjoint(name):
        raise InputError(
            "the nickname {name} has characters that cannot be shown", name=quoted(name)
        )
    return name


def _likeness(name: str) -> str:
    """A key that is the same for nicknames that look the same."""
    shown = _SELECTOR.sub("", _JOINER.sub("", name))
    return unicodedata.normalize("NFKC", shown).casefold()


def join(storage: Storage, code: str, visitor: str, text: str) -> None:
    """Let a visitor play under a nickname; who has one already, keeps it.

    A nickname of an earlier lesson is taken up again by the first who types it, whatever the
    browser. A locked room admits nobody, and who was taken out does not come in again.
    """
    name = read_name(text)
    with storage.write() as session:
        room = find_room(session, code, lock=True)
        note_use(room)
        if any(player.player == visitor for player in room.present):
            return
        _check_open(room, visitor)
        alike = [player for player in room.present if _likeness(player.name) == _likeness(name)]
        if alike and _is_of_earlier_lesson(alike[0]):
            alike[0].player, alike[0].seen = visitor, now()
            return
        if alike:
            raise ConflictError(
                "somebody in this room is called {name} already: choose another nickname",
                name=quoted(name),
            )
        if len(room.present) >= MAX_PLAYERS:
            raise ConflictError("the room is full: at most {most} can play", most=MAX_PLAYERS)
        number = 1 + max((player.number for player in room.players), default=0)
        session.add(RoomPlayerRow(room_id=room.id, number=number, player=visitor, name=name))


def _check_open(room: RoomRow, visitor: str) -> None:
    """Refuse a visitor who cannot come in, whatever the nickname."""
    if room.state == "ended":
        raise ConflictError("the room {code} has ended", code=room.id)
    if any(player.player == visitor for player in room.players):
        raise NotYoursError("the teacher has taken you out of the room {code}", code=room.id)
    if room.locked:
        raise ConflictError("the room {code} is locked: nobody can join now", code=room.id)


def _is_of_earlier_lesson(player: RoomPlayerRow) -> bool:
    return player.seen is None or player.seen < now() - BETWEEN_LESSONS


def note_use(room: RoomRow, player: RoomPlayerRow | None = None) -> None:
    """Store that a room is used, by this pupil if it is one; not at each turn."""
    moment = now()
    if room.last_used < moment - _USE:
        room.used = moment
    if player and (player.seen is None or player.seen < moment - _USE):
        player.seen = moment


class Door(NamedTuple):
    """What a visitor is told who comes to a room: whether as a child, and who cannot come in, why.

    `returning` tells that some of an earlier lesson have not come yet.
    """

    familiar: bool
    returning: bool
    refusal: PegwiseError | None


def door(storage: Storage, code: str, visitor: str) -> Door:
    """What a visitor is told before a nickname is typed."""
    with storage.read() as session:
        room, refusal = find_room(session, code), None
        try:
            _check_open(room, visitor)
        except PegwiseError as error:
            refusal = error
        returning = any(map(_is_of_earlier_lesson, room.present))
        return Door(bool(room.familiar), returning, refusal)


def change(storage: Storage, code: str, visitor: str, request: RoomChange) -> None:
    """Change a room as its teacher asks."""
    with storage.write() as session:
        room = own_room(session, code, visitor)
        for name, value in request.model_dump(exclude_none=True).items():
            setattr(room, name, value)


def renew_key(storage: Storage, code: str, visitor: str) -> None:
    """Give a room another link for teachers; sessions that came by an earlier one lose it.

    The visitor alone steers the room then, also where another session has opened it.
    """
    with storage.write() as session:
        room = own_room(session, code, visitor)
        room.key, room.owner = secrets.token_urlsafe(16), visitor
        session.execute(delete(RoomTeacherRow).where(RoomTeacherRow.room_id == room.id))


def become_teacher(storage: Storage, code: str, visitor: str, key: str) -> None:
    """Let a visitor steer a room who has the link of its teacher."""
    with storage.write() as session:
        room = find_room(session, code, lock=True)
        if room.key is None or not secrets.compare_digest(room.key.encode(), key.encode()):
            raise NotFoundError("this link of a teacher does not hold any more")
        if not teaches(session, room, visitor):
            session.add(RoomTeacherRow(room_id=room.id, visitor=visitor))


def remove_name(storage: Storage, code: str, visitor: str, number: int) -> None:
    """Let the teacher take a pupil out of a room; the name is free again.

    The room is locked then: who was taken out would come in again from another browser.
    """
    with storage.write() as session:
        room = own_room(session, code, visitor)
        player = session.get(RoomPlayerRow, (room.id, number))
        if player is None:
            raise NotFoundError("there is no such pupil in the room {code}", code=room.id)
        player.removed = room.locked = True


def steer(
    storage: Storage, code: str, visitor: str, action: Action, number: int, hidden: str = ""
) -> None:
    """Change the state of a room, which is in this round; `hidden` is for the next one.

    What was done already is not done again.
    """
    with storage.write() as session:
        room = own_room(session, code, visitor)
        note_use(room)
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


def no_room(code: str) -> NotFoundError:
    """That no room has this code."""
    return NotFoundError("there is no room {code}", code=quoted(code))


def find_room(session: Session, code: str, *, lock: bool = False) -> RoomRow:
    """The room of a code."""
    room = session.get(RoomRow, code, with_for_update=lock or None)
    if room is None:
        raise no_room(code)
    return room


def own_room(session: Session, code: str, visitor: str) -> RoomRow:
    """The room of this teacher."""
    room = find_room(session, code, lock=True)
    if not teaches(session, room, visitor):
        raise NotYoursError("only the person who opened the room can do this")
    return room


def teaches(session: Session, room: RoomRow, visitor: str) -> bool:
    """Whether a visitor steers a room."""
    own = room.owner == visitor
    return own or session.get(RoomTeacherRow, (room.id, visitor)) is not None


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
