"""Play: a person seeks a code that pegwise hides."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query

from pegwise.errors import TooLargeError
from pegwise.game import Mark, Turn
from pegwise.web import computing, games
from pegwise.web.game_state import Game
from pegwise.web.problems import ConflictError
from pegwise.web.schemas import GameRequest, GameView, GuessRequest, HintView, LeftView
from pegwise.web.services import Shared
from pegwise.web.work import BusyError

router = APIRouter(prefix="/games", tags=["play"])

_PATIENCE: Final = 3.0
"""Seconds to wait for a count; on the first start of all, kernels are still being compiled."""

Key = Annotated[str, Path(min_length=1, max_length=32, description="The id of the game.")]


@router.post("", status_code=201)
async def begin(request: GameRequest, shared: Shared) -> GameView:
    """Begin a game."""
    seed, secret = None, None
    if request.codemaker == "optimal":
        seed = games.draw_seed()
        secret = await shared.slow.ask(computing.optimal_secret, request.rules, seed)
    game = await shared.storage.do(games.begin, request, seed, secret)
    return games.view(shared.recent.keep(game))


@router.get("/{key}")
async def show(key: Key, shared: Shared) -> GameView:
    """A game as it stands."""
    return games.view(await shared.storage.do(games.find, key))


@router.post("/{key}/turns")
async def guess(key: Key, request: GuessRequest, shared: Shared) -> GameView:
    """Play a guess. Sent again with the same number and guess, it is not played twice."""
    taken = shared.recent.take(key, request.guess, request.turn)
    if taken is None:
        taken = await shared.storage.do(games.take, key, request.guess, request.turn)
    if taken.guess is None:
        return games.view(taken.game)
    rules, turns = taken.game.rules, taken.game.turns
    line = shared.line_for_counting(rules)
    left, shown = None, None
    if taken.mark is None:
        marked, left = await line.ask(computing.answer, rules, turns, taken.guess, None)
        if taken.game.ends_next and marked != Mark(rules.pegs):
            played = (*turns, Turn(taken.guess, marked))
            shown = await line.ask(computing.reveal, rules, played)
    else:
        marked = taken.mark
        with suppress(TooLargeError, BusyError, TimeoutError):  # goes on without the number
            async with asyncio.timeout(_PATIENCE):
                _, left = await line.ask(computing.answer, rules, turns, taken.guess, marked)
    game = await shared.storage.do(games.add_turn, taken, marked, left, shown)
    return games.view(shared.recent.keep(game))


@router.post("/{key}/hint")
async def hint(key: Key, shared: Shared) -> HintView:
    """A guess that pegwise would play."""
    game = await shared.storage.do(games.find, key)
    _refuse_without_hints(game)
    if game.over:
        raise ConflictError(
            "the game is over ({result}): there is nothing to guess", result=game.result
        )
    line = shared.line_for_advice(game.rules)
    code, by = await line.ask(computing.hint, game.rules, game.turns)
    return HintView(guess=str(code), by=by, left=games.view(game).left)


@router.get("/{key}/left")
async def left(
    key: Key, shared: Shared, limit: Annotated[int, Query(ge=0, le=1000)] = 20
) -> LeftView:
    """How many codes are possible, and the first of them."""
    game = await shared.storage.do(games.find, key)
    _refuse_without_hints(game)
    line = shared.line_for_counting(game.rules)
    count, codes = await line.ask(computing.first_codes, game.rules, game.turns, limit)
    return LeftView(count=count, codes=[str(code) for code in codes])


@router.post("/{key}/give-up")
async def give_up(key: Key, shared: Shared) -> GameView:
    """End a game, which shows its code."""
    game = await shared.storage.do(games.find, key)
    shown, turns = None, game.turns
    if game.seed is None and not game.over:
        line = shared.line_for_counting(game.rules)
        shown = await line.ask(computing.reveal, game.rules, turns)
    return games.view(await shared.storage.do(games.end, key, shown, len(turns)))


def _refuse_without_hints(game: Game) -> None:
    if not game.hints and not game.over:
        raise ConflictError("this game was begun without hints; they come back when it is over")
