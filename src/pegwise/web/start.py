"""The start page: a board, and a race that was played beforehand."""

from __future__ import annotations

import json
from functools import cache
from itertools import accumulate
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from pegwise.game import game_of
from pegwise.strategies.registry import cards
from pegwise.web import games
from pegwise.web.pages import STATIC, render
from pegwise.web.play import address_of
from pegwise.web.services import Player, Shared

_START: Final = game_of("4x6")

pages = APIRouter(include_in_schema=False)


@cache
def runners() -> list[tuple[str, float, int]]:
    """The strategies of the race: the mean of each, and its codes when the best has them all.

    `start_race.json` has for each strategy how many guesses it needs for every code, in the order
    of the race, as digits to base 36.
    """
    entrants = json.loads((STATIC / "start_race.json").read_text(encoding="utf-8"))
    needed = {name: [int(digit, 36) for digit in digits] for name, digits in entrants.items()}
    end = min(map(sum, needed.values()))
    return [
        (name, sum(guesses) / len(guesses), sum(played <= end for played in accumulate(guesses)))
        for name, guesses in needed.items()
    ]


@pages.get("/")
async def first_page(request: Request, shared: Shared, player: Player) -> Response:
    """The first page; it offers the latest game that the same visitor has not finished."""
    offered = await shared.storage.do(games.played_by, player, 0, 1, "open") if player else []
    return render(
        request,
        "start",
        rules=_START,
        runners=runners(),
        names={card.id: card.name for card in cards()},
        offered=[(game, address_of(game)) for game in offered],
    )


@pages.get("/offline")
def offline(request: Request) -> Response:
    """What the service worker shows in place of a page that it has not kept."""
    return render(request, "offline")


@pages.get("/sw.js")
def service_worker() -> Response:
    """The script that keeps pages for later; from here it is allowed to serve all of them."""
    return FileResponse(STATIC / "sw.js", headers={"cache-control": "no-cache"})


@pages.get("/favicon.ico")
def favicon() -> Response:
    """The icon, for programs that look for it by its old name."""
    return FileResponse(STATIC / "icon-192.png")
