"""Challenges: others play for the secret of a game, and compare themselves with it."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from fastapi import APIRouter, Path
from pydantic import BaseModel
from sqlalchemy import ColumnElement, update
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import quoted
from pegwise.web import games
from pegwise.web.games import (
    GameState,
    GameView,
    insert_game,
    list_games,
)
from pegwise.web.pages import render
from pegwise.web.play import Key, address_of, address_on
from pegwise.web.services import Player, Shared
from pegwise.web.storage import (
    GAMES,
    ConflictError,
    NotFoundError,
    Storage,
)

_COMPARED: Final = 20  # games of others that are compared at most
Name = Annotated[str, Path(min_length=1, max_length=32, description="The name of the challenge.")]


class ChallengeView(BaseModel):
    """A challenge: others play for the same secret at the address `path`."""

    name: str
    path: str


def challenge(storage: Storage, key: str, player: str | None) -> str:
    """The name under which others play for the same secret as a game of this player."""
    with storage.write() as session:
        game = games.find_own(session, key, player)
        if game.seed is None:
            raise ConflictError("the evil codemaker has no code for others to look for")
        name = game.challenge or secrets.token_urlsafe(16)
        session.execute(update(GAMES).where(GAMES.c.id == key).values(challenge=name))
        return name


def accept(storage: Storage, name: str, player: str | None) -> GameState:
    """The game of a player in a challenge, which begins where there is none."""
    with storage.write() as session:
        # locked, since a visitor may ask twice at once
        first = games.find_locked(session, _first(session, name).id)
        if own := _own(session, name, player):
            return own
        game = GameState(
            secrets.token_urlsafe(16),
            first.rules,
            first.codemaker,
            first.seed,
            first.hints,
            first.max_guesses,
            secret=None if first.secrets > 1 else first.hidden()[0],
            challenge=name,
            player=player,
            secrets=first.secrets,
        )
        insert_game(session, game)
        return game


def compared(
    storage: Storage, name: str, player: str | None
) -> tuple[GameState, GameState | None, list[GameState]]:
    """The first game of a challenge, the player's own, and those of others that are over."""
    with storage.read() as session:
        others = GAMES.c.player.is_distinct_from(player), GAMES.c.result != "open"
        return (
            _first(session, name),
            _own(session, name, player),
            list_games(session, _of(name), *others, newest=False, limit=_COMPARED),
        )


def _of(name: str) -> ColumnElement[bool]:
    return GAMES.c.challenge == name


def _own(session: Session, name: str, player: str | None) -> GameState | None:
    if player is None:
        return None
    return next(iter(list_games(session, _of(name), GAMES.c.player == player, limit=1)), None)


def _first(session: Session, name: str) -> GameState:
    first = list_games(session, _of(name), newest=False, limit=1)
    if not first:
        raise NotFoundError("there is no challenge {name} here", name=quoted(name))
    return first[0]


api = APIRouter()


@api.post("/games/{key}/challenge", tags=["play"])
async def challenge_others(key: Key, shared: Shared, player: Player) -> ChallengeView:
    """Let others play for the same secret as a game that the same visitor has begun."""
    name = await shared.storage.do(challenge, key, player)
    return ChallengeView(name=name, path=f"/challenge/{name}")


@api.post("/challenges/{name}", status_code=201, tags=["play"])
async def take_up(name: Name, shared: Shared, player: Player) -> GameView:
    """Begin a game for the secret of a challenge; a visitor has one game in it."""
    shared.check_begins()
    game = await shared.storage.do(accept, name, player)
    return shared.recent.keep(game).view()


pages = APIRouter(include_in_schema=False)


@pages.get("/challenge/{name}")
async def compare(name: Name, request: Request, shared: Shared, player: Player) -> Response:
    """Games for the same secret side by side; the visitor's own comes first and has to be over."""
    first, own, others = await shared.storage.do(compared, name, player)
    if own is None:
        return RedirectResponse(address_on(first, challenge=name), 303)
    if not own.over:
        return RedirectResponse(address_of(own), 303)
    return render(
        request,
        "challenge",
        page="play",
        rules=first.rules,
        boards=range(first.secrets),
        games=[(game, address_of(game)) for game in (own, *others)],
    )
