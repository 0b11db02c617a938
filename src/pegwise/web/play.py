"""Play: a person seeks a code that pegwise hides."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.coach import choice
from pegwise.coach.advice import Adviser, Position
from pegwise.coach.review import review
from pegwise.errors import InputError, Phrase, StrategyError, TooLargeError
from pegwise.game import Code, Game, Mark, Turn, game_of, parse_code
from pegwise.game.hard import check_hard
from pegwise.knowledge import parts
from pegwise.knowledge.codemaker import Evil, check_named
from pegwise.playing import Play
from pegwise.search.codemaker import draw_optimal_secret
from pegwise.search.solver import best_play_within
from pegwise.strategies import load
from pegwise.web import games, inputs
from pegwise.web.games import (
    MOST_SECRETS,
    Codemaker,
    GameRequest,
    GameState,
    GameView,
    Seconds,
)
from pegwise.web.inputs import (
    MAX_TURNS,
    Blank,
    Candidates,
    CodeText,
    RequestBody,
    boards_of,
    is_form,
    query_of,
)
from pegwise.web.pages import language_of, render, render_piece
from pegwise.web.reading import color_names, colors_of
from pegwise.web.review import GameToReview, of_piece
from pegwise.web.services import (
    SEARCHING,
    Player,
    Services,
    Shared,
    TooLongError,
    fallback_strategy,
)
from pegwise.web.storage import BusyError, ConflictError, NotFoundError

if TYPE_CHECKING:
    from pegwise.coach.advice import Advice

_COUNTING: Final = 3.0  # seconds to wait for a count

Key = Annotated[str, Path(min_length=1, max_length=32, description="The id of the game.")]


class GuessRequest(RequestBody):
    """The next guess. Its number makes it safe to send the same request again.

    `seconds` is the time of the game so far, where its player has a clock.
    """

    guess: CodeText
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)]
    seconds: Seconds | None = None


class HintView(BaseModel):
    """A guess that pegwise would play, and how many codes are possible.

    `late` tells that the best guess took too long, and that this is any code that fits.
    """

    guess: str
    by: str
    candidates: Candidates
    late: bool = False


class CandidatesView(BaseModel):
    """How many codes are possible, and the first of them."""

    count: int
    codes: list[str]


class BoardsView(BaseModel):
    """The codes that each of several boards may have; a solved one has its secret."""

    boards: list[CandidatesView]


Counts = tuple[int, ...] | None
"""How many codes each board may have, if that is counted."""

Answer = tuple[Mark, Counts, Code | None]
"""The mark of a guess; how many codes are possible after it; the secret of an evil codemaker, if
the game is lost with the guess."""


# What a process computes.


def answer(
    rules: Game, history: Sequence[Turn], guess: Code, marked: Mark | None, last: bool
) -> Answer:
    """The answer to a guess, whose mark the evil codemaker chooses if it is None."""
    try:
        sizes = parts(rules, history, guess)
    except TooLargeError:
        if marked is None:
            raise
        return marked, None, None
    if marked is not None:
        return marked, (sizes[marked],), None
    chosen = Evil(rules).answer(history, guess)
    lost = last and chosen != rules.marking.winning
    shown = reveal(rules, [*history, Turn(guess, chosen)]) if lost else None
    return chosen, (sizes[chosen],), shown


def count_boards(rules: Game, boards: int, history: Sequence[Turn]) -> Counts:
    """How many codes each of several boards may have."""
    return Position(Play(game_of(rules), boards, tuple(history))).counts


def reveal(rules: Game, history: Sequence[Turn]) -> Code:
    """The secret that the evil codemaker shows at the end."""
    return Evil(rules).reveal(history)


def optimal_secret(rules: Game, seed: int) -> Code:
    """The secret that the optimal codemaker draws with this seed."""
    try:
        return draw_optimal_secret(rules, seed)
    except (StrategyError, TooLargeError):
        raise InputError(
            "the optimal codemaker is not known on {rules}: choose a smaller board, or another "
            "codemaker",
            rules=rules,
        ) from None


def first_codes(rules: Game, history: Sequence[Turn], limit: int) -> CandidatesView:
    """How many codes fit the history, and the first of them."""
    from pegwise.knowledge import candidates, count

    codes = [str(code) for code in candidates(rules, history, limit)]
    return CandidatesView(count=count(rules, history), codes=codes)


def codes_of_boards(play: Play, limit: int) -> BoardsView:
    """The first codes that fit each board of a game."""
    turns = map(play.turns_on, range(play.boards))
    return BoardsView(boards=[first_codes(play.game, each, limit) for each in turns])


@lru_cache(maxsize=64)
def advise(rules: Game, boards: int, history: tuple[Turn, ...]) -> Advice:
    """A best guess by the yardstick of the coach; the first of a game is asked for most."""
    return choice.hint(Play(game_of(rules), boards, history), best_play_within(SEARCHING))


def any_fitting(rules: Game, history: Sequence[Turn]) -> Advice:
    """Any code that fits, which is quick to find on all boards."""
    return Adviser(load(fallback_strategy(rules)), rules).propose(history)


# The API.

api = APIRouter(prefix="/games", tags=["play"])


async def _stored(key: Key, shared: Shared) -> GameState:
    return await shared.storage.do(games.find, key)


Stored = Annotated[GameState, Depends(_stored)]
"""The game that a request names."""


@api.post("", status_code=201)
async def begin(request: GameRequest, shared: Shared, player: Player) -> GameView:
    """Begin a game."""
    shared.check_begins()
    seed, secret = None, None
    if request.codemaker == "optimal":
        seed = games.draw_seed()
        secret = await shared.slow.ask(optimal_secret, request.rules, seed)
    game = await shared.storage.do(games.begin, request, seed, secret, player)
    return shared.recent.keep(game).view()


@api.get("/{key}")
async def show(game: Stored) -> GameView:
    """A game as it stands."""
    return game.view()


@api.delete("/{key}", status_code=204)
async def remove(key: Key, shared: Shared, player: Player) -> None:
    """Delete a game that the same visitor began, and its turns."""
    await shared.storage.do(games.remove, key, player)


@api.post("/{key}/turns")
async def guess(key: Key, request: GuessRequest, shared: Shared, player: Player) -> GameView:
    """Play a guess. Sent again with the same number and guess, it is not played twice."""
    game = shared.recent.before(key, request.turn)
    if game is None:
        game = await shared.storage.do(games.find, key)
    game.check_player(player)
    code = parse_code(request.guess, game.rules)
    if game.rules.alphabet.names(code):
        pool = shared.pool_for_counting(game.rules)
        await pool.ask(check_named, game.rules, game.turns[: request.turn - 1], code)
    if games.awaits(game.turns, game.result, code, request.turn):
        check_hard(game.rules, game.turns, code)
        marked, counts, shown = await _answer(shared, game, code)
        turn = Turn(code, marked)
        game = await shared.storage.do(games.add_turn, game, turn, counts, shown, request.seconds)
        shared.recent.keep(game)
    return game.view()


@api.post("/{key}/hint")
async def hint(game: Stored, shared: Shared, player: Player) -> HintView:
    """A guess that pegwise would play; the game notes that it was asked for."""
    game.check_player(player)
    _refuse_without_hints(game)
    if game.over:
        raise ConflictError(
            "the game is over ({result}): there is nothing to guess", result=Phrase(game.result)
        )
    several, late = game.secrets > 1, False
    pool = shared.slow if several else shared.pool_for_advice(game.rules)
    try:
        advice = await pool.ask(advise, game.rules, game.secrets, game.turns)
    except TooLongError:
        if several:
            raise
        advice, late = await shared.slow.ask(any_fitting, game.rules, game.turns), True
    await shared.storage.do(games.note_hint, game.id)
    count = game.view().candidates
    return HintView(guess=str(advice.guess), by=advice.strategy, candidates=count, late=late)


@api.get("/{key}/left")
async def candidates(
    game: Stored,
    shared: Shared,
    limit: Annotated[int, Query(ge=0, le=1000)] = 20,
    turn: Annotated[int | None, Query(ge=1, le=MAX_TURNS)] = None,
) -> CandidatesView | BoardsView:
    """How many codes are possible, and the first of them; after the last turn, or this one.

    Of several secrets these are told board by board.
    """
    _refuse_without_hints(game)
    pool, played = shared.pool_for_counting(game.rules), game.turns[:turn]
    if game.secrets > 1:
        return await pool.ask(codes_of_boards, game.play.first(len(played)), limit)
    view = await pool.ask(first_codes, game.rules, played, limit)
    if played and game.candidates[len(played) - 1] is None:
        await shared.storage.do(games.add_count, game.id, len(played), view.count)
    return view


@api.post("/{key}/give-up")
async def give_up(game: Stored, shared: Shared, player: Player) -> GameView:
    """End a game, which shows its code."""
    game.check_player(player)
    shown = None
    if game.seed is None and not game.over:
        pool = shared.pool_for_counting(game.rules)
        shown = await pool.ask(reveal, game.rules, game.turns)
    return (await shared.storage.do(games.end, game.id, shown, len(game.turns))).view()


def _check_over(game: GameState) -> None:
    if not game.over:
        raise ConflictError("this game is not over: it is reviewed at its end")


@api.get("/{key}/review")
async def review_of(game: Stored, shared: Shared) -> dict[str, Any]:
    """The document of `pegwise review --json`, by one look ahead."""
    _check_over(game)
    reviewed = await shared.slow.ask(review, game.record())
    return reviewed.document()


@api.get("/{key}/review.html", response_class=Response)
async def review_html(request: Request, game: Stored, shared: Shared) -> Response:
    """What each guess of a game with several secrets told, as a piece of its page."""
    _check_over(game)
    noted = GameToReview(game.record())
    reviewed = await noted.reviewed(shared, language_of(request))
    pieces = of_piece(noted, reviewed)
    return render_piece(request, "several_review", rules=game.rules, at_end=True, **pieces)


async def _answer(shared: Services, game: GameState, code: Code) -> Answer:
    """The answer to the next guess."""
    pool, marked = shared.pool_for_counting(game.rules), None
    if game.seed is not None:
        marked = game.play.answer(game.hidden(), code).mark
        if not game.hints:
            return marked, None, None
    seconds = None if marked is None else _COUNTING
    try:
        async with asyncio.timeout(seconds):
            if game.secrets > 1 and marked is not None:
                pool, turns = shared.pool_for_advice(game.rules), (*game.turns, Turn(code, marked))
                counts = await pool.ask(count_boards, game.rules, game.secrets, turns)
                return marked, counts, None
            return await pool.ask(answer, game.rules, game.turns, code, marked, game.ends_next)
    except (TooLargeError, BusyError, TimeoutError):
        if marked is None:
            raise
        return marked, None, None  # a turn needs no count


def _refuse_without_hints(game: GameState) -> None:
    if not game.hints and not game.over:
        raise ConflictError("this game was begun without hints; they come back when it is over")


# The page.

pages = APIRouter(include_in_schema=False)


@pages.get("/play")
async def page(
    request: Request,
    shared: Shared,
    player: Player,
    codemaker: Annotated[Codemaker | None, Blank, Query()] = None,
    hints: str = "",
    max_guesses: Annotated[int | None, Query(alias="max", ge=1, le=MAX_TURNS), Blank] = None,
    game: str = "",
    challenge: str = "",
    secrets: Annotated[int | None, Query(ge=1, le=MOST_SECRETS), Blank] = None,
    twice: Annotated[int, Query(ge=0)] = 0,  # words of a list that was pasted, which it had already
) -> Response:
    """A board to play on; the latest game that the same visitor has not finished is offered."""
    rules, boards = boards_of(request.query_params)
    if boards != 1:
        told = {**request.query_params, "rules": rules.named, "secrets": boards}
        return RedirectResponse(f"/play?{query_of(told)}", 303)
    asked = GameRequest(
        rules=rules,
        codemaker=codemaker or "random",
        hints=hints != "0",
        max_guesses=max_guesses,
        secrets=secrets or 1,
    )
    games.check_drawing(asked)
    names = colors_of(request.query_params, rules)
    address = address_on(asked, colors=",".join(names))
    options = asked.model_dump(exclude={"rules"})
    if is_form(request.query_params):
        return RedirectResponse(address, 303)
    if game:
        with suppress(NotFoundError):  # the page says so
            asked_for = await shared.storage.do(games.find, game)
            if (asked_for.rules, asked_for.secrets) != (rules, asked.secrets):
                return RedirectResponse(address_of(asked_for), 303)
    offered = []
    if player and not game and not challenge:
        offered = await shared.storage.do(games.played_by, player, 0, 1, "open")
    return render(
        request,
        "play" if asked.secrets == 1 else "several",
        rules=rules,
        own_names=names,
        options=options,
        again=address,
        challenge=challenge,
        twice=twice,
        offered=[(offer, address_of(offer)) for offer in offered],
        data={
            "options": options,
            "game": game,
            "challenge": challenge,
            "names": [name.model_dump() for name in color_names(names, language_of(request))],
        },
    )


@pages.get("/play/several")
@pages.api_route("/api/several{rest:path}", methods=["GET", "POST"])
def moved(request: Request, rest: str = "") -> Response:
    """Earlier addresses of games with several secrets."""
    path = f"/api/games{rest}" if request.url.path.startswith("/api") else "/play"
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(path + query, 308)


def address_on(asked: GameRequest | GameState, **more: str) -> str:
    """The address of a board on which a game is played in the same way."""
    state = {
        "rules": asked.rules.named,
        "codemaker": None if asked.codemaker == "random" else asked.codemaker,
        "hints": None if asked.hints else 0,
        "max": asked.max_guesses,
        "secrets": None if asked.secrets == 1 else asked.secrets,
    }
    return f"/play?{query_of(state | more)}"


def address_of(game: GameState) -> str:
    """Where a game goes on, or where it is reviewed if it is over."""
    if not game.over:
        return address_on(game, game=game.id)
    state = {
        "rules": game.play.name,
        "history": inputs.history_text(game.turns),
        "secret": game.hidden() if game.secrets > 1 else game.secret,
        "hints": ",".join(map(str, game.hinted)),
    }
    return f"/review?{query_of(state)}"
