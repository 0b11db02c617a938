"""Several secrets at once: a person seeks all of them with the same guesses."""

from __future__ import annotations

import math
import secrets as random_names
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field
from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from pegwise.coach import choice
from pegwise.coach.advice import Position
from pegwise.coach.review import review as coach
from pegwise.coach.review import turning_point
from pegwise.errors import Phrase, quoted
from pegwise.game import Parallel, Rules, Secrets, Turn, as_game, parse_code
from pegwise.game.mastermind import parallel
from pegwise.game.rules import SEVERAL
from pegwise.playing import Play, Record
from pegwise.web import games
from pegwise.web.games import LISTED, awaits
from pegwise.web.inputs import (
    MAX_TURNS,
    Blank,
    RequestBody,
    RulesText,
    query_of,
    rules_of,
)
from pegwise.web.pages import language_of, render, render_piece
from pegwise.web.play import GuessRequest
from pegwise.web.reading import color_names, colors_of
from pegwise.web.review import mean
from pegwise.web.services import Player, Shared
from pegwise.web.storage import (
    GAMES,
    TURNS,
    ConflictError,
    NotFoundError,
    NotYoursError,
    Storage,
    now,
)

MOST: Final = 4
"""Most secrets that are sought at once on the site."""

_STRATEGY: Final = "entropy"  # which gives hints

_FIND: Final = (
    select(GAMES, TURNS)
    .join_from(GAMES, TURNS, isouter=True)
    .where(GAMES.c.id == bindparam("key"))
    .order_by(TURNS.c.number)
)

Key = Annotated[str, Path(min_length=1, max_length=32, description="The id of the game.")]


class SeveralRequest(RequestBody):
    """A new game with several secrets, which are drawn by chance and distinct."""

    rules: RulesText = Rules()
    secrets: Annotated[int, Field(ge=2, le=MOST)] = 2
    hints: bool = True
    max_guesses: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None


class BoardView(BaseModel):
    """A board: its mark for each turn, up to that which finds its secret.

    `left` has how many codes are possible after each of these turns; it is empty where hints are
    off. The secret is told once it is found, or the game is over.
    """

    marks: list[str]
    left: list[int]
    secret: str | None


class SeveralView(BaseModel):
    """A game with several secrets; its record is told once it is over."""

    id: str
    rules: RulesText
    secrets: int
    hints: bool
    max_guesses: int | None
    guesses: list[str]
    boards: list[BoardView]
    over: bool
    won: bool
    hinted: list[int]
    record: str | None


class SeveralHint(BaseModel):
    """The guess that tells most of all hidden secrets together, and why it is played."""

    guess: str
    by: str


class SeveralTurn(BaseModel):
    """The bits that a turn told of all hidden secrets, and those of the best guess."""

    turn: int
    guess: str
    bits: float
    expected: float
    luck: float
    cost: float
    best: str


