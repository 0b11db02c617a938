"""Play: a person seeks a code that pegwise hides."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query

from pegwise.errors import TooLargeError
from pegwise.game import Mark, Turn
from pegwise.web import computing, games
from pegwise.web.problems import ConflictError
from pegwise.web.schemas import (
    GameRequest,
    GameView,
    GuessRequest,
    HintView,
    LeftView,
)
from pegwise.web.services import Shared
from pegwise.web.tables import Game
from pegwise.web.work import BusyError

router = APIRouter(prefix="/games", tags=["play"])

Key = Annotated[str, Path(min_length=1, max_length=32, description="The id of the game.")]


@router.post("", status_code=201)
def begin(request: GameRequest, shared: Shared) -> GameView:
    """Begin a game."""
    return games.begin(shared.storage, request)


@router.get("/{key}")
def show(key: Key, shared: Shared) -> GameView:
    """A game as it stands."""
    return games.view(games.find(shared.storage, key))


@router.post("/{key}/turns")
async def guess(key: Key, request: GuessRequest, shared: Shared) -> GameView:
    """Play a guess. Sent again with the same number and guess, it is not played twice."""
    at = await run_sync(games.take, shared.storage, key, request.guess, request.turn)
    if at.guess is None:
        return games.view(at.game)
    line = shared.line_for_counting(at.rules)
    left, shown = None, None
    if at.mark is None:
        marked, left = await line.ask(computing.answer, at.rules, at.turns, at.guess, None)
        if games.is_last(at) and marked != Mark(at.rules.pegs):
            played = (*at.turns, Turn(at.guess, marked))
            shown = await line.ask(computing.reveal, at.rules, played)
    else:
        marked = at.mark
        with suppress(TooLargeError, BusyError):  # the game goes on without the number
            _, left = await line.ask(computing.answer, at.rules, at.turns, at.guess, marked)
    game = await run_sync(games.add_turn, shared.storage, at, marked, left, shown)
    return games.view(game)


@router.post("/{key}/hint")
async def hint(key: Key, shared: Shared) -> HintView:
    """A guess that pegwise would play."""
    game = await run_sync(games.find, shared.storage, key)
    _refuse_without_hints(game)
    if game.result != "open":
        raise ConflictError(f"the game is over ({game.result}): there is nothing to guess")
    known = games.view(game)
    line = shared.line_for_advice(known.rules)
    code, by = await line.ask(computing.hint, known.rules, games.history(game))
    return HintView(guess=str(code), by=by, left=known.left)


@router.get("/{key}/left")
async def left(
    key: Key, shared: Shared, limit: Annotated[int, Query(ge=0, le=1000)] = 20
) -> LeftView:
    """How many codes are possible, and the first of them."""
    game = await run_sync(games.find, shared.storage, key)
    _refuse_without_hints(game)
    turns, rules = games.history(game), games.view(game).rules
    line = shared.line_for_counting(rules)
    count, codes = await line.ask(computing.first_codes, rules, turns, limit)
    return LeftView(count=count, codes=[str(code) for code in codes])


@router.post("/{key}/give-up")
async def give_up(key: Key, shared: Shared) -> GameView:
    """End a game, which shows its code."""
    game = await run_sync(games.find, shared.storage, key)
    shown, turns = None, games.history(game)
    if game.codemaker == "evil" and game.result == "open":
        rules = games.view(game).rules
        shown = await shared.line_for_counting(rules).ask(computing.reveal, rules, turns)
    return games.view(await run_sync(games.end, shared.storage, key, shown, len(turns)))


def _refuse_without_hints(game: Game) -> None:
    if not game.hints and game.result == "open":
        raise ConflictError("this game was begun without hints; they come back when it is over")
