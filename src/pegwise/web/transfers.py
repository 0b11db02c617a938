"""Games, solved puzzles and days in a row, taken over from another device by a code that it draws.

The code is the address of *Your games* with a text that this server has signed: who played, and the
lists of the browser. The games themselves are on the server, and are copied there. Nothing of it is
stored before it is taken over.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from contextlib import suppress
from datetime import date
from itertools import accumulate, pairwise
from typing import Annotated, Any, Final

import segno
from fastapi import APIRouter
from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from pegwise.errors import InputError
from pegwise.web.games import LISTED
from pegwise.web.inputs import RequestBody
from pegwise.web.own_games import all_games, copy_games
from pegwise.web.pages import render_piece
from pegwise.web.rooms.api import link_for_phones
from pegwise.web.services import Player, Shared, Visitor

MINUTES: Final = 15
"""So long a code can be taken over."""

_MOST: Final = 1600  # characters of a code that a phone still scans from a screen
_NUMBERED: Final = re.compile(r"(.*?)(\d{4}-\d{2}-\d{2}|0|[1-9]\d{0,15})", re.ASCII)

Name = Annotated[str, Field(max_length=20)]
Item = Annotated[str, Field(max_length=80)]
Lists = Annotated[dict[Name, Annotated[list[Item], Field(max_length=2000)]], Field(max_length=20)]
"""Lists of a browser: of puzzles and days, the oldest first."""


class TransferRequest(RequestBody):
    """What is in a browser alone."""

    lists: Lists


class TakeRequest(RequestBody):
    """A code that another device has drawn; to `look` is to take nothing over."""

    code: Annotated[str, Field(max_length=8000)]
    look: bool = False


class TransferView(BaseModel):
    """What a code carries: so many games that are over, and the lists of the browser."""

    games: int
    lists: Lists


Packed = dict[str, list[Any]]
"""Items by what stands before their number, the numbers as differences; others as they are."""


def pack(items: list[str]) -> Packed:
    """The items of a list, shorter: most are days and seeds, of which few follow on no other."""
    numbers, rest = defaultdict[str, set[int]](set), list[str]()
    for item in items:
        told = _NUMBERED.fullmatch(item)
        if told is None:
            rest.append(item)
            continue
        kind, number = "", told[2]
        with suppress(ValueError):  # a day that there is not is a number, or text
            if "-" in number or len(number) == 8:
                kind, number = "-" if "-" in number else "+", str(_day(number).toordinal())
        if "-" in number:
            rest.append(item)
        else:
            numbers[f"{kind or '='}{told[1]}"].add(int(number))
    ordered = {key: sorted(each) for key, each in numbers.items()}
    packed: Packed = {
        key: [each[0], *(after - before for before, after in pairwise(each))]
        for key, each in ordered.items()
    }
    return packed | ({"": rest} if rest else {})


def _day(text: str) -> date:
    return date.fromisoformat(text if "-" in text else f"{text[:4]}-{text[4:6]}-{text[6:]}")


def unpack(packed: Packed) -> list[str]:
    """The items of a list that was packed; numbers in order."""
    items = list[str](packed.get("", []))
    for key, steps in packed.items():
        for number in accumulate(steps) if key else ():
            day = date.fromordinal(number).isoformat() if key[0] != "=" else str(number)
            items.append(key[1:] + (day.replace("-", "") if key[0] == "+" else day))
    return items


def draw(signer: URLSafeTimedSerializer, player: str | None, lists: Lists) -> tuple[str, int]:
    """A code for what a visitor has, and how many items of a list it has at most.

    Of long lists it has the newest items.
    """
    most = max(map(len, lists.values()), default=0)
    while True:
        packed = {name: pack(each[-most:]) for name, each in lists.items() if each and most}
        code = str(signer.dumps([player, packed]))
        if len(code) <= _MOST:
            return code, most
        most = most * 3 // 4


def read(signer: URLSafeTimedSerializer, code: str) -> tuple[str | None, Lists]:
    """Who drew a code, and the lists that it has; InputError where it cannot be taken over."""
    try:
        player, packed = signer.loads(code, max_age=60 * MINUTES)
    except SignatureExpired:
        raise InputError(
            "this code is older than {n} minutes: let the other device draw another one", n=MINUTES
        ) from None
    except BadData:
        raise InputError(
            "this is no code of this server, or a part of it is missing: scan it once more, whole"
        ) from None
    return player, {name: unpack(each) for name, each in packed.items()}


api = APIRouter(prefix="/transfers", tags=["play"])


@api.post("", response_class=Response)
async def begin(
    asked: TransferRequest, request: Request, shared: Shared, player: Player
) -> Response:
    """Draw a code of all that a visitor has, as a piece of a page."""
    played = [game for game in await all_games(shared, player) if game.over]
    if not played and not any(asked.lists.values()):
        raise InputError("there is nothing to take over yet: play a game, or solve a puzzle")
    code, most = draw(request.app.state.signer, player, asked.lists)
    link, local = await asyncio.to_thread(link_for_phones, request, "/games")
    link = f"{link}#take={code}"
    drawn = await asyncio.to_thread(segno.make, link, error="l", micro=False)
    return render_piece(
        request,
        "games_transfer",
        games=len(played),
        puzzles=len(asked.lists.get("puzzles", [])),
        most=most,
        cut=any(len(each) > most for each in asked.lists.values()),
        picture=drawn.png_data_uri(scale=6, border=2),
        link=link,
        host=request.url.hostname if local else "",
        minutes=MINUTES,
    )


@api.post("/take")
async def take(
    asked: TakeRequest, request: Request, shared: Shared, player: Visitor
) -> TransferView:
    """Copy the games of another device; the lists are for this browser. None is there twice."""
    owner, lists = read(request.app.state.signer, asked.code)
    if owner == player:
        raise InputError("this code is of this very browser: open it on the other device")
    played = [game for game in await all_games(shared, owner) if game.over]
    if not asked.look:
        shared.check_begins()
        for first in range(0, len(played), LISTED):
            part = played[first : first + LISTED]
            await shared.storage.do(copy_games, player, part)
    return TransferView(games=len(played), lists=lists)
