"""The start page: a board, a race that was played beforehand, and the position of the day."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from hashlib import sha256
from itertools import accumulate, count, product
from typing import Final

from babel.dates import format_date
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from pegwise.game import Code, Rules, Turn, mark
from pegwise.web.inputs import history_text
from pegwise.web.pages import STATIC, language_of, render

_START: Final = Rules()
_FEWEST, _MOST = 5, 12  # how many codes a position of the day leaves

pages = APIRouter(include_in_schema=False)


@cache
def runners() -> list[tuple[str, float, int]]:
    """The strategies of the race: the mean of each, and its codes when the best has them all.

    `start_race.json` has for each strategy how many guesses it needs for every code, in the order
    of the race, as digits to base 36.
    """
    lanes = json.loads((STATIC / "start_race.json").read_text(encoding="utf-8"))
    needed = {name: [int(digit, 36) for digit in digits] for name, digits in lanes.items()}
    end = min(map(sum, needed.values()))
    return [
        (name, sum(guesses) / len(guesses), sum(played <= end for played in accumulate(guesses)))
        for name, guesses in needed.items()
    ]


@lru_cache(maxsize=2)
def position_of(day: date) -> tuple[tuple[Turn, ...], int]:
    """The turns of the position of a day, which depends on the date alone, and its codes."""
    codes = [Code(colors) for colors in product(range(_START.colors), repeat=_START.pegs)]
    for attempt in count():
        digest = sha256(f"pegwise {day.isoformat()} {attempt}".encode()).digest()
        draws = [int.from_bytes(digest[place : place + 4]) for place in range(0, 32, 4)]
        secret, possible = codes[draws.pop() % len(codes)], codes
        turns: list[Turn] = []
        while draws and len(possible) > _MOST:
            guess = possible[draws.pop() % len(possible)]
            turns.append(Turn(guess, mark(guess, secret)))
            possible = [code for code in possible if mark(guess, code) == turns[-1].mark]
        if len(turns) > 1 and _FEWEST <= len(possible) <= _MOST:
            break
    return tuple(turns), len(possible)


@pages.get("/")
def first_page(request: Request) -> Response:
    """The first page."""
    today = datetime.now(UTC).date()
    turns, n_codes = position_of(today)
    return render(
        request,
        "start",
        rules=_START,
        runners=runners(),
        day=format_date(today, "long", language_of(request)),
        turns=turns,
        history=history_text(turns),
        n_codes=n_codes,
        data={"history": [{"guess": str(guess), "mark": str(marked)} for guess, marked in turns]},
    )


@pages.get("/favicon.ico")
def favicon() -> Response:
    """The icon, for programs that look for it by its old name."""
    return FileResponse(STATIC / "icon-192.png")
