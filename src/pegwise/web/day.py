"""The game of the day: one hidden code, and one hidden word, the same for everybody.

Its seed is the day, as that of the puzzle of the day. The page has the code, so that it is played
without the network; a game that is over is stored with the others of its player.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from pegwise.errors import InputError, Phrase
from pegwise.game import game_of
from pegwise.game.listed import WordGame
from pegwise.knowledge.codemaker import draw_secret
from pegwise.knowledge.puzzles import day_seed
from pegwise.strategies import load
from pegwise.trees import play
from pegwise.web.dates import long_date
from pegwise.web.pages import language_of, render
from pegwise.web.puzzle import Asked, month_of, today
from pegwise.web.services import Shared, TooLongError
from pegwise.web.storage import BusyError

FIRST: Final = date(2026, 1, 1)

_YARDSTICKS: Final = {
    "4x6": {"knuth": Phrase("Knuth"), "optimal": Phrase("best play")},
    "wordle": {"knuth": Phrase("Knuth"), "entropy": Phrase("the guess that tells most")},
}
"""The boards on which there is a game of the day, and which strategies it is compared with.

The best play of games of words is not known.
"""


@lru_cache(maxsize=64)
def needed_guesses(name: str, day: date) -> dict[str, int]:
    """How many guesses strategies need in the game of a day on one of these boards."""
    game = game_of(name)
    secret = draw_secret(game, day_seed(day))
    return {each: len(play(game, load(each), secret)) for each in _YARDSTICKS[name]}


def _packed(words: Iterable[str]) -> str:
    """Words one after the other, each without the letters with which the one before it begins.

    What is left of a word begins with a capital: `aback`, `abase`, `abash` are `AbackAseSh`.
    """
    texts, before = [], ""
    for word in sorted(map(str.lower, words)):
        alike = next(k for k in range(len(word)) if word[: k + 1] != before[: k + 1])
        texts.append(word[alike:].capitalize())
        before = word
    return "".join(texts)


api = APIRouter()
pages = APIRouter(include_in_schema=False)


@pages.get("/day")
async def page(request: Request, asked: Asked, shared: Shared) -> Response:
    """The game of a day, and a month of them."""
    rules, day = asked.rules, asked.day or today()
    name = next((name for name in _YARDSTICKS if str(game_of(name)) == str(rules)), None)
    if name is None:
        raise InputError(
            "there is no game of the day on {rules}: choose {names}",
            rules=rules,
            names=Phrase(" or ".join(_YARDSTICKS)),
        )
    if day < FIRST:
        raise InputError(
            "the first game of the day was on {first}, not {day}", first=FIRST, day=day
        )
    needed: dict[str, int] = {}
    with suppress(TooLongError, BusyError):  # it is played without them
        needed = await shared.slow.ask(needed_guesses, name, day)
    language = language_of(request)
    secret = draw_secret(rules, day_seed(day))
    title = long_date(day, language)
    return render(
        request,
        "day",
        page="play",
        rules=rules,
        options={"hints": False, "max_guesses": None},
        title=title,
        number=(day - FIRST).days + 1,
        boards=list(_YARDSTICKS),
        needed=[(_YARDSTICKS[name][strategy], n) for strategy, n in needed.items()],
        asked=asked,
        **month_of(day, language, FIRST),
        data={
            "options": {"hints": False, "max_guesses": None},
            "day": str(day),
            "named": "date" in request.query_params,
            "seed": day_seed(day),
            "number": (day - FIRST).days + 1,
            "secret": str(secret),
            "words": _packed(rules.words.guesses) if isinstance(rules, WordGame) else "",
            "best": min(needed.values(), default=None),
        },
    )