@dataclass(frozen=True, slots=True)
class SeveralGame:
    """A game with several secrets as it stands.

    `counts` are how many codes are possible on each board after each turn.
    """

    id: str
    game: Parallel
    seed: int
    hints: bool
    max_guesses: int | None
    result: str = "open"
    player: str | None = None
    turns: tuple[Turn, ...] = ()
    counts: tuple[tuple[int, ...], ...] = ()
    hinted: tuple[int, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of each board."""
        rules = self.game.rules
        assert isinstance(rules, Rules)  # noqa: S101 (games by their rules)
        return rules

    @property
    def play(self) -> Play:
        """The game with its turns."""
        return Play(self.game.game, self.game.n, self.turns)

    def hidden(self) -> Secrets:
        """The secrets that were drawn."""
        return self.game.read_secrets(self.game.draw(1, self.seed)[0].tolist())

    def record(self) -> Record:
        """A game that is over, as a record."""
        return Record(
            self.rules,
            self.turns,
            self.result,
            self.hidden(),  # type: ignore[arg-type]
            codemaker="given",
            hinted=tuple(turn for turn in self.hinted if turn <= len(self.turns)),
            boards=self.game.n,
        )

    def view(self) -> SeveralView:
        """The game as its player may see it."""
        over = self.result != "open"
        shown = list(self.hidden()) if over else self.play.found
        boards = []
        for board, secret in enumerate(shown):
            told = [str(turn.mark) for turn in self.play.turns_on(board)]
            counts = [after[board] for after in self.counts[: len(told)]] if self.hints else []
            text = None if secret is None else str(secret)
            boards.append(BoardView(marks=told, left=counts, secret=text))
        return SeveralView(
            id=self.id,
            rules=self.rules,
            secrets=self.game.n,
            hints=self.hints,
            max_guesses=self.max_guesses,
            guesses=[str(turn.guess) for turn in self.turns],
            boards=boards,
            over=over,
            won=self.result == "solved",
            hinted=list(self.hinted),
            record=self.record().write() if over else None,
        )


# What a process computes.


def counts_after(rules: Rules, n: int, turns: Sequence[Turn]) -> tuple[int, ...]:
    """How many codes are possible on each board."""
    return Position(Play(as_game(rules), n, tuple(turns))).counts


@lru_cache(maxsize=64)
def advise(rules: Rules, n: int, turns: tuple[Turn, ...]) -> str:
    """The guess that tells most of all hidden secrets together."""
    return str(choice.hint(Play(as_game(rules), n, turns)).guess)


def reviewed(record: Record) -> list[SeveralTurn]:
    """The bits of each turn, beside those of the best guess by one look ahead."""
    return [
        SeveralTurn(
            turn=turn.number,
            guess=str(turn.turn.guess),
            bits=turn.bits,
            expected=turn.played.bits,
            luck=turn.luck,
            cost=turn.cost or 0.0,
            best=str(turn.best.guess if turn.best else turn.turn.guess),
        )
        for turn in coach(record).turns
    ]


# The database: rows of games and turns, whose marks follow from the secrets.


def begin_game(storage: Storage, request: SeveralRequest, player: str | None) -> SeveralGame:
    """Begin a game of a player. InputError: rules of which several secrets cannot be sought."""
    game = SeveralGame(
        random_names.token_urlsafe(16),
        parallel(request.rules, request.secrets),
        games.draw_seed(),
        request.hints,
        request.max_guesses,
    )
    row = {
        "id": game.id,
        "rules": f"{request.rules.named}*{request.secrets}",
        "codemaker": "random",
        "seed": str(game.seed),
        "hints": game.hints,
        "max_guesses": game.max_guesses,
        "result": game.result,
        "begun": now(),
        "player": player,
    }
    with storage.write() as session:
        session.execute(insert(GAMES), row)
    return game


class PlayedSeveral(NamedTuple):
    """A game with several secrets in the list of its player."""

    key: str
    rules: Rules
    secrets: int
    turns: int
    result: str
    begun: datetime
    hints: int  # turns for which one was asked

    @property
    def address(self) -> str:
        """Of its page."""
        asked = {"rules": self.rules, "secrets": self.secrets, "game": self.key}
        return f"/play/several?{query_of(asked)}"


def played_by(storage: Storage, player: str, first: int = 0) -> list[PlayedSeveral]:
    """Games of a player in which there is a turn, the newest first; after the first ones."""
    own = GAMES.c.player == player, GAMES.c.rules.contains("*")
    query = (
        select(
            GAMES.c.id, GAMES.c.rules, GAMES.c.result, GAMES.c.begun, GAMES.c.hinted, func.count()
        )
        .join_from(GAMES, TURNS)
        .where(*own)
        .group_by(GAMES.c.id)
        .order_by(GAMES.c.begun.desc())
        .limit(LISTED)
        .offset(first)
    )
    games: list[PlayedSeveral] = []
    with storage.read() as session:
        for key, text, result, begun, hinted, turns in session.execute(query):
            rules, _, secrets = text.rpartition("*")
            hints = len(hinted.split(",")) if hinted else 0
            played = PlayedSeveral(
                key, Rules.parse(rules), int(secrets), turns, result, begun, hints
            )
            games.append(played)
    return games


def find(storage: Storage, key: str) -> SeveralGame:
    """The game of this id."""
    with storage.read() as session:
        return _find(session, key)


def _find(session: Session, key: str, *, lock: bool = False) -> SeveralGame:
    if lock and session.get_bind().dialect.name != "sqlite":  # which has one writer at a time
        session.execute(select(GAMES.c.id).where(GAMES.c.id == key).with_for_update())
    rows = session.execute(_FIND, {"key": key}).all()
    named = SEVERAL.fullmatch(rows[0].rules) if rows else None
    if named is None:
        raise NotFoundError("there is no game {key} here", key=quoted(key))
    first, rules = rows[0], Rules.parse(named[1])
    game = SeveralGame(
        first.id,
        parallel(rules, int(named[2])),
        int(first.seed),
        first.hints,
        first.max_guesses,
        first.result,
        first.player,
        hinted=tuple(map(int, filter(None, (first.hinted or "").split(",")))),
    )
    played = [row for row in rows if row.number is not None]
    hidden, play = game.hidden() if played else Secrets(), game.play
    for row in played:
        play = play.after(play.answer(hidden, parse_code(row.guess, rules)))
    counts = tuple(tuple(map(int, row.candidates.split(","))) for row in played)
    return replace(game, turns=play.turns, counts=counts)


def add_turn(storage: Storage, game: SeveralGame, turn: Turn, counts: Sequence[int]) -> SeveralGame:
    """Play a turn, after which so many codes are possible on each board."""
    number = len(game.turns) + 1
    with storage.write() as session:
        game = _find(session, game.id, lock=True)
        if not awaits(game.turns, game.result, turn.guess, number):
            return game
        counted = ",".join(map(str, counts))
        games.insert_turn(session, game.id, number, turn.guess, "", counted)
        game = replace(game, turns=(*game.turns, turn), counts=(*game.counts, tuple(counts)))
        if game.play.over:
            return _end(session, game, "solved")
        return _end(session, game, "lost") if number == game.max_guesses else game


def _end(session: Session, game: SeveralGame, result: str) -> SeveralGame:
    session.execute(update(GAMES).where(GAMES.c.id == game.id).values(result=result))
    return replace(game, result=result)


def give_game_up(storage: Storage, key: str) -> SeveralGame:
    """Give a game up, which shows its secrets; one that is over stays as it is."""
    with storage.write() as session:
        game = _find(session, key, lock=True)
        return game if game.result != "open" else _end(session, game, "given up")


def note_hint(storage: Storage, key: str) -> None:
    """Store that a hint was asked for the next turn."""
    with storage.write() as session:
        game = _find(session, key, lock=True)
        hinted = dict.fromkeys([*game.hinted, len(game.turns) + 1])
        values = {"hinted": ",".join(map(str, hinted))}
        session.execute(update(GAMES).where(GAMES.c.id == key).values(values))


# The API.

api = APIRouter(prefix="/several", tags=["play"])
pages = APIRouter(include_in_schema=False)


async def _stored(key: Key, shared: Shared) -> SeveralGame:
    return await shared.storage.do(find, key)


Stored = Annotated[SeveralGame, Depends(_stored)]
"""The game that a request names."""


async def _own(game: Stored, player: Player) -> SeveralGame:
    if game.player is not None:
        NotYoursError.unless(player, game.player)
    return game


Own = Annotated[SeveralGame, Depends(_own)]
"""The same, unless another visitor has begun it."""


@api.post("", status_code=201)
async def begin(request: SeveralRequest, shared: Shared, player: Player) -> SeveralView:
    """Begin a game with several secrets; who has a session alone can play it."""
    shared.check_begins()
    return (await shared.storage.do(begin_game, request, player)).view()


@api.get("/{key}")
async def show(game: Stored) -> SeveralView:
    """A game as it stands."""
    return game.view()


@api.post("/{key}/turns")
async def guess(game: Own, request: GuessRequest, shared: Shared) -> SeveralView:
    """Play a guess, which gets a mark on every board that is still hidden.

    Sent again with the same number and guess, it is not played twice.
    """
    code = parse_code(request.guess, game.rules)
    if awaits(game.turns, game.result, code, request.turn):
        turn = game.play.answer(game.hidden(), code)
        played = (*game.turns, turn)
        pool = shared.pool_for_advice(game.rules)
        counts = await pool.ask(counts_after, game.rules, game.game.n, played)
        game = await shared.storage.do(add_turn, game, turn, counts)
    return game.view()


@api.post("/{key}/hint")
async def hint(game: Own, shared: Shared) -> SeveralHint:
    """The guess that tells most of all hidden secrets; the game notes that it was asked for."""
    if not game.hints:
        raise ConflictError("this game was begun without hints; they come back when it is over")
    if game.result != "open":
        raise ConflictError(
            "the game is over ({result}): there is nothing to guess", result=Phrase(game.result)
        )
    advised = await shared.slow.ask(advise, game.rules, game.game.n, game.turns)
    await shared.storage.do(note_hint, game.id)
    return SeveralHint(guess=advised, by=_STRATEGY)


@api.post("/{key}/give-up")
async def give_up(game: Own, shared: Shared) -> SeveralView:
    """End a game, which shows its secrets."""
    return (await shared.storage.do(give_game_up, game.id)).view()


@api.get("/{key}/review")
async def review(game: Stored, shared: Shared) -> list[SeveralTurn]:
    """The bits of each turn of a game that is over, and those of the best guess."""
    if game.result == "open":
        raise ConflictError("this game is not over: it is reviewed at its end")
    return await shared.slow.ask(reviewed, game.record())


@api.get("/{key}/review.html", response_class=Response)
async def drawn_review(request: Request, game: Stored, shared: Shared) -> Response:
    """The same as a piece of the page."""
    turns = await review(game, shared)
    own = [turn for turn in turns if turn.turn not in game.hinted]
    best = [(turn.expected, turn.expected + turn.cost) for turn in own]
    return render_piece(
        request,
        "several_review",
        rules=game.rules,
        turns=turns,
        hinted=game.hinted,
        skill=mean([told / most for told, most in best if most > 0]),
        cost=math.fsum(turn.cost for turn in own),
        luck=math.fsum(turn.luck for turn in turns),
        turning=turning_point([turn.cost for turn in turns], [turn.luck for turn in turns]),
    )


# The page.


@pages.get("/play/several")
async def page(
    request: Request,
    secrets: Annotated[int, Query(ge=2, le=MOST)] = 2,
    hints: str = "",
    max_guesses: Annotated[int | None, Query(alias="max", ge=1, le=MAX_TURNS), Blank] = None,
    game: str = "",
) -> Response:
    """Boards side by side, and the guess that all of them get."""
    rules = rules_of(request.query_params)
    parallel(rules, secrets)  # refuses rules of which several cannot be sought
    names = colors_of(request.query_params, rules)
    state = {
        "rules": rules.named,
        "secrets": secrets,
        "hints": None if hints != "0" else 0,
        "max": max_guesses,
        "colors": ",".join(names),
    }
    options = {"secrets": secrets, "hints": hints != "0", "max_guesses": max_guesses}
    return render(
        request,
        "several",
        page="play",
        rules=rules,
        own_names=names,
        options=options,
        again=f"/play/several?{query_of(state)}",
        data={
            "options": options,
            "game": game,
            "names": [name.model_dump() for name in color_names(names, language_of(request))],
        },
    )
